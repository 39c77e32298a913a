"""Reads PowerShell: statements, and what they are made of in the modules beside this one.

What is not understood ends a statement, and the reading is then never complete.
Source: about_Language_Keywords and the pages that it names, about_Assignment_Operators.
"""

from __future__ import annotations

import re

from ..shell import Assignment, Command, Compound, Gap, Kind, Node, Reading, Word
from ..verdict import ReadingStatus
from .powershell_commands import Commands, Element
from .powershell_expressions import bare_value
from .powershell_scan import MOST_WORDS, Refused, commands, computed, literal
from .powershell_words import NAME, name_of

MOST_GAPS = 20
"""Statements that may be left out before the rest of a text is not read any more."""

_KEYWORD = re.compile(
    r"(if|while|for|foreach|switch|do|try|function|filter|return|exit|throw|break|continue|param|begin|process|end|clean"
    r"|trap|class|enum|using|workflow|configuration|data|dynamicparam|parallel|sequence|inlinescript|hidden|static)"
    r"(?=[\s({;})$\[]|\Z)",
    re.I,
)
_TARGETS = re.compile(
    rf"(\[[\w.\[\]]+\]\s*)?({NAME.pattern}(?:[ \t]*,[ \t]*{NAME.pattern})*)[ \t]*(=|\+=|-=|\*=|/=|%=|\?\?=)(?!=)"
)
_ASSIGNS = re.compile(r"[ \t]*(=|\+=|-=|\*=|/=|%=|\?\?=)(?!=)")
_TYPES = re.compile(r"\s*(?:\[[\w.\[\]]+\][\s,]*)*")
_FUNCTION = re.compile(r"\s+(?:(?:global|script|local|private):)?([\w-]+)\s*", re.I)
_ELSE = re.compile(r"(else(?:if)?)(?=[\s({])", re.I)
_CATCH = re.compile(r"(catch|finally)(?=[\s\[{])", re.I)
_UNTIL = re.compile(r"(while|until)(?=[\s(])", re.I)
_IN = re.compile(r"in(?=[\s($@'\"])", re.I)
_OPTIONS = re.compile(r"\s*(?:-(?:regex|wildcard|exact|casesensitive)\b\s*)*", re.I)


