"""A list, not an object."""

from decent import say, serve

serve(lambda line, reply: say([reply]))
