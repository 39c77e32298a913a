"""Reads and replaces one configuration file of an agent, whatever may happen between the two."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator

from attrs import frozen

from ...domain.trusted_paths import UntrustedPath, check, resolved
from ...domain.visible import visible
from ...errors import InvalidSettings

BACKUP = ".before-phocinae-"
"""What stands between the name of a file and the time of its backup."""


@frozen
class Held:
    """A file as it was read: its path with links resolved, and its content, or None where there is none."""

    path: str
    raw: bytes | None


def hold(path: str) -> Held:
    """Return the file `path` as it is.

    Raises:
        InvalidSettings: it cannot be read or written, is no plain file, or somebody else could change the way to it.
    """
    try:
        return _hold(os.path.abspath(path))
    except UntrustedPath as error:
        raise InvalidSettings(f"{visible(path)} is not touched: {error}") from None
    except (OSError, ValueError) as error:
        raise InvalidSettings(f"{visible(path)} cannot be read: {getattr(error, 'strerror', None) or error}") from None


def _hold(path: str) -> Held:
    target = _way(path)
    try:
        status = os.lstat(target)
    except FileNotFoundError:
        return Held(target, None)
    if not stat.S_ISREG(status.st_mode):
        raise InvalidSettings(f"{visible(path)} is not a regular file")
    if not status.st_mode & stat.S_IWUSR:
        raise InvalidSettings(f"{visible(path)} is read-only; to let it be changed, run: chmod u+w {visible(path)}")
    return Held(target, _content(target))


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _way(path: str) -> str:
    """Return `path` with links resolved, once the part of the way that is there was looked at."""
    there, missing = path, []
    while not os.path.lexists(there):
        there, name = os.path.split(there)
        missing.append(name)
    if not os.path.exists(there):
        raise InvalidSettings(f"{visible(there)} is a link to something that does not exist")
    if missing and not os.path.isdir(there):
        raise InvalidSettings(f"{visible(there)} is not a folder")
    if sys.platform == "win32":
        return os.path.realpath(path)
    found = resolved(there, os.getuid(), os.lstat, os.readlink)
    check(found, os.getuid(), os.lstat(found))
    return os.path.join(found, *reversed(missing))


def replace(held: Held, content: bytes) -> str:
    """Write `content` in the place of what was held, and return the path of the backup, empty for a new file.

    The file keeps its mode; a new one is for its owner alone, as are the folders that are made.

    Raises:
        InvalidSettings: it cannot be written, or is not what was held any more.
    """
    try:
        made = _make_folders(os.path.dirname(held.path))
        try:
            return _replace(held, content)
        except BaseException:
            _remove_folders(made)
            raise
    except OSError as error:
        raise InvalidSettings(f"{visible(held.path)} cannot be written: {error.strerror}; it is unchanged") from None


def remove(held: Held, root: str) -> None:
    """Remove a file that holds nothing any more, with folders below `root` that are empty then.

    Raises:
        InvalidSettings: it cannot be removed, or is not what was held any more.
    """
    try:
        _unchanged(held)
        os.unlink(held.path)
    except OSError as error:
        raise InvalidSettings(f"{visible(held.path)} cannot be removed: {error.strerror}") from None
    folder, root = os.path.dirname(held.path), os.path.realpath(root)
    with contextlib.suppress(OSError):
        while folder.startswith(root.rstrip(os.sep) + os.sep):
            os.rmdir(folder)
            folder = os.path.dirname(folder)


def backups(path: str) -> list[str]:
    """Return the backups of a file, the oldest first."""
    folder, name = os.path.split(os.path.realpath(path))
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(os.path.join(folder, one) for one in names if one.startswith(name + BACKUP))


def _replace(held: Held, content: bytes) -> str:
    folder, name = os.path.split(held.path)
    with _written(folder, name, content, held) as temporary:
        _unchanged(held)
        if held.raw is None:
            _place(temporary, held.path)
            backup = ""
        else:
            backup = _back_up(held)
            os.replace(temporary, held.path)
    _flush(folder)
    return backup


@contextlib.contextmanager
def _written(folder: str, name: str, content: bytes, held: Held) -> Iterator[str]:
    """Make a file with `content` and the rights of the one that was held; afterwards nothing is left of it."""
    descriptor, path = tempfile.mkstemp(prefix=f".{name}.", suffix=".phocinae", dir=folder)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
            if held.raw is not None:
                with contextlib.suppress(FileNotFoundError):  # that it is gone is found out later
                    _take_over(file.fileno(), os.stat(held.path))
            file.flush()
            os.fsync(file.fileno())
        yield path
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


def _place(temporary: str, path: str) -> None:
    """Give a new file its name; raise FileExistsError where another process was faster."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "another program has made it meanwhile") from None
        os.rename(temporary, path)


def _take_over(descriptor: int, status: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        mine = os.fstat(descriptor)
        if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
            os.fchown(descriptor, status.st_uid, status.st_gid)
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))


def _unchanged(held: Held) -> None:
    """Refuse where the file is not what was held; the moment between this look and the change cannot be closed."""
    try:
        now: bytes | None = _content(held.path)
    except FileNotFoundError:
        now = None
    if now != held.raw:
        raise InvalidSettings(f"{visible(held.path)} has been changed by another program meanwhile; run this again")


def _back_up(held: Held) -> str:
    """Keep what was held beside its file, unless it is kept there already; return where."""
    content = held.raw or b""
    for path in backups(held.path):
        if _content(path) == content:
            return path
    folder, name = os.path.split(held.path)
    wanted = os.path.join(folder, f"{name}{BACKUP}{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}")
    path, number = wanted, 1
    with _written(folder, name, content, held) as temporary:
        while True:
            try:
                _place(temporary, path)
                return path
            except FileExistsError:
                number += 1
                path = f"{wanted}-{number}"


def _make_folders(folder: str) -> list[str]:
    """Make a folder and what is missing above it, for the owner alone; return those that were made."""
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        os.mkdir(name, 0o700)
    return missing


def _remove_folders(made: list[str]) -> None:
    with contextlib.suppress(OSError):
        for folder in made:
            os.rmdir(folder)


def _flush(folder: str) -> None:
    """Make the new name last through a power failure, where a folder can be flushed."""
    if hasattr(os, "O_DIRECTORY"):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
