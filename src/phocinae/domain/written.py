"""What a text itself writes into files, so that code in them is judged where it is run.

Contents add up: a file may hold all that the text has written to it so far, in whatever
branch.  A name that is not known at all is not remembered.  Nothing here makes a verdict
milder, since every write is weighed as well.
"""

from __future__ import annotations

import re

from . import places
from .values import ANY, HOLE, SPLIT, STAR, Stream, Taint

MOST_FILES = 50
"""Files of one text that are remembered."""
MOST_CONTENTS = 4
"""Contents of one file that are remembered."""

_WILD = re.compile(f"[{STAR}{ANY}]")
_UNKNOWN = re.compile(f"[{HOLE}{SPLIT}]")


class Files:
    """The files that one text has written, by their paths as values."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[str, list[Stream]] = {}

    def add(self, path: str, cwd: str, content: Stream) -> None:
        """Remember what is written to a path, unless nothing is known of it."""
        if (content.text is None or not content.text.strip(f"{HOLE}\n")) and content.taint == Taint.NONE:
            return
        key = _key(path, cwd)
        if _WILD.search(path) or not _UNKNOWN.sub("", key.rpartition("/")[2]):
            return
        kept = self._kept.get(key, [])
        if len(kept) < MOST_CONTENTS and len(self._kept) < MOST_FILES and content not in kept:
            self._kept[key] = [*kept, content]

    def of(self, path: str, cwd: str) -> list[Stream]:
        """Return what the text has written to a path."""
        return self._kept.get(_key(path, cwd), []) if self._kept else []


def _key(path: str, cwd: str) -> str:
    return places.resolve(path, cwd).replace(SPLIT, HOLE)
