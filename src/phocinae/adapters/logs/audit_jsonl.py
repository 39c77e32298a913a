"""The decision log as JSON lines: one line per decision, appended under a lock, secrets masked.

Many processes may write to one file.  A line is one write under an exclusive lock, so
lines never mix; a line that a crash left without its end is closed before the next one
is written, so that a torn record never takes another with it.

What is written has been handed to the operating system when `record` returns: it
survives the end of the process, though not a loss of power.
"""

from __future__ import annotations

import contextlib
import os
import time
from _thread import allocate_lock  # not threading, which a gate that runs once per command does without

from ...domain.request import Caller, GateRequest
from ...domain.verdict import Verdict
from ...errors import AuditFailed
from .audit_record import event_line, to_line
from .private_file import open_private

try:
    import fcntl
except ImportError:  # not a POSIX system: one append per line, without the lock
    fcntl = None  # type: ignore[assignment]  # the name stands for "no such module"

LOCK_SECONDS = 2.0
"""How long to wait for the lock before the record counts as failed."""


class JsonLinesAudit:
    """An `AuditLog` in the file `path`, which is absolute; its folder is made when it is missing.

    An empty path stands for an account that has no place of its own: each record fails,
    and says so, because a log that is silently off would be worse.  The file is
    readable by its owner alone.  Neither it nor its folder may be a symbolic link, and it
    must be a regular file of this user.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._begin()

    def __del__(self) -> None:
        """Close the file of a log that is given up."""
        self._drop()

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        """Append one decision, made at `at` seconds since the epoch.

        Raises:
            AuditFailed: it could not be written; names the file and the cause.
        """
        try:
            line = to_line(at, request, verdict)
        except (TypeError, ValueError, OverflowError) as error:  # its text may hold what is not to be written down
            raise AuditFailed(f"{self.path}: the decision is no JSON ({type(error).__name__})") from error
        self._put(line)

    def event(self, at: float, name: str, about: GateRequest | Caller | None = None) -> None:
        """Append a record that is no decision, such as of a gate that is ``off``; `about` is what it was about.

        Raises:
            AuditFailed: it could not be written; names the file and the cause.
        """
        try:
            line = event_line(at, name, about)
        except (TypeError, ValueError, OverflowError) as error:  # its text may hold what is not to be written down
            raise AuditFailed(f"{self.path}: the event is no JSON ({type(error).__name__})") from error
        self._put(line)

    def _put(self, line: bytes) -> None:
        if not self.path:
            raise AuditFailed("this account has no home in the password database; name a file with audit.file")
        if self._process != os.getpid():  # a fork: its lock may be held by a thread that is not here
            self._drop()
            self._begin()
        try:
            self._write(line + b"\n")
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise AuditFailed(f"{self.path}: {getattr(error, 'strerror', None) or error}") from error

    def _begin(self) -> None:
        self._process = os.getpid()
        self._threads = allocate_lock()
        self._descriptor = -1
        self._file: tuple[int, ...] = ()
        self._end = 0
        """Where the last line ended that was written here: a file that is as long now has nothing to mend."""

    def _drop(self) -> None:
        if getattr(self, "_descriptor", -1) >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _write(self, line: bytes) -> None:
        # a lock on a file holds off other processes, and no thread that shares the descriptor
        if not self._threads.acquire(timeout=LOCK_SECONDS):
            raise OSError(f"another thread has held the lock for {LOCK_SECONDS:g} s")
        try:
            self._open()
            self._append(self._descriptor, line)
        except BaseException:
            self._drop()
            raise
        finally:
            self._threads.release()

    def _open(self) -> None:
        """Open the file, unless it is still the one that is open: it can be moved away, deleted or made readable."""
        if self._descriptor >= 0:
            with contextlib.suppress(FileNotFoundError):
                if _identity(os.lstat(self.path)) == self._file:
                    return
            self._drop()
        self._descriptor, self._end = open_private(self.path), 0
        self._file = _identity(os.fstat(self._descriptor))

    def _append(self, descriptor: int, line: bytes) -> None:
        self._lock(descriptor)
        try:
            end = os.lseek(descriptor, 0, os.SEEK_END)
            if end != self._end and end:
                os.lseek(descriptor, end - 1, os.SEEK_SET)
                if os.read(descriptor, 1) != b"\n":
                    line = b"\n" + line
            if os.write(descriptor, line) != len(line):
                raise OSError("the line was written in part only; is the device full?")
            self._end = end + len(line)
        finally:
            if fcntl is not None:
                fcntl.flock(descriptor, fcntl.LOCK_UN)

    def _lock(self, descriptor: int) -> None:
        """Take the lock against other processes."""
        if fcntl is None:
            return
        deadline, pause = 0.0, 0.0005
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                deadline = deadline or time.monotonic() + LOCK_SECONDS
                if time.monotonic() > deadline:
                    raise OSError(f"another process has held the lock for {LOCK_SECONDS:g} s") from None
                time.sleep(pause)
                pause = min(pause * 2, 0.008)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mode, status.st_uid
