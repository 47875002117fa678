"""null where a value belongs."""

from decent import say, serve

serve(lambda line, reply: say(reply | {"cards": None, "challenge": None}))
