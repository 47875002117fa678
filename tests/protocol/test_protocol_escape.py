"""What a bot printed, made safe to show."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.protocol.escape import escape, escape_json, quoted


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("", ""),
        ("Zoë, 名前, Ελλάδα, 🂡", "Zoë, 名前, Ελλάδα, 🂡"),
        ("e\u0301", "e\u0301"),
        ("\x1b[2J", "\\x1b[2J"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("\x9b31m", "\\x9b31m"),
        ("a\nb\r\tc", "a\\x0ab\\x0d\\x09c"),
        ("\x7f\x00", "\\x7f\\x00"),
        ("\u202eevil\u2066", "\\u202eevil\\u2066"),
        ("\u200bzero\u200d\u2060\ufeff", "\\u200bzero\\u200d\\u2060\\ufeff"),
        ("\u2028\u2029\x85", "\\u2028\\u2029\\x85"),
        ("\xa0\xad\u3000", "\\xa0\\xad\\u3000"),
        ("\ud800", "\\ud800"),
        ("\ue000\U000f0000", "\\ue000\\U000f0000"),
        ("\U000e0041\U000e0100", "\\U000e0041\\U000e0100"),
        ("\u3164\u2800\ufe0f\u034f", "\\u3164\\u2800\\ufe0f\\u034f"),
        ("a" + "\u0301" * 4, "a\u0301\u0301\\u0301\\u0301"),
        ("\\x1b", "\\x1b"),
    ],
)
def test_text_keeps_what_is_seen_and_escapes_the_rest(text, shown):
    assert escape(text, 100) == shown


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b'{"id": "x"}', '{"id": "x"}'),
        (b"", ""),
        (b"\x1b[31m\xff\n", "\\x1b[31m\\xff\\x0a"),
        ("é".encode(), "\\xc3\\xa9"),
    ],
)
def test_of_bytes_only_printable_ascii_is_kept(data, shown):
    assert escape(data, 100) == shown


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        (b"abcdefg", 6, "abc..."),
        ("ab\x1b\x1b", 10, "ab\\x1b\\x1b"),
        ("ab\x1b\x1bc", 10, "ab\\x1b..."),
        ("\x1b\x1b", 6, "..."),
        ("abc", 2, ".."),
        ("abc", 0, ""),
        ("", 0, ""),
        (b"\xff" * 100, 11, "\\xff\\xff..."),
    ],
)
def test_long_text_is_cut_between_escapes(text, limit, shown):
    assert escape(text, limit) == shown


@given(st.text() | st.binary(), st.integers(0, 60))
def test_every_text_becomes_printable_within_its_limit_and_stays_so(text, limit):
    shown = escape(text, limit)
    assert len(shown) <= limit
    assert all(character.isprintable() for character in shown)
    assert not any(
        unicodedata.bidirectional(character) in {"RLO", "LRO", "RLE", "LRE", "PDF"} for character in shown
    )
    assert escape(shown, limit) == shown
    if isinstance(text, bytes):
        assert shown.isascii()


def test_only_the_beginning_of_a_long_text_is_looked_at():
    assert escape("\x1b" * 10_000_000, 20) == "\\x1b\\x1b\\x1b\\x1b..."
    assert escape(b"x" * 10_000_000, 5) == "xx..."


def test_quoted_words_are_shortened():
    assert quoted("a\x00") == '"a\\x00"'
    assert quoted("x" * 100, 10) == '"xxxxxxx..."'


@given(st.text(st.characters(exclude_categories=())))
def test_json_stays_the_same_data_and_nothing_in_it_is_unseen(text):
    for ascii_only in (True, False):
        shown = escape_json(json.dumps([text], ensure_ascii=ascii_only))
        assert json.loads(shown) == json.loads(json.dumps([text]))
        assert escape_json(shown) == shown
        assert shown.isprintable()


def test_json_keeps_what_is_seen():
    assert escape_json('["Zoë 🂡", "\x9b\u202e\x7f\U000e0041"]') == (
        '["Zoë 🂡", "\\u009b\\u202e\\u007f\\udb40\\udc41"]'
    )
