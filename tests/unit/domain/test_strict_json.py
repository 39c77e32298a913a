"""JSON is read in one way or not at all."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.strict_json import (
    DEPTH_LIMIT,
    DIGIT_LIMIT,
    DuplicateKey,
    HalfPair,
    Pairs,
    PastLimit,
    Unreadable,
    read,
    read_loosely,
    write,
)

TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_what_is_written_is_read_again(value: Any) -> None:
    again = read(write(value).encode())
    assert again == value
    assert read(json.dumps(value).encode()) == value
    assert write(again) == write(value)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "not JSON"),
        (b"{]", "not JSON"),
        (b"{} {}", "not JSON"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b'"\xff"', "not UTF-8"),
        (b'"\xed\xa0\x80"', "not UTF-8"),
        ("{}".encode("utf-16"), "not UTF-8"),
        (b"NaN", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"1e400", "a number is out of range"),
        (b"-1e400", "a number is out of range"),
        (b"9" * (DIGIT_LIMIT + 1), "an integer is too long"),
        (b'{"a":1,"a":1}', "a key stands twice in one object"),
        (b'[{"b":{"a":1,"\\u0061":2}}]', "a key stands twice in one object"),
        (b'{"a":"\\ud800"}', "a text holds half of a surrogate pair"),
        (b'{"\\uDC00":1}', "a text holds half of a surrogate pair"),
        (b"[" * (DEPTH_LIMIT + 1) + b"]" * (DEPTH_LIMIT + 1), "nested deeper than 64 levels"),
        (b'{"a":' * 100_000, "nested deeper than 64 levels"),
    ],
)
def test_what_can_be_read_in_two_ways_is_not_read(data: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(data)
    assert str(caught.value) == why


def test_brackets_in_texts_are_not_nesting() -> None:
    assert read(b'["' + b"[{" * 1000 + b'"]') == ["[{" * 1000]
    assert read(b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT) is not None


def test_a_whole_surrogate_pair_is_a_character() -> None:
    assert read(b'"\\ud83d\\ude00"') == "\N{GRINNING FACE}"


def test_what_is_nearly_json_is_told_apart() -> None:
    with pytest.raises(DuplicateKey):
        read(b'{"a":1,"a":2}')
    with pytest.raises(HalfPair):
        read(b'["\\ud800"]')
    for beyond in (b"[" * 65 + b"]" * 65, b"9" * 4301, b"1e400"):
        with pytest.raises(PastLimit):
            read(beyond)


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b'{"a":1,"a":{"b":2}}', [("a", 1), ("a", [("b", 2)])]),
        (b'["\\ud800"]', ["\ud800"]),
        (b"[" * 100 + b"]" * 100, None),
        (b'{"id":7,"n":' + b"9" * 5000 + b"}", [("id", 7), ("n", None)]),
        (b"[-1e400]", [float("-inf")]),
    ],
)
def test_what_is_refused_can_still_be_looked_at(data: bytes, value: object) -> None:
    with pytest.raises(Unreadable):
        read(data)
    found = read_loosely(data)
    assert value is None or found == value
    assert isinstance(found, Pairs) == data.startswith(b"{")


@pytest.mark.parametrize("data", [b"{", b"[" * 100_000, b"\xff", b"NaN", b'{"a":' * 100_000 + b"}" * 100_000])
def test_what_is_no_json_cannot_even_be_looked_at(data: bytes) -> None:
    with pytest.raises(Unreadable):
        read_loosely(data)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, object()])
def test_what_is_no_json_is_not_written(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        write(value)
