"""The keyed chain of the decision log: what links a record to the one before it, and what its head vouches for.

A line of the log is a JSON object that begins with its sequence number and ends with its
MAC: BLAKE2b (RFC 7693) under the key of the log, over the MAC of the record before it, the
sequence number and the exact bytes of the line up to the MAC.  So nobody without the key
can change, remove, move or add a record without breaking the chain; what only shortens it
is found through the head, which holds the last MAC and is sealed with the same key.

A record that other records cannot be checked without says so in its first fields: `chain`
begins a new chain, and `before` repeats the MAC before it at the beginning of a file.
This is what writing needs, in a program that runs once per command; `audit_links` reads it back.
"""

from __future__ import annotations

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

MAC_FIELD = b',"mac":"'
MAC_END = b'"}\n'
"""What stands before a MAC and behind it, at the end of a line."""

_HEAD = b"phocinae audit head 1; seq %020d; mac %b; size %020d; first %020d; oldest %020d; key %b; seal "

HEAD_BYTES = len(_HEAD % (0, b"0" * 64, 0, 0, 0, b"0" * 16)) + 2 * MAC_BYTES + 1
"""The length of a head."""


@frozen(slots=False)  # frozen slots are filled by a call for each
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


def mac_of(key: bytes, before: bytes, seq: int, content: bytes) -> bytes:
    """Return the MAC of the record `seq` whose line is `content` up to its MAC, after a record of the MAC `before`."""
    digest = blake2b(key=key, digest_size=MAC_BYTES, person=b"phocinae record")
    digest.update(before + seq.to_bytes(8, "big"))
    digest.update(content)
    return digest.digest()


def end_of(mac: bytes) -> bytes:
    """Return how the line of a record ends that has this MAC."""
    return b"%b%b%b" % (MAC_FIELD, mac.hex().encode(), MAC_END)


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
    front, seal_and_end = raw[: -2 * MAC_BYTES - 1], raw[-2 * MAC_BYTES - 1 :]
    if len(raw) != HEAD_BYTES or _seal(key, front) + b"\n" != seal_and_end:
        return None
    _title, seq, mac, size, first, oldest, _key, _word = (field.split()[-1] for field in front.split(b"; "))
    return Head(int(seq), bytes.fromhex(mac.decode()), int(size), int(first), int(oldest))


def _seal(key: bytes, front: bytes) -> bytes:
    return blake2b(front, key=key, digest_size=MAC_BYTES, person=b"phocinae head").hexdigest().encode()
