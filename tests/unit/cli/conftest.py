"""A gate whose answers the tests know, and a standard input that they fill."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae.adapters import settings_sources
from phocinae.composition import gate as composition
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Hit, Layer, ReadingStatus, Undecided, Verdict, Weight
from phocinae.service.gate import GateService
from phocinae.settings import Settings


def judge(request: GateRequest) -> Verdict | Undecided:
    """Answer what the first word of the command says; any other text is undecided, and ``crash`` fails."""
    first = request.command.split()[0]
    if first == "crash":
        raise RuntimeError("secret")
    hits = (
        Hit(
            rule="first-word",
            weight={"allow": Weight.NOTE, "ask": Weight.PERSON, "deny": Weight.DENY}.get(first, Weight.UNSURE),
            reason=f"It begins with {first}.",
            start=0,
            end=len(first),
            remedy="echo instead" if first == "deny" else "",
        ),
    )
    if first not in ("allow", "ask", "deny"):
        return Undecided(
            reason="Nothing is known of it.",
            ceiling=Decision.ALLOW,
            hits=hits,
            reading=ReadingStatus.COMPLETE,
            policy="p",
        )
    return Verdict(
        decision=Decision.of(first),
        layer=Layer.L0,
        reason=f"It says {first} in {request.cwd}.",
        hits=hits,
        reading=ReadingStatus.COMPLETE,
        policy="p",
    )


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Take the settings files of whoever runs the tests away, and the project file of this folder."""
    monkeypatch.setattr(settings_sources, "user_file", lambda: None)
    monkeypatch.setattr(settings_sources, "MANAGED_FILE", str(tmp_path / "managed.toml"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """Build gates over `judge` from now on; the settings that they were built from are appended to the list."""
    seen: list[Settings] = []

    def build(settings: Settings, **_: object) -> GateService:
        seen.append(settings)
        return GateService(offline=judge, fail_closed=settings.fail_closed, policy="p", clock=lambda: 0.0)

    monkeypatch.setattr(composition, "build_gate", build)
    return seen


@pytest.fixture
def feed(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    """Return a function that puts bytes on standard input."""

    def fill(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))

    fill(b"")
    return fill
