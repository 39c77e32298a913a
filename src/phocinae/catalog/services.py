"""The argument `server` of the tools: which decision service a caller may name, and what answers then.

A judged agent cannot bring its own judge: what is named is compared by scheme, host and
port with what the settings name, and the address out of the settings is what gets asked.
"""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import urlsplit

from ..service.live import Live
from .schemas import Schema
from .tools import Arguments

SERVER_LIMIT = 2_048
"""The longest URL that is accepted as `server`, in code points."""

SERVER_ARGUMENT: Schema = {
    "type": "string",
    "maxLength": SERVER_LIMIT,
    "description": "Leave it out. If given, it must name a decision service that the server is set up with.",
}

FOREIGN_SERVICE = "server must be the configured decision service or one of the allowed ones; leave it out"
"""The one answer to every `server` that is not used, so that nobody learns which ones are allowed."""

_DEFAULT_PORTS = {"http": 80, "https": 443}

Origin: TypeAlias = tuple[str, str, int]


def named(live: Live, arguments: Arguments) -> Live | None:
    """Return what answers a call with these arguments, or None where it names a service that is not used."""
    if "server" not in arguments:
        return live
    wanted = origin(arguments["server"])
    if wanted is None:
        return None
    if wanted == origin(live.settings.server):
        return live
    for address in live.settings.allowed_servers:
        if wanted == origin(address):
            return live.elsewhere(address)
    return None


def origin(url: str) -> Origin | None:
    """Return scheme, host and port of an HTTP URL, or None for a text that is none or hides something."""
    if not url.isascii() or any(char <= " " or char in "\\\x7f" for char in url):
        return None  # urlsplit would drop or mend some of these
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    default = _DEFAULT_PORTS.get(parts.scheme)
    if default is None or not parts.hostname or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname, default if port is None else port
