"""reckoner: keeps accounts of where the cards are and how each opponent lies and calls, and weighs every play
and every call by what it does to its chance to win. The evidence it uses:

- its own hand, its own cards in the pile, the cards that calls turn up, and who picked them up;
- every claim: if it is true, these cards lie in the pile; and whoever has played at a rank, be it a lie, has
  next to none of that rank until it picks some up;
- with how many cards each opponent lies, and whether it calls never, at random, what its own hand shows to be
  false, or what its own hand makes unlikely. All games of a block are of one table, whose seats change as
  docs/schedule.md tells, so this is remembered for a square of games (where names are shown, for the block);
- the sizes of hands and pile, and the ranks that fall due on its own turns.
"""

import json
import sys
from collections import Counter
from math import ceil, comb, exp, log

RANKS = "A23456789TJQK"
CHOSEN = ("up_or_down", "same_up_down", "free")  # orders in which the player chooses the rank
BLAME = 1.3  # being caught costs more than `worth` says, which does not see how much the others gain
DOUBT = 0.03  # and so does a call in vain: it does not call for less than this


class Opponent:
    """The ways of one opponent, as far as they have shown."""

    def __init__(self):
        self.lies = Counter({1: 2.0, 2: 0.5, 3: 0.1, 4: 0.1})  # by number of cards; 0 is a pass
        self.calls = {"never": 0.2, "at random": 0.2, "what is false": 0.45, "what is unlikely": 0.15}

    def lies_with(self, count):
        """How likely its lie is of so many cards."""
        return max(self.lies[count], 0.1) / self.lies.total()

    def call(self, *claim):
        """The chance that it calls."""
        return sum(self.calls[way] * chance for way, chance in would_call(*claim).items())

    def saw(self, called, *claim):
        """It has called, or has not: Bayes on its four ways."""
        for way, chance in would_call(*claim).items():
            self.calls[way] *= max(0.01, chance if called else 1 - chance)
        total = sum(self.calls.values())
        self.calls = {way: max(0.001, weight / total) for way, weight in self.calls.items()}


def would_call(false, unlikely, last):
    """The chance of a call for each way to call, where the caller's hand makes the claim false, or unlikely,
    with these chances; `last`: the claimant's last cards, which most call in any case."""
    return {
        "never": 0.01,
        "at random": 0.1,
        "what is false": 0.8 if last else 0.01 + 0.99 * false,
        "what is unlikely": 0.99 if last else 0.01 + 0.99 * unlikely,
    }


def spread(cards, chance):
    """The chances that 0, 1, 2 ... of so many cards are there, if each is with this chance."""
    return [comb(cards, n) * chance**n * (1 - chance) ** (cards - n) for n in range(cards + 1)]


