"""What the token of an interrupted call is bound to, and when it stops being good.

The claims travel through the client and come back.  What keeps the client from changing
them is a seal around their bytes, which is put on elsewhere; here is decided what stands
under the seal, and whether it still fits the request that it came back with.

The bytes are typed and length-marked, so that no two sets of claims have the same bytes,
and what is not exactly such a set is refused.
"""

from __future__ import annotations

import json
import struct
from typing import Any

from attrs import field, frozen

from ..errors import StateRejected

LIFE = 600.0
"""How long a token is good for, in seconds."""

NONCE_BYTES = 16

_HEAD = b"phocinae round 1\n"
"""Tells these bytes from whatever else a key may have sealed, and this layout from a later one."""

_TEXT, _BYTES, _NUMBER = b"t", b"b", b"n"
_LENGTH = struct.Struct(">cI")
_SECONDS = struct.Struct(">d")


@frozen(kw_only=True)
class RoundCall:
    """One request that may be interrupted, or that goes on: what a token is bound to.

    `version` and `method` are those of the protocol, `target` is what is called by name.
    `principal` names who asks, as far as the transport knows.
    """

    version: str
    method: str
    target: str
    arguments: dict[str, Any] = field(hash=False)
    principal: str


@frozen(kw_only=True)
class RoundClaims:
    """What stands in a token.

    `digest` is that of all arguments, `policy` the fingerprint of what judged; `issued`
    and `expires` are seconds since the epoch.  `state` belongs to whatever was interrupted.
    """

    version: str
    method: str
    target: str
    digest: bytes
    principal: str
    policy: str
    issued: float
    expires: float
    nonce: bytes
    state: bytes

    @classmethod
    def of(cls, call: RoundCall, *, policy: str, issued: float, nonce: bytes, state: bytes) -> RoundClaims:
        """Return the claims of a token for `call` that begins to live at `issued`."""
        return cls(
            version=call.version,
            method=call.method,
            target=call.target,
            digest=digest(call.arguments),
            principal=call.principal,
            policy=policy,
            issued=issued,
            expires=issued + LIFE,
            nonce=nonce,
            state=state,
        )

    def check(self, call: RoundCall, *, policy: str, now: float) -> None:
        """Return if every claim is true of `call`, under `policy` and at `now`.

        Raises:
            StateRejected: names the first claim that is not, and nothing of what it says.
        """
        pairs = (
            ("revision", self.version, call.version),
            ("method", self.method, call.method),
            ("target", self.target, call.target),
            ("arguments", self.digest, digest(call.arguments)),
            ("client", self.principal, call.principal),
            ("policy", self.policy, policy),
        )
        for what, claimed, true in pairs:
            if claimed != true:
                raise StateRejected(f"it was issued for another {what}")
        if not self.issued <= now:  # NaN is refused by each of these
            raise StateRejected("it comes from the future")
        if not now < self.expires <= self.issued + LIFE:
            raise StateRejected("it has expired")

    def to_bytes(self) -> bytes:
        """Return the claims as bytes, from which `from_bytes` makes the same ones."""
        parts = [_HEAD]
        for value in (self.version, self.method, self.target, self.principal, self.policy):
            parts.append(_marked(_TEXT, value.encode()))
        for blob in (self.digest, self.nonce, self.state):
            parts.append(_marked(_BYTES, blob))
        for number in (self.issued, self.expires):
            parts.append(_marked(_NUMBER, _SECONDS.pack(number)))
        return b"".join(parts)

    @classmethod
    def from_bytes(cls, content: bytes) -> RoundClaims:
        """Return the claims that `content` stands for.

        Raises:
            StateRejected: it is not what `to_bytes` returns.
        """
        try:
            return cls._read(content)
        except (struct.error, ValueError):
            raise StateRejected("it holds no claims") from None

    @classmethod
    def _read(cls, content: bytes) -> RoundClaims:
        head, rest = content[: len(_HEAD)], content[len(_HEAD) :]
        fields: list[bytes] = []
        for kind in (_TEXT,) * 5 + (_BYTES,) * 3 + (_NUMBER,) * 2:
            value, rest = _unmarked(kind, rest)
            fields.append(value)
        if head != _HEAD or rest:
            raise ValueError
        version, method, target, principal, policy = (text.decode() for text in fields[:5])
        (issued,), (expires,) = map(_SECONDS.unpack, fields[8:])
        return cls(
            version=version,
            method=method,
            target=target,
            digest=fields[5],
            principal=principal,
            policy=policy,
            issued=issued,
            expires=expires,
            nonce=fields[6],
            state=fields[7],
        )


def digest(arguments: dict[str, Any]) -> bytes:
    """Return 32 bytes that stand for `arguments`: the same for the same JSON object in any order of its keys.

    Values of different types never count as the same, however equal Python finds them.
    """
    import hashlib  # most servers never ask anybody

    text = json.dumps(arguments, sort_keys=True, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).digest()


def _marked(kind: bytes, value: bytes) -> bytes:
    return _LENGTH.pack(kind, len(value)) + value


def _unmarked(kind: bytes, content: bytes) -> tuple[bytes, bytes]:
    """Return the field in front of `content`, which must be of `kind`, and what follows it."""
    found, length = _LENGTH.unpack(content[: _LENGTH.size])
    end = _LENGTH.size + length
    if found != kind or len(content) < end:
        raise ValueError
    return content[_LENGTH.size : end], content[end:]
