"""Reads the keyed chain of the decision log back: what a line says of its place, and whether that is true."""

from __future__ import annotations

import re

from attrs import frozen

from .audit_chain import MAC_BYTES, MAC_END, MAC_FIELD, START, mac_of

SEQ_LIMIT = 10**15
"""What every sequence number is below."""

IN_FLIGHT = 2
"""How many records a crash can leave behind that the head does not know: an event, and the record that it came with."""

_TAIL = len(MAC_FIELD) + 2 * MAC_BYTES + len(MAC_END)
_FRONT = re.compile(rb'\{"seq":([1-9][0-9]{0,14}),(?:"(chain|before)":"([0-9a-f]+)","key":"([0-9a-f]{16})",)?')
_HEX = re.compile(rb"[0-9a-f]*")
_HEAD_FIELDS = re.compile(
    rb"phocinae audit head 1; seq (\d{20}); mac [0-9a-f]{64}; size \d{20}; first \d{20}; oldest \d{20}; "
    rb"key ([0-9a-f]{16}); seal [0-9a-f]{64}\n"
)


@frozen(slots=False)  # frozen slots are filled by a call for each
class Link:
    """What a line says of its place in the chain; nothing of it is to be believed before its MAC is checked.

    `opening` is ``chain`` where a new chain begins, ``before`` at the beginning of a file, and
    empty elsewhere; `given` is that field's value, and `key` the name of the key beside it.
    """

    seq: int
    content: bytes
    mac: bytes
    opening: str = ""
    given: str = ""
    key: str = ""


def link_of(line: bytes) -> Link | None:
    """Return what `line`, with its end, says of its place; None for what is no line of a chain."""
    front = _FRONT.match(line)
    if front is None or len(line) < front.end() + _TAIL or not line.endswith(MAC_END):
        return None
    content, field, mac = (
        line[:-_TAIL],
        line[-_TAIL : len(MAC_FIELD) - _TAIL],
        line[len(MAC_FIELD) - _TAIL : -len(MAC_END)],
    )
    if field != MAC_FIELD or not _HEX.fullmatch(mac):
        return None
    seq, *given = (part.decode() for part in front.groups(b""))
    return Link(int(seq), content, bytes.fromhex(mac.decode()), *given)


def follows(key: bytes, before: bytes, link: Link) -> bool:
    """Tell whether `link` is of a record that was written under `key` after one of the MAC `before`."""
    return mac_of(key, before, link.seq, link.content) == link.mac


def opens(key: bytes, link: Link) -> bool:
    """Tell whether `link` is of a record that begins a chain or a file, written under `key`."""
    if link.opening == "before" and len(link.given) == 2 * MAC_BYTES:
        return follows(key, bytes.fromhex(link.given), link)
    return link.opening == "chain" and follows(key, START, link)


def claims_of(raw: bytes) -> tuple[int, str] | None:
    """Return the sequence number and the name of the key that a head claims, unchecked; None for what is no head."""
    fields = _HEAD_FIELDS.fullmatch(raw)
    return (int(fields[1]), fields[2].decode()) if fields else None
