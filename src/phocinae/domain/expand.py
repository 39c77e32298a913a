"""Word expansion, as far as it can be known before the command runs (POSIX XCU 2.6).

Every command inside a word is judged on the way, whether or not its output matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from . import values
from .assignments import is_number, rule_of
from .patterns import lazily
from .shell import EVALUATED, LENGTH, Dialect, Node, Part, PartKind, Word
from .values import ANY, BRACKET, BREAK, HOLE, HOME, LONGEST, NUMBER, SPLIT, STAR, UNKNOWN_STREAM, Field, Stream, Taint
from .variables import SECRET_NAME, Variables

if TYPE_CHECKING:
    from .walk import Walker

_LITERAL, _GLOB, _TILDE = PartKind.LITERAL, PartKind.GLOB, PartKind.TILDE  # the way through the class takes longer
_PARAMETER, _COMMAND, _PROCESS = PartKind.PARAMETER, PartKind.COMMAND, PartKind.PROCESS
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


class TooMuch(Exception):
    """The text makes the walk judge more words or commands than a verdict may cost."""


MOST_WORDS = 2_000
"""Words that one word may become."""

_BLANKS = re.compile("[ \t\n]+")
_LOOSE = re.compile(f"[{SPLIT}{STAR}{ANY}]")


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

    def add(self, text: str, taint: int = Taint.NONE) -> None:
        """Append text that stays in the field that is being built."""
        self.text += text
        if len(self.text) > LONGEST:
            self.text = SPLIT
        self.taint |= taint
        self.started = True

    def expansion(self, text: str, taint: int, state: Variables, *, quoted: bool) -> bool:
        """Append what an expansion came to; return whether blanks divided it into fields.

        Marks in the text of an unquoted one may stand for blanks, too.
        """
        if quoted or text == NUMBER:
            self.add(text, taint)
        elif state.ifs_changed:
            self.add(SPLIT, taint)
        elif text:
            return self._split(text.replace(HOLE, SPLIT), taint)
        return False

    def _split(self, text: str, taint: int) -> bool:
        """Divide text at blanks; more than a newline at the end or a blank around it makes several fields."""
        pieces = _BLANKS.split(text)
        for place, piece in enumerate(pieces):
            if place:
                self.finish()
            if piece:
                loose = _LOOSE.search(piece) is not None and not piece.endswith(SPLIT)
                self.add(values.active(piece) + (SPLIT if loose else ""), taint)
        if len(self.done) > MOST_WORDS:
            raise TooMuch
        return len(pieces) > 1

    def finish(self) -> None:
        """Close the field that is being built, if there is one."""
        if self.started:
            if BRACKET in self.text:
                self.text = values.bracketed(self.text)
            self.done.append(Field(self.text, self.word.start, self.word.end, self.taint, self.stream))
        self.text, self.started, self.taint, self.stream = "", False, Taint.NONE, None


def all_fields(walker: Walker, words: Iterable[Word], state: Variables) -> list[Field]:
    """Return the fields that `words` expand to; unknown text is marked."""
    found = []
    for word in words:
        if word.bare is None:
            found += fields(walker, word, state)
        else:
            found.append(Field(word.bare, word.start, word.end))
    return found


def fields(walker: Walker, word: Word, state: Variables) -> list[Field]:
    """Return the fields that one word expands to."""
    parts = word.parts
    if len(parts) == 1 and (part := parts[0]).kind is _LITERAL and (part.quoted or "[" not in part.text):
        return [Field(part.text, word.start, word.end)]
    builder = _Builder(word)
    for part in word.parts:
        _part(walker, part, state, builder)
    builder.finish()
    return builder.done


def single(walker: Walker, word: Word, state: Variables) -> Field:
    """Return `word` as one field, as in an assignment or behind a redirection: no splitting, no wildcards."""
    builder = _Builder(word)
    for part in word.parts:
        if part.kind is _GLOB:
            builder.add(part.text)
        else:
            _part(walker, _quoted(part), state, builder)
    text = builder.text.replace(BRACKET, "[")
    return Field(text, word.start, word.end, builder.taint, builder.stream)


def target(walker: Walker, word: Word, state: Variables) -> Field:
    """Return the word behind a redirection, where wildcards and unquoted expansions are alive if they give one word.

    Rule: bash manual, "Redirections"; other shells take it as it is, which no wildcard makes less strict.
    """
    found = all_fields(walker, (word,), state)
    return found[0] if len(found) == 1 else Field(HOLE, word.start, word.end, values.taint_of(found))


def _quoted(part: Part) -> Part:
    if part.quoted or part.kind not in (PartKind.PARAMETER, PartKind.COMMAND, PartKind.ARITHMETIC):
        return part
    return Part(
        kind=part.kind, text=part.text, quoted=True, operator=part.operator, words=part.words, script=part.script
    )


def _part(walker: Walker, part: Part, state: Variables, builder: _Builder) -> None:
    kind = part.kind
    if kind is _LITERAL:
        if part.text or part.quoted:
            builder.add(part.text if part.quoted else part.text.replace("[", BRACKET))
    elif kind is _GLOB:
        builder.add(STAR if part.text == "*" else ANY)
    elif kind is _TILDE:
        builder.add(_tilde(part.text, state))
    elif kind is _PARAMETER:
        _parameter(walker, part, state, builder)
    elif kind is _COMMAND and part.script is not None:
        _substituted(walker, part, part.script, state, builder)
    elif kind is _PROCESS and part.script is not None:
        builder.add("/dev/fd/63")
        walker.processes = True
        builder.stream = walker.run(part.script, state.copy(), UNKNOWN_STREAM)
        builder.taint |= builder.stream.taint
    elif kind is PartKind.ARITHMETIC:
        arithmetic(walker, part, state, builder.word)
        builder.add(NUMBER)
    elif kind is PartKind.BLOCK and part.script is not None:
        inside = state.copy()
        taint = walker.run(part.script, inside, UNKNOWN_STREAM).taint
        builder.add("{" + HOLE + "}", taint)
        state.join(inside)
    else:
        found = [field for word in part.words for field in fields(walker, word, state)]
        unknown = HOLE if part.quoted else SPLIT
        array = walker.guesses and "(" in (part.text, *(inner.text for word in part.words for inner in word.parts))
        builder.add(BREAK.join(field.text for field in found) if array else unknown, values.taint_of(found))


def _substituted(walker: Walker, part: Part, script: Node, state: Variables, builder: _Builder) -> None:
    """Append what a command substitution prints."""
    inside = state.copy()
    output = walker.run(script, inside, UNKNOWN_STREAM)
    if walker.dialect is Dialect.POWERSHELL:  # brackets start no other shell
        state.join(inside)
    text, ending = HOLE if output.text is None else output.text.rstrip("\n"), ""
    walker.guessable = walker.guessable or output is not UNKNOWN_STREAM
    alone = len(builder.word.parts) == 1 and not (part.quoted or state.ifs_changed)
    if output.text is None and output.item != SPLIT and alone:
        from .secrets import harmless_ending

        ending = harmless_ending(output.item)
    if walker.guesses:
        from . import guesses

        text = guesses.output(output)
    walker.spend(len(text))
    if ending or (walker.guesses and output.text is None and alone and STAR in text):
        builder.add(text if walker.guesses else SPLIT + ending, output.taint | Taint.PRINTED)
        return  # pieces of names with blanks may be options, but their source names no secret
    builder.expansion(text, output.taint | Taint.PRINTED, state, quoted=part.quoted)


def _tilde(user: str, state: Variables) -> str:
    if user == "":
        home = state.get("HOME")
        return HOME if home is None else home[0]
    if user == "+":
        return state.cwd
    if user == "-":
        before = state.get("OLDPWD")
        return HOLE if before is None else before[0]
    if user.lstrip("+-").isdigit() or user != user.lower() or state.get(user) is not None:
        return HOLE  # an entry of the stack of folders, or in zsh what a variable holds (zshexpn, "Filename Expansion")
    return "/root" if user == "root" else f"/home/{user}"


_ASSIGNED = lazily(
    r"([A-Za-z_][A-Za-z0-9_]*)\s*(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_][A-Za-z0-9_]*)"
)


def several(words: Iterable[Word], pattern: Field, state: Variables) -> bool:
    """Return whether a pattern may stand for several names: in quotes, it is the one that a variable holds.

    `words` are those of the command that was expanded last.
    """
    for word in words:
        if word.start == pattern.start and "{}" in (literal := word.literal or "") and "[" not in literal:
            return False  # xargs and find put one name there
        if word.start == pattern.start and all(part.quoted and not part.operator for part in word.parts):
            known = [state.get(part.text) if part.kind is _PARAMETER else (part.text, 0) for part in word.parts]
            return "".join("" if value is None else value[0] for value in known) != pattern.text
    return True


_NUMBER_GIVEN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*\d+\s*")
"""An assignment of a constant, for which the value before does not matter."""


def arithmetic(walker: Walker, part: Part, state: Variables, word: Word) -> None:
    """Judge an arithmetic expression: a variable in it is evaluated, and its value may run commands.

    Rule: bash manual, "Shell Arithmetic" (a value is itself an expression, and a subscript is expanded).
    """
    if not part.words and (plain := _NUMBER_GIVEN.fullmatch(part.text)):
        assign(walker, plain[1], (NUMBER, Taint.NONE), state, word)
        return
    for inner in part.words:
        for field in fields(walker, inner, state):
            if not field.numeric:
                walker.note("evaluates-text", word, field.text)
    for name in _IDENTIFIER.findall(_NUMBER_CONSTANT.sub("", part.text)):
        value = state.get(name)
        if not (name in _ALWAYS_NUMBERS if value is None else Field(value[0]).numeric):
            walker.note("evaluates-text", word, name)
    for match in _ASSIGNED.finditer(part.text):
        assign(walker, match[1] or match[2], (NUMBER, Taint.NONE), state, word)


def assign(walker: Walker, name: str, value: tuple[str, int], state: Variables, word: Word) -> None:
    """Give a variable a value that an expansion, a loop or an expression assigns."""
    if walker.matters(name, []):
        walker.note(rule_of(name), word, name)
    if is_number(name) and not Field(value[0]).numeric:
        walker.note("evaluates-text", word, name)
    state.set(name, value)


def _parameter(walker: Walker, part: Part, state: Variables, builder: _Builder) -> None:
    name, operator = part.text, part.operator
    if operator == EVALUATED:
        walker.note("evaluates-text", builder.word, name)
    if name in ("@", "*") or (name.isdigit() and name != "0"):
        _positional(walker, part, state, builder)
        for word in part.words:
            fields(walker, word, state)
        return
    value = state.get(name)
    private = value is None and operator not in (LENGTH, "+", ":+") and SECRET_NAME.search(name.upper()) is not None
    if private and (walker.depth or not _only_compared(walker.words_of, builder.word, part)):  # a shell may trace
        walker.note("secret-variable", builder.word, name)
    inner = [single(walker, word, state) for word in part.words]
    text, taint = _operated(name, operator, value, inner)
    taint |= Taint.PRIVATE if private else Taint.NONE
    if HOLE in text and operator:
        text = _guessed(walker, part, value, inner)
    if operator in ("=", ":="):
        assign(walker, name, (text, taint) if walker.guesses else (HOLE, taint), state, builder.word)
    whole = part.quoted
    if name in state.undivided and not (whole or operator or state.ifs_changed):
        text, whole = text.replace(HOLE, HOLE + STAR), True  # a wildcard in it is alive
    if name in state.undivided and len(builder.word.parts) > 1 and not walker.guesses:  # a piece says nothing there
        text = HOLE
    _append(walker, text, taint, state, builder, quoted=whole)


_COMPARING = frozenset(["-n", "-z", "-a", "-o"])


def _only_compared(words: tuple[Word, ...], word: Word, part: Part) -> bool:
    """Return whether a variable is an operand of ``test`` that no message shows: one that is no number or file.

    `words` are those of the command that was expanded last, of which `word` need not be one.
    """
    if not words or words[0].literal not in ("[", "test") or not any(word is one for one in words):
        return False
    literals = [text for one in words if (text := one.literal) is not None]
    return part.quoted and "=~" not in literals and all(text[:1] != "-" or text in _COMPARING for text in literals)


def _guessed(walker: Walker, part: Part, value: tuple[str, int] | None, inner: list[Field]) -> str:
    """Return what an expansion with an operator comes to, which only a second look guesses."""
    walker.guessable = True
    if not walker.guesses:
        return HOLE
    from . import guesses

    return guesses.parameter(part.text, part.operator, value, inner)


def _append(walker: Walker, text: str, taint: int, state: Variables, builder: _Builder, *, quoted: bool) -> None:
    """Append a parameter's value; zsh does not divide it at blanks, so an allow cannot rest on that."""
    walker.spend(len(text))
    walker.guessable = walker.guessable or state.ifs_changed
    if walker.guesses and (BREAK in text or state.ifs_changed):
        from . import guesses

        for place, piece in enumerate(guesses.pieces(text, state, quoted=quoted)):
            if place:
                builder.finish()
            builder.add(piece if quoted else values.active(piece), taint)
        return
    if builder.expansion(text, taint, state, quoted=quoted):
        walker.note("shells-differ", builder.word, text)


