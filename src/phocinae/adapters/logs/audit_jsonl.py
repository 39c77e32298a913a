"""The decision log as JSON lines: one line per decision in a keyed chain, appended under a lock, secrets masked.

Many processes may write to one log.  A record is one write under an exclusive lock, so
lines never mix; its end and MAC go into the head before the lock is given back.  What a
crash leaves is told apart and taken up by the next record, and a torn line is closed
before it, so that a torn record never takes another with it.

What is written has been handed to the operating system when `record` returns: it
survives the end of the process, though not a loss of power.
"""

from __future__ import annotations

import contextlib
import os
import time
from _thread import allocate_lock  # not threading, which a gate that runs once per command does without
from collections.abc import Callable

from ...domain.audit_chain import HEAD_BYTES, LINE_LIMIT, Head, opening, read_head, seal, write_head
from ...domain.request import Caller, GateRequest
from ...domain.verdict import Verdict
from ...errors import AuditFailed
from . import file_lock
from .audit_files import AuditFiles, ends
from .audit_key import make_key, read_key
from .audit_record import event_line, to_line
from .private_file import open_private

MAX_SIZE = 16 * 1024 * 1024
"""How many bytes a file may have before it is set aside, unless the caller says otherwise."""

KEEP = 8
"""How many files that were set aside are kept, unless the caller says otherwise."""


RESPITE = 10.0
"""For how many seconds nobody waits for the lock again, once a wait for it was in vain."""


