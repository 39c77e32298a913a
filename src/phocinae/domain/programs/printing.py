"""echo and printf, whose output is known when their words are, as far as all shells agree on it.

Sources: POSIX XCU echo and printf; bash(1), dash(1), zshbuiltins(1).
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import HOLE, LONGEST, NO_STREAM, Field, Stream, Taint, plain, together

_ESCAPE = re.compile(r"\\(?:([abfnrtv\\])|(0?[0-7]{1,3})|(.?))", re.S)
_SIMPLE = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\"}
_FLAGS = re.compile(r"-[neE]+\Z")
_DIRECTIVE = re.compile(r"%(?:(%)|([-+ #0-9.*]*)([A-Za-z])|)")
_TEXT_ONLY = re.compile(r"(?:[^%\\]|%%|%[-+ #0-9.]*[sbcq]|\\(?!0?45|x25|[uU]0*25).)*\Z", re.S)
"""A format without a directive that takes a number, not even in zsh, which looks for directives behind escapes."""
_MOST_ROUNDS = 100


class _Unclear(Exception):
    """Shells print different things here, or nothing that is looked into."""


_FURTHER = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3}))")


def _anywhere(text: str) -> str:
    """Return text in which the escapes that only some shells know are replaced as well, for a second look."""

    def one(match: re.Match[str]) -> str:
        number = int(match[4], 8) if match[4] else int(match[1] or match[2] or match[3], 16)
        return plain(chr(number)) if number < 0x110000 else ""

    return _FURTHER.sub(one, text)


def _decoded(text: str, digits: int) -> str:
    """Return text with its escapes replaced; a number in octal is one if it has this many `digits`.

    Raises:
        _Unclear: shells disagree on an escape.
    """

    def one(match: re.Match[str]) -> str:
        simple, octal, _ = match.groups()
        if simple is not None:
            return _SIMPLE[simple]
        if octal == "0" or (octal is not None and len(octal) == digits and (digits == 4) == octal.startswith("0")):
            return chr(int(octal, 8) & 0xFF)
        raise _Unclear

    return _ESCAPE.sub(one, text)


def _echo(call: Call, usage: Usage) -> Stream:
    words, flags = call.args, ""
    while words and _FLAGS.match(words[0].text):
        flags += words[0].text
        words = words[1:]
    text = " ".join(word.text for word in words)
    call.walker.guessable = call.walker.guessable or "\\" in text
    if call.walker.guesses and "\\" in text:
        text = _anywhere(text)
    if any(word.stream for word in words):
        return Stream(None, call.taint)
    printed = Stream(text if "n" in flags else text + "\n", call.taint, text)
    if "\\" not in text:
        return printed.perhaps() if "e" in flags or "E" in flags else printed  # dash prints these flags
    try:
        decoded = Stream(_decoded(text, 4), call.taint)
    except _Unclear:
        decoded = Stream(None, call.taint | (Taint.DECODED if "e" in flags else Taint.NONE))
    return decoded.perhaps() if "e" in flags else together([printed, decoded])  # bash alone wants -e


def _printf(call: Call, usage: Usage) -> Stream:
    for name in usage.values("-v"):
        from .builtins import sets  # kept off the path of a gate that runs once per command

        sets(call, name)
    if not usage.operands:
        return NO_STREAM
    form, words = usage.operands[0], list(reversed(usage.operands[1:]))
    if form.unknown or any(word.stream for word in words):
        _perhaps_numbers(call, usage.operands)
        return Stream(None, call.taint)
    pieces: list[str] = []
    call.walker.guessable = call.walker.guessable or "\\" in form.text
    if call.walker.guesses:
        form = form.with_text(_anywhere(form.text))
    try:
        while not pieces or words:
            before = len(words)
            pieces.append(_formatted(call, form.text, words))
            if len(words) == before:
                break
            if len(pieces) > _MOST_ROUNDS or sum(map(len, pieces)) > LONGEST:
                _perhaps_numbers(call, usage.operands)
                return Stream(None, call.taint)
    except _Unclear:
        _perhaps_numbers(call, usage.operands)
        return Stream(None, call.taint | Taint.DECODED)
    text = "".join(pieces)
    if usage.has("-v"):
        return _printed_into(call, usage.values("-v"), text)
    return Stream(text, call.taint, text.strip("\n"))


def _printed_into(call: Call, names: list[Field], text: str) -> Stream:
    """In a second look, give the variables of ``printf -v`` their value."""
    call.walker.guessable = True
    for name in names if call.walker.guesses else ():
        call.state.set(name.text, (text, call.taint | Taint.PRINTED))
    return NO_STREAM


def _formatted(call: Call, form: str, words: list[Field]) -> str:
    """Return one pass of printf over its format, which takes its words away from the end of the list."""

    def one(match: re.Match[str]) -> str:
        percent, flags, kind = match.groups()
        if percent:
            return "%"
        if kind is None:
            raise _Unclear
        for _ in range(flags.count("*")):
            _number(call, words)
        if kind in "sbcq":
            word = words.pop() if words else Field("")
            text = _decoded(word.text, 4) if kind == "b" else word.text
            return text if kind in "sb" and not flags else HOLE
        _number(call, words)
        return HOLE

    return _DIRECTIVE.sub(one, _decoded(form, 3))


def _number(call: Call, words: list[Field]) -> None:
    """Take a word as a number, which zsh evaluates as an expression."""
    word = words.pop() if words else Field("0")
    if not word.numeric:
        call.note("evaluates-text", word)


def _perhaps_numbers(call: Call, operands: tuple[Field, ...]) -> None:
    """Take all words behind a format as numbers, unless that can only print text."""
    if operands[0].unknown or not _TEXT_ONLY.match(operands[0].text):
        for word in operands[1:]:
            if not word.numeric:
                call.note("evaluates-text", word)


PROGRAMS: dict[str, Program] = {
    "echo": program("", "text*", style=Style.NONE, judge=_echo),
    "printf": program("-v:text", style=Style.POSIX, judge=_printf),
}
