"""From a results file to the ratings: every counted game once, how the bots played, and soon enough."""

import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from made_up_blocks import made_up, renumbered
from small_tournaments import header_for

from arena.cheat.events import Dealt, Ended, Event, Out, Played, Resolved
from arena.cheat.presets import preset
from arena.referee.block import Block, BlockResult
from arena.tournament.conduct import Conduct, conduct_of
from arena.tournament.header import BotRow
from arena.tournament.schedule import Course
from arena.tournament.standings import findings_of, standings_of, tally_of
from arena.tournament.store import Store, StoreError
from arena.tournament.windows import challenges_of, windows_of

BOTS = [BotRow(name=name, digest="", command="") for name in ("a", "b", "c", "d", "e")]


def blocks(count: int) -> list[BlockResult]:
    course = Course(bytes(16), 5, 4, 4)
    return [made_up(course.next(), faulted=(3,) if number % 2 else ()) for number in range(count)]


def test_the_results_are_the_games_that_count(tmp_path: Path) -> None:
    played = blocks(5)
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in played:
            store.add(result)
        store.add(renumbered(played[0], 40))
        results = tally_of(store).results
        games = [(result.block.number, game) for result in played for game in result.games]
        assert results.seating.tolist() == [list(game.seating) for _, game in games]
        assert results.places.tolist() == [list(game.record.places) for _, game in games]
        assert results.winner.tolist() == [
            -1 if game.record.winner is None else game.record.winner for _, game in games
        ]
        assert results.block.tolist() == [number for number, _ in games]
        assert results.bots == 5
        assert not results.full_order


def test_only_games_played_on_until_all_are_placed_say_who_came_second(tmp_path: Path) -> None:
    header = header_for(rules=preset("play-on"))
    assert header.rules.play_on
    with Store.create(tmp_path / "a.db", header, BOTS) as store:
        assert tally_of(store).results.full_order


def test_faults_forfeits_and_requests_are_counted_by_bot(tmp_path: Path) -> None:
    played = blocks(4)
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in played:
            store.add(result)
        tally = tally_of(store)
    expected: Counter[int] = Counter()
    for result in played:
        for game in result.games:
            expected.update(game.seating[fault.seat] for fault in game.faults)
    assert set(expected) == {3}
    assert list(tally.faults) == [expected[bot] for bot in range(5)]
    assert tally.requests == 400
    assert list(tally.forfeits) == [0] * 5


