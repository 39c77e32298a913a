"""A codec that is as simple as can be, and the ways to spell a token wrong."""

from __future__ import annotations

import secrets
import string

from phocinae.errors import StateRejected


class ToyCodec:
    """Keeps what it seals at home and hands out a number for it."""

    def __init__(self) -> None:
        self._sealed: dict[str, bytes] = {}

    def seal(self, content: bytes, /) -> str:
        token = secrets.token_urlsafe(16)
        self._sealed[token] = content
        return token

    def open(self, token: str, /) -> bytes:
        try:
            return self._sealed[token]
        except KeyError:
            raise StateRejected("nothing was sealed under it") from None


def misspelled(token: str) -> set[str]:
    """Return texts that somebody could hold to be the same as `token`, or to be near enough."""
    alphabet = string.ascii_letters + string.digits + "-_+/=."
    changed = {token[:at] + sign + token[at + 1 :] for at in range(len(token)) for sign in alphabet}
    shorter = {token[:at] + token[at + 1 :] for at in range(len(token))} | {token[:at] for at in range(len(token))}
    longer = {token + sign for sign in [*alphabet, "==", "===", "\n", "\r\n", " ", "\t", "\0", token]}
    broken = {token[:at] + sign + token[at:] for at in (0, 1, len(token) // 2) for sign in " \n\t\0=\u200b\ufeff"}
    other = {
        token.lower(),
        token.upper(),
        token.swapcase(),
        token[::-1],
        token.replace("-", "+").replace("_", "/"),
        f'"{token}"',
        "".join(chr(ord(sign) + 0xFEE0) for sign in token),  # the full-width forms
    }
    return (changed | shorter | longer | broken | other) - {token}
