"""cmd's own commands: what is allowed, held and denied in a text for cmd."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "dir",
    "dir /b",
    "dir /s /b *.cs",
    "dir /a:h /o:n C:\\Users",
    "dir /ad",
    'dir "C:\\Program Files"',
    "DIR C:\\Windows\\System32",
    "type README.md",
    "type src\\main.c",
    "type C:\\work\\x.log",
    "echo hello",
    "echo.",
    'echo "a & b"',
    "@echo off",
    "cd",
    "cd src",
    "cd ..",
    "cd /d D:\\work",
    "ver",
    "vol",
    "vol C:",
    "set PATH",
    "date /t",
    "time /t",
    "assoc .txt",
    "ftype",
    "chcp",
    "dir nul",
    "cls",
    "title build",
    "color 0a",
    "exit /b 0",
    "dir *.txt",
]
UNDECIDED = [
    "md build",
    "mkdir build\\x",
    "assoc .txt=x",
    "ftype x=",
    "date 01-01-2020",
    "goto end",
    "pause",
]
ASKED = [
    "type C:\\Users\\me\\.ssh\\id_rsa",
    "type .env",
    "set",
    "set P",
    "set x=1",
    "set /p x=",
    "path C:\\x",
    "path ;",
    "echo !PATH!",
    "prompt x",
    "type .env",
    "type C:\\Windows\\System32\\config\\SAM",
]
DENIED = [
    "mkdir C:\\Windows\\x",
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
