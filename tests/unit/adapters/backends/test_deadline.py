"""What takes time on the network takes it from one deadline, whatever trickles in."""

from __future__ import annotations

import contextlib
import math
import select
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters.backends import deadline as module
from phocinae.adapters.backends.breaker import PAUSE
from phocinae.adapters.backends.deadline import MOST_LOOKUPS, Deadline, Resolver, connect
from phocinae.adapters.backends.failures import NoHandshake

ENOUGH = 20.0
NOWHERE = ("192.0.2.1", 9)
"""An address that is given to nobody (RFC 5737)."""
LOOKED_UP = socket.getaddrinfo


@contextlib.contextmanager
def listening(host: str = "127.0.0.1") -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as listener:
        yield listener


def port_of(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def test_the_rest_of_the_time_is_never_none() -> None:
    now = [0.0]
    limit = Deadline(2.0, lambda: now[0])
    assert (limit.seconds, limit.remaining(), limit.left) == (2.0, 2.0, 2.0)
    now[0] = 1.5
    assert (limit.remaining(), limit.share(5).seconds) == (0.5, 0.1)
    for late in (2.0, 3.0):
        now[0] = late
        with pytest.raises(TimeoutError):
            limit.remaining()
    assert limit.left == -1.0


@pytest.mark.parametrize("seconds", [0.0, -1.0, math.nan])
def test_no_time_is_no_time(seconds: float) -> None:
    with pytest.raises(TimeoutError):
        Deadline(seconds).remaining()


@pytest.mark.parametrize("seconds", [math.inf, 1e300])
def test_an_endless_deadline_fits_into_a_timeout(seconds: float) -> None:
    with socket.socket() as one:
        one.settimeout(Deadline(seconds).remaining())


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_an_address_in_figures_needs_no_thread(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_Lookup", None)  # the thread
    ((_family, address),) = Resolver(host, 80).addresses(Deadline(ENOUGH))
    assert address[:2] == (host, 80)


def test_a_name_is_looked_up() -> None:
    assert ("127.0.0.1", 80) in [address for _, address in Resolver("localhost", 80).addresses(Deadline(ENOUGH))]


@pytest.mark.parametrize("host", ["nobody.invalid", "x" * 70 + ".example", "a..b", ".", "\N{SNOWMAN}..x"])
def test_a_name_that_is_not_known_is_an_error(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str, *_rest: Any, **_options: Any) -> Any:
        name.encode("idna")  # as the system does, and a part that is too long or empty is an error of its own there
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(socket.gaierror):
        Resolver(host, 80).addresses(Deadline(ENOUGH))


@pytest.mark.parametrize("broken", [MemoryError, lambda *_a, **_o: []])
def test_a_look_up_that_ends_without_addresses_is_an_error(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_where: Any, **options: Any) -> Any:
        if options.get("flags"):
            raise socket.gaierror
        if isinstance(broken, type):
            raise broken
        return broken()

    monkeypatch.setattr(socket, "getaddrinfo", failing)
    monkeypatch.setattr(threading, "excepthook", lambda _arguments: None)
    with pytest.raises(socket.gaierror):
        Resolver("service.test", 80).addresses(Deadline(ENOUGH))


def test_without_another_thread_nothing_is_looked_up_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_self: object) -> None:
        raise RuntimeError("can't start new thread")

    resolver = Resolver("localhost", 80)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", start)
        with pytest.raises(OSError, match="unavailable"):
            resolver.addresses(Deadline(ENOUGH))
    assert resolver.addresses(Deadline(ENOUGH))


def test_a_look_up_that_hangs_is_left_behind_and_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    released, asked = threading.Event(), []

    def hanging(name: str, port: int, **options: Any) -> Any:
        if options.get("flags"):
            raise socket.gaierror
        asked.append(name)
        released.wait(60)
        return LOOKED_UP("127.0.0.1", port, **options)

    monkeypatch.setattr(socket, "getaddrinfo", hanging)
    resolver = Resolver("service.test", 80)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            resolver.addresses(Deadline(0.05))
    assert asked == ["service.test"]
    assert all(one.daemon for one in threading.enumerate() if one.name == "phocinae-resolver")
    released.set()
    deadline = Deadline(ENOUGH)
    assert resolver.addresses(deadline)[0][1] == ("127.0.0.1", 80)
    assert resolver.addresses(deadline)[0][1] == ("127.0.0.1", 80)


def test_a_look_up_that_hangs_for_long_keeps_nobody_from_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    released, asked, now = threading.Event(), [], [100.0]

    def lost_at_first(name: str, port: int, **options: Any) -> Any:
        if options.get("flags"):
            raise socket.gaierror
        asked.append(name)
        if len(asked) in answering:
            return LOOKED_UP("127.0.0.1", port, **options)
        released.wait(60)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", lost_at_first)
    answering = {2}
    resolver = Resolver("service.test", 80, lambda: now[0])
    with pytest.raises(TimeoutError):
        resolver.addresses(Deadline(0.05))
    now[0] += PAUSE
    assert resolver.addresses(Deadline(ENOUGH))[0][1] == ("127.0.0.1", 80)

    answering = {6}
    for _ in range(9):
        now[0] += PAUSE
        with pytest.raises(TimeoutError):
            resolver.addresses(Deadline(0.05))
    assert len(asked) == 1 + MOST_LOOKUPS  # the first one, one that answered, and as many as may hang beside the first
    released.set()
    for lookup in threading.enumerate():
        if lookup.name == "phocinae-resolver":
            lookup.join(ENOUGH)
    asked += [""] * (5 - len(asked))
    assert resolver.addresses(Deadline(ENOUGH))[0][1] == ("127.0.0.1", 80)


def at(*addresses: tuple[str, int]) -> Any:
    """Return a resolver that knows these addresses."""

    class Known:
        def addresses(self, _deadline: Deadline) -> Any:
            return tuple((socket.AF_INET6 if ":" in host else socket.AF_INET, (host, port)) for host, port in addresses)

    return Known()


def test_each_address_is_tried_within_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    class Swallowing(socket.socket):
        def connect(self, address: Any) -> None:
            if address == NOWHERE:
                time.sleep(self.gettimeout() or 0)
                raise TimeoutError
            super().connect(address)

    monkeypatch.setattr(socket, "socket", Swallowing)
    with listening() as listener:
        good = "127.0.0.1", port_of(listener)
        start = time.monotonic()
        connect(at(NOWHERE, good), Deadline(0.5), None, "").close()
        assert time.monotonic() - start >= 0.25
        with pytest.raises(TimeoutError):
            connect(at(NOWHERE, NOWHERE), Deadline(0.1), None, "")
    with pytest.raises(ConnectionRefusedError):
        connect(at(NOWHERE, good), Deadline(0.5), None, "")


def test_bytes_that_trickle_do_not_stretch_the_time() -> None:
    with listening() as listener:
        timed = connect(at(("127.0.0.1", port_of(listener))), Deadline(ENOUGH), None, "")
        peer, _ = listener.accept()
        ended = threading.Event()

        def drip() -> None:
            while not ended.wait(0.02):
                peer.sendall(b"x")

        thread = threading.Thread(target=drip)
        thread.start()
        timed.begin(Deadline(0.3))
        start = time.monotonic()
        with pytest.raises(TimeoutError), timed.makefile("rb") as stream:
            stream.read()
        assert 0.2 < time.monotonic() - start < 5
        assert timed.received
        ended.set()
        thread.join()
        timed.close()
        peer.close()


def test_a_peer_that_reads_nothing_does_not_stretch_the_time() -> None:
    with listening() as listener:
        timed = connect(at(("127.0.0.1", port_of(listener))), Deadline(0.3), None, "")
        peer, _ = listener.accept()
        with pytest.raises(TimeoutError):
            timed.sendall(b"x" * 50_000_000)
        timed.close()
        peer.close()


def test_a_connection_is_quiet_while_nothing_comes_and_it_is_open() -> None:
    with listening() as listener:
        for speaking in (True, False):
            timed = connect(at(("127.0.0.1", port_of(listener))), Deadline(ENOUGH), None, "")
            peer, _ = listener.accept()
            assert timed.is_quiet()
            if speaking:
                peer.sendall(b"x")
            else:
                peer.shutdown(socket.SHUT_WR)
            arrived(timed)
            assert not timed.is_quiet()
            timed.close()
            assert not timed.is_quiet()
            peer.close()


def arrived(timed: Any) -> None:
    """Wait until something can be read."""
    assert select.select([timed._socket], [], [], ENOUGH)[0]


def test_an_encrypted_connection_keeps_to_the_deadline_as_well(certificate: Path) -> None:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    trusting = ssl.create_default_context(cafile=certificate)
    with listening() as listener:
        answered = threading.Event()

        def serve() -> None:
            raw, _ = listener.accept()
            with served.wrap_socket(raw, server_side=True) as peer:
                peer.sendall(peer.recv(5))
                answered.wait(60)

        thread = threading.Thread(target=serve)
        thread.start()
        timed = connect(at(("127.0.0.1", port_of(listener))), Deadline(ENOUGH), trusting, "127.0.0.1")
        timed.begin(Deadline(ENOUGH))
        timed.sendall(b"hello")
        with timed.makefile("rb") as stream:
            assert stream.read(5) == b"hello"
        assert timed.is_quiet()
        timed.begin(Deadline(0.2))
        with pytest.raises(TimeoutError), timed.makefile("rb") as stream:
            stream.read(1)
        answered.set()
        thread.join()
        timed.close()


@pytest.mark.parametrize("handshake", [True, False])
def test_a_certificate_that_nobody_vouches_for_and_a_peer_that_says_nothing_end_it(
    certificate: Path, handshake: bool
) -> None:
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(certificate)
    with listening() as listener:
        done = threading.Event()

        def serve() -> None:
            raw, _ = listener.accept()
            with raw, contextlib.suppress(OSError):
                if handshake:
                    served.wrap_socket(raw, server_side=True).close()
                done.wait(60)

        thread = threading.Thread(target=serve)
        thread.start()
        where = at(("127.0.0.1", port_of(listener)))
        with pytest.raises(ssl.SSLCertVerificationError if handshake else NoHandshake):
            connect(where, Deadline(ENOUGH if handshake else 0.3), ssl.create_default_context(), "127.0.0.1")
        done.set()
        thread.join()
