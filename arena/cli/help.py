"""How --help looks: names in one column, what they mean in another, on any terminal and in a file."""

import inspect
import io
import textwrap
from collections.abc import Callable
from typing import Any, Final

from rich.console import Console

WIDEST: Final = 100
_NAMES: Final = 26
"""Columns of the names; a longer name has a line of its own."""
_UNWRAPPED: Final = 10_000


def usage_of(name: str, command: Callable[..., int]) -> str:
    """How a command is called, each argument by its name: the parser's own line has [ARGS] for some."""
    words = ["arena", name]
    arguments = []
    for one in inspect.signature(command).parameters.values():
        given = [name for about in getattr(one.annotation, "__metadata__", ()) for name in about.name or ()]
        label = (given or [one.name])[0].upper()
        if one.kind is one.VAR_POSITIONAL:
            arguments.append(f"{label}...")
        elif one.kind is one.POSITIONAL_ONLY:
            arguments.append(label if one.default is one.empty else f"[{label}]")
        elif "[OPTIONS]" not in words:
            words.append("[OPTIONS]")
    return " ".join([*words, *arguments])


class Aligned:
    """A help formatter of the parser. `console` is its rich console, `panel` a group of entries."""

    def __call__(self, console: Any, options: Any, panel: Any) -> None:
        """Write one group: its title, and a line or more for each entry."""
        lines = []
        for entry in panel.entries:
            names = ", ".join(entry.display_labels_with_metavar or entry.all_options)
            meaning = _plain(entry.description)
            if entry.default is not None:
                meaning = f"{meaning} [default: {entry.default}]"
            lines += _entry(names, meaning, _width(console))
        if lines:
            _write(console, "\n".join([f"{panel.title}:", *lines, ""]))

    def render_usage(self, console: Any, options: Any, usage: Any) -> None:
        """Write the line that shows how the command is called."""
        words = _plain(usage).removeprefix("Usage:").strip()
        if words:
            _write(console, f"Usage: {words}\n")

    def render_description(self, console: Any, options: Any, description: Any) -> None:
        """Write what the command does, a paragraph at a time."""
        paragraphs = [" ".join(text.split()) for text in _plain(description).split("\n\n")]
        for text in filter(None, paragraphs):
            _write(console, textwrap.fill(text, _width(console)) + "\n")


def _entry(names: str, meaning: str, width: int) -> list[str]:
    room = max(20, width - _NAMES - 2)
    wrapped = textwrap.wrap(meaning, room) or [""]
    first = f"  {names:<{_NAMES - 2}}"
    if len(first) > _NAMES:
        return [first, *(" " * (_NAMES + 2) + line for line in wrapped)]
    return [f"{first}  {wrapped[0]}".rstrip(), *(" " * (_NAMES + 2) + line for line in wrapped[1:])]


def _plain(text: Any) -> str:
    """What the parser hands over is a string or something rich can print; either as text, not wrapped."""
    if text is None or isinstance(text, str):
        return text or ""
    paper = Console(file=io.StringIO(), width=_UNWRAPPED, highlight=False, markup=False, no_color=True)
    with paper.capture() as captured:
        paper.print(text, end="")
    return "\n".join(line.rstrip() for line in captured.get().split("\n")).strip()


def _width(console: Any) -> int:
    return min(int(console.width), WIDEST) - 1


def _write(console: Any, text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)
