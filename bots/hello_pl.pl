# hello_pl: the whole of a working bot. Lays one due card, else its first card; never calls.
use strict; use warnings; use JSON::PP;
my $json = JSON::PP->new->utf8->canonical;
$| = 1;
while (my $line = <STDIN>) {
    my $ask = $json->decode($line);
    next unless $ask->{id};    # an event: it wants no answer
    my ($rank, @hand) = ($ask->{ranks}[0] // "", @{ $ask->{hand} // [] });
    my ($card) = ((grep { /^$rank/ } @hand), @hand);
    my %play = $ask->{type} eq "play" ? (rank => $rank, cards => [$card]) : ();
    print $json->encode({ id => $ask->{id}, challenge => JSON::PP::false, %play }), "\n";
}
