"""The grammar of cmd: how separators, parentheses and redirections divide a text into commands.

From loosest to tightest: a new line and ``&``, ``||``, ``&&``, ``|``.

Sources: Microsoft, "cmd", "if", "for", "call", "goto", "rem", and "Using command redirection operators".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..shell import Command, Compound, Gap, Kind, Node, Part, PartKind, Redirection, Word
from . import cmd_compounds, cmd_words
from .cmd_lexer import DELIMITERS, Char, Line, skip

MOST_NESTED = 40
"""How deep blocks, conditions and loops may stand in each other."""
MOST_COMMANDS = 300
"""Commands and redirections of one text that are read; what stands behind them is a gap."""
_STARTS = re.compile(f"[{DELIMITERS}\n@]*")
_KEYWORD = re.compile(r"(?i)(?:(for|if)(?![\w.\\:-])|rem(?!\.*[\w\\:+\[\]-])|call(?=[\s,;=]))")
_DOUBTFUL = re.compile(r"[&|<>()^]")
_REDIRECTION = re.compile(r"(>>|>|<)(?:&(\d))?")
_PLAIN = re.compile(r"[^&|\n<>)]+")
_NULL = re.compile(r"(?i)nul:?\Z")


class TooDeep(Exception):
    """Commands stand too deep in each other."""


class Parser:
    """Reads one text from left to right; `at` is where the next sign stands."""

    def __init__(self, line: Line, gaps: list[Gap], depth: int = 0) -> None:
        self.chars, self.outline = line
        self.gaps = gaps
        self.at = 0
        self.blocks = 0
        self.depth = depth
        self.commands = 0

    # --- looking

    @property
    def sign(self) -> str:
        """The sign at the place that is read next, or nothing at the end."""
        return self.outline[self.at : self.at + 1]

    def blanks(self) -> None:
        """Go over delimiters."""
        self.at = skip(self.outline, self.at)

    def doubt(self, why: str, start: int | None = None) -> None:
        """Keep a gap from `start` (an index) up to the place that is read next."""
        begin = self.place(self.at if start is None else start)
        self.gaps.append(Gap(begin, max(begin, self.place(self.at)), why))

    def place(self, at: int) -> int:
        """Return where in the judged text the character at an index stands."""
        if at < len(self.chars):
            return self.chars[at].start
        return self.chars[-1].end if self.chars else 0

    def closes(self) -> bool:
        """Return whether the next sign ends the block that is read."""
        return self.sign == ")" and self.blocks > 0

    # --- the grammar

    def script(self, *, one_line: bool = False) -> Node:
        """Return all commands up to the end of the text, of the block, or of the line."""
        start, parts = self.at, []
        while True:
            self.at = skip(self.outline, self.at) if one_line else self._over_lines()
            if not self.sign or self.closes() or (one_line and self.sign == "\n"):
                break
            before = self.at
            parts.append(self._either())
            if self.sign == "&":
                self.at += 1
            elif self.at == before:
                self.doubt("a sign stands where a command begins")
                self.at += 1
        return self.compound(Kind.LIST, start, parts)

    def _over_lines(self) -> int:
        match = _STARTS.match(self.outline, self.at)
        return self.at if match is None else match.end()

    def compound(self, kind: Kind, start: int, parts: list[Node], words: tuple[Word, ...] = (), name: str = "") -> Node:
        """Return a compound that stands from an index up to the place that is read next."""
        begin = self.place(start)
        end = max(begin, self.chars[self.at - 1].end if self.at else 0)
        return Compound(kind=kind, parts=tuple(parts), words=words, name=name, start=begin, end=end)

    def _either(self) -> Node:
        return self._joined("||", Kind.OR, lambda: self._joined("&&", Kind.AND, self._pipeline))

    def _joined(self, operator: str, kind: Kind, inner: Callable[[], Node]) -> Node:
        start, left = self.at, inner()
        while self.outline.startswith(operator, self.at):
            self.at += 2
            self._wants_command()
            left = self.compound(kind, start, [left, inner()])
        return left

    def _pipeline(self) -> Node:
        self._wants_command("a command is missing in front of an operator")
        start, stages = self.at, [self._command()]
        while self.sign == "|" and not self.outline.startswith("||", self.at):
            self.at += 1
            self._wants_command()
            stages.append(self._command())
        return stages[0] if len(stages) == 1 else self.compound(Kind.PIPELINE, start, stages)

    def _wants_command(self, why: str = "a command is missing behind an operator") -> None:
        self.blanks()
        if self.sign in ("", "\n", "&", "|") or self.closes():
            self.doubt(why)

    def _command(self) -> Node:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise TooDeep
        self._count()
        try:
            while self.sign and self.sign in DELIMITERS + "@":
                self.at += 1
            return self._keyword()
        finally:
            self.depth -= 1

    def _count(self) -> None:
        """Count a command or a redirection, and go to the end where there are too many of them."""
        self.commands += 1
        if self.commands > MOST_COMMANDS:
            start, self.at = self.at, len(self.outline)
            self.doubt("there are more commands than are read", start)

    def _keyword(self) -> Node:
        if self.sign == "(":
            return self.block()
        if self.sign == ")":
            self.doubt("a parenthesis has no partner")
        if self.sign == ":":
            return self._comment("a label may hide what stands behind it")
        match = _KEYWORD.match(self.outline, self.at)
        word = match[0].lower() if match else ""
        if word == "rem":
            return self._comment("a remark may end before the line does")
        if word == "for":
            return cmd_compounds.loop(self) or self.simple()
        if word == "if":
            return cmd_compounds.condition(self)
        if word == "call":
            return self._call()
        return self.simple()

    def _comment(self, why: str) -> Node:
        start = self.at
        end = self.outline.find("\n", start)
        self.at = len(self.outline) if end < 0 else end
        if _DOUBTFUL.search(self.outline, start, self.at) or any(char.escaped for char in self.chars[start : self.at]):
            self.doubt(why, start)
        return self.compound(Kind.LIST, start, [])

    def _call(self) -> Node:
        """Return what ``call`` runs; it reads its words once more, so that signs of expansion in them are gaps."""
        start = self.at
        behind = skip(self.outline, start + 4)
        if self.outline[behind : behind + 1] in ("", ":", "\n", "&", "|", ")"):
            return self.simple()
        self.at = behind
        node = self._command()
        if any(char.name or char.text in ("%", "^", "&", "|", "<", ">") for char in self.chars[behind : self.at]):
            self.doubt("call reads its words a second time", start)
        return node

    def block(self) -> Node:
        """Return the commands in parentheses, with the redirections behind them."""
        start = self.at
        self.at += 1
        self.blocks += 1
        inner = self.script()
        self.blocks -= 1
        if self.sign != ")":
            self.doubt("a parenthesis has no partner", start)
            return inner
        self.at += 1
        redirections: list[Redirection] = []
        self.blanks()
        while (self.sign and self.sign in "<>") or re.match(r"\d[<>]", self.outline[self.at : self.at + 2]):
            digit = self.sign if self.sign.isdigit() else ""
            self.at += len(digit)
            self._redirection(redirections, digit)
            self.blanks()
        begin = self.place(start)
        return Compound(
            kind=Kind.GROUP, parts=(inner,), redirections=tuple(redirections),
            start=begin, end=max(begin, self.chars[self.at - 1].end),
        )  # fmt: skip

    def simple(self) -> Node:
        """Return a command with its words and redirections."""
        start, kept = self.at, list[Char]()
        redirections: list[Redirection] = []
        while self.sign and self.sign not in "&|\n" and not self.closes():
            plain = _PLAIN.match(self.outline, self.at)
            if plain is not None:
                kept += self.chars[self.at : plain.end()]
                self.at = plain.end()
            elif self.sign in "<>":
                begins = self.at - 1 == start or self.outline[self.at - 2 : self.at - 1] in tuple(DELIMITERS)
                digit = kept.pop().text if kept and self.outline[self.at - 1].isdigit() and begins else ""
                self._redirection(redirections, digit)
                self.blanks()
                if self.sign == "(" and not any(char.text.strip() for char in kept):
                    return self._redirected_block(start, redirections)
                kept += [Char(" ", self.place(self.at), self.place(self.at), "", False, False)]
            else:
                kept.append(self.chars[self.at])
                self.at += 1
        begin = self.place(start)
        end = max(begin, self.chars[self.at - 1].end if self.at else 0)
        return Command((), cmd_words.words(kept, self.gaps), tuple(redirections), begin, end)

    def _redirected_block(self, start: int, redirections: list[Redirection]) -> Node:
        inner = self.block()
        begin = self.place(start)
        return Compound(
            kind=Kind.GROUP, parts=(inner,), redirections=tuple(redirections), start=begin, end=max(begin, inner.end)
        )

    def _redirection(self, found: list[Redirection], digit: str) -> None:
        self._count()
        start = self.at - len(digit)
        match = _REDIRECTION.match(self.outline, self.at)
        if match is None:
            self.doubt("a redirection is not complete")
            return
        self.at = match.end()
        if match[2]:
            target = self._word_of(match[2])
            found.append(self._redirected(match[1] + "&", target, digit, start))
            return
        self.blanks()
        begin = self.at
        while self.sign and self.sign not in DELIMITERS + "&|<>\n" and not self.closes():
            self.at += 1
        if begin == self.at:
            self.doubt("a redirection is not complete", start)
            return
        word = cmd_words.single(self.chars[begin : self.at])
        if _NULL.match(word.literal or ""):
            word = self._word_of("/dev/null")
        found.append(self._redirected(match[1], word, digit, start))

    def _word_of(self, text: str) -> Word:
        """Return a word that stands for the last sign that was read."""
        place = self.chars[self.at - 1]
        return Word((Part(kind=PartKind.LITERAL, text=text, quoted=True),), place.start, place.end)

    def _redirected(self, operator: str, target: Word, digit: str, start: int) -> Redirection:
        return Redirection(
            operator=operator, target=target, descriptor=digit, start=self.place(start), end=self.chars[self.at - 1].end
        )
