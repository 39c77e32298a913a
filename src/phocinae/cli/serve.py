"""Runs the MCP server that ``phocinae serve`` and ``phocinae-mcp`` start, until its client is done with it."""

from __future__ import annotations

import gc
import os.path
import signal
import sys
from collections.abc import Callable

from ..adapters.logs.late_audit import LateRecords
from ..adapters.transports.stdio import StdioTransport, take_standard_streams
from ..composition.live import build_live
from ..composition.logs import build_logs
from ..composition.reload import Reloading
from ..composition.server import assemble
from ..domain.levels import Level
from ..mcp.conversation import Server
from ..mcp.operations import Log
from ..service.live import Live
from ..settings import LOOPBACK_HOSTS, VERSION, Effective, Settings
from .gate import report
from .output import complain

FOREIGN_ADDRESS = 2
"""The exit status for an address that is not this machine's own."""

UNUSABLE = 3
"""The exit status for settings, or an environment, that no server can be started with."""


def serve(
    effective: Effective, *, again: Callable[[], Effective], files: tuple[str, ...] = (), verbose: bool = False
) -> int:
    """Serve as the `effective` settings say; return the exit status, 0 once it was told to stop or its client is done.

    `again` reads the settings anew, which is done when one of `files` has changed.  A
    `verbose` server logs each handshake and each call.

    From here on standard output belongs to the protocol, and what goes wrong is told in
    log lines on standard error, as is the address over HTTP.

    Raises:
        InvalidSettings: a setting asks for a part that is not there.
    """
    settings = effective.settings
    if settings.host not in LOOPBACK_HOSTS:
        complain(f"the server listens on {', '.join(LOOPBACK_HOSTS)} only, because it is for this machine alone")
        return FOREIGN_ADDRESS
    over_http = settings.transport == "http"
    # a closed standard error is left alone: its number may be another file's by now
    log = build_logs(settings, verbose=verbose, stderr=sys.stderr is not None)

    def warn(message: str) -> None:
        log(Level.WARNING, message)

    def tell(message: str) -> None:
        log(Level.INFO, message)

    late = LateRecords(warn)
    own = tuple(map(os.path.abspath, files))

    def build(settings: Settings) -> Live:
        return build_live(settings, warn=warn, late=None if over_http else late, own=own)

    live = Reloading(again, build, files, start=effective, log=log)
    report(effective, verbose=verbose, policy=live().gate.policy, warn=warn, tell=tell)
    server = assemble(live, log=log, calls=tell if log.wants(Level.INFO) else None)
    status = _over_http(server, settings, log) if over_http else _over_stdio(server, log, late)
    if status == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a person may press it twice, and all is said: the status stands
    return status


def _over_stdio(server: Server, log: Log, late: LateRecords) -> int:
    try:
        wires = take_standard_streams()
    except OSError:
        complain("standard input or output is closed, so there is no client to serve")
        return UNUSABLE
    log(Level.NOTICE, f"phocinae {VERSION} serves MCP on standard input and output")
    _settle_memory()
    StdioTransport(wires, log, late.write).serve(server.open)
    return 0


def _over_http(server: Server, settings: Settings, log: Log) -> int:
    from ..adapters.transports.http_server import (  # which takes longer to load than all the rest
        HttpServer,
        address_of,
        listen,
    )
    from ..composition.http import build_asgi_app

    app = build_asgi_app(server, settings)
    try:
        sockets = listen(settings.host, settings.port)
    except OSError as error:
        complain(f"port {settings.port} of {settings.host} cannot be had: {error.strerror}; choose another --port")
        return UNUSABLE
    log(Level.NOTICE, f"phocinae {VERSION} serves MCP at {address_of(sockets, settings.host, settings.path)}")
    _settle_memory()
    HttpServer(app, sockets, log).serve()
    return 0


def _settle_memory() -> None:
    """Count what is there now as staying: looking through it again and again makes the slowest calls slower."""
    gc.collect()
    gc.freeze()
