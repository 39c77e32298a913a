"""Runs the MCP server that ``phocinae serve`` and ``phocinae-mcp`` start, until its client is done with it."""

from __future__ import annotations

import gc
import sys

from attrs import evolve

from ..adapters.transports.stderr_log import StderrLog
from ..adapters.transports.stdio import StdioTransport, take_standard_streams
from ..composition.server import build_server, silent
from ..mcp.operations import Level, Log
from ..service.gate import GateService
from ..settings import LOOPBACK_HOSTS, VERSION, Settings
from .output import complain

FOREIGN_ADDRESS = 2
"""The exit status for an address that is not this machine's own."""

UNUSABLE = 3
"""The exit status for settings, or an environment, that no server can be started with."""


def serve(settings: Settings, gate: GateService) -> int:
    """Serve `gate` as `settings` say; return the exit status, 0 once the client is done.

    From here on standard output belongs to the protocol, and what goes wrong is told in
    log lines on standard error.
    """
    if settings.host not in LOOPBACK_HOSTS:
        complain(f"the server listens on {', '.join(LOOPBACK_HOSTS)} only, because it is for this machine alone")
        return FOREIGN_ADDRESS
    if settings.transport != "stdio":
        complain("this version serves on standard input and output only; leave --transport out, or say stdio")
        return UNUSABLE
    try:
        wires = take_standard_streams()
    except OSError:
        complain("standard input or output is closed, so there is no client to serve")
        return UNUSABLE
    log: Log = StderrLog() if sys.stderr is not None else silent  # its number may be another file's by now
    server = build_server(settings, evolve(gate, warn=lambda message: log(Level.WARNING, message)), log=log)
    log(Level.INFO, f"phocinae {VERSION} serves MCP on standard input and output")
    gc.collect()
    gc.freeze()  # what is there now stays; looking through it again and again makes the slowest calls slower
    StdioTransport(wires, log).serve(server.open)
    return 0
