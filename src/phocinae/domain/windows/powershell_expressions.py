"""Expressions of PowerShell: operators, casts, members of objects and of types.

What an operator, a cast or a member does is described like a program: an expression
becomes a command whose name is ``-replace``, ``[int]``, ``.count``, ``.trim()`` or
``[math]::sqrt()``, which no command of a text can be called.
Source: about_Operators, about_Operator_Precedence, about_Type_Accelerators, about_Methods.
"""

from __future__ import annotations

import re

from ..shell import Assignment, Command, Node, Part, PartKind, Word
from ..values import VALUE
from .powershell_scan import BLANK, LINE_END, Refused, commands, computed, literal
from .powershell_words import NAME, Words, name_of

_OPERATORS = (
    "eq ne gt ge lt le like notlike match notmatch contains notcontains in notin replace split join is isnot as f "
    "band bor bxor shl shr and or xor"
).split()
_SIGNS = {
    "+": "-plus", "-": "-minus", "*": "-times", "/": "-divide", "%": "-modulo", "..": "-range", "??": "-coalesce",
    "!": "-not", ",": "-list",
}  # fmt: skip
_OPERATOR = re.compile(rf"-[ci]?(?:{'|'.join(_OPERATORS)})(?![\w-])", re.I)
_SYMBOL = re.compile(r"\.\.|\?\?(?!=)|[+*/%,](?![+=])|-(?![-=A-Za-z])|(?<=[\s)\]])-(?=[$(\d])")
_UNARY = re.compile(r"(?:!|\+\+|--|-(?:not|bnot|join|[ci]?split)(?![\w-])|[+-](?=[\s$(\d.]))", re.I)
NUMBER = re.compile(
    r"(?:0[xX][0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)[dlnyDLNY]?(?:[kmgtpKMGTP][bB])?(?!\w|\.[A-Za-z])"
)
_TYPE = re.compile(r"\[\s*([A-Za-z_][\w.+`]*)\s*((?:\[[\w., \[\]]*\])?)\s*\]")
_MEMBER = re.compile(r"\??\.([A-Za-z_]\w*)")
_STATIC = re.compile(r"::([A-Za-z_]\w*)")
_STEP = re.compile(r"\+\+|--(?![\w-])")
_OPERAND = re.compile(r"[$('\"@\[{\d]|-[\d.$(]")


def value(word: Word) -> Word:
    """Return a word that is no parameter, whatever it begins with."""
    first = word.parts[0] if word.parts else None
    if first is not None and first.text == VALUE:
        return word
    return Word((literal(VALUE), *word.parts), word.start, word.end)


def bare_value(word: Word) -> Word:
    """Return a word without the mark of a value, for a variable to hold or for a file to have."""
    first = word.parts[0] if word.parts else None
    return Word(word.parts[1:], word.start, word.end) if first is not None and first.text == VALUE else word


