"""Says nothing more."""

from decent import hang, serve

serve(lambda line, reply: hang())
