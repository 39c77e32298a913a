"""Signs of Windows: what is suspected, and what must cost no second reading."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from phocinae.domain.signs import is_sign, may_be_windows, words_in_front

PLAIN = [
    "grep '\\\\.py' notes.txt",
    "ls -la",
    "git status",
    "rm -rf build",
    "git log --format='%h %s' HEAD^ -- a/b",
    "date +%Y-%m-%d",
    "curl https://example.com/x",
    "grep '^foo' /etc/hosts",
    "apt-get install x",
    "start-stop-daemon --start",
    "docker run --rm x:y /bin/sh",
    "find . -type f -name '*.md'",
    "echo 'a: b' \\; x",
    "/",
    "",
]
SUSPECTED = [
    "ls \\\\host\\share",
    'dir "\\\\host\\share"',
    "Get-ChildItem",
    "ls | GET-CONTENT",
    "x; iex y",
    "echo '; ri x'",
    "echo $env:X",
    "[math]::Sqrt(2)",
    "cat C:/x",
    "cat 'c:\\x'",
    "echo $PSVersionTable",
    "dir /s",
    "rd/s/q x",
    "echo %TEMP%",
    "for %i in (*) do x",
    "x >nul",
    "e^cho x",
    "reg query HKLM\\x",
    "type x.txt",
    "\\\\?\\C:",
]


@pytest.mark.parametrize("text", PLAIN)
def test_a_plain_text_is_not_suspected(text: str) -> None:
    assert not may_be_windows(text)


@pytest.mark.parametrize("text", SUSPECTED)
def test_a_text_with_a_sign_is_suspected(text: str) -> None:
    assert may_be_windows(text)


def test_words_in_front_are_those_where_a_command_may_end_in_some_language() -> None:
    text = "Get-Item x; echo ri | iex && (gci) 'sl' \"ni\" C:\\x gp\nrd y"
    assert words_in_front(text) == {"get-item", "iex", "gci", "sl", "ni", "rd"}


def test_a_name_is_a_sign_if_a_cmdlet_may_be_called_so() -> None:
    assert is_sign("get-anything")
    assert not is_sign("apt-get")
    assert not is_sign("ls")


def test_what_a_plain_text_loads_is_for_posix_shells_alone() -> None:
    program = (
        "import sys\n"
        "from phocinae.adapters.shell_tree_sitter import TreeSitterReader\n"
        "from phocinae.domain.l0 import OfflineJudge\n"
        "from phocinae.domain.request import GateRequest\n"
        "judge = OfflineJudge(TreeSitterReader())\n"
        "for text in ('ls -la', 'git status', 'rm -rf build', 'sh -c ls'): judge(GateRequest(text))\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert re.findall(r"phocinae\.domain\.(?:dialects|windows)\S*", done.stdout) == []
