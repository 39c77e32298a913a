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


@pytest.mark.parametrize(
    "name", ["hostname.bat", "whoami.cmd", "findstr.com x", "git.bat status", "cat.cmd a.md", "git.exe.exe"]
)
def test_another_file_than_that_of_the_program_is_unknown(name: str) -> None:
    assert decision(name) == "undecided"


@pytest.mark.parametrize("text", ["..", "...", "..x a b", ".. evil", "...evil", "& ..x", "& '..'", "a | ..x"])
def test_a_name_of_dots_is_no_member(text: str) -> None:
    assert decision(text) == "undecided"


@pytest.mark.parametrize(
    "name",
    [
        "${C:\\Users\\a\\.ssh\\id_rsa}",
        "${c:.env}",
        "${FileSystem::C:\\Users\\a\\.ssh\\id_rsa}",
        "$variable:x",
        "${VARIABLE:x}",
    ],
)
@pytest.mark.parametrize("shape", ["{}", 'Write-Output "{}"', "Write-Output {}", "({})", "$x = {}; $x", "{}.Length"])
def test_a_drive_in_the_place_of_a_scope_is_read_from(name: str, shape: str) -> None:
    found = JUDGE(GateRequest(shape.format(name)))
    assert {"reads-secret", "prints-secret"} & {hit.rule for hit in found.hits}
    assert not isinstance(found, Verdict)


@pytest.mark.parametrize(
    "text",
    [
        "gci variable:",
        "gc variable:x",
        "Get-Item VARIABLE:\\x",
        "dir variable:*",
        "gci Variable::",
        "gc Microsoft.PowerShell.Core\\Variable::x",
        "gci Environment::",
        "gc Microsoft.PowerShell.Core\\Environment::API_TOKEN",
    ],
)
def test_what_variables_hold_is_shown_to_a_person_alone(text: str) -> None:
    assert decision(text) == "undecided"


@pytest.mark.parametrize("text", ["${c:README.md}", "$global:x", "$env:PATH", "${script:x}", "Test-Path variable:x"])
def test_scopes_and_files_without_secrets_are_allowed(text: str) -> None:
    assert decision(text) == "allow"
