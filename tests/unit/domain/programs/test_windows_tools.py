"""Filters and other tools of Windows that only look: what is allowed, held and denied in a text for cmd."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "more README.md",
    "hostname",
    "whoami",
    "whoami /all",
    "whoami /groups",
    'find "TODO" src\\main.c',
    'find /i /n "x" a.txt',
    "findstr /s /i /n TODO *.cs",
    'findstr /c:"a b" x.txt',
    "sort x.txt",
    "fc a.txt b.txt",
    "comp a b",
    "tree",
    "tree /f src",
    "where python",
    "where /r C:\\work *.cs",
    "netstat -ano",
    "timeout /t 5 /nobreak",
    'find "x"',
    "find",
    "more /c x",
    "where /r . *",
    "netstat -b",
    "netstat 5",
    "timeout 5",
    "findstr /si password *.xml *.ini *.txt",
    "findstr /snip x *.cs",
    "findstr /v x a.txt",
    "findstr /s x C:\\work\\*.cs",
    "findstr x *",
    'find /v "" a.txt',
]
UNDECIDED = [
    "tree \\\\host\\share",
    "sort /o out in",
    "sort in /o:out",
    "whoami /x",
    "hostname x",
    "findstr /sq x",
]
ASKED = [
    'find "x" .env',
    "sort .env",
    "fc .env x",
    "findstr . *",
    "findstr /s . *.*",
    'find "" *',
    "findstr x .*",
    "findstr /v x *",
    "findstr .* *",
    'findstr /c:"." *',
    "findstr /s /i password C:\\*",
    "sort *",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
    ],
)
def test_verdict(judged_cmd: Callable[[str], str], command: str, answer: str) -> None:
    assert judged_cmd(command) == answer
