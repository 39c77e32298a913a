"""A lock on an open file that holds off other processes, with an end to the wait for it."""

from __future__ import annotations

import os
import time
from typing import Any

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]  # the name stands for "no such module"

try:
    import msvcrt as _msvcrt
except ImportError:
    msvcrt: Any = None
else:
    msvcrt = _msvcrt

LOCK_SECONDS = 2.0
"""How long to wait for a lock."""

_PLACE = 1 << 30
"""The byte that is locked on Windows, where what is locked cannot be read: far behind all that is."""


def lock(descriptor: int, *, wait: bool = True) -> None:
    """Take the lock of a file, at once if there is no `wait`; a system that has none goes without.

    Raises:
        TimeoutError: somebody else has held it for `LOCK_SECONDS`, or holds it and there is no `wait`.
        OSError: the file system has no locks.
    """
    deadline, pause = 0.0, 0.0005
    while not _taken(descriptor):
        deadline = deadline or time.monotonic() + LOCK_SECONDS
        if not wait or time.monotonic() > deadline:
            raise TimeoutError(f"another process has held the lock for {LOCK_SECONDS:g} s")
        time.sleep(pause)
        pause = min(pause * 2, 0.008)


def unlock(descriptor: int) -> None:
    """Give the lock back."""
    if fcntl is not None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
    elif msvcrt is not None:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)


def _taken(descriptor: int) -> bool:
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    elif msvcrt is not None:
        os.lseek(descriptor, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
    return True
