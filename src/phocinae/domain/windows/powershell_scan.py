"""Where a reader of PowerShell stands in its text, and what it steps over: blanks, line ends, comments.

Source: about_Parsing, about_Comments, about_Special_Characters.
"""

from __future__ import annotations

import re

from ..shell import Gap, Node, Part, PartKind, Word

MOST_NESTED = 24
"""How deep brackets and blocks may stand in one another; a text that nests deeper is not read."""

MOST_WORDS = 1_000
"""Words that are read of one text; the rest of a longer one is left out."""

BLANK = " \t\f\v"
LINE_END = "\r\n"
_STEPS_OVER = re.compile(r"(?:[ \t\f\v]+|`(?:\r\n|[\r\n])|#[^\r\n]*|<#(?s:.*?)#>)+")
_LINES_TOO = re.compile(r"(?:[ \t\f\v\r\n]+|`(?:\r\n|[\r\n])|#[^\r\n]*|<#(?s:.*?)#>)+")
_ODD = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f\x85\xa0\u1680\u2000-\u200f\u2013-\u2015\u2018-\u201f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
)
_MEANT = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e", '"')
    | dict.fromkeys("\u2013\u2014\u2015", "-")
    | dict.fromkeys("\x85\xa0\u1680\u202f\u205f\u3000", " ")
    | {chr(code): " " for code in range(0x2000, 0x200B)}
)
"""Quotes, dashes and blanks beyond ASCII that PowerShell takes for plain ones."""


class Refused(Exception):
    """The text cannot be read on from here."""

    def __init__(self, at: int, why: str) -> None:
        super().__init__(why)
        self.at = at
        self.why = why


class Scanner:
    """A position in a text, with the steps that all parts of the grammar take."""

    def __init__(self, text: str) -> None:
        self.gaps: list[Gap] = []
        odd = _ODD.search(text)
        if odd is not None:
            self.gaps.append(Gap(odd.start(), odd.end(), "a character that is not what it looks like"))
        self.text = text.translate(_MEANT)
        self.at = 0
        self.depth = 0
        self.words = 0

    def peek(self, length: int = 1) -> str:
        """Return the next characters, fewer at the end of the text."""
        return self.text[self.at : self.at + length]

    def starts(self, *openings: str) -> bool:
        """Return whether one of these stands here."""
        return self.text.startswith(openings, self.at)

    def take(self, opening: str) -> bool:
        """Step over a text if it stands here; return whether it does."""
        if not self.text.startswith(opening, self.at):
            return False
        self.at += len(opening)
        return True

    def need(self, opening: str) -> None:
        """Step over a text that must stand here."""
        if not self.take(opening):
            raise Refused(self.at, f"{opening} is missing")

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Step over what a pattern matches here, if it does."""
        found = pattern.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        return found

    def blanks(self) -> None:
        """Step over blanks, comments and joined lines."""
        self.match(_STEPS_OVER)

    def lines(self) -> None:
        """Step over blanks, comments and line ends."""
        self.match(_LINES_TOO)

    def deeper(self) -> None:
        """Go one bracket deeper."""
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise Refused(self.at, "brackets are nested too deeply")

    def word(self, parts: list[Part], start: int) -> Word:
        """Return a word that ends here."""
        self.words += 1
        if self.words > MOST_WORDS:
            raise Refused(self.at, "it has too many words")
        return Word(tuple(parts), start, self.at)


def literal(text: str) -> Part:
    """Return a part that stands for itself."""
    return Part(kind=PartKind.LITERAL, text=text, quoted=True)


def commands(script: Node) -> Part:
    """Return a part that is what some commands print."""
    return Part(kind=PartKind.COMMAND, quoted=True, script=script)


def computed(*words: Word) -> Part:
    """Return a part that comes of these words in a way that is not followed."""
    return Part(kind=PartKind.OPAQUE, quoted=True, words=words)
