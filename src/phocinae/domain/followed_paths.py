"""Where a path of the file system leads: over which links, and to what.

What looks at the file system is passed in, so that nothing here touches it.
"""

from __future__ import annotations

import stat
from collections.abc import Callable
from typing import Protocol

from attrs import frozen

from .trusted_paths import MOST_LINKS

MOST_STEPS = 4_096
"""The most folders and links of one way that are looked at."""


class Kind(Protocol):
    """What is known of a place in the file system, as `os.lstat` has it."""

    @property
    def st_mode(self) -> int:
        """Its kind and who may do what with it."""


@frozen(kw_only=True)
class FollowedPath:
    """A path that somebody is about to write to, and every absolute path that it comes to.

    `named` is the path as it was named.  `ways` are, each once: what it says by its text alone, what each link
    on the way makes of it, and at last where it leads.  `unclear` says why that is not known, and is empty where it is.
    """

    named: str
    ways: tuple[str, ...] = ()
    unclear: str = ""


_NOTHING_THERE = ""
_NO_LINK = 1 << 30
"""More parts than a path can have."""


def follow(named: str, absolute: str, lstat: Callable[[str], Kind], readlink: Callable[[str], str]) -> FollowedPath:
    """Return where an `absolute` POSIX path leads that was `named` so; what is not there yet is taken by its text.

    `lstat` and `readlink` are those of `os`; what they raise makes the way unclear.
    """
    ways, here, rest = [plainly(absolute)], "/", absolute.split("/")[::-1]
    links, of_link = 0, _NO_LINK  # so many parts are left where those of a link have been gone
    for _ in range(MOST_STEPS):
        if not rest:
            return FollowedPath(named=named, ways=_each_once(ways, here))
        name = rest.pop()
        if name in ("", ".", ".."):
            here = here.rpartition("/")[0] or "/" if name == ".." else here
            continue
        there = f"{here.rstrip('/')}/{name}"
        link, why = _look(there, lstat, readlink)
        if why is not None:
            if why is _NOTHING_THERE and len(rest) >= of_link:
                why = "it is a link to something that does not exist"
            return FollowedPath(named=named, ways=_each_once(ways, _ahead(there, rest)), unclear=why)
        if link is None:
            here, of_link = there, of_link if len(rest) >= of_link else _NO_LINK
            continue
        links += 1
        if links > MOST_LINKS:
            break
        of_link = min(of_link, len(rest))
        here = "/" if link.startswith("/") else here
        rest += link.split("/")[::-1]
        ways.append(plainly(_ahead(here, rest)))
    return FollowedPath(named=named, ways=tuple(dict.fromkeys(ways)), unclear="it leads over too many links or folders")


def plainly(path: str) -> str:
    """Return an absolute path without ``.``, ``..`` and doubled slashes, by its text alone."""
    kept: list[str] = []
    for name in path.split("/"):
        if name == "..":
            del kept[-1:]
        elif name not in ("", "."):
            kept.append(name)
    return "/" + "/".join(kept)


def _look(place: str, lstat: Callable[[str], Kind], readlink: Callable[[str], str]) -> tuple[str | None, str | None]:
    """Return what a link says, or None for another thing; and why that cannot be told, or None."""
    try:
        return readlink(place) if stat.S_ISLNK(lstat(place).st_mode) else None, None
    except FileNotFoundError:
        return None, _NOTHING_THERE
    except (OSError, ValueError) as error:  # ValueError: no path at all
        return None, getattr(error, "strerror", None) or "it is no path"


def _ahead(here: str, rest: list[str]) -> str:
    return "/".join([here, *rest[::-1]])


def _each_once(ways: list[str], end: str) -> tuple[str, ...]:
    end = plainly(end)
    return (*dict.fromkeys(way for way in ways if way != end), end)
