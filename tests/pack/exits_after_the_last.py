"""Leaves right after its last answer. Which one that is it has been told: bots do not know."""

import sys

from decent import say, serve

serve(lambda line, reply: (say(reply), sys.exit(0)), int(sys.argv[1]))
