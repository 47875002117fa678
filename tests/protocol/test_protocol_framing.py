"""Bytes into lines: where lines end, what is blank, what is a flood, and how much is held."""

import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.faults import Violation
from arena.protocol.framing import MAX_BLANK, LineReader
from arena.protocol.messages import MAX_LINE


def taken(reader: LineReader) -> list[bytes | Violation]:
    """Everything it gives now; a violation would come for ever and is taken once."""
    lines: list[bytes | Violation] = []
    while (line := reader.next_line()) is not None:
        lines.append(line)
        if isinstance(line, Violation):
            break
    return lines


def read(*chunks: bytes) -> list[bytes | Violation]:
    reader = LineReader()
    lines: list[bytes | Violation] = []
    for chunk in chunks:
        reader.feed(chunk)
        lines += taken(reader)
    return lines


def test_a_line_ends_at_the_newline_and_not_before():
    reader = LineReader()
    reader.feed(b'{"id"')
    assert reader.next_line() is None
    reader.feed(b': "x"}')
    assert reader.next_line() is None
    reader.feed(b"\n")
    assert reader.next_line() == b'{"id": "x"}'
    assert reader.next_line() is None


def test_the_text_and_its_newline_may_come_in_two_writes():
    assert read(b"{}", b"\n", b"{}", b"\n") == [b"{}", b"{}"]


def test_several_lines_in_one_read_come_one_by_one():
    assert read(b"a\nb\nc") == [b"a", b"b"]


@pytest.mark.parametrize(
    ("sent", "line"),
    [
        (b"a\r\n", b"a"),
        (b"a\r\r\n", b"a\r"),
        (b"a\rb\n", b"a\rb"),
        (b"\x0b\n", b"\x0b"),
        (b"\xc2\x85\n", b"\xc2\x85"),
        (b" a \n", b" a "),
        (b"\x00\n", b"\x00"),
        (b"\xef\xbb\xbf{}\n", b"\xef\xbb\xbf{}"),
    ],
)
def test_only_one_carriage_return_before_the_newline_is_taken_off(sent, line):
    assert read(sent) == [line]


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b" \n", b"\t \r\n", b"\r\r\n", b"\n\n\n"])
def test_blank_lines_are_passed_over(blank):
    assert read(blank) == []
    assert read(blank + b"a\n" + blank + b"b\n") == [b"a", b"b"]


def test_blank_bytes_are_not_pending_and_others_are():
    reader = LineReader()
    reader.feed(b" \r\n\t")
    assert not reader.pending
    reader.feed(b"\n")
    assert reader.next_line() is None
    assert not reader.pending
    reader.feed(b"x")
    assert reader.pending
    assert reader.buffered == b"x"


def test_a_second_line_after_the_one_taken_is_pending():
    reader = LineReader()
    reader.feed(b"one\ntwo\n")
    assert reader.next_line() == b"one"
    assert reader.pending
    assert reader.next_line() == b"two"
    assert not reader.pending


def test_the_longest_line_has_64_kib_with_its_newline():
    longest = b"x" * (MAX_LINE - 1)
    assert read(longest + b"\n") == [longest]
    assert read(longest, b"\n") == [longest]
    assert read(longest[:-1] + b"\r\n") == [longest[:-1]]


@pytest.mark.parametrize(
    "chunks", [[b"x" * MAX_LINE], [b"x" * MAX_LINE + b"\n"], [b"x" * 40_000, b"x" * 40_000 + b"\n"]]
)
def test_one_byte_more_is_a_flood(chunks):
    *before, last = read(*chunks)
    assert before == []
    assert isinstance(last, Violation)
    assert last.code == "flood"
    assert str(MAX_LINE) in last.rule


def test_a_long_line_is_a_flood_before_it_ends():
    reader = LineReader()
    reader.feed(b"x" * (MAX_LINE - 1))
    assert reader.next_line() is None
    reader.feed(b"x")
    assert isinstance(reader.next_line(), Violation)


def test_whole_lines_before_a_flood_come_first():
    first, last = read(b"answer\n" + b"x" * MAX_LINE)
    assert first == b"answer"
    assert isinstance(last, Violation)


def test_after_a_flood_the_stream_is_dead():
    reader = LineReader()
    reader.feed(b"x" * MAX_LINE * 10)
    flood = reader.next_line()
    assert len(reader._buffer) == MAX_LINE
    reader.fresh()
    reader.feed(b'\n{"id": "x"}\n')
    assert reader.next_line() is flood
    assert reader.next_line() is flood
    assert len(reader.buffered) == MAX_LINE


