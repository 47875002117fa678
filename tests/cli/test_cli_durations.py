"""Durations and sizes as people write them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli.durations import duration, rough, seconds_in
from arena.cli.values import bytes_in_words, size, whole
from arena.errors import BadInput


class Word:
    keyword = "--it"

    def __init__(self, value):
        self.value = value


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("500ms", 0.5),
        ("1s", 1),
        ("2m", 120),
        ("1h", 3600),
        ("0.25", 0.25),
        (".5s", 0.5),
        ("3", 3),
        ("1m30s", 90),
        ("1H", 3600),
        (" 2s ", 2),
        ("24h", 86400),
    ],
)
def test_a_duration_is_what_its_units_say(text, seconds):
    assert math.isclose(seconds_in(text, "--bank"), seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "s",
        "1x",
        "1 s 2",
        "-1s",
        "1e3",
        "nan",
        "inf",
        "1s,",
        "s1",
        "1 minute",
        "٣s",
        "25h",
        "0",
        "0ms",
        "1" * 400,
    ],
)
def test_what_is_no_usable_duration_is_named_with_the_option(text):
    with pytest.raises(BadInput, match="--move-time"):
        seconds_in(text, "--move-time")


@pytest.mark.parametrize(
    ("most", "too_long", "reach"),
    [
        (3600.0, "is too long; the most is 1h", "0 to 1h"),
        (86_400.0, "is longer than a day; the most is 24h", "0 to 24h"),
        (30 * 86_400.0, "is longer than 30 days; the most is 720h", "0 to 720h"),
    ],
)
def test_the_most_is_said_in_a_unit_that_is_not_0(most, too_long, reach):
    with pytest.raises(BadInput, match=f"--pace '721h' {too_long}$"):
        seconds_in("721h", "--pace", zero=True, most=most)
    with pytest.raises(BadInput, match=f"--pace takes a time of {reach}, and 'nan' is none"):
        seconds_in("nan", "--pace", zero=True, most=most)


def test_no_time_at_all_is_allowed_only_where_it_makes_sense():
    assert seconds_in("0", "--bank", zero=True) == 0
    with pytest.raises(BadInput, match="more than 0"):
        seconds_in("0s", "--move-time")


@given(st.integers(0, 86_400_000))
def test_a_written_duration_reads_back_as_itself(thousandths):
    assert math.isclose(seconds_in(duration(thousandths / 1000), "--bank", zero=True), thousandths / 1000)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (18_600, "5 h 10 min"),
        (259_200, "3.0 days"),
    ],
)
def test_a_rough_time_reads_well(seconds, words):
    assert rough(seconds) == words


@pytest.mark.parametrize(
    ("text", "amount"), [("256M", 2**28), ("1.5g", 3 * 2**29), ("2GiB", 2**31), ("1048576", 2**20)]
)
def test_sizes_are_powers_of_1024(text, amount):
    assert size(None, [Word(text)]) == amount


@pytest.mark.parametrize("text", ["", "M", "-1M", "1P", "12Q", "0", "1K", "1e9", "9999999T"])
def test_what_is_no_usable_size_is_named(text):
    with pytest.raises(BadInput, match="--it"):
        size(None, [Word(text)])


def test_sizes_in_words():
    assert [bytes_in_words(n) for n in (2**28, 3 * 2**29, 2**31, 12)] == ["256M", "1.5G", "2G", "12"]


@pytest.mark.parametrize("text", ["", "3.5", "1e1", "three", "0", "11", "-3", "0x4", "9" * 5000])
def test_a_whole_number_is_whole_and_within_its_range(text):
    with pytest.raises(BadInput, match="--it"):
        whole(1, 10)(None, [Word(text)])
