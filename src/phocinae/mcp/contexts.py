"""What the handler of one request is given: who calls, and how to speak to that client meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ..catalog.context import CallContext, Client, Link, Start
from ..catalog.tools import InputKind
from ..domain.levels import Level
from .asking import Channel
from .jsonrpc import Request, encode_notification
from .operations import Initialize, declares
from .revisions import CLIENT_CAPABILITIES, CLIENT_INFO, LEGACY, PROTOCOL_VERSION

Tell: TypeAlias = Callable[[Level, str, str], None]
"""Tells a log line of a handler: level, text, name of the logger."""


def modern_client(request: Request) -> Client:
    """Return who sent a request that stands alone, by its checked ``_meta``."""
    meta = request.params["_meta"]
    capabilities = meta[CLIENT_CAPABILITIES]
    inputs = frozenset(kind for kind in InputKind if declares(capabilities, kind))
    return _client(meta.get(CLIENT_INFO), meta[PROTOCOL_VERSION], capabilities, inputs)


def agreed_client(agreed: Initialize | None) -> Client:
    """Return who shook hands, or nobody known."""
    if agreed is None:
        return Client(revision=LEGACY[0].date)
    return _client(agreed.client, agreed.revision.date, agreed.capabilities, agreed.inputs)


def context_of(
    request: Request,
    arguments: dict[str, Any],
    client: Client,
    channel: Channel | None,
    start: Start | None,
    tell: Tell,
    *,
    parks: bool,
) -> CallContext:
    """Return the context of `request`; progress goes to `channel` where the client gave a token for it.

    `start` runs async handlers on one event loop; without it each has one of its own.
    With `parks` no thread waits for them.
    """
    meta = request.params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    wanted = channel is not None and (isinstance(token, str) or type(token) is int)

    def progress(told: dict[str, Any]) -> None:
        assert channel is not None
        if client.revision == LEGACY[0].date:
            told.pop("message", None)
        channel.send(encode_notification("notifications/progress", {"progressToken": token, **told}))

    link = Link(progress=progress if wanted else None, log=tell, start=start, parks=parks)
    return CallContext(arguments=arguments, client=client, link=link)


def _client(about: object, revision: str, capabilities: dict[str, Any], inputs: frozenset[InputKind]) -> Client:
    name, version = (about.get("name"), about.get("version")) if isinstance(about, dict) else ("", "")
    return Client(
        name=name if isinstance(name, str) else "",
        version=version if isinstance(version, str) else "",
        revision=revision,
        capabilities=capabilities,
        inputs=inputs,
    )