def test_the_table_has_a_row_a_bot_with_faults_and_conduct(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in blocks(10):
            store.add(result)
        _, table = standings_of(store, notes=["a note"])
        assert sorted(table.values("bot")) == ["a", "b", "c", "d", "e"]
        faults = dict(zip(table.values("bot"), table.values("faults"), strict=True))
        assert faults.pop("d") > 0
        assert set(faults.values()) == {0}
        for key in ("lie_percent", "caught_percent", "call_percent", "right_percent"):
            assert all(value is None or 0 <= value <= 100 for value in table.values(key))
        assert table.notes[-1] == "a note"


def test_no_games_at_all_is_a_table(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        assert tally_of(store).results.games == 0
        assert len(standings_of(store)[1].rows) == 5


@pytest.mark.parametrize(
    "column", ["seats = '[0,1'", "places = '[]'", "conduct = 'x'", "seats = '[0,1,2,99]'"]
)
def test_a_damaged_row_is_a_store_error(tmp_path: Path, column: str) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in blocks(2):
            store.add(result)
        store._file.run(f"UPDATE games SET {column} WHERE rowid = 3")
        with pytest.raises(StoreError, match="damaged"):
            tally_of(store)


# How seats behave.


def played(seat: int, cards: tuple[str, ...], rank: str, count: int | None = None) -> Played:
    return Played(1, seat, cards, rank, len(cards) if count is None else count)


def resolved(claimant: int, *callers: int) -> Resolved:
    return Resolved(1, claimant, "A", 1, callers, callers[0] if callers else None, (), None, None, ())


def test_lies_and_calls_of_a_short_game_counted_by_hand() -> None:
    events: list[Event] = [
        Dealt(((), (), ())),
        *(played(0, ("AC", "AD"), "A"), resolved(0)),  # true, nobody called
        *(played(1, ("3C",), "2"), resolved(1, 2, 0)),  # a lie, called by both
        *(played(2, ("3D",), "3"), resolved(2, 0)),  # true, called by 0
        *(played(0, ("4C", "5C"), "4"), resolved(0)),  # half a lie is one; nobody called
        Out(4, 1, None, True, ()),
        *(played(2, ("5D",), "5", 2), resolved(2, 0)),  # true cards, another count: a lie, called
        *(played(0, ("6D",), "6"), resolved(0)),
        Out(6, 0, 1, False, ()),
        Ended(6, (1, 3, 2), 0, "won"),
    ]
    assert conduct_of(events, 3) == (
        Conduct(plays=3, lies=1, caught=0, asked=3, calls=3, right=2),
        Conduct(plays=1, lies=1, caught=1, asked=3, calls=0, right=0),
        Conduct(plays=2, lies=1, caught=1, asked=4, calls=1, right=1),
    )


def test_in_every_window_each_active_seat_plays_or_is_asked() -> None:
    for number in range(12):
        result = made_up(Block(number, ((0, 1, 2, 3),)), faulted=(2,) if number % 3 == 0 else ())
        game = result.games[0]
        conduct = conduct_of(game.events, 4)
        windows = sum(isinstance(event, Played) for event in game.events)
        stayed = [seat for seat in range(4) if not (number % 3 == 0 and seat == 2)]
        assert sum(one.plays for one in conduct) == windows
        assert all(conduct[seat].plays + conduct[seat].asked == windows for seat in stayed)
        assert all(
            one.right <= one.calls <= one.asked and one.caught <= one.lies <= one.plays for one in conduct
        )
        called = [event for event in game.events if isinstance(event, Resolved) and event.callers]
        assert sum(one.caught for one in conduct) == sum(event.true is False for event in called)


# Who challenged whom.


def test_the_windows_of_a_short_game_noted_by_hand() -> None:
    events: list[Event] = [
        Dealt((("AC", "AD", "6D"), ("3C", "3H"), ("3D", "5D", "5S", "5H", "5C", "KD"))),
        *(played(0, ("AC", "AD"), "A"), resolved(0)),  # two true cards of three: kind 1
        *(played(1, ("3C",), "2"), resolved(1, 2, 0)),  # one card, a lie: kind 8
        *(
            played(2, ("5C", "5D", "5H", "5S", "KD"), "5"),
            resolved(2, 0),
        ),  # more than four, a lie: kind 8 + 3
        *(played(0, ("6D",), "6"), resolved(0)),  # the last card, true: kind 4
        Out(6, 0, 1, False, ()),
        *(played(1, ("3H",), "2"), Resolved(7, 1, "2", 1, (2,), 2, ("3H",), False, 1, ("3H", "6D"))),
        *(played(1, ("3H",), "7"), resolved(1)),  # it has taken two cards, so this is not its last
    ]
    words = ("01006000", "18005005", "2b003001", "04006000", "1c004004", "18004000")
    assert windows_of(events) == "".join(words)


def test_windows_and_conduct_count_the_same(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in blocks(5):
            store.add(result)
        tally = tally_of(store)
        given = challenges_of(tally.results, tally.windows)
    for bot, conduct in enumerate(tally.conduct):
        assert given.asked[given.challenger == bot].sum() == conduct.asked
        assert given.called[given.challenger == bot].sum() == conduct.calls
        assert given.called[(given.challenger == bot) & (given.kind >= 8)].sum() == conduct.right
    rows = np.stack([given.block, given.challenger, given.claimant, given.kind])
    assert len(np.unique(rows, axis=1).T) == len(rows.T)


def test_windows_are_counted_in_parts_of_whole_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in blocks(5):
            store.add(result)
        tally = tally_of(store)
    whole = challenges_of(tally.results, tally.windows)
    monkeypatch.setattr("arena.tournament.windows.WINDOWS_AT_A_TIME", 50)
    parts = challenges_of(tally.results, tally.windows)
    for name in ("block", "challenger", "claimant", "kind", "asked", "called"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()


@pytest.mark.parametrize(
    "text", ["0100600", "0100600g", "51006000", "01016000", "01004002", "010 06000 1006000", "0100600\u0660"]
)
def test_windows_that_no_game_of_these_tables_has_are_damage(tmp_path: Path, text: str) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        for result in blocks(2):
            store.add(result)
        ratings, _ = standings_of(store)
        findings_of(store, tally_of(store), ratings)
        store._file.run("UPDATE games SET windows = ? WHERE rowid = 3", (text,))
        with pytest.raises(StoreError, match="damaged"):
            findings_of(store, tally_of(store), ratings)


def test_a_file_without_games_has_nothing_to_tell(tmp_path: Path) -> None:
    with Store.create(tmp_path / "a.db", header_for(), BOTS) as store:
        assert findings_of(store, tally_of(store), standings_of(store)[0]) == ()


# Soon enough.


def test_ten_thousand_games_are_read_without_their_logs(tmp_path: Path) -> None:
    store = Store.create(tmp_path / "a.db", header_for(blocks=2500), BOTS)
    one = blocks(1)[0]
    store.pass_point(1 << 20)
    store.add(one)
    with store._file.writing():
        (block, _), *_ = store.rows("blocks")
        games = [values for values, _ in store.rows("games")]
        for number in range(1, 2500):
            store._file.run(
                "INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')", [number, *block[1:]]
            )
            for place, row in enumerate(games):
                words = [f"{number}-{place}", number, *row[2:], ""]
                store._file.run(f"INSERT INTO games VALUES ({', '.join('?' * len(words))})", words)
    began = time.process_time()
    tally = tally_of(store)
    took = time.process_time() - began
    store.close()
    assert tally.results.games == 10_000
    assert np.bincount(tally.results.block).tolist() == [4] * 2500
    # Measured: 0.05 s of processor time; unpacking the logs takes 5 s.
    assert took < 1
