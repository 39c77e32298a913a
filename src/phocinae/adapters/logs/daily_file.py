"""A log in files of one day each, such as ``mcp_2026-07-28.log``, that only the user can read."""

from __future__ import annotations

import os
import time
from threading import Lock

from ...domain.levels import Level
from ...ports import Clock
from .private_file import open_private


class DailyFile:
    """A `LogSink` that appends to ``PREFIX_YEAR-MONTH-DAY.log`` in `folder`; threads and processes may share it.

    Days and times are those of UTC.  The folder is made when it is missing.  A file is
    opened for each line, so that one which was moved away is followed by a new one.
    """

    def __init__(self, folder: str, *, prefix: str, level: Level, clock: Clock = time.time) -> None:
        """Leave out what is milder than `level`; a request of a client has no say in what is kept."""
        self._folder, self._prefix, self._level, self._clock = folder, prefix, level, clock
        self._lock = Lock()

    def wants(self, level: Level, _threshold: Level | None, /) -> bool:
        """Tell whether lines of `level` are kept."""
        return level >= self._level

    def write(self, level: Level, text: str, /) -> None:
        """Append one line with the time and the level.

        Raises:
            OSError: it cannot be written; names the file.
        """
        at = self._clock()
        day = time.strftime("%Y-%m-%d", time.gmtime(at))
        path = os.path.join(self._folder, f"{self._prefix}_{day}.log")
        line = f"{_time(at)} [{level.wire}] {text}\n".encode("utf-8", "backslashreplace")
        try:
            with self._lock:
                _append(path, line)
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise OSError(f"{path}: {getattr(error, 'strerror', None) or error}") from error


def _append(path: str, line: bytes) -> None:
    descriptor = open_private(path)
    try:
        if os.write(descriptor, line) != len(line):
            raise OSError("the line was written in part only; is the device full?")
    finally:
        os.close(descriptor)


def _time(at: float) -> str:
    milliseconds = int(at * 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000)) + f".{milliseconds % 1000:03d}Z"
