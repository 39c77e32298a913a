"""Brace expansion, over words that are already in parts.

Rule: bash manual, "Brace Expansion"; zsh agrees on these forms.  Only unquoted literal
text takes part; everything else is carried along as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...domain.shell import Part, PartKind

MOST = 64
"""The most words that one word may become."""

MOST_ATOMS, MOST_OPENERS = 400, 16
"""The longest word, and the most opening braces, that are looked into."""

_SEQUENCE = re.compile(r"(-?\d{1,9}|.)\.\.(-?\d{1,9}|.)(?:\.\.(-?\d{0,9}))?\Z", re.S)
_NUMBER = re.compile(r"-?\d+\Z")
_LETTERS = re.compile(r"[a-z][a-z]\Z|[A-Z][A-Z]\Z")
_PADDED = re.compile(r"-?0\d")

Atom = str | Part
"""One unquoted character, or a part that braces do not look into."""


class Unclear(Exception):
    """The braces stand for more words than a reading keeps, or shells differ on what they stand for."""


def expand(parts: Sequence[Part]) -> list[tuple[Part, ...]]:
    """Return the words that `parts` stand for, at least one.

    Raises:
        Unclear: there are more than `MOST`, or shells differ on them.
    """
    if not any(part.kind is PartKind.LITERAL and not part.quoted and "{" in part.text for part in parts):
        return [tuple(parts)]
    atoms: list[Atom] = []
    for part in parts:
        if part.kind is PartKind.LITERAL and not part.quoted:
            atoms.extend(part.text)
        else:
            atoms.append(part)
    if len(atoms) > MOST_ATOMS or atoms.count("{") > MOST_OPENERS:
        raise Unclear
    return [_joined(word) for word in _expand(atoms)]


def _joined(atoms: Sequence[Atom]) -> tuple[Part, ...]:
    parts: list[Part] = []
    text = ""
    for atom in atoms:
        if isinstance(atom, str):
            text += atom
            continue
        if text:
            parts.append(Part(kind=PartKind.LITERAL, text=text))
            text = ""
        parts.append(atom)
    if text:
        parts.append(Part(kind=PartKind.LITERAL, text=text))
    return tuple(parts)


def _expand(atoms: list[Atom]) -> list[list[Atom]]:
    for start, atom in enumerate(atoms):
        if atom != "{":
            continue
        found = _alternatives(atoms, start)
        if found is None:
            continue
        choices, end = found
        tails = _expand(atoms[end:])
        words = [atoms[:start] + head + tail for choice in choices for head in _expand(choice) for tail in tails]
        if len(words) > MOST:
            raise Unclear
        return words
    return [atoms]


def _alternatives(atoms: list[Atom], start: int) -> tuple[list[list[Atom]], int] | None:
    """Return what stands between the brace at `start` and its partner, and the offset behind it."""
    depth, choices = 0, [[]]  # type: tuple[int, list[list[Atom]]]
    closed = False
    for place in range(start + 1, len(atoms)):
        atom = atoms[place]
        if atom == "}" and depth == 0:
            if closed and len(choices) > 1:  # in bash {a},b} is a} and b
                raise Unclear
            if len(choices) > 1:
                return choices, place + 1
            sequence = None if closed else _sequence(choices[0])
            if sequence is not None:
                return sequence, place + 1
            closed = True
        elif atom == "," and depth == 0:
            choices.append([])
            continue
        else:
            depth += (atom == "{") - (atom == "}")
        choices[-1].append(atom)
    return None


def _sequence(atoms: list[Atom]) -> list[list[Atom]] | None:
    text = "".join(atom if isinstance(atom, str) else atom.text for atom in atoms)
    if not all(isinstance(atom, str) for atom in atoms):
        if ".." in text:
            raise Unclear
        return None
    match = _SEQUENCE.match(text)
    if match is None:
        if text.startswith(".."):
            raise Unclear
        return None
    first, last, step = match.groups()
    if _LETTERS.match(first + last) and step is None:
        return [[chr(value)] for value in _range(ord(first), ord(last), 1)]
    if not (_NUMBER.match(first) and _NUMBER.match(last)) or (step is not None and not _NUMBER.match(step)):
        raise Unclear
    width = max((len(bound) for bound in (first, last) if _PADDED.match(bound)), default=0)
    return [list(str(value).zfill(width)) for value in _range(int(first), int(last), int(step or 1))]


def _range(first: int, last: int, step: int) -> range:
    if step < 1 or abs(last - first) // step >= MOST:
        raise Unclear
    return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
