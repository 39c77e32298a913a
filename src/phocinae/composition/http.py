"""The one place where a server gets its HTTP endpoint."""

from __future__ import annotations

from ..adapters.settings_sources import bearer_token
from ..adapters.transports.http_app import HttpApp, Limits
from ..mcp.conversation import Server
from ..mcp.http_rules import Admission
from ..settings import Settings, check


def build_asgi_app(server: Server, settings: Settings | None = None) -> HttpApp:
    """Return an ASGI application with the MCP endpoint of `server`, to be run alone or beside other routes.

    Of the `settings` it takes the path, who may come in, and how long a message may be.
    What lies below ASGI is left to whatever runs it: addresses, connections, how long a
    head may take.  `phocinae.adapters.transports.http_server` does all that for one machine.

    Raises:
        InvalidSettings: a setting, or the file of the token, cannot be used.
    """
    settings = check(settings or Settings())
    admission = Admission(
        hosts=frozenset(settings.allow_host),
        origins=frozenset(settings.allow_origin),
        token=bearer_token(settings.auth_token_file, {}),
    )
    return HttpApp(server, path=settings.path, admission=admission, limits=Limits(body=settings.max_body))
