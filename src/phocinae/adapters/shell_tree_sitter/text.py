"""One text while it is being read: its bytes, what is not understood of it, and where it stands."""

from __future__ import annotations

from ...domain.shell import Gap
from .heredocs import Document
from .prefixes import Prefix
from .tree import Budget

MOST_LEVELS = 12
"""How deep texts may stand within texts: backquotes in backquotes, substitutions in here-documents."""


class Findings:
    """What one reading found besides commands, shared by all texts within it.

    `gaps` may hide commands; `differences` are read as bash reads them, and some other shell does not.
    `comments` are the spans of comments, empty ones where the place is not exact.
    """

    __slots__ = ("comments", "differences", "gaps")

    def __init__(self) -> None:
        self.gaps: list[Gap] = []
        self.differences: list[Gap] = []
        self.comments: list[tuple[int, int]] = []

    def mark(self) -> tuple[int, int, int]:
        """Return a mark to go back to."""
        return len(self.gaps), len(self.differences), len(self.comments)

    def back(self, mark: tuple[int, int, int]) -> None:
        """Forget what was found since `mark`."""
        del self.gaps[mark[0] :]
        del self.differences[mark[1] :]
        del self.comments[mark[2] :]


class Text:
    """A text, or a text within one (between backquotes, in a here-document).

    Offsets of the parser are bytes of `data`; `point` turns them into code points of
    the judged text.  `documents` holds the here-documents by the byte at which their
    operator starts, `operators` the redirection operators that were rewritten, and
    `prefixes` the reserved words that were taken out, by the byte at which their command starts.
    """

    __slots__ = (
        *("_points", "budget", "data", "documents", "found", "level", "limit", "operators", "origin", "prefixes"),
    )

    def __init__(self, text: str, budget: Budget, found: Findings, *, level: int = 0, origin: int = 0) -> None:
        self.budget = budget
        self.found = found
        self.level = level
        self.origin = origin
        self.limit = origin + len(text)
        self.documents: dict[int, Document] = {}
        self.operators: dict[int, str] = {}
        self.prefixes: dict[int, Prefix] = {}
        self.rewrite(text)

    def rewrite(self, text: str) -> None:
        """Put a text of the same length in code points in place of the one that was read."""
        self.data = text.encode()
        self._points = None if len(self.data) == len(text) else _code_points(self.data)

    def byte(self, text: str, point: int) -> int:
        """Return the byte at which a code point of `text` starts."""
        return point if self._points is None else len(text[:point].encode())

    def point(self, byte: int) -> int:
        """Return the code point offset of a byte; inside rewritten text it is the nearest one known."""
        place = byte if self._points is None else self._points[min(byte, len(self._points) - 1)]
        return min(self.origin + place, self.limit)

    def slice(self, start: int, end: int) -> str:
        """Return the characters between two byte offsets."""
        return self.data[start:end].decode()

    def char(self, byte: int) -> str:
        """Return the character that starts at a byte offset; empty at the end of the text."""
        return self.data[byte : byte + 4].decode(errors="ignore")[:1]

    def gap(self, start: int, end: int, why: str) -> None:
        """Note that the bytes from `start` to `end` may hide a command."""
        self.found.gaps.append(Gap(self.point(start), self.point(end), why))

    def differs(self, start: int, end: int, why: str) -> None:
        """Note that some shell reads the bytes from `start` to `end` in another way than bash."""
        self.found.differences.append(Gap(self.point(start), self.point(end), why))

    def comment(self, start: int, end: int) -> None:
        """Note a comment; of one in a text within another about where it is, because that is not exact."""
        point = self.point(start)
        self.found.comments.append((point, point if self.level else self.point(end)))


def _code_points(data: bytes) -> list[int]:
    points, count = [], -1
    for byte in data:
        if byte & 0xC0 != 0x80:  # not a continuation byte
            count += 1
        points.append(count)
    points.append(count + 1)
    return points
