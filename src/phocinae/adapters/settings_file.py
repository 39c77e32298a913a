"""Writes a settings file where there is none yet."""

from __future__ import annotations

import contextlib
import os

from ..domain.visible import visible
from ..errors import InvalidSettings

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)


def create(path: str, text: str) -> bool:
    """Write `text` to the new file `path`, which its owner alone can read, and tell whether there was none.

    Folders that are missing are made, each for its owner alone.  What is there is left as it is, links included.

    Raises:
        InvalidSettings: it cannot be written; nothing is left behind then.
    """
    try:
        _make_folders(os.path.dirname(path))
        descriptor = os.open(path, _NEW, 0o600)
    except FileExistsError:
        return False
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        raise _unwritten(path, error) from None
    try:
        with open(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise _unwritten(path, error) from None
    return True


def _unwritten(path: str, error: Exception) -> InvalidSettings:
    return InvalidSettings(f"{visible(path)} cannot be written: {getattr(error, 'strerror', None) or 'not a path'}")


def _make_folders(folder: str) -> None:
    missing = []
    while folder and not os.path.lexists(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    for name in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process was faster
            os.mkdir(name, 0o700)
