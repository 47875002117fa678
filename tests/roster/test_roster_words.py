"""Words of a command, and near matches."""

import pytest

from arena.errors import BadInput
from arena.roster.words import near, split_words


def test_a_name_that_differs_in_case_only_is_meant_before_one_that_is_spelt_nearer():
    assert near("Bot.py", ["Bots.py", "bot.py"]) == "; did you mean bot.py?"
    assert near("bott.py", ["bots.py", "zebra"]) == "; did you mean bots.py?"
    assert near("bot.py", ["zebra"]) == near("bot.py", ["bot.py"][:0]) == ""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("a  b\tc", ("a", "b", "c")),
        ("a 'b c' \"d e\"", ("a", "b c", "d e")),
        ("a '&&' \"|\" ';'", ("a", "&&", "|", ";")),
        ("a b\\&c \\|", ("a", "b&c", "|")),
        ('a "\\"&"', ("a", '"&')),
        ("a '\\' b", ("a", "\\", "b")),
        ("a #b", ("a", "#b")),
    ],
)
def test_quotes_and_backslashes_are_those_of_a_shell(line, words):
    assert split_words(line, "x") == words


@pytest.mark.parametrize(
    "line", ["a & b", "a&b", "a|b", "a; b", "a >b", "a <b", "a (b)", "a '\\' & b", "'a' && b"]
)
def test_an_operator_that_no_shell_reads_is_an_error(line):
    with pytest.raises(BadInput, match="not run by a shell"):
        split_words(line, "x")
