"""Hostile text made fit for a person's eyes.

Text that comes from a command, or from a service, may try to drive a terminal, to
reverse the reading direction or to hide.  Here every character that shows nothing gets an
escape.
"""

from __future__ import annotations

import re

_INVISIBLE = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    )
)
"""Characters that Python calls printable and that show nothing: fillers, joiners, variation selectors."""


_BLANKS = re.compile(" {20,}")
"""So many that what comes behind them may stand where nobody looks."""


def sign(character: str) -> str:
    """Return `character` if a person can see it, or if it is a blank, and its escape otherwise."""
    if character.isprintable() and ord(character) not in _INVISIBLE:
        return character
    return character.encode("unicode_escape").decode("ascii")


def visible(text: str) -> str:
    """Return `text` on one line, with an escape for every character that is no visible sign or blank."""
    return text if text.isascii() and text.isprintable() else "".join(map(sign, text))


def hides(text: str) -> bool:
    """Tell whether there is something in `text` that a person would not see: an escape of `visible`, or many blanks."""
    return visible(text) != text or _BLANKS.search(text) is not None


def spelled(text: str) -> str:
    """Return `visible` of `text` with each backslash of its own doubled, and with the length of a long run of blanks.

    No two texts are shown alike.
    """
    shown = "".join("\\\\" if one == "\\" else sign(one) for one in text)
    return _BLANKS.sub(lambda run: f"\\x20{{{len(run[0])}}}", shown)
