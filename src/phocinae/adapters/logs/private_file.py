"""Opens files to append to that nobody but the user can read, or put something else in the place of."""

from __future__ import annotations

import contextlib
import os
import stat

_READ = (
    os.O_RDONLY
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)
_WRITE = _READ | os.O_RDWR | os.O_CREAT
_OPEN_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def open_private(path: str, *, append: bool = True) -> int:
    """Return a descriptor of the file `path`, to read and to append to; it and its folder are made where missing.

    Where it is not to `append`, it writes where it stands.  Neither the file nor its folder
    may be a symbolic link, and it must be a regular file of this user or of root; one of
    this user's that others may read is closed to them.

    Raises:
        OSError: it cannot be opened, or is not such a file.
        ValueError: there is a null character in the path.
    """
    flags = _WRITE | (os.O_APPEND if append else 0)
    try:
        descriptor = _open_in(path, flags)
    except FileNotFoundError:
        _make_folders(os.path.dirname(path))
        descriptor = _open_in(path, flags)
    return _checked(descriptor, mend=True)


def open_to_read(path: str, *, mend: bool = False) -> int:
    """Return a descriptor of the file `path` that is there, to read it and nothing more, under the same rules.

    One that others may read is left as it is, unless that is to be mended.

    Raises:
        OSError: it cannot be opened, or is not such a file; FileNotFoundError where there is none.
        ValueError: there is a null character in the path.
    """
    return _checked(_open_in(path, _READ), mend=mend)


def _open_in(path: str, flags: int) -> int:
    if os.open not in os.supports_dir_fd:
        return os.open(path, flags, 0o600)
    folder, name = os.path.split(path)
    place = os.open(folder, _OPEN_FOLDER)
    try:
        return os.open(name, flags, 0o600, dir_fd=place)
    finally:
        os.close(place)


def _checked(descriptor: int, *, mend: bool) -> int:
    try:
        _check(os.fstat(descriptor), descriptor, mend)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check(status: os.stat_result, descriptor: int, mend: bool) -> None:
    """Refuse a file that is not ours alone; to mend it is to close one that others may read."""
    if not stat.S_ISREG(status.st_mode):
        raise OSError("not a regular file")
    if not hasattr(os, "geteuid"):
        return
    if status.st_uid not in (os.geteuid(), 0):
        raise OSError("the file belongs to another user")
    if mend and stat.S_IMODE(status.st_mode) & 0o077 and status.st_uid == os.geteuid():
        os.fchmod(descriptor, 0o600)


def _make_folders(folder: str) -> None:
    """Make `folder` and what is missing above it, each for its owner alone, whatever the umask."""
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.mkdir(name, 0o700)
