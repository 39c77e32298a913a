from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import quoting


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a b", "a b"),
        (r"\"", '"'),
        (r"\$x", "$x"),
        (r"\`", "`"),
        (r"\\", "\\"),
        (r"\n\!\'", r"\n\!\'"),
        ("a\\\nb", "ab"),
        (r"\\n", r"\n"),
    ],
)
def test_double_quotes_leave_five_escapes(text: str, value: str) -> None:
    assert quoting.double_quoted(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [(r"\$x \` \\", r"$x ` \ ".rstrip()), (r"\"", r"\""), ("a\\\nb", "ab")],
)
def test_a_body_leaves_four(text: str, value: str) -> None:
    assert quoting.body(text) == value


@pytest.mark.parametrize(
    ("text", "plain", "double"),
    [
        (r"\$x \` \\", r"$x ` \ ".rstrip(), r"$x ` \ ".rstrip()),
        (r"\"a\"", r"\"a\"", '"a"'),
        (r"\\\$", r"\$", r"\$"),
        (r"\a", r"\a", r"\a"),
        ("a\\\nb", "a\\\nb", "a\\\nb"),
    ],
)
def test_backquotes_take_one_level_of_backslashes_away(text: str, plain: str, double: str) -> None:
    assert quoting.backquoted(text, in_double_quotes=False) == plain
    assert quoting.backquoted(text, in_double_quotes=True) == double


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"a\tb", "a\tb"),
        (r"\a\b\e\E\f\n\r\v", "\a\b\x1b\x1b\f\n\r\v"),
        (r"\\ \' \" \?", "\\ ' \" ?"),
        (r"\101\x41\u0041\U00000041", "AAAA"),
        (r"\0101", "\b1"),
        (r"\u00e9", "é"),
        (r"\U0001f600", "\U0001f600"),
        ("plain é", "plain é"),
    ],
)
def test_ansi_c_escapes_on_which_shells_agree(text: str, value: str) -> None:
    assert quoting.ansi_c(text) == (value, True)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"a\0b", "a"),
        (r"a\x00b", "a"),
        (r"\w", r"\w"),
        (r"\x", r"\x"),
        (r"\x{41}", r"\x{41}"),
        (r"\u", r"\u"),
        (r"\cA", "\x01"),
        (r"\M-a", r"\M-a"),
        ("a\\\nb", "a\\\nb"),
    ],
)
def test_ansi_c_escapes_on_which_they_do_not(text: str, value: str) -> None:
    assert quoting.ansi_c(text) == (value, False)


@pytest.mark.parametrize("escape", [r"\ud800", r"\Udead0000", r"\ue000", r"\uf8ff", r"\U00110000"])
def test_no_escape_forges_a_character_that_a_judge_uses_as_a_mark(escape: str) -> None:
    assert quoting.ansi_c(escape) == ("\N{REPLACEMENT CHARACTER}", True)


@pytest.mark.parametrize(
    ("text", "value"),
    [("a\\\nb", "ab"), (r"\\" + "\n", r"\\" + "\n"), ("\\\\\\\nb", r"\\b"), (r"\$x", r"\$x"), ("a", "a")],
)
def test_joined_takes_only_line_continuations_away(text: str, value: str) -> None:
    assert quoting.joined(text) == value


def test_unescaped_skips_what_a_backslash_stands_before() -> None:
    assert list(quoting.unescaped(r"`\`\\`", "`")) == [0, 5]


@given(st.text(alphabet="ab`\\\"$\n'"))
def test_text_without_backslashes_stays_as_it_is(text: str) -> None:
    text = text.replace("\\", "")
    assert quoting.double_quoted(text) == quoting.body(text) == quoting.joined(text) == text
    assert quoting.backquoted(text, in_double_quotes=True) == text
    assert quoting.ansi_c(text) == (text, True)
