"""What is told about requests: to clients, to listeners, and to whoever runs the server."""

from __future__ import annotations

from typing import Any

from ..catalog.listeners import CallRecord, Ended
from ..domain.levels import Level
from .jsonrpc import Refusal, Request, encode_notification
from .operations import Initialize
from .wire import shown


def log_line(level: Level, message: str, logger: str) -> bytes:
    """Return the notification that carries a line of the log."""
    return encode_notification("notifications/message", {"level": level.wire, "logger": logger, "data": message})


def record(request: Request, body: dict[str, Any] | Refusal) -> CallRecord:
    """Return what is told of a call of a tool that ended with `body`."""
    name, arguments = request.params.get("name"), request.params.get("arguments")
    if isinstance(body, Refusal):
        ended, result = Ended.REFUSED, body.to_wire()
    elif "inputRequests" in body:
        ended, result = Ended.ASKED, body
    else:
        ended, result = Ended.FAILED if body.get("isError") else Ended.DONE, body
    return CallRecord(
        tool=name if isinstance(name, str) else "",
        arguments=arguments if isinstance(arguments, dict) else {},
        ended=ended,
        result=result,
    )


def handshake_line(request: Request, agreed: Initialize) -> str:
    """Return who has shaken hands, as far as it says so, and on what."""
    about = request.params.get("clientInfo")
    facts = [about.get(name) for name in ("name", "version")] if isinstance(about, dict) else []
    who = " ".join(shown(fact) for fact in facts if isinstance(fact, str)) or "a client without a name"
    asked = shown(str(request.params.get("protocolVersion")))
    return f"handshake: {who} asked for {asked}, {agreed.revision.date} is spoken"
