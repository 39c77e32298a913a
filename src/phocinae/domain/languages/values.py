"""What expressions of a programming language come to."""

from __future__ import annotations

from collections.abc import Callable

from ..light import light
from ..values import HOLE, LONGEST

MOST_ITEMS = 100
"""Elements of a list that are kept."""


@light(kw_only=True)
class Value:
    """What an expression comes to: a text that is a value of the shell, elements, or the dotted name of something.

    `fields` are named arguments and entries, and `taint` where it comes from.
    """

    text: str | None = None
    items: tuple[Value, ...] | None = None
    ref: str = ""
    taint: int = 0
    fields: tuple[tuple[str, Value], ...] = ()

    def field(self, name: str) -> Value | None:
        """Return a named entry."""
        return next((value for key, value in self.fields if key == name), None)

    def words(self) -> list[Value]:
        """Return the elements of a list, with those of lists in it, or the value itself."""
        if self.items is None:
            return [self]
        return [word for item in self.items[:MOST_ITEMS] for word in item.words()][:MOST_ITEMS]


UNKNOWN = Value()
Act = Callable[[str, "Value | None", Value], "Value | None"]
"""What calls are told to: the function's dotted name, what it is a method of, and the arguments as items and fields."""


def joined(left: Value, right: Value) -> Value:
    """Return two strings in a row, or two lists."""
    taint = left.taint | right.taint
    if left.items is not None or right.items is not None:
        return Value(items=(*(left.items or ()), *(right.items or (right,)))[:MOST_ITEMS], taint=taint)
    if left.text is None and right.text is None:
        return Value(taint=taint)
    return Value(
        text=((HOLE if left.text is None else left.text) + (HOLE if right.text is None else right.text))[:LONGEST],
        taint=taint,
    )
