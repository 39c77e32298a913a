"""Other ways to give the same options: their order, bundles, long names, abbreviations, and ``--``.

Rule: POSIX XBD 12.2 and getopt_long(3); git's own parser has the same abbreviations (gitcli(7)).
"""

from __future__ import annotations

import re
from random import Random

from attrs import frozen

from .kinds import Base, Kind
from .option_tables import TABLES, Table
from .words import Plain, Word


@frozen
class _Option:
    """One option; `value` is its argument, written as in the command, or None."""

    name: str
    value: str | None = None

    @property
    def is_long(self) -> bool:
        return len(self.name) > 1

    @property
    def words(self) -> list[str]:
        if self.is_long:
            return [f"--{self.name}" + ("" if self.value is None else f"={self.value}")]
        return [f"-{self.name}", *([] if self.value is None else [self.value])]


@frozen
class _Call:
    """A call taken apart; in `parts` an operand is a string."""

    front: list[str]
    parts: list[_Option | str]
    ended: bool
    table: Table

    @property
    def options(self) -> list[_Option]:
        return [part for part in self.parts if isinstance(part, _Option)]

    @property
    def operands(self) -> list[str]:
        return [part for part in self.parts if isinstance(part, str)]


def _read(found: Plain | None) -> _Call | None:
    """Return the options and operands of a call of a listed program; None where one word is not certain."""
    if found is None:
        return None
    size = 2 if " ".join(word.raw for word in found.words[:2]) in TABLES else 1
    table = TABLES.get(" ".join(word.value or "" for word in found.words[:size]))
    if table is None:
        return None
    words, parts, ended = list(found.words[size:]), list[_Option | str](), False
    while words:
        word = words.pop(0)
        if word.value is None and re.match(r"[/.~A-Za-z0-9*$\"]", word.raw) is None:
            return None
        if ended or word.value is None or not word.value.startswith("-") or word.value == "-":
            parts.append(word.raw)
        elif word.value == "--":
            ended = True
        else:
            options = _options(word, words, table)
            if options is None:
                return None
            parts += options
    return _Call([*found.assignments, *(word.raw for word in found.words[:size])], parts, ended, table)


def _options(word: Word, rest: list[Word], table: Table) -> list[_Option] | None:
    text = word.value or ""
    if not word.plain:
        return None
    if text.startswith("--"):
        name, equals, value = text[2:].partition("=")
        if name not in table.names or name in table.perhaps_value:
            return None
        if name in table.with_value and not equals:
            return [_Option(name, rest.pop(0).raw)] if rest else None
        return [_Option(name, value if equals else None)]
    found: list[_Option] = []
    for at, letter in enumerate(text[1:], 2):
        if letter not in table.letters or letter in table.perhaps_value:
            return None
        if letter in table.with_value:
            if not text[at:] and not rest:
                return None
            return [*found, _Option(letter, text[at:] or rest.pop(0).raw)]
        found.append(_Option(letter))
    return found


def _written(call: _Call, parts: list[_Option | str], *, ended: bool | None = None) -> str:
    """Return the call with these parts; ``--`` stands before the first operand that comes behind all options."""
    words = list(call.front)
    end = call.ended if ended is None else ended
    for part in parts:
        if isinstance(part, str):
            if end and not any(isinstance(other, _Option) for other in parts[parts.index(part) :]):
                words.append("--")
                end = False
            words.append(part)
        else:
            words += part.words
    return " ".join(words)


def _letters(options: list[_Option], table: Table) -> str:
    return "".join(table.short_of.get(option.name, "") if option.is_long else option.name for option in options)


def _order(base: Base, rng: Random) -> str | None:
    """Return the call with its options in another order, and elsewhere among the operands."""
    call = _read(base.plain)
    if call is None or call.ended or not call.options:
        return None
    options = call.options
    if call.table.reorders(_letters(options, call.table)):
        rng.shuffle(options)
    parts: list[_Option | str] = list(call.operands)
    places = sorted(rng.randint(0, len(parts)) for _ in options)
    for moved, (place, option) in enumerate(zip(places, options, strict=True)):
        parts.insert(place + moved, option)
    return _written(call, parts)


def _bundle(base: Base, rng: Random) -> str | None:
    """Return the call with its short options in one word, or each in its own."""
    call = _read(base.plain)
    if call is None:
        return None
    flags = [option for option in call.options if not option.is_long and option.value is None]
    if len(flags) < 2:
        return None
    if call.table.reorders(_letters(flags, call.table)):
        rng.shuffle(flags)
    others = [part for part in call.parts if part not in flags]
    if rng.random() < 0.5:
        return _written(call, [*flags, *others])
    cut = rng.randint(0, len(flags) - 2)
    bundle = [f"-{''.join(flag.name for flag in flags[cut:])}"]
    front = _Call(
        [*call.front, *(word for flag in flags[:cut] for word in flag.words), *bundle], others, call.ended, call.table
    )
    return _written(front, others)


def _long(base: Base, rng: Random) -> str | None:
    """Return the call with long options for short ones."""
    call = _read(base.plain)
    if call is None or not any(option.name in call.table.long_of for option in call.options):
        return None
    return _written(call, [_lengthened(part, call.table) for part in call.parts])


def _lengthened(part: _Option | str, table: Table) -> _Option | str:
    if isinstance(part, str) or part.name not in table.long_of:
        return part
    return _Option(table.long_of[part.name], part.value)


def _short(base: Base, rng: Random) -> str | None:
    """Return the call with short options for long ones."""
    call = _read(base.plain)
    if call is None or not any(option.name in call.table.short_of for option in call.options):
        return None
    return _written(
        call,
        [
            _Option(call.table.short_of[part.name], part.value)
            if isinstance(part, _Option) and part.name in call.table.short_of
            else part
            for part in call.parts
        ],
    )


def _abbreviated(base: Base, rng: Random) -> str | None:
    """Return the call with long options cut as far as they still mean only one."""
    call = _read(base.plain)
    if call is None:
        return None
    parts = [_lengthened(part, call.table) for part in call.parts]
    cut = [
        _Option(rng.choice(shorter), part.value)
        if isinstance(part, _Option)
        and part.is_long
        and (shorter := [s for s in call.table.shortened(part.name) if len(s) > 1])
        else part
        for part in parts
    ]
    return _written(call, cut) if cut != parts else None


def _ended(base: Base, rng: Random) -> str | None:
    """Return the call with ``--`` before its operands."""
    call = _read(base.plain)
    if call is None or call.ended or not call.operands:
        return None
    return _written(call, [*call.options, *call.operands], ended=True)


KINDS = (
    Kind(name="option-order", make=_order),
    Kind(name="option-bundles", make=_bundle),
    Kind(name="long-options", make=_long),
    Kind(name="short-options", make=_short),
    Kind(name="option-abbreviations", make=_abbreviated),
    Kind(name="end-of-options", make=_ended),
)
