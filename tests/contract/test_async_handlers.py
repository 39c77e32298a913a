"""Async handlers wait for as many others as they like: none of them holds a thread."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from loopback import posted

import transcripts
from phocinae import CallContext, Settings, build_asgi_app, build_gate, build_server
from phocinae.mcp.conversation import Server

Json = dict[str, Any]

MANY = 100
"""More than there are threads."""


def meeting(many: int = MANY) -> Server:
    """Return a server with a tool that answers once so many calls of it are there."""
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings), builtin=False)
    here: list[asyncio.Event] = []

    @server.tool()
    async def meet(_call: CallContext) -> str:
        here.append(asyncio.Event())
        if len(here) == many:
            for one in here:
                one.set()
        await here[-1].wait()
        return "met"

    return server


def call(ident: int) -> Json:
    return {"jsonrpc": "2.0", "id": ident, "method": "tools/call", "params": {"name": "meet"}}


def endless() -> Server:
    """Return a server with a tool that waits for ever, and says when it is cancelled."""
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings), builtin=False)

    @server.tool()
    async def meet(_call: CallContext) -> None:
        print("the handler began", flush=True)
        try:
            await asyncio.Event().wait()
        finally:
            print("the handler was cancelled", flush=True)

    return server


def started(build: str, folder: Path) -> subprocess.Popen[str]:
    """Start a server on standard input and output, which says what handlers print on standard error."""
    program = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
        f"from test_async_handlers import {build}\n"
        "from phocinae import serve_stdio\n"
        f"serve_stdio({build}())"
    )
    environment = transcripts.environment(folder)
    for own in ("tests", "tools", "tools/isolation"):
        environment["PYTHONPATH"] += f":{transcripts.ROOT / own}"
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", program], stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment
    )


def written(messages: list[Json]) -> str:
    return "".join(json.dumps(message) + "\n" for message in messages)


def test_over_standard_input_and_output(tmp_path: Path) -> None:
    with started("meeting", tmp_path) as server:
        out, _ = server.communicate(written([call(number) for number in range(MANY)]), timeout=60)
    replies = [json.loads(line) for line in out.splitlines()]
    assert sorted(reply["id"] for reply in replies) == list(range(MANY))
    assert {reply["result"]["content"][0]["text"] for reply in replies} == {"met"}


def test_a_client_that_cancels_a_call_cancels_its_handler(tmp_path: Path) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    with started("endless", tmp_path) as server:
        assert server.stdin
        assert server.stderr
        server.stdin.write(written([call(1)]))
        server.stdin.flush()
        assert server.stderr.readline() == "the handler began\n"  # before that there is none to be cancelled
        # a second call, which the end of the input leaves open, so that the first one has the time to be cancelled
        out, said = server.communicate(written([call(3), ping, cancel]), timeout=60)
    replies = [json.loads(line) for line in out.splitlines()]
    assert sorted(reply["id"] for reply in replies) == [2, 3]
    assert next(reply for reply in replies if reply["id"] == 3)["result"]["isError"] is True
    assert "the handler was cancelled" in said


def test_over_http() -> None:
    app = build_asgi_app(meeting())

    async def session() -> list[bytes]:
        return await asyncio.gather(*(posted(app, call(ident)) for ident in range(MANY)))

    replies = [json.loads(reply) for reply in asyncio.run(session())]
    assert [reply["id"] for reply in replies] == list(range(MANY))
    assert {reply["result"]["content"][0]["text"] for reply in replies} == {"met"}
