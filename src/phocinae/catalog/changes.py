"""What changes in a catalog while a server runs, and who is told of it."""

from __future__ import annotations

from enum import Enum
from threading import Lock
from typing import Protocol
from weakref import WeakSet

from attrs import frozen


class ChangeKind(Enum):
    """What changed; the values are the notifications of the protocol."""

    TOOLS = "notifications/tools/list_changed"
    PROMPTS = "notifications/prompts/list_changed"
    RESOURCES = "notifications/resources/list_changed"
    RESOURCE = "notifications/resources/updated"


@frozen
class Change:
    """One change; `uri` is the one of the resource whose contents changed."""

    kind: ChangeKind
    uri: str = ""


class Watcher(Protocol):
    """Somebody who wants to be told."""

    def changed(self, change: Change) -> None:
        """Take notice of `change`, on the thread that made it; must not raise."""


class Changes:
    """The watchers of a catalog, which are forgotten when nobody else knows them any more."""

    def __init__(self) -> None:
        """Start without any."""
        self._lock = Lock()
        self._watchers: WeakSet[Watcher] = WeakSet()

    def join(self, watcher: Watcher) -> None:
        """Tell `watcher` too from now on."""
        with self._lock:
            self._watchers.add(watcher)

    def tell(self, change: Change) -> None:
        """Tell all watchers."""
        with self._lock:
            watchers = tuple(self._watchers)
        for watcher in watchers:
            watcher.changed(change)
