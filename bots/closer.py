"""closer: plays as honest does, and also calls every play that would empty the claimant's hand."""

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


def suspicious(ask):
    """A certain lie, or the claimant's last cards: unchallenged they win, so a look costs little."""
    own = sum(card[0] == ask["rank"] for card in ask["hand"])
    certain_lie = own + ask["count"] > 4 * rules["decks"]
    return certain_lie or ask["count"] >= ask["hand_sizes"][ask["claimant"]]


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        answer = {"name": "closer"}
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
