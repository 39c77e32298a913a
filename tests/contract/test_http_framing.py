"""Bytes on a socket: one response to each request, and every doubtful shape closes the connection."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator

import pytest
from loopback import MODERN, Connection, Response, ask, call, modern, request, running

from phocinae import Settings, build_asgi_app, build_gate, build_server
from phocinae.adapters.transports.http_connection import HEAD_BYTES, Patience

SOON = Patience(head=0.6, idle=1, taking=0.6, connections=8)

INNER = json.dumps(modern("tools/list")).encode()
FIELDS = (
    b"Host: localhost\r\nContent-Type: application/json\r\n"
    b"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n"
)
POST = b"POST /mcp HTTP/1.1\r\n"
SIZED = b"Content-Length: %d\r\n" % len(INNER)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
IN_CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(INNER), INNER)
END = b"\r\n"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a server with the usual patience."""
    settings = Settings(audit=False)
    with running(build_asgi_app(build_server(settings, build_gate(settings)), settings)) as port:
        yield port


@pytest.fixture(scope="module")
def hasty() -> Iterator[int]:
    """The port of a server with little patience, for few connections."""
    settings = Settings(audit=False)
    with running(build_asgi_app(build_server(settings, build_gate(settings)), settings), SOON) as port:
        yield port


def response(connection: Connection) -> Response:
    found = connection.response()
    assert found is not None
    return found


GOOD = {
    "a length": POST + FIELDS + SIZED + END + INNER,
    "chunks": POST + FIELDS + CHUNKED + END + IN_CHUNKS,
    "chunks in capitals": POST + FIELDS + b"TRANSFER-ENCODING: Chunked\r\n" + END + IN_CHUNKS,
    "blanks around values": POST + FIELDS.replace(b": ", b":  \t") + SIZED + END + INNER,
    "HTTP/1.0": b"POST /mcp HTTP/1.0\r\n" + FIELDS + SIZED + END + INNER,
}


@pytest.mark.parametrize("name", GOOD)
def test_what_is_in_order_is_answered_once(port: int, name: str) -> None:
    connection = Connection(port)
    connection.send(GOOD[name])
    assert response(connection).json["result"]["tools"]
    connection.socket.shutdown(socket.SHUT_WR)
    assert connection.is_closed()
    connection.close()


