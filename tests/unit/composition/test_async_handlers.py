"""Over HTTP async handlers run on the event loop of whoever runs the application."""

from __future__ import annotations

import asyncio

import pytest
from loopback import posted

from phocinae import CallContext, Settings, build_asgi_app, build_gate, build_server

CALL = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "look"}}


@pytest.mark.parametrize("accept", [b"application/json", b"application/json, text/event-stream"])
def test_an_async_handler_runs_on_the_loop_of_the_application(accept: bytes) -> None:
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings), builtin=False)
    loops: list[object] = []

    @server.tool()
    async def look(_call: CallContext) -> str:
        loops.append(asyncio.get_running_loop())
        return "seen"

    async def session() -> bytes:
        sent = await posted(build_asgi_app(server), CALL, accept)
        assert loops == [asyncio.get_running_loop()]
        return sent

    assert b'"text":"seen"' in asyncio.run(session())
