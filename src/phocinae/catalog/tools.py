"""What a tool is, what it can answer, and the box that a server takes its tools from."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import field, frozen

from ..errors import InvalidRegistration
from .content import Result
from .schemas import Schema, SchemaCheck

if TYPE_CHECKING:
    from .context import CallContext, Parked

Arguments: TypeAlias = dict[str, Any]

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")
"""Narrower than the specification allows (server/tools, names): clients put a prefix in front."""


@frozen
class Done:
    """The tool did its work: `value` fits the tool's output schema, `note` is text for the person, or empty."""

    value: dict[str, Any] = field(hash=False)
    note: str = ""


@frozen
class Failed:
    """Something behind the tool failed; `message` says what, for the model and the person."""

    message: str


@frozen
class Rejected:
    """The arguments fit the schema and still cannot be used; `message` says why."""

    message: str


ToolAnswer: TypeAlias = Done | Result | Failed | Rejected


class InputKind(Enum):
    """What a client can be asked for in the middle of a call; the values are the methods of the protocol."""

    FORM = "elicitation/create"
    SAMPLING = "sampling/createMessage"
    ROOTS = "roots/list"


@frozen
class InputRequest:
    """One thing that a call needs from the client; its reply comes back under `key`, which no other request has."""

    key: str
    kind: InputKind
    params: dict[str, Any] = field(factory=dict, hash=False)

    @classmethod
    def form(cls, key: str, message: str, schema: Schema) -> InputRequest:
        """Return a question to the person: `message`, and a form.

        `schema` is an object of texts, numbers, switches and choices without nesting
        (client/elicitation, requested schema).  Never ask for a secret, and put no address
        that can be clicked into the texts.
        """
        return cls(key, InputKind.FORM, {"message": message, "requestedSchema": schema})

    @classmethod
    def sampling(cls, key: str, text: str, *, max_tokens: int, **more: Any) -> InputRequest:
        """Return a request for what the client's model says to `text`.

        `more` are further parameters of the protocol, such as ``systemPrompt`` (client/sampling).
        """
        said = {"role": "user", "content": {"type": "text", "text": text}}
        return cls(key, InputKind.SAMPLING, {"messages": [said], "maxTokens": max_tokens, **more})

    @classmethod
    def roots(cls, key: str) -> InputRequest:
        """Return a request for the folders that the client works in (client/roots)."""
        return cls(key, InputKind.ROOTS)


@frozen(kw_only=True)
class NeedsInput:
    """The call cannot be answered before the client has replied to `requests`, of which there is at least one.

    `state` comes back to `Tool.resume` unchanged; a client can read it, so it holds no
    secret.  `unasked` is the answer where the client cannot be asked all of it, or did not
    reply in time; a function gives it at that moment, without waiting for anybody.  Without
    one the call is refused there.
    """

    requests: tuple[InputRequest, ...]
    state: dict[str, Any] = field(factory=dict, hash=False)
    unasked: ToolAnswer | Callable[[], ToolAnswer] | None = None

    def __attrs_post_init__(self) -> None:
        """Refuse to need nothing, and two requests whose replies could not be told apart."""
        keys = {request.key for request in self.requests}
        if not keys or len(keys) != len(self.requests):
            raise ValueError("input needs at least one request, and each its own key")


ToolOutcome: TypeAlias = ToolAnswer | NeedsInput

Replies: TypeAlias = dict[str, object]
"""What a client replied, by the key of the request: raw JSON values, hostile, and any of them may be missing."""

Resume: TypeAlias = Callable[[Arguments, Replies, dict[str, Any]], ToolOutcome]
"""Answers a call whose `NeedsInput` was replied to: arguments, replies and state to the next outcome."""


class OnBadState(Enum):
    """What becomes of a call that comes back with a state which is forged, changed, late or spent.

    The replies that came with it are used in neither case.
    """

    ASK_AGAIN = "ask_again"
    REFUSE = "refuse"


