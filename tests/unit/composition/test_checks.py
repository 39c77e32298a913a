from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import guards
import pytest
from attrs import evolve
from decision_service.stub import DecisionStub

from phocinae.composition import checks
from phocinae.domain.findings import Finding, State
from phocinae.settings import Given, Settings, Source, merge

SILENT = Settings(audit=False)


def found(settings: Settings, about: str) -> list[Finding]:
    given = [
        Given(Source.USER, name, getattr(settings, name), f"/home/a/config.toml, line 2: {name}")
        for name in ("enabled", "mode", "audit", "audit_file", "l1_enabled", "server", "guard", "state_key_file")
        if getattr(settings, name) != getattr(Settings(), name)
    ]
    effective = evolve(merge(given, hook=True), settings=settings)
    return [one for one in checks.general(effective) if one.about == about]


def worst(findings: list[Finding]) -> State:
    order = [State.RIGHT, State.WARNING, State.WRONG]
    return max((one.state for one in findings), key=order.index)


def test_the_package_and_the_interpreter_of_these_tests_are_named() -> None:
    assert [one.about for one in checks.package()] == ["interpreter", "package"]


@pytest.mark.skipif(os.name != "posix", reason="looks at POSIX modes")
def test_a_place_that_others_can_write_to_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loose = tmp_path / "loose"
    loose.mkdir()
    python = loose / "python"
    python.touch(0o755)
    loose.chmod(0o777)
    monkeypatch.setattr("sys.executable", str(python))
    interpreter = next(checks.package())
    assert interpreter.state is State.WRONG
    assert str(loose) in interpreter.text


@pytest.mark.parametrize("changes", [{"enabled": False}, {"mode": "observe"}])
def test_a_gate_that_stops_nothing_is_wrong(changes: dict[str, Any]) -> None:
    findings = found(evolve(SILENT, **changes), "settings")
    assert findings[0].state is State.WRONG
    assert "hooks stop nothing" in findings[0].text
    assert "/home/a/config.toml, line 2" in findings[0].text


def test_settings_that_are_right_name_the_policy() -> None:
    (finding,) = found(SILENT, "settings")
    assert finding.state is State.RIGHT
    assert finding.text.startswith("policy ")


@pytest.mark.parametrize(("mode", "state"), [(0o600, State.RIGHT), (0o640, State.WRONG), (None, State.WRONG)])
def test_a_file_of_secrets_is_yours_alone(mode: int | None, state: State, tmp_path: Path) -> None:
    path = tmp_path / "state.key"
    if mode is not None:
        path.write_text("secret-value")
        path.chmod(mode)
    (finding,) = found(evolve(SILENT, state_key_file=str(path)), "serve.state_key_file")
    assert finding.state is state
    assert "secret-value" not in finding.text


def log_at(path: Path) -> Settings:
    return Settings(audit_file=str(path))


def test_a_log_that_is_off_is_a_warning() -> None:
    assert worst(found(SILENT, "decision log")) is State.WARNING


def test_a_log_that_does_not_exist_yet_is_right(tmp_path: Path) -> None:
    assert worst(found(log_at(tmp_path / "new" / "audit.jsonl"), "decision log")) is State.RIGHT


@pytest.mark.parametrize("name", ["audit.jsonl", "audit.key", "audit.head", "audit-0000000001.jsonl"])
def test_a_file_of_the_log_that_others_can_read_is_wrong(name: str, tmp_path: Path) -> None:
    for one in ("audit.jsonl", "audit.key", "audit.head", name):
        (tmp_path / one).touch(0o600)
    assert worst(found(log_at(tmp_path / "audit.jsonl"), "decision log")) is State.RIGHT
    (tmp_path / name).chmod(0o644)
    (finding,) = found(log_at(tmp_path / "audit.jsonl"), "decision log")
    assert finding.state is State.WRONG
    assert name in finding.text
    assert finding.advice.startswith("run: chmod go-rwx ")


def test_a_folder_that_others_can_write_to_is_wrong(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    assert worst(found(log_at(tmp_path / "audit.jsonl"), "decision log")) is State.WRONG


def test_a_link_in_the_place_of_the_log_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "audit.jsonl").symlink_to(tmp_path / "elsewhere")
    (finding,) = found(log_at(tmp_path / "audit.jsonl"), "decision log")
    assert "symbolic link" in finding.text


def test_a_service_that_answers_is_right_and_one_that_does_not_is_wrong() -> None:
    with DecisionStub() as stub:
        on = evolve(SILENT, l1_enabled=True, server=stub.url)
        assert worst(found(on, "decision service")) is State.RIGHT
    (finding,) = found(evolve(on, timeout=1.0), "decision service")
    assert finding.state is State.WRONG


def test_made_up_answers_are_a_warning() -> None:
    assert worst(found(evolve(SILENT, l1_enabled=True, backend="mock"), "decision service")) is State.WARNING


@pytest.mark.parametrize("works", [True, False])
def test_a_guard_program_is_asked(works: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = guards.write(tmp_path_factory.mktemp("guard"))
    if not works:
        Path(path).write_text("raise SystemExit(3)\n")
    (finding,) = found(evolve(SILENT, guard=path, timeout=30.0), "guard program")
    assert finding.state is (State.RIGHT if works else State.WRONG)


def test_a_finding_is_json_with_its_advice_where_there_is_any() -> None:
    assert Finding(about="a", state=State.RIGHT, text="t").to_wire() == {"about": "a", "state": "ok", "text": "t"}
    assert Finding(about="a", state=State.WRONG, text="t", advice="do").to_wire() == {
        "about": "a", "state": "wrong", "text": "t", "advice": "do",
    }  # fmt: skip
