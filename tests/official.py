"""Holds every frame of a server to the models of the official SDK, and to the official schemas where they are at hand.

The variable PHOCINAE_TEST_SCHEMAS names the folder of the schemas, one file for each
revision, called ``2025-11-25.json`` and so on.  Without it only the models are held
against the frames; ``test_official.py`` shows that by a skip.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema import ValidationError as SchemaError
from jsonschema.protocols import Validator
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse
from mcp_types.methods import parse_server_notification, parse_server_request, validate_server_result
from pydantic import ValidationError as PydanticError

MODERN = "2026-07-28"
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
PREFIX = "io.modelcontextprotocol/"
ENVELOPE = {PREFIX + name for name in ("protocolVersion", "clientCapabilities", "clientInfo", "logLevel")}

FOLDER = os.environ.get("PHOCINAE_TEST_SCHEMAS", "")  # read once: no test keeps a variable of that prefix

Json = dict[str, Any]

FAULTS = (AssertionError, KeyError, PydanticError, SchemaError)
"""What speaks against a frame."""

RESULTS = {
    "initialize": "InitializeResult",
    "ping": "EmptyResult",
    "shutdown": "EmptyResult",
    "logging/setLevel": "EmptyResult",
    "resources/subscribe": "EmptyResult",
    "resources/unsubscribe": "EmptyResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "completion/complete": "CompleteResult",
    "subscriptions/listen": "SubscriptionsListenResult",
}
"""What the schemas call the result of a method."""

OF_THE_SERVER = {
    "elicitation/create": "ElicitRequest",
    "sampling/createMessage": "CreateMessageRequest",
    "roots/list": "ListRootsRequest",
    "notifications/cancelled": "CancelledNotification",
    "notifications/message": "LoggingMessageNotification",
    "notifications/progress": "ProgressNotification",
    "notifications/tools/list_changed": "ToolListChangedNotification",
    "notifications/resources/list_changed": "ResourceListChangedNotification",
    "notifications/resources/updated": "ResourceUpdatedNotification",
    "notifications/prompts/list_changed": "PromptListChangedNotification",
    "notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}
"""What the schemas call the requests and notifications of a server."""


@cache
def _schema(revision: str) -> Json:
    found = json.loads((Path(FOLDER) / f"{revision}.json").read_text(encoding="utf-8"))
    assert isinstance(found, dict)
    return found


@cache
def validator(revision: str, name: str) -> Validator:
    """Return what holds values to the type `name` of a revision's schema."""
    schema = _schema(revision)
    key = "$defs" if "$defs" in schema else "definitions"
    assert name in schema[key], f"{revision} has no {name}"
    kind: Any = Draft202012Validator if key == "$defs" else Draft7Validator
    found: Validator = kind({key: schema[key], "$ref": f"#/{key}/{name}"})
    return found


def _official(revision: str, name: str, value: Any) -> None:
    if FOLDER:
        validator(revision, name).validate(value)


def _error(revision: str, frame: Json) -> None:
    JSONRPCError.model_validate({"id": None} | frame)  # the SDK has a null where the specification has nothing
    if revision in (LEGACY[3], MODERN):
        _official(revision, "JSONRPCErrorResponse", frame)
    else:  # their schemas know no error to a message whose id cannot be read
        _official(revision, "JSONRPCError", {"id": 0} | frame)


def _result(revision: str, method: str, frame: Json) -> None:
    JSONRPCResponse.model_validate(frame)
    result = frame["result"]
    if method == "shutdown":  # no method of the specification; answered for clients of older peers
        assert revision != MODERN
        assert result == {}
    else:
        validate_server_result(method, revision, result)
    name = "InputRequiredResult" if result.get("resultType") == "input_required" else RESULTS[method]
    _official(revision, name, result)
    _official(revision, "JSONRPCResponse", frame)


