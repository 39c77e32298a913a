"""The endpoint on a real socket: one response to each request, slow calls, those who hang up, and too much of all."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from loopback import META, MODERN, Connection, Json, Response, ask, call, modern, request, running
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route

from phocinae.adapters.transports import http_answer, http_app
from phocinae.adapters.transports.http_app import HttpApp, Limits
from phocinae.catalog.context import CallContext
from phocinae.catalog.tools import Arguments, Done, Failed, Tool, ToolOutcome
from phocinae.composition.http import build_asgi_app
from phocinae.composition.server import build_server
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict
from phocinae.mcp.conversation import Server
from phocinae.mcp.http_rules import Admission
from phocinae.service.gate import GateService
from phocinae.settings import Settings

PLAIN = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


class Doors:
    """A tool that waits behind a door, one per name, until the test opens it."""

    def __init__(self) -> None:
        self._opened: dict[str, threading.Event] = {}
        self.entered = threading.Semaphore(0)
        self.left: list[str] = []

    def open(self, *names: str) -> None:
        for name in names:
            self._door(name).set()

    def enter(self, arguments: Arguments) -> ToolOutcome:
        self.entered.release()
        assert self._door(arguments["door"]).wait(30)
        self.left.append(arguments["door"])
        return Done({"door": arguments["door"]})

    def wait_for(self, count: int) -> None:
        for _ in range(count):
            assert self.entered.acquire(timeout=20)

    def _door(self, name: str) -> threading.Event:
        return self._opened.setdefault(name, threading.Event())


def judge(request: GateRequest) -> Verdict:
    return Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason=request.command[:20])


@pytest.fixture
def doors() -> Doors:
    return Doors()


@pytest.fixture
def server(doors: Doors) -> Server:
    """A server with the gate, and a tool that waits behind a door."""
    waiting = Tool(
        name="wait",
        title="w",
        description="w",
        input_schema={"type": "object"},
        run=doors.enter,
        gave_up=lambda _arguments: Failed("given up"),
    )
    return build_server(Settings(audit=False), GateService(offline=judge, clock=lambda: 0.0), extra_tools=(waiting,))


Serve = Callable[..., AbstractContextManager[int]]


@pytest.fixture
def serve(server: Server) -> Serve:
    """Serves the endpoint meanwhile, with limits of the test's own."""

    @contextmanager
    def serve(admission: Admission | None = None, **limits: Any) -> Iterator[int]:
        app = HttpApp(server, path="/mcp", admission=admission or Admission(), limits=Limits(**limits))
        with running(app) as port:
            yield port

    return serve


@pytest.fixture
def port(serve: Serve) -> Iterator[int]:
    with serve() as port:
        yield port


def test_each_era_is_answered_at_one_address(port: int) -> None:
    found = ask(port, modern("server/discover"))
    assert (found.status, found.headers["content-type"]) == (200, "application/json")
    assert found.json["result"]["supportedVersions"] == [MODERN]
    handshake = {"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}
    found = ask(port, handshake)
    assert found.json["result"]["protocolVersion"] == "2025-06-18"
    assert "mcp-session-id" not in found.headers
    tools = ask(port, PLAIN, MCP_Protocol_Version="2025-06-18").json["result"]["tools"]
    assert "outputSchema" in tools[0]
    assert "outputSchema" not in ask(port, PLAIN).json["result"]["tools"][0]
    assert ask(port, {"jsonrpc": "2.0", "method": "notifications/initialized"}).status == 202


def test_both_spellings_of_the_path_are_served_with_any_query(port: int) -> None:
    for path in ("/mcp", "/mcp/", "/mcp?x=1", "/mcp/?x=1"):
        assert ask(port, modern("tools/list"), path=path).status == 200
    for path in ("/", "/mcpx", "/mcp/x", "/x/mcp", "//mcp", "/MCP", "http://127.0.0.1/mcp", "*"):
        assert ask(port, modern("tools/list"), path=path).status == 404


@pytest.mark.parametrize(
    ("message", "fields", "status", "code"),
    [
        (modern("no/such"), {}, 404, -32601),
        (modern("ping"), {}, 404, -32601),
        (modern("initialize"), {}, 404, -32601),
        (call("none", {}), {}, 400, -32602),
        (call("gate", {}), {}, 400, -32602),
        (modern("tools/list"), {"MCP_Protocol_Version": None}, 400, -32020),
        (modern("tools/list"), {"Mcp_Method": "tools/call"}, 400, -32020),
        (modern("tools/list"), {"Accept": "text/html"}, 406, -32600),
        ({**PLAIN, "id": "x"}, {"MCP_Protocol_Version": MODERN}, 400, -32602),
        ({**PLAIN, "method": "no/such"}, {"MCP_Protocol_Version": "2025-06-18"}, 200, -32601),
        ({**PLAIN, "params": []}, {}, 200, -32602),
        ({"id": 7, "method": "x"}, {}, 400, -32600),
        (b"{", {}, 400, -32700),
        (b"", {}, 400, -32700),
        (b"null", {}, 400, -32600),
        ([PLAIN], {"MCP_Protocol_Version": "2025-06-18"}, 400, -32600),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, {"MCP_Protocol_Version": MODERN}, 400, -32600),
        ({"jsonrpc": "2.0", "method": "x"}, {"MCP_Protocol_Version": "junk"}, 400, -32022),
    ],
)
def test_an_error_has_its_status_and_the_id_of_its_request(
    port: int, message: Any, fields: Json, status: int, code: int
) -> None:
    found = ask(port, message, **fields)
    assert (found.status, found.json["error"]["code"]) == (status, code)
    named = isinstance(message, dict) and "method" in message and "id" in message
    assert found.json.get("id") == (message["id"] if named else None)


