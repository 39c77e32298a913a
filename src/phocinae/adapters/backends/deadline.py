"""One deadline over everything that a call does on the network: names, connecting, encryption, each byte.

A timeout of a socket starts anew with every byte that arrives, so that a peer who sends
one byte per second is never late.  Here what is left of the whole time is set before
each operation.
"""

from __future__ import annotations

import errno
import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from io import BufferedReader, RawIOBase
from time import monotonic
from typing import TYPE_CHECKING, Any

from attrs import define

from .breaker import PAUSE
from .failures import NoHandshake, TooLarge

if TYPE_CHECKING:
    from ssl import SSLContext

    from _typeshed import WriteableBuffer

LONGEST = 86_400.0
"""The longest that anything waits, in seconds: more does not fit into a timeout of the system everywhere."""

RECEIVED_LIMIT = 4 * 1024 * 1024
"""The most that is received in one call, in bytes: four times the longest body, for its frame comes on top."""

MOST_LOOKUPS = 3
"""How many look-ups of one name may hang at a time before no more are begun."""

_QUICK_ACK = getattr(socket, "TCP_QUICKACK", None)
"""Acknowledge what comes next at once: else a service that sends head and body apart waits 40 ms between them."""

Address = tuple[Any, ...]
"""What `socket.connect` takes; its form depends on the family."""


class Deadline:
    """A point in time `seconds` from now, by a clock that never goes back; not a number counts as no time at all."""

    def __init__(self, seconds: float, clock: Callable[[], float] = monotonic) -> None:
        self.seconds = min(seconds, LONGEST) if seconds > 0 else 0.0
        self._clock = clock
        self._end = clock() + self.seconds

    @property
    def left(self) -> float:
        """The seconds that are left; 0 or less when there are none."""
        return self._end - self._clock()

    def remaining(self) -> float:
        """Return the seconds that are left, more than 0.

        Raises:
            TimeoutError: there are none.
        """
        left = self.left
        if left <= 0:
            raise TimeoutError
        return left

    def share(self, of: int) -> Deadline:
        """Return the deadline of the first of `of` attempts that have the rest of this one between them."""
        return Deadline(self.remaining() / of, self._clock)


@define(eq=False)
class TimedSocket:
    """A connected socket that keeps to the deadline of the call that uses it; as much of one as `http.client` needs.

    `received` counts the bytes that have come since the last call of `begin`.
    """

    _socket: socket.socket
    _deadline: Deadline
    received: int = 0

    def begin(self, deadline: Deadline) -> None:
        """Serve another call, which has until `deadline`."""
        self._deadline, self.received = deadline, 0

    def sendall(self, data: bytes) -> None:
        """Send `data`; raise TimeoutError when that takes too long."""
        view = memoryview(data)
        while view:
            self._socket.settimeout(self._deadline.remaining())
            view = view[self._socket.send(view) :]
        if _QUICK_ACK is not None:
            with suppress(OSError):
                self._socket.setsockopt(socket.IPPROTO_TCP, _QUICK_ACK, 1)

    def makefile(self, _mode: str) -> BufferedReader:
        """Return a reader of what arrives, under the deadline; closing it leaves the socket open."""
        return BufferedReader(_Incoming(self))

    def receive_into(self, buffer: WriteableBuffer) -> int:
        """Fill `buffer` with what has arrived, waiting for at least one byte or the end; return how much it was.

        Raises:
            TooLarge: it is more in all than anybody has to send, such as a chunk whose size is below zero.
        """
        if self.received > RECEIVED_LIMIT:
            raise TooLarge
        self._socket.settimeout(self._deadline.remaining())
        count = self._socket.recv_into(buffer)
        self.received += count
        return count

    def is_quiet(self) -> bool:
        """Tell whether the connection is open and has nothing to say, as it must be between two calls."""
        try:
            self._socket.settimeout(0)
            self._socket.recv(1)
        except OSError as error:  # an encrypted socket says in its own way that there is nothing to read
            return isinstance(error, BlockingIOError) or type(error).__name__ == "SSLWantReadError"
        return False

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


class _Incoming(RawIOBase):
    """What arrives at a socket, as a stream."""

    def __init__(self, timed: TimedSocket) -> None:
        super().__init__()
        self._timed = timed

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        return self._timed.receive_into(buffer)


