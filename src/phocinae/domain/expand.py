"""Word expansion, as far as it can be known before the command runs (POSIX XCU 2.6).

Every command inside a word is judged on the way, whether or not its output matters.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import values
from .shell import Part, PartKind, Word
from .values import HOLE, HOME, NUMBER, SPLIT, UNKNOWN_STREAM, Field, Stream, Taint
from .variables import SECRET_NAME, Variables

if TYPE_CHECKING:
    from .walk import Walker

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER_CONSTANT = re.compile(r"\b(?:0[xX][0-9A-Fa-f]+|\d+#[0-9A-Za-z@_]+|\d+)\b")
_ALWAYS_NUMBERS = frozenset("#?$!") | {
    "RANDOM",
    "SECONDS",
    "LINENO",
    "UID",
    "EUID",
    "PPID",
    "OPTIND",
    "EPOCHSECONDS",
    "SHLVL",
}


class _Builder:
    """Collects the fields of one word while its parts are expanded from left to right."""

    __slots__ = ("done", "started", "stream", "taint", "text", "word")

    def __init__(self, word: Word) -> None:
        self.word = word
        self.done: list[Field] = []
        self.text = ""
        self.started = False
        self.taint = Taint.NONE
        self.stream: Stream | None = None

    def add(self, text: str, taint: Taint = Taint.NONE) -> None:
        """Append text that stays in the field that is being built."""
        self.text += text
        self.taint |= taint
        self.started = True

    def split(self, text: str, taint: Taint) -> None:
        """Append an unquoted expansion, which blanks divide into fields."""
        if not text:
            return
        pieces = text.split()
        if text[0].isspace():
            self.finish()
        self.taint |= taint
        for place, piece in enumerate(pieces):
            if place:
                self.finish()
                self.taint |= taint
            self.add(values.active(piece))
        if pieces and text[-1].isspace():
            self.finish()

    def finish(self) -> None:
        """Close the field that is being built, if there is one."""
        if self.started:
            self.done.append(Field(self.text, self.word.start, self.word.end, self.taint, self.stream))
        self.text, self.started, self.taint, self.stream = "", False, Taint.NONE, None


def fields(walker: Walker, word: Word, state: Variables) -> list[Field]:
    """Return the fields that `word` expands to; unknown text is marked."""
    if len(word.parts) == 1 and word.parts[0].kind is PartKind.LITERAL:
        return [Field(word.parts[0].text, word.start, word.end)]
    builder = _Builder(word)
    for part in word.parts:
        _part(walker, part, state, builder)
    builder.finish()
    return builder.done


def single(walker: Walker, word: Word, state: Variables) -> Field:
    """Return `word` as one field, as in an assignment or behind a redirection: no splitting, no wildcards."""
    builder = _Builder(word)
    for part in word.parts:
        if part.kind is PartKind.GLOB:
            builder.add(part.text)
        else:
            _part(walker, _quoted(part), state, builder)
    return Field(builder.text, word.start, word.end, builder.taint, builder.stream)


def _quoted(part: Part) -> Part:
    if part.quoted or part.kind not in (PartKind.PARAMETER, PartKind.COMMAND, PartKind.ARITHMETIC):
        return part
    return Part(
        kind=part.kind, text=part.text, quoted=True, operator=part.operator, words=part.words, script=part.script
    )


def _part(walker: Walker, part: Part, state: Variables, builder: _Builder) -> None:
    kind = part.kind
    if kind is PartKind.LITERAL:
        if part.text or part.quoted:
            builder.add(part.text)
    elif kind is PartKind.GLOB:
        builder.add(values.STAR if part.text == "*" else values.ANY)
    elif kind is PartKind.TILDE:
        builder.add(_tilde(part.text, state))
    elif kind is PartKind.PARAMETER:
        _parameter(walker, part, state, builder)
    elif kind is PartKind.COMMAND and part.script is not None:
        output = walker.run(part.script, state.copy(), UNKNOWN_STREAM)
        if output.text is None:
            builder.add(HOLE if part.quoted else SPLIT, output.taint)
        elif part.quoted:
            builder.add(output.text.rstrip("\n"), output.taint)
        else:
            builder.split(output.text.rstrip("\n"), output.taint)
    elif kind is PartKind.PROCESS and part.script is not None:
        builder.add("/dev/fd/63")
        builder.stream = walker.run(part.script, state.copy(), UNKNOWN_STREAM)
        builder.taint |= builder.stream.taint
    elif kind is PartKind.ARITHMETIC:
        arithmetic(walker, part, state, builder.word)
        builder.add(NUMBER)
    else:
        for word in part.words:
            fields(walker, word, state)
        builder.add(SPLIT)


def _tilde(user: str, state: Variables) -> str:
    if user == "":
        home = state.get("HOME")
        return HOME if home is None else home[0]
    if user == "+":
        return state.cwd
    if user == "-":
        return HOLE
    return "/root" if user == "root" else f"/home/{user}"


def arithmetic(walker: Walker, part: Part, state: Variables, word: Word) -> None:
    """Judge an arithmetic expression: a variable in it is evaluated, and its value may run commands.

    Rule: bash manual, "Shell Arithmetic" (a value is itself an expression, and a subscript is expanded).
    """
    for inner in part.words:
        for field in fields(walker, inner, state):
            if not field.numeric:
                walker.note("evaluates-text", word, field.text)
    for name in _IDENTIFIER.findall(_NUMBER_CONSTANT.sub("", part.text)):
        value = state.get(name)
        known = value is not None and value[0].lstrip("-").isdigit()
        if not known and name not in _ALWAYS_NUMBERS:
            walker.note("evaluates-text", word, name)


def _parameter(walker: Walker, part: Part, state: Variables, builder: _Builder) -> None:
    name, operator = part.text, part.operator
    if name in ("@", "*") or (name.isdigit() and name != "0"):
        _positional(part, state, builder)
        for word in part.words:
            fields(walker, word, state)
        return
    value = state.get(name)
    if value is None and SECRET_NAME.search(name.upper()) and operator not in ("#", "+", ":+"):
        walker.note("prints-secret", builder.word, f"${name}")
    inner = [single(walker, word, state) for word in part.words]
    text, taint = _operated(name, operator, value, inner, state)
    if part.quoted or text == NUMBER:
        builder.add(text, taint)
    elif text == HOLE:
        builder.add(SPLIT, taint)
    elif state.ifs_changed or any(mark in text for mark in (values.STAR, values.ANY, HOLE, SPLIT, NUMBER)):
        builder.add(
            SPLIT if text[:1] in (HOLE, SPLIT, values.STAR, values.ANY, "-") or state.ifs_changed else text + SPLIT,
            taint,
        )
    else:
        builder.split(text, taint)


def _operated(
    name: str, operator: str, value: tuple[str, Taint] | None, inner: list[Field], state: Variables
) -> tuple[str, Taint]:
    """Return what ``${name operator word}`` comes to."""
    taint = Taint.NONE if value is None else value[1]
    for field in inner:
        taint |= field.taint
    if operator == "#" or (name in _ALWAYS_NUMBERS and not operator):
        return NUMBER, Taint.NONE
    known = value is not None and HOLE not in value[0] and SPLIT not in value[0]
    if operator in ("=", ":="):
        state.forget(name)
    if operator == "" and value is not None:
        return value
    if operator in ("-", ":-", "=", ":=", "?", ":?") and known and value is not None and value[0]:
        return value
    if operator in ("+", ":+") and known and value is not None and value[0] and len(inner) == 1:
        return inner[0].text, taint
    return HOLE, taint


def _positional(part: Part, state: Variables, builder: _Builder) -> None:
    given = state.positional
    if given is None or part.operator:
        builder.add(HOLE if part.quoted and part.text != "@" else SPLIT)
        return
    if part.text.isdigit():
        given = given[int(part.text) - 1 : int(part.text)]
    for place, field in enumerate(given):
        if place:
            builder.finish()
        if part.quoted:
            builder.add(field.text, field.taint)
        else:
            builder.split(field.text, field.taint)