class JsonLinesAudit:
    """An `AuditLog` in the file `path`, which is absolute; its folder is made when it is missing.

    An empty path stands for an account that has no place of its own: each record fails,
    and says so, because a log that is silently off would be worse.  The files of a log are
    readable by their owner alone.  Neither they nor their folder may be symbolic links, and they
    must be regular files of this user.  An empty `key_file` stands for a key beside the log.
    A file that would grow past `max_size` bytes is set aside, and `keep` of those are kept.
    `warn` is told of a log that had to be begun anew.
    """

    def __init__(
        self,
        path: str,
        *,
        key_file: str = "",
        max_size: int = MAX_SIZE,
        keep: int = KEEP,
        warn: Callable[[str], None] | None = None,
    ) -> None:
        self.path, self._place = path, os.path.dirname(path)
        self._files, self._own_key = AuditFiles(path, key_file), not key_file
        self._max_size, self._keep, self._warn = max_size, keep, warn
        self._begin()

    def __del__(self) -> None:
        """Close the files of a log that is given up."""
        if hasattr(self, "_held"):
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
        self._put(at, line)

    def event(self, at: float, name: str, about: GateRequest | Caller | None = None) -> None:
        """Append a record that is no decision, such as of a gate that is ``off``; `about` is what it was about.

        Raises:
            AuditFailed: it could not be written; names the file and the cause.
        """
        try:
            line = event_line(at, name, about)
        except (TypeError, ValueError, OverflowError) as error:  # its text may hold what is not to be written down
            raise AuditFailed(f"{self.path}: the event is no JSON ({type(error).__name__})") from error
        self._put(at, line)

    def _put(self, at: float, record: bytes) -> None:
        if not self.path:
            raise AuditFailed("this account has no home in the password database; name a file with audit.file")
        if len(record) > LINE_LIMIT - _OWN_BYTES:
            raise AuditFailed(f"{self.path}: the record is longer than {LINE_LIMIT - _OWN_BYTES} bytes")
        if self._process != os.getpid():  # a fork: its lock may be held by a thread that is not here
            self._drop()
            self._begin()
        try:
            warning = self._write(at, record)
        except (OSError, ValueError) as error:  # ValueError: a null character in the path
            raise AuditFailed(f"{self.path}: {getattr(error, 'strerror', None) or error}") from error
        if warning and self._warn is not None:
            self._warn(warning)

    def _begin(self) -> None:
        self._process = os.getpid()
        self._threads = allocate_lock()
        self._log = self._held = -1
        """Descriptors of the file in use, and of the head, which is what is locked."""
        self._no_wait_before = 0.0
        self._new_head = False
        """Whether there was no head before this process opened it; one that a crash left empty was there."""
        self._log_identity: tuple[int, ...] = ()
        self._folder_identity: tuple[int, ...] = ()
        self._key, self._raw = b"", b""
        self._key_read: tuple[int, ...] = ()
        self._head: Head | None = None
        """Where the last record ended that was written here: a log that is as it was then can be gone on with."""
        self._rotate_at = self._max_size

    def _drop(self) -> None:
        for descriptor in (self._log, self._held):
            if descriptor >= 0:
                os.close(descriptor)
        self._log = self._held = -1

    def _write(self, at: float, record: bytes) -> str:
        """Write a record and return a warning for the person who runs the program, or the empty text."""
        # a lock on a file holds off other processes, and no thread that shares the descriptor
        if not self._threads.acquire(timeout=file_lock.LOCK_SECONDS):
            raise OSError(f"another thread has held the lock for {file_lock.LOCK_SECONDS:g} s")
        try:
            self._lock()
            try:
                return self._append(at, record)
            finally:
                file_lock.unlock(self._held)
        except BaseException:
            self._drop()
            raise
        finally:
            self._threads.release()

    def _lock(self) -> None:
        """Take the lock of the head that is in its place now."""
        for _ in range(_TRIES):
            self._open_log(place=True)  # first, because where there can be no log there must be no head
            if self._held < 0:
                self._new_head = not os.path.lexists(self._files.head)
                self._held = open_private(self._files.head, append=False)
            self._take_lock()
            with contextlib.suppress(FileNotFoundError):
                if _identity(os.lstat(self._files.head)) == _identity(os.fstat(self._held)):
                    return
            self._drop()
        raise OSError("its head does not stay in its place")

    def _take_lock(self) -> None:
        now = time.monotonic()
        try:
            file_lock.lock(self._held, wait=now >= self._no_wait_before)
        except TimeoutError:
            if now >= self._no_wait_before:
                self._no_wait_before = time.monotonic() + RESPITE
            raise

    def _open_log(self, *, place: bool = False) -> int:
        """Open the file in use, unless it is still the one that is open, and return its length.

        With `place`, the folder must still be the one that it was opened in.
        """
        if self._log >= 0:
            with contextlib.suppress(FileNotFoundError):
                status = os.lstat(self.path)
                same = _identity(status) == self._log_identity
                if same and not (place and self._folder() != self._folder_identity):
                    return status.st_size
            os.close(self._log)
            self._log = -1
        self._log = open_private(self.path)
        status = os.fstat(self._log)
        self._log_identity, self._folder_identity = _identity(status), self._folder()
        return status.st_size

    def _folder(self) -> tuple[int, ...]:
        """Return what the folder is now: a link in its place leads to the same file, and is refused when opened."""
        return _identity(os.lstat(self._place))

    def _append(self, at: float, record: bytes) -> str:
        size = self._open_log()
        os.lseek(self._held, 0, os.SEEK_SET)
        raw = os.read(self._held, HEAD_BYTES + 1)
        if self._head is None or raw != self._raw or size != self._head.size or self._key_mark() != self._key_read:
            head = self._read(raw, size)
            if head is None:
                return self._resume(at, record, raw)
            self._head, self._raw = head, raw
        self._add(at, record, self._head)
        return ""

    def _add(self, at: float, record: bytes, head: Head) -> None:
        if head.size + len(record) + _OWN_BYTES > self._rotate_at and self._set_aside(head):
            self._rotated(at, record, head)
        else:
            self._chain(head, [record])

    def _read(self, raw: bytes, size: int) -> Head | None:
        """Return what another process left in order; None for anything else."""
        self._key_read = self._key_mark()
        self._key = read_key(self._files.key, mend=True) or b""
        head = read_head(self._key, raw) if self._key else None
        return head if head is not None and head.size == size and ends(self._log, head) else None

    def _key_mark(self) -> tuple[int, ...]:
        """Return what tells one key file from another; nothing where there is none."""
        try:
            status = os.lstat(self._files.key)
        except FileNotFoundError:
            return ()
        return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns

    def _resume(self, at: float, record: bytes, raw: bytes) -> str:
        from .audit_resume import resume  # a log that was left in order does without

        made = not self._key
        self._key, self._raw = self._key or make_key(self._files.key), raw
        self._key_read = self._key_mark()
        lost = self._new_head and not made and self._own_key  # a key elsewhere may be that of another log
        stands = resume(self._files, self._key, made, raw, self._log, self._head, lost=lost)
        if not stands.event and stands.opening is None:
            self._add(at, record, stands.head)
            return ""
        records = [event_line(at, stands.event, **stands.details), record] if stands.event else [record]
        if stands.opening is not None:
            records[0] = opening(records[0], *stands.opening, self._key)
        self._chain(stands.head, records, mend=stands.mend)
        return stands.warning

    def _chain(self, head: Head, records: list[bytes], mend: bytes = b"") -> None:
        """Write records that follow on `head`, and the head that follows on them, or nothing at all."""
        data, seq, mac = mend, head.seq, head.mac
        for record in records:
            seq += 1
            line, mac = seal(self._key, mac, seq, record)
            data += line
        after = Head(seq, mac, head.size + len(data), head.first, head.oldest)
        raw = write_head(self._key, after)
        try:
            if os.write(self._log, data) != len(data):
                raise OSError("the line was written in part only; is the device full?")
            _overwrite(self._held, raw)
            if len(self._raw) > len(raw):  # what stood there was no head
                os.ftruncate(self._held, len(raw))
        except BaseException:
            self._take_back(head.size)
            raise
        self._head, self._raw = after, raw

    def _take_back(self, size: int) -> None:
        """Leave log and head as they were; where that cannot be done, the next record finds out."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._log, size)
        with contextlib.suppress(OSError):
            os.lseek(self._held, 0, os.SEEK_SET)
            if os.read(self._held, HEAD_BYTES + 1) != self._raw:
                _overwrite(self._held, self._raw)
                os.ftruncate(self._held, len(self._raw))

    def _set_aside(self, head: Head) -> bool:
        """Give the file in use the name that it is kept under; False where it cannot have it now."""
        name = self._files.aside(head.first)
        if not head.size or os.path.lexists(name):
            return False
        os.close(self._log)  # where a file that is open cannot be renamed
        self._log = -1
        try:
            os.rename(self.path, name)
        except OSError:  # another process has it open, on Windows: later, when it is somewhat longer
            self._rotate_at = head.size + self._max_size // 8
            return False
        else:
            self._rotate_at = self._max_size
            return True
        finally:
            self._open_log()

    def _rotated(self, at: float, record: bytes, head: Head) -> None:
        """Begin a new file with a record, and remove what is too old to be kept."""
        # a name with a larger number is nobody's of this chain, and must not push out what is
        aside = [number for number in self._files.set_aside() if number <= head.first]
        old, kept = aside[: -self._keep], aside[-self._keep :]
        first = opening(event_line(at, "rotated"), "before", head.mac.hex(), self._key)
        self._chain(Head(head.seq, head.mac, 0, head.seq + 1, min([head.seq + 1, *kept])), [first, record])
        for number in old:  # only now, so that the head never knows of what is gone
            with contextlib.suppress(OSError):
                os.unlink(self._files.aside(number))


_OWN_BYTES = 512
"""What a line has beside the record, at the most."""

_TRIES = 3


def _overwrite(descriptor: int, raw: bytes) -> None:
    os.lseek(descriptor, 0, os.SEEK_SET)
    if os.write(descriptor, raw) != len(raw):
        raise OSError("the head was written in part only; is the device full?")


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_mode, status.st_uid
