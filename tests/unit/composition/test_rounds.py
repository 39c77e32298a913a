"""The seal and the memory that the settings make: alone in the process, or shared through files."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae.adapters import settings_sources
from phocinae.adapters.spent_tokens import MemorySpentTokens, SqliteSpentTokens
from phocinae.composition.gate import build_gate
from phocinae.composition.rounds import build_rounds
from phocinae.composition.server import build_server
from phocinae.domain.levels import Level
from phocinae.domain.sealing import RoundCall
from phocinae.errors import InvalidSettings, StateRejected
from phocinae.service.rounds import RoundTrips
from phocinae.settings import Settings

CALL = RoundCall(version="v", method="m", target="t", arguments={}, principal="p")


class Clock:
    """Time that goes on with every look."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def build(clock: Clock) -> Callable[..., RoundTrips]:
    def build(**settings: str) -> RoundTrips:
        return build_rounds(Settings(**settings), lambda: "p1", clock=clock)  # type: ignore[arg-type]  # texts, all

    return build


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "state.key"
    path.touch(0o600)
    path.write_text(secrets.token_hex(32) + "\n")
    return path


def test_alone_a_process_has_a_key_and_a_memory_of_its_own(build: Callable[..., RoundTrips]) -> None:
    one, other = build(), build()
    assert isinstance(one.spent, MemorySpentTokens)
    token = one.pause(CALL, b"kept")
    with pytest.raises(StateRejected, match="not ours"):
        other.resume(CALL, token)
    assert one.resume(CALL, token) == b"kept"


def test_a_file_of_used_tokens_without_a_key_file_is_left_alone(
    build: Callable[..., RoundTrips], tmp_path: Path
) -> None:
    assert isinstance(build(spent_tokens_file=str(tmp_path / "spent")).spent, MemorySpentTokens)
    assert not (tmp_path / "spent").exists()


def test_with_a_key_file_one_process_takes_up_the_question_of_another(
    build: Callable[..., RoundTrips], key: Path, tmp_path: Path
) -> None:
    files = {"state_key_file": str(key), "spent_tokens_file": str(tmp_path / "spent.sqlite")}
    one, other = build(**files), build(**files)
    token = one.pause(CALL, b"kept")
    assert other.resume(CALL, token) == b"kept"
    with pytest.raises(StateRejected, match="used before"):
        one.resume(CALL, token)


def test_a_new_key_seals_and_an_old_one_still_opens_until_it_is_taken_out(
    build: Callable[..., RoundTrips], key: Path, tmp_path: Path
) -> None:
    files = {"state_key_file": str(key), "spent_tokens_file": str(tmp_path / "spent.sqlite")}
    old = build(**files)
    tokens = [old.pause(CALL, b"kept") for _ in range(2)]
    new = secrets.token_hex(32) + "\n"
    key.write_text(new + key.read_text())
    rotated = build(**files)
    assert rotated.resume(CALL, tokens[0]) == b"kept"
    with pytest.raises(StateRejected, match="not ours"):
        old.resume(CALL, rotated.pause(CALL, b""))
    key.write_text(new)
    with pytest.raises(StateRejected, match="not ours"):
        build(**files).resume(CALL, tokens[1])


def test_the_used_tokens_stand_beside_the_decision_log_unless_they_are_named(
    build: Callable[..., RoundTrips], key: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(settings_sources, "state_folder", lambda: str(tmp_path / "state"))
    assert isinstance(build(state_key_file=str(key)).spent, SqliteSpentTokens)
    assert (tmp_path / "state" / "spent_tokens.sqlite").exists()
    monkeypatch.setattr(settings_sources, "state_folder", lambda: None)
    with pytest.raises(InvalidSettings, match="name a file with serve"):
        build(state_key_file=str(key))


def test_a_key_file_that_cannot_be_used_is_named_with_what_to_do(
    build: Callable[..., RoundTrips], key: Path, tmp_path: Path
) -> None:
    with pytest.raises(InvalidSettings, match=r"does not exist.*openssl rand -hex 32"):
        build(state_key_file=str(tmp_path / "none"))
    key.chmod(0o640)
    with pytest.raises(InvalidSettings, match="can be read by others"):
        build(state_key_file=str(key))
    key.chmod(0o600)
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / "link").symlink_to(key)
    with pytest.raises(InvalidSettings, match=r"open can be written by others; run: chmod go-w"):
        build(state_key_file=str(tmp_path / "open" / "link"))
    key.write_text("hunter2")
    with pytest.raises(InvalidSettings, match="line 1 is no key") as caught:
        build(state_key_file=str(key))
    assert "hunter2" not in str(caught.value)


def test_a_server_logs_once_that_its_used_tokens_are_ahead_of_the_clock(key: Path, tmp_path: Path) -> None:
    spent = tmp_path / "spent.sqlite"
    SqliteSpentTokens(str(spent), lambda: time.time() + 1e6)
    lines: list[tuple[Level, str]] = []
    settings = Settings(state_key_file=str(key), spent_tokens_file=str(spent), audit=False)
    build_server(settings, build_gate(settings), log=lambda *said: lines.append(said[:2]))
    ((level, line),) = lines
    assert level is Level.WARNING
    assert "move the file away" in line
