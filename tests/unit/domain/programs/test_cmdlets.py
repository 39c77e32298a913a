"""Verdicts on commands of the family ``cmdlets``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "Test-Path HKCU:\\Environment",
    "Get-ItemPropertyValue HKCU:\\Environment -Name PATH",
    "Select-String . notes.txt",
    "Get-ChildItem -Path src -Recurse -Filter *.ts",
    "Get-ChildItem src",
    "gci -Recurse",
    "Get-Content README.md",
    "Get-Content -Path log.txt -Tail 20",
    "Get-Location",
    "Get-Process | Sort-Object CPU -Descending | Select-Object -First 10",
    "Select-String -Path *.cs -Pattern TODO",
    "Select-String TODO *.cs",
    "Get-Item README.md",
    "Test-Path ./x",
    "Get-Content a.txt | Measure-Object -Line",
    "Get-Process | Format-Table Name, Id",
    "Get-Date -Format yyyy-MM-dd",
    "Get-Help Get-Process",
    "Get-Command git",
    "Write-Output hello",
    'Write-Host "done"',
    "Resolve-Path .",
    "Split-Path -Leaf a/b",
    "Join-Path a b",
    "Get-Service | Where-Object Status -eq Running",
    "Get-FileHash x.zip",
    "get-childitem",
    "Get-ChildItem -Recurse | Select-String TODO",
    "Select-String -Path * -Pattern TODO",
    "Get-ChildItem -Recurse -Filter *.md | Get-Content",
    "Get-ChildItem | Sort-Object { $_.Length }",
    "Get-ChildItem -Recurse -Include *.md,*.txt | Measure-Object -Property Length -Sum",
    "Get-CimInstance Win32_OperatingSystem",
    "Get-WinEvent -LogName System -MaxEvents 5",
    "Set-Location src; Get-ChildItem",
    "Select-Object @{n=1}",
    "Get-ChildItem -OutBuffer $x",
    "Compare-Object (Get-Content a) (Get-Content b)",
]
UNDECIDED = [
    "New-Item x",
    "Set-Content out.txt hello",
    "Out-File x",
    "Copy-Item a b",
    "Move-Item a b",
    "Invoke-WebRequest http://x",
    "Get-ChildItem | Where-Object { rm x }",
    "gci write x",
    "Get-ChildItem '\\\\host\\share'",
]
ASKED = [
    "Get-ItemProperty HKCU:\\Environment",
    "Get-ItemPropertyValue HKCU:\\Software\\x -Name ApiToken",
    "Get-Item HKCU:\\Environment",
    "Get-ChildItem HKCU:\\",
    "Get-CimInstance Win32_Environment",
    "Get-WmiObject -Query 'select * from Win32_Environment'",
    "Select-String . *",
    "Select-String -Pattern '' -Path *",
    "Select-String -NotMatch marker .e*",
    "Get-Content .env",
    "Get-Content a.md, .env",
    "Get-Content -Path:.env",
    "Get-Item .env | Get-Content",
    "Get-Item .env | Select-String KEY",
    "gci .env | gc",
    "Get-ChildItem ~\\.ssh | Get-Content",
    "Get-ChildItem ~\\.ssh | Select-String KEY",
    "Get-ChildItem -Recurse -Filter .env | Get-Content",
    "Get-ChildItem | Get-Content",
    'Get-Content "$HOME\\.ssh\\id_rsa"',
    "Get-Content (Join-Path $HOME .ssh/id_rsa)",
    "Set-Location ~\\.aws; Get-Content config",
    "Set-Location env:; Get-ChildItem",
    'Write-Output "${env:API_KEY}"',
    "Get-Content C:\\Users\\me\\.ssh\\id_rsa",
    "Get-Content 'C:\\Users\\me\\.ssh\\id_rsa'",
    "gc ~/.ssh/id_rsa",
    "Get-ChildItem env:",
    "gci env:",
    "Get-ChildItem Env:TOKEN",
    "Get-Content env:GITHUB_TOKEN",
    "Write-Output $env:GITHUB_TOKEN",
    "Get-Item env:",
    "Select-String KEY .env",
    "Get-Content $x",
]
DENIED = [
    "Set-Content /etc/passwd x",
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
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
