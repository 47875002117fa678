# A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
use strict;
use warnings;
use JSON::PP;
my $json = JSON::PP->new->utf8->canonical;
$| = 1;    # or the answers would wait in a buffer

# The answer to one request. Change this: the fields of $ask and $rules are in protocol.md.
sub decide {
    my ($ask, $rules) = @_;
    my @hand = @{ $ask->{hand} };    # such as ("AS", "4C", "TD")
    my $held = sub { my $rank = shift; grep { substr($_, 0, 1) eq $rank } @hand };
    if ($ask->{type} eq "play") {
        # The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
        my ($rank, @due) = $ask->{ranks}[0];
        for my $other (@{ $ask->{ranks} }) {
            my @cards = $held->($other);
            ($rank, @due) = ($other, @cards) if @cards > @due;
        }
        my $most = $rules->{max_cards} // @hand;
        splice @due, $most if @due > $most;
        return (rank => $rank, cards => @due ? \@due : [$hand[0]]);
    }
    # Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    my $own = $held->($ask->{rank});
    return (challenge => $ask->{count} + $own > 4 * $rules->{decks} ? JSON::PP::true : JSON::PP::false);
}

my $rules = {};
while (my $line = <STDIN>) {
    my $ask = $json->decode($line);
    $rules = $ask->{rules} if $ask->{type} eq "hello";
    next unless defined $ask->{id};    # an event: it wants no answer
    my %answer = $ask->{type} eq "hello" ? () : decide($ask, $rules);
    # Print nothing else on stdout: warn is free.
    print $json->encode({ id => $ask->{id}, %answer }), "\n";
}
