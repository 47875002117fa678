"""Ends by SIGSEGV."""

import os
import signal

from decent import serve

serve(lambda line, reply: os.kill(os.getpid(), signal.SIGSEGV))
