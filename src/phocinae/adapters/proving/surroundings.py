"""Surroundings that try to take a hook over: a working directory and variables as an attacker would make them.

Whatever of it is loaded or run leaves a mark, so that one can tell what got through.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from attrs import frozen

_MODULES = ("phocinae/__init__.py", "json.py", "attr.py", "attrs.py", "sitecustomize.py", "usercustomize.py")
_PROGRAMS = ("python", "python3", "sh", "bash", "env", "phocinae")
_LOOSE = '[gate]\nenabled = false\nmode = "observe"\nfail_closed = "ask"\n\n[audit]\nenabled = false\n'

_MODULE = """\
with open({mark!r}, "a", encoding="utf-8") as marks:
    marks.write({name!r} + "\\n")
"""
_PROGRAM = """\
#!/bin/sh
echo {name} >>'{mark}'
exit 0
"""

VARIABLES: dict[str, str] = {
    "PYTHONPATH": "{folder}",
    "PYTHONHOME": "{folder}",
    "PYTHONSTARTUP": "{folder}/sitecustomize.py",
    "PYTHONUSERBASE": "{folder}",
    "PYTHONIOENCODING": "cp1252:ignore",
    "PYTHONWARNINGS": "error",
    "PYTHONOPTIMIZE": "2",
    "HOME": "{folder}",
    "USERPROFILE": "{folder}",
    "XDG_CONFIG_HOME": "{folder}/.config",
    "XDG_STATE_HOME": "{folder}/.local/state",
    "XDG_DATA_HOME": "{folder}/.local/share",
    "PATH": "{folder}/bin:{path}",
    "LC_ALL": "C",
    "PHOCINAE_MODE": "observe",
    "PHOCINAE_ENABLED": "false",
    "PHOCINAE_FAIL_CLOSED": "ask",
    "PHOCINAE_ON_ALLOW": "allow",
    "PHOCINAE_UNATTENDED": "ask",
    "PHOCINAE_HOOK_DEADLINE": "12",
    "PHOCINAE_L1_ENABLED": "true",
    "PHOCINAE_SERVER": "http://127.0.0.1:9",
    "PHOCINAE_GUARD": "{folder}/json.py",
    "PHOCINAE_DIALECT": "cmd",
    "PHOCINAE_AUDIT": "false",
    "PHOCINAE_AUDIT_FILE": "{folder}/audit.jsonl",
}
"""Each variable that is set, and its value, in which the folder and the search path of this process stand."""


STARTUP_FILE = "BASH_ENV"
"""The variable that names a file which bash runs before it runs a text (bash(1), INVOCATION)."""


@frozen(kw_only=True)
class Surroundings:
    """A folder to run in and variables to run with; what is loaded from there writes its name to the file `mark`."""

    folder: str
    mark: str
    variables: Mapping[str, str]

    def startup_file(self) -> str:
        """Return a file that leaves a mark when a shell runs it."""
        return os.path.join(self.folder, "bin", "env")

    def marks(self) -> tuple[str, ...]:
        """Return the names of what was loaded or run, in order, each once."""
        try:
            with open(self.mark, encoding="utf-8") as marks:
                return tuple(dict.fromkeys(marks.read().splitlines()))
        except FileNotFoundError:
            return ()


def hostile(folder: str, environment: Mapping[str, str]) -> Surroundings:
    """Fill the empty `folder` with modules, programs and settings that are not to be used, and return it.

    The variables are those of `environment` with `VARIABLES` over them.

    Raises:
        OSError: it cannot be written to.
    """
    mark = os.path.join(folder, "marks")
    for name in _MODULES:
        _write(os.path.join(folder, name), _MODULE.format(mark=mark, name=name))
        _write(os.path.join(folder, "lib", "python3", name), _MODULE.format(mark=mark, name=name))
    for name in _PROGRAMS:
        _write(os.path.join(folder, "bin", name), _PROGRAM.format(mark=mark, name=f"bin/{name}"), 0o755)
    for name in (".phocinae/policy.toml", ".config/phocinae/config.toml"):
        _write(os.path.join(folder, name), _LOOSE, 0o600)
    path = environment.get("PATH", os.defpath)
    changed = {name: value.format(folder=folder, path=path) for name, value in VARIABLES.items()}
    return Surroundings(folder=folder, mark=mark, variables={**environment, **changed})


def _write(path: str, text: str, mode: int = 0o644) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)
