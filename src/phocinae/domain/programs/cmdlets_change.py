"""PowerShell's cmdlets that change files, folders and what else a provider's drive holds.

Source: PowerShell's help of each cmdlet; about_Registry_Provider, about_Alias_Provider, about_Function_Provider.
"""

from __future__ import annotations

import re
from functools import partial

from .. import effects, places
from ..calls import Call
from ..knowledge import Role
from ..places import Place
from ..usage import Usage
from ..values import HOLE, Field, Stream, Taint
from ..windows.parameters import cmdlet, drive_of, path
from .cmdlets import paths
from .outlines import Descriptions, Judge, Outline

_COMMON = "-Filter:text -Include:text -Exclude:text -Force -PassThru -Credential:risk -UseTransaction -Stream:text "
_NARROWS = ("-filter", "-include", "-exclude")
_STARTS = re.compile(
    r"(?i)(?:.*\\)?(?:currentversion\\(?:run(?:once|services|onceex)?|policies\\explorer\\run|winlogon|image file execution options|windows)"
    r"|control\\session manager|services|command processor|active setup)(?:\\.*)?\Z"
)
_GUARDS = re.compile(r"(?i)(?:.*\\)?(?:windows defender|policies\\system|windowsfirewall|lsa|amsi)(?:\\.*)?\Z")


def on_drive(call: Call, field: Field, *, deletes: bool) -> bool:
    """Weigh a change of what is no file: the registry, aliases, functions; return whether it is one."""
    found = drive_of(field)
    if found is None:
        return False
    drive, name = found
    name = name.replace("/", "\\")
    if drive in ("alias", "function", "variable", "env"):
        call.note("changes-shell", field)
    elif drive in ("hklm", "hkcu", "hku", "hkcr", "registry") and _STARTS.match(name) and not deletes:
        call.note("write-startup", field)
    elif _GUARDS.match(name) or (deletes and drive != "hkcu" and name.count("\\") < 2):
        call.note("destroys-windows")
    else:
        call.note("windows-command")
    return True


def _removes(call: Call, usage: Usage) -> Stream:
    found = paths(call, usage)
    narrowed = usage.has(*_NARROWS)
    for field in found:
        if on_drive(call, field, deletes=True):
            continue
        if narrowed and field.globbed:
            field = field.with_text(field.text + HOLE)
        recursive = usage.has("-recurse") or places.place(field.text, call.state.cwd) is Place.DEVICE
        effects.delete(call.walker, field, call.state, recursive=recursive)
    if not found:
        call.note("windows-command")
    return Stream("", call.taint)


def _writes(*names: str, made: bool = False) -> Judge:
    """Return a judge of a cmdlet that writes to the paths of these parameters."""

    def judge(call: Call, usage: Usage) -> Stream:
        targets = usage.values(*names)
        if made and (child := usage.values("-name")):
            folder = targets[0].text if targets else "."
            targets = [child[0].with_text(f"{folder}/{child[0].text}")]
        for field in targets:
            if not on_drive(call, field, deletes=False):
                call.take(Role.WRITE, field)
        if not targets:
            call.note("windows-command")
        return Stream(call.stdin.text, call.taint, call.stdin.item)

    return judge


def _copies(call: Call, usage: Usage) -> Stream:
    for field in paths(call, usage):
        call.take(Role.SCAN, field)
    call.note("changes-files")
    for field in usage.values("-destination"):
        if not on_drive(call, field, deletes=False):
            call.take(Role.WRITE, field)
    if usage.has("-tosession") or any(field.text.startswith("\\\\") for field in usage.values("-destination")):
        call.note("uses-network")
        if call.taint & Taint.SECRET:
            call.note("sends-secret")
    return Stream("", call.taint)


def _moves(call: Call, usage: Usage) -> Stream:
    for field in paths(call, usage):
        if not on_drive(call, field, deletes=True):
            effects.delete(call.walker, field, call.state, recursive=True)
    for field in usage.values("-destination", "-newname"):
        call.take(Role.WRITE, path(field))
    return Stream("", call.taint)


