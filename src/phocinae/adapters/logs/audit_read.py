"""Reads a decision log: the records of all its files in their order, in bounded memory, and nothing is changed.

A log is read while others write to it.  The file in use is opened first, so that one
which is set aside meanwhile is still read under the name that it had, and only once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from attrs import frozen

from ...domain.audit_chain import LINE_LIMIT
from ...domain.strict_json import Unreadable, read
from .audit_files import AuditFiles
from .private_file import open_to_read

_CHUNK = 1 << 16


@frozen(kw_only=True)
class Line:
    """One line of one file: its number from 1 on, where it is `at` and its `end`, and `raw` with its LF if any."""

    file: str
    number: int
    at: int
    end: int
    raw: bytes


@frozen(kw_only=True)
class Entry:
    """One line of a log: `raw` without its end, and the `record` in it, or None and the `fault` that it has."""

    file: str
    line: int
    raw: bytes
    record: dict[str, Any] | None
    fault: str = ""


def records(path: str) -> Iterator[Entry]:
    """Yield what is in the log at `path` and in the files that were set aside, oldest first; no MAC is checked.

    Raises:
        OSError: a file of it cannot be read, or is not a regular file of this user.
        ValueError: there is a null character in the path.
    """
    for line in lines(AuditFiles(path)):
        yield entry(line)


def entry(line: Line) -> Entry:
    """Return what stands on one line."""
    record, fault = None, ""
    if len(line.raw) > LINE_LIMIT:
        fault = f"longer than {LINE_LIMIT} bytes"
    elif not line.raw.endswith(b"\n"):
        fault = "the line has no end"
    else:
        try:
            value = read(line.raw)
        except Unreadable as error:
            fault = str(error)
        else:
            record, fault = (value, "") if isinstance(value, dict) else (None, "not a JSON object")
    return Entry(file=line.file, line=line.number, raw=line.raw.removesuffix(b"\n"), record=record, fault=fault)


def lines(files: AuditFiles) -> Iterator[Line]:
    """Yield every line of the files of a log, oldest first; one past `LINE_LIMIT` is cut, and keeps its LF.

    Raises:
        OSError: a file cannot be read, or is not a regular file of this user.
        ValueError: there is a null character in the path.
    """
    in_use = open_in_use(files)
    try:
        yield from lines_until(files, in_use)
    finally:
        if in_use >= 0:
            os.close(in_use)


def open_in_use(files: AuditFiles) -> int:
    """Return a descriptor of the file that is written to; -1 where it is missing and others are there."""
    try:
        return open_to_read(files.path)
    except FileNotFoundError:
        if files.set_aside():
            return -1
        raise


def lines_until(files: AuditFiles, in_use: int, size: int | None = None) -> Iterator[Line]:
    """Yield what `lines` does; of the file in use, which is open, no more than its first `size` bytes."""
    for first in files.set_aside():
        name = files.aside(first)
        try:
            descriptor = open_to_read(name)
        except FileNotFoundError:  # too old to be kept by now
            continue
        try:
            if in_use >= 0 and _identity(descriptor) == _identity(in_use):
                break
            yield from lines_of(descriptor, name)
        finally:
            os.close(descriptor)
    if in_use >= 0:
        yield from lines_of(in_use, files.path, end=size)


def lines_of(descriptor: int, name: str, start: int = 0, end: int | None = None) -> Iterator[Line]:
    """Yield the lines of an open file from the byte `start` on, and up to the byte `end` or where the file ends."""
    number, at, kept, cut = 1, start, b"", 0
    place = start
    while True:
        os.lseek(descriptor, place, os.SEEK_SET)
        chunk = os.read(descriptor, _CHUNK if end is None else min(_CHUNK, end - place))
        if not chunk:
            break
        place += len(chunk)
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            raw = kept + part + b"\n"
            shown = raw if len(raw) <= LINE_LIMIT else raw[:LINE_LIMIT] + b"\n"
            yield Line(file=name, number=number, at=at, raw=shown, end=at + len(raw) + cut)
            number, at, kept, cut = number + 1, at + len(raw) + cut, b"", 0
        kept += rest
        if len(kept) > LINE_LIMIT:
            kept, cut = kept[: LINE_LIMIT + 1], cut + len(kept) - LINE_LIMIT - 1
    if kept:
        yield Line(file=name, number=number, at=at, raw=kept[: LINE_LIMIT + 1], end=place)


def _identity(descriptor: int) -> tuple[int, int]:
    status = os.fstat(descriptor)
    return status.st_dev, status.st_ino
