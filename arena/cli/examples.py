"""One example of every command, for its help."""

from types import MappingProxyType
from typing import Final

EXAMPLES: Final = MappingProxyType(
    {
        "run": ("arena run --bots bots/*", "plays everything in bots/ against each other"),
        "check": ("arena check mine.py", "says whether mine.py is fit for a tournament"),
        "play": ("arena play bots/honest.py bots/planner.py human", "deals you in against two bots"),
        "standings": ("arena standings cup.db --bot mine", "shows where the bot `mine` stands"),
        "faults": ("arena faults cup.db mine", "shows what the bot `mine` has done wrong"),
        "replay": ("arena replay cup.db 0.0 --seat 2", "shows game 0 of block 0 as seat 2 saw it"),
        "verify": ("arena verify cup.db", "judges every game again"),
        "rerun": ("arena rerun cup.db 0.0", "plays game 0 of block 0 again"),
        "export": (
            "arena export cup.db --csv > seats.csv",
            "writes a row a game and seat, for a spreadsheet",
        ),
        "import": ("arena import cup.jsonl --out again.db", "makes a results file of what was exported"),
        "merge": ("arena merge one.db two.db --out both.db", "makes one tournament of its two parts"),
        "compare": (
            "arena compare mine.py bots/honest.py --field bots/*.py",
            "asks whether mine.py is better than honest.py against the others",
        ),
        "new": ("arena new python greedy", "makes greedy.py, a bot that plays at once"),
        "rules": ("arena rules classic", "shows every knob of the rules that are usual"),
        "schema": ("arena schema > protocol.json", "keeps the schema for a program that checks lines by it"),
        "doctor": ("arena doctor", "shows which languages and sandboxes this machine has"),
        "completion": ('eval "$(arena completion bash)"', "in ~/.bashrc completes commands and options"),
    }
)
"""By the command's name: what is typed, and what that does."""


def example_of(name: str) -> str:
    """The example of a command, as its help has it."""
    typed, does = EXAMPLES[name]
    return f"Example: `{typed}` {does}."
