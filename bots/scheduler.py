"""scheduler: plans its way out. It seeks the fewest own turns after which its last play is true, lays what
falls due on the way, and gets rid of the rest in small lies on the turns where it is stuck."""

import json
import random
import sys
from collections import Counter

RANKS = "A23456789TJQK"
rules, rng = {}, random.Random(0)


def coming_ranks(ask):
    """The ranks due on the own turns from now on, as many as any plan can need."""
    step = -1 if rules["order"].startswith("down") else 1
    due = RANKS.index(ask["ranks"][0])
    return [RANKS[(due + step * len(ask["active"]) * turn) % 13] for turn in range(40)]


def own_turns_to_finish(held, due):
    """The fewest of the turns `due` that end on a true play, each stuck turn before it taking a false card."""
    left, stuck, spare = sum(held.values()), 0, 0
    for turns, rank in enumerate(due, 1):
        laid = min(held[rank], rules["max_cards"] or held[rank])
        if laid == 0:
            stuck += 1
            continue
        held[rank] -= laid
        left -= laid
        spare += laid - 1
        if left <= stuck <= left + spare:
            return turns
    return len(due) + left


def least_needed(hand, due):
    """The card without which the plan from the next own turn on is shortest; of equals the one due last."""

    def cost(card):
        held = Counter(other[0] for other in hand)
        held[card[0]] -= 1
        return own_turns_to_finish(held, due[1:]), -due.index(card[0])

    return min({card[0]: card for card in hand}.values(), key=cost)


def false_cards(ask):
    """One card the plan can spare, and a second where the pile is small and the hand is not."""
    due, hand = coming_ranks(ask), list(ask["hand"])
    thrown = [least_needed(hand, due)]
    if ask["pile"] <= 6 and len(hand) > 3 and rules["max_cards"] != 1:
        hand.remove(thrown[0])
        thrown.append(least_needed(hand, due))
    return thrown


def play(ask):
    hand = ask["hand"]
    ranks = [card[0] for card in hand]
    rank = max(ask["ranks"], key=lambda rank: (ranks.count(rank), rng.random()))
    due = [card for card in hand if card[0] == rank][: rules["max_cards"]]
    if not due and rules["passing"] and len(hand) == 1:
        return {"pass": True}
    return {"rank": rank, "cards": due or false_cards(ask)}


def suspicious(ask):
    """A certain lie, or the claimant's last cards."""
    own = sum(card[0] == ask["rank"] for card in ask["hand"])
    certain_lie = own + ask["count"] > 4 * rules["decks"]
    return certain_lie or ask["count"] >= ask["hand_sizes"][ask["claimant"]]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        answer = {"name": "scheduler"}
    elif message["type"] == "start":
        rng = random.Random(message["seed"])
        continue
    elif message["type"] == "play":
        answer = play(message)
    elif message["type"] == "challenge":
        answer = {"challenge": suspicious(message)}
    else:
        continue
    print(json.dumps({"id": message["id"], **answer}), flush=True)
