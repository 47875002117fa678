"""A series of `arena play`, with a guest and without: what no such file can say is found and named."""

import re
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
import trio
from small_tournaments import contestant, header_for
from tampering import WHOLE, in_json, opened, put
from tampering_edits import set_in
from verify_files import SHORT, verified

from arena.cheat.events import Event
from arena.protocol.messages import ChallengeReply, Hello, HelloReply, PlayReply, PlayRequest
from arena.referee.ask import Ask
from arena.referee.block import Contestant, GameResult
from arena.referee.ids import Ids
from arena.referee.machine import open_machine
from arena.tournament.header import BotRow
from arena.tournament.series import Hearers, Series, play_series
from arena.tournament.store import Store

SEED = bytes(range(16))


class Guest:
    """A seat whose holder lays the first card as the first rank that may be claimed, and calls nothing."""

    pace = 0.0
    trouble = None

    def __init__(self) -> None:
        self.ids = Ids(SEED)

    def tell(self, line: bytes) -> None:
        """Nothing of it is read."""

    def begin(self, ask: Ask) -> None:
        ask.stamp_send()
        reply: HelloReply | PlayReply | ChallengeReply = ChallengeReply(False)
        if ask.kind == "hello":
            assert msgspec.json.decode(ask.line, type=Hello)
            reply = HelloReply()
        elif ask.kind == "play":
            request = msgspec.json.decode(ask.line, type=PlayRequest)
            reply = PlayReply(cards=request.hand[:1], rank=request.ranks[0], count=1)
        ask.finish(time.perf_counter(), reply)

    def expire(self, ask: Ask, now: float) -> None:
        raise AssertionError("it answers at once")

    def new_game(self, purpose: str) -> None:
        self.ids.begin(purpose)

    def last_words(self) -> bytes:
        return b""


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Two games of three bots, and two of two bots with a guest between them."""
    folder = tmp_path_factory.mktemp("series")
    make = contestant.__wrapped__(folder)  # type: ignore[attr-defined]
    bots = [make("one"), make("two"), make("three")]
    found = {"bots": folder / "bots.db", "guest": folder / "guest.db"}
    played(found["bots"], bots, None)
    played(found["guest"], [bots[0], Contestant("human", (), "", ""), bots[2]], 1)
    return found


def played(path: Path, players: list[Contestant], person: int | None) -> None:
    rows = [
        BotRow(name=one.name, digest=one.digest, command=" ".join(one.argv) or one.name) for one in players
    ]
    usual = {"schedule": "series", "fresh": True, "bench": 0, "games_per_block": 1, "blocks": 2}
    header = header_for(**usual, seats=3, rules=SHORT, seed=SEED.hex(), person=person)
    guests = {} if person is None else {person: Guest()}
    told = Series(terms=header.terms, contestants=players, games=2, guests=guests)

    async def after(number: int, game: GameResult) -> None:
        return

    def hear(*heard: int | tuple[int, ...] | Event) -> None:
        return

    async def main() -> None:
        async with open_machine() as machine:
            await play_series(told, store, machine, Hearers(game=hear, event=hear, played=after))

    with Store.create(path, header, rows) as store:
        trio.run(main)


def in_header(**changes: object) -> Callable[..., None]:
    return in_json("tournament", "value", "key = 'header'", lambda header: header.update(changes))  # type: ignore[attr-defined]


ENDED = {"by": "left", "planned": None}
FORGED = {
    # name: (file, change, where and field it is named by)
    "another is the person": ("guest", in_header(person=0), "header: person: .* 0, re-judged 1"),
    "nobody is the person": ("guest", in_header(person=None), "header: person: "),
    "a bot is the person": ("bots", in_header(person=0), "header: person: "),
    "the person is no player": ("guest", in_header(person=3), "header: person: "),
    "a digest for the person": (
        "guest",
        put("bots", "content", "1" * 64, "number = 1"),
        "header: person: ",
    ),
    "a command for the person": (
        "guest",
        put("bots", "command", "./x", "number = 1"),
        "bot 1: command: ",
    ),
    "a version for the person": ("guest", put("bots", "version", "2", "number = 1"), "bot 1: version: "),
    "an author for the person": ("guest", put("bots", "author", "x", "number = 1"), "bot 1: author: "),
    "what the person said": ("guest", put("bots", "said", "x", "number = 1"), "bot 1: said: "),
    "a bot without a digest": ("guest", put("bots", "content", "", "number = 0"), "bot 0: content: "),
    "no digest where nobody is a person": (
        "bots",
        put("bots", "content", "", "number = 0"),
        "header: person: ",
    ),
    "a guest's game that began again": (
        "guest",
        put("blocks", "voided", "[0]", "number = 0"),
        "block 0: voided: ",
    ),
    "benching": ("bots", in_header(bench=5), "header: bench: "),
    "standing processes": ("bots", in_header(fresh=False), "header: fresh: "),
    "a precision": ("bots", in_header(precision=5.0), "header: precision: "),
    "a time": ("bots", in_header(time=5.0), "header: time: "),
    "challengers": ("bots", in_header(challengers=[0]), "header: challengers: "),
    "no end of a complete file": ("bots", in_header(ended=None), "header: ended: "),
    "left, but nothing was left": ("bots", in_header(ended=ENDED), "header: ended: planned: "),
    "a clock of nobody": ("bots", in_header(person_timed=True), "header: person_timed: "),
}


@pytest.mark.parametrize("name", FORGED)
def test_what_no_series_can_say_is_found_whatever_care_was_taken(
    series: Mapping[str, Path], tmp_path: Path, name: str
) -> None:
    file, change, named = FORGED[name]
    path = Path(shutil.copy(series[file], tmp_path / "forged.db"))
    with opened(path, WHOLE) as database:
        change(database)
    lines = [str(found) for found in verified(path).differences]
    assert any(re.match(named, line) for line in lines), lines


def test_a_series_with_and_without_a_guest_is_verified(series: Mapping[str, Path]) -> None:
    assert {name: verified(path).differences for name, path in series.items()} == {"bots": (), "guest": ()}


def test_a_game_of_bots_may_have_begun_again_and_bots_may_run_as_root(
    series: Mapping[str, Path], tmp_path: Path
) -> None:
    path = Path(shutil.copy(series["bots"], tmp_path / "again.db"))
    with opened(path, WHOLE) as database:
        put("blocks", "voided", "[0]", "number = 0")(database)
        in_json("tournament", "value", "key = 'header'", set_in("root_bots", True))(database)
    assert verified(path).differences == ()


def test_a_person_of_a_tournament_is_found_out(copy: Callable[[str], Path]) -> None:
    path = copy("table")
    with opened(path, WHOLE) as database:
        in_header(person_timed=True)(database)
    assert [str(found) for found in verified(path).differences] == [
        "header: person_timed: recorded true, re-judged false"
    ]
