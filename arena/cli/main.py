"""The command line: which commands there are, and what every error becomes: one message and an exit code."""

import errno
import inspect
import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import Final

from cyclopts import App, Parameter
from cyclopts.exceptions import CycloptsError

from arena import __version__
from arena.cli.complaints import complaint
from arena.cli.examples import example_of
from arena.cli.exits import BAD_INPUT, DONE, INTERRUPTED, STORE_FAILED, UNFINISHED
from arena.cli.help import Aligned, usage_of
from arena.cli.memory import lack_of_memory
from arena.cli.settings import from_file, with_origin
from arena.cli.streams import give_up, say, settle_streams, stdout_is_closed
from arena.errors import BadInput, Unfinished

_OF_THE_MACHINE: Final = (
    errno.ENOSPC,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EROFS,
    errno.EMFILE,
    errno.ENFILE,
)
_NEGATIVE: Final = re.compile(r"-\.?\d", re.ASCII)
_LONG: Final = re.compile(r"--[a-z-]+")


def build() -> App:
    """The parser with every command; heavy imports stay inside the commands."""
    from arena.cli.check import check
    from arena.cli.compare import compare
    from arena.cli.completion import completion
    from arena.cli.doctor import doctor
    from arena.cli.export import export, import_file
    from arena.cli.faults import faults
    from arena.cli.merge import merge
    from arena.cli.new import new
    from arena.cli.play import play
    from arena.cli.replay import replay
    from arena.cli.rerun import rerun
    from arena.cli.rules import rules
    from arena.cli.run import run
    from arena.cli.schema import schema
    from arena.cli.standings import standings
    from arena.cli.verify import verify

    app = App(
        name="arena",
        help="Tournaments for programs that play the card game Cheat (BS, I Doubt It).",
        version=f"arena {__version__}",
        help_format="plaintext",
        help_formatter=Aligned(),
        version_format="plaintext",
        suppress_keyboard_interrupt=False,
        config=from_file,
        default_parameter=Parameter(negative=(), show_default=False),
    )
    in_order: tuple[Callable[..., int], ...] = (
        run,
        check,
        play,
        standings,
        faults,
        replay,
        verify,
        rerun,
        export,
        import_file,
        merge,
        compare,
        new,
        rules,
        schema,
        doctor,
        completion,
    )
    for place, command in enumerate(in_order):
        name = "import" if command is import_file else command.__name__
        words = f"{inspect.getdoc(command)}\n\n{example_of(name)}"
        app.command(command, name=name, sort_key=place, usage=usage_of(name, command), help=words)
    return app


def main(words: Sequence[str] | None = None) -> int:
    """Run the command given (that of the process, if None) and return its exit code."""
    settle_streams()
    try:
        code = _dispatch(sys.argv[1:] if words is None else words)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has seen enough.
        give_up(sys.stdout)
        return DONE
    except KeyboardInterrupt:
        say("interrupted")
        # At once, because Python may have noted that an `exec` somewhere in an import was interrupted, and
        # would end itself by the signal although that was caught.
        os._exit(INTERRUPTED)
    except (MemoryError, ImportError, RuntimeError, OSError) as error:
        if (lacking := lack_of_memory(error)) is not None:
            say(lacking)
            return UNFINISHED
        if not isinstance(error, OSError):
            raise
        if error.errno == errno.EBADF and stdout_is_closed():
            give_up(sys.stdout)
            say("nothing could be printed: stdout is closed; leave it open, or send it to a file")
            return STORE_FAILED
        if error.errno not in _OF_THE_MACHINE:
            raise
        give_up(sys.stdout)
        where = f" ({error.filename})" if error.filename else ""
        say(f"the system refused: {error.strerror}{where}")
        return STORE_FAILED
    return code


def _dispatch(words: Sequence[str]) -> int:
    if words and not words[0].startswith("-") and _is_nowhere():
        say("the folder you are in is not there any more; cd into one that is")
        return BAD_INPUT
    if words and words[0] == "help":
        words = [*words[1:], "--help"]
    try:
        code = build()(
            _joined(words),
            print_error=False,
            exit_on_error=False,
            verbose=False,
            result_action="return_value",
        )
    except CycloptsError as error:
        say(complaint(error))
        return BAD_INPUT
    except BadInput as error:
        say(with_origin(str(error), words))
        return BAD_INPUT
    except Unfinished as error:
        say(str(error))
        return UNFINISHED
    except Exception as error:
        if not _is_of_the_store(error):
            raise
        say(str(error))
        return STORE_FAILED
    return code if isinstance(code, int) else DONE


def _is_nowhere() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _joined(words: Sequence[str]) -> list[str]:
    """The words, with a negative number after an option joined to it: it is a value, and no option."""
    joined: list[str] = []
    for word in words:
        if joined and _NEGATIVE.match(word) and _LONG.fullmatch(joined[-1]):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _is_of_the_store(error: Exception) -> bool:
    from arena.tournament.store import StoreError

    return isinstance(error, StoreError)
