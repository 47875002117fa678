"""Connects to a port of this machine."""

import socket
import sys

from decent import name_of, serve, tell


def connect(line, reply):
    with socket.socket() as end:
        end.settimeout(5)
        tell(reply, connected=name_of(end.connect, ("127.0.0.1", int(sys.argv[1]))))


serve(connect)
