"""Another home for the account that runs the tests, so that they neither read its settings nor add to its decision log.

phocinae finds both through the password database and, for good reasons, through no
variable.  So the entry that Python sees is replaced: in a process that imports this
module through `getpwuid`, and in its child processes by ``sitecustomize.py`` beside it, which the
interpreter loads at its start where `environment` is in force.  An interpreter in isolated
mode (``-I``) does not load it; a test that starts one names the log and the settings itself.
"""

from __future__ import annotations

import os
import pwd
import sys
from collections.abc import Callable
from pathlib import Path

HOME = "ISOLATED_ACCOUNT_HOME"
"""The variable that hands the replaced home on to child processes."""

PROGRAM = str(Path(sys.executable).with_name("phocinae"))
"""The console script beside the interpreter: ``python -m`` does not run a package from below the working directory."""

_getpwuid = pwd.getpwuid


def environment(home: Path) -> dict[str, str]:
    """Return the variables that make `home` the account's home in child processes."""
    return {HOME: str(home), "PYTHONPATH": str(Path(__file__).parent)}


def log(home: Path) -> Path:
    """Return where decisions are recorded under `home`."""
    return home / ".local" / "state" / "phocinae" / "audit.jsonl"


def real_home() -> Path:
    """Return the home that the password database really has for this account."""
    return Path(_getpwuid(os.getuid()).pw_dir)


def getpwuid(home: str) -> Callable[[int], pwd.struct_passwd]:
    """Return the function of that name for a password database in which every home is `home`."""

    def replaced(uid: int, /) -> pwd.struct_passwd:
        name, password, user, group, comment, _, shell = _getpwuid(uid)
        return pwd.struct_passwd((name, password, user, group, comment, home, shell))

    return replaced
