"""The files of this gate that lie where a setting puts them, beside those that are known by name (`places.is_gate`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import accumulate

from . import places
from .secrets import matches
from .values import ANY, CWD, STAR

_LOG = ".jsonl"
_ASIDE = re.compile(r"-[0-9]+\.jsonl\Z")


class OwnPlaces:
    """Files of a gate by their absolute paths, as values; upper and lower case are one, as they are for `places`.

    `files` must not be written to, `secret` ones not be read either, and `logs` have
    others beside them that were set aside (``audit-0000000001.jsonl`` for ``audit.jsonl``).
    """

    def __init__(self, files: Iterable[str], secret: Iterable[str] = (), logs: Iterable[str] = ()) -> None:
        self._secret = frozenset(map(_plain, secret))
        stems = frozenset(_plain(log).removesuffix(_LOG) for log in logs)
        one_aside = (f"{stem}-{1:010d}{_LOG}" for stem in stems)  # stands for all of them where a pattern is given
        self._stems = stems
        self._files = frozenset(map(_plain, files)) | self._secret | frozenset(one_aside)
        self._folders = frozenset(folder for file in self._files for folder in _above(file))

    def __contains__(self, full: str) -> bool:
        """Return whether a resolved path is one of these files, or a pattern that matches one."""
        return self._among(self._files, full) or self._is_aside(full.casefold().rstrip(STAR))

    def is_secret(self, full: str) -> bool:
        """Return whether a resolved path is, or matches, a file that holds a secret."""
        return self._among(self._secret, full)

    def below(self, full: str) -> bool:
        """Return whether one of these files lies in the folder of a resolved path, or in one that it matches."""
        return self._among(self._folders, full)

    def below_by_name(self, folder: str, names: Iterable[str]) -> bool:
        """Return whether one of these files lies somewhere below a folder and has a name that one pattern matches."""
        low = folder.casefold()
        inside = [file.rpartition("/")[2] for file in self._files if file.startswith(low + "/")]
        patterns = [name.casefold() for name in names]
        return any(
            any(matches(pattern, name) for name in inside) or self._is_aside(f"{low}/{pattern}") for pattern in patterns
        )

    def _is_aside(self, low: str) -> bool:
        found = _ASIDE.search(low)
        return found is not None and low[: found.start()] in self._stems

    @staticmethod
    def _among(known: frozenset[str], full: str) -> bool:
        low = full.casefold()
        if STAR not in low and ANY not in low:
            return low in known
        parts = low.split("/")
        return any(len(names) == len(parts) and all(map(matches, parts, names)) for names in map(_parts, known))


def _plain(path: str) -> str:
    return places.resolve(path, CWD).casefold()


def _parts(path: str) -> list[str]:
    return path.split("/")


def _above(file: str) -> Iterable[str]:
    """Return the folders above a file, but for the root and the home, whose loss is denied for its own sake."""
    top, *below = file.split("/")[:-1]
    return list(accumulate(below, "{}/{}".format, initial=top))[1:]
