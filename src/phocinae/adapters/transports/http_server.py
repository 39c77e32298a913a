"""Serves an ASGI application over HTTP on this machine alone, until the process is told to stop.

At the end no new connections are taken; calls that still run get `GRACE` seconds, and what
is not done by then is answered in their place.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, NoReturn, Protocol

import uvicorn

from ...mcp.operations import Level, Log
from .http_connection import HEAD_BYTES, Connection, Patience

GRACE = 2.0
"""How many seconds calls may go on once the process was told to stop."""

_BOUND = 3
"""How many seconds connections may stay open then, in whole ones as uvicorn wants it."""

_LAST_RESORT = 4.5


class Application(Protocol):
    """An ASGI application that can end its open calls."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request (ASGI)."""

    def hang_up(self) -> None:
        """End what waits for clients."""

    def give_up(self) -> None:
        """Answer all calls that are still open."""


def listen(host: str, port: int) -> list[socket.socket]:
    """Return sockets that listen at `host` and `port`; port 0 picks a free one, the same for all of them.

    ``localhost`` is both addresses of this machine, as far as it has both.

    Raises:
        OSError: the address or the port cannot be had.
    """
    if host != "localhost":
        return [_listening(host, port)]
    first = _listening("127.0.0.1", port)
    try:
        return [first, _listening("::1", first.getsockname()[1])]
    except OSError as error:
        if error.errno == errno.EADDRINUSE:  # by another server, which clients of the name would reach in our place
            first.close()
            raise
        return [first]  # a machine without IPv6


def address_of(sockets: list[socket.socket], host: str, path: str) -> str:
    """Return the URL of the endpoint at `path` for clients of `sockets`, which `listen` gave for `host`."""
    return f"http://{f'[{host}]' if ':' in host else host}:{sockets[0].getsockname()[1]}{path}"


def _listening(address: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # the protocol is named, because asyncio takes the delay of small segments away from sockets of TCP alone
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":  # elsewhere the option would let another program take the port over
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind((address, port))
        listener.listen(512)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener


class HttpServer:
    """Serves `app` on `sockets`; `log` is told what a person should know."""

    def __init__(
        self, app: Application, sockets: list[socket.socket], log: Log, patience: Patience | None = None
    ) -> None:
        patience = patience or Patience()
        config = uvicorn.Config(
            app,
            http=type("PatientConnection", (Connection,), {"patience": patience}),
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            h11_max_incomplete_event_size=HEAD_BYTES,
            timeout_keep_alive=patience.idle,
            timeout_graceful_shutdown=_BOUND,
        )
        self._server = _Server(config, app)
        self._sockets = sockets
        self._log = log

    def serve(self) -> None:
        """Serve until the process is told to stop, or `stop` is called."""
        _take_log(self._log)
        asyncio.run(self._server.serve(self._sockets))
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)  # what the program does now may take as long as it likes
        self._log(Level.NOTICE, "stopped")

    def stop(self) -> None:
        """Let `serve` come to its end, within a few seconds; for any thread."""
        self._server.should_exit = True


class _Server(uvicorn.Server):
    """A server that ends the open calls when it ends, and with it no process."""

    def __init__(self, config: uvicorn.Config, app: Application) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, within the bound."""
        self._app.hang_up()
        timer = asyncio.get_running_loop().call_later(GRACE, self._app.give_up)
        try:
            await super().shutdown(sockets)
        finally:
            timer.cancel()
            self._app.give_up()  # what nobody waits for any more is decided all the same

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on signals meanwhile, without passing them on afterwards: to be told to stop is no failure."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        kept = [(number, signal.signal(number, self._stop)) for number in (signal.SIGTERM, signal.SIGINT)]
        try:
            yield
        finally:
            for number, handler in kept:
                signal.signal(number, handler)

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self.handle_exit(number, frame)
        if hasattr(signal, "setitimer"):  # whatever holds the loop up
            signal.signal(signal.SIGALRM, _end_now)
            signal.setitimer(signal.ITIMER_REAL, _LAST_RESORT)


def _end_now(_number: int, _frame: FrameType | None) -> NoReturn:
    os._exit(0)


def _take_log(log: Log) -> None:
    """Have `log` told what uvicorn says, without the traces, which may hold what a client sent."""

    class ToLog(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.levelno >= logging.ERROR and record.exc_info and record.exc_info[0] is not None:
                log(Level.ERROR, f"the HTTP server failed ({record.exc_info[0].__name__})")
            elif record.levelno >= logging.WARNING:
                log(Level.DEBUG, f"the HTTP server says: {record.msg}")

    for name in ("uvicorn.error", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [ToLog()], False
        logger.setLevel(logging.WARNING)
