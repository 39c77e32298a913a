"""The decision log as JSON lines: one line per decision, appended under a lock, secrets masked.

Many processes may write to one file.  A line is one write under an exclusive lock, so
lines never mix; a line that a crash left without its end is closed before the next one
is written, so that a torn record never takes another with it.

What is written has been handed to the operating system when `record` returns: it
survives the end of the process, though not a loss of power.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from _thread import allocate_lock  # not threading, which a gate that runs once per command does without
from functools import lru_cache
from typing import Any

from ...domain.masking import mask, may_hold_secret
from ...domain.request import COMMAND_LIMIT, CWD_LIMIT, GateRequest
from ...domain.verdict import Verdict
from ...errors import AuditFailed
from .private_file import open_private

try:
    import fcntl
except ImportError:  # not a POSIX system: one append per line, without the lock
    fcntl = None  # type: ignore[assignment]  # the name stands for "no such module"

LOCK_SECONDS = 2.0
"""How long to wait for the lock before the record counts as failed."""


_WRITER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, check_circular=False)


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
        if not self.path:
            raise AuditFailed("this account has no home in the password database; name a file with audit.file")
        try:
            line = to_line(at, request, verdict)
        except (TypeError, ValueError, OverflowError) as error:  # its text may hold what is not to be written down
            raise AuditFailed(f"{self.path}: the decision is no JSON ({type(error).__name__})") from error
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


def to_line(at: float, request: GateRequest, verdict: Verdict) -> bytes:
    """Return `to_record` as one line of JSON in ASCII, without its end."""
    plain = {"time": _time(at), "command": request.command, "cwd": request.cwd} | verdict.to_wire()
    as_it_is = (
        request.caller is None
        and _fits(request.command, COMMAND_LIMIT)
        and (request.cwd is None or _fits(request.cwd, CWD_LIMIT))
    )
    line = _dumps(plain) if as_it_is and not _may_hold_secret(request, verdict) else ""
    if not line or "\\ud" in line:
        line = _dumps(to_record(at, request, verdict))
    return line.encode("ascii")


def _may_hold_secret(request: GateRequest, verdict: Verdict) -> bool:
    if may_hold_secret(request.command) or (request.cwd and may_hold_secret(request.cwd)):
        return True
    texts = [verdict.reason, verdict.error]
    for hit in verdict.hits:
        texts += (hit.reason, hit.remedy)
    return any(text and _known(text) for text in texts)


@lru_cache(maxsize=256)
def _known(text: str) -> bool:
    """Return whether a text of ours may hold a secret; most of them come again and again."""
    return may_hold_secret(text)


def _dumps(record: dict[str, Any]) -> str:
    return _WRITER.encode(record)


def to_record(at: float, request: GateRequest, verdict: Verdict) -> dict[str, Any]:
    """Return the JSON object of one decision: time, command, working directory, then the verdict's wire form.

    Secrets are masked in every text, so offsets of hits are those of the command before
    that.  A command or working directory past its limit is cut, with its length beside
    it; one that is no text is null.
    """
    record: dict[str, Any] = {"time": _time(at), "command": _text(request.command)}
    record["cwd"] = _text(request.cwd, CWD_LIMIT)
    for name, value, limit in (("command", request.command, COMMAND_LIMIT), ("cwd", request.cwd, CWD_LIMIT)):
        if isinstance(value, str) and len(value) > limit:
            record[f"{name}_length"] = len(value)
    if request.caller is not None:
        record["agent"], record["tool"] = request.caller.agent, _text(request.caller.tool)
        record["files"] = [_text(file) for file in request.caller.files]
    record |= verdict.to_wire()
    for holder in (record, *record["hits"]):
        for name in ("reason", "remedy", "error"):
            if name in holder:
                holder[name] = _text(holder[name])
    return record


def _fits(value: object, limit: int) -> bool:
    return isinstance(value, str) and len(value) <= limit


def _text(value: object, limit: int = COMMAND_LIMIT) -> str | None:
    """Return text fit to be written down; None for what is no text, which a caller may well have passed."""
    if not isinstance(value, str):
        return None
    # a lone surrogate is legal in JSON as an escape, but many readers refuse the line
    return mask(value[:limit]).encode("utf-8", "backslashreplace").decode("utf-8")


def _time(at: float) -> str:
    """Return ISO 8601 in UTC with milliseconds; the datetime module is not worth its start-up time here."""
    milliseconds = int(at * 1000)
    return f"{_second(milliseconds // 1000)}.{milliseconds % 1000:03d}Z"


@lru_cache(maxsize=2)
def _second(at: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(at))
