"""honest: lays every due card it holds, lies with one random card only when stuck, calls only certain lies."""

import json
import random
import sys

rules = {}
rng = random.Random(0)


def play(ask):
    """All cards of the legal rank it holds most of. Without one: a pass if that is allowed, else a small lie."""
    hand = ask["hand"]
    ranks = [card[0] for card in hand]
    rank = max(ask["ranks"], key=lambda rank: (ranks.count(rank), rng.random()))
    due = [card for card in hand if card[0] == rank][: rules["max_cards"]]
    if not due and rules["passing"]:
        return {"pass": True}
    return {"rank": rank, "cards": due or [rng.choice(hand)]}


def certain_lie(ask):
    """Whether the cards claimed and those in the own hand are more than the pack has of that rank."""
    own = sum(card[0] == ask["rank"] for card in ask["hand"])
    return own + ask["count"] > 4 * rules["decks"]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        answer = {"name": "honest"}
    elif message["type"] == "start":
        rng = random.Random(message["seed"])
        continue
    elif message["type"] == "play":
        answer = play(message)
    elif message["type"] == "challenge":
        answer = {"challenge": certain_lie(message)}
    else:
        continue
    print(json.dumps({"id": message["id"], **answer}), flush=True)
