"""A subscription of the modern era: a request that stays open, and on whose stream a client is told of changes.

It is acknowledged first, tells nothing that was not asked for, and names itself in
everything that it sends (patterns/subscriptions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from ..catalog.changes import Change, ChangeKind
from ..catalog.registration import Catalog
from .jsonrpc import RequestId, encode_notification
from .operations import Listen, StreamEnded
from .revisions import SUBSCRIPTION_ID

LISTS = {
    "toolsListChanged": ChangeKind.TOOLS,
    "promptsListChanged": ChangeKind.PROMPTS,
    "resourcesListChanged": ChangeKind.RESOURCES,
}
"""The lists that a client can follow, by the member of the filter."""


@frozen(kw_only=True)
class Honored:
    """What a subscription tells of, of all that was asked for."""

    lists: frozenset[ChangeKind] = frozenset()
    uris: tuple[str, ...] = ()

    def wants(self, change: Change) -> bool:
        """Whether `change` is to be told."""
        return change.kind in self.lists or (change.kind is ChangeKind.RESOURCE and change.uri in self.uris)

    def to_wire(self) -> dict[str, Any]:
        """Return the filter of the protocol."""
        wire: dict[str, Any] = {name: True for name, kind in LISTS.items() if kind in self.lists}
        return wire | ({"resourceSubscriptions": list(self.uris)} if self.uris else {})


@define(kw_only=True, eq=False, slots=False)  # it is known weakly to whoever makes a change
class Listening:
    """One open subscription under the id of its request."""

    ident: RequestId
    honored: Honored
    send: Callable[[bytes], None]
    _is_open: bool = field(default=False, init=False)
    _is_over: bool = field(default=False, init=False)

    def finish(self) -> Listening:
        """Return the subscription itself: there is nothing to wait for, and no end yet."""
        return self

    def begin(self) -> None:
        """Acknowledge, and tell of changes from now on."""
        self._tell("notifications/subscriptions/acknowledged", {"notifications": self.honored.to_wire()})
        self._is_open = not self._is_over

    def changed(self, change: Change) -> None:
        """Tell of `change` if that was asked for."""
        if self._is_open and self.honored.wants(change):
            self._tell(change.kind.value, {"uri": change.uri} if change.kind is ChangeKind.RESOURCE else {})

    def give_up(self) -> StreamEnded:
        """Return what ends the subscription in order."""
        return StreamEnded(self.ident)

    def close(self) -> None:
        """Tell nothing any more."""
        self._is_over, self._is_open = True, False

    def _tell(self, method: str, params: dict[str, Any]) -> None:
        self.send(encode_notification(method, {"_meta": {SUBSCRIPTION_ID: self.ident}, **params}))


def honored(wish: Listen, catalog: Catalog, *, changing: bool) -> Honored:
    """Return what of `wish` is told of; only a `changing` server tells of its lists."""
    lists = {LISTS[name] for name in wish.lists if name in LISTS} if changing else set()
    if not catalog.prompts.prompts:
        lists.discard(ChangeKind.PROMPTS)
    found = {uri: catalog.shelf.find(uri) for uri in wish.uris}
    uris = tuple(uri for uri, resource in found.items() if resource is not None and resource.subscribable)
    return Honored(lists=frozenset(lists), uris=uris)
