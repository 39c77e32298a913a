from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter.text import Findings, Text
from phocinae.adapters.shell_tree_sitter.tree import Budget
from phocinae.domain.shell import Gap


def text(source: str, **given: int) -> Text:
    return Text(source, Budget(), Findings(), **given)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.data())
def test_points_and_bytes_are_each_other_s_inverse(source: str, data: st.DataObject) -> None:
    found = text(source)
    point = data.draw(st.integers(0, len(source)))
    byte = found.byte(source, point)
    assert byte == len(source[:point].encode())
    assert found.point(byte) == point
    assert found.slice(0, byte) == source[:point]
    assert found.char(byte) == source[point : point + 1]


def test_a_byte_inside_a_character_belongs_to_it() -> None:
    found = text("é文x")
    assert [found.point(byte) for byte in range(7)] == [0, 0, 1, 1, 1, 2, 3]
    assert found.char(1) == "文"


@pytest.mark.parametrize("source", ["abc", "é文c"])
def test_a_text_within_a_text_stands_where_it_begins_there(source: str) -> None:
    found = text(source, level=1, origin=10)
    assert [found.point(found.byte(source, point)) for point in range(4)] == [10, 11, 12, 13]


def test_no_point_lies_behind_the_limit() -> None:
    found = text("abc", origin=10)
    found.limit = 11
    assert [found.point(byte) for byte in range(4)] == [10, 11, 11, 11]


def test_a_gap_is_kept_in_code_points() -> None:
    found = text("é文x")
    found.gap(2, 5, "why")
    assert found.found.gaps == [Gap(1, 2, "why")]


def test_a_rewritten_text_keeps_its_points() -> None:
    found = text("<<é a")
    found.rewrite("<__ a")
    assert found.data == b"<__ a"
    assert found.point(4) == 4
