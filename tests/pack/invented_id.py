"""Answers with an id that nobody gave it."""

from decent import say, serve

serve(lambda line, reply: say(reply | {"id": "0123456789ab"}))
