"""One request and its response, with a socket that does what a test says, and bytes that no server should send."""

from __future__ import annotations

import contextlib
import socket
from http.client import HTTPException, IncompleteRead, RemoteDisconnected, UnknownProtocol
from random import Random
from typing import Any, cast

import pytest
from attrs import define, field
from hypothesis import example, given
from hypothesis import strategies as st

from phocinae.adapters.backends import deadline, exchange
from phocinae.adapters.backends.deadline import Deadline, TimedSocket
from phocinae.adapters.backends.exchange import BODY_LIMIT, IDLE_CONNECTIONS, Connection, IdleConnections
from phocinae.adapters.backends.failures import Ambiguous, TooLarge

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"


@define(eq=False)
class Socket:
    """A socket from which `data` arrives in pieces of `step` bytes, and then the end."""

    data: bytes = b""
    step: int = 65_536
    broken: bool = False
    sent: bytes = b""
    closed: bool = False
    timeouts: list[float] = field(factory=list)
    options: list[tuple[int, ...]] = field(factory=list)

    def settimeout(self, seconds: float) -> None:
        self.timeouts.append(seconds)

    def setsockopt(self, *option: int) -> None:
        self.options.append(option)
        raise OSError  # such an option is a favour

    def send(self, data: memoryview) -> int:
        if self.broken:
            raise BrokenPipeError
        self.sent += data[:10]
        return min(10, len(data))

    def recv_into(self, buffer: Any) -> int:
        piece, self.data = self.data[: min(self.step, len(buffer))], self.data[min(self.step, len(buffer)) :]
        buffer[: len(piece)] = piece
        return len(piece)

    def recv(self, _count: int) -> bytes:
        if not self.data:
            raise BlockingIOError
        return self.data[:1]

    def close(self) -> None:
        self.closed = True


def over(data: bytes = OK, **others: Any) -> tuple[Connection, Socket]:
    raw = Socket(data, **others)
    return Connection(TimedSocket(cast("Any", raw), Deadline(9))), raw


def ask(data: bytes, **others: Any) -> tuple[exchange.Response, Connection]:
    connection, _raw = over(data, **others)
    return connection.ask(b"POST", Deadline(9)), connection


@pytest.mark.parametrize(
    ("head", "unit"),
    [
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"A: b\r\n"),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
)
def test_what_has_no_end_is_not_received_without_end(head: bytes, unit: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "RECEIVED_LIMIT", 100_000)
    connection, raw = over(head + unit * (300_000 // len(unit)))
    with pytest.raises(TooLarge):
        connection.ask(b"POST", Deadline(60))
    assert len(raw.data) > 100_000


def test_all_of_a_request_is_sent_and_every_step_has_the_time_that_is_left() -> None:
    now = [0.0]

    def clock() -> float:
        now[0] += 0.5
        return now[0]

    connection, raw = over(step=30)
    connection.ask(b"x" * 25, Deadline(20, clock))
    assert raw.sent == b"x" * 25
    assert raw.timeouts == sorted(raw.timeouts, reverse=True)
    assert len(raw.timeouts) == 3 + 2
    connection, raw = over(step=1)
    with pytest.raises(TimeoutError):
        connection.ask(b"x", Deadline(10, clock))
    assert raw.data


@pytest.mark.parametrize(
    ("data", "body", "kept"),
    [
        (OK, b"hi", True),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", b"hi", True),
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi", b"hi", False),
        (b"HTTP/1.1 200 OK\r\n\r\nhi", b"hi", False),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", b"hi", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi", b"hi", False),
        (b"HTTP/1.1 100 Continue\r\n\r\n" + OK, b"hi", True),
        (OK.replace(b"200", b"103") + OK, b"", False),
        (OK.replace(b"200", b"204"), b"", False),
        (OK.replace(b"200", b"500"), b"hi", False),
    ],
)
def test_a_connection_is_kept_only_where_the_end_of_the_response_is_beyond_doubt(
    data: bytes, body: bytes, kept: bool
) -> None:
    response, connection = ask(data)
    assert (response.body, connection.reusable) == (body, kept)


@pytest.mark.skipif(not hasattr(socket, "TCP_QUICKACK"), reason="the system has no such option")
def test_a_service_that_sends_head_and_body_apart_is_not_kept_waiting() -> None:
    connection, raw = over()
    connection.ask(b"POST", Deadline(9))
    assert raw.options == [(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)]


def test_fields_that_matter_come_along() -> None:
    response, _ = ask(b"HTTP/1.1 503 No\r\nretry-after: 5\r\nContent-Encoding: gzip\r\nContent-Length: 0\r\n\r\n")
    assert (response.status, response.retry_after, response.encoding) == (503, "5", "gzip")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", RemoteDisconnected),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", IncompleteRead),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhi", IncompleteRead),
        (b"SSH-2.0-x\r\n", HTTPException),
        (b"HTTP/2 200 OK\r\n\r\n", UnknownProtocol),
        (b"HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nhi", UnknownProtocol),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nhi", UnknownProtocol),
        (b"HTTP/1.10 200 OK\r\nContent-Length: 2\r\n\r\nhi", UnknownProtocol),
        (b"hi", HTTPException),
        (b"HTTP/1.1 200 OK\r\n" + b"X" * 70_000, HTTPException),
        (b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n", HTTPException),
        (b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (BODY_LIMIT + 1), TooLarge),
        (b"HTTP/1.1 200 OK\r\n\r\n" + b" " * (BODY_LIMIT + 1), TooLarge),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % (BODY_LIMIT * 2) + b" " * BODY_LIMIT * 2,
            TooLarge,
        ),
    ],
)
def test_what_is_no_whole_response_is_an_error(data: bytes, error: type[Exception]) -> None:
    connection, _raw = over(data)
    with pytest.raises(error):
        connection.ask(b"POST", Deadline(9))
    assert not connection.reusable


