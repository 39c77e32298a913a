"""Programs of macOS that say something about the machine and its files.

Sources: the manual pages of defaults, system_profiler, mdfind, mdls, plutil, scutil, pmset, ioreg, xcode-select and networksetup.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .judging import reads
from .outlines import Descriptions, outline

_LISTING = ("-list", "-get", "-show", "-version", "-help", "-printcommands")


_OPEN_DOMAIN = re.compile(
    r"(?:com\.apple\.[\w.-]+|NSGlobalDomain|-g|-globalDomain|/Library/Preferences/com\.apple\.[\w.-]+)\Z"
)


def _defaults(call: Call, _usage: Usage) -> Stream | None:
    """Judge defaults, which prints settings; those of other programs may hold tokens."""
    words = [word.text for word in call.args if word.text not in ("-currentHost",)]
    if words[:1] == ["domains"] and len(words) == 1:
        return None
    if words[:1] not in (["read"], ["read-type"]):
        call.note("changes-system")
    elif len(words) < 2 or not _OPEN_DOMAIN.match(words[1]):
        call.note("prints-secret")
    return None


def _codesign(call: Call, usage: Usage) -> Stream | None:
    shows = any(option.name.startswith(("-d", "-v", "--display", "--verify")) for option, _ in usage.options)
    if not shows:
        call.note("changes-files")
    return None


def _plutil(call: Call, usage: Usage) -> Stream | None:
    """Judge plutil, which prints with ``-p`` and checks with ``-lint`` or without a command."""
    reads(call, usage.operands)
    return None


def _scutil(call: Call, usage: Usage) -> Stream | None:
    if not usage.names:
        call.note("not-harmless")
    return None


def _networksetup(call: Call, _usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if words and not words[0].startswith(_LISTING):
        call.note("changes-system")
    if any("password" in word.lower() for word in words):
        call.note("prints-secret")
    return None


def _pmset(call: Call, usage: Usage) -> Stream | None:
    if not call.args or call.args[0].text != "-g":
        call.note("changes-system")
    return None


PROGRAMS = Descriptions(
    {
        "defaults": outline("", "text*", style=Style.NONE, judge=_defaults),
        "lipo": outline("-info -archs -detailed_info", "scan*"),
        "codesign": outline(
            "-d -v -vv -vvv -vvvv -dv -dvv -dvvv -dvvvv --display --verbose?text --verify --deep --strict?text "
            "--entitlements:write -R:text",
            "scan*",
            judge=_codesign,
        ),
        "system_profiler": outline(
            "-listDataTypes -xml -json -detailLevel:text -timeout:text -usage", "text*", style=Style.LONG
        ),
        "mdfind": outline("-0 -live -count -onlyin:path -name:text -literal -interpret -s:text", "text*"),
        "mdls": outline("-name:text -raw -nullMarker:text -attr:text", "path*"),
        "plutil": outline("-p -lint -s", judge=_plutil),
        "scutil": outline("--dns --proxy --nwi --get:text -r:text -W", judge=_scutil),
        "networksetup": outline("", "text*", style=Style.NONE, judge=_networksetup),
        "pmset": outline("-g", "text*", judge=_pmset),
        "ioreg": outline("-a -b -c:text -d:text -f -i -k:text -l -n:text -p:text -r -S -t -w:text -x -y"),
        "xcode-select": outline("-p -v -h --print-path"),
    }
)
