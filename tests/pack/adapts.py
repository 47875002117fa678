"""Fine, and different from game to game: it calls more often after each game it has seen end."""

import sys

from decent import Line, answer, say

games = 0
for raw in sys.stdin.buffer:
    line = Line(raw)
    m = line.fields
    if m["type"] == "goodbye":
        break
    games += m["type"] == "end"
    if "id" in m:
        reply = answer(line)
        if m["type"] == "challenge":
            reply["challenge"] = (m["turn"] + m["count"]) % 7 < games
        say(reply)
