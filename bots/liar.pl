#!/usr/bin/env perl
# liar: lays up to four cards that are not of the rank it claims, and calls one claim in ten at random.
use strict;
use warnings;

$| = 1;    # every answer leaves at once
my $cap = 4;

# Enough of JSON for the flat fields this bot reads: the raw text after a key, and the words in a list.
sub field { my ( $line, $key ) = @_; return $line =~ /"$key"\s*:\s*(\[[^\]]*\]|"[^"]*"|[^,}\s]+)/ ? $1 : '' }
sub words { return field(@_) =~ /"([^"]*)"/g }

sub play {
    my ($line) = @_;
    my @hand = words( $line, 'hand' );
    my %held;
    $held{ substr $_, 0, 1 }++ for @hand;
    my @ranks = words( $line, 'ranks' );
    my %order = map { $_ => ( $held{$_} // 0 ) + rand } @ranks;    # what it holds least of, any of equals
    my ($rank) = sort { $order{$a} <=> $order{$b} } @ranks;
    my @cards = grep { substr( $_, 0, 1 ) ne $rank } @hand;
    @cards = @hand unless @cards;    # nothing to lie with: the truth, for once
    splice @cards, $cap if @cards > $cap;
    return qq("rank":"$rank","cards":[) . join( ',', map { qq("$_") } @cards ) . ']';
}

while ( my $line = <STDIN> ) {
    my ($type) = words( $line, 'type' );
    my $answer;
    if ( $type eq 'hello' ) {
        my $most = field( $line, 'max_cards' );
        $cap = $most =~ /^\d+$/ && $most < 4 ? $most : 4;
        $answer = '"name":"liar"';
    }
    elsif ( $type eq 'start' ) { srand field( $line, 'seed' ) }
    elsif ( $type eq 'play' )  { $answer = play($line) }
    elsif ( $type eq 'challenge' ) { $answer = '"challenge":' . ( rand() < 0.1 ? 'true' : 'false' ) }
    print '{"id":', field( $line, 'id' ), ",$answer}\n" if $answer;
}
