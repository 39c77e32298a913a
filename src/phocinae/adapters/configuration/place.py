"""What editing works on: a place in a file, and the error for what cannot be edited safely."""

from __future__ import annotations

from attrs import frozen

BOM = b"\xef\xbb\xbf"


@frozen
class Place:
    """Where an entry stands: the keys from the top, and whether they lead to a list of entries or to the entry."""

    keys: tuple[str, ...]
    listed: bool

    @property
    def name(self) -> str:
        """The keys as a person writes them."""
        return ".".join(self.keys)


class CannotEdit(Exception):
    """A file that cannot be edited without loss or doubt: what is wrong, and the line, or 0 where there is none."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(why)
        self.line = line


def line_end(raw: bytes) -> bytes:
    """Return the line end that a text uses."""
    first = raw.find(b"\n")
    return b"\r\n" if first > 0 and raw[first - 1 : first] == b"\r" else b"\n"


def line_of(raw: bytes, offset: int) -> int:
    """Return the number of the line, from 1, in which the byte at `offset` stands."""
    return raw.count(b"\n", 0, offset) + 1
