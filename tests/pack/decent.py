"""What every bot of the pack shares: it plays decently until its moment comes. Lies beside each of them."""

import errno
import hashlib
import json
import os
import sys
import time

AT = 6
"""The request (hello is 0) at which a bot of the pack shows what it is."""


class Line:
    """The raw line, parsed, with a digest of everything received so far apart from seconds."""

    digest = hashlib.sha256()

    def __init__(self, raw):
        self.raw = raw
        self.fields = json.loads(raw)
        known = {k: v for k, v in self.fields.items() if k not in ("seconds", "bank")}
        Line.digest.update(json.dumps(known, sort_keys=True).encode())
        self.seen = Line.digest.hexdigest()[:16]


def answer(line):
    """A legal answer: the due cards if there are any, else one card; calls every third turn."""
    m = line.fields
    reply = {"id": m["id"], "debug": line.seen}
    if m["type"] == "hello":
        return {"id": m["id"], "name": "decent"}
    if m["type"] == "play":
        due = [card for card in m["hand"] if card[0] == m["ranks"][0]]
        return reply | {"cards": due[:4] or m["hand"][:1], "rank": m["ranks"][0]}
    return reply | {"challenge": m["turn"] % 3 == 0}


def say(reply):
    sys.stdout.write(json.dumps(reply) + "\n")
    sys.stdout.flush()


def tell(reply, **found):
    """The decent answer, with what the bot has found out in place of its digest."""
    say(reply | {"debug": json.dumps(found)})


def name_of(deed, *arguments):
    """How an attempt ends: "done", or the name of the error."""
    try:
        deed(*arguments)
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    return "done"


def out(data):
    """Bytes as they are; gives up when nobody reads any more."""
    while data:
        data = data[os.write(1, data) :]


def requests():
    """The lines that want an answer, until goodbye."""
    for raw in sys.stdin.buffer:
        line = Line(raw)
        if line.fields["type"] == "goodbye":
            return
        if "id" in line.fields:
            yield line


def serve(misbehave=None, at=AT):
    """Answer decently; request number `at` goes to `misbehave`, with the line and its decent answer."""
    for number, line in enumerate(requests()):
        if misbehave is not None and number == at:
            misbehave(line, answer(line))
        else:
            say(answer(line))


def serve_slowly(seconds, *kinds):
    """Answer decently, but requests of these kinds only after so many seconds."""
    for line in requests():
        if line.fields["type"] in kinds:
            time.sleep(seconds)
        say(answer(line))


def hang():
    time.sleep(3600)
