"""Ways to tamper with the games and blocks of a results file.

By name: which file, what is changed, how that is named, and whether it is found although whoever did it has
made all digests anew.
"""

import msgspec
from tampering import in_json, in_log, put, run
from tampering_edits import at_first, flip_card, raised, set_in_first, swap_in_block, swap_seats

from arena.cheat.events import Out, Played, Resolved

FIRST = "block = 0 AND game = 0"
LAST = "block = 3 AND game = 3"
FAULTED = "rowid = (SELECT rowid FROM games WHERE faults LIKE '%\"request\":%' ORDER BY block, game LIMIT 1)"
FORFEITED = "rowid = (SELECT rowid FROM games WHERE forfeited != '[]' ORDER BY block, game LIMIT 1)"
OF_GAMES = {
    # name: (file, change, where and field it is named by, found though all digests were made anew)
    "a card of a hand": ("table", in_log(FIRST, flip_card), "game 0.0 .*: hand of seat 0", True),
    "a card that was laid": (
        "table",
        in_log(FIRST, at_first(Played, lambda e: msgspec.structs.replace(e, cards=("KS",)))),
        "game 0.0 .*: (log|event)",
        True,
    ),
    "the rank of a claim": (
        "table",
        in_log(FIRST, at_first(Played, lambda e: msgspec.structs.replace(e, rank="K"))),
        "game 0.0 .*: (log|event)",
        True,
    ),
    "an event taken out": (
        "table",
        in_log("1", at_first(Resolved, lambda e: None)),
        "game .*: (log|event)",
        True,
    ),
    "the last event taken out": ("table", in_log(FIRST, lambda e: e[:-1]), "game 0.0 .*: log", True),
    "an event twice": ("table", in_log(FIRST, lambda e: [*e[:2], *e[1:]]), "game 0.0 .*: (log|event)", True),
    "a caller": (
        "table",
        in_log("1", at_first(Resolved, lambda e: msgspec.structs.replace(e, callers=(), challenger=None))),
        "game .*: event",
        True,
    ),
    "a true claim": (
        "table",
        in_log("1", at_first(Resolved, lambda e: msgspec.structs.replace(e, true=not e.true))),
        "game .*: event",
        True,
    ),
    "a seat that left": (
        "table",
        in_log(FAULTED, at_first(Out, lambda e: None)),
        "game .*: (log|event)",
        True,
    ),
    "a log cut short": (
        "table",
        run(f"UPDATE games SET log = substr(log, 1, 300) WHERE {FIRST}"),
        ": log",
        True,
    ),
    "the seats of a game": (
        "table",
        in_json("games", "seats", FIRST, swap_seats),
        "game 0.0 .*: seats",
        True,
    ),
    "the seats of a block": (
        "table",
        in_json("blocks", "seatings", "number = 0", swap_in_block),
        "block 0: seatings",
        True,
    ),
    "a game taken out": ("table", run(f"DELETE FROM games WHERE {FIRST}", 1), "block 0: games", True),
    "the last block taken out": (
        "table",
        lambda d: (
            run("DELETE FROM games WHERE block = 3")(d),
            run("DELETE FROM blocks WHERE number = 3")(d),
        ),
        "block 3: row",
        True,
    ),
    "a block without its row": ("table", run("DELETE FROM blocks WHERE number = 1", 1), "block 1: row", True),
    "a game too many": (
        "table",
        run(
            "INSERT INTO games SELECT '0123456789abcdef', block, 4, seats, places, winner, reason, turns, "
            "forfeited, conduct, windows, tier, seconds, faults, log, debug, timing, digest FROM games "
            f"WHERE {LAST}",
            1,
        ),
        "block 3: games",
        True,
    ),
    "a block too many": (
        "table",
        run(
            "INSERT INTO blocks SELECT 4, seatings, state, tier, contended, voided, started, seconds, "
            "requests, change, digest FROM blocks WHERE number = 3",
            1,
        ),
        "block 4: number",
        True,
    ),
    "a game of another block": (
        "table",
        run(f"UPDATE games SET block = 9 WHERE {LAST}", 1),
        "block 9: row",
        True,
    ),
    "two games in each other's place": (
        "table",
        lambda d: (
            run(f"UPDATE games SET game = 7 WHERE {FIRST}")(d),
            run("UPDATE games SET game = 0 WHERE block = 0 AND game = 1")(d),
            run("UPDATE games SET game = 1 WHERE block = 0 AND game = 7")(d),
        ),
        "game 0.0 .*: id",
        True,
    ),
    "an id": ("table", put("games", "id", "0123456789abcdef", FIRST), "game 0.0 .*: id", True),
    "places": ("table", in_json("games", "places", FIRST, raised), "game 0.0 .*: places", True),
    "a winner": (
        "table",
        run(f"UPDATE games SET winner = ifnull(3 - winner, 1) WHERE {FIRST}"),
        ": winner",
        True,
    ),
    "a reason": ("table", put("games", "reason", "nobody", FIRST), "game 0.0 .*: reason", True),
    "turns": ("table", run(f"UPDATE games SET turns = turns + 1 WHERE {FIRST}"), "game 0.0 .*: turns", True),
    "how seats behaved": ("table", in_json("games", "conduct", FIRST, raised), "game 0.0 .*: conduct", True),
    "who challenged whom": (
        "table",
        run(f"UPDATE games SET windows = substr(windows, 9) WHERE {FIRST}"),
        "game 0.0 .*: windows",
        True,
    ),
    "a tier": ("table", put("games", "tier", "bwrap", FIRST), "game 0.0 .*: tier", True),
    "the tier of a block": ("table", put("blocks", "tier", "jail", "number = 0"), "block 0: tier", True),
    "a fault taken out": (
        "table",
        in_json("games", "faults", FAULTED, lambda f: f[1:]),
        "game .*: faults",
        True,
    ),
    "a fault without effect": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("effective", False)),
        "game .*: faults",
        True,
    ),
    "the turn of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("turn", 77)),
        "fault 1: turn",
        True,
    ),
    "the seat of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("seat", 9)),
        "faults: seats",
        True,
    ),
    "whose fault it was": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("bot", "honest")),
        "fault 1: bot",
        True,
    ),
    "the request of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("request", "{}")),
        "fault 1: request",
        True,
    ),
    "the limit of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("limit", 0.5)),
        "fault 1: limit",
        True,
    ),
    "the phase of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("phase", "idle")),
        "fault 1|timing",
        True,
    ),
    "the code of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("code", "illegal")),
        "fault 1: code",
        True,
    ),
    "the words of a fault": (
        "table",
        in_json("games", "faults", FAULTED, set_in_first("rule", "no")),
        ": digest",
        False,
    ),
    "a forfeit taken out": ("table", put("games", "forfeited", "[]", FORFEITED), ": forfeited", True),
    "a forfeit too many": ("table", put("games", "forfeited", "[0, 1]", FIRST), ": forfeited", True),
    "a debug text": (
        "table",
        in_json("games", "debug", FIRST, set_in_first("text", "I lied")),
        ": digest",
        False,
    ),
    "whose debug text it was": (
        "table",
        in_json("games", "debug", FIRST, set_in_first("turn", 39)),
        "game 0.0 .*: debug",
        True,
    ),
    "a debug text that is too long": (
        "table",
        in_json("games", "debug", FIRST, set_in_first("text", "x" * 1025)),
        ": debug 1",
        True,
    ),
    "a bank": ("table", in_json("games", "timing", FIRST, set_in_first(2, 4.5)), ": timing 1", True),
    "seconds used": ("table", in_json("games", "timing", FIRST, set_in_first(3, 1e-5)), ": digest", False),
    "more seconds than there were": (
        "table",
        in_json("games", "timing", FIRST, set_in_first(3, 10.5)),
        "(timing|fault)",
        True,
    ),
    "a request taken out": ("table", in_json("games", "timing", FIRST, lambda t: t[1:]), ": timing", True),
    "the seconds of a game": ("table", put("games", "seconds", 1e-4, FIRST), "game 0.0 .*: seconds", True),
    "the seconds of a block": (
        "table",
        put("blocks", "seconds", 1e-4, "number = 0"),
        "block 0: seconds",
        True,
    ),
    "when a block began": ("table", put("blocks", "started", 1.0, "number = 0"), "block 0: digest", False),
    "the requests of a block": (
        "table",
        put("blocks", "requests", 9, "number = 0"),
        "block 0: requests",
        True,
    ),
    "more void tries than there can be": (
        "table",
        put("blocks", "voided", "[0,0,0]", "number = 0"),
        "block 0: voided",
        True,
    ),
    "somebody else was late": (
        "table",
        put("blocks", "voided", "[77]", "number = 0"),
        "block 0: voided",
        True,
    ),
    "no list of who was late": (
        "table",
        put("blocks", "voided", "{}", "number = 0"),
        "block 0: voided",
        True,
    ),
    "contended": ("table", put("blocks", "contended", 1, "number = 0"), "block 0: digest", False),
    "contended more than once": (
        "table",
        put("blocks", "contended", 2, "number = 0"),
        "block 0: contended",
        True,
    ),
    "the state of a block": (
        "table",
        put("blocks", "state", "dropped", "number = 0"),
        "block 0: state",
        True,
    ),
    "a block of whole games begun only": (
        "table",
        put("blocks", "state", "begun", "number = 0"),
        "block 0: state",
        True,
    ),
    "a game that a process a game would have left for later": (
        "table",
        run("UPDATE blocks SET state = 'begun' WHERE number = 3", then="DELETE FROM games WHERE " + LAST),
        "block 3: games",
        True,
    ),
    "a dropped block counted": (
        "benched",
        run("UPDATE blocks SET state = 'played' WHERE state = 'dropped'"),
        "block 17: state",
        True,
    ),
    "a dropped block's game": (
        "benched",
        in_json(
            "games",
            "places",
            "rowid = (SELECT g.rowid FROM games g JOIN blocks b ON b.number = g.block "
            "WHERE b.state = 'dropped' LIMIT 1)",
            raised,
        ),
        ": places",
        True,
    ),
}
