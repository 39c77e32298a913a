"""Tokens sealed with HMAC-SHA256: anybody can read what is in one, and only who has the key can make one.

A token is the sealed bytes and their seal in base64url without padding.  It is compared
with the one spelling that these bytes have, so that white space, padding, another
alphabet or unused bits make it another text, and another text is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InvalidSettings, StateRejected

KEY_BYTES = 32
"""The least length of a key: that of the digest (RFC 2104, section 3)."""

KEY_LIMIT = 16
"""The most keys in a ring."""

HOW = f"write {2 * KEY_BYTES} hexadecimal digits or more on a line, such as `openssl rand -hex {KEY_BYTES}` prints"
"""What makes a file of keys, for a message."""

TOKEN_LIMIT = 64 * 1024
"""The longest token, in characters: it goes through the client twice, and stands in its logs."""

_SEAL_BYTES = 32


class HmacCodec:
    """A `TokenCodec` over a ring of keys: the first one seals, and every one opens what it sealed."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        """Take `keys`; raise ValueError without any, and for one that is too short."""
        if not keys or min(map(len, keys)) < KEY_BYTES:
            raise ValueError(f"at least one key is needed, and each must have {KEY_BYTES} bytes or more")
        self._keys = tuple(keys)

    def seal(self, content: bytes, /) -> str:
        """Return a token for `content`; raise ValueError when it would be too long."""
        token = _spelled(content + _seal(self._keys[0], content))
        if len(token) > TOKEN_LIMIT:
            raise ValueError(f"the state of a call must fit into a token of {TOKEN_LIMIT} characters")
        return token

    def open(self, token: str, /) -> bytes:
        """Return what was sealed in `token`.

        Raises:
            StateRejected: it is not exactly what `seal` returned, under a key of this ring.
        """
        from hmac import compare_digest

        if len(token) > TOKEN_LIMIT:
            raise StateRejected("it is too long to be a token")
        sealed = _bytes_of(token)
        content, seal = sealed[:-_SEAL_BYTES], sealed[-_SEAL_BYTES:]
        if not any(compare_digest(seal, _seal(key, content)) for key in self._keys):
            raise StateRejected("its seal is not ours")
        return content


def read_keys(content: bytes, where: str) -> tuple[bytes, ...]:
    """Return the keys in a file that holds one per line, in hexadecimal digits; the first one seals.

    `where` names the file in a message.

    Raises:
        InvalidSettings: there is none, or a line is no key; the text repeats nothing of the file.
    """
    keys = []
    for number, line in enumerate(content.splitlines(), 1):
        if line.strip():
            keys.append(_key(line.strip(), f"{where}, line {number}"))
    if not keys:
        raise InvalidSettings(f"{where} holds no key; {HOW}")
    if len(keys) > KEY_LIMIT:
        raise InvalidSettings(f"{where} holds more than {KEY_LIMIT} keys; take out those that have been replaced")
    return tuple(keys)


def _key(line: bytes, where: str) -> bytes:
    try:
        key = bytes.fromhex(line.decode("ascii")) if line.isalnum() else b""
    except ValueError:
        key = b""
    if len(key) < KEY_BYTES or len(set(key)) < 2:  # a key of one repeated byte was typed, not drawn
        raise InvalidSettings(f"{where} is no key; {HOW}")
    return key


def _seal(key: bytes, content: bytes) -> bytes:
    import hmac  # most servers never ask anybody; so below

    return hmac.digest(key, content, "sha256")


def _spelled(sealed: bytes) -> str:
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(sealed).rstrip(b"=").decode("ascii")


def _bytes_of(token: str) -> bytes:
    from base64 import urlsafe_b64decode

    try:
        sealed = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
    except ValueError:
        raise StateRejected("it is no token") from None
    if _spelled(sealed) != token or len(sealed) < _SEAL_BYTES:
        raise StateRejected("it is no token")
    return sealed