def _own(revision: str, frame: Json) -> None:
    method = frame["method"]
    if "id" in frame:
        JSONRPCRequest.model_validate(frame)
        parse_server_request(method, revision, frame.get("params"))
        _official(revision, "JSONRPCRequest", frame)
    else:
        JSONRPCNotification.model_validate(frame)
        parse_server_notification(method, revision, frame.get("params"))
        _official(revision, "JSONRPCNotification", frame)
    _official(revision, OF_THE_SERVER[method], frame)


class Watch:
    """One connection as its client sees it: knows which revision each message belongs to, and checks what comes."""

    def __init__(self) -> None:
        self.agreed: str | None = None
        self._waiting: dict[tuple[str, object], list[tuple[str, str]]] = {}

    def sent(self, line: bytes) -> None:
        """Note what the client sends; bytes that are no message are nothing to note."""
        try:
            message = json.loads(line.decode("utf-8"))
        except (ValueError, RecursionError):
            return
        if isinstance(message, list) and self.agreed != "2025-03-26":
            return  # refused as a whole
        for one in message if isinstance(message, list) else [message]:
            if isinstance(one, dict) and type(one.get("id")) in (int, str) and not _is_response(one):
                method = one.get("method")
                self._asked(method if isinstance(method, str) else "", one)

    def came(self, line: bytes) -> Any:
        """Return the message that a line of the server is; raise what the models say against it."""
        assert line.endswith(b"\n"), line
        assert b"\n" not in line[:-1]
        message = json.loads(line.decode("utf-8"), parse_constant=_no_constant)
        if isinstance(message, list):
            assert self.agreed == "2025-03-26", "no other revision has several messages in one array"
            assert message
            _official("2025-03-26", "JSONRPCBatchResponse", [{"id": 0} | one for one in message])  # as in _error
        for one in message if isinstance(message, list) else [message]:
            self._check(one)
        return message

    def _asked(self, method: str, message: Json) -> None:
        params = message["params"] if isinstance(message.get("params"), dict) else {}
        meta = params["_meta"] if isinstance(params.get("_meta"), dict) else {}
        revision = self.agreed or LEGACY[0]
        if (
            ENVELOPE & meta.keys()
            or method == "server/discover"
            or (self.agreed is None and method.startswith("resources/"))
        ):
            revision = MODERN
        elif method == "initialize" and isinstance(wanted := params.get("protocolVersion"), str):
            revision = wanted if wanted in LEGACY else LEGACY[-1]
        self._waiting.setdefault(_key(message["id"]), []).append((method, revision))

    def _check(self, frame: Json) -> None:
        if "method" in frame:
            assert "id" not in frame or self.agreed is not None, "a server asks nothing before a handshake"
            meta = frame.get("params", {}).get("_meta", {})
            # only subscriptions name themselves, and no other revision has them
            _own(MODERN if f"{PREFIX}subscriptionId" in meta else self.agreed or LEGACY[0], frame)
            return
        if "id" not in frame:
            _error(self.agreed or MODERN, frame)
            return
        waiting = self._waiting.get(_key(frame["id"]))
        assert waiting, f"nobody asked for this: {str(frame)[:200]}"
        method, revision = waiting.pop(_fits(waiting, frame))
        if method == "initialize" and revision != MODERN and "result" in frame:
            self.agreed = revision


def _fits(waiting: list[tuple[str, str]], frame: Json) -> int:
    """Return which of the requests with one id a reply belongs to; raise what speaks against it if to none."""
    faults: list[Exception] = []
    for place in reversed(range(len(waiting))):  # what was refused without its id is still among the old ones
        method, revision = waiting[place]
        try:
            if "error" in frame:
                _error(revision, frame)
            else:
                _result(revision, method, frame)
        except FAULTS as fault:
            faults.append(fault)
        else:
            return place
    raise faults[0]


def _key(ident: object) -> tuple[str, object]:
    return type(ident).__name__, ident


def _is_response(message: Json) -> bool:
    return "method" not in message and bool({"result", "error"} & message.keys())


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")