class Statements(Commands):
    """Reads statements."""

    def statements(self, end: str) -> Node:
        """Read statements up to a closing bracket, or to the end of the text where `end` is empty."""
        start = self.at
        parts: list[Node] = []
        while True:
            self.lines()
            while self.take(";"):
                self.lines()
            if self.at >= len(self.text) or (end and self.starts(end)):
                break
            try:
                parts.append(self.statement())
                self.blanks()
                if self.at < len(self.text) and self.peek() not in "\r\n;" and not (end and self.starts(end)):
                    raise Refused(self.at, "a statement does not end here")
            except Refused as refused:
                if end:
                    raise
                self._skip(refused)
                if len(self.gaps) > MOST_GAPS or self.words > MOST_WORDS:
                    break
        if len(parts) == 1:
            return parts[0]
        return Compound(kind=Kind.LIST, parts=tuple(parts), start=start, end=self.at)

    def _skip(self, refused: Refused) -> None:
        """Leave out what cannot be read, up to where a statement may begin."""
        self.depth = 0
        self.gaps.append(Gap(min(refused.at, len(self.text)), len(self.text), refused.why))
        while refused.at < len(self.text) and self.text[refused.at] not in "\r\n;":
            refused.at += 1
        self.at = refused.at

    def one_statement(self) -> Node:
        """Read the value of a key."""
        return self.statement()

    def statement(self) -> Node:
        """Read one statement."""
        start = self.at
        keyword = _KEYWORD.match(self.text, start)
        if keyword is not None:
            reader = getattr(self, "_" + keyword[1].lower(), None)
            if reader is None:
                raise Refused(start, f"{keyword[1]} is not read")
            self.at = keyword.end()
            found: Node = reader(start)
            return found
        return self.node(self.value_or_commands(), start)

    def value_or_commands(self) -> Element:
        """Read a pipeline or an assignment."""
        start = self.at
        targets = self.match(_TARGETS)
        if targets is not None:
            self.deeper()
            found = self._assignment(targets, start)
            self.depth -= 1
            return found
        given = self.chain()
        if isinstance(given, list) and self.match(_ASSIGNS):
            self.lines()
            self.deeper()
            to = self._as_word(self.value_or_commands(), start)
            self.depth -= 1
            call = self.node([self._call(".=", [*given, to], start)], start)
            base = NAME.match(self.text, start)
            return self._list_of([call, self._forgets([name_of(base)], start)] if base else [call], start)
        return given

    def _assignment(self, targets: re.Match[str], start: int) -> Node:
        names = [name_of(match) for match in NAME.finditer(targets[2])]
        self.lines()
        inner = self.at
        found = self.statement() if _KEYWORD.match(self.text, inner) else self.value_or_commands()
        single = len(names) == 1 and targets[targets.lastindex or 0] == "=" and not targets[1]
        if isinstance(found, list) and len(found) == 1:
            word = bare_value(found[0])
        else:
            single = single and not isinstance(found, list)
            word = self._as_word(found, inner)
        assignments = tuple(Assignment(name, (word,), single, start, self.at) for name in names)
        return Command(assignments, (), (), start, self.at)

    def _as_word(self, found: Element, start: int) -> Word:
        if isinstance(found, list):
            return found[0] if len(found) == 1 else Word((computed(*found),), start, self.at)
        return Word((commands(found),), start, self.at)

    def _forgets(self, names: list[str], start: int) -> Node:
        return Command(tuple(Assignment(name, (), False, start, self.at) for name in names), (), (), start, self.at)

    def _list_of(self, parts: list[Node], start: int) -> Node:
        return Compound(kind=Kind.LIST, parts=tuple(parts), start=start, end=self.at)

    def _body(self) -> Node:
        self.lines()
        return self.bracket("{", "}")

    def _condition(self) -> Node:
        self.lines()
        start = self.at
        self.need("(")
        self.lines()
        found = self.node(self.value_or_commands(), start)
        self.lines()
        self.need(")")
        return found

    def _if(self, start: int) -> Node:
        parts = [self._condition(), self._body()]
        while True:
            at = self.at
            self.lines()
            word = self.match(_ELSE)
            if word is None:
                self.at = at
                return Compound(kind=Kind.IF, parts=tuple(parts), start=start, end=self.at)
            if word[1].lower() == "elseif":
                parts.append(self._condition())
            parts.append(self._body())

    def _repeated(self, parts: list[Node], start: int) -> Node:
        """Return commands that run any number of times, and none of them need run."""
        return Compound(kind=Kind.WHILE, parts=tuple(parts), start=start, end=self.at)

    def _while(self, start: int) -> Node:
        return self._repeated([self._condition(), self._body()], start)

    def _do(self, start: int) -> Node:
        body = self._body()
        self.lines()
        if self.match(_UNTIL) is None:
            raise Refused(self.at, "a loop does not end")
        return self._repeated([body, self._condition()], start)

    def _for(self, start: int) -> Node:
        self.lines()
        self.need("(")
        parts: list[Node] = []
        for end in (";", ";", ")"):
            self.lines()
            if not self.starts(end):
                parts.append(self.statement())
            self.lines()
            self.need(end)
        parts.append(self._body())
        return self._list_of([*parts[:1], self._repeated(parts, start)], start)

    def _foreach(self, start: int) -> Node:
        self.lines()
        self.need("(")
        self.lines()
        name = self.match(NAME)
        self.lines()
        if name is None or self.match(_IN) is None:
            raise Refused(self.at, "a loop names no variable")
        self.lines()
        inner = self.at
        found = self.value_or_commands()
        words = found if isinstance(found, list) else [self._as_word(found, inner)]
        self.lines()
        self.need(")")
        body = self._body()
        given = tuple(map(bare_value, words))
        return Compound(kind=Kind.FOR, parts=(body,), words=given, name=name_of(name), start=start, end=self.at)

    def _switch(self, start: int) -> Node:
        self.match(_OPTIONS)
        parts = [self._condition(), self._forgets(["_"], start)]
        self.lines()
        self.need("{")
        bodies: list[Node] = []
        while True:
            self.lines()
            self.take(";")
            self.lines()
            if self.take("}"):
                return self._list_of([*parts, self._repeated(bodies, start)], start)
            at = self.at
            bodies += [self.node([self.argument()], at), self._body()]

    def _try(self, start: int) -> Node:
        parts = [self._body()]
        while True:
            at = self.at
            self.lines()
            if self.match(_CATCH) is None:
                self.at = at
                break
            self.match(_TYPES)
            parts += [self._forgets(["_"], at), self._body()]
        return self._repeated(parts, start)

    def _function(self, start: int) -> Node:
        found = self.match(_FUNCTION)
        if found is None:
            raise Refused(self.at, "a function has no name")
        parts = [self._param(self.at)] if self.peek() == "(" else []
        parts.append(self._forgets(["_", "args"], start))
        parts.append(self._body())
        body = self._list_of(parts, start)
        return Compound(kind=Kind.FUNCTION, parts=(body,), name=found[1].lower(), start=start, end=self.at)

    _filter = _function

    def _param(self, start: int) -> Node:
        """Read declared parameters: what they hold is not known, and their defaults are evaluated."""
        self.lines()
        self.need("(")
        parts: list[Node] = []
        while True:
            self.match(_TYPES)
            self.lines()
            if self.take(")"):
                return self._list_of(parts, start)
            at, name = self.at, self.match(NAME)
            if name is None:
                raise Refused(self.at, "a parameter has no name")
            self.lines()
            if self.take("="):
                self.lines()
                parts.append(self.node(self.unary(), at))
                self.lines()
            parts.append(self._forgets([name_of(name)], at))
            if not self.take(",") and not self.starts(")"):
                raise Refused(self.at, "a parameter does not end")

    def _begin(self, _start: int) -> Node:
        return self._body()

    _process = _end = _clean = _begin

    def _leave(self, start: int) -> Node:
        """Read ``return`` and its like: a value, if any, and the way out."""
        word = Word((literal("return"),), start, self.at)
        out = Command((), (word,), (), start, self.at)
        self.blanks()
        if self.at >= len(self.text) or self.peek() in "\r\n;})":
            return out
        at = self.at
        return self._list_of([self.node(self.value_or_commands(), at), out], start)

    _return = _exit = _throw = _break = _continue = _leave


def read(text: str) -> Reading:
    """Return what the text says; never raise for any text."""
    reader = Statements(text)
    try:
        script: Node | None = reader.statements("")
    except Refused as refused:
        reader.gaps.append(Gap(min(refused.at, len(text)), len(text), refused.why))
        script = None
    except RecursionError:  # the caller may have left little of the stack
        reader.gaps.append(Gap(0, len(text), "brackets are nested too deeply"))
        script = None
    if not reader.gaps:
        return Reading(status=ReadingStatus.COMPLETE, script=script)
    empty = script is None or (isinstance(script, Compound) and not script.parts)
    status = ReadingStatus.REFUSED if empty else ReadingStatus.UNKNOWN
    return Reading(status=status, script=None if empty else script, gaps=tuple(reader.gaps))
