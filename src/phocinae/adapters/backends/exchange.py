"""One request and its response over HTTP/1.1, and the connections that are kept for the next one.

`http.client` reads the response; what it leaves open is settled here: how much is read,
and whether the connection can carry another request without a doubt.  Proxies that the
environment names are not used, and redirects are responses like any other.
"""

from __future__ import annotations

import os
import sys
from collections import deque
from contextlib import suppress
from http.client import HTTPException, HTTPResponse, UnknownProtocol
from time import monotonic
from typing import TYPE_CHECKING, cast

from attrs import define, frozen

from ...errors import BackendError
from .deadline import Deadline, Resolver, TimedSocket, connect
from .failures import Ambiguous, TooLarge, failure

if TYPE_CHECKING:
    import socket
    from ssl import SSLContext

    from .endpoint import Endpoint

BODY_LIMIT = 512 * 1024
"""The longest body of a response that is read, in bytes.

Answers to 64 questions of 255 options take a third of it.  To parse the worst text of this
length takes a tenth of a second, which no deadline covers.
"""

IDLE_CONNECTIONS = 8
"""How many connections are kept between calls."""

IDLE_SECONDS = 30.0
"""How long one is kept: something on the way may forget it without a word."""


@frozen
class Response:
    """What came back: `retry_after` and `encoding` are header fields, empty where they were not sent."""

    status: int
    body: bytes
    retry_after: str = ""
    encoding: str = ""


@define(eq=False)
class Connection:
    """A connection for one call at a time; `reusable` once a response has been read to its end."""

    timed: TimedSocket
    reusable: bool = False
    idle_since: float = 0.0

    def ask(self, request: bytes, deadline: Deadline) -> Response:
        """Send `request` and return the response to it, both before `deadline`.

        Raises:
            TimeoutError: that took too long.
            OSError, HTTPException, ValueError: the connection broke, or what came is no HTTP.
        """
        self.reusable = False
        self.timed.begin(deadline)
        sent = False
        with suppress(ConnectionError):  # it may have answered before it read all, as with 413; if not, reading tells
            self.timed.sendall(request)
            sent = True
        response = _Response(cast("socket.socket", self.timed), method="POST")  # it calls nothing but makefile
        with response:
            response.begin()
            _check_framing(response)
            read = Response(
                response.status,
                _body(response),
                response.headers.get("Retry-After", ""),
                response.headers.get("Content-Encoding", ""),
            )
            self.reusable = sent and response.isclosed() and _one_end_only(response)
        return read

    def close(self) -> None:
        """End the connection."""
        self.timed.close()


class _Response(HTTPResponse):
    """A response of HTTP/1; `http.client` takes that of HTTP/0.9 and of HTTP/1.x for one, too."""

    def _read_status(self) -> tuple[str, int, str]:
        version, status, reason = super()._read_status()  # type: ignore[misc]  # typeshed leaves it out
        if version not in ("HTTP/1.0", "HTTP/1.1"):
            raise UnknownProtocol(version)
        return version, status, reason


def _check_framing(response: HTTPResponse) -> None:
    """Refuse a response of which two readers may see different ends (RFC 9112, 6.1 and 6.3).

    Raises:
        Ambiguous: its fields contradict each other, or say nothing that this client knows.
    """
    lengths = {length.strip() for length in response.headers.get_all("Content-Length", [])}
    codings = [coding.strip().lower() for coding in response.headers.get_all("Transfer-Encoding", [])]
    if len(lengths) > 1 or not all(length.isascii() and length.isdigit() for length in lengths):
        raise Ambiguous("its Content-Length is not one number")
    if codings and (lengths or codings != ["chunked"]):
        raise Ambiguous("its Transfer-Encoding is not chunked alone")


def _body(response: HTTPResponse) -> bytes:
    if response.length is None:
        data = response.read(BODY_LIMIT + 1)
    elif response.length <= BODY_LIMIT:
        data = response.read()  # without a number, it is an error if less comes than was announced
    else:
        raise TooLarge
    if len(data) > BODY_LIMIT:
        raise TooLarge
    return data


