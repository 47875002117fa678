"""The JSON Schema of every line of the protocol and of the event log, with what each field means."""

from collections.abc import Mapping
from typing import Any

from arena.cheat.cards import RANKS
from arena.cheat.rules import RANGES
from arena.protocol.messages import MAX_DEBUG, MAX_INTEGER, MAX_NAME, PROTOCOL
from arena.protocol.schema_parts import (
    MOST_CARDS,
    MOST_SEATS,
    Schema,
    closed,
    if_called,
    line,
    list_of,
    places,
    reason,
    rules,
    seconds,
    switch,
    whole,
    word,
    words,
)


def schema() -> Schema:
    """A JSON Schema (2020-12) whose `$defs` hold `to_bot`, `from_bot` and `log`: each any line of its kind.

    Single lines stand in the `$defs` of these: `#/$defs/to_bot/$defs/play`, and of the answers
    `#/$defs/from_bot/$defs/play`. Lines to the bot are closed, to test a referee against; a bot must ignore
    fields it does not know. Answers are open: fields that are not named here are ignored.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"The arena protocol, version {PROTOCOL}",
        "description": "One JSON object a line, UTF-8, to a bot (to_bot) and from it (from_bot).",
        "anyOf": [{"$ref": "#/$defs/to_bot"}, {"$ref": "#/$defs/from_bot"}],
        "$defs": {
            **words(),
            "to_bot": _set("A line to the bot.", "to_bot", _to_bot()),
            "from_bot": _set("An answer of the bot.", "from_bot", _from_bot()),
            "log": _set("A line of a game's event log: full information, sent to no bot.", "log", _log()),
        },
    }


def _set(description: str, name: str, lines: Mapping[str, Schema]) -> Schema:
    return {
        "description": description,
        "anyOf": [{"$ref": f"#/$defs/{name}/$defs/{type}"} for type in lines],
        "$defs": dict(lines),
    }


def _to_bot() -> dict[str, Schema]:
    turn = whole(1, RANGES["turn_cap"][1], "The turn, from 1; every play and every pass is one.")
    seats = whole(2, MOST_SEATS, "Seats at the table.")
    own = word("seat", "The bot's own seat.")
    active = list_of("seat", "The seats still in the game, ascending.", 2, MOST_SEATS)
    claimant = word("seat", "The seat that laid the cards.")
    rank = word("rank", "The rank claimed.")
    count = whole(1, MOST_CARDS, "How many cards of that rank were claimed.")
    limit = seconds("The move limit: seconds for this answer before the bank is used.", positive=True)
    bank = seconds("Seconds left in this seat's bank for this game.")
    return {
        **line(
            "hello",
            "Request: the first line a process gets.",
            {
                "id": word("id", "Names this request; to be sent back as it is."),
                "protocol": {"description": "The version of this protocol.", "const": PROTOCOL},
                "seats": seats,
                "rules": rules(),
                "limits": closed(
                    "Seconds.",
                    {
                        "start": seconds("To answer hello, from the start of the process.", positive=True),
                        "move": seconds("To answer a request before the bank is used.", positive=True),
                        "bank": seconds("In the bank of each game."),
                    },
                ),
            },
        ),
        **line(
            "start",
            "Event: a game begins.",
            {
                "game": {
                    "description": "Names the game in every record.",
                    "type": "string",
                    "pattern": "^[0-9a-f]{16}$",
                },
                "seat": own,
                "seats": seats,
                "hand": word("hand", "The cards dealt to the bot."),
                "hand_sizes": word("hand_sizes", "Cards in each hand, by seat."),
                "first": word("seat", "The seat whose turn is the first."),
                "seed": whole(
                    0, MAX_INTEGER - 1, "For the bot's own dice; the same again if the game is played again."
                ),
                "names": {
                    "description": "The bots' names by seat, only where the organiser shows them.",
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 2,
                    "maxItems": MOST_SEATS,
                },
            },
            optional=("names",),
        ),
        **line(
            "play",
            "Request: it is this seat's turn.",
            {
                "id": word("id", "Names this request; to be sent back as it is."),
                "turn": turn,
                "seat": own,
                "active": active,
                "ranks": list_of(
                    "rank", "The ranks that may be claimed now, from the ace up.", 1, len(RANKS)
                ),
                "hand": word("hand", "The bot's cards."),
                "hand_sizes": word("hand_sizes", "Cards in each hand, by seat; null for a seat that is out."),
                "pile": whole(0, MOST_CARDS - 2, "Cards on the pile."),
                "seconds": limit,
                "bank": bank,
            },
        ),
        **line(
            "challenge",
            "Request: another seat has laid cards and claimed what they are; call it a lie, or not.",
            {
                "id": word("id", "Names this request; to be sent back as it is."),
                "turn": turn,
                "seat": own,
                "active": active,
                "claimant": claimant,
                "rank": rank,
                "count": count,
                "hand": word("hand", "The bot's cards."),
                "hand_sizes": word(
                    "hand_sizes", "As in play, and as they stood before these cards were laid."
                ),
                "pile": whole(0, MOST_CARDS - 2, "Cards on the pile before these were laid."),
                "seconds": limit,
                "bank": bank,
            },
        ),
        **_outcome(turn, claimant, rank, count),
        **line(
            "passed",
            "Event: a seat passed.",
            {"turn": turn, "seat": word("seat", "The seat that passed.")},
        ),
        **line(
            "out",
            "Event: a seat has left the game: it went out, or it made a fault.",
            {
                "turn": whole(0, RANGES["turn_cap"][1], "The turn; 0 before the first."),
                "seat": word("seat", "The seat that left."),
                "place": whole(1, MOST_SEATS - 1, "Its place if it went out, null after a fault.", null=True),
                "fault": switch("Whether it left by a fault; which fault is never told."),
                "removed": whole(0, MOST_CARDS - 1, "Cards that left the game with it, unseen."),
            },
        ),
        **line(
            "end",
            "Event: the game is over.",
            {
                "turn": whole(1, RANGES["turn_cap"][1], "The last turn."),
                "places": places(),
                "winner": word("seat", "The seat that has won, null if none has.", null=True),
                "reason": reason(),
            },
        ),
        **line("goodbye", "Event: no game follows; the process may end.", {}),
    }


def _outcome(turn: Schema, claimant: Schema, rank: Schema, count: Schema) -> dict[str, Schema]:
    outcome = line(
        "outcome",
        "Event: all answers are in, and the play is settled.",
        {
            "turn": turn,
            "claimant": claimant,
            "rank": rank,
            "count": count,
            "callers": list_of(
                "seat", "Every seat that called, the one who counts first.", 0, MOST_SEATS - 1
            ),
            "challenger": word("seat", "The caller who counts, null if nobody called.", null=True),
            "shown": word("cards", "The cards of this play, turned up for all; empty if nobody called."),
            "true": switch("Whether the claim was true, null if nobody called.", null=True),
            "taker": word("seat", "The seat that took the pile, null if nobody called.", null=True),
            "taken": whole(0, MOST_CARDS, "Cards it took, 0 if nobody called."),
            "picked_up": word("cards", "The cards it took; this field is there for the taker alone."),
        },
        optional=("picked_up",),
    )
    outcome["outcome"].update(
        if_called({"taken": {"minimum": 1}}, {"taken": {"const": 0}, "picked_up": False})
    )
    return outcome


def _from_bot() -> dict[str, Schema]:
    def answer(
        description: str, fields: Mapping[str, Schema], required: tuple[str, ...], **more: Any
    ) -> Schema:
        debug = {
            "description": f"Kept for the author's replay, the first {MAX_DEBUG} bytes of it.",
            "type": "string",
        }
        return {
            "description": description,
            "type": "object",
            "properties": {"id": word("id", "The id of the request."), **fields, "debug": debug},
            "required": ["id", *required],
            **more,
        }

    def said(what: str) -> Schema:
        return {"description": f"{what}, the first {MAX_NAME} characters of it.", "type": "string"}

    return {
        "hello": answer(
            "The answer to hello: the id is enough.",
            {
                "name": said("What the bot calls itself"),
                "version": said("Its version"),
                "author": said("Who wrote it"),
            },
            (),
        ),
        "play": answer(
            "The answer to play: cards, or a pass where the rules allow it.",
            {
                "cards": {
                    "description": "The cards laid, each of them in the hand, in any order.",
                    "type": "array",
                    "items": {"$ref": "#/$defs/card"},
                },
                "rank": word("rank", "The rank claimed; may be left out where one rank is legal."),
                "count": {
                    "description": "The count claimed; left out, the number of cards laid.",
                    "type": "integer",
                    "minimum": -MAX_INTEGER,
                    "maximum": MAX_INTEGER,
                },
                "pass": switch("true: lay nothing. Only where the rules allow passing."),
            },
            (),
            anyOf=[
                {"required": ["cards"], "properties": {"pass": {"const": False}}},
                {"required": ["pass"], "properties": {"pass": {"const": True}, "cards": {"maxItems": 0}}},
            ],
        ),
        "challenge": answer(
            "The answer to challenge.",
            {"challenge": switch("Whether the bot calls the claim a lie.")},
            ("challenge",),
        ),
    }


def _log() -> dict[str, Schema]:
    last = RANGES["turn_cap"][1]
    turn = whole(1, last, "The turn, from 1.")
    cards, seat, rank = (
        word("cards", "The cards."),
        word("seat", "The seat."),
        word("rank", "The rank claimed."),
    )
    count = whole(1, MOST_CARDS, "The count claimed.")
    resolved = line(
        "resolved",
        "The window over a play has closed.",
        {
            "turn": turn,
            "claimant": seat,
            "rank": rank,
            "count": count,
            "callers": list_of("seat", "Every seat that called.", 0, MOST_SEATS - 1),
            "challenger": word("seat", "The caller who counts.", null=True),
            "shown": cards,
            "true": switch("Whether the claim was true.", null=True),
            "taker": word("seat", "The seat that took the pile.", null=True),
            "taken": cards,
        },
    )
    resolved["resolved"].update(if_called({"taken": {"minItems": 1}}, {"taken": {"maxItems": 0}}))
    return {
        **line(
            "dealt",
            "The deal.",
            {
                "hands": {
                    "description": "The hand of each seat.",
                    "type": "array",
                    "items": {"$ref": "#/$defs/hand"},
                    "minItems": 2,
                    "maxItems": MOST_SEATS,
                }
            },
        ),
        **line(
            "played",
            "Cards were laid.",
            {"turn": turn, "seat": seat, "cards": cards, "rank": rank, "count": count},
        ),
        **line("passed", "A seat passed.", {"turn": turn, "seat": seat}),
        **resolved,
        **line(
            "out",
            "A seat has left.",
            {
                "turn": whole(0, last, "The turn; 0 before the first."),
                "seat": seat,
                "place": whole(1, MOST_SEATS - 1, "Its place, null after a fault.", null=True),
                "fault": switch("Whether it left by a fault."),
                "removed": cards,
            },
        ),
        **line(
            "ended",
            "The game is over.",
            {
                "turn": turn,
                "places": places(),
                "winner": word("seat", "The seat that has won.", null=True),
                "reason": reason(),
            },
        ),
    }
