"""What no server can be started with is said in one sentence, with the exit status that tells which kind it is."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from phocinae.cli.serve import FOREIGN_ADDRESS, UNUSABLE
from phocinae.cli.serve import serve as run_server
from phocinae.composition.reload import Reloading
from phocinae.errors import InvalidSettings
from phocinae.service.live import Live
from phocinae.settings import Effective, Settings


def serve(settings: Settings) -> int:
    return run_server(Effective(settings), again=lambda: Effective(settings))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "localhost.example", "127.0.0.2", ""])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_foreign_address_is_refused(host: str, transport: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert serve(Settings(host=host, transport=transport)) == FOREIGN_ADDRESS == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert (
        err == "phocinae: the server listens on 127.0.0.1, localhost, ::1 only, because it is for this machine alone\n"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_port_that_is_taken_is_said(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert serve(Settings(host=host, port=port, transport="http", audit=False)) == UNUSABLE == 3
    assert f"port {port} of {host} cannot be had: Address already in use" in capsys.readouterr().err


def test_a_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("s3cret")
    path.chmod(0o644)
    with pytest.raises(InvalidSettings, match="can be read by others") as refused:
        serve(Settings(transport="http", port=0, audit=False, auth_token_file=str(path)))
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("closed", ["stdin", "stdout"])
def test_closed_streams_are_refused(
    closed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"sys.{closed}", None)
    assert serve(Settings(audit=False)) == UNUSABLE
    assert "there is no client to serve" in capsys.readouterr().err


def test_a_server_keeps_commands_off_its_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[Live] = []

    def assemble(live: Reloading, **_: object) -> None:
        built.append(live())
        raise InvalidSettings("far enough")

    monkeypatch.setattr("phocinae.cli.serve.assemble", assemble)
    monkeypatch.chdir(tmp_path)
    effective = Effective(Settings(audit=False))
    with pytest.raises(InvalidSettings, match="far enough"):
        run_server(effective, again=lambda: effective, files=("set.toml", ".phocinae/policy.toml"))
    for path in ("set.toml", f"{tmp_path}/set.toml"):
        verdict = built[0].gate.judge_offline(f"rm {path}", str(tmp_path))
        assert verdict.hits[0].rule == "write-gate"
