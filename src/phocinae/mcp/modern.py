"""The face of 2026-07-28: every request stands alone and says in its ``_meta`` who asks and how.

The ladder of a request, each rung refused with its own code: the required members of
``_meta`` (basic/index), the version (versioning), the log level, the method, the
parameters.  Every result says its type and who the server is; what may be kept says for
how long (utilities/caching).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..catalog.resources import FIXED, Freshness
from ..catalog.tools import Done, Failed, Rejected, ToolAnswer
from .jsonrpc import ErrorCode, Refusal, Request
from .operations import (
    LEVELS,
    About,
    Contents,
    InputRequired,
    Level,
    Listed,
    Listing,
    NoSuchResource,
    Operation,
    Outcome,
    Query,
    Rounds,
)
from .paging import Page
from .revisions import CLIENT_CAPABILITIES, LOG_LEVEL, MODERN, PROTOCOL_VERSION, SERVER_INFO
from .wire import (
    input_required,
    invalid_params,
    listing,
    read_call,
    read_level,
    read_listing,
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
    "resources/read": read_resource,
}
"""The methods that exist; prompts and completions do not, because nothing is there to be listed or completed."""


class ModernFace:
    """Reads and writes the modern era; one serves all connections, because nothing is remembered."""

    def __init__(self, about: About) -> None:
        """Speak for the server that `about` describes."""
        self._about = about
        self._meta = {SERVER_INFO: server_info(about, titles=True, website=True)}

    def read(self, request: Request) -> Operation | Refusal:
        """Return what `request` asks for, or why it is refused."""
        meta = request.params.get("_meta")
        if not isinstance(meta, dict):
            return invalid_params("_meta is missing")
        version = meta.get(PROTOCOL_VERSION)
        if not isinstance(version, str):
            return invalid_params(f"_meta must hold {PROTOCOL_VERSION}, a string")
        if not isinstance(meta.get(CLIENT_CAPABILITIES), dict):
            return invalid_params(f"_meta must hold {CLIENT_CAPABILITIES}, an object")
        if version not in MODERN:
            return Refusal(
                ErrorCode.UNSUPPORTED_VERSION,
                "Unsupported protocol version",
                {"supported": list(MODERN), "requested": version},
            )
        if LOG_LEVEL in meta and read_level(meta[LOG_LEVEL]) is None:
            return invalid_params(f"{LOG_LEVEL} must be one of {', '.join(LEVELS)}")
        reader = _METHODS.get(request.method)
        if reader is None:
            return Refusal(
                ErrorCode.METHOD_NOT_FOUND,
                f"Method not found: {shown(request.method)}",
                {"supported": list(MODERN), "supportedVersions": list(MODERN)},
            )
        return reader(request.params)

    def threshold(self, request: Request) -> Level | None:
        """Return the log level that a request has set for itself, or None."""
        meta = request.params.get("_meta")
        return read_level(meta.get(LOG_LEVEL)) if isinstance(meta, dict) else None

    def write(self, operation: Operation, outcome: Outcome) -> dict[str, Any] | Refusal:
        """Return the result object for what came of `operation`, or a refusal."""
        if isinstance(outcome, Refusal):
            return outcome
        if isinstance(outcome, (Done, Failed, Rejected)):
            return self._call(outcome)
        if isinstance(outcome, InputRequired):
            return self._typed("input_required", input_required(outcome))
        if isinstance(outcome, NoSuchResource):
            return invalid_params("no such resource", {"uri": outcome.uri})
        if isinstance(outcome, Contents):
            return self._kept(resource_contents(outcome.resource, outcome.text), outcome.resource.freshness)
        if isinstance(operation, Listing) and isinstance(outcome, Page):
            return self._kept(listing(operation.of, outcome, annotations=True, titles=True), FIXED)
        return self._kept(self._discovered(cast(About, outcome)), FIXED)

    def _call(self, outcome: ToolAnswer) -> dict[str, Any] | Refusal:
        result = tool_result(outcome, structured=True)
        return result if isinstance(result, Refusal) else self._typed("complete", result)

    def _discovered(self, about: About) -> dict[str, Any]:
        answer: dict[str, Any] = {
            "supportedVersions": list(MODERN),
            "capabilities": {"tools": {}, "resources": {}},
        }
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
