"""Programs that delete files, and programs that write or wipe storage devices.

Sources: the GNU coreutils manual (rm, rmdir, unlink, shred, dd), rm(1) of BSD, mkfs(8),
wipe(1), gio(1), wipefs(8), sgdisk(8), parted(8), cryptsetup(8), diskutil(8), blkdiscard(8), hdparm(8), nvme(1).
"""

from __future__ import annotations

import re

from .. import effects, places
from ..calls import Call
from ..knowledge import Program, Style, program
from ..places import Place
from ..usage import Usage
from ..values import Field, Stream

_RECURSIVE = re.compile(r"-[A-Za-z]*[rR]|--r(?:e(?:c(?:u(?:r(?:s(?:i(?:ve?)?)?)?)?)?)?)?\Z")


def _targets(call: Call) -> tuple[list[Field], bool]:
    """Return the operands of rm and whether it recurses; read leniently, since a deny must not hang on an option."""
    targets, recursive, ended = [], False, False
    for word in call.args:
        if not ended and word.text == "--":
            ended = True
        elif not ended and word.text.startswith("-") and len(word.text) > 1:
            recursive = recursive or _RECURSIVE.match(word.text) is not None
        else:
            targets.append(word)
    return targets, recursive


def _rm(call: Call, usage: Usage) -> Stream | None:
    targets, recursive = _targets(call)
    named = [word for word in targets if word.text]  # no file has an empty name
    for word in named:
        effects.delete(call.walker, word, call.state, recursive=recursive)
    if not named and [word.text for word in call.args] not in (["--help"], ["--version"]):
        call.note("changes-files")
    return None


def _rmdir(call: Call, usage: Usage) -> Stream | None:
    for word in usage.operands:
        effects.delete(call.walker, word, call.state, recursive=False)
    return None


def _trash(call: Call, usage: Usage) -> Stream | None:
    """Weigh what is put aside: a home or the whole system does not come back by itself."""
    for word in usage.operands:
        whole = places.place(word.text, call.state.cwd) in (Place.ROOT, Place.HOME)
        effects.delete(call.walker, word, call.state, recursive=whole)
    return None


def _gio(call: Call, usage: Usage) -> Stream | None:
    verb = usage.operands[0].text if usage.operands else ""
    if verb in ("trash", "remove"):
        return _trash(call, Usage(operands=tuple(word for word in usage.operands[1:] if word.text[:1] != "-")))
    call.note("unknown-subcommand")
    return None


