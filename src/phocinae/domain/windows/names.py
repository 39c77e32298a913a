"""How the shells of Windows look up the name of a program.

Names are compared in lower case, and the ending of an executable file may be left out.
Source: about_Command_Precedence; the Windows command reference, "cmd".
"""

from __future__ import annotations

import re

from .. import programs
from ..knowledge import Program
from ..shell import Dialect

_ENDING = re.compile(r"\.(?:exe|cmd|bat|com)\Z")


def find(name: str, dialect: Dialect) -> Program | None:
    """Return the description of the program that `name` stands for in a shell of Windows, or None."""
    plain = _ENDING.sub("", name.lower())
    if dialect is Dialect.CMD:
        from ..programs.cmd_builtins import PROGRAMS

        if plain in PROGRAMS:
            return PROGRAMS[plain]
        return programs.find(f"{plain}.exe") or programs.find(f"{plain}.com") or programs.find(plain)
    return programs.find(plain)
