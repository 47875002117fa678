"""tracker: plays as honest does, and calls when a lie looks five times as likely as the truth. That is still
too often: it takes hands for blind draws, but players keep what they will need."""

import json
import random
import sys
from math import comb

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


def likely_lie(ask):
    """Weighs two hands of the claimant, drawn blindly from the unseen cards: a liar's has none of the rank, a
    truthful one what is claimed. A lie of one card counts as twenty times as usual as a larger one."""
    count, size = ask["count"], ask["hand_sizes"][ask["claimant"]]
    copies = 4 * rules["decks"] - sum(card[0] == ask["rank"] for card in ask["hand"])
    others = 52 * rules["decks"] - len(ask["hand"]) - copies
    if count > min(copies, size):
        return True
    lie = comb(others, size) * (1 if count == 1 else 0.05)
    truth = comb(copies, count) * comb(others, size - count)
    return lie > 5 * truth


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        answer = {"name": "tracker"}
    elif message["type"] == "start":
        rng = random.Random(message["seed"])
        continue
    elif message["type"] == "play":
        answer = play(message)
    elif message["type"] == "challenge":
        answer = {"challenge": likely_lie(message)}
    else:
        continue
    print(json.dumps({"id": message["id"], **answer}), flush=True)
