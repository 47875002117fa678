"""Answers after the deadline."""

import time

from decent import say, serve

serve(lambda line, reply: (time.sleep(0.7), say(reply)))
