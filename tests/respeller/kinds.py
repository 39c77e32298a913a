"""What a way of respelling is, and what it is given."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from attrs import field, frozen

from .words import Plain, plain


@frozen
class Base:
    """A command that is to be respelled: its text, its label, and its words where it is a plain one."""

    text: str
    label: str
    plain: Plain | None = field(init=False)

    @plain.default
    def _words(self) -> Plain | None:
        return plain(self.text)

    @property
    def is_empty(self) -> bool:
        """Whether it holds no command, but only comments."""
        return all(line.lstrip().startswith("#") or not line.strip() for line in self.text.split("\n"))

    @property
    def end(self) -> str:
        """What has to follow the text in front of a closing word."""
        inline = "<<" not in self.text.replace("<<<", "") and "#" not in self.text
        return "; " if inline and not self.text.rstrip(" \t").endswith(("&", ";", "\\", "\n")) else "\n"

    @property
    def grouped(self) -> str:
        """The command as one that any operator may follow."""
        return self.text if self.plain else f"{{ {self.text}{self.end}}}"

    def unused(self, rng: Random) -> str:
        """Return a name for a variable that the text does not have."""
        return rng.choice([name for name in ("what", "kept", "bit", "entry", "q1") if name not in self.text])


Make = Callable[[Base, Random], str | None]


@frozen(kw_only=True)
class Kind:
    """One way of respelling: `make` returns a text with the same meaning, or None where it is not certain of one.

    `ends` says why a harmless command need not stay allowed in this spelling; empty where it must.
    `denied_only` marks what makes no sense, or has effects of its own, with a harmless command.
    """

    name: str
    make: Make
    ends: str = ""
    denied_only: bool = False


_WINDOWS = re.compile(r"(?:[A-Z][a-z]+-[A-Z]|powershell|pwsh|cmd |rd |del |reg |netsh|vssadmin|iex|IEX|\[System)")


def is_posix(command: str) -> bool:
    """Return whether a command is written for a POSIX shell, whose rules say what a respelling means."""
    return _WINDOWS.match(command) is None


def many(base: Base, kind: Kind, rng: Random, most: int) -> list[str]:
    """Return up to `most` different respellings of one kind."""
    if (kind.denied_only and base.label != "deny") or base.is_empty:
        return []
    found: dict[str, None] = {}
    for _ in range(most * 2):
        text = kind.make(base, rng)
        if text is not None and text != base.text:
            found[text] = None
        if text is None or len(found) == most:
            break
    return list(found)
