"""Which place of a file system a Windows path names; loaded only where a path has a backslash or a drive.

Names are compared in lower case.  The folder of any user counts as the home directory.
Source: Microsoft, "Naming Files, Paths, and Namespaces" and "Recognized environment variables".
"""

from __future__ import annotations

import re

from .. import places
from ..places import Place
from ..secrets import matches
from ..values import ANY, CWD, HOLE, HOME, SPLIT, STAR

_PROVIDER = re.compile(r"(?i)(?:microsoft\.powershell\.core/)?filesystem::")
_VERBATIM = re.compile(f"//[?.{ANY}]/(?:(?=[a-z]:/)|(unc/))")
"""The prefix that switches off the reading of a path; it may stand in front of a drive or a share."""
_DRIVE = re.compile(r"([a-z]):(.*)\Z", re.S)
_ADMIN_SHARE = re.compile(r"//[^/]+/([a-z])\$(/.*)?\Z", re.S)
_SHARE = re.compile(r"//[^/]+(?:/[^/]+)?\Z")
_RAW_DEVICE = re.compile(f"//[.?{ANY}]/(?:[a-z]:\\Z|physicaldrive|harddisk|globalroot|volume|cdrom)")
_GLOB_ALL = re.compile(rf"[{STAR}{ANY}*?.]*[{STAR}{ANY}*?][{STAR}{ANY}*?.]*\Z")
_STREAM = re.compile(r"::?[^/]*")
_SHORT = {
    "progra~1": "program files",
    "progra~2": "program files (x86)",
    "progra~3": "programdata",
    "docume~1": "documents and settings",
    "system~1": "system volume information",
}
"""The names of eight letters and three that a usual installation gives to folders of the drive."""

_SYSTEM_TREES = frozenset(
    [
        "windows", "winnt", "program files", "program files (x86)", "program files (arm)", "boot",
        "recovery", "efi", "system volume information", "perflogs", "msocache", "bootmgr", "bootnxt", "boot.ini",
        "ntldr", "ntdetect.com", "pagefile.sys", "hiberfil.sys", "swapfile.sys", "config.sys", "autoexec.bat",
    ]
)  # fmt: skip
"""Folders and files of a drive that belong to the system with all that is in them."""

_HOUSES = ("users", "documents and settings")
_LOST_SLASH = re.compile(
    rf"(?:{'|'.join(re.escape(name) for name in (*sorted(_SYSTEM_TREES), *_HOUSES))})(?:/|[{STAR}*]?\Z)"
)
"""What stands behind a drive whose backslash a POSIX shell took for a quote, where people mean the folder."""
_SHARED_HOMES = frozenset(["public", "default", "default user", "all users"])
_HOME_ITSELF = re.compile(rf"{HOME}(?:/appdata(?:/(?:roaming|local|locallow))?)?\Z")
_CLEANED = re.compile(r"windows/temp(?:/|\Z)", re.S)
"""Folders of the system in which people clean up."""
_SYSTEM_DATA = re.compile(r"programdata(?:/microsoft(?:/.*)?|/package cache)?\Z", re.S)


def resolve(path: str, cwd: str) -> str:
    """Return a path as an absolute value in lower case, with slashes, and with `HOME` for the folder of a user.

    A drive is in front of the first slash; a path on no drive is resolved like one of POSIX.
    """
    text = _PROVIDER.sub("", path.replace("\\", "/").lower())
    text = _VERBATIM.sub(lambda match: "//" if match[1] else "", text)
    share = _ADMIN_SHARE.match(text)
    if share is not None:
        text = f"{share[1]}:{share[2] or '/'}"
    drive = _DRIVE.match(text)
    if drive is not None:
        rest = drive[2]
        if not rest or rest[0] in ("/", STAR, ANY, "*") or _LOST_SLASH.match(rest):
            return _on_drive(drive[1], rest)
        text = rest  # taken from the current folder of that drive
    start = cwd.lower()
    if start[1:2] == ":" and text[:1] not in (HOME, CWD) and not text.startswith("//"):
        return _on_drive(start[0], text if text.startswith("/") else f"{start[2:]}/{text}")
    if text.startswith("//"):
        return text.rstrip("/")
    return places.resolve("/".join(_name(name) for name in text.split("/")), CWD if start[1:2] == ":" else cwd)


def _on_drive(letter: str, path: str) -> str:
    kept: list[str] = []
    for name in map(_name, path.split("/")):
        if name == "..":
            del kept[-1:]
        elif name not in ("", "."):
            kept.append(name)
    if len(kept) > 1 and kept[0] in _HOUSES and kept[1] not in _SHARED_HOMES and not _GLOB_ALL.match(kept[1]):
        return "/".join([HOME, *kept[2:]])
    return f"{letter}:/" + "/".join(kept)


def _name(name: str) -> str:
    """Return the name of a folder as the system takes it: without its stream, and blanks or dots at its end."""
    if name in (".", ".."):
        return name
    name = _STREAM.sub("", name).rstrip(" .")
    return _SHORT.get(name, name)


def place(path: str, cwd: str = CWD) -> Place:
    """Return what a Windows path names when it is taken from `cwd`; a wildcard for all names counts as its folder."""
    full = resolve(path.rstrip(SPLIT) if STAR in path else path, cwd)
    folder, _, last = full.rpartition("/")
    while _GLOB_ALL.match(last):
        full = folder + "/" if folder[-1:] == ":" else folder or "/"
        folder, _, last = folder.rpartition("/")
    if _RAW_DEVICE.match(full):
        return Place.DEVICE
    if full.startswith("//"):
        return Place.ROOT if _SHARE.match(full) else Place.ORDINARY
    if _HOME_ITSELF.match(full):
        return Place.HOME
    if full[1:3] == ":/":
        return _on_a_drive(full[3:])
    found = places.place(full, CWD)
    return _on_a_drive(full[1:]) if found is Place.ORDINARY and full.startswith("/") else found


def _on_a_drive(below: str) -> Place:
    top, _, rest = below.partition("/")
    if not top:
        return Place.ROOT
    if _CLEANED.match(below):
        return Place.ORDINARY
    if top in _SYSTEM_TREES or _SYSTEM_DATA.match(below):
        return Place.SYSTEM
    if top in _HOUSES:
        return Place.HOME if not rest or "/" not in rest else Place.ORDINARY
    if HOLE not in top and (STAR in top or ANY in top or "*" in top):
        pattern = top.replace("*", STAR).replace("?", ANY)
        if any(matches(pattern, name) for name in (*_SYSTEM_TREES, *_HOUSES)):
            return Place.SYSTEM
    return Place.ORDINARY
