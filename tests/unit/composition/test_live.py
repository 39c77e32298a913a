"""What depends on the settings is built once, over one client, and an allowed service gets no token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import guards
import pytest
from attrs import evolve

from phocinae.adapters.backends.http import HttpBackend
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.adapters.logs.late_audit import LateRecords
from phocinae.catalog.services import named
from phocinae.composition.live import build_live
from phocinae.domain.verdict import Decision
from phocinae.errors import InvalidSettings
from phocinae.service.l1 import L1Judge
from phocinae.service.live import Live
from phocinae.settings import Settings

OTHER = "http://127.0.0.1:9/base"
ON = Settings(
    audit=False, l1_enabled=True, server="http://127.0.0.1:7", allowed_servers=(OTHER, "https://judge.example")
)


def backend_of(live: Live) -> HttpBackend:
    (judge,) = live.gate.later
    assert isinstance(judge, L1Judge)
    assert isinstance(judge.backend, HttpBackend)
    assert live.inference.backend is judge.backend
    return judge.backend


def test_the_gate_and_the_inference_service_share_a_client() -> None:
    live = build_live(ON)
    assert "127.0.0.1:7" in repr(backend_of(live))
    assert (live.settings, live.inference.timeout, live.inference.window) == (ON, ON.timeout, ON.window)


def test_without_l1_only_the_inference_service_asks() -> None:
    live = build_live(evolve(ON, l1_enabled=False))
    assert live.gate.later == ()
    assert isinstance(live.inference.backend, HttpBackend)
    assert live.elsewhere(OTHER).gate is live.gate


def test_late_records_are_written_late_unless_they_must_come_first(tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    late = LateRecords(lambda message: pytest.fail(message))
    settings = Settings(audit_file=str(file))
    assert build_live(settings, late=late).gate.decide("ls").decision is Decision.ALLOW
    assert not file.exists()
    late.write()
    assert len(file.read_bytes().splitlines()) == 1
    build_live(evolve(settings, audit_strict=True), late=late).gate.decide("ls")
    assert len(file.read_bytes().splitlines()) == 2


def test_a_mock_of_the_settings_still_allows_nothing() -> None:
    live = build_live(evolve(ON, backend="mock"))
    for one in (live, live.elsewhere(OTHER)):
        (judge,) = one.gate.later
        assert isinstance(judge, L1Judge)
        assert judge.ceiling is Decision.ASK
        assert isinstance(one.inference.backend, ScriptedBackend)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:7/any", "127.0.0.1:7"),
        ("http://127.0.0.1:9", "127.0.0.1:9/base"),
        ("http://127.0.0.1:9/other", "127.0.0.1:9/base"),
        ("HTTPS://JUDGE.example:443", "judge.example"),
    ],
)
def test_the_address_of_the_settings_is_what_gets_asked(url: str, address: str) -> None:
    live = build_live(ON)
    found = named(live, {"server": url})
    assert found is not None
    assert address in repr(backend_of(found))
    assert named(live, {"server": url}) is found


@pytest.mark.parametrize("url", ["http://127.0.0.1:8", "https://127.0.0.1:9", "http://judge.example", "", "x"])
def test_nothing_else_is_asked(url: str) -> None:
    assert named(build_live(ON), {"server": url}) is None


def test_without_a_name_the_configured_service_is_asked() -> None:
    live = build_live(ON)
    assert named(live, {}) is live


def test_the_token_stays_with_the_configured_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOCINAE_TOKEN", "hunter2")
    live = build_live(ON)
    assert b"hunter2" in backend_of(live)._endpoint.request("/", b"")
    assert b"hunter2" not in backend_of(live.elsewhere(OTHER))._endpoint.request("/", b"")


def test_what_the_gate_of_an_allowed_service_says_goes_to_the_same_places() -> None:
    said: list[str] = []
    live = build_live(ON, warn=said.append)
    other = live.elsewhere(OTHER).gate
    other.warn("x")
    assert said == ["x"]
    assert other.audit is live.gate.audit
    assert other.policy != live.gate.policy
    assert other.decide("git status").policy == other.policy


def test_a_guard_program_runs_once_for_all(tmp_path_factory: pytest.TempPathFactory) -> None:
    live = build_live(evolve(ON, guard=guards.write(tmp_path_factory.mktemp("guard"))))
    assert live.elsewhere(OTHER).gate.tightening is live.gate.tightening


@pytest.mark.parametrize("wrong", [{"token_file": "/nowhere/token"}, {"guard": "/nowhere/guard.py"}])
def test_a_part_that_is_not_there_is_an_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettings):
        build_live(evolve(ON, **wrong))