def _one_end_only(response: HTTPResponse) -> bool:
    """Whether the end of a checked response is beyond doubt, so that the next bytes are those of the next one.

    With other statuses there may be more to come, such as the real response after a 103, or a body that 204 has not.
    """
    known = len(response.headers.get_all("Content-Length", [])) == 1 or response.chunked
    return response.status == 200 and not response.will_close and known


class IdleConnections:
    """Connections that wait for the next call, the one used last in front; any number of threads may use it.

    A process that was forked does not touch those of its parent, whose answers would get mixed up with its own.
    """

    def __init__(self) -> None:
        self._idle: deque[Connection] = deque()
        self._process = os.getpid()

    def take(self) -> Connection | None:
        """Return a connection that is open, and that nobody else has any more; None if there is none."""
        if self._process != os.getpid():
            self.close()  # of the copy that is the child's; the parent's stays open
            self._process = os.getpid()
        while True:
            try:
                connection = self._idle.pop()
            except IndexError:
                return None
            if monotonic() - connection.idle_since < IDLE_SECONDS and connection.timed.is_quiet():
                return connection
            connection.close()

    def give(self, connection: Connection) -> None:
        """Keep a connection for the next call, or end it."""
        if not connection.reusable or len(self._idle) >= IDLE_CONNECTIONS or self._process != os.getpid():
            connection.close()
            return
        connection.idle_since = monotonic()
        self._idle.append(connection)

    def close(self) -> None:
        """End all that are kept."""
        while self._idle:
            self._idle.pop().close()


class Client:
    """Sends requests to one endpoint; any number of threads may use one."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._resolver = Resolver(endpoint.host, endpoint.port)
        self._idle = IdleConnections()
        self._tls = _trusting_the_system() if endpoint.encrypted else None

    def exchange(self, request: bytes, deadline: Deadline) -> Response:
        """Return the response to `request`, whatever its status.

        A connection that was kept may have been closed by the other side meanwhile.  If it
        breaks before anything has been received, the request is sent once more over a
        fresh one: a question may be asked twice.

        Raises:
            BackendError: there is none; `Unreachable`, `TimedOut` or `BadAnswer` with what to do about it.
        """
        kept = self._idle.take()
        if kept is not None:
            try:
                return self._over(kept, request, deadline)
            except _Stale:
                pass
        return self._over(None, request, deadline)

    def close(self) -> None:
        """End the connections that are kept."""
        self._idle.close()

    def _over(self, kept: Connection | None, request: bytes, deadline: Deadline) -> Response:
        connection = kept
        try:
            if connection is None:
                connection = Connection(connect(self._resolver, deadline, self._tls, self._endpoint.host))
            response = connection.ask(request, deadline)
        except BaseException as error:
            received = None if connection is None else connection.timed.received
            if connection is not None:
                connection.close()
            if not isinstance(error, OSError | HTTPException | ValueError):
                raise
            if kept is not None and not received and isinstance(error, OSError):
                if not isinstance(error, TimeoutError):
                    raise _Stale from None
                self._idle.close()  # the other side may have vanished without a word, for all of them
            raise failure(error, self._endpoint, deadline.seconds, received) from None
        self._idle.give(connection)
        return response


class _Stale(BackendError):
    """A connection that was kept had ended."""


def _trusting_the_system() -> SSLContext:
    """Return the checks of certificates with those whom the system trusts, and with nobody whom the environment adds.

    `load_default_certs` follows SSL_CERT_FILE and SSL_CERT_DIR, and `create_default_context` writes a key log that a
    variable names.
    """
    import ssl  # takes a while, and most services are on this machine

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    built_in = ssl.get_default_verify_paths()
    file = built_in.openssl_cafile if os.path.isfile(built_in.openssl_cafile) else None
    folder = built_in.openssl_capath if os.path.isdir(built_in.openssl_capath) else None
    if file or folder:
        context.load_verify_locations(file, folder)
    if sys.platform == "win32":  # which keeps them in stores, and has no such files
        for store in ("ROOT", "CA"):
            for certificate, encoding, purposes in ssl.enum_certificates(store):
                if encoding == "x509_asn" and (purposes is True or ssl.Purpose.SERVER_AUTH.oid in purposes):
                    with suppress(ssl.SSLError):  # one that cannot be read vouches for nobody
                        context.load_verify_locations(cadata=certificate)
    return context
