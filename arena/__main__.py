"""The command `arena`, also as `python -m arena`: nothing that takes long comes before Ctrl-C is met."""

import os
import sys


def main() -> int:
    """Run the command of this process; its exit code."""
    try:
        from arena.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        os.write(2, b"arena: interrupted\n")
        # At once: Python may have noted that an import was interrupted, and would end itself by the signal.
        os._exit(130)


if __name__ == "__main__":
    sys.exit(main())
