"""Cmdlets that change files and what else a provider's drive holds."""

from __future__ import annotations

from collections.abc import Callable

import pytest

UNDECIDED = [
    "Remove-Item notes.txt",
    "Remove-Item -Recurse -Force .\\build",
    "Remove-Item -Recurse C:\\Users\\me\\project\\build",
    "Remove-Item C:\\temp\\*.log",
    "Remove-Item -Recurse -Force C:\\ -WhatIf",
    "Format-Volume -DriveLetter C -WhatIf:$true",
    "Remove-Item C:\\temp\\* -Include *.tmp -Recurse",
    "Get-ChildItem C:\\temp -Filter *.log | Remove-Item",
    "Get-ChildItem build | ForEach-Object { Remove-Item $_.FullName -Recurse }",
    "Get-ChildItem C:\\ -Filter *.log | Remove-Item",
    "Set-Content out.txt hello",
    "Add-Content -Path out.txt -Value hello",
    "Get-Date | Out-File out.txt",
    "Get-Date | Tee-Object out.txt",
    "New-Item -ItemType Directory -Path build",
    "New-Item -Path . -Name x.txt",
    "Copy-Item a b",
    "Copy-Item .env backup",
    "Move-Item a b",
    "Rename-Item a b",
    "Compress-Archive src x.zip",
    "Set-ItemProperty HKCU:\\Software\\Mine -Name x -Value 1",
    "Set-Item Env:X 1",
    "New-Item function:x",
]
DENIED = [
    "Remove-Item -Recurse -Force C:\\",
    "Remove-Item -Recurse -Force 'C:\\*'",
    "Remove-Item -Recurse -LiteralPath 'C:\\Program Files'",
    "Remove-Item -Recurse $env:SystemRoot",
    "Remove-Item -Recurse \"$env:USERPROFILE\"",
    "Remove-Item $env:SystemDrive\\* -Recurse",
    "Remove-Item -Recurse a, C:\\Users, b",
    "Remove-Item -Recurse -Force C:\\ -WhatIf:$false",
    "Remove-Item -Recurse -Force C:\\ '-WhatIf'",
    "Remove-Item -Path:C:\\ -Recurse:$true",
    "Get-ChildItem C:\\ | Remove-Item -Recurse",
    "Get-ChildItem -Path C:\\Windows -Recurse | Where-Object { $_.Length } | Remove-Item -Force",
    "Get-Item C:\\ | Remove-Item -Recurse",
    "'C:\\' | Remove-Item -Recurse",
    "gci C:\\ | % { ri -r -fo $_.FullName }",
    "foreach ($d in 'C:\\', 'D:\\') { Remove-Item -Recurse $d }",
    "Remove-Item -Recurse (Join-Path C:\\ Windows)",
    "Push-Location C:\\; Remove-Item -Recurse *",
    "Remove-Item -Recurse HKLM:\\SOFTWARE",
    "Remove-Item -Recurse .claude; Set-Content .claude\\settings.json '{}'",
    "Set-Content $PROFILE x",
    "Add-Content $PROFILE.CurrentUserAllHosts x",
    "'x' >> $PROFILE",
    "'x' > \"$HOME\\.bashrc\"",
    "Remove-Item -Recurse $env:APPDATA",
    "Remove-Item -Recurse \"C:\\Users\\$env:USERNAME\"",
    "Get-ChildItem ~ | Remove-Item -Recurse",
    "Set-Content C:\\Windows\\win.ini x",
    "Get-Date > C:\\Windows\\win.ini",
    "Copy-Item x C:\\Windows\\System32\\x.dll",
    "Set-ItemProperty -Path HKCU:\\Software\\Microsoft\\Windows\\CurrentVersion\\Run -Name x -Value y",
    "New-ItemProperty HKLM:\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\RunOnce x -Value y",
]  # fmt: skip


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command).startswith("undecided")


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"
