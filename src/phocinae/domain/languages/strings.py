"""What functions make of strings and lists whose text is known."""

from __future__ import annotations

import re

from .. import decoding
from ..values import HOLE, HOME, LONGEST
from .values import UNKNOWN, Value

KINDS = frozenset(["same", "char", "backward", "format", "lower", "upper", "join_list", "paste", "split"])
"""The kinds of functions that `function` knows."""

_KEPT = frozenset(
    "decode encode to_s to_str toString strip trim rstrip lstrip chomp strip! text str tostring dup freeze "
    "toCharArray to_a toList list join_ b valueOf as_posix __str__ read_all stringify".split()
)
_LOWER = frozenset(["lower", "downcase", "toLowerCase", "casefold"])
_UPPER = frozenset(["upper", "upcase", "toUpperCase"])
_REPLACES = frozenset(["replace", "gsub", "sub", "replaceAll"])
_PLACE = re.compile(r"\{[\w]*(?:![rsa])?\}|%-?\d*[sd]")
_SLICE = re.compile(r"(-?\d*):(-?\d*)(?::(-?\d*))?")


def made(ref: str, receiver: Value | None, arguments: Value) -> Value | None:
    """Return what a method of a string or a list, or an operator, makes of it; None where nothing is known."""
    if receiver is None:
        return None
    name = ref.rpartition(".")[2]
    items = arguments.items or ()
    if ref == "%":
        return _formatted(receiver, [word for item in items for word in item.words()])
    if ref == "/" and receiver.ref == "Path()":
        return Value(text=path([receiver, *items]).text, ref="Path()")
    if ref == "[]":
        return _element(receiver, items)
    if ref == "[:]":
        return _slice(receiver, arguments.text or "")
    if name in _KEPT:
        return Value(text=receiver.text, items=receiver.items, taint=receiver.taint)
    if name in _LOWER or name in _UPPER or name in ("reverse", "reversed"):
        return function(
            "lower" if name in _LOWER else "upper" if name in _UPPER else "backward", None, Value(items=(receiver,))
        )
    if name == "format":
        return _formatted(receiver, list(items))
    if (
        name in _REPLACES
        and receiver.text is not None
        and len(items) > 1
        and items[0].text
        and items[1].text is not None
    ):
        old, new = items[0].text, items[1].text
        return (
            Value(text=receiver.text.replace(old, new)[:LONGEST], taint=receiver.taint)
            if len(receiver.text) * (len(new) + 1) < LONGEST * 4
            else None
        )
    if name == "split" and receiver.text is not None:
        return Value(items=tuple(Value(text=word) for word in _split(receiver.text, items)), taint=receiver.taint)
    if name == "join":
        return _joined(receiver, items)
    if name == "concat" and receiver.text is not None:
        return Value(text=receiver.text + "".join(HOLE if item.text is None else item.text for item in items))
    return None


def function(kind: str, receiver: Value | None, arguments: Value) -> Value | None:
    """Return what a function of this kind makes of its arguments."""
    items = arguments.items or ()
    first = items[0] if items else receiver or UNKNOWN
    if kind == "same":
        return first if len(items) == 1 else Value(items=items)
    if kind == "format":
        return _formatted(first, list(items[1:]))
    if kind == "join_list":
        return _joined(first, (Value(items=items[1:]),))
    if kind == "paste":
        separator = arguments.field("sep")
        return _joined(separator or Value(text=" "), (Value(items=items),))
    if first.text is None:
        return Value(taint=first.taint)
    if kind == "split":
        return Value(items=tuple(Value(text=word) for word in first.text.split()), taint=first.taint)
    changed = {"lower": str.lower, "upper": str.upper, "backward": _backward}.get(kind)
    if changed is not None:
        return Value(text=changed(first.text), taint=first.taint)
    return (
        Value(text=chr(int(first.text)))
        if kind == "char" and first.text.isdigit() and int(first.text) < 0x2000
        else None
    )


def _backward(text: str) -> str:
    return text[::-1]


def path(parts: list[Value]) -> Value:
    """Return a path from its parts; an absolute one starts anew."""
    found = ""
    taint = 0
    for part in parts:
        text = HOLE if part.text is None else part.text
        taint |= part.taint
        found = text if not found or text[:1] == "/" or text[:1] == HOME else f"{found.rstrip('/')}/{text}"
    return Value(text=found[:LONGEST] if parts else None, taint=taint)


def decoded(text: str | None, alphabet: str) -> str | None:
    """Return a known text out of base64 or hexadecimal digits."""
    if text is None:
        return None
    hexadecimal = alphabet == "hex" or (alphabet == "" and re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text) is not None)
    return decoding.decoded("xxd", ["-r", "-p"], text) if hexadecimal else decoding.decoded("base64", ["-d"], text)


def _formatted(template: Value, given: list[Value]) -> Value:
    if template.text is None:
        return Value(taint=template.taint)
    left = list(given)
    taint = template.taint

    def filled(_match: re.Match[str]) -> str:
        nonlocal taint
        value = left.pop(0) if left else UNKNOWN
        taint |= value.taint
        return HOLE if value.text is None else value.text

    return Value(text=_PLACE.sub(filled, template.text)[:LONGEST], taint=taint)


def _joined(one: Value, others: tuple[Value, ...]) -> Value | None:
    """Return ``separator.join(list)`` or ``list.join(separator)``."""
    other = others[0] if others else Value(text="")
    separator, values = (other, one) if one.items is not None else (one, other)
    if separator.text is None or values.items is None:
        return None
    words = [HOLE if word.text is None else word.text for word in values.words()]
    return Value(text=separator.text.join(words)[:LONGEST], taint=values.taint)


def _split(text: str, items: tuple[Value, ...]) -> list[str]:
    separator = items[0].text if items else None
    return text.split(separator) if separator and separator.strip() else text.split()


def _element(value: Value, inside: tuple[Value, ...]) -> Value | None:
    """Return an element or a part, if its place is a number."""
    if len(inside) == 1 and inside[0].text is not None and inside[0].text.isdigit():
        place = int(inside[0].text)
        if value.items is not None and place < len(value.items):
            return value.items[place]
        if value.text is not None:
            return Value(text=value.text[place : place + 1], taint=value.taint)
    return None


def _slice(value: Value, written: str) -> Value | None:
    """Return ``value[start:stop:step]``."""
    match = _SLICE.fullmatch(written)
    step = 0 if match is None else int(match[3] if match[3] not in (None, "", "-") else 1)
    if match is None or not step:
        return None
    start, stop = (int(end) if end not in ("", "-") else None for end in match.groups()[:2])
    part = slice(start, stop, step)
    return Value(
        text=None if value.text is None else value.text[part],
        items=None if value.items is None else value.items[part],
        taint=value.taint,
    )
