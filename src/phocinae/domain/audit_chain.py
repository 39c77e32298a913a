"""The keyed chain of the decision log: what links a record to the one before it, and what its head vouches for.

A line of the log is a JSON object that begins with its sequence number and ends with its
MAC: BLAKE2b (RFC 7693) under the key of the log, over the MAC of the record before it, the
sequence number and the exact bytes of the line up to the MAC.  So nobody without the key
can change, remove, move or add a record without breaking the chain; what only shortens it
is found through the head, which holds the last MAC and is sealed with the same key.

A record that other records cannot be checked without says so in its first fields: `chain`
begins a new chain, and `before` repeats the MAC before it at the beginning of a file.
"""

from __future__ import annotations

import re

from attrs import frozen

try:
    from _blake2 import blake2b  # hashlib takes 2 ms to load, in a program that runs once per command
except ImportError:
    from hashlib import blake2b

KEY_BYTES = 32
"""The length of a key."""

MAC_BYTES = 32
"""The length of a MAC."""

START = bytes(MAC_BYTES)
"""What stands for the MAC before the first record of a chain."""

LINE_LIMIT = 8 * 1024 * 1024
"""The longest line of a log, in bytes, its end included."""

SEQ_LIMIT = 10**15
"""What every sequence number is below."""

IN_FLIGHT = 2
"""How many records a crash can leave behind that the head does not know: an event, and the record that it came with."""

_MAC_FIELD = b',"mac":"'
_MAC_END = b'"}\n'
_TAIL = len(_MAC_FIELD) + 2 * MAC_BYTES + len(_MAC_END)
_FRONT = re.compile(rb'\{"seq":([1-9][0-9]{0,14}),(?:"(chain|before)":"([0-9a-f]+)","key":"([0-9a-f]{16})",)?')
_HEX = re.compile(rb"[0-9a-f]*")
_HEAD = b"phocinae audit head 1; seq %020d mac %b size %020d first %020d oldest %020d key %b seal "
_HEAD_FIELDS = re.compile(
    rb"phocinae audit head 1; seq (\d{20}) mac ([0-9a-f]{64}) size (\d{20}) first (\d{20}) oldest (\d{20}) "
    rb"key ([0-9a-f]{16}) seal [0-9a-f]{64}\n"
)

HEAD_BYTES = len(_HEAD % (0, b"0" * 64, 0, 0, 0, b"0" * 16)) + 2 * MAC_BYTES + 1
"""The length of a head."""


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


@frozen(slots=False)
class Head:
    """Where a chain stands: the `seq` and `mac` of its last record, and the `size` of the file that ends with it.

    `first` is the sequence number that the file will be named by when it is set aside, and
    `oldest` that of the oldest file that is kept.
    """

    seq: int = 0
    mac: bytes = START
    size: int = 0
    first: int = 1
    oldest: int = 1


def seal(key: bytes, before: bytes, seq: int, record: bytes) -> tuple[bytes, bytes]:
    """Return `record`, which is a JSON object with a field or more, as a whole line of the chain, and its MAC."""
    content = b'{"seq":%d,%b' % (seq, record[1:-1])
    mac = mac_of(key, before, seq, content)
    return content + end_of(mac), mac


def opening(record: bytes, field: str, value: str, key: bytes) -> bytes:
    """Return `record` with what later records are checked by: `field`, chain or before, and the name of the key."""
    return b'{"%b":"%b","key":"%b",%b' % (field.encode(), value.encode(), key_name(key).encode(), record[1:])


def link_of(line: bytes) -> Link | None:
    """Return what `line`, with its end, says of its place; None for what is no line of a chain."""
    front = _FRONT.match(line)
    if front is None or len(line) < front.end() + _TAIL or not line.endswith(_MAC_END):
        return None
    content, field, mac = (
        line[:-_TAIL],
        line[-_TAIL : len(_MAC_FIELD) - _TAIL],
        line[len(_MAC_FIELD) - _TAIL : -len(_MAC_END)],
    )
    if field != _MAC_FIELD or not _HEX.fullmatch(mac):
        return None
    seq, *given = (part.decode() for part in front.groups(b""))
    return Link(int(seq), content, bytes.fromhex(mac.decode()), *given)


def mac_of(key: bytes, before: bytes, seq: int, content: bytes) -> bytes:
    """Return the MAC of the record `seq` whose line is `content` up to its MAC, after a record of the MAC `before`."""
    digest = blake2b(key=key, digest_size=MAC_BYTES, person=b"phocinae record")
    digest.update(before + seq.to_bytes(8, "big"))
    digest.update(content)
    return digest.digest()


def follows(key: bytes, before: bytes, link: Link) -> bool:
    """Tell whether `link` is of a record that was written under `key` after one of the MAC `before`."""
    return mac_of(key, before, link.seq, link.content) == link.mac


def opens(key: bytes, link: Link) -> bool:
    """Tell whether `link` is of a record that begins a chain or a file, written under `key`."""
    if link.opening == "before" and len(link.given) == 2 * MAC_BYTES:
        return follows(key, bytes.fromhex(link.given), link)
    return link.opening == "chain" and follows(key, START, link)


def end_of(mac: bytes) -> bytes:
    """Return how the line of a record ends that has this MAC."""
    return b"%b%b%b" % (_MAC_FIELD, mac.hex().encode(), _MAC_END)


def key_name(key: bytes) -> str:
    """Return sixteen hexadecimal digits that tell keys apart, and do not help to find one."""
    return blake2b(key=key, digest_size=8, person=b"phocinae keyname").hexdigest()


def digest_of(key: bytes) -> blake2b:
    """Return a keyed digest to be fed with bytes that are no record, which a later record then vouches for."""
    return blake2b(key=key, digest_size=MAC_BYTES, person=b"phocinae torn")


def write_head(key: bytes, head: Head) -> bytes:
    """Return `head` in its sealed form, which is always of the same length."""
    name = key_name(key).encode()
    front = _HEAD % (head.seq, head.mac.hex().encode(), head.size, head.first, head.oldest, name)
    return b"%b%b\n" % (front, _seal(key, front))


def read_head(key: bytes, raw: bytes) -> Head | None:
    """Return the head that `raw` is the sealed form of; None for one that was not written with `key`."""
    fields = _HEAD_FIELDS.fullmatch(raw)
    front = raw[: -2 * MAC_BYTES - 1]
    if fields is None or _seal(key, front) + b"\n" != raw[len(front) :]:
        return None
    seq, mac, size, first, oldest, _key = fields.groups()
    return Head(int(seq), bytes.fromhex(mac.decode()), int(size), int(first), int(oldest))


def claims_of(raw: bytes) -> tuple[int, str] | None:
    """Return the sequence number and the name of the key that a head claims, unchecked; None for what is no head."""
    fields = _HEAD_FIELDS.fullmatch(raw)
    return (int(fields[1]), fields[6].decode()) if fields else None


def _seal(key: bytes, front: bytes) -> bytes:
    return blake2b(front, key=key, digest_size=MAC_BYTES, person=b"phocinae head").hexdigest().encode()
