"""The right reply, and five milliseconds later once more."""

import time

from decent import say, serve

serve(lambda line, reply: (say(reply), time.sleep(0.005), say(reply)))