def test_64_kib_of_blank_lines_between_two_requests_are_put_up_with():
    reader = LineReader()
    for _ in range(3):
        for _ in range(MAX_BLANK // 4096):
            reader.feed(b"\n" * 4096)
            assert reader.next_line() is None
        reader.fresh()
    reader.feed(b"a\n")
    assert reader.next_line() == b"a"


@pytest.mark.parametrize("blank", [b"\n", b"\r\n", b"   \n"])
def test_more_blank_bytes_are_a_flood(blank):
    reader = LineReader()
    many = blank * (MAX_BLANK // len(blank) // 2)
    reader.feed(many)
    assert reader.next_line() is None
    reader.feed(many)
    assert reader.next_line() is None
    reader.feed(blank * 4 + b"a\n")
    flood = reader.next_line()
    assert isinstance(flood, Violation)
    assert flood.code == "flood"
    reader.fresh()
    assert reader.next_line() is flood


def test_blank_lines_count_together_with_those_around_answers():
    reader = LineReader()
    for _ in range(17):
        reader.feed(b"\n" * 4096 + b"a\n")
    lines = taken(reader)
    assert lines[:-1] == [b"a"] * 16
    assert isinstance(lines[-1], Violation)


def test_bytes_that_nobody_takes_out_are_bounded():
    reader = LineReader()
    for _ in range(1000):
        reader.feed(b"{}\n" * 1000)
    assert sys.getsizeof(reader._buffer) < 4 * MAX_LINE
    lines = taken(reader)
    assert set(lines[:-1]) == {b"{}"}
    assert isinstance(lines[-1], Violation)
    assert lines[-1].code == "flood"


def test_memory_stays_flat_under_an_endless_line():
    reader = LineReader()
    for _ in range(1000):
        reader.feed(b"x" * 65_536)
        reader.next_line()
    assert sys.getsizeof(reader._buffer) < 4 * MAX_LINE


def test_bytes_read_counts_from_the_last_request_and_goes_on_after_a_flood():
    reader = LineReader()
    reader.feed(b"abc")
    reader.fresh()
    reader.feed(b"d\n")
    assert reader.bytes_read == 2
    reader.feed(b"x" * MAX_LINE)
    reader.next_line()
    reader.next_line()
    reader.feed(b"x" * 10)
    assert reader.bytes_read == 2 + MAX_LINE + 10


@given(
    st.lists(st.text(alphabet="ab{} \r\té", max_size=20)),
    st.lists(st.integers(1, 30), min_size=1),
    st.booleans(),
)
def test_how_the_bytes_are_cut_makes_no_difference(lines, cuts, open_end):
    whole = "\n".join(lines).encode() + (b"" if open_end else b"\n")
    chunks, place = [], 0
    while place < len(whole):
        step = cuts[len(chunks) % len(cuts)]
        chunks.append(whole[place : place + step])
        place += step
    assert read(*chunks) == read(whole)
    expected = [line.removesuffix(b"\r") for line in whole.split(b"\n")[:-1]]
    assert read(whole) == [line for line in expected if line.strip(b" \t\r")]


@given(st.lists(st.binary(max_size=200), max_size=40), st.integers(1, 2000))
def test_any_bytes_give_lines_or_a_flood_and_never_an_error(chunks, times):
    reader = LineReader()
    for chunk in chunks:
        reader.feed(chunk * times)
        for line in taken(reader):
            assert isinstance(line, Violation) or b"\n" not in line
            assert isinstance(line, Violation) or 0 < len(line) < MAX_LINE
        assert len(reader._buffer) <= MAX_LINE + len(chunk) * times
        assert len(reader.buffered) <= MAX_LINE


@pytest.mark.parametrize("unit", [b"\n", b"\r\n", b" ", b"\r", b"a\n", b"\na", b"{}\n\n"])
def test_the_worst_64_kib_are_cut_in_20_ms_of_cpu(unit):
    def once() -> float:
        reader = LineReader()
        start = time.process_time()
        reader.feed((unit * MAX_LINE)[:MAX_LINE])
        lines = 0
        while isinstance(reader.next_line(), bytes):
            lines += 1
        return (time.process_time() - start) / max(1, lines)

    assert min(once() for _ in range(3)) < 0.020


def test_a_line_that_comes_byte_by_byte_takes_no_time_that_grows_with_its_length():
    reader = LineReader()
    start = time.process_time()
    for _ in range(MAX_LINE - 1):
        reader.feed(b" ")
        reader.next_line()
    assert time.process_time() - start < 5
