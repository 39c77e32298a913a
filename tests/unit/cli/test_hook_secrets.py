"""What a hook says and writes holds no secret of the command that it was asked about."""

from __future__ import annotations

from pathlib import Path

import hooks
import made_up
import pytest

SAMPLE = [one for one in made_up.planted(11) if "$" not in one.command][::20]


@pytest.mark.parametrize("planted", SAMPLE, ids=lambda planted: planted.name)
def test_no_secret_is_written_or_said(planted: made_up.Planted, tmp_path: Path) -> None:
    config = hooks.settings_file(tmp_path)
    name = hooks.NAMES[len(planted.command) % len(hooks.NAMES)]
    done = hooks.run(name, hooks.encoded(hooks.sample(name, planted.command)), config)
    assert done.returncode in (0, 2)
    (record,) = hooks.records(tmp_path)
    assert record["command"]
    written = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    told = written + done.stdout + done.stderr
    assert [secret for secret in planted.secrets if secret.encode() in told] == []
