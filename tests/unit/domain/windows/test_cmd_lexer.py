"""Variables, quotes and carets of cmd: what is a sign of its grammar, and where each character comes from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.shell import Gap
from phocinae.domain.windows import cmd_lexer
from phocinae.domain.windows.cmd_lexer import HIDDEN, VARIABLE, Line
from phocinae.domain.windows.cmd_variables import Expansion, TooLong


def lexed(text: str) -> tuple[Line, list[Gap]]:
    gaps: list[Gap] = []
    return cmd_lexer.read(Expansion(text).raw, gaps), gaps


OUTLINES = [
    ("a & b", "a & b"),
    ("a ^& b", "a # b"),
    ('a "& b" & c', 'a "###" & c'),
    ('a "^& b', 'a "####'),
    ("r^d", "rd"),
    ("a ^\n& b", "a # b"),
    ("^^&", "#&"),
    ("%PATH% & b", "@ & b"),
    ("%windir%", "C:\\Windows"),
    ("100%", "100%"),
    ("for %i in (a) do %i", "for @ in (a) do @"),
    ('^"&', "#&"),
]


@pytest.mark.parametrize(("text", "outline"), OUTLINES)
def test_signs(text: str, outline: str) -> None:
    line, _ = lexed(text)
    assert line.outline.replace(HIDDEN, "#").replace(VARIABLE, "@") == outline
    assert len(line.chars) == len(line.outline)


@pytest.mark.parametrize("text", ['a "b', 'a "b\nc', "a ^", "a ^\n"])
def test_what_has_no_end_is_a_gap(text: str) -> None:
    assert lexed(text)[1]


def test_a_value_comes_from_where_its_variable_stands() -> None:
    line, _ = lexed("x %windir%\\y")
    assert {(char.start, char.end) for char in line.chars[2:-2]} == {(2, 10)}
    assert (line.chars[-1].start, line.chars[-1].end) == (11, 12)


def test_values_are_bounded() -> None:
    with pytest.raises(TooLong):
        Expansion("set a=" + "x" * 4_000 + "\n" + "%a%" * 12)


@given(st.text(st.sampled_from('abi \n%!^"&|<>()=:~0,\r'), max_size=40))
def test_every_character_has_a_place(text: str) -> None:
    line, gaps = lexed(text)
    assert len(line.chars) == len(line.outline)
    assert all(0 <= char.start <= char.end <= len(text) for char in line.chars)
    assert [char.start for char in line.chars] == sorted(char.start for char in line.chars)
    assert all(0 <= gap.start <= gap.end <= len(text) for gap in gaps)
