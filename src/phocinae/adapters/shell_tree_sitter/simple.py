"""Simple lists, read without a parser: words, quotes, plain redirections, and what joins commands.

Most texts of an agent are no more than that, and mean the same in every shell.  They need no
parser, and a gate that starts once per command need not load one.  Whatever this module is not
sure of is left to the parser; of what it reads it says the same as the parser.

Rule: POSIX XCU 2.2, 2.7 and 2.9.
"""

from __future__ import annotations

import re

from ...domain.shell import Command, Compound, Kind, Node, Part, PartKind, Redirection, Word

LONGEST_BARE = 4_096
"""The longest unquoted word that is vouched for, in characters: no path is longer, and no person reads it."""

MOST_COMMANDS = 30
"""Commands of one list; a longer one has to keep to the budget of the parser."""

_CHAR = "-A-Za-z0-9_./:,@%+"
"""What stands for itself in any place of a word; an equals sign does so in all but the first."""
_QUOTED = r"""(?:'[ -&(-~]*+'|"[ !#%-[\]-_a-~]*+")(?!=)"""
"""Quotes around ASCII, in double ones without what expands or escapes."""
_END = r"(?=[ |&;]|\Z)"
_TOKEN = re.compile(
    " *+(?:"
    rf"([{_CHAR}][{_CHAR}=]*+){_END}"
    rf"|((?:~(?=[/ |&;]|\Z)|[{_CHAR}*?]|{_QUOTED})(?:[{_CHAR}=*?]|{_QUOTED})*+){_END}"
    r"|(&&|\|\||\|(?!&)|;(?!;))"
    rf"|(?<=[^ -] )([12]?+(?:>&[12]|(?:>>?|<) *+[{_CHAR}][{_CHAR}=]*+)){_END}"
    "|([^ ]))"
)
_BARE, _MIXED, _OPERATOR, _REDIRECTION = range(1, 5)
_PIECE = re.compile(r"""([^'"*?~]+)|'([^']*)'|"([^"]*)"|([*?])|(~)""")
_REDIRECTED = re.compile(r"([12]?)(>&|>>?|<) *(.+)")
_SPECIAL_NAMES = frozenset(
    (
        "if then else elif fi for while until do done case esac select function in time coproc export declare "
        "local readonly typeset unset unsetenv repeat foreach end always nocorrect noglob -"
    ).split()
)
_LITERAL = PartKind.LITERAL


class _Unsure(Exception):
    """The text is for the parser."""


def read(text: str) -> Node | None:
    """Return what `text` says, or None where a parser has to read it."""
    script = _List(text)
    try:
        for match in _TOKEN.finditer(text):
            kind = match.lastindex
            if kind == _BARE:
                script.bare(match[1], *match.span(1))
            elif kind == _MIXED:
                script.mixed(*match.span(2))
            elif kind == _OPERATOR:
                script.operator(match[3])
            elif kind == _REDIRECTION:
                script.redirection(match[4], *match.span(4))
            else:
                return None
        return script.end()
    except _Unsure:
        return None


class _List:
    """A list while it is read: the words of a command, the stages of its pipeline, and the pipelines in front."""

    __slots__ = ("chain", "commands", "done", "joint", "redirections", "stages", "text", "words")

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[Word] = []
        self.redirections: list[Redirection] = []
        self.stages: list[Command] = []
        self.chain: Node | None = None
        self.joint = Kind.AND
        self.done: list[Node] = []
        self.commands = 0

    def bare(self, text: str, start: int, end: int) -> None:
        """Take a word that stands for itself."""
        if (
            self.redirections
            or end - start > LONGEST_BARE
            or (not self.words and (text in _SPECIAL_NAMES or "=" in text))
        ):
            raise _Unsure
        self.words.append(Word((Part(kind=_LITERAL, text=text),), start, end))

    def mixed(self, start: int, end: int) -> None:
        """Take a word with quotes, wildcards, or a tilde in front; as the name of a program it is left alone."""
        if self.redirections or not self.words or end - start > LONGEST_BARE:
            raise _Unsure
        parts = []
        for match in _PIECE.finditer(self.text, start, end):
            plain, single, double, glob, _ = match.groups()
            if plain is not None:
                parts.append(Part(kind=_LITERAL, text=plain))
            elif glob:
                parts.append(Part(kind=PartKind.GLOB, text=glob))
            elif single is None and double is None:
                parts.append(Part(kind=PartKind.TILDE))
            else:
                parts.append(Part(kind=_LITERAL, text=double if single is None else single, quoted=True))
        self.words.append(Word(tuple(parts), start, end))

    def redirection(self, text: str, start: int, end: int) -> None:
        """Take a redirection to or from a file, or to one of the two outputs."""
        match = _REDIRECTED.match(text)
        if match is None or not self.words or len(text) > LONGEST_BARE:
            raise _Unsure
        descriptor, operator, name = match.groups()
        target = Word((Part(kind=_LITERAL, text=name),), end - len(name), end)
        self.redirections.append(
            Redirection(operator=operator, target=target, descriptor=descriptor, start=start, end=end)
        )

    def operator(self, text: str) -> None:
        """Take what ends a command."""
        self._end_command()
        if text != "|":
            self._end_pipeline()
            self.joint = Kind.AND if text == "&&" else Kind.OR
        if text == ";" and self.chain is not None:
            self.done.append(self.chain)
            self.chain = None

    def _end_command(self) -> None:
        self.commands += 1
        if not self.words or self.commands > MOST_COMMANDS:
            raise _Unsure
        last = self.redirections[-1] if self.redirections else self.words[-1]
        self.stages.append(Command((), tuple(self.words), tuple(self.redirections), self.words[0].start, last.end))
        self.words, self.redirections = [], []

    def _end_pipeline(self) -> None:
        stages, self.stages = self.stages, []
        start, end = stages[0].start, stages[-1].end
        node: Node = stages[0]
        if len(stages) > 1:
            node = Compound(kind=Kind.PIPELINE, parts=tuple(stages), start=start, end=end)
        if self.chain is not None:
            node = Compound(kind=self.joint, parts=(self.chain, node), start=self.chain.start, end=end)
        self.chain = node

    def end(self) -> Node:
        """Return the list; a semicolon may end it."""
        if self.words or self.stages or self.chain is not None or not self.done:
            self.operator(";")
        if len(self.done) == 1:
            return self.done[0]
        return Compound(kind=Kind.LIST, parts=tuple(self.done), end=len(self.text))
