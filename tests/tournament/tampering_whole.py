"""Ways to tamper with the decisions, the bots, the conditions and the digests of a results file.

By name: which file, what is changed, how that is named, and whether it is found although whoever did it has
made all digests anew.
"""

from tampering import in_json, put, run
from tampering_edits import set_in

HEADER = "key = 'header'"
OF_THE_WHOLE = {
    # name: (file, change, where and field it is named by, found though all digests were made anew)
    "a decision taken out": ("benched", run("DELETE FROM decisions", 1), "decision 16: ", True),
    "who was benched": ("benched", put("decisions", "value", "[2]"), "decision 16: ", True),
    "until when": ("benched", put("decisions", "until", 20), "decision 16: ", True),
    "a decision too many": (
        "table",
        run("INSERT INTO decisions VALUES (16, 'bench', 32, '[1]', 'x')"),
        "decision 16: ",
        True,
    ),
    "a decision of an unknown kind": ("benched", put("decisions", "kind", "king"), "decision 16: ", True),
    "what counts": ("table", put("tournament", "value", "0", "key = 'counted_to'"), "file: counted_to", True),
    "the complete flag": (
        "table",
        put("tournament", "value", "false", "key = 'complete'"),
        "header: ended",
        True,
    ),
    "a flag that is none": (
        "table",
        put("tournament", "value", "1", "key = 'complete'"),
        "complete: value",
        True,
    ),
    "a bot's name": ("table", put("bots", "name", "quitter", "number = 2"), "(bot 2|fault 1: bot)", True),
    "a bot's number": ("table", put("bots", "number", 9, "number = 5"), "bot 9: number", True),
    "a bot taken out": ("table", run("DELETE FROM bots WHERE number = 5"), ": (seatings|seats)", True),
    "a bot's hash": ("table", put("bots", "content", "1" * 64, "number = 0"), "bot 0: digest", False),
    "what a bot calls itself": ("table", put("bots", "said", "x", "number = 0"), "bot 0: digest", False),
    "the seed": (
        "table",
        in_json("tournament", "value", HEADER, set_in("seed", "f" * 32)),
        "game 0.0 .*: id",
        True,
    ),
    "a seed that is none": (
        "table",
        in_json("tournament", "value", HEADER, set_in("seed", "hello")),
        "header: seed",
        True,
    ),
    "the text of the seed": (
        "table",
        in_json("tournament", "value", HEADER, set_in("seed_given", "lucky")),
        "header: seed",
        True,
    ),
    "a rule": (
        "table",
        in_json("tournament", "value", HEADER, lambda h: h["rules"].update(max_cards=1)),
        ": log",
        True,
    ),
    "the turn cap": (
        "table",
        in_json("tournament", "value", HEADER, lambda h: h["rules"].update(turn_cap=39)),
        ": (log|event)",
        True,
    ),
    "a rule that does not exist": (
        "table",
        in_json("tournament", "value", HEADER, lambda h: h["rules"].update(order="sideways")),
        "header: value",
        True,
    ),
    "the move limit": (
        "table",
        in_json("tournament", "value", HEADER, set_in("move_time", 60.0)),
        "fault 1: (request|limit)",
        True,
    ),
    "the bank": (
        "table",
        in_json("tournament", "value", HEADER, set_in("bank", 9.0)),
        "(timing 1|fault 1)",
        True,
    ),
    "the forfeit limit": (
        "table",
        in_json("tournament", "value", HEADER, set_in("forfeit", 0)),
        ": forfeited",
        True,
    ),
    "how many are seated": (
        "table",
        in_json("tournament", "value", HEADER, set_in("seats", 11)),
        "header: seats",
        True,
    ),
    "the budget": (
        "table",
        in_json("tournament", "value", HEADER, set_in("blocks", 40)),
        "block.* 4",
        True,
    ),
    "what has ended it": (
        "table",
        in_json("tournament", "value", HEADER, set_in("ended", {"by": "time", "planned": None})),
        "header: ended: by",
        True,
    ),
    "a budget that it has come to": (
        "table",
        in_json("tournament", "value", HEADER, set_in("ended", {"by": "games", "planned": 4})),
        "header: ended: planned",
        True,
    ),
    "when bots are benched": (
        "benched",
        in_json("tournament", "value", HEADER, set_in("bench", 0)),
        "decision 16",
        True,
    ),
    "the sandbox": (
        "table",
        in_json("tournament", "value", HEADER, set_in("tier", "ns")),
        "block 0: tier",
        True,
    ),
    "a digest": ("table", put("games", "digest", "0" * 64, "block = 0 AND game = 0"), ": digest", False),
    "the running digest": ("table", put("whole", "digest", "0" * 64), "file: digest", False),
}
