"""The real command on a real (pseudo) terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time

from cli_command import environment


def on_terminal(*words, columns=80, cwd=None):
    """Run the command with stdin, stdout and stderr on a terminal; its exit code and what came out."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    more = environment(TERM="xterm")
    del more["COLUMNS"]
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, words)],
        stdin=theirs, stdout=theirs, stderr=theirs, env=more, cwd=cwd, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    written = b""
    while True:
        try:
            piece = os.read(ours, 65_536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        written += piece
    os.close(ours)
    return process.wait(), written.decode().replace("\r\n", "\n")


SGR = re.compile(r"\x1b\[[0-9;]*m")
_OWNER = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""
"""Makes the terminal that of its session, as a shell has it."""
_LIMIT = 60
"""Seconds to wait for what must come."""


class Session:
    """A program that has a terminal of its own, as one started from a shell has; use as a context manager."""

    def __init__(self, *words, columns=80, rows=24, cwd=None, **more):
        self._ours, self._theirs = pty.openpty()
        self.resize(columns, rows)
        self.before = self.attributes()
        env = environment(TERM="xterm-256color") | more
        for name in ("COLUMNS", "NO_COLOR", "FORCE_COLOR", "COLORTERM"):
            if name not in more:
                env.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OWNER, *map(str, words)],
            stdin=self._theirs, stdout=self._theirs, stderr=self._theirs,
            env=env, cwd=cwd, start_new_session=True,
        )  # fmt: skip
        self.written = ""

    @classmethod
    def of_arena(cls, *words, **more):
        """The command itself."""
        return cls(sys.executable, "-m", "arena", *words, **more)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.hang_up()
        os.close(self._theirs)

    def hang_up(self):
        """The window is closed."""
        if self._ours is not None:
            os.close(self._ours)
            self._ours = None

    def attributes(self):
        """How the terminal is set."""
        return termios.tcgetattr(self._theirs)

    def resize(self, columns, rows):
        """Another size of the window; whoever has the terminal is told by a signal."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        """Press these keys."""
        os.write(self._ours, keys.encode())

    def screen(self):
        """What was drawn last, without colours."""
        return SGR.sub("", self.written.rpartition("\x1b[H")[2]).replace("\r", "").replace("\x1b[2K", "")

    def until(self, text, where=None):
        """Read until this text is on the screen (or in `where()`), and give that."""
        where, limit = where or self.screen, time.monotonic() + _LIMIT
        while text not in where():
            assert self.process.poll() is None or self._read(0), f"ended without {text!r}:\n{where()}"
            assert time.monotonic() < limit, f"{text!r} does not come:\n{where()}"
            self._read(0.2)
        return where()

    def ends(self):
        """Read until the process has ended; its exit code."""
        limit = time.monotonic() + _LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < limit, self.written
            self._read(0.05)
        self._read(0)
        return self.process.returncode

    def _read(self, seconds):
        """Whether there was something to read within so many seconds."""
        before = len(self.written)
        while select.select([self._ours], [], [], seconds)[0]:
            self.written += os.read(self._ours, 65_536).decode(errors="replace")
            seconds = 0
        return len(self.written) > before
