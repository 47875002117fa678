"""bots/README.md tells of the bots that are shipped, and of no others."""

import re

from shipped_bots import BOTS, programs

DOCUMENT = (BOTS / "README.md").read_text("utf-8")


def test_every_bot_is_described_under_the_name_of_its_file():
    described = re.findall(r"^\| `([\w.]+)` \| \w+ \| .+ \|$", DOCUMENT, re.MULTILINE)
    assert sorted(described) == [path.name for path in programs()]


def test_the_measured_table_has_every_bot_once_and_the_command_above_it_plays_them_all():
    found = re.search(
        r"<!-- command: ladder -->\n```sh\n(.+)\n```\n\n[^`]+\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL
    )
    assert found
    assert found[1].startswith("arena run --bots bots/* --games ")
    measured = re.findall(r"^ *\d+(?:-\d+)?  (\w+)  ", found[2], re.MULTILINE)
    assert sorted(measured) == sorted(path.stem for path in programs())
