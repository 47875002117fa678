"""1 for true, and a string for a list."""

from decent import say, serve

serve(lambda line, reply: say(reply | {"cards": "AS", "challenge": 1}))
