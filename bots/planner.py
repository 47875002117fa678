"""planner: a closer that looks ahead. Stuck, it lies with the card whose rank it will be asked for last."""

import json
import random
import sys

RANKS = "A23456789TJQK"
rules, rng = {}, random.Random(0)


def turns_until_due(rank, ask):
    """Own turns until this rank falls due here: one rank a turn, so `active` ranks between two own turns."""
    gap = RANKS.index(rank) - RANKS.index(ask["ranks"][0])
    if len(ask["ranks"]) > 1:  # the table may choose: count the steps round the circle of ranks
        return min(gap % 13, -gap % 13)
    if rules["order"].startswith("down"):
        gap = -gap
    return next(turn for turn in range(13) if (turn * len(ask["active"]) - gap) % 13 == 0)


def play(ask):
    """All cards of the legal rank it holds most of; without one, the card that is of use last."""
    hand = ask["hand"]
    ranks = [card[0] for card in hand]
    rank = max(ask["ranks"], key=lambda rank: (ranks.count(rank), rng.random()))
    due = [card for card in hand if card[0] == rank][: rules["max_cards"]]
    if due:
        return {"rank": rank, "cards": due}
    if rules["passing"] and len(hand) == 1:
        return {"pass": True}  # a last card that is false would be called
    return {"rank": rank, "cards": [max(hand, key=lambda card: turns_until_due(card[0], ask))]}


def suspicious(ask):
    """A certain lie, or the claimant's last cards."""
    own = sum(card[0] == ask["rank"] for card in ask["hand"])
    certain_lie = own + ask["count"] > 4 * rules["decks"]
    return certain_lie or ask["count"] >= ask["hand_sizes"][ask["claimant"]]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        answer = {"name": "planner"}
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
