"""Who sits at the table of `arena play`: bots in the order given, a person where the word `human` stands."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import msgspec

from arena.cheat.rules import Rules
from arena.cli.shown import counted, safe
from arena.cli.typed import command
from arena.errors import BadInput
from arena.roster.discovery import find_bots, is_command
from arena.roster.entrant import Entrant, Roster
from arena.tournament.header import GUEST

HUMAN: Final = GUEST


@dataclass(frozen=True, slots=True)
class Seated:
    """The players of a series, clockwise."""

    roster: Roster
    """The bots, each with a name that no other player has."""
    person: int | None
    """The number of the person among the players; None: bots alone."""

    @property
    def names(self) -> tuple[str, ...]:
        """By number."""
        names = [bot.name for bot in self.roster.entrants]
        if self.person is not None:
            names.insert(self.person, HUMAN)
        return tuple(names)


def seated(words: Sequence[str], rules: Rules) -> Seated:
    """The players that these words name, if the rules take so many. Raises BadInput.

    A bot that is given twice sits twice, under two names.
    """
    if words.count(HUMAN) > 1:
        raise BadInput(
            f"{HUMAN} was given {words.count(HUMAN)} times, and one terminal has one person: give it once "
            f"(a bot of that name is ./{HUMAN})"
        )
    bots: list[Entrant] = []
    notes: list[str] = []
    person: int | None = None
    for word in words:
        if word == HUMAN:
            person = len(bots)
            continue
        found = find_bots((), (word,), option="BOT") if is_command(word) else find_bots((word,))
        bots += found.entrants
        notes += [safe(note, 500) for note in found.notes]
        notes += [f"{safe(name)} sits out: {safe(reason, 500)}." for name, reason in found.sitting_out]
    players = len(bots) + (person is not None)
    try:
        rules.check_seats(players)
    except ValueError:
        most = f"{rules.min_players} to {rules.max_players} players"
        example = command("play", "bots/honest.py", "bots/closer.py", HUMAN)
        raise BadInput(
            f"{rules.name} is for {most}, and {counted(players, 'seat')} would be taken; "
            f"name bots, and {HUMAN} for yourself: {example}"
        ) from None
    return Seated(Roster(tuple(_told_apart(bots, person is not None)), tuple(notes)), person)


def _told_apart(bots: Sequence[Entrant], has_person: bool) -> list[Entrant]:
    """The bots, a number behind the name of the second of a name and of every further one."""
    count = Counter([HUMAN] if has_person else [])
    taken = {bot.name for bot in bots} | set(count)
    found = []
    for bot in bots:
        count[bot.name] += 1
        name = bot.name
        while count[bot.name] > 1 and (name := f"{bot.name[:50]}-{count[bot.name]}") in taken:
            count[bot.name] += 1
        taken.add(name)
        found.append(msgspec.structs.replace(bot, name=name))
    return found
