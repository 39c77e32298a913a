"""Takes a plain command apart, so that its words can be written in another way.

This is no shell reader: it knows quotes and blanks, and gives up on every text in which an operator,
a substitution or a reserved word stands.  What it says of the rest must be certain.
"""

from __future__ import annotations

import re

from attrs import frozen

RESERVED = frozenset(
    "! { } [[ ]] if then else elif fi do done case esac while until for in function select time coproc".split()
)
BUILTINS = frozenset(
    ". : alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown enable "
    "eval exec exit export fc fg getopts hash help history jobs let local logout mapfile popd pushd read readarray "
    "readonly return set shift shopt source suspend times trap type typeset ulimit umask unalias unset wait".split()
)
"""Names that only a shell knows, so that no other program can run them."""

_PIECE = re.compile(
    r"""
      '(?P<single>[^']*)'
    | "(?P<double>(?:[^"\\$`]|\\.)*)"
    | \\(?P<escaped>[^\n])
    | (?P<bare>[A-Za-z0-9_./:=@%+,^-]+)
    | (?P<live>\$'(?:[^'\\]|\\.)*'
        | "(?:[^"\\$`]|\\.|\$[A-Za-z_]\w*|\$\{[A-Za-z_]\w*\})*"
        | \$[A-Za-z_]\w* | \$\{[A-Za-z_]\w*\} | [*?\[\]{}!])
    | (?P<tilde>~)
    """,
    re.X | re.S,
)
_BLANK = re.compile(r"[ \t]+")
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*\Z")


@frozen
class Word:
    """One word: as the text has it, and its value where nothing in it is expanded."""

    raw: str
    value: str | None

    @property
    def plain(self) -> bool:
        """Whether no character of it is special to any shell, so that it may stand without quotes."""
        return self.value == self.raw and _PLAIN.match(self.raw) is not None


@frozen
class Plain:
    """A command that is nothing but a program with its words, perhaps behind assignments."""

    assignments: tuple[str, ...]
    words: tuple[Word, ...]

    @property
    def name(self) -> str:
        """The program's name, or nothing where an expansion makes it."""
        return self.words[0].value or ""

    @property
    def is_program(self) -> bool:
        """Whether another program can run it."""
        return bool(self.name) and self.name not in BUILTINS

    def text(self, words: list[str] | None = None, *, between: str = " ") -> str:
        """Return the command with other words."""
        return between.join([*self.assignments, *(words or [word.raw for word in self.words])])


def plain(text: str) -> Plain | None:
    """Return the words of a plain command; None for anything that is more, or that is not certain."""
    words: list[Word] = []
    at = len(text) - len(text.lstrip(" \t"))
    text = text.rstrip(" \t")
    while at < len(text):
        end, word = _word(text, at)
        if word is None:
            return None
        words.append(word)
        blank = _BLANK.match(text, end)
        if blank is None and end < len(text):
            return None
        at = blank.end() if blank else end
    given = 0
    while given < len(words) and _ASSIGNED.match(words[given].raw):
        given += 1
    if given == len(words) or words[given].raw in RESERVED:
        return None
    return Plain(tuple(word.raw for word in words[:given]), tuple(words[given:]))


def _word(text: str, at: int) -> tuple[int, Word | None]:
    start, value, live = at, "", False
    while at < len(text) and text[at] not in " \t":
        piece = _PIECE.match(text, at)
        if piece is None:
            return at, None
        at, kind = piece.end(), piece.lastgroup
        if kind == "live" or (kind == "tilde" and (not value or value[-1] in "=:")):
            live = True
            value += piece[0]
        elif kind == "double":
            value += re.sub(r'\\([$`"\\])', r"\1", piece["double"].replace("\\\n", ""))
        else:
            value += piece[kind] if kind else ""
    return at, Word(text[start:at], None if live else value)


def single(value: str) -> str:
    """Return a value in single quotes."""
    return "'" + value.replace("'", "'\\''") + "'"


def double(value: str) -> str:
    """Return a value in double quotes."""
    return '"' + re.sub(r'([$`"\\])', r"\\\1", value) + '"'
