"""Small bots, each with one thing wrong, and what an author must be told first."""

import os
from dataclasses import dataclass, field
from pathlib import Path

RIGHT = """import json, sys
def answer(ask):
    say = {"id": ask["id"]}
    if ask["type"] == "play":
        say["rank"] = ask["ranks"][0]
        say["cards"] = [c for c in ask["hand"] if c[0] == say["rank"]][:4] or ask["hand"][:1]
    if ask["type"] == "challenge":
        say["challenge"] = False
    return say
"""
LOOP = """for line in sys.stdin:
    ask = json.loads(line)
    if "id" in ask:
        {do}
"""


@dataclass(frozen=True)
class Broken:
    """A bot, and the first step that must fail, the fault, and words of the headline and of the mend.

    Where the machine's haste decides between two steps or faults, both stand there with a slash between.
    """

    source: str
    step: str
    code: str
    headline: str
    mend: str
    caret: str = ""
    """What `received` reads from the caret on."""
    file: str = "bot.py"
    beside: dict[str, str] = field(default_factory=dict)
    """Files that lie beside it."""
    toml: str = ""
    """With it the bot is the folder."""
    executable: bool = False

    def put(self, folder: Path) -> str:
        """Write it there; the path to give."""
        folder.mkdir()
        for name, text in {self.file: self.source, **self.beside}.items():
            (folder / name).write_text(text)
        if self.executable:
            (folder / self.file).chmod(0o755)
        if self.toml:
            (folder / "bot.toml").write_text(self.toml)
            return os.fspath(folder)
        return os.fspath(folder / self.file)


def serving(do: str, before: str = "") -> str:
    """A right bot that does this with each request: `ask` is the request, `say` prints a right answer."""
    say = "def say(one):\n    print(json.dumps(one), flush=True)\n"
    return RIGHT + say + before + LOOP.format(do=do.replace("\n", "\n        "))


def answering(change: str, kind: str = "play") -> str:
    """A right bot that changes its answer `one` to requests of a kind so."""
    return serving(f"one = answer(ask)\nif ask['type'] == '{kind}':\n    {change}\nsay(one)")


def meeting(do: str) -> str:
    """A right bot that does this with each line it meets, the events too."""
    ends = "ENDS = {'out': 1, 'end': 1, 'goodbye': 1}\n"
    source = serving("say(answer(ask))", ends)
    return source.replace('    if "id" in ask:', f'    {do}\n    if "id" in ask:')


def raw(data: str) -> str:
    """To write these bytes as they are."""
    return f"sys.stdout.buffer.write({data}); sys.stdout.flush()"


NOTED = "print('note: PermissionError reading config, using defaults', file=sys.stderr, flush=True)\n"
"""What it says on stderr, and lives on."""
HANDLED = "import traceback\ntry: {do}\nexcept Exception: traceback.print_exc()\n"
"""An exception that it catches, and tells of on stderr."""
UNFLUSHED = RIGHT + LOOP.format(do="print(json.dumps(answer(ask)))")
PERL = r"""use JSON::PP;
while (<STDIN>) {
    my $ask = decode_json($_);
    next unless $ask->{id};
    print encode_json({id => $ask->{id}}), "\n";
}
"""
