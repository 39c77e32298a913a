"""Who is told of the calls of tools, and what."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from threading import current_thread, main_thread
from typing import Any, TypeAlias

from attrs import field, frozen


class Ended(Enum):
    """What a call of a tool ended with; `ASKED` will be sent again with replies."""

    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"
    ASKED = "asked"


@frozen(kw_only=True)
class CallRecord:
    """One call whose result is settled: what was called with what, and the result as it goes out, or the error.

    Arguments and results may hold secrets.
    """

    tool: str
    arguments: dict[str, Any] = field(hash=False)
    ended: Ended
    result: dict[str, Any] = field(hash=False)


Listener: TypeAlias = Callable[[CallRecord], object]


class Listeners:
    """The listeners of a server, in the order in which they came."""

    def __init__(self) -> None:
        """Start without any."""
        self._listeners: tuple[Listener, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is one."""
        return bool(self._listeners)

    def add(self, listener: Listener) -> None:
        """Tell `listener` too from now on."""
        self._listeners = (*self._listeners, listener)

    def tell(self, record: CallRecord, failed: Callable[[str], None]) -> None:
        """Tell all of them; `failed` gets the name of the error of each one that raises."""
        for listener in self._listeners:
            try:
                listener(record)
            except BaseException as error:  # a listener must not change what a client gets, or end a thread
                if isinstance(error, KeyboardInterrupt) and current_thread() is main_thread():
                    raise
                failed(type(error).__name__)
