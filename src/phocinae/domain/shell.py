"""The frozen model of a shell text, as the reader hands it to the judge.

A text is a tree of `Command` (a simple command, POSIX XCU 2.9.1) and `Compound`
(everything that holds other commands).  A `Word` is kept in parts, unexpanded:
what an expansion yields is known only to the judge, which knows the variables.
Quoting is already resolved.  Offsets are code points of the judged text.

One class with a `kind` stands for all compounds, and one for all parts of a word,
because each class costs start-up time in a program that runs once per command.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol

from attrs import field, frozen

from .light import light
from .verdict import ReadingStatus

LENGTH = "${#"
"""The operator of an expansion that is the length of a value; a ``#`` behind the name takes a prefix away."""

EVALUATED = "$(("
"""The operator of an expansion in which the shell evaluates a value as an expression or as code.

Such are ``${name[i]}``, ``${name:i}``, ``${!name}`` and ``${name@P}`` (bash manual, "Shell Parameter Expansion").
"""


class Dialect(Enum):
    """The language that a text is in; each has a reader, and names of its own for programs."""

    POSIX = "posix"
    """``sh`` and its relatives: bash, dash, zsh."""
    POWERSHELL = "powershell"
    CMD = "cmd"


class PartKind(Enum):
    """What one part of a word is."""

    LITERAL = "literal"
    """Text that stands for itself; `quoted` tells whether it was quoted."""
    GLOB = "glob"
    """An unquoted ``*`` or ``?``; an unquoted ``[`` stays a literal, since its partner may come from an expansion."""
    TILDE = "tilde"
    """An unquoted leading tilde; `text` is the user name after it, or empty."""
    PARAMETER = "parameter"
    """``$name`` or ``${name…}``; `text` is the name, `operator` what follows it, `words` the operator's words.

    For ``${#name}`` the operator is `LENGTH`, and `EVALUATED` for the forms that it describes.  One that takes
    a pattern or an offset holds that, too, if it is plain text: ``%/*``.
    """
    COMMAND = "command"
    """``$(…)`` or backquotes; the commands are in `script`."""
    PROCESS = "process"
    """``<(…)`` or ``>(…)``; `operator` is ``<(`` or ``>(``."""
    ARITHMETIC = "arithmetic"
    """``$((…))``, or an arithmetic command; `text` is the expression, `words` the expansions in it."""
    BLOCK = "block"
    """A script block of PowerShell; whatever it is given to may run the commands in `script`."""
    OPAQUE = "opaque"
    """Text that the reader could not make sense of; `words` are what is in it."""

    __hash__ = object.__hash__  # each is the only one of its value; an Enum's own hash is a function in Python


@light
class Part:
    """One part of a word; which fields are used depends on `kind`."""

    kind: PartKind
    text: str = ""
    quoted: bool = False
    operator: str = ""
    words: tuple[Word, ...] = ()
    script: Node | None = None


@light
class Word:
    """One word, before expansion; its value is the concatenation of its parts.

    `bare` is the value of a word of a single part that nothing expands, if the reader says so at once.
    """

    parts: tuple[Part, ...]
    start: int
    end: int
    bare: str | None = field(default=None, eq=False, repr=False)

    @property
    def literal(self) -> str | None:
        """The value of a word that is nothing but literal text, else None."""
        for part in self.parts:
            if part.kind is not PartKind.LITERAL:
                return None
        return "".join([part.text for part in self.parts])


@frozen
class Assignment:
    """``name=value``, ``name+=value``, ``name[subscript]=value`` or ``name=(…)``.

    `words` holds the value (one word), the elements of an array, and the subscripts;
    `plain` is true when it is a single value for a whole variable, and `added` for ``+=``.
    """

    name: str
    words: tuple[Word, ...]
    plain: bool
    start: int
    end: int
    added: bool = False


@light(kw_only=True)
class Redirection:
    """A redirection (POSIX XCU 2.7).

    `descriptor` is a number, ``{name}`` for a variable that gets one, or empty.
    `operator` is written as in the text without a file descriptor; a here-document has
    ``<<`` and a here-string ``<<<``, with the text in `target`.
    """

    operator: str
    target: Word
    descriptor: str = ""
    start: int = 0
    end: int = 0


@light
class Command:
    """A simple command: assignments, then words of which the first is the program, then redirections."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirections: tuple[Redirection, ...]
    start: int
    end: int


class Kind(Enum):
    """What a `Compound` is, and what its `parts` are."""

    LIST = "list"
    """One after the other."""
    AND = "and"
    """``left && right``."""
    OR = "or"
    """``left || right``."""
    PIPELINE = "pipeline"
    """The stages from left to right."""
    BACKGROUND = "background"
    """One part, run asynchronously."""
    SUBSHELL = "subshell"
    GROUP = "group"
    IF = "if"
    """Condition, body, condition, body, … and perhaps a last body."""
    WHILE = "while"
    """Condition and body of ``while`` or ``until``."""
    FOR = "for"
    """A body run for each of `words`; `name` is the variable.  Also ``select``."""
    LOOP = "loop"
    """A body under an arithmetic ``for``; the expressions are in `words`."""
    CASE = "case"
    """The bodies; `words` is the subject and all patterns."""
    FUNCTION = "function"
    """The body of the function `name`; nothing runs until it is called."""
    TEST = "test"
    """``[[ … ]]``: no parts; `words` are operands and operators in order."""
    ARITHMETIC = "arithmetic"
    """``(( … ))``: no parts; `words` holds the expression."""
    COPROC = "coproc"
    """One part, run asynchronously with a pipe to and from it; `name` is the array that holds its descriptors."""

    __hash__ = object.__hash__  # each is the only one of its value; an Enum's own hash is a function in Python


@light(kw_only=True)
class Compound:
    """A command that holds others; `kind` says what `parts`, `words` and `name` are."""

    kind: Kind
    parts: tuple[Node, ...] = ()
    words: tuple[Word, ...] = ()
    name: str = ""
    redirections: tuple[Redirection, ...] = ()
    start: int = 0
    end: int = 0


Node = Command | Compound


@frozen
class Gap:
    """A stretch of the text that the reader, or a shell other than bash, does not read as bash does, and why."""

    start: int
    end: int
    why: str


@light
class Reading:
    """What a shell reader says of one text.

    COMPLETE: every command that bash would run is in `script`.  UNKNOWN: the text parses,
    but `gaps` may hide commands.  REFUSED: `script` is None and `gaps` says why.

    `differences` says, whatever the status, where dash or zsh would run something that is
    not in `script`, or where a person sees something else than what stands there.

    `comments` are the spans of comments in order, as far as the reader knows them: text
    that no shell of this dialect runs.  An empty span is a comment of which it knows no
    more than about where it is.
    """

    status: ReadingStatus
    script: Node | None = None
    gaps: tuple[Gap, ...] = ()
    differences: tuple[Gap, ...] = ()
    comments: tuple[tuple[int, int], ...] = ()


class ShellReader(Protocol):
    """Turns shell text into this model.

    It stands here and not with the other ports, because the offline judge itself reads
    the texts that a command carries; `phocinae.ports` lists it.
    """

    def read(self, text: str) -> Reading:
        """Return what the text says; never raise for any text, and never take more than its budget."""
