"""Serves a server that a program has put together, as ``phocinae serve`` does its own."""

from __future__ import annotations

from ..adapters.transports.stdio import StdioTransport, take_standard_streams
from ..mcp.conversation import Server


def serve_stdio(server: Server) -> None:
    """Serve `server` on standard input and output until its client is done; call it once, on the main thread.

    Standard output belongs to the protocol from then on: what is printed goes to standard
    error.

    Raises:
        OSError: standard input or output is closed.
    """
    StdioTransport(take_standard_streams(), server.log).serve(server.open)
