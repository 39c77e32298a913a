from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from phocinae.adapters import settings_sources
from phocinae.adapters.backends.http import HttpBackend
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.composition.inference import build_inference
from phocinae.errors import InvalidSettings
from phocinae.settings import Settings


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings_sources, "user_file", lambda: None)
    monkeypatch.setattr(settings_sources, "MANAGED_FILE", str(tmp_path / "managed.toml"))
    monkeypatch.chdir(tmp_path)


def test_a_service_is_built_from_files_and_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOCINAE_TIMEOUT", "2.5")
    monkeypatch.setenv("PHOCINAE_WINDOW", "64")
    service = build_inference()
    assert isinstance(service.backend, HttpBackend)
    assert (service.timeout, service.window) == (2.5, 64)


def test_a_project_file_chooses_no_mock(tmp_path: Path) -> None:
    (tmp_path / ".phocinae").mkdir()
    (tmp_path / ".phocinae" / "policy.toml").write_text('[l1]\nbackend = "mock"\n')
    assert isinstance(build_inference().backend, HttpBackend)


def test_a_backend_of_ones_own_is_asked_and_l1_need_not_be_on() -> None:
    own = ScriptedBackend()
    service = build_inference(Settings(timeout=1.0), backend=own)
    assert service.backend is own
    assert service.score("text", ["clear"]).score == 6


def test_settings_are_checked() -> None:
    with pytest.raises(InvalidSettings, match=r"Settings\.window cannot be used"):
        build_inference(evolve(Settings(), window=1))
