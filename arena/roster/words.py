"""Commands as words: splitting a line that no shell will run, and what a misspelt name may have meant."""

import difflib
import shlex
from collections.abc import Iterable
from typing import Final

from arena.errors import BadInput
from arena.protocol.escape import escape

_OPERATORS: Final = frozenset("();<>|&")
_LONGEST_SHOWN: Final = 200


def shown(text: str) -> str:
    """A path or a word, safe to stand in a message."""
    return escape(text, _LONGEST_SHOWN)


def near(word: str, names: Iterable[str]) -> str:
    """`; did you mean NAME?` where a name is close to the word (best: differs in case only), else nothing."""
    candidates = sorted(names)
    same = [name for name in candidates if name.casefold() == word.casefold() and name != word]
    close = same or difflib.get_close_matches(word, candidates, n=1, cutoff=0.6)
    return f"; did you mean {shown(close[0])}?" if close else ""


def split_words(text: str, what: str) -> tuple[str, ...]:
    """The words of a command line, quotes as in a shell. `what` names the line in messages.

    Raises BadInput for an open quote, for no word at all, and for shell operators: no shell runs the line.
    """
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise BadInput(f"{what} cannot be split into words ({str(error).lower()}): {shown(text)}") from None
    operator = next((character for character in _unquoted(text) if character in _OPERATORS), None)
    if operator:
        raise BadInput(
            f"{what} is not run by a shell, so its {operator!r} means nothing: {shown(text)}; "
            "quote it, or write sh -c '...'"
        )
    return checked_words(words, what)


def checked_words(words: Iterable[str], what: str) -> tuple[str, ...]:
    """The words as they are. Raises BadInput where there is none, the first is empty or one holds a NUL."""
    checked = tuple(words)
    if not checked or not checked[0].strip():
        raise BadInput(f"{what} is empty; it must name a program")
    if any("\0" in word for word in checked):
        raise BadInput(f"{what} holds a NUL character, which no program can be given; take it out")
    return checked


def _unquoted(text: str) -> Iterable[str]:
    """The characters that a shell would read as its own: outside quotes, not after a backslash."""
    quote, escaped = "", False
    for character in text:
        if escaped:
            escaped = False
        elif character == "\\" and quote != "'":
            escaped = True
        elif quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        else:
            yield character
