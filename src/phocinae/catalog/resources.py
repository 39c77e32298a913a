"""What a resource is, a template of resources, and the shelf that a server takes both from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from attrs import frozen

from ..errors import InvalidRegistration
from .content import ResourceContents
from .uri_templates import UriTemplate

if TYPE_CHECKING:
    from .context import CallContext, Parked
    from .tools import Failed, NeedsInput, Rejected


@frozen(kw_only=True)
class Freshness:
    """How long a client may keep an answer, in milliseconds, and whether it may share it between users."""

    milliseconds: int
    shared: bool


FIXED = Freshness(milliseconds=3_600_000, shared=True)
"""For what changes with a new version of the server only."""

PERSONAL = Freshness(milliseconds=60_000, shared=False)
"""For what is written from the settings of whoever runs the server."""


@frozen(kw_only=True)
class Contents:
    """What a resource says now, in one part or several, and how long that may be kept."""

    parts: tuple[ResourceContents, ...]
    freshness: Freshness


@frozen
class NoSuchResource:
    """Nothing is to be read at `uri`."""

    uri: str


ReadHandler: TypeAlias = "Callable[[CallContext], Contents | NoSuchResource | NeedsInput | Failed | Rejected | Parked]"


def _unread() -> str:
    raise NotImplementedError


@frozen(kw_only=True, eq=False)
class Resource:
    """One resource that a client can read at `uri`.

    `read` returns its text as it is now, and does not wait; a `handler`, which may wait, is
    asked in its place where there is one.  Whoever subscribed to a `subscribable` one is
    told when it changes.  Empty texts are not sent.
    """

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[[], str] = _unread
    handler: ReadHandler | None = None
    freshness: Freshness = FIXED
    subscribable: bool = False

    def contents(self) -> Contents:
        """Return what `read` gives."""
        return Contents(parts=(ResourceContents(self.uri, self.read(), self.mime_type),), freshness=self.freshness)


@frozen(kw_only=True, eq=False)
class ResourceTemplate:
    """Resources whose URIs have one form; `handler` is given the variables as its arguments."""

    template: UriTemplate
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    handler: ReadHandler
    freshness: Freshness = FIXED


class ResourceShelf:
    """The resources and templates of a server, in the order in which they came, found by URI."""

    def __init__(self, resources: Iterable[Resource] = ()) -> None:
        """Take `resources`; raise InvalidRegistration when two have the same URI."""
        self.resources: tuple[Resource, ...] = ()
        self.templates: tuple[ResourceTemplate, ...] = ()
        self._by_uri: dict[str, Resource] = {}
        for resource in resources:
            self.add(resource)

    def add(self, resource: Resource) -> None:
        """Take `resource` in; raise InvalidRegistration when its URI is taken."""
        if resource.uri in self._by_uri:
            raise InvalidRegistration(f"two resources have the same URI {resource.uri!r}; give one of them another")
        self._by_uri[resource.uri] = resource
        self.resources = (*self.resources, resource)

    def add_template(self, template: ResourceTemplate) -> None:
        """Take `template` in; raise InvalidRegistration when it is there already."""
        if self.template(template.template.text) is not None:
            raise InvalidRegistration(f"two templates are {template.template.text!r}; change one of them")
        self.templates = (*self.templates, template)

    def __iter__(self) -> Iterator[Resource]:
        """Go through the resources that are there now, without the templates."""
        return iter(self.resources)

    def find(self, uri: str) -> Resource | None:
        """Return the resource at exactly `uri`, or None."""
        return self._by_uri.get(uri)

    @property
    def has_subscribable(self) -> bool:
        """Whether there is anything to subscribe to."""
        return any(resource.subscribable for resource in self.resources)

    def template(self, text: str) -> ResourceTemplate | None:
        """Return the template that is written exactly so, or None."""
        return next((one for one in self.templates if one.template.text == text), None)

    def match(self, uri: str) -> tuple[ResourceTemplate, dict[str, str]] | None:
        """Return the first template that `uri` matches, with its variables, or None."""
        for one in self.templates:
            variables = one.template.match(uri)
            if variables is not None:
                return one, variables
        return None
