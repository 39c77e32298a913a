"""The revisions that are served, what each of them knows, and which era a request belongs to.

A revision with a handshake (the legacy era) is negotiated once per connection; a modern
request carries its version in its own ``_meta`` and stands alone (versioning, eras).
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

MODERN = ("2026-07-28",)
"""The revisions whose requests stand alone, newest first."""

PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
CLIENT_INFO = "io.modelcontextprotocol/clientInfo"
LOG_LEVEL = "io.modelcontextprotocol/logLevel"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId"

_ENVELOPE = frozenset((PROTOCOL_VERSION, CLIENT_CAPABILITIES, CLIENT_INFO, LOG_LEVEL))


@frozen(kw_only=True)
class Revision:
    """What one handshake revision knows beyond the first one.

    `batches`: several messages in one array.  `annotations`: hints on tools.
    `completions`: a capability of that name.  `titles`: titles for people, output
    schemas and structured results.  `forms`: a client can be asked to have a form filled
    in.  `website`: a description and a website of the server.  `modes`: forms are one of
    several ways to ask, and are named.
    """

    date: str
    batches: bool = False
    annotations: bool = False
    completions: bool = False
    titles: bool = False
    forms: bool = False
    website: bool = False
    modes: bool = False


LEGACY = (
    Revision(date="2024-11-05"),
    Revision(date="2025-03-26", batches=True, annotations=True, completions=True),
    Revision(date="2025-06-18", annotations=True, completions=True, titles=True, forms=True),
    Revision(date="2025-11-25", annotations=True, completions=True, titles=True, forms=True, website=True, modes=True),
)
"""The handshake revisions, oldest first; the first is spoken with a client that shook no hands."""


def negotiate(requested: str) -> Revision:
    """Return the handshake revision to speak with a client that asked for `requested`.

    That is the same one where it is served, and the newest otherwise (lifecycle,
    version negotiation): an unknown version is no error.
    """
    for revision in LEGACY:
        if revision.date == requested:
            return revision
    return LEGACY[-1]


def is_modern(method: str, params: dict[str, Any]) -> bool:
    """Whether a request belongs to the modern era, by itself and whatever came before it.

    It does when its ``_meta`` holds one of the four keys of a modern request.  No other
    key counts: handshake revisions use ``_meta`` too, and 2025-11-25 even the same prefix.
    ``server/discover`` exists in no other era.
    """
    meta = params.get("_meta")
    return (isinstance(meta, dict) and not _ENVELOPE.isdisjoint(meta)) or method == "server/discover"
