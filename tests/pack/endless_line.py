"""Prints for ever and never ends the line."""

from decent import out, serve


def print_on(line, reply):
    while True:
        out(b"x" * 4096)


serve(print_on)
