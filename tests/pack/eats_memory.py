"""Uses memory, up to a gibibyte of it."""

from decent import serve


def eat(line, reply):
    held = []
    while len(held) < 128:
        held.append(bytearray(b"x") * (8 << 20))


serve(eat)