@pytest.mark.parametrize("ident", ["1", 1, "007", " 7 ", 0, -1, "", 2**60, "１", "a" * 500])
def test_ids_come_back_as_they_are(port: int, ident: object) -> None:
    for found in (
        ask(port, modern("tools/list", ident=ident)),
        ask(port, modern("tools/list", ident=ident), Mcp_Method="x"),
        ask(port, {**PLAIN, "id": ident}),
    ):
        assert found.json["id"] == ident
        assert type(found.json["id"]) is type(ident)


@pytest.mark.parametrize("method", ["GET", "HEAD", "DELETE", "PUT", "OPTIONS", "PATCH"])
def test_other_methods_are_told_which_one_to_use(port: int, method: str) -> None:
    connection = Connection(port)
    connection.send(f"{method} /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    found = connection.response(head=method == "HEAD")
    assert found is not None
    assert (found.status, found.headers["allow"]) == (405, "POST")
    connection.send(request(modern("tools/list")))
    assert (connection.response() or found).status == 200
    connection.close()


def test_a_client_that_takes_events_only_gets_one(port: int) -> None:
    found = ask(port, call("gate", {"command": "ls"}), Accept="text/event-stream")
    assert found.headers["content-type"] == "text/event-stream"
    assert found.headers["x-accel-buffering"] == "no"
    assert found.json["result"]["structuredContent"]["decision"] == "allow"
    refused = ask(port, modern("no/such"), Accept="text/event-stream")
    assert (refused.status, refused.headers["content-type"]) == (404, "application/json")


def test_a_batch_of_2025_03_26_is_answered_as_one(port: int) -> None:
    batch = [
        {**PLAIN, "id": "a", "method": "ping"},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "a"}},
        {**PLAIN, "id": "b", "method": "tools/call", "params": {"name": "gate", "arguments": {"command": "ls"}}},
        modern("tools/list", ident="c"),
    ]
    for fields in ({}, {"MCP_Protocol_Version": "2025-03-26"}):
        replies = {reply["id"]: reply for reply in ask(port, batch, **fields).json}
        assert replies.keys() == {"a", "b", "c"}
        assert "result" in replies["a"]
        assert "result" in replies["b"]
        assert replies["c"]["error"]["code"] == -32600
    assert ask(port, [batch[1]]).status == 202


def test_a_slow_call_holds_nobody_up(port: int, doors: Doors) -> None:
    slow = Connection(port)
    slow.send(request(call("wait", {"door": "a"}, "slow")))
    doors.wait_for(1)
    assert ask(port, call("gate", {"command": "ls"})).status == 200
    doors.open("a")
    found = slow.response()
    assert found is not None
    assert found.json["id"] == "slow"
    assert found.json["result"]["structuredContent"] == {"door": "a"}
    slow.close()


def hang_up(port: int, message: Json, doors: Doors, **fields: str) -> None:
    connection = Connection(port)
    connection.send(request(message, **fields))
    doors.wait_for(1)
    connection.close()


def test_a_modern_client_that_hangs_up_gives_its_place_to_others(port: int, doors: Doors) -> None:
    for number in range(http_app.WORKERS):
        hang_up(port, call("wait", {"door": f"lost {number}"}), doors)
    others = [Connection(port) for _ in range(4)]
    for number, other in enumerate(others):
        other.send(request(call("wait", {"door": f"kept {number}"})))
    doors.wait_for(4)
    doors.open(*(f"kept {number}" for number in range(4)))
    assert [(other.response() or pytest.fail("no response")).status for other in others] == [200] * 4
    doors.open(*(f"lost {number}" for number in range(http_app.WORKERS)))
    for other in others:
        other.close()


