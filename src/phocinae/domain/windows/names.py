"""How the shells of Windows look up the name of a program.

Names are compared in lower case, and the ending of an executable file may be left out.  The file
with another ending than that of the program is another one, such as a script of the project.
Source: about_Command_Precedence; the Windows command reference, "cmd".
"""

from __future__ import annotations

from .. import programs
from ..knowledge import Program
from ..shell import Dialect

_SCRIPTS = (
    "node_packages testing testing_more linting linting_web linting_more linting_extra build_tools language_tools "
    "clouds editors"
).split()
"""Families of programs that are installed on Windows as scripts with the ending ``.cmd``."""
_OF_POSIX_SHELLS = ("builtins", "shells")
_SHELLS = frozenset("sh bash zsh dash ksh mksh ash rbash fish csh tcsh elvish nu xonsh yash".split())


def find(name: str, dialect: Dialect) -> Program | None:
    """Return the description of the program that `name` stands for in a shell of Windows, or None."""
    if dialect is Dialect.CMD:
        return _for_cmd(name.lower(), without_ending(name.lower()))
    from . import powershell_names

    return powershell_names.find(name)


def without_ending(name: str) -> str:
    """Return a name in lower case without the ending that the file of such a program has; with any other as it is."""
    plain, dot, ending = name.rpartition(".")
    if dot and ending == "exe":
        return name if plain.endswith((".exe", ".com")) else plain
    scripted = ending == "cmd" and any(plain in programs.FAMILIES[family].split() for family in _SCRIPTS)
    return plain if scripted else name


def _for_cmd(name: str, plain: str) -> Program | None:
    """Return the description of a name in cmd, where the commands of a POSIX shell are unknown programs."""
    from ..programs.cmd_builtins import PROGRAMS

    if name in PROGRAMS:
        return PROGRAMS[name]
    found = programs.find(f"{plain}.exe") or programs.find(f"{plain}.com")
    if found is None and plain not in _SHELLS:
        known = any(plain in programs.FAMILIES[family].split() for family in _OF_POSIX_SHELLS)
        return None if known else programs.find(plain)
    return found or programs.find(plain)
