"""Text for a person's eyes: nothing is hidden, and nothing is taken for something else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.visible import hides, spelled, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ls -la 'ünïcode' 中文 🦭", "ls -la 'ünïcode' 中文 🦭"),
        ("a\nb\tc", "a\\nb\\tc"),
        ("\x1b[2K", "\\x1b[2K"),
        ("\u202egnihton", "\\u202egnihton"),
        ("a\u200bb\u2066c", "a\\u200bb\\u2066c"),
        ("a\ufe0fb\u3164", "a\\ufe0fb\\u3164"),
        ("\U000e0101", "\\U000e0101"),
        ("\ud800", "\\ud800"),
    ],
)
def test_what_cannot_be_seen_is_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_a_line_break_is_not_taken_for_its_escape() -> None:
    assert spelled("echo a\\nb\n") == "echo a\\\\nb\\n"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("ls -la", False),
        ("a" + " " * 19 + "b", False),
        ("a" + " " * 20 + "b", True),
        ("a\u200bb", True),
        ("a\\b", False),
    ],
)
def test_many_blanks_hide_what_follows(text: str, answer: bool) -> None:
    assert hides(text) is answer


PIECES = st.lists(st.sampled_from([" " * 10, " ", "\\", "\\x20{20}", "{20}", "\n", "n"]), max_size=6).map("".join)


@given(PIECES, PIECES)
def test_no_run_of_blanks_is_spelled_like_something_else(one: str, other: str) -> None:
    assert (spelled(one) == spelled(other)) is (one == other)


@given(st.text(), st.text())
def test_no_two_texts_are_spelled_alike(one: str, other: str) -> None:
    assert (spelled(one) == spelled(other)) is (one == other)


@given(st.text())
def test_what_is_shown_is_one_line_of_printable_signs(text: str) -> None:
    assert visible(text).isprintable()
    assert spelled(text).isprintable()
