"""Answers a request it has not been sent."""

from decent import say, serve

serve(lambda line, reply: (say(reply), say({"id": "000000000000", "challenge": True})))
