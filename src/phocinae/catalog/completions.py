"""What can be completed while a person fills in the arguments of a prompt or a template, and with what."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from ..errors import InvalidRegistration

if TYPE_CHECKING:
    from .context import CallContext, Parked
    from .tools import Failed, NeedsInput, Rejected

MOST = 100
"""The most values that one answer holds (server/utilities/completion)."""


class ReferenceKind(Enum):
    """What an argument belongs to; the values are those of the protocol."""

    PROMPT = "ref/prompt"
    TEMPLATE = "ref/resource"


@frozen
class Reference:
    """One prompt by its name, or one template by its text."""

    kind: ReferenceKind
    name: str


@frozen
class Completed:
    """The first values, best first, and how many there are in all."""

    values: tuple[str, ...] = ()
    total: int = 0


CompletionHandler: TypeAlias = "Callable[[CallContext], Completed | NeedsInput | Failed | Rejected | Parked]"
"""Is given what was written so far as `partial`, and the arguments that are settled."""


class Completions:
    """What answers for which argument of what."""

    def __init__(self) -> None:
        """Start without any."""
        self._handlers: dict[tuple[Reference, str], CompletionHandler] = {}

    def __bool__(self) -> bool:
        """Whether anything can be completed."""
        return bool(self._handlers)

    def add(self, reference: Reference, argument: str, handler: CompletionHandler) -> None:
        """Let `handler` answer for `argument`; raise InvalidRegistration when something does already."""
        if (reference, argument) in self._handlers:
            raise InvalidRegistration(f"{argument!r} of {reference.name!r} is completed already; register it once")
        self._handlers[reference, argument] = handler

    def remove(self, reference: Reference) -> None:
        """Complete no argument of `reference` any more."""
        self._handlers = {key: handler for key, handler in self._handlers.items() if key[0] != reference}

    def find(self, reference: Reference, argument: str) -> CompletionHandler | None:
        """Return what answers for `argument`, or None."""
        return self._handlers.get((reference, argument))
