"""What a run is asked for that is not what its results file says: compared, and told."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.cli.durations import duration
from arena.cli.options import RunOptions
from arena.cli.rules import chosen_rules
from arena.cli.shown import safe
from arena.roster.content import shortened
from arena.tournament.changes import CHANGEABLE, CONTENT, Altered

if TYPE_CHECKING:
    from arena.tournament.header import BotRow, Header
    from arena.tournament.whereabouts import Whereabouts

_TIMES: Final = frozenset(("start_time", "move_time", "bank"))


@dataclass(frozen=True)
class Other:
    """One option that is not what it was."""

    option: str
    """As it is typed."""
    was_and_is: tuple[tuple[str, str], ...] = ()
    """Old and new for people; more than one pair where the option sets more than one thing."""
    words: str = ""
    """Where there are no such pairs."""
    altered: Altered | None = None
    """How the file tells it; None: it cannot change within one tournament."""

    def __str__(self) -> str:
        pairs = ", ".join(f"{old} -> {new}" for old, new in self.was_and_is)
        return f"{self.option} {self.words or pairs}"

    def beside(self, one: str, other: str) -> str:
        """The same where neither takes the place of the other: what stands in one, and what in the other."""
        if not self.was_and_is:
            return str(self)
        had = ", ".join(old for old, _ in self.was_and_is)
        says = ", ".join(new for _, new in self.was_and_is)
        return f"{one} has {self.option} {had}, {other} says {says}"


def differing(header: "Header", options: RunOptions) -> list[Other]:
    """The options given whose values are not those of the file. Raises BadInput for one that has no sense."""
    return [*_settled(header, options), *_changeable(header, options)]


def bots_differing(found: "Sequence[Whereabouts]") -> list[Other]:
    """The bots that are not what they were."""
    others = []
    for number, one in enumerate(found):
        if not one.same:
            old = one.bot.digest or None
            new = one.entrant.digest if one.entrant is not None else None
            words = f"content {shortened(old or '')} -> {shortened(new or '')}"
            if one.entrant is None:
                words = f"missing ({safe(one.reason, 300)})"
            elif one.entrant.command != one.bot.command:
                words += f" ({safe(one.entrant.command, 200)})"
            altered = Altered(option=CONTENT, bot=number, old=old, new=new)
            others.append(Other(f"bot {safe(one.bot.name)}:", words=words, altered=altered))
    return others


def in_words(altered: Altered, bots: "Sequence[BotRow]") -> str:
    """A recorded change, for people."""
    if altered.option != CONTENT:
        option = CHANGEABLE.get(altered.option, safe(altered.option))
        return f"{option} {_value(altered.option, altered.old)} -> {_value(altered.option, altered.new)}"
    named = altered.bot is not None and 0 <= altered.bot < len(bots)
    name = safe(bots[altered.bot].name) if named and altered.bot is not None else "a bot"
    if altered.new is None:
        return f"{name} is missing"
    return f"{name}: content {shortened(str(altered.old or ''))} -> {shortened(str(altered.new))}"


def _settled(header: "Header", options: RunOptions) -> Iterator[Other]:
    """What makes a tournament the one it is."""
    if options.rules is not None and (rules := chosen_rules(options.rules)) != header.rules:
        old, new = msgspec.to_builtins(header.rules), msgspec.to_builtins(rules)
        knobs = [knob for knob in old if old[knob] != new[knob]]
        pairs = tuple((f"{knob} {_plain(old[knob])}", _plain(new[knob])) for knob in knobs)
        yield Other("--rules", pairs)
    if options.seed is not None:
        from arena.cli.seeds import seed_of

        if seed_of(options.seed).hex() != header.seed:
            yield Other("--seed", words="is another")
    if options.part is not None:
        from arena.tournament.part import Part

        part = Part.of_text(options.part, 0)
        own = "none" if header.part is None else str(header.part)
        if str(part) != own:
            yield Other("--part", ((own, str(part)),))
    bench = header.bench if header.part is None else header.part.bench
    for option, old_value, new_value in (
        ("--seats", header.seats, options.seats),
        ("--games-per-block", header.games_per_block, options.games_per_block),
        ("--format", header.schedule, options.format),
        ("--bench", bench, options.bench),
    ):
        if new_value is not None and new_value != old_value:
            yield Other(option, ((str(old_value), safe(str(new_value))),))


def _changeable(header: "Header", options: RunOptions) -> Iterator[Other]:
    for field, option in CHANGEABLE.items():
        old = getattr(header, field)
        new = getattr(options, "sandbox" if field == "tier" else field)
        # `auto` took what the file says, and takes it again.
        if new is None or new == old or (field == "tier" and new == "auto"):
            continue
        pair = (_value(field, old), _value(field, new))
        yield Other(option, (pair,), altered=Altered(option=field, old=old, new=new))


def _value(field: str, value: Any) -> str:
    if field in _TIMES and isinstance(value, int | float):
        return duration(value)
    return _plain(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else safe(str(value))