LENGTHS = st.lists(
    st.sampled_from(["2", "3", "02", "+2", "2_0", " 2", "-2", "2, 2", "2, 3", "0x2", "", "\u00b2"]), max_size=3
)
CODINGS = st.lists(
    st.sampled_from(["chunked", "Chunked", "identity", "gzip, chunked", "chunked, chunked", ""]), max_size=2
)


@given(LENGTHS, CODINGS, st.randoms(use_true_random=False))
@example(["2"], ["chunked"], Random(0))
@example(["2", "3"], [], Random(0))
def test_a_response_with_an_end_in_doubt_is_refused(lengths: list[str], codings: list[str], order: Random) -> None:
    fields = [f"Content-Length: {one}" for one in lengths] + [f"Transfer-Encoding: {one}" for one in codings]
    order.shuffle(fields)
    chunked = b"2\r\nhi\r\n0\r\n\r\n"
    data = "\r\n".join(["HTTP/1.1 200 OK", *fields, "", ""]).encode("latin-1") + (chunked if codings else b"hi")
    plain = {one.strip() for one in lengths}
    sound = len(plain) <= 1 and plain <= {"2", "02", "3"} and (not codings or (not lengths and len(codings) == 1))
    if sound and (not codings or codings[0].lower() == "chunked") and plain != {"3"}:
        assert ask(data)[0].body == b"hi"
    else:
        with pytest.raises(IncompleteRead if plain == {"3"} and not codings else Ambiguous):
            ask(data)


def test_a_response_of_the_longest_length_is_read() -> None:
    assert len(ask(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * BODY_LIMIT)[0].body) == BODY_LIMIT


def test_an_answer_before_the_whole_request_was_read_is_taken_and_the_connection_is_not() -> None:
    response, connection = ask(OK, broken=True)
    assert (response.body, connection.reusable) == (b"hi", False)
    with pytest.raises(RemoteDisconnected):
        ask(b"", broken=True)


@given(
    st.binary(max_size=300) | st.binary(max_size=300).map(lambda rest: b"HTTP/1.1 200 OK\r\n" + rest), st.integers(1, 9)
)
@example(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 9)
@example(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\xff\r\n", 9)
@example(b"HTTP/1.1 200 OK\r\nContent-Length: \xb2\r\n\r\n", 9)
@example(b"HTTP/1.1 200 OK\r\n: \r\n =?utf-8?q?=FF?=: \x85\r\n\r\n", 9)
def test_whatever_arrives_is_a_response_or_an_error_that_is_foreseen(data: bytes, step: int) -> None:
    with contextlib.suppress(OSError, HTTPException, ValueError):
        response, connection = ask(data, step=step)
        assert 100 <= response.status <= 999
        assert len(response.body) <= len(data)
        assert connection.reusable in (True, False)


def test_the_connection_used_last_is_taken_first_and_one_that_speaks_up_is_not() -> None:
    idle = IdleConnections()
    connections = [over(b"") for _ in range(IDLE_CONNECTIONS + 1)]
    for connection, _ in connections:
        connection.reusable = True
        idle.give(connection)
    assert [raw.closed for _, raw in connections] == [False] * IDLE_CONNECTIONS + [True]
    connections[-2][1].data = b"HTTP/1.1 408 Request Timeout\r\n\r\n"
    assert idle.take() is connections[-3][0]
    assert connections[-2][1].closed
    idle.close()
    assert idle.take() is None
    assert [raw.closed for _, raw in connections] == [True] * (IDLE_CONNECTIONS - 2) + [False, True, True]


def test_what_cannot_be_used_again_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = IdleConnections()
    connection, raw = over(b"")
    idle.give(connection)
    assert raw.closed
    connection, raw = over(b"")
    connection.reusable = True
    idle.give(connection)
    monkeypatch.setattr(exchange, "IDLE_SECONDS", 0.0)
    assert idle.take() is None
    assert raw.closed
