"""The hits of one judgement: each once, and no more of one weight than a person would read."""

from __future__ import annotations

from attrs import evolve

from .verdict import Hit, Weight

MOST_OF_A_WEIGHT = 100
"""Hits of one weight that are kept; the heaviest decides, so that more of them change no verdict."""


Key = tuple[str, Weight, int, int, str]
"""The rule and the weight of a hit, where it stands, and what it is about."""


class Hits:
    """A growing collection of hits."""

    __slots__ = ("_kept", "_kept_of")

    def __init__(self) -> None:
        self._kept: dict[Key, Hit] = {}
        self._kept_of: dict[Weight, int] = {}

    def wants(self, key: Key) -> bool:
        """Return whether a hit would be kept: it is the first of its key, and there are not too many of its weight."""
        return key not in self._kept and self._kept_of.get(key[1], 0) < MOST_OF_A_WEIGHT

    def keep(self, key: Key, hit: Hit) -> None:
        """Keep a hit that is wanted."""
        weight = hit.weight
        self._kept_of[weight] = self._kept_of.get(weight, 0) + 1
        self._kept[key] = hit

    def add(self, hit: Hit) -> None:
        """Keep a hit, once for each rule, place and reason."""
        key = (hit.rule, hit.weight, hit.start, hit.end, hit.reason)
        if self.wants(key):
            self.keep(key, hit)

    def add_all(self, hits: Hits, start: int, end: int) -> None:
        """Keep the hits of a text that is carried between two offsets."""
        for hit in hits._kept.values():
            if self.wants((hit.rule, hit.weight, start, end, hit.reason)):
                self.add(evolve(hit, start=start, end=end))

    def add_heavy(self, hits: Hits, least: Weight) -> None:
        """Keep those hits of another judgement that weigh at least so much."""
        for hit in hits._kept.values():
            if hit.weight >= least:
                self.add(hit)

    def allow(self) -> bool:
        """Return whether none of them keeps a text from being allowed."""
        return max(self._kept_of, default=Weight.NOTE) is Weight.NOTE

    def denies(self) -> bool:
        """Return whether one of them denies."""
        return Weight.DENY in self._kept_of

    def heaviest_first(self) -> list[Hit]:
        """Return them by weight, and of one weight in the order of the text."""
        if len(self._kept) < 2:
            return list(self._kept.values())
        return sorted(self._kept.values(), key=lambda hit: (-hit.weight, hit.start))
