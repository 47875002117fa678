"""Answers, closes its input and lives on."""

import os

from decent import hang, say, serve

serve(lambda line, reply: (os.close(0), say(reply), hang()))