@frozen(kw_only=True)
class Annotations:
    """Hints about a tool, all of them said (server/tools): what is left out means the worst."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool

    def __attrs_post_init__(self) -> None:
        """Refuse hints that contradict each other."""
        if self.read_only and self.destructive:
            raise InvalidRegistration(
                "a tool cannot be read-only and destructive; set destructive=False if it changes nothing"
            )

    def to_wire(self) -> dict[str, bool]:
        """Return the hints under the names of the protocol."""
        return {
            "readOnlyHint": self.read_only,
            "destructiveHint": self.destructive,
            "idempotentHint": self.idempotent,
            "openWorldHint": self.open_world,
        }


def _needs_time(_arguments: Arguments) -> ToolOutcome | None:
    return None


def _unanswered(_arguments: Arguments) -> ToolOutcome:
    raise NotImplementedError


def _stopped(_arguments: Arguments) -> ToolAnswer:
    return Failed("The server is stopping, and the tool had not answered yet.")


@frozen(kw_only=True, eq=False)
class Tool:
    """One tool: what a client sees of it, and what answers a call.

    The arguments that reach a function have passed `input_schema`.  `run` may wait for
    others and is called on a thread where that hurts nobody.  `at_once` is called first,
    must not wait, and returns None to leave the answer to `run`.  `gave_up` answers in the
    place of a `run` that the server's end came before.  `resume` goes on where an outcome
    was `NeedsInput`, may wait, and may need input again; the same arguments are given to it.
    A `handler` stands for all of them: it sees a call as a whole, and may wait.  Replies to
    an `unsealed` tool count without a token, where it kept no state: never for an approval.
    """

    name: str
    title: str
    description: str
    input_schema: Schema
    output_schema: Schema | None = None
    annotations: Annotations | None = None
    run: Callable[[Arguments], ToolOutcome] = _unanswered
    handler: Callable[[CallContext], ToolOutcome | Parked] | None = None
    at_once: Callable[[Arguments], ToolOutcome | None] = _needs_time
    gave_up: Callable[[Arguments], ToolAnswer] = _stopped
    resume: Resume | None = None
    on_bad_state: OnBadState = OnBadState.REFUSE
    unsealed: bool = False
    _check: SchemaCheck = field(init=False)

    @_check.default
    def _built_once(self) -> SchemaCheck:
        return SchemaCheck(self.input_schema)

    def __attrs_post_init__(self) -> None:
        """Refuse a name or a schema that clients choke on."""
        if not _NAME.fullmatch(self.name):
            raise InvalidRegistration(
                f"a tool cannot be called {self.name[:80]!r}; a name is 1 to 64 of A-Z a-z 0-9 _ . and -"
            )
        for schema in (self.input_schema, self.output_schema):
            if schema is not None and schema.get("type") != "object":
                raise InvalidRegistration(
                    f'a schema of tool {self.name} needs "type": "object" at its root; put other values into properties'
                )

    def misfit(self, arguments: Arguments) -> str | None:
        """Return None when `arguments` fit the input schema, and a sentence about the first misfit otherwise."""
        return self._check.misfit(arguments)


class ToolBox:
    """The tools of a server, in the order in which they came, found by name."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Take `tools`; raise InvalidRegistration when two have the same name."""
        self.tools: tuple[Tool, ...] = ()
        self._by_name: dict[str, Tool] = {}
        for tool in tools:
            self.add(tool)

    def add(self, tool: Tool) -> None:
        """Take `tool` in; raise InvalidRegistration when its name is taken."""
        if tool.name in self._by_name:
            raise InvalidRegistration(f"two tools have the same name {tool.name!r}; give one of them another")
        self._by_name[tool.name] = tool
        self.tools = (*self.tools, tool)

    def remove(self, name: str) -> None:
        """Take the tool called `name` out; raise InvalidRegistration when there is none."""
        if self._by_name.pop(name, None) is None:
            raise InvalidRegistration(f"there is no tool {name!r} to withdraw")
        self.tools = tuple(tool for tool in self.tools if tool.name != name)

    def __iter__(self) -> Iterator[Tool]:
        """Go through the tools that are there now."""
        return iter(self.tools)

    def find(self, name: str) -> Tool | None:
        """Return the tool called exactly `name`, or None."""
        return self._by_name.get(name)
