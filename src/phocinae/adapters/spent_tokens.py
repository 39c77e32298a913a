"""Which tokens have been used: in the memory of one process, or in a SQLite file where several share a key.

A token is refused when it was issued before the memory began, because it may have been
used before that.  Entries are forgotten once their tokens have expired.  From then on a
token that expires no later than that is refused as well, whatever a clock that was set
back says.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import closing
from threading import Lock
from typing import TYPE_CHECKING

from ..domain.sealing import LIFE
from ..domain.trusted_paths import UntrustedPath, resolved
from ..errors import InvalidSettings, StateRejected
from ..ports import Clock

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable

LIMIT = 10_000
"""The most tokens that are remembered at a time; no person answers more questions in ten minutes."""

LOCK_SECONDS = 2.0
"""How long to wait for another process that writes."""

_YOUNGER = "the memory of used tokens began after it was issued"
_FULL = "the memory of used tokens is full"

_CREATE = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)

_ALONE = Lock()
"""Held while a file is in use: to close a second descriptor of it gives up the locks of the whole process (fcntl)."""


class MemorySpentTokens:
    """A `SpentTokens` for one process, which begins when it is made."""

    def __init__(self, clock: Clock, limit: int = LIMIT) -> None:
        """Remember at most `limit` tokens at a time."""
        self._clock = clock
        self._limit = limit
        self._lock = Lock()
        self._began = clock()
        self._forgotten = self._began
        self._expires: dict[bytes, float] = {}

    def spend(self, nonce: bytes, issued: float, expires: float, /) -> bool:
        """Return True the first time; see `ports.SpentTokens`."""
        with self._lock:
            if not issued > self._began or not expires > self._forgotten:
                raise StateRejected(_YOUNGER)
            if nonce in self._expires:
                return False
            if len(self._expires) >= self._limit:
                self._forget()
            if len(self._expires) >= self._limit:
                raise StateRejected(_FULL)
            self._expires[nonce] = expires
            return True

    def _forget(self) -> None:
        now = self._clock()
        self._forgotten = max(self._forgotten, now)
        self._expires = {nonce: expires for nonce, expires in self._expires.items() if expires > now}


class SqliteSpentTokens:
    """A `SpentTokens` in the file `path`, which several processes may share.

    The file is made when it is missing, and begins then, so a token that was issued
    before is refused.  It is readable by its owner alone and must be a regular file of
    this user, not a link, in folders where nobody
    else could put another one in its place.
    """

    def __init__(
        self, path: str, clock: Clock, limit: int = LIMIT, *, warn: Callable[[str], None] = lambda _message: None
    ) -> None:
        """Make the file if it is missing, and `warn` of one that refuses every token for long.

        Raises:
            InvalidSettings: it cannot be used; the text says what to do.
        """
        self._path = path
        self._clock = clock
        self._limit = limit
        try:
            self._spend(None, 0.0, 0.0)
            ahead = self._ahead()
        except _errors() as error:
            raise InvalidSettings(
                f"the file of used tokens {path} cannot be used ({_cause(error)}); move it away, or name another one"
            ) from None
        if ahead > 0:
            warn(
                f"the file of used tokens {path} was written while the clock was ahead, so every approval is "
                f"refused for the next {ahead:.0f} seconds; move the file away to begin a new one"
            )

    def spend(self, nonce: bytes, issued: float, expires: float, /) -> bool:
        """Return True the first time; see `ports.SpentTokens`."""
        try:
            return self._spend(nonce, issued, expires)
        except _errors() as error:
            raise StateRejected(f"the file of used tokens cannot be used ({_cause(error)})") from None

    def _spend(self, nonce: bytes | None, issued: float, expires: float) -> bool:
        """Do it in one transaction; without a `nonce`, only see to it that the file is there."""
        with _ALONE:
            self._secure()
            with closing(self._connected()) as store, store:
                store.execute("BEGIN IMMEDIATE")
                store.execute("CREATE TABLE IF NOT EXISTS memory (one INTEGER PRIMARY KEY, began REAL, forgotten REAL)")
                store.execute("CREATE TABLE IF NOT EXISTS spent (nonce BLOB PRIMARY KEY, expires REAL) WITHOUT ROWID")
                now = self._clock()
                store.execute("INSERT OR IGNORE INTO memory VALUES (1, ?, ?)", (now, now))
                return nonce is not None and self._spend_in(store, nonce, issued, expires)

    def _ahead(self) -> float:
        """Return for how many seconds every token will be refused that is issued meanwhile."""
        with _ALONE, closing(self._connected()) as store:
            began, forgotten = store.execute("SELECT began, forgotten FROM memory").fetchone()
        return float(max(began, forgotten - LIFE) - self._clock())

    def _spend_in(self, store: sqlite3.Connection, nonce: bytes, issued: float, expires: float) -> bool:
        began, forgotten = store.execute("SELECT began, forgotten FROM memory").fetchone()
        if not issued > began or not expires > forgotten:
            raise StateRejected(_YOUNGER)
        if store.execute("SELECT 1 FROM spent WHERE nonce = ?", (nonce,)).fetchone():
            return False
        now = self._clock()
        if store.execute("DELETE FROM spent WHERE expires <= ?", (now,)).rowcount:
            store.execute("UPDATE memory SET forgotten = max(forgotten, ?)", (now,))
        (held,) = store.execute("SELECT count(*) FROM spent").fetchone()
        if held >= self._limit:
            raise StateRejected(_FULL)
        store.execute("INSERT INTO spent VALUES (?, ?)", (nonce, expires))
        return True

    def _connected(self) -> sqlite3.Connection:
        import sqlite3  # most servers keep no file

        return sqlite3.connect(self._path, timeout=LOCK_SECONDS, isolation_level=None)

    def _secure(self) -> None:
        """Make the file and its folder if they are missing; refuse one that is not this user's alone.

        Raises:
            OSError: it is not, or cannot be reached.
            UntrustedPath: others could put something else in its place.
        """
        folder = os.path.dirname(self._path)
        if not os.path.isdir(folder):
            os.makedirs(folder, 0o700, exist_ok=True)
        if sys.platform != "win32":
            resolved(os.path.join(os.getcwd(), folder), os.getuid(), os.lstat, os.readlink)
        descriptor = os.open(self._path, _CREATE, 0o600)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise OSError("not a regular file")
            if sys.platform == "win32":
                return
            if status.st_uid != os.getuid():
                raise OSError("it belongs to somebody else")
            if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)


def _errors() -> tuple[type[Exception], ...]:
    import sqlite3

    return (OSError, ValueError, TypeError, UntrustedPath, sqlite3.Error)


def _cause(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)
