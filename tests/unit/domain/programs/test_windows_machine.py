"""The machine under Windows: disks, boot, backups and logs: what is allowed, held and denied in a text for cmd."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "wmic os get caption",
    "wmic cpu get name,numberofcores",
    "wmic process get name,processid",
    "wmic logicaldisk get size,freespace,caption",
    "vssadmin list shadows",
    "wbadmin get versions",
    "bcdedit",
    "bcdedit /enum",
    "wevtutil el",
    "fsutil fsinfo drives",
    "auditpol /get /category:*",
    "manage-bde -status",
    "wmic os get /format:list",
    "wevtutil qe System /c:5",
    "fsutil volume diskfree c:",
]
UNDECIDED = [
    'wmic process where name="notepad.exe" delete',
    "wmic process call create notepad",
    "diskpart",
    "bcdedit /timeout 5",
    "chkdsk /f",
    "sfc /scannow",
    "dism /online /cleanup-image /restorehealth",
    "chkdsk C: /f",
    "wmic os get caption /format:evil.xsl",
    "wmic /node:host os get caption",
    "fsutil file setzerodata offset=0 length=1 x",
    "wmic",
    "wmic os",
    "wmic process call terminate",
    "wmic datafile where \"name='x'\" delete",
    "vssadmin",
    "vssadmin create shadow",
    "wbadmin",
    "bcdedit /export x",
    "bcdedit /store x /enum",
    "wevtutil epl System x",
    "fsutil",
    "auditpol",
    'wmic process where name="x" call terminate',
    "wmic process 1234 delete",
    'wmic product where name="x" call uninstall',
    "bcdedit /timeout 10",
    "chkdsk D: /f",
    "defrag C:",
    "dism /online /enable-feature /featurename:x",
    "subst X: C:\\work",
    "label D: DATA",
    "fsutil file createnew x 100",
    "wevtutil epl System x.evtx",
    'auditpol /set /subcategory:"Logon" /success:enable',
    "vssadmin create shadow /for=C:",
    "wbadmin start backup -backuptarget:E:",
]
ASKED = [
    "wmic environment get",
]
DENIED = [
    "diskpart /s wipe.txt",
    "vssadmin delete shadows /all /quiet",
    "vssadmin resize shadowstorage /for=C: /on=C: /maxsize=401MB",
    "wbadmin delete catalog -quiet",
    "wmic shadowcopy delete",
    "wmic.exe shadowcopy where \"ID='x'\" delete",
    "bcdedit /set {default} recoveryenabled No",
    "bcdedit /set {default} bootstatuspolicy ignoreallfailures",
    "bcdedit /delete {current}",
    "wevtutil cl System",
    "wevtutil clear-log Security",
    "fsutil usn deletejournal /d C:",
    "auditpol /clear /y",
    "auditpol /set /category:* /success:disable",
    "reagentc /disable",
    "manage-bde -off C:",
    'wmic process call create "cmd /c rd /s /q C:\\"',
    'wmic process call create "powershell -enc SQBFAFgA"',
    "wevtutil sl Security /e:false",
    "bcdedit /set testsigning on",
    "bcdedit /set {current} safeboot minimal",
    "diskpart /s script.txt",
    "wmic /namespace:\\\\root\\default path SystemRestore call Disable",
    "wmic os where primary=1 reboot",
    "vssadmin Delete Shadows /For=C: /Oldest",
    "wbadmin delete systemstatebackup -keepversions:0",
    "fsutil usn deletejournal /D C:",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
        *((command, "deny") for command in DENIED),
    ],
)
def test_verdict(judged_cmd: Callable[[str], str], command: str, answer: str) -> None:
    assert judged_cmd(command) == answer
