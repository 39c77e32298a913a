"""Reads programs of awk, to know which files they read and write and which commands they run.

A program is cut into tokens, as far as that decides what ``>``, ``<``, ``|`` and ``/`` mean.
Where implementations disagree on whether a slash divides or begins a regular expression, and
where it ends one, a program is read in every way, and what any way does counts.

Sources: POSIX XCU awk, "Grammar" and "Lexical Conventions"; the gawk manual; awk(1) of BSD; mawk(1).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..values import HOLE, HOME

Token = tuple[str, str]
"""A kind (name, number, string, regex, newline, or op for an operator) and the text."""

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+|\\\r?\n|\#[^\n]*)|(?P<newline>\n)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<number>0[xX][0-9A-Fa-f]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"|\"(?P<string>(?:[^\"\\\n]|\\[^\n])*)\"|(?P<slash>/)"
    r"|(?P<op>\|\||&&|\|&|>>|>=|<=|==|!=|!~|\+\+|--|\*\*=|\*\*|[-+*%^]=|[-+*%^!<>|?:~$=,;(){}\[\]])"
)
_BEFORE_REGEX = frozenset(["print", "printf", "return", "exit", "delete", "case", "else", "do", "in", "getline"])
_CONTROL = frozenset(["if", "while", "for", "switch"])
_AMBIGUOUS = frozenset(["length", "getline"])
_COMPLETE = frozenset([")", "]", "}", "++", "--"])
_CLOSING = {")": "(", "]": "[", "}": "{"}
_SHELL = re.compile(r"(?:\S*/)?(?:ba|z|da|k)?sh\b")
_LONGEST = 6_000
_LONGEST_AMBIGUOUS = 2_000

CONTROL, WORD, SLASH = 0, 1, 2
"""The questions on which implementations disagree: a slash behind ``if (…)``, behind ``length`` or ``++`` or
in front of ``=``, and within brackets."""


_OTHERS = {CONTROL: [(1, 0, 0)], WORD: [(0, 1, 0)], SLASH: [(0, 0, 1), (0, 0, 2)]}
"""The other answers to each question."""


class Broken(Exception):
    """No awk takes the text for a program, if it is read in this way."""


class Odd(Exception):
    """The text holds what is not known here."""


class Effects:
    """What a program does.

    `writes`, `reads` and `commands` hold the names that stand in it as literals; the flags say that there are others.
    `likely_commands` and `likely_writes` are those that variables and strings side by side most likely come to;
    `runs_input` says that its input is run, and `connects` that it talks to another machine.
    """

    __slots__ = (
        "commands", "connects", "environment", "likely_commands", "likely_writes", "odd", "reads", "runs", "runs_input",
        "runs_others", "writes", "writes_others",
    )  # fmt: skip

    def __init__(self) -> None:
        self.writes: list[str] = []
        self.reads: list[str] = []
        self.commands: list[str] = []
        self.likely_commands: list[str] = []
        self.likely_writes: list[str] = []
        self.runs_input = False
        self.runs_others = False
        self.connects = False
        self.writes_others = False
        self.runs = False
        self.odd = False
        self.environment = False


class _Lexer:
    def __init__(self, text: str, answers: tuple[int, int, int]) -> None:
        self.text = text
        self.answers = answers
        self.asked: set[int] = set()
        self.tokens: list[Token] = []
        self.open: list[tuple[str, bool]] = []
        self.control = False

    def read(self) -> list[Token]:
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise self._unknown(self.text[at])
            kind = match.lastgroup or ""
            at = match.end()
            if kind == "slash":
                at = self._slash(at)
            elif kind != "blank":
                self._add(kind, match.group(kind))
        if self.open:
            raise Broken
        return self.tokens

    def _unknown(self, char: str) -> Exception:
        """Return what a character means that begins no token; only gawk, which knows brackets, takes an at sign."""
        flat = SLASH in self.asked and self.answers[SLASH] == 0
        return Odd() if char == "@" and not flat else Broken()

    def _add(self, kind: str, text: str) -> None:
        if kind == "op":
            if text in ("(", "[", "{"):
                before = self.tokens[-1] if self.tokens else ("", "")
                self.open.append((text, before[0] == "name" and before[1] in _CONTROL))
            elif text in _CLOSING:
                if not self.open or self.open[-1][0] != _CLOSING[text]:
                    raise Broken
                self.control = self.open.pop()[1]
        self.tokens.append((kind, text))

    def _answer(self, question: int) -> int:
        self.asked.add(question)
        return self.answers[question]

    def _slash(self, at: int) -> int:
        """Read a division or a regular expression; return the place behind it."""
        assigns = self.text[at : at + 1] == "="
        if not self._begins_regex() and not (assigns and self._answer(WORD) == 1):
            end = at + 1 if assigns else at
            self._add("op", self.text[at - 1 : end])
            return end
        end = self._regex_end(at)
        self._add("regex", self.text[at : end - 1])
        return end

    def _begins_regex(self) -> bool:
        if not self.tokens:
            return True
        kind, text = self.tokens[-1]
        if kind == "name":
            if text in _AMBIGUOUS:
                return self._answer(WORD) == 1
            return text in _BEFORE_REGEX
        if kind == "op" and text == ")":
            return self.control and self._answer(CONTROL) == 1
        if kind == "op" and text in ("++", "--"):
            return self._answer(WORD) == 1
        return kind == "newline" or (kind == "op" and text != "]")

    def _regex_end(self, at: int) -> int:
        """Return the place behind the slash that ends a regular expression.

        Within brackets a slash ends it in some implementations; of the others, some count the brackets.
        """
        depth, single, fresh = 0, False, False
        while at < len(self.text) and self.text[at] != "\n":
            char = self.text[at]
            was_fresh, fresh = fresh, False
            if char == "\\":
                at += 1
            elif char == "[":
                fresh = not single
                depth, single = depth + 1, True
            elif char == "^" and was_fresh:
                fresh = True
            elif char == "]" and not was_fresh:
                depth, single = max(depth - 1, 0), False
            elif char == "/" and (not (depth or single) or (True, not single, not depth)[self._answer(SLASH)]):
                return at + 1
            at += 1
        raise Broken


class _Reader:
    """Looks for effects in tokens."""

    def __init__(self, tokens: list[Token], effects: Effects, given: dict[str, str]) -> None:
        self.given = dict(given)
        self.tokens = tokens
        self.effects = effects
        self.depth = 0
        self.printing: int | None = None
        self.printed = 0
        self.getting: int | None = None

    def _near(self, at: int) -> Token:
        return self.tokens[at] if 0 <= at < len(self.tokens) else ("newline", "\n")

    def read(self) -> None:
        """Go through the tokens; a line end ends a statement only behind a complete expression."""
        complete = True
        for at, (kind, text) in enumerate(self.tokens):
            if kind == "name":
                self._name(at, text)
            elif kind == "string":
                self.effects.connects = self.effects.connects or text.startswith("/inet")
            elif kind == "newline":
                if complete:
                    self._ends()
                continue
            elif kind == "op":
                self._operator(at, text)
            complete = kind != "op" or text in _COMPLETE

    def _ends(self) -> None:
        if self.printing is not None and self.depth <= self.printing:
            self.printing = None
        self.getting = None

    def _name(self, at: int, text: str) -> None:
        if self._near(at + 1)[1] in ("=", "+="):
            self.given[text] = self._joined(at + 2)[0]
        elif text in ("print", "printf"):
            self.printing, self.printed = self.depth, at + 1
        elif text == "getline":
            self.getting = self.depth
        elif text == "system":
            self.effects.runs = True
            if self._near(at + 2)[0] == "string" and self._near(at + 3)[1] == ")":
                self.effects.commands.append(_unescaped(self._near(at + 2)[1]))
            else:
                self._likely(at + 1)
        elif text == "ENVIRON":
            named = self._near(at + 1)[1] == "[" and self._near(at + 2)[0] == "string" and self._near(at + 3)[1] == "]"
            self.effects.environment = self.effects.environment or not named or not _is_open(self._near(at + 2)[1])
        elif text in ("ARGV", "ARGC", "SYMTAB", "FUNCTAB", "extension"):
            self.effects.odd = True

    def _operator(self, at: int, text: str) -> None:
        if text == "(":
            self.depth += 1
        elif text == ")":
            self.depth -= 1
            if self.getting is not None and self.depth < self.getting:
                self.getting = None
        elif text in (";", "}"):
            self._ends()
        elif text in ("|", "|&"):
            self._pipe(at)
        elif text == ">>" or (text == ">" and self.printing is not None and self.depth <= self.printing):
            self._file(at, self.effects.writes)
        elif text == "<" and self.getting is not None:
            self._file(at, self.effects.reads)

    def _pipe(self, at: int) -> None:
        self.effects.runs = True
        self._printed(at)
        if self._near(at - 1)[0] == "name" and self._near(at + 1)[1] == "getline":
            self._likely(at - 1)
        if self._near(at - 1)[0] == "string" and self._near(at - 2)[0] in ("op", "newline"):
            self.effects.commands.append(_unescaped(self._near(at - 1)[1]))
        if self._near(at + 1)[0] == "string" and self._near(at + 2)[1] in (";", "}", "\n", ")"):
            self.effects.commands.append(_unescaped(self._near(at + 1)[1]))

    def _likely(self, at: int) -> None:
        """Keep what an expression that is run as a command most likely comes to."""
        text = self._joined(at)[0]
        if text.strip(HOLE):
            self.effects.likely_commands.append(text)
        else:
            self.effects.runs_others = True
            self.effects.runs_input = (
                self.effects.runs_input or self._near(at)[1] == "$" or self._near(at + 1)[1] == "$"
            )

    def _joined(self, at: int) -> tuple[str, int]:
        """Return what strings and names side by side come to, unknown ones marked, and the place behind them."""
        found = ""
        while True:
            kind, text = self._near(at)
            if kind == "string":
                found += _unescaped(text)
            elif text == "ENVIRON" and self._near(at + 2)[1] == "HOME":
                found, at = found + HOME, at + 3
            elif kind in ("name", "number") and text not in _BEFORE_REGEX:
                found += self.given.get(text, HOLE)
            elif text != "(" or found:
                return found, at
            at += 1

    def _printed(self, at: int) -> None:
        """Keep what is printed into a shell as a command; without words it is the input."""
        if self.printing is None or not _SHELL.match(self._near(at + 1)[1]):
            return
        text, end = self._joined(self.printed)
        if end == at and text.strip(HOLE):
            self.effects.likely_commands.append(text)
        elif end == at or self._near(self.printed)[1] == "$":
            self.effects.runs_input = True

    def _file(self, at: int, known: list[str]) -> None:
        kind, name = self._near(at + 1)
        if kind == "string" and "\\" not in name and self._near(at + 2)[1] in (";", "}", "\n", ")"):
            known.append(name)
        else:
            self.effects.writes_others = True
            if known is self.effects.writes and (likely := self._joined(at + 1)[0]).strip(HOLE):
                self.effects.likely_writes.append(likely)


def _unescaped(text: str) -> str:
    """Return a string of awk with its quotes and backslashes as they are; other escapes matter to no command here."""
    return re.sub(r"\\(.)", lambda match: match[1] if match[1] in '"\\/' else match[0], text)


def _is_open(name: str) -> bool:
    """Return whether a variable of the environment is one that everybody may see."""
    return name in ("HOME", "USER", "LOGNAME", "PWD", "SHELL", "LANG", "TERM", "PATH", "TZ", "HOSTNAME", "COLUMNS")


def _ways(text: str) -> Iterator[list[Token]]:
    """Yield the tokens of a program in each way of reading it; raise Odd for what is not known.

    A program that raises more than one of the questions is not followed.
    """
    asked: set[int] = set()
    answers = [(0, 0, 0)]
    while answers:
        lexer = _Lexer(text, answers.pop())
        try:
            tokens = lexer.read()
        except Broken:
            tokens = []
        if lexer.asked - asked:
            if asked or len(lexer.asked) > 1 or len(text) > _LONGEST_AMBIGUOUS:
                raise Odd
            asked = lexer.asked
            answers = list(_OTHERS[min(asked)])
        if tokens:
            yield tokens


def read(text: str, given: dict[str, str] | None = None) -> Effects | None:
    """Return what a program does by any way of reading it, or None if it cannot be read or is too long.

    `given` are the values of variables that are set outside of it.
    """
    effects = Effects()
    readable = False
    if len(text) > _LONGEST:
        return None
    try:
        for tokens in _ways(text):
            readable = True
            _Reader(tokens, effects, given or {}).read()
    except Odd:
        return None
    return effects if readable else None
