"""Ends by an exception of its own."""

from decent import serve

serve(lambda line, reply: {}["no such key"])