@pytest.mark.requirement("L-032")
def test_a_call_of_a_handshake_revision_goes_on_without_its_client(port: int, doors: Doors) -> None:
    message = {**PLAIN, "method": "tools/call", "params": {"name": "wait", "arguments": {"door": "a"}}}
    hang_up(port, message, doors)
    assert ask(port, PLAIN).status == 200
    doors.open("a")
    deadline = time.monotonic() + 10
    while not doors.left and time.monotonic() < deadline:
        time.sleep(0.01)
    assert doors.left == ["a"]


def test_a_posted_cancellation_cancels_nobody(port: int, doors: Doors) -> None:
    slow = Connection(port)
    slow.send(request(call("wait", {"door": "a"}, "slow")))
    doors.wait_for(1)
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "slow"}}
    assert ask(port, note).status == 202
    doors.open("a")
    assert (slow.response() or pytest.fail("no response")).json["id"] == "slow"
    slow.close()


def test_too_many_calls_are_sent_away_and_may_come_back(serve: Serve, doors: Doors) -> None:
    with serve(calls=2) as port:
        first = [Connection(port) for _ in range(2)]
        for connection in first:
            connection.send(request(call("wait", {"door": "a"})))
        doors.wait_for(2)
        found = ask(port, call("wait", {"door": "b"}, "late"))
        assert (found.status, found.headers["retry-after"], found.json["id"]) == (503, "1", "late")
        assert ask(port, call("gate", {"command": "ls"})).status == 200
        doors.open("a", "b")
        assert [(one.response() or pytest.fail("no response")).status for one in first] == [200, 200]
        deadline = time.monotonic() + 10
        while ask(port, call("wait", {"door": "b"})).status != 200 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert ask(port, call("wait", {"door": "b"})).status == 200
        for connection in first:
            connection.close()


def test_long_messages_are_read_up_to_the_limit_and_no_further(serve: Serve) -> None:
    with serve(body=20_000) as port:
        for size, status in ((100, 200), (15_000, 200), (30_000, 413)):
            found = ask(port, call("gate", {"command": "x" * size}))
            assert found.status == status
            assert found.headers.get("connection") == ("close" if status == 413 else None)
        connection = Connection(port)
        chunk = b"4000\r\n" + b" " * 0x4000 + b"\r\n"
        connection.send(request(b"", Content_Length=None, Transfer_Encoding="chunked") + chunk + chunk)
        assert (connection.response() or pytest.fail("no response")).status == 413
        assert connection.is_closed()
        connection.close()


def test_bodies_are_held_up_to_a_limit_for_all_together(serve: Serve) -> None:
    with serve(held=10_000) as port:
        assert ask(port, call("gate", {"command": "x" * 5_000})).status == 200
        found = ask(port, call("gate", {"command": "x" * 15_000}))
        assert (found.status, found.headers["retry-after"]) == (503, "1")
        assert ask(port, call("gate", {"command": "x" * 5_000})).status == 200


def test_a_body_that_does_not_come_in_time_is_not_waited_for(serve: Serve) -> None:
    with serve(seconds=0.2) as port:
        chunk = b'5\r\n{"jso'
        for part in (
            request(modern("tools/list"))[:-20],
            request(b"", Content_Length=None, Transfer_Encoding="chunked") + chunk,
        ):
            connection = Connection(port)
            connection.send(part)
            found = connection.response() or pytest.fail("no response")
            assert (found.status, found.headers["connection"]) == (408, "close")
            assert connection.is_closed()
            connection.close()
        assert ask(port, modern("tools/list")).status == 200


def test_a_body_in_chunks_is_read_and_ends_the_connection(port: int) -> None:
    body = json.dumps(modern("tools/list")).encode()
    half = len(body) // 2
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:half], body[half:])) + b"0\r\n\r\n"
    connection = Connection(port)
    head = request(
        b"", Content_Length=None, Transfer_Encoding="chunked", MCP_Protocol_Version=MODERN, Mcp_Method="tools/list"
    )
    connection.send(head + chunks)
    found = connection.response()
    assert found is not None
    assert (found.status, found.headers["connection"]) == (200, "close")
    assert connection.is_closed()
    connection.close()


def test_what_breaks_inside_is_said_without_its_text(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: object) -> None:
        raise LookupError("hunter2")

    monkeypatch.setattr(http_answer, "route", broken)
    app = HttpApp(server, path="/mcp", admission=Admission(), limits=Limits())
    with running(app) as port:
        found = ask(port, modern("tools/list"))
        assert found.status == 500
        assert b"hunter2" not in found.body


