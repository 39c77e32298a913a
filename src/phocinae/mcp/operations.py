"""What can be asked of the server and what can come of it, whatever the revision, and the `Face` between.

A face turns a request of its era into an operation, and an outcome into a result of its
era.  A refusal is a value that travels the same way, so nothing can both refuse and
carry on.
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto
from typing import Any, Protocol, TypeAlias

from attrs import field, frozen

from ..catalog.resources import Resource
from ..catalog.tools import Tool, ToolAnswer
from .jsonrpc import Refusal, Request
from .paging import Page
from .revisions import Revision


class Level(IntEnum):
    """How grave a log line is (server/utilities/logging), mildest first; the wire names are these in lower case."""

    DEBUG = 0
    INFO = 1
    NOTICE = 2
    WARNING = 3
    ERROR = 4
    CRITICAL = 5
    ALERT = 6
    EMERGENCY = 7

    @property
    def wire(self) -> str:
        """The name of the level in messages and log lines."""
        return self.name.lower()


class Log(Protocol):
    """Where the server tells whoever runs it what happens."""

    def __call__(self, level: Level, message: str, threshold: Level | None = None, /) -> None:
        """Write one line unless `level` is below the threshold, which a single request may set; never raise."""


@frozen(kw_only=True)
class About:
    """Who the server is.  `instructions` tell a model when to use it; empty texts are not sent."""

    name: str
    version: str
    title: str = ""
    description: str = ""
    website: str = ""
    instructions: str = ""


class Query(Enum):
    """The operations without parameters."""

    DISCOVER = auto()
    PING = auto()
    SHUTDOWN = auto()
    COMPLETE = auto()


class Listed(Enum):
    """What can be listed; the values are the names of the lists on the wire."""

    TOOLS = "tools"
    RESOURCES = "resources"
    TEMPLATES = "resourceTemplates"
    PROMPTS = "prompts"


@frozen
class Listing:
    """One page of a list; `cursor` is None for the first one."""

    of: Listed
    cursor: str | None = None


@frozen
class Initialize:
    """The handshake; `revision` is what the connection will speak."""

    revision: Revision


@frozen
class CallTool:
    """One call of a tool."""

    name: str
    arguments: dict[str, Any] = field(hash=False)


@frozen
class ReadResource:
    """One resource to be read."""

    uri: str


Operation: TypeAlias = Query | Listing | Initialize | CallTool | ReadResource


class Empty(Enum):
    """Nothing to say, or nothing there: a pong, no completion."""

    EMPTY = auto()


Entries: TypeAlias = Page[Tool] | Page[Resource]
"""One page of a list, in the fixed order of its entries."""


@frozen
class Contents:
    """What a resource says now."""

    resource: Resource
    text: str


@frozen
class NoSuchResource:
    """Nothing is to be read at `uri`."""

    uri: str


Outcome: TypeAlias = About | Empty | Entries | Contents | NoSuchResource | ToolAnswer | Refusal


class Face(Protocol):
    """One era's way to ask and to answer."""

    def read(self, request: Request, /) -> Operation | Refusal:
        """Return what `request` asks for, or why it is refused."""

    def write(self, operation: Operation, outcome: Outcome, /) -> dict[str, Any] | Refusal:
        """Return the result object of this era for what came of `operation`, or a refusal."""

    def threshold(self, request: Request, /) -> Level | None:
        """Return the log level that a request which was read has set for itself, or None."""
