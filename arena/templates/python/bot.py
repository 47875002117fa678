# A bot for Cheat. What it does is decided in `decide`; the rest reads requests and sends the answers.
import json
import sys


def decide(ask, rules):
    """The answer to one request. Change this: the fields of `ask` and `rules` are in protocol.md."""
    hand = ask["hand"]  # such as ["AS", "4C", "TD"]
    if ask["type"] == "play":
        # The rank it holds most of, of those that may be claimed: all it may lay, or one card that is a lie.
        rank = max(ask["ranks"], key=lambda rank: sum(card[0] == rank for card in hand))
        due = [card for card in hand if card[0] == rank]
        return {"rank": rank, "cards": due[: rules["max_cards"]] or hand[:1]}
    # Somebody has claimed `count` cards of `rank`: call it a lie where there are not that many.
    own = sum(card[0] == ask["rank"] for card in hand)
    return {"challenge": ask["count"] + own > 4 * rules["decks"]}


rules = {}
for line in sys.stdin:
    ask = json.loads(line)
    if ask["type"] == "hello":
        rules = ask["rules"]
    if "id" in ask:  # a request; events have no id and want no answer
        answer = {} if ask["type"] == "hello" else decide(ask, rules)
        print(json.dumps({"id": ask["id"], **answer}), flush=True)  # print nothing else: see sys.stderr
