"""Whether the way to a file leads through places where another user could put something else.

A file of one's own in a folder that everybody may write to is not one's own: whoever
wants can move it away and put a copy from yesterday, or nothing, in its place.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from typing import Protocol

from .visible import visible

MOST_LINKS = 40
"""The most symbolic links that a path may lead over."""


class Status(Protocol):
    """What is known of a place in the file system, as `os.lstat` has it."""

    @property
    def st_mode(self) -> int:
        """Its kind and who may do what with it."""

    @property
    def st_uid(self) -> int:
        """Whose it is."""


class UntrustedPath(Exception):
    """A path that somebody else could have changed; the text names the place and says what to do."""


def resolved(path: str, user: int, lstat: Callable[[str], Status], readlink: Callable[[str], str]) -> str:
    """Return the absolute POSIX `path` with links resolved, once each place on its way was looked at.

    `lstat` and `readlink` are those of `os`; what they raise is let through.

    Raises:
        UntrustedPath: another than `user` or root could have put something else on the way.
    """
    here, rest, links = "/", path.split("/")[::-1], 0
    while rest:
        name = rest.pop()
        if name in ("", "."):
            continue
        there = here.rpartition("/")[0] or "/" if name == ".." else f"{here.rstrip('/')}/{name}"
        status = lstat(there)
        check(there, user, status)
        if not stat.S_ISLNK(status.st_mode):
            here = there
            continue
        links += 1
        if links > MOST_LINKS:
            raise UntrustedPath(f"{visible(path)} leads over too many links")
        target = readlink(there)
        here = "/" if target.startswith("/") else here
        rest += target.split("/")[::-1]
    return here


def check(path: str, user: int, status: Status) -> None:
    """Refuse with `UntrustedPath` what another than `user` or root could have put there, or could change."""
    if status.st_uid not in (0, user):
        raise UntrustedPath(f"{visible(path)} must belong to you or root; it belongs to user id {status.st_uid}")
    # the mode of a link means nothing, and in a sticky folder others cannot replace what is not theirs
    sticky = stat.S_ISDIR(status.st_mode) and status.st_mode & stat.S_ISVTX
    if not stat.S_ISLNK(status.st_mode) and not sticky and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise UntrustedPath(f"{visible(path)} can be written by others; run: chmod go-w {visible(path)}")
