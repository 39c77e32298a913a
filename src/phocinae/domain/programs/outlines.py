"""What the descriptions of programs with subcommands have in common.

A description costs time to make, and one command uses few of them, so the parts of a
family stand as outlines: calls that make a description when its name first occurs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from re import Pattern
from typing import Any

from ..calls import Call
from ..knowledge import Option, Program, Role, Style, program
from ..usage import Usage
from ..usage import read as usage_of
from ..values import Field, Stream

Outline = Callable[[], Program]
Judge = Callable[[Call, Usage], "Stream | None"]

_HELP = frozenset(["--help", "-h", "-help", "--version", "-version", "-V"])


class Descriptions(Mapping[str, Program]):
    """Descriptions by name, each made when it is asked for.

    A key of `outlines` may list several names of one thing, divided by blanks.  `otherwise`
    describes the names that are not listed.
    """

    def __init__(self, outlines: Mapping[str, Outline], otherwise: Outline | None = None) -> None:
        self._outlines = {name: outline for names, outline in outlines.items() for name in names.split()}
        self._otherwise = otherwise
        self._made: dict[str, Program] = {}

    def __getitem__(self, name: str) -> Program:
        """Return the description of `name`; raise KeyError if there is none."""
        if name not in self._outlines:
            name = ""
        made = self._made.get(name)
        if made is None:
            outline = self._outlines[name] if name else self._otherwise
            if outline is None:
                raise KeyError(name)
            made = self._made[name] = outline()
        return made

    def __contains__(self, name: object) -> bool:
        """Return whether there is a description of `name`."""
        return name in self._outlines or self._otherwise is not None

    def get(self, name: str, default: Any = None) -> Any:
        """Return the description of `name`, or `default`; a fault in an outline is no missing name."""
        made = self._made.get(name)
        if made is not None:
            return made
        known = name in self
        return self[name] if known else default

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names that are listed."""
        return iter(self._outlines)

    def __len__(self) -> int:
        """Return how many names are listed."""
        return len(self._outlines)


def outline(spec: str = "", operands: str = "", **rest: Any) -> Outline:
    """Return an outline of a description; the arguments are those of `phocinae.domain.knowledge.program`."""
    return cache(partial(program, spec, operands, **rest))


def only_help(usage: Usage) -> bool:
    """Return whether a call asks for help or a version and for nothing else."""
    asked = bool(usage.options) and all(option.name in _HELP and value is None for option, value in usage.options)
    return asked and not usage.operands and not usage.unlisted and not usage.unclear


def options_apart(call: Call, usage: Usage) -> None:
    """Doubt an argument that stands apart from its option and looks like an option itself.

    Programs differ in whether they take such a word as the argument.
    """
    for _, value in usage.options:
        if value is None or value.text[:1] != "-" or value.text == "-" or value.text[1:].isdigit():
            continue
        if any(value is word for word in call.args):
            call.note("unclear-word", value)


def does(rule: str) -> Judge:
    """Return a judge that keeps a hit of `rule`, unless the call only asks for help."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if not only_help(usage):
            call.note(rule)
        return None

    return judge


def phrases(rule: str, *, project: tuple[str, ...] = (), harmless: tuple[str, ...] = ()) -> Judge:
    """Return a judge for what is known in a few whole phrases: of the project's own code, and harmless ones."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        words = " ".join(word.text for word in call.args)
        if words in project:
            project_code(call)
        elif words not in harmless and not only_help(usage):
            call.note(rule)
        return None

    return judge


def effect(rule: str, spec: str = "", operands: str = "", **rest: Any) -> Outline:
    """Return an outline of something that is never harmless, for the reason of `rule`."""
    return cache(partial(program, spec, operands, judge=does(rule), **rest))


def always(rule: str) -> Outline:
    """Return an outline of code that is handed all of its words: not even ``--help`` makes a call of it harmless."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        call.note(rule)
        return None

    return outline(style=Style.NONE, judge=judge)


_MOST_MIXED = 100
"""Words of one call that `mixed` reads; more are doubted."""


def mixed(call: Call, known: Program, words: list[Field]) -> Usage:
    """Return the usage of a program of the style `Style.LONG` that takes options behind operands as well.

    What is not listed, or stands behind an operand and is unclear, is noted here; an option's
    argument is weighed by its role.
    """
    if len(words) > _MOST_MIXED:
        call.note("too-many-operands", words[_MOST_MIXED])
        words = words[:_MOST_MIXED]
    options: list[tuple[Option, Field | None]] = []
    operands: list[Field] = []
    while words:
        found = usage_of(known, words)
        options += found.options
        for word in found.unlisted:
            call.note("unknown-option", word)
        for word in found.unclear:
            call.note("unclear-word", word)
        rest = list(found.operands)
        plain = next((place for place, word in enumerate(rest) if word.text[:1] == "-" != word.text), len(rest))
        operands += rest[:plain]
        words = rest[plain:]
    for option, value in options:
        if option.role is not None and value is not None:
            call.take(option.role, value)
    return Usage(
        options=tuple(options), operands=tuple(operands), names=frozenset(option.name for option, _ in options)
    )


_TEMPORARY = ("/tmp/", "/var/tmp/", "/dev/shm/", "/private/tmp/")


def gets_setting(secret: Pattern[str]) -> Judge:
    """Return a judge for ``config get``: a setting that is named like a secret, or by an open word, is for a person."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        for word in usage.operands:
            if secret.match(word.text) or word.static is None:
                call.note("prints-secret", word)
        return None

    return judge


def project_code(call: Call) -> None:
    """Keep the hit that code of the project is run; what lies among temporary files is not the project."""
    call.project_code()
    no_project(call)


def no_project(call: Call) -> None:
    """Doubt a tool that runs what the settings of its folder name, if the folder lies among temporary files."""
    if (call.state.cwd + "/").startswith(_TEMPORARY):
        call.note("runs-code")


def runs_project(call: Call, usage: Usage) -> Stream | None:
    """Keep the hit that code of the project is run, unless the call only asks for help."""
    if not only_help(usage):
        project_code(call)
    return None


def group(outlines: Mapping[str, Outline], spec: str = "", *, otherwise: Outline | None = None, **rest: Any) -> Outline:
    """Return an outline of a subcommand that has subcommands of its own."""
    return partial(program, spec, subcommands=Descriptions(outlines, otherwise), **rest)


class _AnyOption(dict[str, Option]):
    """Options of a program whose judge reads the words itself: whatever looks like an option is one."""

    def get(self, name: str, _default: Any = None, /) -> Any:
        """Return a flag of that name."""
        return Option(name, Role.TEXT, attached=True)


def by_hand(judge: Judge) -> Outline:
    """Return an outline of a program whose words follow rules of their own, which `judge` reads from the call."""

    def make() -> Program:
        return Program(options=_AnyOption(), style=Style.POSIX, safe_options=True, judge=judge)

    return make


def weigh(call: Call, known: Program, words: list[Field]) -> Usage:
    """Return the usage of `words`; note what is not listed, and weigh the arguments of options by their roles."""
    found = usage_of(known, words)
    for word in found.unlisted:
        call.note("unknown-option", word)
    for word in found.unclear:
        call.note("unclear-word", word)
    for option, value in found.options:
        if option.role is not None and value is not None:
            call.take(option.role, value)
    return found
