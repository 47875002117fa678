"""The parser's errors in one sentence, as every other error is: the thing, the rule, the mend."""

import difflib
from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from cyclopts import exceptions as parser

from arena.cli.typed import command as typed

_EXAMPLES: Final = MappingProxyType(
    {
        "standings": "cup.db",
        "faults": "cup.db",
        "replay": "cup.db 0.0",
        "verify": "cup.db",
        "rerun": "cup.db 0.0",
        "export": "cup.db --csv",
        "import": "cup.jsonl -o again.db",
        "compare": "new.py old.py --field 'bots/*'",
    }
)
"""What may stand behind a command that cannot stand alone."""


def near(word: str, names: Iterable[str]) -> str:
    """`; did you mean NAME?` where one of the names is close to the word, else nothing.

    The dashes that all options begin with make none of them close to another.
    """
    by_letters = {name.lstrip("-"): name for name in names}
    found = difflib.get_close_matches(word.lstrip("-"), by_letters, n=1, cutoff=0.6)
    return f"; did you mean {by_letters[found[0]]}?" if found else ""


def complaint(error: parser.CycloptsError) -> str:
    """One sentence for people."""
    command = " ".join(("arena", *(error.command_chain or ())))
    unused = list(error.unused_tokens or ())
    match error:
        case parser.UnknownOptionError():
            option = (error.token.keyword or error.token.value).split("=", 1)[0]
            names = [name for argument in error.argument_collection for name in argument.names]
            if option in names:
                return f"{option} stands behind --, where there are no options any more; put it before that"
            return f"{command} has no option {option}" + (
                near(option, names) or f"; {command} --help lists the options"
            )
        case parser.UnknownCommandError() if unused:
            word = unused[0]
            names = [name for name in error.app or () if not name.startswith("-")]
            if word.startswith("-"):
                return f"{word} stands before any command; say which first: {', '.join(names)}"
            return f"there is no command {word!r}" + (near(word, names) or f"; there are {', '.join(names)}")
        case parser.UnusedCliTokensError() if unused:
            what = f"{command} does not know what to do with {' '.join(map(repr, unused[:3]))}"
            if command == "arena run":
                return f"{what}; paths of bots follow --bots: {typed('run', '--bots', unused[0])} ..."
            return f"{what}; {command} --help shows what it takes"
        case parser.RepeatArgumentError():
            return f"{error.token.keyword} was given twice; give it once"
        case parser.MissingArgumentError() if error.argument is not None:
            name = error.keyword or error.argument.name
            if name.startswith("-"):
                return f"{name} needs a value after it (one that begins with a dash is written {name}=VALUE)"
            meaning = _meaning(error.argument.parameter.help)
            words = _EXAMPLES.get(command.removeprefix("arena "))
            mend = f"{command} --help says more" if words is None else f"for example: {command} {words}"
            return f"{command} needs {name}{meaning}; {mend}"
        case parser.CoercionError() if error.token is not None and error.argument is not None:
            name = error.token.keyword or error.argument.name
            if error.target_type is bool:
                return f"{name} is a switch and takes no value"
            return f"{name} cannot be {error.token.value!r}"
    return " ".join(str(error).split())


def _meaning(text: str | None) -> str:
    """The help of an argument, in brackets behind its name."""
    return f" ({text[0].lower()}{text[1:].rstrip('.')})" if text else ""