def _dd(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-files")
    files = {word.text[:3]: word.with_text(word.text[3:]) for word in call.args if word.text[:3] in ("of=", "if=")}
    source, target = files.get("if="), files.get("of=")
    if source is not None:
        call.read(source)
    if target is not None:
        effects.write(call.walker, target, call.state)
        for content in [call.stdin] if source is None else call.contents(source):
            call.wrote(target, content)
    return None


def _shred(call: Call, usage: Usage) -> Stream | None:
    for word in usage.operands:
        if _is_device(call, word):
            call.note("write-device", word)
        else:
            effects.delete(call.walker, word, call.state, recursive=False)
    return None


def _is_device(call: Call, word: Field) -> bool:
    return places.place(word.text, call.state.cwd) is Place.DEVICE


def _formats(call: Call, usage: Usage) -> Stream | None:
    """mkfs and its like: denied on a device, a change of a file otherwise."""
    if any(_is_device(call, word) for word in call.args):
        call.note("format-device")
    return None


_LISTS_ONLY = frozenset(
    [
        "-l",
        "--list",
        "-p",
        "--print",
        "-i",
        "--info",
        "-v",
        "--verify",
        "-V",
        "-n",
        "--no-act",
        "--version",
        "--help",
        "print",
        "list",
        "info",
    ]
)


_ONLY_LOOKS = re.compile(r"(?:(?:p|F|i|l|m|q|print|quit|help|list)?\s*\n)*(?:p|F|i|l|m|q|print|quit|help|list)?\s*")
"""Commands of partition editors, one a line, that show something (fdisk(8), parted(8))."""


def _partitions(call: Call, usage: Usage) -> Stream | None:
    """Partition editors: looking is a matter for a person, anything else on a device is denied."""
    asked = call.stdin.text is not None and _ONLY_LOOKS.fullmatch(call.stdin.text)
    looks = asked or any(word.text in _LISTS_ONLY for word in call.args)
    if any(_is_device(call, word) for word in call.args) and not looks:
        call.note("format-device")
    return None


_CRYPT_DESTROYS = frozenset(
    ["luksFormat", "erase", "luksErase", "reencrypt", "luksKillSlot", "luksRemoveKey", "luksDelKey"]
)


def _cryptsetup(call: Call, usage: Usage) -> Stream | None:
    if any(word.text in _CRYPT_DESTROYS for word in call.args):
        call.note("format-device")
    return None


_DISKUTIL_DESTROYS = re.compile(r"(?i)(?:erase|zero|random|secureErase|partition|reformat|apfs)")


def _diskutil(call: Call, usage: Usage) -> Stream | None:
    if call.args and _DISKUTIL_DESTROYS.match(call.args[0].text):
        call.note("format-device")
    return None


_BLOCK_WRITES = re.compile(
    r"-[a-z]*w|--(?:security-(?:erase|set-pass)|trim-sector|write-sector|make-bad|repair-sector|fallocate|sanitize|dco-restore)"
)


def _discards(call: Call, usage: Usage) -> Stream | None:
    """blkdiscard always writes; badblocks and hdparm write with some options only."""
    device = next((word for word in call.args if _is_device(call, word)), None)
    writes = call.name == "blkdiscard" or any(_BLOCK_WRITES.match(word.text) for word in call.args)
    if device is not None and writes:
        call.note("write-device", device)
    return None


def _nvme(call: Call, usage: Usage) -> Stream | None:
    if call.args and call.args[0].text in ("format", "sanitize", "write", "write-zeroes", "dsm"):
        call.note("format-device")
    return None


def _raw(judge: object, rule: str) -> Program:
    return program("", "", style=Style.NONE, rule=rule, judge=judge)


_MKFS = _raw(_formats, "changes-files")

PROGRAMS: dict[str, Program] = {
    "rm": _raw(_rm, ""),
    "grm": _raw(_rm, ""),
    "srm": _raw(_rm, ""),
    "wipe": _raw(_rm, ""),
    "rmdir": program("-p --parents -v --verbose --ignore-fail-on-non-empty", style=Style.GNU, judge=_rmdir),
    "unlink": program("", "delete"),
    "gio": program("", "text*", style=Style.NONE, judge=_gio),
    "trash": program("-v -F", judge=_trash),
    "trash-put": program("-v --verbose --trash-dir:text -i -f", judge=_trash),
    "shred": program(
        "-f --force -n:text --iterations:text --random-source:read -s:text --size:text -u --remove?text -v --verbose -x --exact -z --zero",
        judge=_shred,
    ),
    **dict.fromkeys(["dd", "dcfldd", "dc3dd"], _raw(_dd, "")),
    **dict.fromkeys(
        "mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkdosfs mkntfs mkswap newfs newfs_msdos".split(),
        _MKFS,
    ),
    **dict.fromkeys("wipefs fdisk sfdisk cfdisk gdisk sgdisk parted".split(), _raw(_partitions, "changes-system")),
    "cryptsetup": _raw(_cryptsetup, "changes-system"),
    "diskutil": _raw(_diskutil, "changes-system"),
    "blkdiscard": _raw(_discards, "changes-system"),
    "badblocks": _raw(_discards, "changes-system"),
    "hdparm": _raw(_discards, "changes-system"),
    "nvme": _raw(_nvme, "changes-system"),
}
