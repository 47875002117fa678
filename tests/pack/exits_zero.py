"""Leaves in mid-game with exit code 0."""

import sys

from decent import serve

serve(lambda line, reply: sys.exit(0))
