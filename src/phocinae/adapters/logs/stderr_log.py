"""Log lines on standard error: one write per line, nothing buffered, nothing that breaks a terminal."""

from __future__ import annotations

import os

from ...mcp.operations import Level

PREFIX = "phocinae-mcp"

_LONGEST = 2_000


class StderrLog:
    """Writes lines such as ``phocinae-mcp[warning]: ...`` to a file descriptor, standard error by default."""

    def __init__(self, threshold: Level = Level.INFO, descriptor: int = 2) -> None:
        """Leave out what is milder than `threshold`."""
        self._threshold = threshold
        self._descriptor = descriptor

    def __call__(self, level: Level, message: str, threshold: Level | None = None, /) -> None:
        """Write one line unless `level` is below `threshold`, or below the log's own; never raise."""
        if level < (self._threshold if threshold is None else threshold):
            return
        text = "".join(char if char.isprintable() else "?" for char in message[:_LONGEST])
        try:
            os.write(self._descriptor, f"{PREFIX}[{level.wire}]: {text}\n".encode("utf-8", "replace"))
        except OSError:  # nobody reads it any more, which must not end the server
            return
