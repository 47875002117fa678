"""chancer: lays one to four cards picked at random, whatever they are, and calls one claim in ten at random."""

import json
import random
import sys

rules = {}
rng = random.Random(0)


def play(ask):
    """Any cards, claimed as any legal rank."""
    most = min(4, len(ask["hand"]), rules["max_cards"] or 4)
    cards = rng.sample(ask["hand"], rng.randint(1, most))
    return {"rank": rng.choice(ask["ranks"]), "cards": cards}


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        rules = message["rules"]
        answer = {"name": "chancer"}
    elif message["type"] == "start":
        rng = random.Random(message["seed"])
        continue
    elif message["type"] == "play":
        answer = play(message)
    elif message["type"] == "challenge":
        answer = {"challenge": rng.random() < 0.1}
    else:
        continue
    print(json.dumps({"id": message["id"], **answer}), flush=True)
