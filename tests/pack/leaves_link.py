"""Leaves links in its home, to a folder of the organiser's and to a file in it, for a cleaner to follow."""

import os
import sys

from decent import serve, tell


def leave(line, reply):
    home = os.environ["HOME"]
    os.symlink(sys.argv[1], f"{home}/folder")
    os.symlink(f"{sys.argv[1]}/precious", f"{home}/file")
    tell(reply, links=sorted(os.readlink(f"{home}/{name}") for name in ("folder", "file")))


serve(leave)