SMUGGLED = b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n"
DOUBTFUL = {
    "length and chunks": POST + FIELDS + SIZED + CHUNKED + END + IN_CHUNKS,
    "chunks and length": POST + FIELDS + CHUNKED + b"Content-Length: 4\r\n" + END + IN_CHUNKS + SMUGGLED,
    "two lengths": POST + FIELDS + SIZED + b"Content-Length: 2\r\n" + END + INNER,
    "one length twice": POST + FIELDS + SIZED + SIZED.lower() + END + INNER,
    "a list of one length": POST + FIELDS + b"Content-Length: %d, %d\r\n" % (len(INNER), len(INNER)) + END + INNER,
    "a head that is too long": POST + FIELDS + b"X: " + b"a" * HEAD_BYTES + b"\r\n" + SIZED + END + INNER,
    "a list of lengths": POST + FIELDS + b"Content-Length: 2, 3\r\n" + END + INNER,
    "a length with a sign": POST + FIELDS + b"Content-Length: +%d\r\n" % len(INNER) + END + INNER,
    "a negative length": POST + FIELDS + b"Content-Length: -1\r\n" + END + INNER,
    "a length in hexadecimal": POST + FIELDS + b"Content-Length: 0x10\r\n" + END + INNER,
    "a length with an underscore": POST + FIELDS + b"Content-Length: 1_0\r\n" + END + INNER,
    "an empty length": POST + FIELDS + b"Content-Length:\r\n" + END + INNER,
    "another coding": POST + FIELDS + b"Transfer-Encoding: gzip, chunked\r\n" + END + IN_CHUNKS,
    "an unknown coding": POST + FIELDS + b"Transfer-Encoding: xchunked\r\n" + END + IN_CHUNKS,
    "two codings": POST + FIELDS + CHUNKED + b"Transfer-Encoding: identity\r\n" + END + IN_CHUNKS,
    "chunks in HTTP/1.0": b"POST /mcp HTTP/1.0\r\n" + FIELDS + CHUNKED + END + IN_CHUNKS,
    "a blank before a colon": POST + FIELDS + b"Transfer-Encoding : chunked\r\n" + SIZED + END + IN_CHUNKS,
    "a folded line": POST + FIELDS + b"X: a\r\n b\r\n" + SIZED + END + INNER,
    "a folded coding": POST + FIELDS + b"Transfer-Encoding:\r\n chunked\r\n" + END + IN_CHUNKS,
    "a bare line feed": POST + FIELDS + b"X: a\n" + SIZED + END + INNER,
    "bare line feeds only": (POST + FIELDS + SIZED + END).replace(b"\r\n", b"\n") + INNER,
    "a bare carriage return": POST + FIELDS + b"X: a\rY: b\r\n" + SIZED + END + INNER,
    "a null": POST + FIELDS + b"X: a\x00b\r\n" + SIZED + END + INNER,
    "no host": POST + b"Content-Length: 0\r\n\r\n",
    "two hosts": POST + FIELDS + b"Host: localhost\r\n" + SIZED + END + INNER,
    "no request line": b"NONSENSE\r\n\r\n",
    "another protocol": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
    "HTTP/2 without asking": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a chunk with a sign": POST + FIELDS + CHUNKED + END + b"+5\r\nhello\r\n0\r\n\r\n",
    "a chunk that is longer than it says": POST + FIELDS + CHUNKED + END + b"2\r\nhello\r\n0\r\n\r\n",
    "a chunk of nothing legible": POST + FIELDS + CHUNKED + END + b"zz\r\nhello\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_what_two_readers_could_read_differently_is_refused_and_closes(port: int, name: str) -> None:
    connection = Connection(port)
    connection.send(DOUBTFUL[name])
    found = response(connection)
    assert found.status in (400, 403, 501)
    assert found.headers["connection"] == "close"
    assert b'"result"' not in found.body
    assert connection.is_closed()
    connection.close()


UNREAD = {
    "another path": b"POST /elsewhere HTTP/1.1\r\n" + FIELDS,
    "another method": b"DELETE /mcp HTTP/1.1\r\n" + FIELDS,
    "GET with a body": b"GET /mcp HTTP/1.1\r\n" + FIELDS,
    "a foreign host": POST + FIELDS.replace(b"localhost", b"evil.example"),
    "a foreign origin": POST + b"Origin: http://evil.example\r\n" + FIELDS,
    "a form": POST + FIELDS.replace(b"application/json", b"text/plain"),
}


@pytest.mark.parametrize("framing", ["length", "chunks"])
@pytest.mark.parametrize("name", UNREAD)
def test_a_body_that_is_not_read_is_never_taken_for_a_request(port: int, name: str, framing: str) -> None:
    inner = GOOD["a length"]
    sized = b"Content-Length: %d\r\n\r\n" % len(inner) + inner
    chunks = CHUNKED + END + b"%x\r\n%s\r\n0\r\n\r\n" % (len(inner), inner)
    connection = Connection(port)
    connection.send(UNREAD[name] + (sized if framing == "length" else chunks))
    found = response(connection)
    assert 400 <= found.status < 500
    assert connection.is_closed()
    connection.close()


def test_nothing_follows_a_request_in_chunks_that_is_answered_with_events() -> None:
    settings = Settings(audit=False)
    server = build_server(settings, build_gate(settings), builtin=False)
    server.tool("step")(lambda call: call.progress(1))
    asked = {"name": "step", "_meta": {"progressToken": 1}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}).encode()
    fields = b"Host: localhost\r\nContent-Type: application/json\r\n"
    with running(build_asgi_app(server, settings)) as port:
        connection = Connection(port)
        connection.send(POST + fields + CHUNKED + END + b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body))
        found = response(connection)
        assert found.headers["content-type"] == "text/event-stream"
        assert b"notifications/progress" in found.body
        assert connection.is_closed()
        connection.close()


def test_requests_on_one_connection_are_answered_one_by_one(port: int) -> None:
    connection = Connection(port)
    for number in range(5):
        connection.send(request(modern("tools/list", ident=number)))
        assert response(connection).json["id"] == number
        connection.send(request(modern("tools/list", ident=number), Mcp_Method="x"))
        assert response(connection).status == 400
    connection.close()


def test_a_request_ahead_of_its_turn_is_not_read(port: int) -> None:
    connection = Connection(port)
    connection.send(request(call("gate", {"command": "ls"}, 1)) + request(call("gate", {"command": "pwd"}, 2)))
    found = response(connection)
    assert (found.json["id"], found.headers["connection"]) == (1, "close")
    assert connection.is_closed()
    connection.close()


