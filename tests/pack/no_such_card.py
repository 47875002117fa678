"""Lays a card that does not exist, and calls with a word."""

from decent import say, serve

serve(lambda line, reply: say({"id": reply["id"], "cards": ["1X"], "call": True}))
