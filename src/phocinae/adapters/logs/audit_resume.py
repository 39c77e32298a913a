"""Finds out where the chain of a log stands, when its end and its head are not what this process left.

What other processes wrote meanwhile, and what a crash left behind, is taken up where the
MACs say that it is the log's own.  Where they do not, a new chain begins with a record that
says why.  Nothing that is in a file is changed.
"""

from __future__ import annotations

import os
from typing import Any

from attrs import field, frozen

from ...domain.audit_chain import START, Head, digest_of, key_name, read_head
from ...domain.audit_links import IN_FLIGHT, SEQ_LIMIT, claims_of, follows, link_of
from .audit_files import AuditFiles, ends
from .audit_read import lines_of
from .private_file import open_to_read

WALK_LIMIT = 64 * 1024 * 1024
"""How many bytes past the end that the head knows are looked through, while others wait for the lock."""

_TAIL_LIMIT = 1024 * 1024


@frozen(kw_only=True)
class Standing:
    """Where the chain stands, and what has to be written before the next record.

    `event` is a record of that name with `details`, empty for none; `opening` is the field that
    the first record needs (chain or before, and its value); `mend` closes a torn line.
    `warning` is for the person who runs the program.
    """

    head: Head
    event: str = ""
    details: dict[str, Any] = field(factory=dict)
    opening: tuple[str, str] | None = None
    mend: bytes = b""
    warning: str = ""


def resume(
    files: AuditFiles, key: bytes, made: bool, raw: bytes, log: int, known: Head | None, *, lost: bool = False
) -> Standing:
    """Return where the log stands whose head is `raw` and whose file in use is open as `log`.

    `made` says that the key is new; `known` is where this process left the log, if it did.  `lost` says that
    there was a key, and not even an empty head.

    Raises:
        OSError: a file cannot be read.
    """
    size = os.fstat(log).st_size
    head = read_head(key, raw)
    if head is not None:
        return _followed(files, key, head, log, size) or _restarted(files, _loss(head, size), head, None, log, size)
    claims = claims_of(raw)
    if claims is not None and claims[1] != key_name(key):
        return _restarted(files, "its key is missing" if made else "its key was changed", None, claims[0], log, size)
    if raw:
        return _restarted(files, "its head is broken", None, None, log, size)
    if known is not None:
        return _restarted(files, "its head is missing", known, None, log, size)
    if size or files.set_aside():
        return _restarted(files, "its head is missing", None, None, log, size)
    if lost:
        return _restarted(files, "there is a key for it, and no log and no head", None, None, log, size)
    return Standing(head=Head(), opening=("chain", os.urandom(16).hex()))


def _loss(head: Head, size: int) -> str:
    if not size:
        return "it is missing or empty"
    return "it is shorter than its head says" if size < head.size else "it does not go on from where its head says"


def _followed(files: AuditFiles, key: bytes, head: Head, log: int, size: int) -> Standing | None:
    """Return where the chain stands that `head` knows; None where the log does not go on from there."""
    if ends(log, head):
        return _walked(files, key, head, log, head.size, size)
    try:
        aside = open_to_read(files.aside(head.first))
    except FileNotFoundError:
        return None
    try:  # a crash in the middle of setting aside
        length = os.fstat(aside).st_size
        old = _walked(files, key, head, aside, head.size, length) if ends(aside, head) else None
    finally:
        os.close(aside)
    if old is None or old.event:
        return None
    begun = Head(old.head.seq, old.head.mac, 0, old.head.seq + 1, head.oldest)
    if not size:
        return Standing(head=begun, event="rotated", opening=("before", begun.mac.hex()))
    found = _walked(files, key, begun, log, 0, size)
    return found if found and found.head.seq > begun.seq else None


def _walked(files: AuditFiles, key: bytes, head: Head, log: int, start: int, size: int) -> Standing | None:
    """Return where the chain stands after the records behind `start`; None where those are too many to look at."""
    if size - start > WALK_LIMIT:
        return None
    seq, mac, place = head.seq, head.mac, start
    left, lines, last, digest = 0, 0, b"\n", digest_of(key)
    for line in lines_of(log, files.path, start, size):
        link = link_of(line.raw) if not left else None
        if link and link.seq == seq + 1 and follows(key, mac, link):
            seq, mac, place = link.seq, link.mac, line.at + len(line.raw)
            continue
        last = line.raw
        left, lines = left + len(last), lines + last.endswith(b"\n")
        digest.update(last)
    mend = b"" if last.endswith(b"\n") else b"\n"
    digest.update(mend)
    details: dict[str, Any] = {}
    if left:
        details["torn"] = {"at": place, "bytes": left + len(mend), "lines": lines, "digest": digest.hexdigest()}
    if seq - head.seq > IN_FLIGHT:
        details["ahead"] = seq - head.seq
    stands = Head(seq, mac, size, head.first, head.oldest)
    return Standing(head=stands, event="recovered" if details else "", details=details, mend=mend)


def _restarted(files: AuditFiles, why: str, head: Head | None, claim: int | None, log: int, size: int) -> Standing:
    aside = files.set_aside()
    numbers = _numbers(log, files.path, size)
    if aside:
        old = open_to_read(files.aside(aside[-1]))
        try:
            numbers += _numbers(old, files.path, os.fstat(old).st_size)
        finally:
            os.close(old)
    numbers += [claim or 0, head.seq if head else 0, *aside]
    last = max(number for number in [0, *numbers] if number < SEQ_LIMIT // 2)  # anybody may have written a larger one
    oldest = head.oldest if head else min(number for number in [last + 1, *numbers] if number)
    after = {"seq": head.seq, "mac": head.mac.hex()} if head else None
    return Standing(
        head=Head(last, START, size, last + 1, oldest),
        event="restarted",
        details={"why": f"the log was begun anew: {why}", "after": after, "size": size},
        opening=("chain", os.urandom(16).hex()),
        mend=_mend(log, size),
        warning=f"the decision log {files.path} was begun anew: {why}; see `phocinae audit verify`",
    )


def _numbers(descriptor: int, name: str, size: int) -> list[int]:
    """Return sequence numbers that a file holds, unchecked: the first one, and those near its end."""
    found = []
    for line in lines_of(descriptor, name, end=min(size, _TAIL_LIMIT)):
        link = link_of(line.raw)
        if link:
            found.append(link.seq)
            break
    for line in lines_of(descriptor, name, max(0, size - _TAIL_LIMIT), size):
        link = link_of(line.raw)
        if link:
            found.append(link.seq)
    return found


def _mend(log: int, size: int) -> bytes:
    """Return what closes a torn last line, which is nothing where it has its end."""
    if not size:
        return b""
    os.lseek(log, size - 1, os.SEEK_SET)
    return b"" if os.read(log, 1) == b"\n" else b"\n"
