"""The face of 2026-07-28: every request stands alone and says in its ``_meta`` who asks and how.

The ladder of a request, each rung refused with its own code: the required members of
``_meta`` (basic/index), the version (versioning), the log level, the method, the
parameters.  Every result says its type and who the server is; what may be kept says for
how long (utilities/caching).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..catalog.completions import Completed, Completions
from ..catalog.content import Result
from ..catalog.prompts import Messages, PromptBox
from ..catalog.resources import FIXED, Contents, Freshness, NoSuchResource, ResourceShelf
from ..catalog.tools import Done, Failed, Rejected, ToolAnswer
from .jsonrpc import ErrorCode, Refusal, Request
from .operations import (
    LEVELS,
    About,
    InputRequired,
    Level,
    Listed,
    Listing,
    Operation,
    Outcome,
    Query,
    Rounds,
    StreamEnded,
)
from .paging import Page
from .revisions import CLIENT_CAPABILITIES, LOG_LEVEL, MODERN, PROTOCOL_VERSION, SERVER_INFO, SUBSCRIPTION_ID
from .wire import (
    completed,
    input_required,
    invalid_params,
    listing,
    messages,
    read_call,
    read_completion,
    read_level,
    read_listen,
    read_listing,
    read_prompt,
    read_resource,
    resource_contents,
    server_info,
    shown,
    tool_result,
)

Reader = Callable[[dict[str, Any]], "Operation | Refusal"]


def _read_rounds(params: dict[str, Any]) -> Rounds:
    """Return what a request with a checked ``_meta`` says about interruptions; a null counts as absent."""
    meta = params["_meta"]
    return Rounds(
        version=meta[PROTOCOL_VERSION],
        capabilities=meta[CLIENT_CAPABILITIES],
        token=params.get("requestState"),
        replies=params.get("inputResponses"),
    )


_METHODS: dict[str, Reader] = {
    "server/discover": lambda _params: Query.DISCOVER,
    "tools/list": lambda params: read_listing(Listed.TOOLS, params),
    "tools/call": lambda params: read_call(params, _read_rounds(params)),
    "resources/list": lambda params: read_listing(Listed.RESOURCES, params),
    "resources/templates/list": lambda params: read_listing(Listed.TEMPLATES, params),
    "resources/read": lambda params: read_resource(params, _read_rounds(params)),
}
"""The methods that always exist."""

_OF_PROMPTS: dict[str, Reader] = {
    "prompts/list": lambda params: read_listing(Listed.PROMPTS, params),
    "prompts/get": lambda params: read_prompt(params, _read_rounds(params)),
}
_OF_CHANGES: dict[str, Reader] = {"subscriptions/listen": read_listen}
_OF_COMPLETIONS: dict[str, Reader] = {"completion/complete": read_completion}


def misdeclared(params: dict[str, Any]) -> Refusal | None:
    """Return which required member of ``_meta`` a request lacks, or None (basic/index, request metadata)."""
    meta = params.get("_meta")
    if not isinstance(meta, dict):
        return invalid_params("_meta is missing")
    if not isinstance(meta.get(PROTOCOL_VERSION), str):
        return invalid_params(f"_meta must hold {PROTOCOL_VERSION}, a string")
    if not isinstance(meta.get(CLIENT_CAPABILITIES), dict):
        return invalid_params(f"_meta must hold {CLIENT_CAPABILITIES}, an object")
    return None


def unsupported(version: str) -> Refusal:
    """Return the refusal of a version that is not served (versioning)."""
    return Refusal(
        ErrorCode.UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        {"supported": list(MODERN), "requested": version},
    )


class ModernFace:
    """Reads and writes the modern era; one serves all connections, because nothing is remembered."""

    def __init__(
        self,
        about: About,
        prompts: PromptBox | None = None,
        completions: Completions | None = None,
        shelf: ResourceShelf | None = None,
        *,
        changing: bool = False,
    ) -> None:
        """Speak for the server that `about` describes; the methods of what it has none of do not exist.

        A `changing` one tells of changes in its lists.
        """
        self._about = about
        self._prompts = PromptBox() if prompts is None else prompts
        self._completions = Completions() if completions is None else completions
        self._shelf = ResourceShelf() if shelf is None else shelf
        self._changing = changing
        self._meta = {SERVER_INFO: server_info(about, titles=True, website=True)}

    def read(self, request: Request) -> Operation | Refusal:
        """Return what `request` asks for, or why it is refused."""
        undeclared = misdeclared(request.params)
        if undeclared is not None:
            return undeclared
        meta = request.params["_meta"]
        if meta[PROTOCOL_VERSION] not in MODERN:
            return unsupported(meta[PROTOCOL_VERSION])
        if LOG_LEVEL in meta and read_level(meta[LOG_LEVEL]) is None:
            return invalid_params(f"{LOG_LEVEL} must be one of {', '.join(LEVELS)}")
        reader = self._reader(request.method)
        if reader is None:
            return Refusal(
                ErrorCode.METHOD_NOT_FOUND,
                f"Method not found: {shown(request.method)}",
                {"supported": list(MODERN), "supportedVersions": list(MODERN)},
            )
        return reader(request.params)

    def _reader(self, method: str) -> Reader | None:
        if method in _OF_PROMPTS:
            return _OF_PROMPTS[method] if self._prompts.prompts else None
        if method in _OF_CHANGES:
            return _OF_CHANGES[method] if self._changing or self._shelf.has_subscribable else None
        if method in _OF_COMPLETIONS:
            return _OF_COMPLETIONS[method] if self._completions else None
        return _METHODS.get(method)

    def threshold(self, request: Request) -> Level | None:
        """Return the log level that a request has set for itself, or None."""
        meta = request.params.get("_meta")
        return read_level(meta.get(LOG_LEVEL)) if isinstance(meta, dict) else None

    def write(self, operation: Operation, outcome: Outcome) -> dict[str, Any] | Refusal:
        """Return the result object for what came of `operation`, or a refusal."""
        if isinstance(outcome, Refusal):
            return outcome
        if isinstance(outcome, (Done, Result, Failed, Rejected)):
            return self._call(outcome)
        if isinstance(outcome, InputRequired):
            return self._typed("input_required", input_required(outcome))
        if isinstance(outcome, NoSuchResource):
            return invalid_params("no such resource", {"uri": outcome.uri})
        if isinstance(outcome, Contents):
            return self._kept(resource_contents(outcome), outcome.freshness)
        if isinstance(outcome, Messages):
            return self._typed("complete", messages(outcome))
        if isinstance(outcome, StreamEnded):
            ended = self._typed("complete", {})
            return ended | {"_meta": {SUBSCRIPTION_ID: outcome.ident, **self._meta}}
        if isinstance(outcome, Completed):
            return self._typed("complete", completed(outcome))
        if isinstance(operation, Listing) and isinstance(outcome, Page):
            return self._kept(listing(operation.of, outcome, annotations=True, titles=True), FIXED)
        return self._kept(self._discovered(cast(About, outcome)), FIXED)

    def _call(self, outcome: ToolAnswer) -> dict[str, Any] | Refusal:
        result = tool_result(outcome, structured=True)
        return result if isinstance(result, Refusal) else self._typed("complete", result)

    def _discovered(self, about: About) -> dict[str, Any]:
        changing = {"listChanged": True} if self._changing else {}
        subscribe = {"subscribe": True} if self._shelf.has_subscribable else {}
        capabilities: dict[str, Any] = {"tools": changing, "resources": changing | subscribe}
        if self._prompts.prompts:
            capabilities["prompts"] = changing
        if self._completions:
            capabilities["completions"] = {}
        answer: dict[str, Any] = {"supportedVersions": list(MODERN), "capabilities": capabilities}
        if about.instructions:
            answer["instructions"] = about.instructions
        return answer

    def _kept(self, result: dict[str, Any], freshness: Freshness) -> dict[str, Any]:
        result["ttlMs"] = freshness.milliseconds
        result["cacheScope"] = "public" if freshness.shared else "private"
        return self._typed("complete", result)

    def _typed(self, kind: str, result: dict[str, Any]) -> dict[str, Any]:
        result["resultType"] = kind
        result["_meta"] = self._meta
        return result
