"""Reads a decision log and goes on with what is written to it, also when its file is set aside meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator

from .audit_files import AuditFiles
from .audit_read import Entry, entry, lines_of, lines_until
from .private_file import open_to_read


def follow(path: str, wait: Callable[[], None]) -> Iterator[Entry | None]:
    """Yield what is in the log at `path`, then None once, and then what is added, for ever.

    `wait` is called whenever there is nothing new.  A line without an end is yielded once it has one.

    Raises:
        OSError: a file of it cannot be read, or is not a regular file of this user.
        ValueError: there is a null character in the path.
    """
    files, descriptor = AuditFiles(path), _opened(path)
    try:
        place = 0
        with contextlib.suppress(FileNotFoundError):  # nothing has been recorded, not even in another file
            for line in lines_until(files, descriptor):
                if line.file != path:
                    yield entry(line)
                elif line.raw.endswith(b"\n"):
                    place = line.end
                    yield entry(line)
        yield None
        while True:
            before = place
            if descriptor >= 0:
                for line in lines_of(descriptor, path, start=place):
                    if line.raw.endswith(b"\n"):
                        place = line.end
                        yield entry(line)
            if place == before:
                following = _following(path, descriptor)
                if following >= 0:
                    left, descriptor = descriptor, following
                    yield from _between(files, left, place, following)
                    place = 0
                else:
                    wait()
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _between(files: AuditFiles, left: int, place: int, following: int) -> Iterator[Entry]:
    """Yield what the file `left` got behind `place` before it was set aside, and all of those set aside since.

    It is closed then.  Where it was not set aside but removed, nobody knows which ones came after it.
    """
    if left < 0:
        return
    try:
        for line in lines_of(left, files.path, start=place):
            yield entry(line)
        for first in _set_aside_since(files, left):
            with contextlib.suppress(FileNotFoundError):  # too old to be kept by now
                yield from _whole(files.aside(first), following)
    finally:
        os.close(left)


def _set_aside_since(files: AuditFiles, left: int) -> list[int]:
    """Return the numbers of the files that were set aside after the one that is open as `left`."""
    numbers = files.set_aside()
    for at, first in enumerate(numbers):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.lstat(files.aside(first)), os.fstat(left)):
                return numbers[at + 1 :]
    return []


def _whole(name: str, following: int) -> Iterator[Entry]:
    """Yield what is in a file that was set aside, unless it is the one that is read next."""
    descriptor = open_to_read(name)
    try:
        if not os.path.samestat(os.fstat(descriptor), os.fstat(following)):
            for line in lines_of(descriptor, name):
                yield entry(line)
    finally:
        os.close(descriptor)


def _opened(path: str) -> int:
    try:
        return open_to_read(path)
    except FileNotFoundError:
        return -1


def _following(path: str, descriptor: int) -> int:
    """Return a descriptor of the file that has taken the place of the open one, or -1."""
    following = _opened(path)
    if following >= 0 and descriptor >= 0 and os.path.samestat(os.fstat(following), os.fstat(descriptor)):
        os.close(following)
        return -1
    return following
