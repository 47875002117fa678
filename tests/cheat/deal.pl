#!/usr/bin/perl
# Deals one game from a seed by the steps of docs/deal.md, with nothing but Perl's own modules.
# perl deal.pl SEED BLOCK GAME SEATS DECKS singly|bicycle   prints one JSON object.
use strict;
use warnings;
use Digest::SHA qw(sha256 hmac_sha256);

my ($text, $block, $game, $seats, $decks, $kind) = @ARGV;

# One output block of PBKDF2 (RFC 8018) is the whole 32 bytes of a digest; the seed is its first half.
sub stretched {
    my ($password) = @_;
    my $turn = hmac_sha256("arena" . pack("N", 1), $password);
    my $sum = $turn;
    for (2 .. 600_000) {
        $turn = hmac_sha256($turn, $password);
        $sum ^= $turn;
    }
    return substr($sum, 0, 16);
}

# Arguments arrive as bytes, which are the text in UTF-8 already.
my $seed = $text =~ /\A[0-9a-fA-F]{32}\z/ ? pack("H*", $text) : stretched($text);

sub derived { return hmac_sha256($_[0], $seed) }

my $key = derived("deal:$block:$game");
my $counter = 0;
my @words;

sub below {
    my ($n) = @_;
    my $limit = 2**32 - (2**32 % $n);
    while (1) {
        @words = unpack("N8", sha256($key . pack("NN", 0, $counter++))) unless @words;
        my $word = shift @words;
        return $word % $n if $word < $limit;
    }
}

my (@deck, %place);
for my $rank (split //, "A23456789TJQK") {
    for my $suit (split //, "CDHS") {
        $place{"$rank$suit"} = @deck;
        push @deck, "$rank$suit";
    }
}
my @pack = (@deck) x $decks;
for (my $i = $#pack; $i >= 1; $i--) {
    my $j = below($i + 1);
    @pack[ $i, $j ] = @pack[ $j, $i ];
}

my @hands = map { [] } 1 .. $seats;

sub deal_round {
    my ($each) = @_;
    for my $hand (@hands) {
        for (1 .. $each) { push @$hand, shift @pack if @pack }
    }
}
if ($kind eq "bicycle") {
    for (my $each = 2; $each * $seats <= @pack; $each = 5 - $each) { deal_round($each) }
}
deal_round(1) while @pack;

# The top 53 of 64 bits, from two halves so that no step needs 64-bit numbers.
sub bot_seed {
    my ($high, $low) = unpack("N2", derived("bot:$block:$game:$_[0]"));
    return sprintf("%.0f", $high * 2**21 + ($low >> 11));
}

my @shown = map {
    my @sorted = sort { $place{$a} <=> $place{$b} } @$_;
    "[" . join(",", map { "\"$_\"" } @sorted) . "]";
} @hands;
printf(
    "{\"seed\":\"%s\",\"id\":\"%s\",\"bot_seeds\":[%s],\"hands\":[%s]}\n",
    unpack("H*", $seed),
    substr(unpack("H*", derived("game:$block:$game")), 0, 16),
    join(",", map { bot_seed($_) } 0 .. $seats - 1),
    join(",", @shown),
);
