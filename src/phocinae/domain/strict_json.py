"""JSON that can be read in one way only: bytes to plain values, and everything ambiguous refused.

What can be read in two ways is refused, because something between the writer and this
reader may have read it the other way: duplicate keys, numbers that are no JSON numbers,
half surrogate pairs, bytes that are not UTF-8.  Nesting is measured before anything is
parsed, so that no text can exhaust the stack.  What the values mean is decided elsewhere.
"""

from __future__ import annotations

import json
import re
from itertools import accumulate
from typing import Any, NoReturn

DEPTH_LIMIT = 64
"""How deep objects and arrays may be nested, the outermost included."""

DIGIT_LIMIT = 4300
"""The most characters of an integer: Python's own limit, which an environment variable could lift."""


class Unreadable(ValueError):
    """The bytes are no JSON, or JSON that is not read; the text says why, and holds nothing of them."""


class DuplicateKey(Unreadable):
    """It would be JSON, but a key stands twice in one object."""


class HalfPair(Unreadable):
    """It would be JSON, but a text holds half of a surrogate pair, for which UTF-8 has no form."""


class PastLimit(Unreadable):
    """It may well be JSON, but is nested too deep, or holds a number that is too long or out of range."""


class Pairs(list[tuple[str, Any]]):
    """An object with every one of its members, also those of the same name."""


def read(data: bytes) -> object:
    """Return the one value that `data` stands for.

    Raises:
        Unreadable: it stands for none, or could stand for several.
    """
    if _too_deep(data):
        raise PastLimit(f"nested deeper than {DEPTH_LIMIT} levels")
    try:
        text = data.decode()
        value: object = _STRICT.decode(text)
    except Unreadable:
        raise
    except UnicodeDecodeError:
        raise Unreadable("not UTF-8") from None
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None
    if _HALF_PAIR.search(text) and not has_utf8_form(value):
        raise HalfPair("a text holds half of a surrogate pair")
    return value


def read_loosely(data: bytes) -> object:
    """Return what `data` is, for who has to answer what `read` refused: nothing in it is to be believed.

    Objects are `Pairs`, an integer that is too long is None, a number out of range is
    infinite, and texts may hold half pairs.

    Raises:
        Unreadable: it is no JSON, or nested too deep for Python's own reader.
    """
    try:
        value: object = _LOOSE.decode(data.decode())
    except (ValueError, RecursionError):
        raise Unreadable("not JSON") from None
    return value


def write(value: object) -> str:
    """Return `value` as compact JSON text.

    Raises:
        TypeError, ValueError, RecursionError: it is no JSON value.
    """
    return _WRITER.encode(value)


def has_utf8_form(value: object) -> bool:
    """Tell whether every text in `value`, which is a JSON value, can be written as UTF-8."""
    try:
        write(value).encode()
    except UnicodeEncodeError:
        return False
    return True


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise DuplicateKey("a key stands twice in one object")
    return members


def _no_constant(name: str) -> NoReturn:
    raise Unreadable(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise PastLimit("a number is out of range")
    return number


def _integer(digits: str) -> int:
    if len(digits) > DIGIT_LIMIT:
        raise PastLimit("an integer is too long")
    return int(digits)


def _short_integer(digits: str) -> int | None:
    return int(digits) if len(digits) <= DIGIT_LIMIT else None


_STRICT = json.JSONDecoder(
    object_pairs_hook=_unique, parse_constant=_no_constant, parse_float=_finite, parse_int=_integer
)
_LOOSE = json.JSONDecoder(object_pairs_hook=Pairs, parse_constant=_no_constant, parse_int=_short_integer)
# a loop ends in RecursionError all the same, and looking for one doubles the time
_WRITER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))

# possessive, and a text that is never closed runs to the end: each byte is then looked at once
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_STEPS = bytes.maketrans(b"[{]}", b"\x01\x01\xff\xff")  # as signed bytes: one level down, one level up
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_HALF_PAIR = re.compile(r"\\u[dD][89a-fA-F]")


def _too_deep(data: bytes) -> bool:
    """Whether brackets are nested past the limit, found without a parser that could overflow."""
    if data.count(b"[") + data.count(b"{") <= DEPTH_LIMIT:
        return False
    steps = _STRING.sub(b"", data).translate(_STEPS, _NO_BRACKETS)
    return max(accumulate(memoryview(steps).cast("b")), default=0) > DEPTH_LIMIT
