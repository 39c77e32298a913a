"""Pools, volumes and arrays: destroying a whole one, or the signature of a device, is denied like formatting it.

To remove one named snapshot, subvolume or file system is like deleting a named folder.

Sources: zpool(8), zfs(8), lvm(8) with pvcreate(8), pvremove(8), vgremove(8) and lvremove(8), mdadm(8), btrfs(8),
bcachefs(8), dmsetup(8), xfs_repair(8), sg_format(8), sg_sanitize(8).
"""

from __future__ import annotations

import re
from collections.abc import Callable

from .. import places
from ..calls import Call
from ..knowledge import Program, Style, program
from ..places import Place
from ..usage import Usage
from ..values import Stream

_FORCED = re.compile(r"-[a-z]*[fy][a-z]*\Z|--(?:force|yes)\Z")
_TWICE = re.compile(r"-[a-z]*ff|-[a-z]*y|--yes\Z")
_DRY = re.compile(r"-[a-zA-Z]*n[a-zA-Z]*\Z|--(?:test|dry-run)\Z|-[a-z]*t\Z")
_RECURSIVE = re.compile(r"-[a-zA-Z]*[rR]")


def _device(words: list[str]) -> bool:
    return any(places.place(word, "/") is Place.DEVICE for word in words if word[:1] == "/")


def _zpool(words: list[str]) -> bool:
    forced = any(map(_FORCED.match, words)) and not any(map(_DRY.match, words))
    return words[:1] in (["destroy"], ["labelclear"]) or (words[:1] == ["create"] and (forced or _device(words)))


def _zfs(words: list[str]) -> bool:
    """Return whether a file system goes with all that is below it; one snapshot is named for itself."""
    recursive = any(map(_RECURSIVE.match, words[1:])) and not any(map(_DRY.match, words))
    return words[:1] == ["destroy"] and recursive and not any("@" in word for word in words)


def _lvm(words: list[str]) -> bool:
    return words[:1] in (["pvcreate"], ["pvremove"], ["vgremove"], ["lvremove"]) and _DESTROYS[words[0]](words[1:])


def _forced_twice(words: list[str]) -> bool:
    forces = sum(word in ("-f", "--force") for word in words)
    return forces > 1 or any(map(_TWICE.match, words))


def _forced(words: list[str]) -> bool:
    return any(map(_FORCED.match, words))


def _always(words: list[str]) -> bool:
    return bool(words) and not any(word in ("--help", "-h", "--version", "-V", "--test", "-t") for word in words)


_DESTROYS: dict[str, Callable[[list[str]], bool]] = {
    "zpool": _zpool,
    "zfs": _zfs,
    "lvm": _lvm,
    "pvcreate": _forced_twice,
    "pvremove": _always,
    "vgremove": _always,
    "lvremove": _forced,
    "mdadm": lambda words: "--zero-superblock" in words,
    "bcachefs": lambda words: words[:1] == ["format"] and _device(words),
    "dmsetup": lambda words: words[:1] in (["remove_all"], ["wipe_table"]),
    "xfs_repair": lambda words: "-L" in words,
    "sg_format": lambda words: any(re.match(r"--(?:format|tape)|-[a-zA-Z]*[FT]", word) for word in words),
    "sg_sanitize": lambda words: any(re.match(r"--(?:block|crypto|overwrite)|-[A-Z]*[BCO]", word) for word in words),
    "btrfs": lambda _words: False,
}
"""For each program whether its words destroy a whole pool, volume or device."""


def _weigh(call: Call, usage: Usage) -> Stream | None:
    if _DESTROYS[call.name]([word.text for word in call.args]):
        call.note("format-device")
    return None


PROGRAMS: dict[str, Program] = dict.fromkeys(
    _DESTROYS, program("", "", style=Style.NONE, rule="not-harmless", judge=_weigh)
)
