"""Over HTTP async handlers run on the event loop of whoever runs the application."""

from __future__ import annotations

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

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
        body, sent = json.dumps(CALL).encode(), b""
        asked = asyncio.Event()

        async def receive() -> MutableMapping[str, Any]:
            if asked.is_set():
                await asyncio.Event().wait()
            asked.set()
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(event: MutableMapping[str, Any]) -> None:
            nonlocal sent
            sent += event.get("body", b"")

        headers = [
            (b"host", b"127.0.0.1"),
            (b"content-type", b"application/json"),
            (b"accept", accept),
            (b"content-length", str(len(body)).encode()),
        ]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "http_version": "1.1", "headers": headers}
        await build_asgi_app(server)(scope, receive, send)
        assert loops == [asyncio.get_running_loop()]
        return sent

    assert b'"text":"seen"' in asyncio.run(session())
