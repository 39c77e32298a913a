"""The one place where a server gets its HTTP endpoint."""

from __future__ import annotations

import os
import time

from ..adapters.hmac_codec import HmacCodec
from ..adapters.settings_sources import bearer_token
from ..adapters.transports.http_app import HttpApp, Limits
from ..errors import InvalidSettings
from ..mcp.conversation import Server
from ..mcp.http_rules import Admission
from ..mcp.http_sessions import Sessions
from ..settings import Settings, check
from .rounds import keys_in


def build_asgi_app(server: Server, settings: Settings | None = None) -> HttpApp:
    """Return an ASGI application with the MCP endpoint of `server`, to be run alone or beside other routes.

    Of the `settings` it takes the path, who may come in, how long a message may be, and sessions.
    What lies below ASGI is left to whatever runs it: addresses, connections, how long a
    head may take.  `phocinae.adapters.transports.http_server` does all that for one machine.

    Raises:
        InvalidSettings: a setting, or a file of a token or of keys, cannot be used.
    """
    settings = check(settings or Settings())
    admission = Admission(
        hosts=frozenset(settings.allow_host),
        origins=frozenset(settings.allow_origin),
        token=bearer_token(settings.auth_token_file, {}),
    )
    return HttpApp(
        server,
        path=settings.path,
        admission=admission,
        limits=Limits(body=settings.max_body),
        sessions=_sessions(settings),
    )


def _sessions(settings: Settings) -> Sessions | None:
    if not settings.session_secret_file:
        if settings.require_session:
            raise InvalidSettings("serve.require_session (--require-session) needs serve.session_secret_file as well")
        return None
    return Sessions(
        HmacCodec(keys_in(settings.session_secret_file)),
        life=settings.session_ttl,
        required=settings.require_session,
        clock=time.time,
        random=os.urandom,
    )