class Table:
    """One game. Hands and rows are lists of 13 numbers, by rank; a place is another seat or the pile."""

    # ---- What is known: the cards as they are seen, claimed and taken ----

    def __init__(self, start, rules, opponents):
        self.rules, self.seat, self.pile, self.opponents = rules, start["seat"], start["seats"], opponents
        self.copies = 4 * rules["decks"]
        self.most = rules["max_cards"] or self.copies
        self.dealt = 13 * self.copies / start["seats"]
        self.laid = [0] * 13  # by the own last play
        places = [place for place in range(self.pile + 1) if place != self.seat]
        self.sure = {place: [0.0] * 13 for place in places}  # cards seen to get there, and not to leave
        self.rest = {place: [1.0] * 13 for place in places}  # the expected numbers of all others

    def take(self, ask):
        """The position of a request."""
        self.hand = [sum(card[0] == rank for card in ask["hand"]) for rank in RANKS]
        self.size = dict(enumerate([*(size or 0 for size in ask["hand_sizes"]), ask["pile"]]))
        self.active = ask["active"]
        self.others = [seat for seat in self.active if seat != self.seat]
        self.balance()

    def outcome(self, told):
        """A window has closed: what the claim and the calls say of the players, and where the cards go."""
        who, rank, count = told["claimant"], RANKS.index(told["rank"]), told["count"]
        for seat in self.others:
            if seat != who:
                claim = *self.seems(seat, rank, count, self.size[who]), count >= self.size[who]
                self.opponents[seat].saw(seat in told["callers"], *claim)
        if who == self.seat:
            add(self.sure[self.pile], self.laid)
        else:
            if told["callers"]:
                self.opponents[who].lies[count] += 2 * (not told["true"])
                self.reveal(who, [sum(card[0] == name for card in told["shown"]) for name in RANKS])
            else:
                lie = self.lie(who, rank, count)
                self.opponents[who].lies[count] += lie / 2
                self.lay(who, rank, count, lie)
            self.sure[who][rank] *= 0.05  # it has laid all it had, or had none
            self.rest[who][rank] *= 0.05
        if told["taker"] is not None:
            for rows in (self.sure, self.rest):
                if told["taker"] != self.seat:
                    add(rows[told["taker"]], rows[self.pile])
                rows[self.pile] = [0.0] * 13

    def reveal(self, who, shown):
        """These cards of its hand are seen to be in the pile."""
        for rank, cards in enumerate(shown):
            sure = min(cards, self.sure[who][rank])
            self.sure[who][rank] -= sure
            self.rest[who][rank] = max(0.0, self.rest[who][rank] - (cards - sure))
        add(self.sure[self.pile], shown)

    def lay(self, who, rank, count, lie):
        """Cards that nobody saw: of the rank if it was no lie, else of any other that it may hold."""
        sure, rest, pile = self.sure[who], self.rest[who], self.rest[self.pile]
        true = count * (1 - lie)
        seen = min(true, sure[rank])
        sure[rank], rest[rank] = sure[rank] - seen, max(0.0, rest[rank] - (true - seen))
        pile[rank] += true
        others = [other for other in range(13) if other != rank]
        share = min(1.0, count * lie / max(1e-9, sum(sure[other] + rest[other] for other in others)))
        for other in others:
            pile[other] += share * (sure[other] + rest[other])
            sure[other], rest[other] = (1 - share) * sure[other], (1 - share) * rest[other]

    # ---- What is believed: who holds how many of a rank, and who lies ----

    def balance(self):
        """Fits the expected numbers to the size of each place and to the copies of each rank, in turn."""
        for _ in range(2):
            for place, row in self.rest.items():
                size, total = max(0.0, self.size[place] - sum(self.sure[place])), sum(row)
                row[:] = [cards * size / total for cards in row] if total > 1e-9 else [size / 13] * 13
            for rank in range(13):
                unseen = self.copies - self.hand[rank] - sum(row[rank] for row in self.sure.values())
                total = sum(row[rank] for row in self.rest.values())
                for row in self.rest.values():
                    row[rank] *= max(0.0, unseen) / max(1e-9, total)

    def holds(self, seat, rank):
        """The chances that it holds 0, 1, 2 ... cards of the rank."""
        sure, rest = self.sure[seat][rank], self.rest[seat][rank]
        known, unseen = ceil(sure - 1e-6), sum(row[rank] for row in self.rest.values())
        chances = [0.0] * (round(unseen) + known + 1)
        for more, first in enumerate(spread(round(unseen), min(1.0, rest / max(1e-9, unseen)))):
            for kept, second in enumerate(spread(known, sure / max(1, known))):
                chances[more + kept] += first * second
        return chances

    def seems(self, seat, rank, count, size):
        """The chances that, by the hand of this seat, a claim from a hand of that size is false, and is
        unlikely: for hands drawn blindly from all cards that this seat does not hold."""
        false, unlikely, limit = 0.0, 0.0, 26 if count == 1 else 100
        for own, chance in enumerate(self.holds(seat, rank)):
            copies = self.copies - own
            others = max(0, 13 * self.copies - self.size[seat] - copies)
            if count > copies:
                false += chance
            elif comb(others, size) > limit * comb(copies, count) * comb(others, max(0, size - count)):
                unlikely += chance
        return false, false + unlikely

    def lie(self, who, rank, count):
        """The chance that a claim is a lie, by Bayes: a player lays all it has of a rank, seldom less, and if
        it has none lies with as many cards as is its way."""
        chances, less = self.holds(who, rank), 1.0 if count == self.most else 0.05
        truth = sum(chances[count : count + 1]) + less * sum(chances[count + 1 :])
        if self.hand[rank] + count > self.copies:
            truth = 0.0
        lie = max(0.02, chances[0]) * self.opponents[who].lies_with(count)
        return lie / (lie + truth)

    def with_pile(self):
        """The own hand with what the pile should hold, in whole cards."""
        pile = self.sure[self.pile], self.rest[self.pile]
        hand = [sum(cards) for cards in zip(self.hand, *pile, strict=True)]
        whole = [int(cards) for cards in hand]
        nearest = sorted(range(13), key=lambda rank: whole[rank] - hand[rank])
        for turn in range(sum(self.hand) + self.size[self.pile] - sum(whole)):
            whole[nearest[turn % 13]] += 1
        return whole

    # ---- What a position is worth ----

    def coming(self, rank, turns):
        """The ranks of the own turns from now on, the first so many turns of the table after this rank's.
        Where ranks are chosen: from those next to it to those across."""
        if self.rules["order"] in CHOSEN:
            return sorted(range(13), key=lambda other: min((other - rank) % 13, (rank - other) % 13))
        way = -1 if self.rules["order"].startswith("down") else 1
        return [(rank + way * (turns + len(self.active) * turn)) % 13 for turn in range(13)]

    def turns_to_finish(self, hand, coming):
        """The fewest own turns to a true last play, if each turn without one takes one or two false cards."""
        if self.rules["order"] in CHOSEN:
            return sum(cards > 0 for cards in hand)
        left, stuck, spare = sum(hand), 0, 0
        for turn, rank in enumerate(coming, 1):
            laid = min(hand[rank], self.most)
            left, spare, stuck = left - laid, spare + max(0, laid - 1), stuck + (laid == 0)
            if laid and left <= 2 * stuck and stuck <= left + spare:
                return turn
        return 14

    def worth(self, hand, coming, pile, size):
        """The chance to win with this hand; the weights are fitted to a hundred thousand games."""
        if not any(hand):
            return 1.0
        lead = sum(log(max(size[seat], 0.5) / self.dealt) for seat in self.others) / len(self.others)
        waits = sum(turn for turn, rank in enumerate(coming) if hand[rank])
        score = 5.2 / self.turns_to_finish(hand, coming) + 3.6 * lead + 0.07 * pile - 0.012 * waits
        return 1 / (1 + exp(-score))

    # ---- What is played ----

    def play(self, ask):
        """The best of: all true cards, and these with one, two ... of the false ones that are of use last."""
        self.take(ask)
        rank = max(map(RANKS.index, ask["ranks"]), key=lambda rank: self.hand[rank])
        true = min(self.hand[rank], self.most)
        late = [other for other in reversed(self.coming(rank, 0)) if other != rank]
        spare = [other for other in late for _ in range(self.hand[other])]
        options = [[0] * 13] if self.rules["passing"] else []
        for false in range(true == 0, min(self.most - true, len(spare)) + 1):
            options.append([true if other == rank else spare[:false].count(other) for other in range(13)])
        self.laid = max(options, key=lambda laid: self.after(rank, laid))
        if not any(self.laid):
            return {"pass": True}
        left, cards = list(self.laid), []
        for card in ask["hand"]:
            if left[RANKS.index(card[0])]:
                left[RANKS.index(card[0])] -= 1
                cards.append(card)
        return {"rank": RANKS[rank], "cards": cards}

    def after(self, rank, laid):
        """The chance to win by this play, over who calls it."""
        count, true = sum(laid), laid[rank] == sum(laid)
        hand = [own - cards for own, cards in zip(self.hand, laid, strict=True)]
        coming, pile = self.coming(rank, len(self.active)), self.size[self.pile]
        quiet, called = 1.0, 0.0
        for seat in self.others if count else ():
            false, unlikely = self.seems(seat, rank, count, sum(self.hand))
            call = quiet * self.opponents[seat].call(0.0 if true else false, unlikely, not any(hand))
            quiet -= call
            if true:
                taken = self.size | {seat: self.size[seat] + pile + count}
                called += call * self.worth(hand, coming, 0, taken)
        stays = self.worth(hand, coming, pile + count, self.size)
        if true:
            return quiet * stays + called
        return stays - BLAME * (1 - quiet) * (stays - self.worth(self.with_pile(), coming, 0, self.size))

    # ---- What is called ----

    def challenge(self, ask):
        """Calls if more is to be won than lost by it, and last cards that would end the game in any case."""
        self.take(ask)
        who, rank, count, pile = ask["claimant"], RANKS.index(ask["rank"]), ask["count"], ask["pile"]
        if count >= self.size[who] and (not self.rules["play_on"] or len(self.active) == 2):
            return {"challenge": True}
        coming = self.coming(rank, (self.active.index(self.seat) - self.active.index(who)) % len(self.active))
        taken = self.with_pile()
        taken[rank] += count
        fewer = self.size | {who: self.size[who] - count}
        wait = self.worth(self.hand, coming, pile + count, fewer)
        right = self.worth(self.hand, coming, 0, self.size | {who: self.size[who] + pile})
        wrong = self.worth(taken, coming, 0, fewer)
        lie = self.lie(who, rank, count)
        return {"challenge": lie * (right - wait) - (1 - lie) * (wait - wrong) > DOUBT}