class Resolver:
    """Looks up the addresses of one host, in a thread that is left behind when it takes too long.

    The system's own look-up cannot be given a deadline or be called off.  Calls that come
    meanwhile wait for the same thread, until it is older than the pause of the breaker: a
    name server that answers again helps a new look-up, not one that waits for a lost answer.
    Threads that hang never are more than a few.  `clock` returns seconds.
    """

    def __init__(self, host: str, port: int, clock: Callable[[], float] = monotonic) -> None:
        self._host, self._port, self._clock = host, port, clock
        self._lock = threading.Lock()
        self._running: list[_Lookup] = []
        self._begun = 0.0

    def addresses(self, deadline: Deadline) -> tuple[tuple[socket.AddressFamily, Address], ...]:
        """Return where the host can be reached, at least one place, in the order of the system's preference.

        Raises:
            TimeoutError: the look-up has not come to an end.
            OSError: the name is not known (`socket.gaierror`), or cannot be looked up.
        """
        try:
            return _look_up(self._host, self._port, socket.AI_NUMERICHOST)
        except OSError:  # a name, and no address in figures
            pass
        lookup = self._lookup()
        lookup.join(deadline.remaining())
        if lookup.is_alive():
            raise TimeoutError
        if not lookup.addresses:
            raise socket.gaierror(*lookup.why)
        return lookup.addresses

    def _lookup(self) -> _Lookup:
        with self._lock:
            self._running = [one for one in self._running if one.is_alive()]  # none of a process before a fork is
            old = self._clock() - self._begun >= PAUSE
            if not self._running or (old and len(self._running) < MOST_LOOKUPS):
                lookup = _Lookup(self._host, self._port)
                try:
                    lookup.start()
                except RuntimeError:  # the system gives no more threads
                    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from None
                self._running.append(lookup)
                self._begun = self._clock()
            return self._running[-1]


class _Lookup(threading.Thread):
    def __init__(self, host: str, port: int) -> None:
        super().__init__(name="phocinae-resolver", daemon=True)
        self._where = host, port
        self.addresses: tuple[tuple[socket.AddressFamily, Address], ...] = ()
        self.why: tuple[Any, ...] = (socket.EAI_FAIL, "the look-up failed")

    def run(self) -> None:
        try:
            self.addresses = _look_up(*self._where, 0)
        except OSError as error:
            self.why = error.args


def _look_up(host: str, port: int, flags: int) -> tuple[tuple[socket.AddressFamily, Address], ...]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    except UnicodeError:  # a part of the name is empty, or longer than 63 characters
        raise socket.gaierror(socket.EAI_NONAME, "not a host name") from None
    if not found:
        raise socket.gaierror(socket.EAI_NONAME, "no address")
    return tuple((family, address) for family, _kind, _protocol, _name, address in found)


def connect(resolver: Resolver, deadline: Deadline, tls: SSLContext | None, name: str) -> TimedSocket:
    """Return a connection to the first address that accepts one, encrypted with `tls` for the host `name` if given.

    Each address gets an even share of the time that is left, so that one that swallows
    everything does not take the chance from the next, as with a host of two families.

    Raises:
        TimeoutError: there was not enough time; `NoHandshake` where there was a connection by then.
        OSError: the last address that was tried did not accept, or its certificate is not trusted.
    """
    addresses = resolver.addresses(deadline)
    for place, (family, address) in enumerate(addresses):
        try:
            return TimedSocket(_connected(family, address, deadline.share(len(addresses) - place), tls, name), deadline)
        except OSError:
            if place + 1 == len(addresses):
                raise
    raise AssertionError("a look-up without addresses is an error")


def _connected(
    family: socket.AddressFamily, address: Address, deadline: Deadline, tls: SSLContext | None, name: str
) -> socket.socket:
    opened = socket.socket(family, socket.SOCK_STREAM)
    try:
        opened.settimeout(deadline.remaining())
        opened.connect(address)
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls is not None:
            opened = _encrypted(opened, deadline, tls, name)
    except BaseException:
        opened.close()
        raise
    return opened


def _encrypted(opened: socket.socket, deadline: Deadline, tls: SSLContext, name: str) -> socket.socket:
    try:
        opened.settimeout(deadline.remaining())
        return tls.wrap_socket(opened, server_hostname=name)
    except TimeoutError:
        raise NoHandshake from None
