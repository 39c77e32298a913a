"""Names in PowerShell: aliases, cmdlets in any case, programs, and what a text makes of names."""

from __future__ import annotations

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Dialect
from phocinae.domain.verdict import Verdict
from phocinae.domain.windows.powershell_names import ALIASES, cmdlet_of, find

JUDGE = OfflineJudge(TreeSitterReader(), dialect=Dialect.POWERSHELL)


def decision(text: str) -> str:
    found = JUDGE(GateRequest(text))
    return found.decision.wire if isinstance(found, Verdict) else "undecided"


@pytest.mark.parametrize("alias", ALIASES)
def test_an_alias_stands_for_a_cmdlet_that_is_described(alias: str) -> None:
    assert cmdlet_of(alias) is cmdlet_of(ALIASES[alias]) is not None


@pytest.mark.parametrize("name", ["Get-ChildItem", "get-childitem", "GET-CHILDITEM", "git", "Git.exe", "cmd.exe", "&"])
def test_a_name_is_found_in_any_case(name: str) -> None:
    assert find(name) is not None


@pytest.mark.parametrize("name", ["Get-Frobnication", "frobnicate", "get_childitem"])
def test_an_unknown_name_is_not_found(name: str) -> None:
    assert find(name) is None


DELETES = ["Remove-Item", "ri", "rm", "del", "erase", "rd", "rmdir", "REMOVE-ITEM", "RD"]


@pytest.mark.parametrize("name", DELETES)
def test_every_name_of_a_deletion_is_known(name: str) -> None:
    assert decision(f"{name} -Recurse -Force C:\\") == "deny"
    assert decision(f"{name} -r -fo build") == "undecided"


@pytest.mark.parametrize(
    "text",
    [
        "C:\\Windows\\System32\\whoami.exe",
        "git.exe status",
        "ls",
        "cat a.md",
        "& git status",
    ],
)
def test_programs_and_aliases_are_allowed_as_what_they_are(text: str) -> None:
    assert decision(text) == "allow"


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf /",  # where rm is a program
        "sudo rm -rf /",
        "Set-Alias x Remove-Item; x -r C:\\",
        "sal ls ri; ls -r C:\\",
        "function ls { ri -r C:\\ }; ls",
        "& 'Remove-Item' -Recurse C:\\",
        "$x = 'Remove-Item'; & $x -Recurse C:\\",
        "& ('Remove' + '-Item') -Recurse C:\\",
        "env Remove-Item -Recurse C:\\",
    ],
)
def test_no_name_hides_a_denial(text: str) -> None:
    assert decision(text) == "deny"


@pytest.mark.parametrize(
    "text",
    [
        "& '.count' x",
        "& '[math]::sqrt()' x",
        "& '-eq' x",
        "$x = '.count'; & $x y",
        "C:\\x\\git.exe status",
        ".\\git status",
        "Set-Alias git x; git status",
        "function git { x }; git status",
        "git log --grep='a\" --output=x \"b'",
        "git log $x",
        "git diff '--output=x'",
        "cat -n x -Foo",
        # where the name of an alias is a program, or that of a program of Windows is another
        "sort .env",
        "diff .env a",
        "man -P 'rm x' ls",
        "cat a.md | sort --output=x",
        "find build -delete",
        "find . -name '*.md' -delete",
    ],
)
def test_no_name_passes_for_another(text: str) -> None:
    assert decision(text) == "undecided"
