"""A shell that waits for the referee to die, however it dies, and ends what it has left running.

PR_SET_PDEATHSIG alone leaves a gap in every tier: it is set some time after the fork, and bubblewrap's own
child waits for ever if its parent dies in between (containers/bubblewrap#633). In `bare` nothing else would
end a bot that ignores the end of its input. What the guardian misses, because it was killed as well, the
next start ends (aftermath.py).
"""

import subprocess
from typing import Final

# The pipe ends when the last process that holds its other end does: only the referee ever has it. A process
# that was being started at that moment gets its environment a little later, and one that is found may be
# starting another, so the search is repeated for a while.
_SCRIPT: Final = """
read -r _
for _ in 1 2 3 4 5 6 7 8; do
    for place in /proc/[0-9]*; do
        if grep -qa "ARENA_TOKEN=$1" "$place/environ"; then kill -9 "${place#/proc/}"; fi
    done
    sleep 0.2
done
"""


class Guardian:
    """Watches from its making to `dismiss` over every process whose environment holds the run's token."""

    def __init__(self, token: str) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "arena-guardian", token],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
            cwd="/",
            # Neither Ctrl-C nor a signal to the referee's group reaches it.
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """The shell's process."""
        return self._shell.pid

    def dismiss(self) -> None:
        """The run has ended in order: there is nothing to guard any more."""
        self._shell.kill()
        assert self._shell.stdin is not None
        self._shell.stdin.close()
        self._shell.wait()
