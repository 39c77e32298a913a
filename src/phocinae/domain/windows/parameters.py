"""Reads the words of one call of a cmdlet: parameters by name, in any case and shortened, and by position.

Source: about_Parameters, about_CommonParameters, about_Parameter_Binding, about_Wildcards, about_Providers.
"""

from __future__ import annotations

import re
from typing import Any

from ..knowledge import Option, Program, Role, Style, options
from ..usage import Usage
from ..values import HOLE, HOME, MORE, SPLIT, VALUE, Field, active, bracketed

COMMON = options(
    "-verbose -debug -whatif -confirm -vb -db -wi -cf -erroraction:text -ea:text -warningaction:text -wa:text "
    "-informationaction:text -infa:text -progressaction:text -proga:text -outbuffer:text -ob:text -errorvariable:risk "
    "-ev:risk -warningvariable:risk -wv:risk -informationvariable:risk -iv:risk -outvariable:risk -ov:risk "
    "-pipelinevariable:risk -pv:risk"
)
"""Parameters of every cmdlet; those that name a variable change what the commands behind it see."""

PATHS = frozenset([Role.PATH, Role.SCAN, Role.READ, Role.WRITE, Role.DELETE, Role.SEND, Role.SCRIPT])
"""Roles of paths, in which a wildcard is alive even where it is quoted."""

_PARAMETER = re.compile(r"-[A-Za-z?]")
_DRIVE = re.compile(
    r"(?i)(?:(?:[\w.]+[\\/])?(?:[\w.]*registry|(environment|variable|alias|function))::|([a-z]\w+):(?!:))(.*)\Z", re.S
)
_OFF = frozenset(["false", "$false", "0", ""])


def cmdlet(spec: str, *, rule: str = "", judge: Any = None) -> Program:
    """Return a description; words of `spec` without a hyphen are parameters by position as well, in that order.

    Otherwise the notation is that of `phocinae.domain.knowledge`.
    """
    words = spec.split()
    positions = tuple("-" + word.partition(":")[0].lower() for word in words if word[0] != "-")
    listed = " ".join(word if word[0] == "-" else "-" + word for word in words)
    known = {name.lower(): Option(name.lower(), option.role) for name, option in options(listed).items()}
    return Program(
        options=COMMON | known, style=Style.CMDLET, rule=rule, safe_options=False, judge=judge, positions=positions
    )


def drive_of(field: Field) -> tuple[str, str] | None:
    """Return the drive of a provider and what is named there, for a path that is none of the file system."""
    found = _DRIVE.match(field.text)
    if found is None:
        return None
    name = (found[1] or found[2] or "hklm").lower()
    if name in ("http", "https", "ftp", "file", "filesystem"):
        return None
    return "env" if name == "environment" else name, found[3].lstrip("\\/")


def path(field: Field) -> Field:
    """Return a path in which wildcards are alive and a tilde is the home directory."""
    text = field.text
    if text[:1] == "~" and text[1:2] in ("", "/", "\\"):
        text = HOME + text[1:]
    return field.with_text(bracketed(active(text)))


def plain(field: Field) -> Field:
    """Return a word as a program gets it, which knows nothing of parameters."""
    return field.with_text(field.text.lstrip(VALUE + MORE)) if field.text[:1] in (VALUE, MORE) else field


class _Binder:
    def __init__(self, program: Program) -> None:
        self.known = program.options
        self.free = list(program.positions)
        self.bound: list[tuple[Option, Field | None]] = []
        self.unlisted: list[Field] = []
        self.unclear: list[Field] = []
        self.by_position: list[list[Field]] = []

    def read(self, words: list[Field]) -> Usage:
        groups = _grouped(words)
        while groups:
            group = groups.pop(0)
            if _PARAMETER.match(group[0].text):
                self._named(group, groups)
            elif group[0].text.startswith("--"):  # an option of a program that has the name of an alias
                self.unlisted.append(group[0])
            elif SPLIT in group[0].text and group[0].text[:1] != VALUE:
                self.unclear.append(group[0])
            else:
                self.by_position.append(group)
        operands = [plain(group[0]) for group in self.by_position if not self._placed(group)]
        names = frozenset(option.name for option, _ in self.bound)
        return Usage(
            options=tuple(self.bound),
            operands=tuple(operands),
            unlisted=tuple(self.unlisted),
            unclear=tuple(self.unclear),
            names=names,
        )

    def _option(self, name: str) -> Option | None:
        found = self.known.get(name)
        if found is None:
            fitting = [option for known, option in self.known.items() if known.startswith(name)]
            found = fitting[0] if len(fitting) == 1 else None
        return found

    def _named(self, group: list[Field], groups: list[list[Field]]) -> None:
        word = group[0]
        name, colon, rest = word.text.partition(":")
        option = self._option(name.lower())
        if option is None:
            self.unlisted.append(word)
        elif option.role is None:
            if not colon or rest.lower() not in _OFF:
                self.bound.append((option, None))
            self.by_position += [[plain(more)] for more in group[1:]]
        else:
            given = [word.with_text(rest), *group[1:]] if rest else []
            if not given and groups and not _PARAMETER.match(groups[0][0].text):
                given = groups.pop(0)
            if not given:
                self.unlisted.append(word)
            self._bind(option, given)

    def _bind(self, option: Option, given: list[Field]) -> None:
        if option.name in self.free:
            self.free.remove(option.name)
        for field in map(plain, given):
            role = option.role
            if role in PATHS:
                outside = drive_of(field) is not None and not field.text.lower().startswith("microsoft.powershell.core")
                self.bound.append((Option(option.name, Role.TEXT if outside else role), path(field)))
            else:
                self.bound.append((option, field))

    def _placed(self, group: list[Field]) -> bool:
        if not self.free:
            return False
        self._bind(self.known[self.free[0]], group)
        return True


def _grouped(words: list[Field]) -> list[list[Field]]:
    """Return the words, those that a comma joins together."""
    groups: list[list[Field]] = []
    for word in words:
        if word.text[:1] == MORE and groups:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def read(program: Program, words: list[Field]) -> Usage:
    """Return the parameters of one call of a cmdlet; operands are those that have no place."""
    return _Binder(program).read(words)


def is_unknown(field: Field) -> bool:
    """Return whether nothing at all is known of a value."""
    return bool(field.text) and not field.text.strip(HOLE + SPLIT)
