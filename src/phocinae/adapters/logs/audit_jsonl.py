"""The decision log as JSON lines: one line per decision, appended under a lock, secrets masked.

Many processes may write to one file.  A line is one write under an exclusive lock, so
lines never mix; a line that a crash left without its end is closed before the next one
is written, so that a torn record never takes another with it.

What is written has been handed to the operating system when `record` returns: it
survives the end of the process, though not a loss of power.
"""

from __future__ import annotations

import json
import os
import time
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


class JsonLinesAudit:
    """An `AuditLog` in the file `path`, which is absolute; its folder is made when it is missing.

    An empty path stands for an account that has no place of its own: each record fails,
    and says so, because a log that is silently off would be worse.  The file is
    readable by its owner alone.  Neither it nor its folder may be a symbolic link, and it
    must be a regular file of this user.
    """

    def __init__(self, path: str) -> None:
        self.path = path

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
        try:
            descriptor = open_private(self.path)
            try:
                self._append(descriptor, line + b"\n")
            finally:
                os.close(descriptor)
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise AuditFailed(f"{self.path}: {getattr(error, 'strerror', None) or error}") from error

    def _append(self, descriptor: int, line: bytes) -> None:
        self._lock(descriptor)
        end = os.lseek(descriptor, 0, os.SEEK_END)
        if end:
            os.lseek(descriptor, end - 1, os.SEEK_SET)
            if os.read(descriptor, 1) != b"\n":
                line = b"\n" + line
        if os.write(descriptor, line) != len(line):
            raise OSError("the line was written in part only; is the device full?")

    def _lock(self, descriptor: int) -> None:
        """Take the lock, which closing the descriptor gives back."""
        if fcntl is None:
            return
        deadline, pause = time.monotonic() + LOCK_SECONDS, 0.0005
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise OSError(f"another process has held the lock for {LOCK_SECONDS:g} s") from None
                time.sleep(pause)
                pause = min(pause * 2, 0.008)


def to_line(at: float, request: GateRequest, verdict: Verdict) -> bytes:
    """Return `to_record` as one line of JSON in ASCII, without its end."""
    plain = {"time": _time(at), "command": request.command, "cwd": request.cwd} | verdict.to_wire()
    as_it_is = _fits(request.command, COMMAND_LIMIT) and (request.cwd is None or _fits(request.cwd, CWD_LIMIT))
    line = _dumps(plain) if as_it_is else ""
    if not line or may_hold_secret(line) or "\\ud" in line:
        line = _dumps(to_record(at, request, verdict))
    return line.encode("ascii")


def _dumps(record: dict[str, Any]) -> str:
    return json.dumps(record, separators=(",", ":"), allow_nan=False)


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
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(milliseconds // 1000)) + f".{milliseconds % 1000:03d}Z"
