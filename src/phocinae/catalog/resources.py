"""What a resource is, and the shelf that a server takes its resources from."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from attrs import frozen


@frozen(kw_only=True)
class Freshness:
    """How long a client may keep an answer, in milliseconds, and whether it may share it between users."""

    milliseconds: int
    shared: bool


FIXED = Freshness(milliseconds=3_600_000, shared=True)
"""For what changes with a new version of the server only."""

PERSONAL = Freshness(milliseconds=60_000, shared=False)
"""For what is written from the settings of whoever runs the server."""


@frozen(kw_only=True, eq=False)
class Resource:
    """One text that a client can read at `uri`; `read` returns it as it is now, and does not wait."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[[], str]
    freshness: Freshness = FIXED


class ResourceShelf:
    """The resources of a server, in a fixed order, found by URI."""

    def __init__(self, resources: Iterable[Resource]) -> None:
        """Take `resources`; raise ValueError when two have the same URI."""
        self.resources = tuple(resources)
        self._by_uri = {resource.uri: resource for resource in self.resources}
        if len(self._by_uri) != len(self.resources):
            raise ValueError("two resources have the same URI")

    def find(self, uri: str) -> Resource | None:
        """Return the resource at exactly `uri`, or None."""
        return self._by_uri.get(uri)
