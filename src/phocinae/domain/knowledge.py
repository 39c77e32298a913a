"""How a program is described: which options and operands it has, and what each of them does.

A description lists what is known.  An option that is not listed ends an allow, so that a
missing row costs a question and never a wrong answer.

The notation for options is one word per spelling: ``-v`` and ``--verbose`` are flags,
``-o:write`` takes an argument with the role *write*, ``--color?text`` an optional one that
must be attached.  Operands are a sequence of roles, of which the last may end in ``*``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from .calls import Call
    from .usage import Usage
    from .values import Stream


class Role(Enum):
    """What a program does with one argument."""

    TEXT = "text"
    """Takes it as data; nothing happens because of it."""
    PATH = "path"
    """Looks at a file's name, type or times, not at what is in it."""
    SCAN = "scan"
    """Reads files, and prints at most what it looks for."""
    READ = "read"
    """Reads a file, and what is in it may come out."""
    WRITE = "write"
    """Creates, overwrites or changes a file."""
    DELETE = "delete"
    """Removes a file or a folder."""
    PROGRAM = "program"
    """Runs it: a program, or a shell command."""
    SHELL = "shell"
    """Runs it as shell text."""
    ARGV = "argv"
    """Runs it and all that follow as one command."""
    CODE = "code"
    """Runs it as code of some language."""
    SCRIPT = "script"
    """Runs the code in that file."""
    NETWORK = "network"
    """Connects to it."""
    SEND = "send"
    """Sends the file's contents away."""
    SETTINGS = "settings"
    """Takes its settings from it, which may hold code or name programs."""
    RISK = "risk"
    """Does something with it that is not vouched for."""

    __hash__ = object.__hash__  # each is the only one of its value; an Enum's own hash is a function in Python


ROLES = {role.value: role for role in Role}


@frozen(repr=False)
class Option:
    """One spelling of an option; `role` is None for a flag, `attached` when an argument must be attached."""

    name: str
    role: Role | None = None
    attached: bool = False


class Style(Enum):
    """How a program reads its options."""

    GNU = "gnu"
    """Short options bundle, long ones start with two hyphens, options may follow operands (getopt_long)."""
    POSIX = "posix"
    """The same, but the first operand ends the options (POSIX XBD 12.2)."""
    NONE = "none"
    """It has none, or reads its words by rules of its own: every word is an operand."""
    LONG = "long"
    """One hyphen or two before a whole word; no bundles (Go programs, java)."""
    CMDLET = "cmdlet"
    """A hyphen before a whole word in any case, which may be shortened (PowerShell)."""
    WINDOWS = "windows"
    """A slash, or a hyphen, before a whole word in any case; arguments stand apart or behind a colon."""


Judge = Callable[["Call", "Usage"], "Stream | None"]


@frozen(kw_only=True, eq=False, repr=False)
class Program:
    """What is known of a program, or of one subcommand.

    `rule` names the rule that holds for it whatever its arguments, or is empty when it is
    harmless by itself.  `subcommands` maps the first operand to its own description.
    `safe_options` says that all options are harmless, listed or not, so that an unknown word may be one.
    `judge` adds what cannot be said in the other fields, and may return the output.
    `positions` names the options of a cmdlet that operands are bound to, in order.
    """

    options: Mapping[str, Option]
    operands: tuple[Role, ...] = ()
    open_ended: bool = False
    style: Style = Style.GNU
    rule: str = ""
    subcommands: Mapping[str, Program] | None = None
    safe_options: bool = False
    judge: Judge | None = None
    positions: tuple[str, ...] = ()


def options(text: str) -> dict[str, Option]:
    """Return the options that `text` lists in the notation of this module."""
    found: dict[str, Option] = {}
    for word in text.split():
        name, mark, role = word.partition("?" if "?" in word else ":")
        found[name] = Option(name, ROLES[role] if mark else None, mark == "?")
    return found


def program(
    spec: str = "",
    operands: str = "",
    *,
    style: Style = Style.GNU,
    rule: str = "",
    subcommands: Mapping[str, Program] | None = None,
    safe_options: bool = False,
    judge: Any = None,
) -> Program:
    """Return a description; `spec` lists options and `operands` roles, both in the notation of this module."""
    names = operands.split()
    open_ended = bool(names) and names[-1].endswith("*")
    return Program(
        options=options(spec + " --help --version"),
        operands=tuple(ROLES[name.rstrip("*")] for name in names),
        open_ended=open_ended,
        style=style,
        rule=rule,
        subcommands=subcommands,
        safe_options=safe_options,
        judge=judge,
    )
