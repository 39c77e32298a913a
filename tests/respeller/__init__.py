"""Respells a command into texts that a shell runs with the same meaning.

It knows the manual pages and nothing of the gate, so that the gate can be measured with it:
whatever a command's verdict is, it has to be that of all its spellings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from attrs import frozen

from . import expanding, options, placing, spelling, wrapping
from .kinds import Base, Kind, is_posix, many

_SINGLE: tuple[Kind, ...] = (
    *spelling.KINDS,
    *options.KINDS,
    *wrapping.KINDS,
    *placing.KINDS,
    *expanding.KINDS,
)
LONGEST = 2_000
"""Longest text that is respelled once more, in characters."""


def _combined(base: Base, rng: Random) -> str | None:
    """Return the command respelled two or three times, each time what came out of the time before."""
    firm = [kind for kind in _SINGLE if not kind.ends and (base.label == "deny" or not kind.denied_only)]
    text, times = base.text, 0
    for kind in rng.sample(firm, len(firm)):
        made = kind.make(Base(text, base.label), rng)
        if made is not None and len(made) <= LONGEST:
            text, times = made, times + 1
        if times == 3 or (times == 2 and rng.random() < 0.5):
            return text
    return None


KINDS: tuple[Kind, ...] = (*_SINGLE, Kind(name="combined", make=_combined))

__all__ = ["KINDS", "Base", "Kind", "Variant", "is_posix", "variants"]


@frozen
class Variant:
    """One respelling: its kind, the base that it is of, and its text."""

    kind: Kind
    base: Base
    text: str


def variants(bases: Iterable[tuple[str, str]], seed: int, most: int) -> Iterator[Variant]:
    """Return up to `most` respellings of each kind for commands and their labels; the same seed gives the same ones."""
    for command, label in bases:
        if not is_posix(command):
            continue
        base = Base(command, label)
        for kind in KINDS:
            rng = Random(f"{seed} {kind.name} {command}")
            for text in many(base, kind, rng, most):
                yield Variant(kind, base, text)
