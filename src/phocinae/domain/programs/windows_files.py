"""Files and rights, as the programs of Windows change them.

Sources: the Windows command reference, pages of the programs.
"""

from __future__ import annotations

import re

from .. import effects
from ..calls import Call
from ..knowledge import Style
from ..places import Place, place
from ..usage import Usage
from ..values import ANY, STAR, Field, Stream, Taint
from .outlines import Descriptions, Judge, Outline, by_hand, outline


def switched(spec: str = "", operands: str = "", judge: Judge | None = None, rule: str = "") -> Outline:
    """Return an outline of a program with switches."""
    return outline(spec, operands, style=Style.WINDOWS, judge=judge, rule=rule)


def wild(field: Field) -> Field:
    """Return a path whose wildcards are alive even in quotes: programs expand them, not the shell."""
    return field.with_text(field.text.replace("*", STAR).replace("?", ANY))


def _deletes_trees(call: Call, usage: Usage) -> Stream | None:
    for field in usage.operands:
        effects.delete(call.walker, wild(field), call.state, recursive=True)
    return None


def _deletes(call: Call, usage: Usage) -> Stream | None:
    """Del and rd: with ``/s`` all folders below count."""
    for field in usage.operands:
        effects.delete(call.walker, wild(field), call.state, recursive=usage.has("/s"))
    if not usage.operands and not usage.has("/?"):
        call.note("windows-command")
    return None


def _writes_last(call: Call, usage: Usage) -> Stream | None:
    """Copy and its like: the last of several names is written, and a single one is copied to the current folder."""
    *sources, target = usage.operands or [call.word.with_text(".")]
    if not usage.has("/?"):
        call.note("changes-files")
    for field in sources or [target]:
        call.read(wild(field), prints=target.text.lower() in ("con", "con:"))
    if sources:
        _into(call, sources[0], target)
    return None


def _into(call: Call, source: Field, target: Field) -> None:
    """Weigh that a file is written to a target, or into it where it is a drive or a share."""
    if place(target.text, call.state.cwd) is Place.ROOT:
        name = re.split(r"[\\/]", source.text.rstrip("\\/"))[-1]
        target = target.with_text(target.text.rstrip("\\/") + "\\" + name)
    effects.write(call.walker, target, call.state)
    if target.text.startswith("\\\\") and not target.text.startswith(("\\\\?", "\\\\.")):
        call.note("uses-network", target)
        if call.taint & Taint.SECRET:
            call.note("sends-secret", target)


def _moves(call: Call, usage: Usage) -> Stream | None:
    """Move and rename: what is moved is gone from where it was."""
    *sources, target = usage.operands or [call.word.with_text(".")]
    if not usage.has("/?"):
        call.note("changes-files")
    for field in sources:
        if place(wild(field).text, call.state.cwd) is not Place.ORDINARY:
            effects.delete(call.walker, wild(field), call.state, recursive=True)
        else:
            effects.write(call.walker, wild(field), call.state)
    if sources and call.name.lower() not in ("ren", "rename"):
        _into(call, sources[0], target)
    return None


def _mirrors(call: Call, usage: Usage) -> Stream | None:
    """Robocopy: ``/mir`` and ``/purge`` delete what the source does not have, ``/move`` deletes the source."""
    if usage.has("/?"):
        return None
    call.note("changes-files")
    for field in usage.operands[:1]:
        call.read(field, prints=False)
    for field in usage.operands[1:2]:
        if usage.has("/mir", "/purge"):
            effects.delete(call.walker, field, call.state, recursive=True)
        _into(call, usage.operands[0], field)
    for field in usage.operands[:1]:
        if usage.has("/move", "/mov"):
            effects.delete(call.walker, field, call.state, recursive=True)
    return None


def _expands(call: Call, usage: Usage) -> Stream | None:
    """Expand: it unpacks cabinets into the last word, or beside them, unless ``-d`` lists what is in them."""
    if not usage.has("/d", "/?"):
        return _writes_last(call, usage)
    for field in usage.operands:
        call.read(wild(field), prints=False)
    return None


def _attributes(call: Call, usage: Usage) -> Stream | None:
    """Attrib: it shows the attributes of files, or changes them where one is named."""
    changes = [word for word in call.args if word.text[:1] in ("+", "-")]
    for word in call.args:
        if changes and word.text[:1] not in ("+", "-", "/"):
            effects.open_up(call.walker, wild(word), call.state)
        elif word.text[:1] == "/" and word.text.lower() not in ("/s", "/d", "/l", "/?"):
            call.note("unknown-option", word)
        elif word.unknown:
            call.note("unclear-word", word)
        effects.visit(call.walker, word, call.state)
    if changes:
        call.note("changes-rights", changes[0])
    return None


