# hello: the whole of a working bot. Lays one due card, else its first card; never calls.
import json
import sys

for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask:  # a request; events have no id and want no answer
        reply = {"id": ask["id"], "challenge": False}
        if ask["type"] == "play":
            due = [card for card in ask["hand"] if card[0] == ask["ranks"][0]]
            reply |= {"rank": ask["ranks"][0], "cards": due[:1] or ask["hand"][:1]}
        print(json.dumps(reply), flush=True)
