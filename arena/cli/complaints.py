"""The parser's errors in one sentence, as every other error is: the thing, the rule, the mend."""

import difflib
from collections.abc import Iterable

from cyclopts import exceptions as parser

from arena.cli.typed import command as typed


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
            return f"{command} needs {name}; {command} --help shows what that is"
        case parser.CoercionError() if error.token is not None and error.argument is not None:
            name = error.token.keyword or error.argument.name
            if error.target_type is bool:
                return f"{name} is a switch and takes no value"
            return f"{name} cannot be {error.token.value!r}"
    return " ".join(str(error).split())
