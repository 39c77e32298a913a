"""The files of this gate that lie where a setting puts them."""

from __future__ import annotations

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain import places
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.own_places import OwnPlaces
from phocinae.domain.request import GateRequest
from phocinae.domain.values import ANY, CWD, HOLE, HOME, STAR
from phocinae.domain.verdict import Verdict

OWN = OwnPlaces(
    ["/x/logs/audit.jsonl", "/x/logs/audit.head", f"{HOME}/set/p.toml"], ["/k/audit.key"], ["/x/logs/audit.jsonl"]
)


@pytest.mark.parametrize(
    "path",
    [
        "/x/logs/audit.jsonl",
        "/X/Logs/AUDIT.jsonl",
        "/x/logs/audit.head",
        "/x/logs/audit-0000000001.jsonl",
        "/x/logs/audit-0000004711.jsonl",
        "/x/logs/Audit-0000004711.jsonl",
        f"/x/logs/{STAR}",
        f"/x/logs/audit-{STAR}.jsonl",
        f"/x/{STAR}/audit.jsonl",
        f"/x/logs/audit.{ANY}ead",
        f"{HOME}/set/p.toml",
        "/k/audit.key",
    ],
)
def test_own_files(path: str) -> None:
    assert path in OWN


@pytest.mark.parametrize(
    "path",
    [
        "/x/logs",
        "/x/logs/audit.jsonl/x",
        "/x/logs/audit.json",
        "/x/logs/audit-.jsonl",
        "/x/logs/audit-1.txt",
        "/x/logs/other-0000000001.jsonl",
        "/y/logs/audit-0000000001.jsonl",
        f"{CWD}/x/logs/audit.jsonl",
        f"/x/logs/{HOLE}",
        f"/x/logs/{STAR}.toml",
        f"/x/{STAR}",
        "",
        "/",
        HOME,
    ],
)
def test_other_files(path: str) -> None:
    assert path not in OWN


def test_only_some_are_secret() -> None:
    assert OWN.is_secret("/k/audit.key")
    assert OWN.is_secret(f"/k/{STAR}.key")
    assert not OWN.is_secret("/x/logs/audit.jsonl")


def test_folders_that_hold_one() -> None:
    assert all(map(OWN.below, ["/x", "/x/logs", "/X", f"/{STAR}", f"/x/{STAR}", f"{HOME}/set"]))
    assert not any(map(OWN.below, ["/", "", HOME, "/x/logs/audit.jsonl", "/x/other", f"/x/logs/{STAR}", CWD]))


def test_paths_of_windows_are_known_however_they_are_spelled() -> None:
    own = OwnPlaces(["C:\\x\\audit.jsonl"], logs=["C:\\x\\audit.jsonl"])
    assert places.resolve("c:/x/audit.jsonl", CWD) in own
    assert places.resolve("C:\\x\\audit-0000000009.jsonl", CWD) in own


@pytest.mark.parametrize(
    "command",
    [
        r"del C:\x\audit.jsonl",
        r"cmd /c del C:\x\audit.jsonl",
        r"del C:\x\*",
        r"rd /s /q C:\x",
        r"type nul > C:\x\audit.jsonl",
        r"Remove-Item C:\X\AUDIT.jsonl",
        r"Remove-Item -Recurse -Force C:\x",
        "Set-Content c:/x/audit-0000000002.jsonl y",
        r"Move-Item C:\x\audit.jsonl D:\y",
    ],
)
def test_commands_of_windows_on_them_are_denied(command: str) -> None:
    own = OwnPlaces(["C:\\x\\audit.jsonl"], logs=["C:\\x\\audit.jsonl"])
    found = OfflineJudge(TreeSitterReader(), own=own)(GateRequest(command=command))
    assert isinstance(found, Verdict)
    assert found.hits[0].rule == "write-gate"
    assert found.hits[0].rule not in [hit.rule for hit in OfflineJudge(TreeSitterReader())(GateRequest(command)).hits]
