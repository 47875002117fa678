"""protocol.md as tests see it: its marked blocks, the tables it must hold, the game its examples are from."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protocol_games import Request, Scene

from arena.cheat.actions import Answers, Fault, Pass, Play
from arena.cheat.deal import bot_seed, deal_key, game_id, seed_bytes
from arena.cheat.game import Phase
from arena.cheat.presets import PRESETS
from arena.protocol.decode import decode_reply
from arena.protocol.faults import Violation
from arena.protocol.messages import ChallengeReply, HelloReply, PlayReply
from arena.protocol.schema import schema

DOCUMENT = Path(__file__).parents[2] / "protocol.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Block:
    """A fenced block: what its first fence says (`json to-bot`), and what stands in it."""

    language: str
    mark: str
    text: str


def blocks(mark: str | None = None) -> list[Block]:
    """The fenced blocks of the document that are marked so."""
    found = re.findall(r"^```(\w*) ?([\w-]*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return [Block(*parts) for parts in found if mark is None or parts[1] == mark]


def block(mark: str) -> str:
    """What stands in the one block that is marked so."""
    (only,) = blocks(mark)
    return only.text


# The tables of fields, as the schema gives them.


def field_table(line: Mapping[str, Any], heading: str = "field") -> str:
    """The table of the fields of one line."""
    rows = [f"| {heading} | type and range | meaning |", "|---|---|---|"]
    for name, field in line["properties"].items():
        absent = "" if name in line["required"] else "; may be left out"
        rows.append(f"| `{name}` | {kind_of(field)}{absent} | {meaning_of(name, field)} |")
    return "\n".join(rows) + "\n"


def meaning_of(name: str, field: Mapping[str, Any]) -> str:
    """The last column."""
    if name == "type":
        return "which line this is"
    return field["description"].removesuffix(".").replace("|", "\\|")


def kind_of(field: Mapping[str, Any]) -> str:
    """The type and the range of a field, for people."""
    if "anyOf" in field:
        return f"{kind_of(field['anyOf'][0])}, or null"
    if "$ref" in field:
        return field["$ref"].rpartition("/")[2].replace("_", " ")
    if "const" in field:
        return f"`{json.dumps(field['const'])}`"
    if "enum" in field:
        return "one of " + ", ".join(f"`{json.dumps(value)}`" for value in field["enum"])
    types = field["type"] if isinstance(field["type"], list) else [field["type"]]
    return _plain(types[0], field) + (", or null" if "null" in types else "")


def _plain(type: str, field: Mapping[str, Any]) -> str:
    if type == "integer":
        if field["minimum"] == -(2**53):
            return "integer"
        top = "2^53 - 1" if field["maximum"] == 2**53 - 1 else field["maximum"]
        return f"integer {field['minimum']} to {top}"
    if type == "number":
        return "number above 0" if "exclusiveMinimum" in field else "number, 0 or more"
    if type == "boolean":
        return "true or false"
    if type == "array":
        what = kind_of(field["items"])
        if "minItems" in field:
            return f"list of {field['minItems']} to {field['maxItems']}: {what}"
        return f"list: {what}"
    if type == "string":
        return _string(field)
    return "object, see below"


def _string(field: Mapping[str, Any]) -> str:
    if field.get("pattern") == "^[0-9a-f]{16}$":
        return "string of 16 hexadecimal digits"
    if "maxLength" in field:
        return f"string of {field['minLength']} to {field['maxLength']} characters"
    return "string"


def tables() -> Iterator[tuple[str, str]]:
    """Every table of fields the document must hold, with the line it belongs to."""
    definitions = schema()["$defs"]
    for group in ("to_bot", "from_bot"):
        for type, line in definitions[group]["$defs"].items():
            if len(line["properties"]) > 1:
                yield f"{group} {type}", field_table(line)
    hello = definitions["to_bot"]["$defs"]["hello"]["properties"]
    yield "limits", field_table(hello["limits"])
    yield "rules", field_table(hello["rules"], "knob")


# The game of the examples: three copies of the document's own bot, and one seat played by hand.


class Program:
    """The bot of the document as a process."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", block("bot")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )

    def answer(self, lines: bytes) -> bytes:
        """Send these lines, the last of which is a request; its answer without the newline."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(lines)
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self._process.stdout.read(1) or b"\n"
        return answer.removesuffix(b"\n")

    def end(self, lines: bytes) -> int:
        """Send the last lines, close its stdin, and see how it ends."""
        rest, _ = self._process.communicate(lines, timeout=30)
        assert rest == b""
        return self._process.returncode


class ByHand:
    """The seat that shows what the program does not do: every field there is, a pass, and a fault."""

    def __init__(self) -> None:
        self._turns = 0

    def answer(self, lines: bytes) -> bytes:
        ask = json.loads(lines.splitlines()[-1])
        answer = {"id": ask["id"]}
        if ask["type"] == "hello":
            answer |= {"name": "By Hand", "version": "1.0", "author": "N. N."}
        elif ask["type"] == "challenge":
            answer |= {"challenge": False}
        else:
            self._turns += 1
            if self._turns == 2:
                answer |= {"pass": True}
            elif self._turns == 4:
                return str(answer | {"cards": ask["hand"][:1]}).encode()
            else:
                answer |= {"cards": ask["hand"][:1], "rank": ask["ranks"][0], "count": 1, "debug": "why not"}
        return json.dumps(answer).encode()

    def end(self, lines: bytes) -> int:
        return 0


@dataclass
class DocumentGame:
    """All that was said in the game of the examples."""

    to_bots: set[bytes]
    answers: set[bytes]
    violation: Violation
    exit_codes: list[int]


def play_document_game() -> DocumentGame:
    """Seed 00..00, block 0, game 0, four seats, `british-pass`: always the same game."""
    seed, seats = seed_bytes("0" * 32), 4
    scene = Scene(
        PRESETS["british-pass"],
        seats,
        deal_key(seed, 0, 0),
        game=game_id(seed, 0, 0),
        seeds=tuple(bot_seed(seed, 0, 0, seat) for seat in range(seats)),
    )
    told = scene.played.told
    players = [Program(), Program(), Program(), ByHand()]
    sent = [1] * seats
    said = DocumentGame(set(), set(), Violation("illegal", ""), [])
    given: set[str] = set()

    def answer(request: Request) -> HelloReply | PlayReply | ChallengeReply | Violation:
        lines = told[request.seat]
        start = 0 if request.kind == "hello" else sent[request.seat]
        end = 1 if request.kind == "hello" else len(lines)
        sent[request.seat] = end
        request.answer = players[request.seat].answer(b"".join(lines[start:end]))
        said.answers.add(request.answer)
        given.add(request.id)
        return decode_reply(request.answer, request.kind, request.id, given)

    for request in list(scene.played.requests):
        assert isinstance(answer(request), HelloReply)
    game = scene.game
    while game.phase is not Phase.OVER:
        if game.phase is Phase.PLAY:
            reply = answer(scene.ask_play())
            seat = game.seat_to_play
            if isinstance(reply, Violation):
                said.violation = reply
                scene.apply(Fault((seat,)))
                continue
            assert isinstance(reply, PlayReply)
            if reply.passing:
                scene.apply(Pass(seat))
                continue
            rank, count = reply.rank or game.legal_ranks[0], reply.count or len(reply.cards)
            scene.apply(Play(seat, reply.cards, rank, count))
            continue
        replies = {seat: answer(scene.ask_challenge(seat)) for seat in game.asked}
        assert all(isinstance(reply, ChallengeReply) for reply in replies.values())
        callers = [seat for seat, reply in replies.items() if getattr(reply, "challenge", False)]
        scene.apply(Answers(tuple(callers)))
    scene.end()
    for seat, player in enumerate(players):
        said.exit_codes.append(player.end(b"".join(told[seat][sent[seat] :])))
    said.to_bots = {line.removesuffix(b"\n") for lines in told for line in lines}
    return said