class Expressions(Words):
    """Reads expressions; each comes to one word, or to several behind commas."""

    def bracketed(self) -> list[Word]:
        """Read ``( … )``: what is in it as a value, where that is seen, else what its commands print."""
        raise NotImplementedError

    def expression(self) -> list[Word]:
        """Read operands with operators between them."""
        start = self.at
        words, signs = self.unary(), []
        alone = True
        while (sign := self._operator()) is not None:
            self.lines()
            more = self.unary()
            words = [*words, *more]
            alone = alone and len(more) == 1
            signs.append(sign)
        if not signs or set(signs) == {","}:
            return words
        if set(signs) == {"+"} and alone and _is_string(words[0]):
            parts = [part for word in words for part in word.parts if part.text != VALUE]
            return [Word((literal(VALUE), *parts), start, self.at)]
        for sign in dict.fromkeys(signs):  # which of them takes which operand makes no difference here
            words = [self._call(_SIGNS.get(sign, sign), words, start)]
        return words

    def _call(self, name: str, words: list[Word], start: int) -> Word:
        """Return the word that an operator or a member comes to with these operands."""
        head = Word((literal(name),), start, self.at)
        command = Command((), (head, *map(value, words)), (), start, self.at)
        return self.word([literal(VALUE), commands(command)], start)

    def _operator(self) -> str | None:
        self.blanks()
        found = self.match(_OPERATOR)
        if found is not None:
            name = found[0][1:].lower()
            return "-" + (name[1:] if name not in _OPERATORS else name)
        symbol = self.match(_SYMBOL)
        return symbol[0] if symbol is not None else None

    def unary(self) -> list[Word]:
        """Read one operand with what stands in front of it; only a list in brackets is several words."""
        self.blanks()
        start = self.at
        sign = self.match(_UNARY)
        if sign is not None:
            self.deeper()
            inner = self.at
            words = self.unary()
            self.depth -= 1
            if sign[0] in ("++", "--"):
                return [self.word([commands(self.forgets(inner))], start)]
            name = sign[0].lower() if sign[0][1:2].isalpha() else _SIGNS[sign[0]]
            return [self._call(name, words, start)]
        if self.peek() == "[":
            return self._type(start)
        return self.members(self.primary(), start)

    def _type(self, start: int) -> list[Word]:
        found = self.match(_TYPE)
        if found is None:
            raise Refused(self.at, "a type with arguments is not read")
        name = f"[{found[1].lower().removeprefix('system.')}{found[2].replace(' ', '').lower()}]"
        member = self.match(_STATIC)
        if member is not None:
            word = self._member(f"{name}::{member[1].lower()}", [], start)
            return self.members([word], start)
        self.blanks()
        if not _OPERAND.match(self.text, self.at):
            return self.members([self._call(name, [], start)], start)
        self.deeper()
        words = self.unary()
        self.depth -= 1
        return [self._call(name, words, start)]

    def members(self, words: list[Word], start: int) -> list[Word]:
        """Read the members that are asked of a value, as far as they stand right behind it."""
        while True:
            member = None if self.starts("..") else self.match(_MEMBER)
            if member is not None:
                words = [self._member("." + member[1].lower(), words, start)]
            elif (static := self.match(_STATIC)) is not None:
                words = [self._member(f"[]::{static[1].lower()}", words, start)]
            elif self.peek() == "[":
                self.at += 1
                self.lines()
                self.deeper()
                index = self.expression()
                self.depth -= 1
                self.lines()
                self.need("]")
                words = [self._call(".item", [*words, *index], start)]
            elif words and self.match(_STEP) is not None:
                words = [self.word([commands(self.forgets(start))], start)]
            elif self.starts(".", "?.", "::") and not self.starts(".."):
                raise Refused(self.at, "the name of a member is not known")
            else:
                return words

    def _member(self, name: str, target: list[Word], start: int) -> Word:
        if self.peek() != "(":
            return self._call(name, target, start)
        self.at += 1
        self.deeper()
        self.lines()
        arguments: list[Word] = []
        if self.peek() != ")":
            arguments = self.expression()
            self.lines()
        self.need(")")
        self.depth -= 1
        return self._call(f"{name}()", [*target, *arguments], start)

    def primary(self) -> list[Word]:
        """Read a string, a variable, a number, or something in brackets."""
        start, char = self.at, self.peek()
        if char in ("'", '"') or self.starts("@'", '@"'):
            return [self.word(self.string(), start)]
        if char == "$":
            return [self.word(self.expansion(), start)]
        if char == "(":
            return self.bracketed()
        if self.starts("@("):
            self.at += 1
            return [self.word([commands(self.bracket("(", ")"))], start)]
        if self.starts("@{"):
            return [self.word([self.table()], start)]
        if char == "{":
            return [self.word([self.block()], start)]
        number = self.match(NUMBER)
        if number is None:
            raise Refused(self.at, "an operand is missing")
        return [self.word([literal(number[0])], start)]

    def block(self) -> Part:
        """Read a script block, whose commands run when something is told to run them."""
        return Part(kind=PartKind.BLOCK, quoted=True, script=self.bracket("{", "}"))

    def table(self) -> Part:
        """Read a hashtable; its values count, and which is which does not."""
        self.need("@{")
        self.deeper()
        words: list[Word] = []
        while True:
            self.lines()
            while self.take(";"):
                self.lines()
            if self.take("}"):
                self.depth -= 1
                return computed(*words)
            start = self.at
            words += self.primary() if self.peek() in "$'\"(" else [self.word(self.bare_key(), start)]
            self.blanks()
            self.need("=")
            self.lines()
            start = self.at
            words.append(self.word([commands(self.one_statement())], start))

    def bare_key(self) -> list[Part]:
        """Read the name of a key."""
        start = self.at
        while self.peek() not in ("", "=", *BLANK, *LINE_END, ";", "}"):
            self.at += 1
        if start == self.at:
            raise Refused(start, "a key is missing")
        return [literal(self.text[start : self.at])]

    def forgets(self, start: int) -> Node:
        """Return what makes the variable that is named at `start` unknown."""
        found = NAME.match(self.text, start)
        if found is None:
            raise Refused(start, "only a variable can be counted up")
        return Command((Assignment(name_of(found), (), False, start, self.at),), (), (), start, self.at)

    def one_statement(self) -> Node:
        """Read one statement; the grammar of statements says how."""
        raise NotImplementedError


def _is_string(word: Word) -> bool:
    """Return whether a word is written as a string, so that ``+`` joins what follows to it."""
    parts = [part for part in word.parts if part.text != VALUE]
    return bool(parts) and parts[0].kind is PartKind.LITERAL and not parts[0].text[:1].isdigit()
