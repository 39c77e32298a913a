"""Values: text in which marks stand for what only the running shell knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain import values
from phocinae.domain.values import (
    ANY,
    BRACKET,
    CWD,
    HOLE,
    HOME,
    LONGEST,
    NO_STREAM,
    NUMBER,
    SPLIT,
    STAR,
    Field,
    Stream,
    Taint,
    together,
)

MARKS = [HOLE, SPLIT, STAR, ANY, HOME, CWD, NUMBER, BRACKET]


def test_marks_are_different_characters() -> None:
    assert len(set(MARKS)) == len(MARKS)
    assert all(len(mark) == 1 for mark in MARKS)


@given(st.text(st.sampled_from(["a", "/", *MARKS, "\ue00f"])))
def test_no_text_from_outside_forges_a_mark(text: str) -> None:
    value = values.plain(text)
    assert len(value) == len(text)
    assert not set(value) & (set(MARKS) - {HOLE})


def test_text_without_marks_is_left_alone() -> None:
    assert values.plain("ls -la ~/*.py\ue010") == "ls -la ~/*.py\ue010"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("*.py", f"{STAR}.py"),
        ("a?", f"a{ANY}"),
        ("a[0-9]b", f"a{ANY}b"),
        ("a[!x]", f"a{ANY}"),
        ("[]x]", ANY),
        ("[!]x]", ANY),
        ("[[:alpha:]]x", f"{ANY}x"),
        ("a[", "a["),
        ("a]", "a]"),
        ("[a/b]", "[a/b]"),
        ("[", "["),
        ("[a][b]", ANY + ANY),
    ],
)
def test_wildcards_come_to_life(text: str, value: str) -> None:
    assert values.bracketed(values.active(text)) == value


@pytest.mark.parametrize(
    ("value", "hides"),
    [("ls -la", False), (f"ls {HOME}", False), (f"head -n {NUMBER}", False), ("", False)]
    + [(f"ls {mark}", True) for mark in (HOLE, SPLIT, STAR, ANY, CWD)],
)
def test_a_value_may_hide_a_command(value: str, hides: bool) -> None:
    assert values.hides(value) is hides


def test_a_value_is_shown_with_its_unknown_parts() -> None:
    assert values.show(f"{HOME}/{STAR}.py {HOLE}{NUMBER}{CWD}") == "~/*.py ……."


def test_a_long_value_is_shown_short() -> None:
    assert values.show("a" * 100_000) == "a" * 79 + "…"
    assert values.show("a" * 80) == "a" * 80


@pytest.mark.parametrize(
    ("text", "static", "unknown", "globbed", "many", "numeric", "may_be_option"),
    [
        ("a", "a", False, False, False, False, False),
        ("-a", "-a", False, False, False, False, False),
        ("", "", False, False, False, False, False),
        ("12", "12", False, False, False, True, False),
        ("-1", "-1", False, False, False, True, False),
        ("1.5", "1.5", False, False, False, False, False),
        ("\u00b2", "\u00b2", False, False, False, False, False),
        (NUMBER, None, True, False, False, True, False),
        (HOLE, None, True, False, False, False, True),
        (f"./{HOLE}", None, True, False, False, False, False),
        (SPLIT, None, True, False, True, False, True),
        (f"./{SPLIT}", None, True, False, True, False, True),
        (STAR, None, False, True, False, False, True),
        (f"a{ANY}", None, False, True, False, False, False),
        (HOME, None, False, False, False, False, False),
    ],
)
def test_what_is_known_of_a_word(
    text: str, static: str | None, unknown: bool, globbed: bool, many: bool, numeric: bool, may_be_option: bool
) -> None:
    field = Field(text)
    assert (field.static, field.unknown, field.globbed, field.many, field.numeric, field.may_be_option) == (
        static,
        unknown,
        globbed,
        many,
        numeric,
        may_be_option,
    )


def test_a_field_with_another_text_stands_where_it_stood() -> None:
    stream = Stream("x")
    field = Field("a", 3, 4, Taint.REMOTE, stream)
    assert field.with_text("b") == Field("b", 3, 4, Taint.REMOTE, stream)


def test_perhaps_puts_the_unknown_around_what_is_known() -> None:
    assert Stream("a", Taint.SECRET, "i").perhaps() == Stream(f"{HOLE}\na\n{HOLE}", Taint.SECRET, "i")
    assert Stream(None, Taint.SECRET).perhaps() == Stream(None, Taint.SECRET)


def test_what_comes_out_of_several_commands() -> None:
    one = Stream("a\n", Taint.REMOTE)
    assert together([one]) is one
    assert together([one, Stream("b", Taint.SECRET)]) == Stream(f"{HOLE}\na\n\nb\n{HOLE}", Taint.REMOTE | Taint.SECRET)
    assert together([one, Stream(None)]).text == f"{HOLE}\na\n\n{HOLE}\n{HOLE}"
    assert together([Stream(None), Stream(None, Taint.DECODED)]) == Stream(None, Taint.DECODED)
    assert together([NO_STREAM, Stream("a" * (LONGEST + 1))]).text is None


def test_the_origin_of_words() -> None:
    assert values.taint_of([Field("a", taint=Taint.REMOTE), Field("b", taint=Taint.SECRET)]) == (
        Taint.REMOTE | Taint.SECRET
    )
    assert values.taint_of([]) is Taint.NONE
