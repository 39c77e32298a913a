"""Commands that change the files of this gate which lie where its settings put them; all of it is data."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, fields

from phocinae.adapters import settings_sources
from phocinae.composition.files import own_files, own_places
from phocinae.composition.gate import build_gate
from phocinae.domain.verdict import Decision, Undecided, Verdict
from phocinae.service.gate import GateService
from phocinae.settings import Settings

SILENT = Settings(audit=False)
SETTINGS = {
    "audit_file": "/x/logs/rec.jsonl",
    "audit_key_file": "/x/keys/k",
    "token_file": "/x/keys/t",
    "state_key_file": "/x/keys/s",
    "session_secret_file": "/x/keys/h",
    "auth_token_file": "/x/keys/a",
    "spent_tokens_file": "/x/spent/list",
}
SECRET = ("audit_key_file", "token_file", "state_key_file", "session_secret_file", "auth_token_file")
BESIDE = ("/x/logs/rec.head", "/x/logs/rec.key", "/x/logs/rec-0000000001.jsonl", "/x/logs/rec-0000000777.jsonl")
WAYS = Path(__file__).with_name("own_places.txt").read_text(encoding="utf-8").splitlines()
FOLDERS = (
    "rm -rf {folder}",
    "find /tmp/q {folder} -delete",
    "find /x -type f -delete",
    "rm -r {folder}/",
    "find {folder} -delete",
    "mv {folder} /tmp/gone",
    "rm -f {folder}/*",
)


def given(settings: dict[str, Any]) -> Settings:
    return evolve(SILENT, **settings)


def verdict(gate: GateService, command: str, cwd: str | None = None) -> Verdict | Undecided:
    return gate.judge_offline(command, cwd)


def denied_for_the_gate(gate: GateService, command: str, cwd: str | None = None) -> bool:
    found = verdict(gate, command, cwd)
    return (
        isinstance(found, Verdict) and found.decision is Decision.DENY and "write-gate" in [h.rule for h in found.hits]
    )


@pytest.fixture(scope="module")
def gate() -> GateService:
    return build_gate(given(SETTINGS), own=["/x/set/p.toml"])


@pytest.mark.parametrize("path", [*SETTINGS.values(), *BESIDE, "/x/set/p.toml"])
@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_change_every_file_is_denied(gate: GateService, path: str, way: str) -> None:
    folder, name = os.path.split(path)
    command = way.format(path=path, folder=folder, name=name)
    assert denied_for_the_gate(gate, command)
    assert not denied_for_the_gate(build_gate(SILENT), command)  # so that it is the settings that say so


@pytest.mark.parametrize("path", [*SETTINGS.values(), "/x/set/p.toml"])
@pytest.mark.parametrize("way", FOLDERS)
def test_deleting_or_moving_the_folder_is_denied(gate: GateService, path: str, way: str) -> None:
    assert denied_for_the_gate(gate, way.format(folder=os.path.dirname(path)))


def test_the_working_directory_counts(gate: GateService) -> None:
    assert denied_for_the_gate(gate, "rm rec.jsonl", "/x/logs")
    assert denied_for_the_gate(gate, "rm -r logs", "/x")
    assert not denied_for_the_gate(gate, "rm rec.jsonl", "/y/logs")


def test_every_setting_that_names_a_file_is_known() -> None:
    """A new one must be listed here, and so be tried in every way."""
    names = {one.name for one in fields(Settings) if one.name.endswith("_file")}
    assert names == set(SETTINGS)


@pytest.mark.parametrize("name", [*SECRET])
@pytest.mark.parametrize("way", ["cat {}", "head -c 9 {}", "base64 < {}", "grep . {}", "cp {} /tmp/y", "wc {}"])
def test_reading_a_key_is_for_a_person(gate: GateService, name: str, way: str) -> None:
    command = way.format(SETTINGS[name])
    found = verdict(gate, command)
    assert "reads-secret" in [hit.rule for hit in found.hits]
    assert found.ceiling is not Decision.ALLOW
    assert verdict(gate, way.format("/x/logs/rec.key")).ceiling is not Decision.ALLOW


@pytest.mark.parametrize(
    "command",
    [
        "find /x -name node_modules -delete",
        "find /x -path '*/build/*' -delete",
        "find /y -type f -delete",
        "rm /x/logs/other.jsonl",
        "rm /x/logs/*.txt",
        "rm -rf /x/other",
        "rm -rf logs",
        "rm -rf /y/x",
        "mv /x/a /x/b",
        "cp a /x/logs/",
        "git rm notes.txt",
        "chmod 700 /x/logs",
        "echo /x/logs/rec.jsonl",
    ],
)
def test_what_is_beside_them_is_judged_as_ever(gate: GateService, command: str) -> None:
    found, before = verdict(gate, command), verdict(build_gate(SILENT), command)
    assert [hit.rule for hit in found.hits] == [hit.rule for hit in before.hits]
    assert type(found) is type(before)


def test_reading_the_log_is_not(gate: GateService) -> None:
    found = verdict(gate, "cat /x/logs/rec.jsonl")
    assert isinstance(found, Verdict)
    assert found.decision is Decision.ALLOW


def test_the_home_of_the_account_may_be_spelled_by_its_sign(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings_sources, "account_home", lambda: str(tmp_path))
    gate = build_gate(evolve(SILENT, audit_file=str(tmp_path / "logs" / "rec.jsonl")))
    for command in ("rm ~/logs/rec.jsonl", 'rm "$HOME/logs/rec.head"', "cd ~/logs && rm rec.key", "rm -rf ~/logs"):
        assert denied_for_the_gate(gate, command)
    assert not denied_for_the_gate(gate, "rm ~/logs/other.jsonl")


def test_a_link_counts_as_it_is_spelled_and_where_it_leads(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    gate = build_gate(evolve(SILENT, audit_file=str(tmp_path / "link" / "rec.jsonl")))
    assert all(denied_for_the_gate(gate, f"rm {tmp_path}/{name}/rec.jsonl") for name in ("link", "real"))


def test_the_guard_program_counts(tmp_path: Path) -> None:
    places = own_places(evolve(SILENT, guard=str(tmp_path / "guard.py")))
    assert places is not None
    assert str(tmp_path / "guard.py") in places


def test_nothing_configured_costs_nothing() -> None:
    assert own_places(Settings()) is None
    assert own_places(evolve(SILENT, audit_file="logs/rec.jsonl"), ["p.toml"]) is not None
    assert not denied_for_the_gate(build_gate(SILENT), "rm /x/logs/rec.jsonl")


def test_the_judges_of_commands_and_of_files_know_the_same() -> None:
    settings = given(SETTINGS)
    places = own_places(settings)
    assert places is not None
    assert all(path in places for path in own_files(settings) if path)


@pytest.fixture(name="build", params=["live", "hook"])
def _build(request: pytest.FixtureRequest) -> Callable[[Settings, list[str]], GateService]:
    def build(settings: Settings, own: list[str]) -> GateService:
        if request.param == "hook":
            from phocinae.composition.hook import build_hook

            return build_hook(settings, "claude-code", None, lambda _: None, own).gate
        from phocinae.composition.live import build_live

        return build_live(settings, own=own).gate

    return build


def test_whatever_is_built_knows_the_settings_file(build: Callable[[Settings, list[str]], GateService]) -> None:
    gate = build(evolve(SILENT, audit_file="/x/logs/rec.jsonl"), ["/x/set/p.toml"])
    assert denied_for_the_gate(gate, "rm /x/set/p.toml")
    assert denied_for_the_gate(gate, "rm /x/logs/rec.jsonl")
