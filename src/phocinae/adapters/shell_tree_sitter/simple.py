"""Simple lists, read without a parser: words, quotes, variables, plain redirections, and what joins commands.

Most texts of an agent are no more than that, and mean the same in every shell.  They need no
parser, and a gate that starts once per command need not load one.  Whatever this module is not
sure of is left to the parser; of what it reads it says the same as the parser.

Rule: POSIX XCU 2.2, 2.7 and 2.9.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...domain.shell import Command, Compound, Kind, Node, Part, PartKind, Redirection, Word

LONGEST_BARE = 4_096
"""The longest unquoted word that is vouched for, in characters: no path is longer, and no person reads it."""

MOST_COMMANDS = 30
"""Commands of one list; a longer one has to keep to the budget of the parser."""

_CHAR = "-A-Za-z0-9_./:,@%+"
"""What stands for itself in any place of a word; an equals sign does so in all but the first."""
_NAME = r"\$[A-Za-z_][A-Za-z0-9_]*+(?![:[~])"
"""A variable, behind which zsh reads neither a subscript nor a modifier."""
_QUOTED = rf"""(?:'[ -&(-~]*+'|"(?:[ !#%-[\]-_a-~]|{_NAME})*+")(?!=)"""
"""Quotes around ASCII, in double ones without escapes, and with nothing that expands but variables."""
_PART = rf"[{_CHAR}*?]|{_QUOTED}|{_NAME}|\\[;()!]"
_END = r"(?=[ |&;]|\Z)"
_TOKEN = re.compile(
    "( *+)(?:"
    rf"([{_CHAR}][{_CHAR}=]*+){_END}"
    rf"|((?:~(?=[/ |&;]|\Z)|{_PART})(?:{_PART}|=|(?<=[A-Za-z0-9])~(?=[0-9]))*+|\{{\}}){_END}"
    r"|(&&|\|\||\|(?!&)|;(?!;))"
    rf"|(?<=[^ -] )([12]?+(?:>&[12]|(?:>>?|<) *+[{_CHAR}][{_CHAR}=]*+)){_END}"
    "|([^ ].*))",  # the rest, which needs no division any more
    re.S,
)
_ALL_BARE = re.compile(rf" *+[{_CHAR}]++(?: ++[{_CHAR}][{_CHAR}=]*+)*+ *+\Z")
_JOINT = re.compile(r"&&|\|\|?|;")
_ALL_BARE_OR_JOINT = re.compile(rf"(?:[{_CHAR}][{_CHAR}=]*+| ++|&&|\|\|?+(?![|&])|;(?!;))++\Z")
_PIECE = re.compile(r"""\A(~)|([^'"*?$\\]+)|'([^']*)'|"([^"]*)"|([*?])|\$(\w+)|((?:\\.)+)""")
_AND = Kind.AND
_VARIABLE = re.compile(r"\$(\w+)")
_REDIRECTED = re.compile(r"([12]?)(>&|>>?|<) *(.+)")
_SPECIAL_NAMES = frozenset(
    (
        "if then else elif fi for while until do done case esac select function in time coproc export declare "
        "local readonly typeset unset unsetenv repeat foreach end always nocorrect noglob -"
    ).split()
)
_LITERAL, _GLOB, _PARAMETER = PartKind.LITERAL, PartKind.GLOB, PartKind.PARAMETER


def read(text: str) -> Node | None:
    """Return what `text` says, or None where a parser has to read it."""
    if len(text) <= LONGEST_BARE and _ALL_BARE.match(text):
        return _bare(text)
    if len(text) <= LONGEST_BARE and _ALL_BARE_OR_JOINT.match(text):
        return _bare_list(text)
    script, words, redirections = None, [], []  # type: _List | None, list[Word], list[Redirection]
    at = 0
    for blanks, bare, mixed, operator, redirection, _unsure in _TOKEN.findall(text):
        start = at + len(blanks)
        at = start + len(bare or mixed or operator or redirection)
        if at - start > LONGEST_BARE:
            return None
        if operator and words:
            script = script or _List()
            if not script.add(_command(words, redirections), operator):
                return None
            words, redirections = [], []
        elif redirection and words:
            redirections.append(_redirection(redirection, start, at))
        elif redirections or not (bare or (mixed and words)):
            return None
        elif mixed:
            words.append(Word(_parts(mixed), start, at))
        elif words or not (bare in _SPECIAL_NAMES or "=" in bare):
            words.append(Word((Part(_LITERAL, bare),), start, at, bare))
        else:
            return None
    if script is None:
        return _command(words, redirections) if words else None
    if words and not script.add(_command(words, redirections), ";"):
        return None
    return script.whole(len(text))


def _command(words: list[Word], redirections: list[Redirection]) -> Command:
    end = redirections[-1].end if redirections else words[-1].end
    return Command((), tuple(words), tuple(redirections), words[0].start, end)


def _bare_list(text: str) -> Node | None:
    """Return a list of commands of bare words."""
    script, at = _List(), 0
    for joint in _JOINT.finditer(text):
        command = _bare(text[at : joint.start()], at)
        if command is None or not script.add(command, joint[0]):
            return None
        at = joint.end()
    rest = text[at:]
    if rest.strip() and ((command := _bare(rest, at)) is None or not script.add(command, ";")):
        return None
    return script.whole(len(text))


def _bare(text: str, at: int = 0) -> Command | None:
    """Return one command of bare words, as half of all texts are; it takes half the time."""
    words = []
    for piece in text.split(" "):
        end = at + len(piece)
        if piece:
            words.append(Word((Part(_LITERAL, piece),), at, end, piece))
        at = end + 1
    name = words[0].parts[0].text if words else "="
    if name in _SPECIAL_NAMES or "=" in name:
        return None
    return Command((), tuple(words), (), words[0].start, words[-1].end)


def _parts(text: str) -> tuple[Part, ...]:
    """Return the parts of a word with quotes, escapes, wildcards, variables, or a tilde in front."""
    quote = text[0]
    if quote in "'\"" and text.find(quote, 1) == len(text) - 1 and (quote == "'" or "$" not in text):
        return (Part(_LITERAL, text[1:-1], True),)
    parts: list[Part] = []
    for tilde, plain, single, double, glob, name, escaped in _PIECE.findall(text):
        if plain:
            parts.append(Part(_LITERAL, plain))
        elif "$" in double:
            parts += _quoted(double)
        elif glob:
            parts.append(Part(_GLOB, glob))
        elif name:
            parts.append(Part(_PARAMETER, name))
        elif tilde:
            parts.append(Part(PartKind.TILDE))
        else:
            parts.append(Part(_LITERAL, single or double or escaped[1::2], quoted=True))
    return tuple(parts)


def _quoted(text: str) -> Iterator[Part]:
    """Yield the parts of what stands between double quotes, by turns literal and the names of variables."""
    for place, piece in enumerate(_VARIABLE.split(text)):
        if piece:
            yield Part(_PARAMETER if place % 2 else _LITERAL, piece, quoted=True)


def _redirection(text: str, start: int, end: int) -> Redirection:
    """Return a redirection to or from a file, or to one of the two outputs."""
    ((descriptor, operator, name),) = _REDIRECTED.findall(text)
    target = Word((Part(_LITERAL, name),), end - len(name), end, name)
    return Redirection(operator=operator, target=target, descriptor=descriptor, start=start, end=end)


class _List:
    """A list while it is read: the stages of the pipeline at hand, and the pipelines in front of it."""

    __slots__ = ("chain", "commands", "done", "joint", "stages")

    def __init__(self) -> None:
        self.stages: list[Command] = []
        self.chain: Node | None = None
        self.joint = _AND
        self.done: list[Node] = []
        self.commands = 0

    def add(self, command: Command, operator: str) -> bool:
        """Take a command and the operator that ends it; return whether the list may go on."""
        self.commands += 1
        self.stages.append(command)
        if operator != "|":
            self._end_pipeline()
            self.joint = _AND if operator == "&&" else Kind.OR
        if operator == ";" and self.chain is not None:
            self.done.append(self.chain)
            self.chain = None
        return self.commands <= MOST_COMMANDS

    def _end_pipeline(self) -> None:
        stages, self.stages = self.stages, []
        start, end = stages[0].start, stages[-1].end
        node: Node = stages[0]
        if len(stages) > 1:
            node = Compound(kind=Kind.PIPELINE, parts=tuple(stages), start=start, end=end)
        if self.chain is not None:
            node = Compound(kind=self.joint, parts=(self.chain, node), start=self.chain.start, end=end)
        self.chain = node

    def whole(self, length: int) -> Node | None:
        """Return the list, or None where the last operator but a semicolon has nothing behind it."""
        if self.stages or self.chain is not None or not self.done:
            return None
        return self.done[0] if len(self.done) == 1 else Compound(kind=Kind.LIST, parts=tuple(self.done), end=length)
