"""Checks a decision log on disk against its key and its head, and tells where it stands; nothing is changed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from ...domain.audit_chain import HEAD_BYTES, Head, key_name, read_head
from ...domain.audit_check import ChainCheck, Report
from ...domain.audit_links import claims_of
from ...errors import AuditFailed
from .audit_files import AuditFiles
from .audit_key import read_key
from .audit_read import lines_until
from .file_lock import lock
from .private_file import open_to_read

_TRIES = 3


def verify(path: str, *, key_file: str = "", anchors: Mapping[int, bytes] | None = None) -> Report:
    """Return what is wrong with the log at `path`, all its files included, as it stands at one moment.

    An empty `key_file` stands for the key beside the log.  `anchors` are MACs by sequence
    number, as `head` gave them earlier: each must still be in the log.

    Raises:
        AuditFailed: there is no log, or a file of it cannot be read; names the file and the cause.
    """
    files = AuditFiles(path, key_file)
    try:
        key = _key(files)
        for _ in range(_TRIES):
            report, oldest = _checked(files, key, anchors or {})
            if report.intact or _oldest(files, key) == oldest:
                break  # otherwise a file was removed as too old while it was to be read
    except (OSError, ValueError) as error:
        raise AuditFailed(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    return report


def head(path: str, *, key_file: str = "") -> Head:
    """Return where the log at `path` stands; its sequence number and MAC make an anchor for a later `verify`.

    Raises:
        AuditFailed: there is no key or no head, it was not written with this key, or cannot be read.
    """
    files = AuditFiles(path, key_file)
    try:
        found, wrong = _read_head(files, _key(files))
    except (OSError, ValueError) as error:
        raise AuditFailed(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if found is None:
        raise AuditFailed(f"{path}: {wrong}")
    return found


def _key(files: AuditFiles) -> bytes:
    key = read_key(files.key)
    if key is None:
        there = any(os.path.lexists(file) for file in (files.path, files.head)) or bool(files.set_aside())
        raise OSError(
            f"the key {files.key} is missing, and without it nothing can be checked"
            if there
            else "there is no decision log"
        )
    return key


def _checked(files: AuditFiles, key: bytes, anchors: Mapping[int, bytes]) -> tuple[Report, int]:
    """Return the report on a log as it stands now, and the oldest sequence number that it keeps."""
    found, wrong, in_use, size = _snapshot(files, key)
    check = ChainCheck(key, found, anchors)
    try:
        if wrong:
            check.fault("head", wrong)
        if in_use < 0:
            check.fault("missing", f"there is no {os.path.basename(files.path)}")
        for line in lines_until(files, in_use, size):
            check.feed(line.file, line.number, line.raw)
    finally:
        if in_use >= 0:
            os.close(in_use)
    return check.finish(), found.oldest if found else 0


def _snapshot(files: AuditFiles, key: bytes) -> tuple[Head | None, str, int, int]:
    """Return the head or what is wrong with it, a descriptor of the file in use or -1, and how long that is."""
    try:
        held = open_to_read(files.head)
    except FileNotFoundError:
        held = -1
    try:
        if held >= 0:
            lock(held)  # between two records
        found, wrong = _read_head(files, key)
        in_use = _in_use(files)
        return found, wrong, in_use, os.fstat(in_use).st_size if in_use >= 0 else 0
    finally:
        if held >= 0:
            os.close(held)  # which gives the lock back


def _in_use(files: AuditFiles) -> int:
    try:
        return open_to_read(files.path)
    except FileNotFoundError:
        return -1


def _oldest(files: AuditFiles, key: bytes) -> int:
    found, _wrong = _read_head(files, key)
    return found.oldest if found else 0


def _read_head(files: AuditFiles, key: bytes) -> tuple[Head | None, str]:
    """Return the head, or what is wrong with it."""
    try:
        descriptor = open_to_read(files.head)
    except FileNotFoundError:
        return None, f"the head {files.head} is missing"
    try:
        raw = os.read(descriptor, HEAD_BYTES + 1)
    finally:
        os.close(descriptor)
    found, claims = read_head(key, raw), claims_of(raw)
    if found is None and claims is not None and claims[1] != key_name(key):
        return None, f"the head was sealed with another key ({claims[1]})"
    return found, "" if found else f"the head {files.head} is broken"
