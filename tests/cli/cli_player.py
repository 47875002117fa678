"""A person at a real (pseudo) terminal who plays by what the screen says, and by nothing else."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

from cli_command import environment

TO_PLAY, TO_CALL = "Lay (? helps) > ", "Call it a lie? (c, or Enter) > "
CARD = re.compile(r"(10|[A2-9JQK])([♣♦♥♠])")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_LIMIT = 60


class AtTerminal:
    """`arena` with these words on a terminal of its own, which the keys of the person reach."""

    def __init__(self, *words, cwd, columns=80, **more):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.before = termios.tcgetattr(theirs)
        set_up = environment(TERM="xterm", LC_ALL="C.UTF-8", **more)
        del set_up["COLUMNS"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "arena", *map(str, words)],
            stdin=theirs, stdout=theirs, stderr=theirs, env=set_up, cwd=cwd, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        self._theirs = theirs
        self.raw = ""
        self._bytes = b""
        self._seen = 0

    @property
    def text(self):
        """All that was shown, without its colours."""
        return _COLOUR.sub("", self.raw)

    def until(self, *marks):
        """Read until one of these ends what is shown, and give what was shown since the last time."""
        limit = time.monotonic() + _LIMIT
        while not (new := self.text[self._seen :]).endswith(marks):
            assert time.monotonic() < limit, new
            if not self._read():
                break
        self._seen = len(self.text)
        return new

    def _read(self):
        ready, _, _ = select.select([self.ours], [], [], 1)
        if not ready:
            return self.process.poll() is None
        self._bytes += os.read(self.ours, 65_536)
        self.raw = self._bytes.decode(errors="ignore").replace("\r\n", "\n")
        return True

    def type(self, text, end="\n"):
        """Keys; the echo of them is shown too, and is read here."""
        os.write(self.ours, (text + end).encode())

    def play(self, turns=10**6):
        """Play by the book until the program ends, or so many requests were answered; what was typed."""
        typed = []
        while len(typed) < turns:
            new = self.until(TO_PLAY, TO_CALL)
            if not new.endswith((TO_PLAY, TO_CALL)):
                break
            typed.append(_call(new) if new.endswith(TO_CALL) else _lay(new))
            self.type(typed[-1])
        return typed

    def leave(self, key):
        """Press a key that ends it; the exit code."""
        self.type(key, end="")
        return self.end()

    def end(self):
        """Wait for the end; the exit code. The terminal is as it was."""
        while self.process.poll() is None and self._read():
            pass
        code = self.process.wait(_LIMIT)
        while select.select([self.ours], [], [], 0)[0] and self._read():
            pass
        assert termios.tcgetattr(self._theirs) == self.before
        os.close(self._theirs)
        os.close(self.ours)
        return code


def _lay(shown):
    due = re.findall(r"yours: (\S+?)s are due", shown)[-1]
    rank = {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}.get(due, due)
    hand = CARD.findall(shown[shown.rindex("yours:") :])
    own = [card for card in hand if card[0] == rank]
    if own:
        return f"{min(len(own), 4)} {due}s"
    return "".join(hand[0])


def _call(shown):
    words = {"one": 1, "two": 2, "three": 3, "four": 4}
    claim = shown[shown.rindex("claims") :]
    count = words[claim.split()[1]]
    return "c" if count + len(CARD.findall(claim.split("You hold")[1])) > 4 else ""
