from __future__ import annotations

from pathlib import Path

import pytest

from phocinae.cli.loading import load
from phocinae.domain.verdict import Decision
from phocinae.errors import InvalidSettings
from phocinae.settings import Given, Settings, Source

FLAG = Given(Source.FLAG, "timeout", "7", "option --timeout")


def test_without_any_source_the_defaults_hold() -> None:
    assert load().settings == Settings()


def test_options_environment_and_file_come_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOCINAE_FAIL_CLOSED", "ask")
    (tmp_path / "c.toml").write_text("[serve]\nport = 1\n")
    (tmp_path / "c.toml").chmod(0o600)
    effective = load([FLAG], config=str(tmp_path / "c.toml"))
    assert effective.settings == Settings(timeout=7.0, fail_closed=Decision.ASK, port=1)
    assert [effective.source(name) for name in ("timeout", "fail_closed", "port", "host")] == [
        Source.FLAG,
        Source.ENVIRONMENT,
        Source.USER,
        Source.DEFAULT,
    ]


def test_a_named_file_must_be_there() -> None:
    with pytest.raises(InvalidSettings, match="does not exist"):
        load(config="none.toml")


def test_a_hook_does_not_let_the_environment_loosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PHOCINAE_FAIL_CLOSED", "ask")
    monkeypatch.setenv("PHOCINAE_PROJECT_CODE", "deny")
    effective = load([FLAG], hook=True)
    assert effective.settings == Settings(timeout=7.0, project_code=Decision.DENY)
    assert [one.field for one in effective.ignored] == ["fail_closed"]


def test_a_claimed_directory_adds_its_project_file_and_takes_none_away(tmp_path: Path) -> None:
    for folder, text in ((tmp_path, 'project_code = "ask"'), (tmp_path / "claimed", 'fail_closed = "deny"')):
        (folder / ".phocinae").mkdir(parents=True)
        (folder / ".phocinae" / "policy.toml").write_text(f"[gate]\n{text}\n")
    asked = Given(Source.FLAG, "fail_closed", "ask", "option --fail-closed")
    assert load([asked]).settings == Settings(project_code=Decision.ASK, fail_closed=Decision.ASK)
    assert load([asked], cwd="claimed").settings == Settings(project_code=Decision.ASK)
    assert load([asked], cwd="/nowhere/at/all").settings == load([asked]).settings
