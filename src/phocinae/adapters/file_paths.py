"""Finds where the paths lead that a tool is about to write to, and what they could meet on this machine.

The home counts that the password database has, and the one of the environment as well; so does the search
path of this process, which is that of the agent.  All of it can only make a verdict stricter.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence

from ..domain.file_writes import LONGEST_PATH, MOST_FILES, Surroundings
from ..domain.followed_paths import FollowedPath, follow

BUDGET = 2.0
"""Seconds for the paths of one call; where those that are left lead is not known then."""


def followed(files: Sequence[str], cwd: str | None) -> tuple[FollowedPath, ...]:
    """Return where each path leads, from the working directory `cwd` as the agent claims it, and from the real one."""
    end = time.monotonic() + BUDGET
    folders = _folders(cwd)
    found: list[FollowedPath] = []
    for named in files[: MOST_FILES + 1]:
        if not isinstance(named, str) or len(named) > LONGEST_PATH or "\0" in named:
            found.append(FollowedPath(named=named))
        elif time.monotonic() > end:
            found.append(FollowedPath(named=named, ways=_by_text(named, folders), unclear="it takes too long to look"))
        else:
            found += (_follow(named, path) for path in _by_text(named, folders))
            if not folders and not os.path.isabs(named):
                found.append(FollowedPath(named=named, unclear="the working directory is not known"))
    return tuple(found)


def surroundings(own: Iterable[str] = (), paths: Iterable[FollowedPath] = ()) -> Surroundings:
    """Return what there is on this machine; `own` are files of the gate; relative ones do not count.

    Folders for programs are those of the search path, and those of the virtual environments that `paths` lead into.
    """
    homes = [os.path.expanduser("~"), os.environ.get("HOME", ""), _account_home()]
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    python = [sys.prefix] if sys.prefix != sys.base_prefix else []
    return Surroundings(
        homes=_both(filter(os.path.isabs, homes)),
        programs=_both([*os.environ.get("PATH", "").split(os.pathsep), *_environments(paths)]),
        own=_both([package, *python, *filter(os.path.isabs, own)]),
    )


def _environments(paths: Iterable[FollowedPath]) -> Iterator[str]:
    """Yield the folders for programs of virtual environments that paths lead into (venv, pyvenv.cfg)."""
    for way in dict.fromkeys(way for path in paths for way in path.ways):
        folder = os.path.dirname(way)
        root, name = os.path.split(folder)
        if name.lower() in ("bin", "scripts") and os.path.isfile(os.path.join(root, "pyvenv.cfg")):
            yield folder


def _folders(cwd: str | None) -> list[str]:
    """Return the working directories that are possible."""
    found = [cwd] if isinstance(cwd, str) and os.path.isabs(cwd) and "\0" not in cwd else []
    with contextlib.suppress(OSError):  # it may have been deleted
        found.append(os.getcwd())
    return found


def _by_text(named: str, folders: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(os.path.join(folder, named) for folder in folders or ["/"]))


def _follow(named: str, path: str) -> FollowedPath:
    if sys.platform != "win32":
        return follow(named, path, os.lstat, os.readlink)
    ways = dict.fromkeys([os.path.abspath(path), os.path.realpath(path)])
    return FollowedPath(named=named, ways=tuple(ways))


def _both(paths: Iterable[str]) -> tuple[str, ...]:
    """Return absolute paths as they are spelled and as they are resolved, each once and without the root."""

    def spelled() -> Iterator[str]:
        for path in paths:
            if path and "\0" not in path:
                yield os.path.abspath(path)
                yield os.path.realpath(path)

    return tuple(path for path in dict.fromkeys(spelled()) if os.path.dirname(path) != path)


def _account_home() -> str:
    if sys.platform == "win32":
        return ""
    import pwd

    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""
