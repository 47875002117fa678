"""The real command on a real (pseudo) terminal."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

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
