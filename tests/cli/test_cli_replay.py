"""`arena replay`: a game in words, as it was and as a seat saw it; a bot fed with what a seat was sent."""

import re
import shutil

import pytest
from cli_command import BOTS, QUICK, arena, inside, refused

from arena.cli.cardwords import Look
from arena.referee.sent import lines_to_seat
from arena.tournament.store import Store

CARD = re.compile(r"\b(?:10|[A2-9TJQK])[CDHS]\b")
TALKS = """
import json, sys
for line in sys.stdin:
    ask = json.loads(line)
    if "id" not in ask:
        continue
    say = {"id": ask["id"], "debug": f"secret of {sys.argv[1]}\\x1b[2J"}
    if ask["type"] == "hello":
        del say["debug"]
    if ask["type"] == "play":
        say["cards"] = [] if ask["turn"] > int(sys.argv[2]) else ask["hand"][:2]
        say["rank"] = ask["ranks"][0]
    if ask["type"] == "challenge":
        say["challenge"] = ask["turn"] % 3 == 0
    print(json.dumps(say), flush=True)
"""
LISTENS = """
import sys
with open(sys.argv[1], "xb", buffering=0) as log:
    for line in sys.stdin.buffer:
        log.write(line)
        if b'"id"' in line:
            start = line.index(b'"id":"') + 6
            id = line[start : start + 12].decode()
            print('{"id": "%s", "challenge": false, "cards": ["AS"]}' % id, flush=True)
"""


