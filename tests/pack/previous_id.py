"""Answers with the id of the request before."""

from decent import answer, requests, say

last = None
for number, line in enumerate(requests()):
    reply = answer(line)
    if number == 6:
        reply["id"] = last
    last = line.fields["id"]
    say(reply)
