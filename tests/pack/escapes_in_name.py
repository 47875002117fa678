"""Calls itself what would clear a terminal, colour it and rename its window."""

from decent import say, serve

NAME = "\x1b[2J\x1b[31mred\x1b]0;title\x07\x9b1m\r\n\u202e"

serve(lambda line, reply: say(reply | {"name": NAME}), 0)
