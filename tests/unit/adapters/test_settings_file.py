from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from phocinae.adapters.settings_file import create
from phocinae.errors import InvalidSettings

TEXT = "[gate]\n# é\n"


@pytest.mark.skipif(sys.platform == "win32", reason="modes are POSIX's")
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_new_file_and_new_folders_are_for_their_owner_alone(umask: int, tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "config.toml"
    before = os.umask(umask)
    try:
        assert create(str(path), TEXT)
    finally:
        os.umask(before)
    assert path.read_bytes() == TEXT.encode()
    modes = [stat.S_IMODE(place.stat().st_mode) for place in (path, path.parent, path.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]


def test_what_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    path, nowhere = tmp_path / "config.toml", tmp_path / "nowhere"
    path.write_text("mine")
    assert not create(str(path), TEXT)
    assert path.read_text() == "mine"
    (tmp_path / "link").symlink_to(nowhere)
    assert not create(str(tmp_path / "link"), TEXT)
    assert not nowhere.exists()
    (tmp_path / "folder").mkdir()
    assert not create(str(tmp_path / "folder"), TEXT)


@pytest.mark.parametrize("name", ["file/config.toml", "nul\0", "x" * 300])
def test_a_place_that_cannot_be_written_is_an_error(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidSettings, match="cannot be written: "):
        create(str(tmp_path / name), TEXT)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_file_that_could_not_be_filled_is_not_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    real = os.open

    def open_full(path: str, flags: int, mode: int = 0o777) -> int:
        os.close(real(path, flags, mode))
        return full

    monkeypatch.setattr(os, "open", open_full)
    path = tmp_path / "config.toml"
    with pytest.raises(InvalidSettings, match="No space left"):
        create(str(path), TEXT)
    assert not path.exists()
