"""Lays cards that it does not hold, at its first play."""

from decent import answer, requests, say

for line in requests():
    m = line.fields
    reply = answer(line)
    if m["type"] == "play":
        reply["cards"] = [m["hand"][0]] * 2
    say(reply)
