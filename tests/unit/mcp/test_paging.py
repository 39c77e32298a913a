"""Lists in pages: all entries once and in order, and no cursor but those that were given out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.mcp.paging import PAGE_SIZE, Page, page


def names(count: int) -> list[str]:
    return [f"n{number}" for number in range(count)]


def walk(kind: str, entries: list[str]) -> list[Page[str]]:
    """Return all pages of a list, in order."""
    pages: list[Page[str]] = []
    cursor = None
    while not pages or cursor is not None:
        found = page(kind, entries, entries, cursor)
        assert found is not None
        pages.append(found)
        cursor = found.following
    return pages


@given(st.integers(0, 4 * PAGE_SIZE))
def test_the_pages_hold_every_entry_once_and_in_order(count: int) -> None:
    pages = walk("tools", names(count))
    assert [entry for one in pages for entry in one.entries] == names(count)
    assert all(len(one.entries) == PAGE_SIZE for one in pages[:-1])
    assert len(pages) == max(1, -(-count // PAGE_SIZE))


def test_a_cursor_is_the_same_each_time_and_good_again() -> None:
    first, second, third = (one for one in walk("tools", names(120)))
    assert walk("tools", names(120)) == [first, second, third]
    assert page("tools", names(120), names(120), first.following) == second


@pytest.mark.parametrize("cursor", ["", "x", "50", "0", "\ud800", "0" * 32])
def test_a_cursor_that_was_never_given_out_gives_no_page(cursor: str) -> None:
    assert page("tools", names(120), names(120), cursor) is None


def test_a_cursor_belongs_to_one_list() -> None:
    cursor = walk("tools", names(120))[0].following
    assert cursor is not None
    assert page("resources", names(120), names(120), cursor) is None
    assert page("tools", names(121), names(121), cursor) is None
    assert page("tools", names(120), list(reversed(names(120))), cursor) is None
    assert page("tools", names(120), names(120), cursor.upper()) is None
