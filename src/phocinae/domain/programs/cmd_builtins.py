"""What cmd runs under a name that means something else elsewhere, or nothing: its own commands.

Sources: the Windows command reference, pages of the commands.
"""

from __future__ import annotations

import re
from functools import partial

from .. import effects, places
from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import ANY, HOLE, LISTED, NO_STREAM, SPLIT, STAR, Stream, Taint
from ..variables import SECRET_NAME
from .outlines import Descriptions, Outline, by_hand, outline
from .windows_files import PROGRAMS as FILES
from .windows_files import switched, wild
from .windows_tools import prints

_HARMLESS_NAMES = re.compile(
    r"(?i)(?:path|pathext|os|temp|tmp|userprofile|username|computername|windir|systemroot|comspec|processor_\w+"
    r"|number_of_processors|homepath|homedrive|appdata|localappdata|programfiles\S*|programdata)\Z"
)


def _echo(call: Call, _usage: Usage) -> Stream:
    text = call.args[0].text if call.args else ""
    return Stream(text + "\n", call.taint, text)


def _set(call: Call, _usage: Usage) -> Stream | None:
    """Set prints the variables whose names begin with a word, or changes one."""
    text = call.args[0].text.strip() if call.args else ""
    if re.match(r"(?i)/a(?![a-z])", text):
        if "=" in text:
            call.note("changes-shell")
        return None
    if "=" in text or text.lower().startswith("/p"):
        call.note("changes-shell")
        return NO_STREAM
    if not _HARMLESS_NAMES.match(text.strip('"')) or SECRET_NAME.search(text.upper()):
        call.note("prints-secret")
        return Stream(None, Taint.SECRET)
    return None


def _setting(rule: str, sign: str, call: Call, _usage: Usage) -> None:
    """Commands that show a setting, or change it when they are given words with this sign in them."""
    if any(sign in word.text for word in call.args):
        call.note(rule)


def _shows(rule: str = "changes-shell", sign: str = "") -> Outline:
    return by_hand(partial(_setting, rule, sign))


def _cd(call: Call, usage: Usage) -> Stream:
    target = usage.operands[0] if usage.operands else None
    if target is not None:
        effects.visit(call.walker, target, call.state)
        drive = target.text[1:2] == ":" and not usage.has("/d") and call.name not in ("pushd",)
        unknown = target.unknown or target.globbed
        call.state.cwd = HOLE if unknown else places.resolve(target.text, call.state.cwd)
        if drive:  # it may change the folder of another drive only
            call.walker.guessable = True
            call.state.cwd = call.state.cwd if call.walker.guesses else HOLE
    return NO_STREAM


def _visits(call: Call, usage: Usage) -> None:
    for field in usage.operands:
        effects.visit(call.walker, field, call.state)


def _dir(call: Call, usage: Usage) -> Stream | None:
    """With ``/b`` names alone come out, and with ``/s`` the paths of all files in a tree."""
    _visits(call, usage)
    if not usage.has("/b") or len(usage.operands) > 1:
        return None
    path = wild(usage.operands[0]).text if usage.operands else "."
    if usage.has("/s"):
        pattern = STAR in path or ANY in path
        return Stream(None, call.taint, path if pattern else path.rstrip("\\/") + "\\" + STAR)
    call.walker.listed.add(places.resolve(path, call.state.cwd))
    return Stream(None, call.taint, SPLIT + LISTED)


def _popd(call: Call, _usage: Usage) -> Stream:
    call.state.cwd = HOLE
    return NO_STREAM


def _moment(call: Call, usage: Usage) -> None:
    """Date and time show with ``/t``, and ask for another one or set it without."""
    if usage.operands or not usage.has("/t", "/?"):
        call.note("changes-system")


_TEXT: Outline = outline("", "text*", style=Style.NONE)
_DIR = "/a?text /b /c /-c /d /l /n /o?text /p /q /r /s /t?text /w /x /4"

PROGRAMS = Descriptions(
    {
        "echo": by_hand(_echo),
        "type": switched("", judge=prints),
        "dir": switched(_DIR, judge=_dir),
        "vol": switched("", "path"),
        "ver cls endlocal": switched(),
        "setlocal title color verify break exit rem": _TEXT,
        "cd chdir": switched("/d", judge=_cd),
        "pushd": switched("", judge=_cd),
        "popd": by_hand(_popd),
        "set": by_hand(_set),
        "path prompt": _shows(),
        "chcp": _shows(),
        "assoc ftype": _shows("changes-system", "="),
        "date time": switched("/t", judge=_moment),
        "goto shift pause choice call": outline("", "text*", style=Style.NONE, rule="not-harmless"),
        "md mkdir": switched("", "write*"),
        "rename": lambda: FILES["ren"],
        "rmdir": lambda: FILES["rd"],
    }
)
"""Names that are looked up here before they are looked up among the programs of all families."""
