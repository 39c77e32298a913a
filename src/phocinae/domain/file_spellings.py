"""The ways in which a system, or the tool that opens a file, may read one path.

A name that means two things on two systems is judged as both: the strictest counts.
Sources: Microsoft, "Naming Files, Paths, and Namespaces"; Apple, TN1150 (characters that HFS Plus ignores);
POSIX XCU 2.6.1 (tilde expansion).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .patterns import lazily
from .values import CWD, HOME, plain

UNCLEAR = ""
"""Stands for a reading of which nobody can tell where it leads."""

_HEAD = lazily(r"([^/\\]*)([/\\].*)?\Z", re.S)
_USER = lazily(r"~([A-Za-z_][\w-]*)\Z")
_HOME_VARIABLE = lazily(
    r"(?i)~|\$home|\$\{home\}|\$env:(?:home|userprofile)|\$\{env:(?:home|userprofile)\}|%(?:userprofile|homepath|home)%"
)
_VARIABLE = lazily(r"\$[A-Z_][A-Z0-9_]*|\$\{\w+\}|(?i:\$env:\w+|\$\{env:\w+\}|%[\w()]+%|\$\(.*|`.*)")
_WINDOWS = lazily(r"[A-Za-z]:|\\|(?i:(?:microsoft\.powershell\.core\\)?filesystem::)")
_WSL_DRIVE = lazily(
    r"(?i)/(?:mnt|cygdrive)/([a-z])(?=/|\Z)|/([a-z])(?=/(?:windows|users|program files|programdata)(?:/|\Z))"
)
_WSL_SHARE = lazily(r"//wsl(?:\$|\.localhost)/[^/]+(/.*)?\Z", re.S)
_ODD = lazily(r"[\\:]|[ .](?:/|\Z)|~[0-9]")
"""What Windows reads in another way than POSIX: its separator, streams, ends that it cuts off, short names."""

_SHORT = lazily(r"(?<=/)[^/.]{1,6}~[0-9]{1,6}(?:\.[^/.]{0,3})?(?=/|\Z)")
_IGNORED = dict.fromkeys((0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)))


def named(text: str) -> Iterator[str]:
    """Yield what a path says where the tool expands its beginning, or takes it for one of Windows.

    `UNCLEAR` stands for a beginning that is expanded to nobody knows what.
    """
    found = _HEAD.match(text)
    head, rest = (found[1], found[2] or "") if found else (text, "")
    if text[:5].casefold() == "file:":
        yield UNCLEAR
    elif _HOME_VARIABLE.fullmatch(head):
        yield from readings(HOME + rest.replace("\\", "/"))
    elif user := _USER.match(head):
        yield from readings(("/root" if user[1] == "root" else f"/home/{user[1]}") + rest)
    elif rest and _VARIABLE.fullmatch(head):
        yield UNCLEAR
    if _WINDOWS.match(text):
        yield text.replace("\\", "/")  # as it is spelled, for what is known by its whole path
        yield from _as_windows(plain(text))


def readings(way: str) -> Iterator[str]:
    """Yield the values that an absolute path may come to."""
    text = plain(way) if way[:1] != HOME else HOME + plain(way[1:])
    yield text
    if not text.isascii():
        bare = text.translate(_IGNORED)
        if bare != text:
            yield bare
            text = bare
    drive = _WSL_DRIVE.match(text)
    if drive is not None:
        yield from _as_windows(f"{drive[1] or drive[2]}:/{text[drive.end() + 1 :]}")
    if _ODD.search(text):
        yield from _as_windows(text)


def _as_windows(text: str) -> Iterator[str]:
    from .windows import places as windows  # for the few paths that look like one

    full = windows.resolve(text, CWD)
    share = _WSL_SHARE.match(full)
    if share is not None:
        full = share[1] or "/"
    full = full.replace("/git~1", "/.git")
    yield full
    if _SHORT.search(full):
        yield UNCLEAR
