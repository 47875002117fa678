"""Reads what is none of its business: files it has been told of, and the files of every process in sight."""

import glob
import json
import os
import sys

from decent import name_of, serve, tell


def read(path):
    with open(path, "rb") as file:
        file.read(1)


def pry(line, reply):
    files = {name: name_of(read, path) for name, path in json.loads(sys.argv[1]).items()}
    others = []
    for place in glob.glob("/proc/[0-9]*/cwd"):
        try:
            if os.readlink(place) not in (os.getcwd(), "/"):
                others.append(name_of(read, f"{place}/bot.py"))
        except OSError:
            continue
    tell(reply, files=files, others=others.count("done"))


serve(pry)
