"""Five megabytes on stderr before a reply, three times in a game."""

import sys

from decent import Line, answer, say

number = 0
for raw in sys.stdin.buffer:
    line = Line(raw)
    if line.fields["type"] == "goodbye":
        break
    if line.fields["type"] == "start":
        number = 0
    if "id" in line.fields:
        number += 1
        if number in (2, 5, 8):
            sys.stderr.write("chatter\n" * 655_360)
        say(answer(line))
