"""What can be asked of the server and what can come of it, whatever the revision, and the `Face` between.

A face turns a request of its era into an operation, and an outcome into a result of its
era.  A refusal is a value that travels the same way, so nothing can both refuse and
carry on.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from typing import Any, ClassVar, Protocol, TypeAlias

from attrs import field, frozen

from ..catalog.completions import Reference
from ..catalog.prompts import Prompt
from ..catalog.resources import Resource, ResourceTemplate
from ..catalog.tools import InputKind, InputRequest, Tool
from ..catalog.work import Answer
from ..domain.levels import Level as Level
from .jsonrpc import Refusal, Request, RequestId
from .paging import Page
from .revisions import Revision

LEVELS = {level.wire: level for level in Level}
"""The levels by their names."""


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
    """The handshake; `revision` is what the connection will speak, `inputs` what the client can be asked for.

    `client` and `capabilities` are what the client said of itself, raw.
    """

    revision: Revision
    inputs: frozenset[InputKind] = frozenset()
    client: dict[str, Any] = field(factory=dict, hash=False)
    capabilities: dict[str, Any] = field(factory=dict, hash=False)


@frozen
class SetLevel:
    """The wish to be told of log lines, from `level` on."""

    level: Level


@frozen(kw_only=True, slots=False)  # frozen slots are filled by a call for each
class Rounds:
    """How a request of the modern era can be interrupted, and whether it goes on from there (patterns/mrtr).

    `capabilities` is what the client declared in this very request.  `token` is the
    ``requestState`` that came with it, None for none, and `replies` are the
    ``inputResponses``; the two are raw and hostile.
    """

    version: str
    capabilities: dict[str, Any] = field(hash=False)
    token: object = field(default=None, hash=False)
    replies: object = field(default=None, hash=False)

    def may_ask(self, kind: InputKind) -> bool:
        """Tell whether the client declared that it can be asked for `kind`."""
        return declares(self.capabilities, kind)


_CAPABILITIES = {InputKind.FORM: "elicitation", InputKind.SAMPLING: "sampling", InputKind.ROOTS: "roots"}


def declares(capabilities: dict[str, Any], kind: InputKind) -> bool:
    """Tell whether a client with `capabilities` can be asked for `kind`.

    An empty ``elicitation`` stands for forms alone (client/elicitation, capabilities).
    """
    declared = capabilities.get(_CAPABILITIES[kind])
    if not isinstance(declared, dict):
        return False
    return kind is not InputKind.FORM or not declared or isinstance(declared.get("form"), dict)


def required(requests: Iterable[InputRequest]) -> dict[str, Any]:
    """Return the capabilities that a client must declare for `requests`."""
    kinds = dict.fromkeys(request.kind for request in requests)
    return {_CAPABILITIES[kind]: {"form": {}} if kind is InputKind.FORM else {} for kind in kinds}


@frozen
class CallTool:
    """One call of a tool; `rounds` is None in an era that knows no interrupted calls."""

    name: str
    arguments: dict[str, Any] = field(hash=False)
    rounds: Rounds | None = None

    method: ClassVar[str] = "tools/call"


@frozen
class ReadResource:
    """One resource to be read; `rounds` as for a tool."""

    name: str
    rounds: Rounds | None = None

    method: ClassVar[str] = "resources/read"
    arguments: ClassVar[dict[str, Any]] = {}


@frozen
class GetPrompt:
    """One prompt to be written; `rounds` as for a tool."""

    name: str
    arguments: dict[str, Any] = field(hash=False)
    rounds: Rounds | None = None

    method: ClassVar[str] = "prompts/get"


@frozen
class Complete:
    """One argument of a prompt or a template to be completed, which is never interrupted.

    `arguments` are those that are settled already.
    """

    reference: Reference
    argument: str
    value: str
    arguments: dict[str, Any] = field(factory=dict, hash=False)

    method: ClassVar[str] = "completion/complete"
    name: ClassVar[str] = ""
    rounds: ClassVar[None] = None


@frozen
class Watch:
    """The wish to be told when the resource at `uri` changes, or no more where it is not `wanted`."""

    uri: str
    wanted: bool


@frozen
class Listen:
    """The wish to be told of changes of `lists`, by their members of the filter, and of the resources at `uris`."""

    lists: tuple[str, ...] = ()
    uris: tuple[str, ...] = ()


Operation: TypeAlias = (
    Query | Listing | Initialize | SetLevel | CallTool | ReadResource | GetPrompt | Complete | Watch | Listen
)


class Empty(Enum):
    """Nothing to say: a pong."""

    EMPTY = auto()


Entries: TypeAlias = Page[Tool] | Page[Resource] | Page[ResourceTemplate] | Page[Prompt]
"""One page of a list, in the fixed order of its entries."""


@frozen
class InputRequired:
    """The call goes on once the client sends it again, with replies to `requests` and with `token`, if not empty."""

    requests: tuple[InputRequest, ...]
    token: str


@frozen
class StreamEnded:
    """The subscription that was opened by the request `ident` is over."""

    ident: RequestId


CallOutcome: TypeAlias = Answer | InputRequired | Refusal

Outcome: TypeAlias = About | Empty | Entries | StreamEnded | CallOutcome


class Face(Protocol):
    """One era's way to ask and to answer."""

    def read(self, request: Request, /) -> Operation | Refusal:
        """Return what `request` asks for, or why it is refused."""

    def write(self, operation: Operation, outcome: Outcome, /) -> dict[str, Any] | Refusal:
        """Return the result object of this era for what came of `operation`, or a refusal."""

    def threshold(self, request: Request, /) -> Level | None:
        """Return the log level that a request which was read has set for itself, or None."""