def _takes(call: Call, usage: Usage) -> Stream | None:
    fields = usage.values("/f")
    for field in fields:
        effects.open_up(call.walker, wild(field), call.state)
    if not fields and not usage.has("/?"):
        call.note("changes-files")
    return None


def _acl(call: Call, usage: Usage) -> Stream | None:
    """Icacls and cacls: with a name alone they show rights; all else changes them."""
    for word in call.args[:1]:
        effects.visit(call.walker, word, call.state)
    shows = [word for word in call.args[1:] if word.text.lower() in ("/t", "/c", "/l", "/q", "/?")]
    if len(call.args) - 1 > len(shows):
        effects.open_up(call.walker, wild(call.args[0]), call.state)
    elif any(word.unknown for word in call.args):
        call.note("unclear-word", call.args[0])
    return None


def _links(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("/?"):
        call.note("changes-files")
    for field in usage.operands[:1]:
        effects.write(call.walker, field, call.state)
    return None


def _formats(call: Call, usage: Usage) -> Stream | None:
    """Format: a drive or a volume is named by a letter, a path or a name that begins with two backslashes."""
    call.note("windows-command")
    for field in usage.operands[:1]:
        if _DRIVE.match(field.text):
            call.note("format-device", field)
    return None


def _wipes(call: Call, usage: Usage) -> Stream | None:
    """Cipher: ``/w`` overwrites all that is not in use on a volume."""
    if usage.has("/w"):
        call.note("destroys-windows")
    elif not usage.has("/?"):
        call.note("changes-files")
    return None


_DRIVE = re.compile(r"(?i)[\s,;=]*(?:[a-z]:|\\\\[.?]\\)")
_COPY = "/a /b /d /l /n /v /y /-y /z "
_XCOPY = (
    "/a /b /c /compress /d?text /e /exclude:text /f /g /h /i /j /k /l /m /n /noclone /o /p /q /r /s /sparse /t /u /v /w /x "
    "/y /-y /z "
)
_ROBOCOPY = (
    "/a+:text /a-:text /a /b /bytes /compress /copy:text /copyall /create /dcopy:text /dst /e /efsraw /eta /fat /fft /fp "
    "/ia:text /if /ipg:text /is /it /im /j /l /lev:text /lfsm?text /log:write /log+:write /m /max:text /maxage:text "
    "/maxlad:text /min:text /minage:text /minlad:text /mir /mon:text /mot:text /mov /move /mt?text /nc /ndl /nfl /njh "
    "/njs /nocopy /nodcopy /nooffload /np /ns /nosd /nodd /pf /purge /quit /r:text /reg /rh:text /s /save:write /sec "
    "/secfix /sj /sl /tbd /tee /timfix /ts /unicode /unilog:write /unilog+:write /v /w:text /x /xa:text /xc /xd:text "
    "/xf:text /xj /xjd /xjf /xl /xn /xo /xx /z /zb /job:text "
)
_DEL = "/p /f /s /q /a?text "

PROGRAMS = Descriptions(
    {
        "del erase": switched(_DEL, judge=_deletes),
        "rd": switched("/s /q", judge=_deletes),
        "deltree deltree.exe": switched("/y", judge=_deletes_trees),
        "copy": switched(_COPY, judge=_writes_last),
        "xcopy xcopy.exe": switched(_XCOPY, judge=_writes_last),
        "move ren": switched("/y /-y", judge=_moves),
        "robocopy robocopy.exe": switched(_ROBOCOPY, judge=_mirrors),
        "attrib attrib.exe": by_hand(_attributes),
        "takeown takeown.exe": switched("/f:text /a /r /d:text /skipsl /s:network /u:text /p:text", judge=_takes),
        "icacls icacls.exe cacls cacls.exe xcacls": by_hand(_acl),
        "mklink": switched("/d /h /j", judge=_links),
        "format format.com": switched(
            "/fs:text /v:text /q /l?text /a:text /c /x /r:text /d /p:text /s:text /t:text /n:text /f:text /i:text /y "
            "/txf:text /dax?text /logsize:text /norepairlogs",
            judge=_formats,
        ),
        "cipher cipher.exe": switched("/e /d /c /a /s:text /h /k /r:text /u /n /w:text /x?text /y /b", judge=_wipes),
        "expand.exe": switched("/r /i /d /f:text", judge=_expands),
        "compact compact.exe": switched("/c /u /s?text /a /i /f /q /exe?text /compactos?text", rule="changes-files"),
    }
)