def _makes(call: Call, usage: Usage) -> Stream:
    kind = " ".join(field.text for field in usage.values("-itemtype", "-type"))
    if kind.lower() in ("symboliclink", "hardlink", "junction"):
        call.note("changes-files")
    return _writes("-path", made=True)(call, usage) or Stream("")


def _registry(call: Call, usage: Usage) -> Stream:
    for field in paths(call, usage):
        names = [value.text.lower() for value in usage.values("-name")]
        if any(name.startswith("disable") and ("realtime" in name or "antispyware" in name) for name in names):
            call.note("disables-protection")
        if not on_drive(call, field, deletes=False):
            call.take(Role.WRITE, field)
    return Stream("")


def _changes(spec: str, judge: Judge) -> Outline:
    return partial(cmdlet, spec, judge=judge)


_FILE = "-LiteralPath:path -PSPath:path -LP:path -Encoding:text -NoNewline -AsByteStream " + _COMMON

PROGRAMS = Descriptions(
    {
        "remove-item": _changes("Path:path -LiteralPath:path -PSPath:path -LP:path -Recurse " + _COMMON, _removes),
        "clear-item": _changes("Path:path -LiteralPath:path " + _COMMON, _writes("-path", "-literalpath")),
        "remove-itemproperty clear-itemproperty rename-itemproperty": _changes(
            "Path:path Name:text NewName:text -LiteralPath:path " + _COMMON, _registry
        ),
        "set-content add-content": _changes(
            "Path:path Value:text " + _FILE, _writes("-path", "-literalpath", "-pspath", "-lp")
        ),
        "clear-content": _changes("Path:path " + _FILE, _writes("-path", "-literalpath")),
        "out-file": _changes(
            "FilePath:path Encoding:text -LiteralPath:path -PSPath:path -Append -NoClobber -Width:text -NoNewline -Force "
            "-InputObject:text",
            _writes("-filepath", "-literalpath", "-pspath"),
        ),
        "tee-object": _changes(
            "FilePath:path -LiteralPath:path -Append -Variable:risk -Encoding:text -InputObject:text",
            _writes("-filepath", "-literalpath"),
        ),
        "new-item": _changes(
            "Path:path -Name:text -ItemType:text -Type:text -Value:text -Target:text " + _COMMON, _makes
        ),
        "set-item": _changes("Path:path Value:text -LiteralPath:path " + _COMMON, _writes("-path", "-literalpath")),
        "set-itemproperty new-itemproperty": _changes(
            "Path:path Name:text Value:text -LiteralPath:path -PropertyType:text -Type:text -InputObject:text "
            + _COMMON,
            _registry,
        ),
        "rename-item": _changes("Path:path NewName:text -LiteralPath:path " + _COMMON, _moves),
        "copy-item": _changes(
            "Path:path Destination:path -LiteralPath:path -Container -Recurse -FromSession:risk -ToSession:text "
            + _COMMON,
            _copies,
        ),
        "move-item": _changes("Path:path Destination:path -LiteralPath:path " + _COMMON, _moves),
        "export-csv export-clixml": _changes(
            "Path:path Delimiter:text -LiteralPath:path -NoTypeInformation -Encoding:text -Append -Force -NoClobber "
            "-InputObject:text -Depth:text -UseQuotes:text",
            _writes("-path", "-literalpath"),
        ),
        "compress-archive expand-archive": _changes(
            "Path:scan DestinationPath:path -LiteralPath:scan -CompressionLevel:text -Update -Force -PassThru",
            _writes("-destinationpath"),
        ),
        "set-acl": _changes("Path:path AclObject:text -LiteralPath:path -Passthru", _writes("-path", "-literalpath")),
        "clear-recyclebin": partial(cmdlet, "DriveLetter:text -Force", rule="windows-command"),
    }
)
