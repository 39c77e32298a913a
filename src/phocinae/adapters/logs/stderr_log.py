"""Log lines on standard error: one write per line, nothing buffered, and no wait for somebody who does not read."""

from __future__ import annotations

import os
import select
from threading import Lock

from ...domain.levels import Level

PREFIX = "phocinae-mcp"

LONGEST = 4_096
"""The longest line in bytes: what POSIX lets a pipe that takes anything take whole (PIPE_BUF on Linux)."""


class StderrLog:
    """A `LogSink` that writes lines such as ``phocinae-mcp[warning]: ...``; threads may share it.

    A client that starts a server need not read its standard error.  Lines that a full pipe
    does not take are left out, and counted in the next one that it takes.
    """

    def __init__(self, threshold: Level = Level.NOTICE, descriptor: int = 2) -> None:
        """Leave out what is milder than `threshold`; write to `descriptor`, standard error by default."""
        self._threshold = threshold
        self._descriptor = descriptor
        self._lock = Lock()
        self._lost = 0

    def wants(self, level: Level, threshold: Level | None, /) -> bool:
        """Tell whether lines of `level` are written, under the threshold of a request if it has one."""
        return level >= (self._threshold if threshold is None else threshold)

    def write(self, level: Level, text: str, /) -> None:
        """Write one line; never raise, because there is no other place to say it."""
        whole = f"{PREFIX}[{level.wire}]: {text}".encode("utf-8", "replace")
        line = whole[: LONGEST - 1].decode("utf-8", "ignore").encode() + b"\n"
        with self._lock:
            if not self._is_ready():
                self._lost += 1
                return
            if self._lost:
                lost, self._lost = self._lost, 0
                self._put(f"{PREFIX}[{Level.WARNING.wire}]: {lost} lines were lost, because nobody read\n".encode())
                if not self._is_ready():
                    self._lost = 1
                    return
            self._put(line)

    def _is_ready(self) -> bool:
        """Tell whether a line is taken at once; where the system cannot say, it is."""
        if not hasattr(select, "poll"):
            return True
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        try:
            return bool(poll.poll(0))
        except OSError:
            return True

    def _put(self, line: bytes) -> None:
        try:
            os.write(self._descriptor, line)
        except OSError:  # nobody reads it any more, which must not end the server
            return
