"""What is known about the shell's state at one point of a text: variables, functions, directory."""

from __future__ import annotations

import re

from .shell import Node
from .values import CWD, HOLE, HOME, Field, Taint

SECRET_NAME = re.compile(
    r"TOKEN|SECRET|PASSW|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|(?:^|_)(?:AUTH|PAT|PWD|PASS)(?:_|$)"
)
"""Names of variables that hold secrets by custom; PWD and OLDPWD are known and never asked about."""

Value = tuple[str, Taint]

_UNKNOWN: Value = (HOLE, Taint.NONE)


class Variables:
    """A mutable state, copied where a shell would fork and joined where paths meet."""

    __slots__ = ("cwd", "functions", "ifs_changed", "positional", "values")

    def __init__(self, cwd: str = CWD) -> None:
        self.values: dict[str, Value] = {
            "HOME": (HOME, Taint.NONE),
            "PWD": (CWD, Taint.NONE),
            "IFS": (" \t\n", Taint.NONE),
        }
        self.functions: dict[str, Node] = {}
        self.positional: list[Field] | None = None
        self.cwd = cwd
        self.ifs_changed = False

    def copy(self) -> Variables:
        """Return a state of its own with the same contents."""
        other = Variables.__new__(Variables)
        other.values = self.values.copy()
        other.functions = self.functions.copy()
        other.positional = self.positional
        other.cwd = self.cwd
        other.ifs_changed = self.ifs_changed
        return other

    def become(self, other: Variables) -> None:
        """Take over all that `other` holds."""
        for slot in self.__slots__:
            setattr(self, slot, getattr(other, slot))

    def get(self, name: str) -> Value | None:
        """Return the value of a variable that the text itself has set, or that is known anyway."""
        if name == "PWD":
            return (self.cwd, Taint.NONE)
        return self.values.get(name)

    def set(self, name: str, value: Value) -> None:
        """Give a variable a value."""
        if name == "IFS":
            self.ifs_changed = True
        self.values[name] = value

    def forget(self, name: str) -> None:
        """Make the value of a variable unknown."""
        self.set(name, _UNKNOWN)

    def join(self, other: Variables) -> None:
        """Keep only what this state and `other` agree on."""
        mine, theirs = self.values, other.values
        if mine != theirs:
            for name in mine.keys() | theirs.keys():
                if mine.get(name) != theirs.get(name):
                    mine[name] = _UNKNOWN
        if self.positional != other.positional:
            self.positional = None
        if self.cwd != other.cwd:
            self.cwd = HOLE
        self.functions = {**other.functions, **self.functions}
        self.ifs_changed = self.ifs_changed or other.ifs_changed
