"""Serves a server that a program has put together, as ``phocinae serve`` does its own."""

from __future__ import annotations

import sys

from attrs import evolve

from ..adapters.transports.stdio import StdioTransport, take_standard_streams
from ..domain.levels import Level
from ..errors import InvalidSettings
from ..mcp.conversation import Server
from ..settings import LOOPBACK_HOSTS, Settings
from .logs import build_logs
from .server import silent


def serve_stdio(server: Server) -> None:
    """Serve `server` on standard input and output until its client is done; call it once, on the main thread.

    Standard output belongs to the protocol from then on: what is printed goes to standard
    error, and so does the log of a server that was given none.

    Raises:
        OSError: standard input or output is closed.
    """
    server = _logging(server, Settings())
    StdioTransport(take_standard_streams(), server.log).serve(server.open)


def serve_http(server: Server, settings: Settings | None = None) -> None:
    """Serve `server` over HTTP on this machine until the process is told to stop; call it on the main thread.

    The `settings` say where, on which path, and who may come in; None stands for those of
    ``Settings()``.  Port 0 picks a free one, which the log of the server is told: standard
    error for one that was given none.

    Raises:
        InvalidSettings: the address is not one of this machine alone, or a setting cannot be used.
        OSError: the port cannot be had.
    """
    from ..adapters.transports.http_server import (  # which takes longer to load than all the rest
        HttpServer,
        address_of,
        listen,
    )
    from .http import build_asgi_app

    settings = settings or Settings()
    if settings.host not in LOOPBACK_HOSTS:
        raise InvalidSettings(f"host must be one of {', '.join(LOOPBACK_HOSTS)}: the server is for this machine alone")
    server = _logging(server, settings)
    app = build_asgi_app(server, settings)
    sockets = listen(settings.host, settings.port)
    where = address_of(sockets, settings.host, settings.path)
    server.log(Level.NOTICE, f"{server.handlers.about.name} serves MCP at {where}")
    HttpServer(app, sockets, server.log).serve()


def _logging(server: Server, settings: Settings) -> Server:
    """Return `server` with a log; what is registered on either is offered by both."""
    if server.log is not silent:
        return server
    return evolve(server, log=build_logs(settings, stderr=sys.stderr is not None))
