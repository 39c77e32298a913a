"""Commands and pipelines of PowerShell.

Source: about_Parsing, about_Pipelines, about_Pipeline_Chain_Operators, about_Parameters,
about_Redirection, about_Splatting.
"""

from __future__ import annotations

import re

from ..shell import Command, Compound, Kind, Node, Redirection, Word
from ..values import MORE
from .powershell_expressions import NUMBER, Expressions, bare_value, value
from .powershell_scan import Refused, commands, computed, literal

_REDIRECTION = re.compile(r"([1-6*])?(?:(>>?)(?!&)|>&([12]))")
_NOWHERE = re.compile(r"(?:\$null|\$\{null\}|nul)(?![\w\\/.:-])", re.I)
_SPLAT = re.compile(r"@[\w?]")
_EXPRESSION = re.compile(
    r"[$'\"(\[{]|@[('\"{]|!|,|[+-][\s$(\d.]|\+\+|--(?=\$)|-(?:not|bnot|join|c?split|isplit)(?![\w-])", re.I
)
_NUMBER_ALONE = re.compile(rf"{NUMBER.pattern}(?=[\s;|)}}&<>*/%+,-]|\.\.|\Z)")
_CALL = re.compile(r"&(?!&)|\.(?=[\s$'\"({])")
_OUTPUT = "Write-Output"

Element = Node | list[Word]
"""What may be a value: the words of an expression, or commands that print it."""


class Commands(Expressions):
    """Reads commands, and pipelines of them."""

    def bracketed(self) -> list[Word]:
        """Read ``( … )`` as a value."""
        start = self.at
        self.need("(")
        self.deeper()
        self.lines()
        found = self.value_or_commands()
        self.lines()
        self.need(")")
        self.depth -= 1
        return found if isinstance(found, list) else [self.word([commands(found)], start)]

    def value_or_commands(self) -> Element:
        """Read a pipeline or an assignment; the grammar of statements says how."""
        raise NotImplementedError

    def node(self, found: Element, start: int) -> Node:
        """Return commands that print what was found."""
        if not isinstance(found, list):
            return found
        head = Word((literal(_OUTPUT),), start, start)
        words = [value(word) if place == 0 else listed(value(word)) for place, word in enumerate(found)]
        return Command((), (head, *words), (), start, self.at)

    def chain(self) -> Element:
        """Read pipelines with ``&&`` and ``||`` between them."""
        start = self.at
        left = self.pipeline()
        while True:
            self.blanks()
            kind = Kind.AND if self.starts("&&") else Kind.OR if self.starts("||") else None
            if kind is None:
                return left
            self.at += 2
            self.lines()
            right_start = self.at
            right = self.node(self.pipeline(), right_start)
            left = Compound(kind=kind, parts=(self.node(left, start), right), start=start, end=self.at)

    def pipeline(self) -> Element:
        """Read commands with ``|`` between them."""
        start = self.at
        first = self._element()
        stages: list[Node] = []
        self.blanks()
        while self.starts("|") and not self.starts("||"):
            self.at += 1
            self.lines()
            if not stages:
                stages.append(self.node(first, start))
            stages.append(self.command())
            self.blanks()
        found: Element = first if not stages else Compound(
            kind=Kind.PIPELINE, parts=tuple(stages), start=start, end=self.at
        )  # fmt: skip
        if self.starts("&") and not self.starts("&&"):
            self.at += 1
            return Compound(kind=Kind.BACKGROUND, parts=(self.node(found, start),), start=start, end=self.at)
        return found

    def _element(self) -> Element:
        start = self.at
        if not self._begins_expression():
            return self.command()
        words = self.expression()
        redirections: list[Redirection] = []
        self.blanks()
        while (found := self._redirection()) is not None:
            redirections.append(found)
            self.blanks()
        if not redirections:
            return words
        shown = self.node(words, start)
        assert isinstance(shown, Command)
        return Command((), shown.words, tuple(redirections), start, self.at)

    def _begins_expression(self) -> bool:
        if _NUMBER_ALONE.match(self.text, self.at):
            return True
        return _EXPRESSION.match(self.text, self.at) is not None

    def command(self) -> Node:
        """Read a program's name and its arguments."""
        start = self.at
        words: list[Word] = []
        if (call := self.match(_CALL)) is not None:
            words.append(Word((literal(call[0]),), start, self.at))
        else:
            words.append(self._name())
        redirections: list[Redirection] = []
        while True:
            self.blanks()
            if self.at >= len(self.text) or self.peek() in "\r\n;|)}" or self.starts("&"):
                break
            found = self._redirection()
            if found is not None:
                redirections.append(found)
            else:
                words += self._list()
        if len(words) == 1 and call is not None:
            raise Refused(self.at, "nothing is called")
        return Command((), tuple(words), tuple(redirections), start, self.at)

    def _name(self) -> Word:
        start = self.at
        parts = self.bare()
        if not parts:
            raise Refused(start, "a command is missing")
        if len(parts) == 1 and parts[0].text == "?":
            parts = [literal("?")]
        first = parts[0].text
        if first[:1] in "[-@" or (first[:1] == "." and first[1:2] not in (".", "/", "\\")):
            raise Refused(start, "it is no name of a command")
        return self.word(parts, start)

    def _redirection(self) -> Redirection | None:
        start = self.at
        found = self.match(_REDIRECTION)
        if found is None:
            if self.peek() == "<":
                raise Refused(start, "there is no redirection of input")
            return None
        descriptor = found[1] or ""
        if found[3]:
            target = Word((literal(found[3]),), start, self.at)
            return Redirection(operator=">&", target=target, descriptor=descriptor.strip("*"), start=start, end=self.at)
        self.blanks()
        at = self.at
        target = self.word([literal("/dev/null")], at) if self.match(_NOWHERE) else bare_value(self.argument())
        operator = "&>" if descriptor == "*" else found[2]
        return Redirection(operator=operator, target=target, descriptor=descriptor.strip("*"), start=start, end=self.at)

    def _list(self) -> list[Word]:
        """Read one argument, which may be a list with commas in it."""
        words = [self.argument()]
        while True:
            at = self.at
            self.blanks()
            if not self.take(","):
                self.at = at
                return words
            self.lines()
            words.append(listed(self.argument()))

    def argument(self) -> Word:
        """Read one argument; all but a plain word is marked as a value."""
        start, char = self.at, self.peek()
        if self.starts("--%"):
            raise Refused(start, "what follows is not parsed by PowerShell")
        if char in ("'", '"', "(", "$", "{") or self.starts("@(", "@{", "@'", '@"'):
            return self._value(start)
        if _SPLAT.match(self.text, start):
            self.at += 1
            self.bare()
            return self.word([computed()], start)
        parts = self.bare()
        if not parts:
            raise Refused(start, "an argument is missing")
        if parts[0].text[:1] == "-" and parts[-1].text[-1:] == ":" and self.peek() in ("(", "@", "{"):
            parts += self._value(self.at).parts[1:]
        return self.word(parts, start)

    def _value(self, start: int) -> Word:
        words = self.members(self.primary(), start)
        parts = [part for word in words for part in word.parts] if len(words) == 1 else [computed(*words)]
        if self.text[start] == "$" and self.at < len(self.text):
            parts += self.bare()  # a path may begin with a variable
        return value(Word(tuple(parts), start, self.at))


def listed(word: Word) -> Word:
    """Return a word that belongs to the argument before it."""
    return Word((literal(MORE), *word.parts), word.start, word.end)
