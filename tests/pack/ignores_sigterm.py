"""Ignores every signal it may, and hangs."""

import signal

from decent import hang, serve

for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    signal.signal(number, signal.SIG_IGN)
serve(lambda line, reply: [hang() for _ in iter(int, 1)])