def test_it_is_mounted_beside_other_routes(server: Server) -> None:
    mcp = build_asgi_app(server, Settings(path="/tools", audit=False))

    class Beside(Starlette):
        def hang_up(self) -> None:
            mcp.hang_up()

        def give_up(self) -> None:
            mcp.give_up()

    routes = [Route("/health", lambda _request: PlainTextResponse("ok")), Mount("/below", mcp), Mount("/", mcp)]
    with running(Beside(routes=routes)) as port:
        for path in ("/tools", "/tools/", "/below/tools"):
            assert ask(port, modern("tools/list"), path=path).json["result"]["tools"]
        assert ask(port, modern("tools/list"), path="/mcp").status == 404
        assert ask(port, b"", path="/health", method="GET").body == b"ok"
        assert ask(port, modern("tools/list"), path="/tools", host="evil.example").status == 403


# --- calls that say something meanwhile


@pytest.fixture
def telling(server: Server, serve: Serve, doors: Doors) -> Iterator[int]:
    """The port of the server, with tools that tell of their progress and log, in a thread and on the event loop."""

    @server.tool(description="Tells of its progress.", input_schema={"type": "object"})
    def tell(context: CallContext) -> Json:
        context.progress(1, 3, "one")
        context.progress(1, 3, "no further")
        context.progress(2, 3)
        context.log("warning", "half")
        context.log("debug", "nothing worth a line")
        return {"done": True}

    @server.tool(description="Tells of its progress from a loop.", input_schema={"type": "object"})
    async def tell_async(context: CallContext) -> Json:
        context.progress(1)
        await asyncio.sleep(0)
        context.progress(2)
        return {"done": True}

    @server.tool(description="Ends when nobody waits for it.", input_schema={"type": "object"})
    def tell_until_cancelled(context: CallContext) -> None:
        context.progress(1)
        deadline = time.monotonic() + 20
        while not context.is_cancelled and time.monotonic() < deadline:
            time.sleep(0.01)
        if context.is_cancelled:
            doors.entered.release()

    with serve() as port:
        yield port


def events(found: Response) -> list[Any]:
    """Return the messages of a stream."""
    assert found.headers["content-type"] == "text/event-stream"
    assert found.headers["x-accel-buffering"] == "no"
    assert found.headers["transfer-encoding"] == "chunked"
    return [
        json.loads(text.removeprefix("event: message\ndata: ")) for text in found.body.decode().split("\n\n") if text
    ]


WITH_TOKEN: Json = {"_meta": META | {"progressToken": "p"}}


def telling_call(name: str) -> Json:
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name} | WITH_TOKEN}


@pytest.mark.parametrize("name", ["tell", "tell_async"])
def test_progress_comes_as_events_before_the_result(telling: int, name: str) -> None:
    *before, last = events(ask(telling, telling_call(name), Accept="application/json, text/event-stream"))
    assert [message["method"] for message in before] == ["notifications/progress"] * 2
    assert [message["params"]["progress"] for message in before] == [1, 2]
    assert {message["params"]["progressToken"] for message in before} == {"p"}
    assert last["id"] == 1
    assert last["result"]["structuredContent"] == {"done": True}
    connection = Connection(telling)
    for _ in range(2):
        connection.send(request(telling_call(name)))
        assert len(events(connection.response() or pytest.fail("no response"))) == 3
    connection.close()


def test_a_client_that_takes_json_only_is_told_the_result_alone(telling: int) -> None:
    found = ask(telling, telling_call("tell"), Accept="application/json")
    assert found.json["result"]["structuredContent"] == {"done": True}
    assert "progressToken" not in found.body.decode()
    unasked = ask(telling, call("tell", {}))
    assert unasked.headers["content-type"] == "application/json"


def test_log_lines_of_a_handler_reach_a_client_of_a_handshake_revision(telling: int) -> None:
    message = {**PLAIN, "method": "tools/call", "params": {"name": "tell", "_meta": {"progressToken": 7}}}
    *before, last = events(ask(telling, message, MCP_Protocol_Version="2025-11-25"))
    kinds = [one["method"].removeprefix("notifications/") for one in before]
    assert kinds == ["progress", "progress", "message"]
    assert before[2]["params"]["data"] == "half"
    assert "result" in last


def test_who_hangs_up_in_the_middle_of_a_stream_cancels_the_call(telling: int, doors: Doors) -> None:
    connection = Connection(telling)
    connection.send(request(telling_call("tell_until_cancelled")))
    seen = b""
    while b"notifications/progress" not in seen:
        seen += connection.socket.recv(1 << 16)
    connection.close()
    doors.wait_for(1)


def test_a_stream_of_http_1_0_ends_with_its_connection(telling: int) -> None:
    connection = Connection(telling)
    connection.send(request(telling_call("tell")).replace(b"HTTP/1.1", b"HTTP/1.0", 1))
    found = connection.response() or pytest.fail("no response")
    assert found.headers["content-type"] == "text/event-stream"
    rest = found.body + connection.rest()
    assert rest.count(b"event: message") == 3
    connection.close()
