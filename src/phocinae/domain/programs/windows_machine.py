"""The machine under Windows: disks, boot, backups, logs and the tools that manage them.

Sources: the Windows command reference, pages of the programs.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..usage import Usage
from ..values import Stream
from .outlines import Descriptions, by_hand
from .windows_files import switched
from .windows_system import always, in_words, verbs


def _wmic(call: Call, _usage: Usage) -> Stream | None:
    text = in_words(call)
    low = text.lower()
    if re.search(r"(?:shadowcopy|shadowstorage|shadow)\b.*\bdelete\b", low):
        call.note("destroys-windows")
    elif re.search(r"\bsystemrestore\b.*\bdisable\b", low):
        call.note("disables-protection")
    elif re.search(r"\bos\b.*\b(?:reboot|shutdown|win32shutdown)\b", low):
        call.note("halts-machine")
    elif re.search(r"/format:\s*\S*(?:https?:|\\\\|//)", low):
        call.note("remote-code")
    elif created := re.search(r"(?i)\bcall\s+create\s+(.*)", text):
        from .windows_launch import cmd_text

        call.note("runs-code")
        cmd_text(call, call.word.with_text(created[1].strip("\"'")))
    elif re.search(
        r"\b(?:call|delete|create|set|assoc)\b|/(?!format:(?:list|table|csv|value)\b|value\b|all\b|every\b)\w", low
    ) or not re.search(r"\b(?:get|list)\b", low):
        call.note("windows-command")
    elif re.match(r"\s*environment\b", low):
        call.note("prints-secret")
    return None


_BOOT = re.compile(
    r"(?i).*(?:recoveryenabled\s+(?:no|off|false|0)\b|bootstatuspolicy\s+ignore|ignoreallfailures|safeboot|testsigning\s+(?:on|yes|true|1)\b"
    r"|nointegritychecks\s+(?:on|yes|true|1)\b|nx\s+alwaysoff|disableelamdrivers)"
)


def _boot(call: Call, _usage: Usage) -> None:
    words = [word.text.lower().lstrip("-/") for word in call.args]
    if words and (
        words[0] in ("delete", "import", "createstore") or (words[0] == "set" and _BOOT.match(in_words(call)))
    ):
        call.note("destroys-windows" if words[0] != "createstore" else "changes-system")
    elif words and words[0] not in ("enum", "v", "?", "export"):
        call.note("changes-system")
    elif words[:1] == ["export"]:
        call.note("changes-files")


def _partitions(call: Call, usage: Usage) -> None:
    """Diskpart: a script is what it does, from a file or from its input."""
    text = call.stdin.text
    harmless = text is not None and re.fullmatch(
        r"(?i)(?:\s*(?:list|detail|select|rescan|exit|rem)\b[^\n]*\n?)*\s*", text
    )
    if usage.has("/s") or (text is not None and text.strip() and not harmless):
        call.note("format-device")
    else:
        call.note("windows-command")


PROGRAMS = Descriptions(
    {
        "wmic wmic.exe": by_hand(_wmic),
        "vssadmin vssadmin.exe": verbs(r"list\b.*|/\?", r"delete\b|resize\b"),
        "wbadmin wbadmin.exe": verbs(r"get\b.*|/\?", r"delete\b|disable\b"),
        "bcdedit bcdedit.exe": by_hand(_boot),
        "diskpart diskpart.exe diskshadow diskshadow.exe": switched("/s:text /t:text", judge=_partitions),
        "wevtutil wevtutil.exe": verbs(
            r"(?:el|enum-logs|gl|get-log|ep|enum-publishers|gp|get-publisher|qe|query-events|gli|get-loginfo)\b.*|/\?",
            r"(?:cl|clear-log)\b|(?:sl|set-log)\b.*/e(?:nabled)?:f",
        ),
        "fsutil fsutil.exe": verbs(
            r"(?:fsinfo|volume (?:diskfree|query\w*|list)|usn (?:query\w*|read\w*)|file query\w+|dirty query|behavior query"
            r"|hardlink list|reparsepoint query|quota query)\b.*",
            r"usn\s+deletejournal\b|volume\s+dismount\b",
        ),
        "auditpol auditpol.exe": verbs(
            r"/(?:get|list)\b.*|/\?", r"/(?:clear|remove)\b|/set\b.*:disable", "disables-protection"
        ),
        "dism dism.exe": verbs(r"/online\s+/get-\w+(?:\s+/format:\w+)?\s*\Z|/\?"),
        "chkdsk chkdsk.exe": verbs(r"(?:[a-z]:)?\Z"),
        "sfc sfc.exe defrag defrag.exe mountvol mountvol.exe subst label convert.exe": always("windows-command"),
        "manage-bde manage-bde.exe": verbs(r"-status\b.*", r"-off\b|-protectors\s+-d", "disables-protection"),
        "reagentc reagentc.exe": verbs(r"/info\b.*", r"/disable\b", "disables-protection"),
        "mpcmdrun mpcmdrun.exe": verbs(r"-h", r".*-removedefinitions|.*-restore\b", "disables-protection"),
    }
)
