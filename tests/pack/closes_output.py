"""Closes its output and lives on."""

import os

from decent import hang, serve

serve(lambda line, reply: (os.close(1), hang()))
