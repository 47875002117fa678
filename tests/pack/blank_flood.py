"""Blank lines without end."""

from decent import out, serve


def print_on(line, reply):
    while True:
        out(b"\n\r\n" * 1024)


serve(print_on)
