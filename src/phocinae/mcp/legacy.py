"""The faces of the revisions with a handshake, 2024-11-05 to 2025-11-25: one class, a table of what each knows.

What is declared in the handshake is served.  Where there are no prompts, and nothing to be
completed, clients of these revisions ask all the same, so both are declared and answered
with nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..catalog.completions import Completed
from ..catalog.content import Result
from ..catalog.prompts import Messages
from ..catalog.resources import Contents, NoSuchResource, ResourceShelf
from ..catalog.tools import Done, Failed, InputKind, Rejected
from .jsonrpc import ErrorCode, Refusal, Request
from .operations import (
    LEVELS,
    About,
    Initialize,
    Level,
    Listed,
    Listing,
    Operation,
    Outcome,
    Query,
    SetLevel,
    declares,
)
from .paging import Page
from .revisions import LEGACY, Revision, negotiate
from .wire import (
    completed,
    invalid_params,
    listing,
    messages,
    read_call,
    read_completion,
    read_level,
    read_listing,
    read_prompt,
    read_resource,
    read_watch,
    resource_contents,
    server_info,
    shown,
    tool_result,
)

Reader = Callable[[dict[str, Any]], "Operation | Refusal"]


def read_initialize(params: dict[str, Any]) -> Operation | Refusal:
    """Return the handshake; only the version is needed, and clients get the rest wrong."""
    requested = params.get("protocolVersion")
    if not isinstance(requested, str):
        return invalid_params("protocolVersion must be a string")
    revision, capabilities = negotiate(requested), params.get("capabilities")
    capabilities = capabilities if isinstance(capabilities, dict) else {}
    client = params.get("clientInfo")
    return Initialize(
        revision, _inputs(revision, capabilities), client if isinstance(client, dict) else {}, capabilities
    )


def _inputs(revision: Revision, capabilities: dict[str, Any]) -> frozenset[InputKind]:
    """Return what a client can be asked for in `revision`; before there were modes, all of elicitation was forms."""
    inputs = {kind for kind in InputKind if declares(capabilities, kind)}
    elicitation = capabilities.get("elicitation")
    if not revision.modes and isinstance(elicitation, dict) and "url" not in elicitation:
        inputs.add(InputKind.FORM)
    return frozenset(inputs if revision.forms else inputs - {InputKind.FORM})


def _read_level(params: dict[str, Any]) -> Operation | Refusal:
    level = read_level(params.get("level"))
    return SetLevel(level) if level is not None else invalid_params(f"level must be one of {', '.join(LEVELS)}")


_METHODS: dict[str, Reader] = {
    "initialize": read_initialize,
    "ping": lambda _params: Query.PING,
    "shutdown": lambda _params: Query.SHUTDOWN,  # no revision has it, and some clients send it all the same
    "tools/list": lambda params: read_listing(Listed.TOOLS, params),
    "tools/call": read_call,
    "resources/list": lambda params: read_listing(Listed.RESOURCES, params),
    "resources/templates/list": lambda params: read_listing(Listed.TEMPLATES, params),
    "resources/read": read_resource,
    "prompts/list": lambda params: read_listing(Listed.PROMPTS, params),
    "prompts/get": read_prompt,
    "completion/complete": read_completion,
    "logging/setLevel": _read_level,
}

_OF_SUBSCRIPTIONS: dict[str, Reader] = {
    "resources/subscribe": lambda params: read_watch(params, wanted=True),
    "resources/unsubscribe": lambda params: read_watch(params, wanted=False),
}


class LegacyFace:
    """Reads and writes one handshake revision; one serves all connections that negotiated it."""

    def __init__(
        self, revision: Revision, about: About, shelf: ResourceShelf | None = None, *, changing: bool = False
    ) -> None:
        """Speak `revision` for the server that `about` describes, with the resources on `shelf`.

        A `changing` one tells of changes in its lists.
        """
        self._changing = changing
        self._revision = revision
        self._about = about
        self._shelf = ResourceShelf() if shelf is None else shelf

    def read(self, request: Request) -> Operation | Refusal:
        """Return what `request` asks for, or why it is refused."""
        reader = _METHODS.get(request.method)
        if reader is None and self._shelf.has_subscribable:
            reader = _OF_SUBSCRIPTIONS.get(request.method)
        if reader is None:
            served = [revision.date for revision in LEGACY]
            return Refusal(
                ErrorCode.METHOD_NOT_FOUND,
                f"Method not found: {shown(request.method)}",
                {"supported": served, "supportedVersions": served},
            )
        return reader(request.params)

    def threshold(self, _request: Request) -> Level | None:
        """Return None: a request of this era sets no level."""
        return None

    def write(self, operation: Operation, outcome: Outcome) -> dict[str, Any] | Refusal:
        """Return the result object for what came of `operation`, or a refusal."""
        knows = self._revision
        if isinstance(outcome, Refusal):
            return outcome
        if isinstance(outcome, (Done, Result, Failed, Rejected)):
            return tool_result(outcome, structured=knows.titles, audio=knows.annotations, links=knows.titles)
        if isinstance(operation, Listing) and isinstance(outcome, Page):
            return listing(operation.of, outcome, annotations=knows.annotations, titles=knows.titles)
        if isinstance(outcome, Contents):
            return resource_contents(outcome)
        if isinstance(outcome, Messages):
            return messages(outcome, audio=knows.annotations, links=knows.titles)
        if isinstance(outcome, Completed):
            return completed(outcome)
        if isinstance(outcome, NoSuchResource):
            return Refusal(ErrorCode.RESOURCE_NOT_FOUND, "Resource not found", {"uri": outcome.uri})
        if isinstance(operation, Initialize):
            return self._welcome()
        return {}

    def _welcome(self) -> dict[str, Any]:
        knows = self._revision
        changing = {"listChanged": True} if self._changing else {}
        subscribe = {"subscribe": True} if self._shelf.has_subscribable else {}
        capabilities: dict[str, Any] = {
            "tools": changing,
            "resources": changing | subscribe,
            "prompts": changing,
            "logging": {},
        }
        if knows.completions:
            capabilities["completions"] = {}
        welcome: dict[str, Any] = {
            "protocolVersion": knows.date,
            "capabilities": capabilities,
            "serverInfo": server_info(self._about, titles=knows.titles, website=knows.website),
        }
        if self._about.instructions:
            welcome["instructions"] = self._about.instructions
        return welcome