def add(row, more):
    row[:] = map(sum, zip(row, more, strict=True))


def who_sits(seat, game, seats):
    """The number that a bot keeps while seats change from game to game: the squares of docs/schedule.md."""
    place = seats - 1 - seat if seats % 2 and game >= seats else seat
    return (((place + 1) // 2 if place % 2 else -(place // 2)) + game) % seats


rules, table, game, me, known = {}, None, 0, None, {}
for line in sys.stdin:
    told = json.loads(line)
    answer = {"name": "reckoner"}
    if told["type"] == "hello":
        rules = told["rules"]
    elif told["type"] == "start":
        seats = told["seats"]
        names = told.get("names") or [who_sits(seat, game, seats) for seat in range(seats)]
        if me != names[told["seat"]] or (game == 0 and "names" not in told):
            me, known = names[told["seat"]], {}
        table = Table(told, rules, [known.setdefault(name, Opponent()) for name in names])
        game = (game + 1) % (2 * seats if seats % 2 else seats)
    elif told["type"] == "play":
        answer = table.play(told)
    elif told["type"] == "challenge":
        answer = table.challenge(told)
    elif told["type"] == "outcome":
        table.outcome(told)
    elif told["type"] == "passed" and told["seat"] != table.seat:
        table.opponents[told["seat"]].lies[0] += 1
    if "id" in told:
        print(json.dumps({"id": told["id"], **answer}), flush=True)