def test_a_client_that_waits_for_leave_to_send_gets_it(port: int) -> None:
    connection = Connection(port)
    connection.send(POST + FIELDS + SIZED + b"Expect: 100-continue\r\n" + END)
    assert response(connection).status == 100
    connection.send(INNER)
    assert response(connection).status == 200
    connection.send(POST + FIELDS + b"Content-Length: 99999999\r\nExpect: 100-continue\r\n" + END)
    assert response(connection).status == 413
    connection.close()


def test_a_message_that_is_announced_as_too_long_is_refused_at_once(port: int) -> None:
    connection = Connection(port)
    connection.send(POST + FIELDS + b"Content-Length: 70000000\r\n" + END)
    assert response(connection).status == 413
    assert connection.is_closed()
    connection.close()


def test_a_client_that_goes_on_sending_reads_why_it_was_refused(port: int) -> None:
    connection = Connection(port)
    size = 6 << 20
    connection.send(POST + FIELDS + b"Content-Length: %d\r\n" % size + END + b" " * size)
    assert response(connection).status == 413
    connection.close()


def test_a_head_without_end_is_cut_off(port: int) -> None:
    connection = Connection(port)
    connection.send(POST + b"X: " + b"a" * (2 * HEAD_BYTES))
    assert response(connection).status == 400
    assert connection.is_closed()
    connection.close()


def took(connection: Connection) -> float:
    """Return how long the server took to close the connection."""
    start = time.monotonic()
    connection.socket.settimeout(20)
    while connection.response() is not None:
        pass
    return time.monotonic() - start


def test_who_sends_nothing_or_only_a_part_is_cut_off(hasty: int) -> None:
    silent, slow = Connection(hasty), Connection(hasty)
    slow.send(POST[:10])
    assert response(slow).status == 408
    assert slow.is_closed()
    assert took(silent) < 10
    used = Connection(hasty)
    used.send(request(modern("tools/list")))
    assert response(used).status == 200
    used.send(POST[:10])
    assert response(used).status == 408
    idle = Connection(hasty)
    idle.send(request(modern("tools/list")))
    assert response(idle).status == 200
    assert took(idle) < 10


def test_who_drips_is_cut_off_however_long_it_goes_on(hasty: int) -> None:
    connection = Connection(hasty)
    start = time.monotonic()
    try:
        for byte in (POST + FIELDS) * 10:
            connection.send(bytes((byte,)))
            time.sleep(0.05)
    except ConnectionError:
        pass
    assert time.monotonic() - start < 15
    connection.close()


def test_many_who_drip_at_once_hold_nobody_up() -> None:
    settings = Settings(audit=False)
    app = build_asgi_app(build_server(settings, build_gate(settings)), settings)
    head = request(modern("tools/list"))
    with running(app, Patience(head=1.5)) as port:
        drips = [Connection(port) for _ in range(200)]
        start = time.monotonic()
        cut: set[int] = set()
        for at in range(len(head) - 1):
            for number, drip in enumerate(drips):
                if number not in cut:
                    try:
                        drip.send(head[at : at + 1])
                    except ConnectionError:
                        cut.add(number)
            assert ask(port, modern("tools/list")).status == 200
            if len(cut) == len(drips) or time.monotonic() - start > 15:
                break
            time.sleep(0.05)
        assert len(cut) == len(drips)
        for drip in drips:
            drip.close()


def test_more_connections_than_there_is_room_for_are_told_to_come_back(hasty: int) -> None:
    here = [Connection(hasty) for _ in range(SOON.connections)]
    late = Connection(hasty)
    found = response(late)
    assert (found.status, found.headers["retry-after"]) == (503, "2")
    assert late.is_closed()
    for connection in here:
        connection.close()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        again = Connection(hasty)
        again.send(request(modern("tools/list")))
        if (last := again.response()) is not None and last.status == 200:
            return
        time.sleep(0.05)
    pytest.fail("nobody comes in any more")


def test_the_port_goes_on_after_all_that(port: int) -> None:
    for message in (modern("tools/list"), call("gate", {"command": "ls"})):
        assert ask(port, message).status == 200
    assert MODERN in ask(port, modern("server/discover")).json["result"]["supportedVersions"]