@pytest.fixture(scope="module")
def talkers(tmp_path_factory):
    """Two bots that talk, one of which goes wrong, and two that do not: a folder with the file t.db."""
    folder = tmp_path_factory.mktemp("talkers")
    for name in ("hello.py", "closer.py"):
        shutil.copy(BOTS / name, folder)
    (folder / "talks.py").write_text(TALKS)
    bots = ("--bot", "good=python3 talks.py good 999", "--bot", "bad=python3 talks.py bad 9")
    words = ("--bots", "hello.py", "closer.py", *bots, "--games", 8, "--seed", "1" * 32, "--out", "t.db")
    done = arena("run", *words, "--quiet", *QUICK, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def recorded(talkers):
    """Header, bots' names, block and games of block 1."""
    with Store.open(talkers / "t.db") as store:
        block, games = store.block(1)
        return store.header, [bot.name for bot in store.bots], block, games


def shown(folder, *words):
    done = inside("replay", folder / "t.db", *words)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_game_is_told_turn_by_turn(talkers, recorded):
    _, names, _, games = recorded
    for game in games:
        text = shown(talkers, f"1.{game.game}")
        assert shown(talkers, game.id) == text
        title, *lines = text.splitlines()
        assert title == f"Game 1.{game.game} ({game.id}), rules classic"
        for seat, hand in enumerate(game.record.hands):
            name = f"{names[game.seating[seat]]} ({seat})"
            assert re.fullmatch(rf"{re.escape(name)} +{' '.join(map(Look().card, hand))}", lines[seat])
        claims = [line for line in lines if re.match(r"Turn \d+: .* claims ", line)]
        assert len(claims) == game.record.turns
        assert all(line.endswith((": the truth", ": a lie")) for line in claims)
        (end,) = (line for line in lines if ": the game is over" in line)
        assert len(re.findall(r"\d\. \w+ \(\d\)", end)) == 4
        # Hands and pile are all cards that are in play.
        left = 52
        for line in lines:
            if match := re.search(r"(\d+) cards? (?:leaves? play|with that hand)", line):
                left -= int(match[1])
            if match := re.search(r"hands ([-\d ]+), pile (\d+)", line):
                sizes = [int(size) for size in match[1].split() if size != "-"]
                assert sum(sizes) + int(match[2]) == left
        assert text.count("says: secret of") == len(game.debug)
        assert "\x1b" not in text


def test_faults_forfeits_and_what_was_printed_are_told(talkers, recorded):
    _, names, _, games = recorded
    bad = names.index("bad")
    assert [bool(game.faults) for game in games] == [True, True, True, False]
    for game in games[:3]:
        text = shown(talkers, f"1.{game.game}")
        assert f"bad ({game.seating.index(bad)}) leaves by a fault" in text
        assert "illegal: A play lays at least one card" in text
        assert 'it printed: {"id"' in text
    seat = games[3].seating.index(bad)
    assert f"Before the first turn: bad ({seat}) is not there, and its 13 cards leave play" in shown(
        talkers, "1.3"
    )
    assert "was not there" in shown(talkers, "1.3", "--seat", seat)


def test_a_seat_s_view_holds_what_the_seat_was_sent_and_no_more(talkers, recorded):
    header, names, block, games = recorded
    for game in games[:3]:
        for seat in range(4):
            text = shown(talkers, f"1.{game.game}", "--seat", seat)
            sent = lines_to_seat(header.terms, block, games, names, game.game, seat)
            # The first write of a game holds the end of the one before it.
            known = b"".join(one.data for one in sent if one.game == game.game)
            known = known[known.index(b'{"type":"start"') :].decode()
            own = {
                card
                for play in game.events
                if getattr(play, "seat", None) == seat
                for card in getattr(play, "cards", ())
            }
            cards = {card.replace("10", "T") for card in CARD.findall(text)}
            assert cards <= set(CARD.findall(known)) | own
            others = {names[bot] for place, bot in enumerate(game.seating) if place != seat}
            assert not any(f"{name} (" in text or f"secret of {name}" in text for name in others)
            # Every turn that it was told of is there.
            turns = set(re.findall(r'"type":"outcome","turn":(\d+)', known))
            assert turns <= set(re.findall(r"Turn (\d+): .* claims", text)) | {str(game.record.turns)}


def test_a_bot_that_is_fed_its_own_game_answers_as_it_did(talkers, recorded):
    _, names, _, games = recorded
    for bot, word in (("closer", "closer.py"), ("bad", "bad=python3 talks.py bad 9")):
        done = arena("replay", "t.db", "1.2", "--feed", word, *QUICK, cwd=talkers)
        assert done.returncode == 0, done.stdout + done.stderr
        seat = games[2].seating.index(names.index(bot))
        head, *lines, end = done.stdout.splitlines()
        assert head == f"{bot} gets what {bot} in seat {seat} was sent, from its hello on"
        assert re.fullmatch(r"\d+ answers since hello, 0 of them not as recorded", end)
        asked = [timing for timing in games[2].timings if timing.seat == seat]
        assert sum("as recorded" in line for line in lines) >= len(asked)


def test_another_bot_s_answers_stand_beside_the_recorded_ones(talkers, recorded):
    _, names, _, games = recorded
    assert "say with --seat" in refused("replay", "t.db", "1.0", "--feed", str(BOTS / "liar.pl"), cwd=talkers)
    seat = games[0].seating.index(names.index("good"))
    done = arena("replay", "t.db", "1.0", "--seat", seat, "--feed", "hello.py", *QUICK, cwd=talkers)
    assert done.returncode == 3
    assert re.search(r"turn \d+ play .*lays .*   lays .* <- differs\n", done.stdout)
    assert re.search(r"\n  request: \{.*\n", done.stdout)
    assert "said (recorded): secret of good" in done.stdout
    counts = re.search(r"(\d+) answers since hello, (\d+) of them", done.stdout)
    assert int(counts[2]) == done.stdout.count("<- differs") > 0


def test_a_bot_that_breaks_shows_where_and_what_it_wrote_to_stderr(talkers, tmp_path):
    broken = tmp_path / "broken.py"
    text = (BOTS / "hello.py").read_text()
    broken.write_text(
        text.replace("if ask[", "assert ask['turn'] < 4 if 'turn' in ask else 1\n        if ask[")
    )
    done = arena("replay", "t.db", "1.0", "--seat", "0", "--feed", broken, *QUICK, cwd=talkers)
    assert done.returncode == 3
    assert "fault crash" in done.stdout
    assert "  stderr   " in done.stdout
    assert "AssertionError" in done.stdout
    assert "not asked any more" in done.stdout


def test_what_a_bot_is_fed_is_to_the_byte_what_the_seat_was_sent(talkers, recorded, tmp_path):
    header, names, block, games = recorded
    (tmp_path / "listens.py").write_text(LISTENS)
    for game, seat in ((0, 0), (2, 3)):
        log = tmp_path / f"{game}-{seat}"
        words = ("--seat", seat, "--feed", f"l=python3 {tmp_path}/listens.py {log}", *QUICK)
        arena("replay", "t.db", f"1.{game}", *words, cwd=talkers)
        sent = lines_to_seat(header.terms, block, games, names, game, seat)
        requests = b"".join(one.data for one in sent if one.asked is not None)
        # The rest, the end and goodbye, is sent with 200 ms to read it.
        whole = (
            b"".join(one.data for one in sent).removesuffix(b'{"type":"goodbye"}\n') + b'{"type":"goodbye"}\n'
        )
        assert requests == whole[: len(requests)]
        assert whole.startswith(log.read_bytes())
        assert len(log.read_bytes()) >= len(requests)


def test_nothing_was_sent_to_one_that_had_forfeited(talkers, recorded):
    _, names, _, games = recorded
    seat = games[3].seating.index(names.index("bad"))
    assert "was sent nothing" in refused(
        "replay", "t.db", "1.3", "--seat", seat, "--feed", "hello.py", cwd=talkers
    )


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (("0.0", "--seat", "4"), "the seats of this game are 0 to 3"),
        (("0.0", "--seat", "x"), "whole number"),
        (("5.0",), "no block 5"),
        (("0.0@999",), "there is no turn 999 in game 0.0: give 0 (the deal) to "),
        (
            ("0.0", "--from", "999", "--seat", "1"),
            "in game 0.0, as far as seat 1 saw it: give 0 (the deal) to ",
        ),
        (("",), "names no game"),
        (("0.0", "--feed", "nothing.py"), "nothing.py does not exist"),
        (("0.0", "--feed", "x=python3 n.py"), "the command of --feed x names n.py, which does not exist"),
        (("0.0", "--feed", "hello.py", "--sandbox", "brae"), "did you mean bare?"),
    ],
)
def test_what_cannot_be_shown_is_one_message(talkers, words, part):
    assert part in refused("replay", "t.db", *words, cwd=talkers)


def test_a_prefix_of_several_ids_names_some_of_them(talkers):
    with Store.open(talkers / "t.db") as store:
        ids = [game.id for _, game in store.games()]
    shared = [id[0] for id in ids if sum(other[0] == id[0] for other in ids) > 1]
    message = refused("replay", "t.db", shared[0], cwd=talkers)
    assert re.search(r"may be any of \d games: [0-9a-f]{16} \(\d\.\d\)", message)
