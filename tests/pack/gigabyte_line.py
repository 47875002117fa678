"""One line of a gibibyte."""

from decent import out, serve


def print_much(line, reply):
    for _ in range(1 << 14):
        out(b" " * (1 << 16))
    out(b"\n")


serve(print_much)
