from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest

from phocinae.adapters.logs.audit_key import make_key, read_key


def test_a_key_is_made_once_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "audit.key"
    assert read_key(str(path)) is None
    key = make_key(str(path))
    assert make_key(str(path)) == read_key(str(path)) == key
    assert path.read_text("ascii") == key.hex() + "\n"
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent)] == [0o600, 0o700]
    assert [one.name for one in path.parent.iterdir()] == ["audit.key"]


@pytest.mark.parametrize("links", [True, False])
def test_of_many_who_make_it_at_once_all_have_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:

        def refused(*_args: Any, **_names: Any) -> None:
            raise OSError(1, "Operation not permitted")

        monkeypatch.setattr(os, "link", refused)
    path = str(tmp_path / "audit.key")
    found: list[bytes] = []
    start = threading.Barrier(8 if links else 1)

    def make() -> None:
        start.wait()
        found.append(make_key(path))

    threads = [threading.Thread(target=make) for _ in range(start.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == start.parties
    assert set(found) == {read_key(path)}
    assert os.listdir(tmp_path) == ["audit.key"]


def test_a_key_that_others_can_read_is_closed_where_it_is_to_be_mended(tmp_path: Path) -> None:
    path = tmp_path / "audit.key"
    key = make_key(str(path))
    path.chmod(0o644)
    assert read_key(str(path)) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o644
    assert read_key(str(path), mend=True) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
