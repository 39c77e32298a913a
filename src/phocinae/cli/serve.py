"""Runs the MCP server that ``phocinae serve`` and ``phocinae-mcp`` start, until its client is done with it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

from ..adapters.transports.stdio import StdioTransport, take_standard_streams
from ..composition.live import build_live
from ..composition.logs import build_logs
from ..composition.reload import Reloading
from ..composition.server import assemble
from ..domain.levels import Level
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
    """Serve as the `effective` settings say; return the exit status, 0 once the client is done.

    `again` reads the settings anew, which is done when one of `files` has changed.  A
    `verbose` server logs each handshake and each call.

    From here on standard output belongs to the protocol, and what goes wrong is told in
    log lines on standard error.

    Raises:
        InvalidSettings: a setting asks for a part that is not there.
    """
    settings = effective.settings
    if settings.host not in LOOPBACK_HOSTS:
        complain(f"the server listens on {', '.join(LOOPBACK_HOSTS)} only, because it is for this machine alone")
        return FOREIGN_ADDRESS
    if settings.transport != "stdio":
        complain("this version serves on standard input and output only; leave --transport out, or say stdio")
        return UNUSABLE
    # a closed standard error is left alone: its number may be another file's by now
    log = build_logs(settings, verbose=verbose, stderr=sys.stderr is not None)

    def build(settings: Settings) -> Live:
        return build_live(settings, warn=lambda message: log(Level.WARNING, message))

    live = Reloading(again, build, files, start=effective, log=log)
    report(effective, verbose=verbose, policy=live().gate.policy)
    try:
        wires = take_standard_streams()
    except OSError:
        complain("standard input or output is closed, so there is no client to serve")
        return UNUSABLE
    server = assemble(live, log=log, calls=(lambda line: log(Level.INFO, line)) if log.wants(Level.INFO) else None)
    log(Level.NOTICE, f"phocinae {VERSION} serves MCP on standard input and output")
    gc.collect()
    gc.freeze()  # what is there now stays; looking through it again and again makes the slowest calls slower
    StdioTransport(wires, log).serve(server.open)
    return 0
