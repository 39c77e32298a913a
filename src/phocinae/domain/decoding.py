"""What filters make of a known text that is written in another alphabet, for a second look at a text.

Sources: base64(1), base32(1), xxd(1), rev(1), POSIX XCU tr.
"""

from __future__ import annotations

import base64
import binascii
import re
import string

LONGEST_DECODED = 4_000
"""Characters of a text that are decoded."""

_RANGE = re.compile(r"\[:(\w+):\]|(.)-(.)|(.)", re.S)
_CLASSES = {"lower": string.ascii_lowercase, "upper": string.ascii_uppercase, "digit": string.digits, "space": " \t\n"}
_ESCAPES = {"\\n": "\n", "\\t": "\t", "\\\\": "\\", "\\r": "\r", "\\0": "\0"}


def decoded(name: str, words: list[str], text: str) -> str | None:
    """Return what a filter with these words makes of a text, or None where it is not known."""
    if len(text) > LONGEST_DECODED:
        return None
    flags = "".join(word.lstrip("-") for word in words if word.startswith("-"))
    name = name.removeprefix("g")
    if name in ("base64", "base32"):
        return _of_base(name, text) if "d" in flags.lower() else None
    if name == "xxd":
        return _of_hex(text) if "r" in flags and "p" in flags else None
    if name == "rev":
        return "\n".join(line[::-1] for line in text.split("\n"))
    if name == "tr":
        return _translated([word for word in words if not word.startswith("-")], flags, text)
    return None


def _of_base(name: str, text: str) -> str | None:
    plain = re.sub(r"\s", "", text)
    try:
        found = base64.b64decode(plain, validate=True) if name == "base64" else base64.b32decode(plain)
        return found.decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None


def _of_hex(text: str) -> str | None:
    try:
        return bytes.fromhex(re.sub(r"\s", "", text)).decode("utf-8", "replace")
    except ValueError:
        return None


def _translated(sets: list[str], flags: str, text: str) -> str | None:
    expanded = [_expanded(one) for one in sets[:2]]
    if flags == "d" and len(expanded) == 1:
        return "".join(char for char in text if char not in expanded[0])
    if flags or len(expanded) != 2 or not expanded[1]:
        return None
    old, new = expanded
    return text.translate(str.maketrans(old, new[: len(old)].ljust(len(old), new[-1])))


def _expanded(letters: str) -> str:
    for escape, char in _ESCAPES.items():
        letters = letters.replace(escape, char)
    found = ""
    for match in _RANGE.finditer(letters[:200]):
        named, first, last, alone = match.groups()
        if named is not None:
            found += _CLASSES.get(named, "")
        elif first is not None and ord(first) <= ord(last) < ord(first) + 300:
            found += "".join(map(chr, range(ord(first), ord(last) + 1)))
        else:
            found += alone or ""
    return found