def _operated(name: str, operator: str, value: tuple[str, int] | None, inner: list[Field]) -> tuple[str, int]:
    """Return what ``${name operator word}`` comes to."""
    taint = Taint.NONE if value is None else value[1]
    for field in inner:
        taint |= field.taint
    if operator == LENGTH or (value is None and name in _ALWAYS_NUMBERS and not operator):
        return NUMBER, Taint.NONE
    if operator == "" and value is not None:
        return value
    known = value is not None and HOLE not in value[0] and SPLIT not in value[0]
    if operator in ("-", ":-", "=", ":=", "?", ":?") and known and value is not None and value[0]:
        return value
    if operator in ("+", ":+") and known and value is not None and value[0] and len(inner) == 1:
        return inner[0].text, taint
    if operator in (":-", ":=") and value is not None and value[0] == "" and len(inner) == 1:
        return inner[0].text, taint
    return HOLE, taint


def _positional(walker: Walker, part: Part, state: Variables, builder: _Builder) -> None:
    """Append ``$1``, ``$@`` or ``$*``; a word that may be several moves the places of those behind it."""
    given = state.positional
    if part.operator and part.text.isdigit() and walker.guesses:
        place = int(part.text)
        value = (given[place - 1].text, given[place - 1].taint) if given is not None and len(given) >= place else None
        text = _guessed(walker, part, value, [single(walker, word, state) for word in part.words])
        builder.add(text, Taint.NONE if value is None else value[1])
        return
    walker.guessable = walker.guessable or part.operator != ""
    if given is not None and part.text.isdigit():
        place = int(part.text)
        builder.taint |= values.taint_of(given)
        moved = any(field.many or field.globbed for field in given[:place])
        walker.guessable = walker.guessable or moved
        moved = moved and not walker.guesses
        given = None if moved else given[place - 1 : place]
    if given is None or part.operator:
        builder.add(HOLE if part.quoted and part.text != "@" else SPLIT)
    elif part.quoted and part.text != "@":
        blank = HOLE if state.ifs_changed else " "  # "$*" is one word
        text = blank.join(field.text for field in given).replace(SPLIT, HOLE)
        walker.spend(len(text))
        builder.add(text, values.taint_of(given))
    else:
        for place, field in enumerate(given):
            if place:
                builder.finish()
            _append(walker, field.text, field.taint, state, builder, quoted=part.quoted)
