"""Proves that the interpreter which an agent is going to start runs this package, and says who could change it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

from ..adapters.proving.run import Run, run
from ..domain.trusted_paths import UntrustedPath, resolved
from ..domain.visible import visible
from ..errors import InvalidSettings
from ..settings import VERSION

_SECONDS = 60.0
_WHERE = "import os, phocinae; print(os.path.realpath(phocinae.__path__[0]))"
_INSTALLED = ("site-packages", "dist-packages")


def usable_interpreter() -> str:
    """Return the absolute path of this interpreter, which was seen to run the package in isolation.

    Links are left as they are, since a virtual environment is one.

    Raises:
        InvalidSettings: it does not; the text says why.
    """
    path = sys.executable
    if not path or not os.path.isabs(path):
        raise InvalidSettings("this Python does not know where it stands; run it by its absolute path")
    done = _run(path, "-m", "phocinae", "--version")
    if done.failure or done.stdout.decode("utf-8", "replace").split() != ["phocinae", VERSION]:
        said = done.failure or done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
        raise InvalidSettings(
            f"{visible(path)} -I -m phocinae does not run this package ({visible(said)[:200]}), so an agent could not "
            "start it; install phocinae into that environment, and run its own phocinae install"
        )
    return path


def package_folder(interpreter: str) -> str:
    """Return the folder from which `interpreter` runs the package."""
    return _run(interpreter, "-c", _WHERE).stdout.decode("utf-8", "surrogateescape").strip()


def doubts(interpreter: str, package: str, project: str) -> Iterator[str]:
    """Yield who else could change the interpreter or the package: the agent in its `project`, or another user.

    Raises:
        InvalidSettings: the package is run from the sources of that very project.
    """
    project = os.path.realpath(project)
    for what, path in (("interpreter", interpreter), ("package", package)):
        if _is_below(os.path.abspath(path), project) or _is_below(os.path.realpath(path), project):
            if what == "package" and not any(name in path.split(os.sep) for name in _INSTALLED):
                raise InvalidSettings(
                    f"phocinae is run from its sources in {visible(path)}, below the project, which the agent may "
                    "change; install it elsewhere, for instance with pipx, and run phocinae install from there"
                )
            yield (
                f"the {what} {visible(path)} lies below {visible(project)}, where an agent may write: it could change "
                "the gate; install phocinae outside of it, for instance with pipx"
            )
        elif sys.platform != "win32":
            try:
                resolved(path, os.getuid(), os.lstat, os.readlink)
            except UntrustedPath as error:
                yield f"others could change the {what}: {error}"
            except OSError as error:
                yield f"the {what} {visible(path)} cannot be reached: {error.strerror}"


def _is_below(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep)


def _run(interpreter: str, *words: str) -> Run:
    return run((interpreter, "-I", *words), b"", cwd=os.sep, environment=os.environ, timeout=_SECONDS)
