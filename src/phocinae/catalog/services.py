"""The argument `server` of the tools: which decision service a caller may name, and what answers then.

A judged agent cannot bring its own judge: what is named is compared by scheme, host and
port with what the settings name, and the address out of the settings is what gets asked.
"""

from __future__ import annotations

from ..service.live import Live
from ..settings.origins import origin
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
