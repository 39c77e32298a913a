from __future__ import annotations

from pathlib import Path

import pytest

from phocinae.adapters import settings_sources
from phocinae.composition.configuring import create_settings_file, settings_place
from phocinae.errors import InvalidSettings
from phocinae.settings import Settings, merge


def test_the_file_is_the_user_s_own_unless_another_is_named(account: Path) -> None:
    assert settings_place() == str(account / ".config" / "phocinae" / "config.toml")
    assert settings_place("elsewhere.toml") == "elsewhere.toml"


def test_a_file_without_a_name_or_a_home_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InvalidSettings, match="name of the settings file is empty"):
        settings_place("")
    monkeypatch.setattr(settings_sources, "user_file", lambda: None)
    with pytest.raises(InvalidSettings, match="no home"):
        settings_place()


def test_the_new_file_changes_nothing_and_is_not_written_twice(tmp_path: Path) -> None:
    path = tmp_path / "phocinae" / "config.toml"
    assert create_settings_file(str(path))
    assert merge(settings_sources.gather(config=str(path))).settings == Settings()
    path.write_text("[gate]\n")
    assert not create_settings_file(str(path))
    assert path.read_text() == "[gate]\n"
