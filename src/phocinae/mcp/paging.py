"""Long lists in pages, with cursors that need no memory (server/utilities/pagination).

A cursor stands for a place in one very list: it is refused in another list, in one of
other entries, and in any spelling but the one that was given out.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Generic, TypeVar

from attrs import frozen

PAGE_SIZE = 50
"""The most entries on one page."""

Entry = TypeVar("Entry")


@frozen
class Page(Generic[Entry]):
    """Some entries of a list; `following` is the cursor of the next page, or None on the last one."""

    entries: tuple[Entry, ...] = ()
    following: str | None = None


def page(kind: str, entries: Sequence[Entry], names: Sequence[str], cursor: str | None) -> Page[Entry] | None:
    """Return the page at `cursor`, the first one for None, or None for a cursor that was never given out.

    `kind` says what is listed, and `names` tell the entries apart.
    """
    start = 0
    if cursor is not None:
        starts = range(PAGE_SIZE, len(entries), PAGE_SIZE)
        found = next((place for place in starts if _cursor(kind, names, place) == cursor), None)
        if found is None:
            return None
        start = found
    end = start + PAGE_SIZE
    return Page(tuple(entries[start:end]), _cursor(kind, names, end) if end < len(entries) else None)


def _cursor(kind: str, names: Sequence[str], place: int) -> str:
    return hashlib.sha256("\n".join((kind, str(place), *names)).encode("utf-8", "replace")).hexdigest()[:32]
