"""Who may loosen holds on every path: each setting, from each source, at each entry point, through real files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve, frozen
from loosening import LOOSER, STRICTER

from phocinae import build_gate, build_server
from phocinae.adapters import agents, settings_sources
from phocinae.cli import commands, hook, inference, loading, offers, serve
from phocinae.cli.entry import run
from phocinae.composition import gate as composition
from phocinae.domain.verdict import Decision
from phocinae.errors import InvalidRequest
from phocinae.settings import KEYS, Effective, Settings, key_of, merge
from phocinae.settings.meaning import literal

Capture = pytest.CaptureFixture[str]
SOURCES = ("managed", "user", "environment", "project here", "project there")
AGENTS = tuple(agents.MODULES)


@frozen
class Ground:
    """Where an entry point is tried: the folders it sees, and what it took for settings."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    seen: list[Settings]

    @property
    def user(self) -> Path:
        """The settings file of the user, named by ``--config`` or found."""
        return self.folder / "user.toml"

    @property
    def there(self) -> Path:
        """The folder that the caller claims to work in."""
        return self.folder / "there"

    def set(self, source: str, values: dict[str, Any]) -> None:
        """Have a source say these values, by their fields."""
        if source == "environment":
            for field, value in values.items():
                for name in key_of(field).environment[:1]:
                    text = ",".join(value) if isinstance(value, list) else str(value).lower()
                    self.monkeypatch.setenv(name, text)
            return
        path = {
            "managed": self.folder / "managed.toml",
            "user": self.user,
            "project here": self.folder / ".phocinae" / "policy.toml",
            "project there": self.there / ".phocinae" / "policy.toml",
        }[source]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{key_of(field).toml} = {literal(value)}\n" for field, value in values.items()))
        path.chmod(0o600)


@pytest.fixture
def ground(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ground:
    made = Ground(tmp_path, monkeypatch, [])
    made.there.mkdir()
    made.set("user", {})
    monkeypatch.delenv("PHOCINAE_AUDIT_FILE", raising=False)
    monkeypatch.setattr(settings_sources, "MANAGED_FILE", str(tmp_path / "managed.toml"))
    monkeypatch.setattr(settings_sources, "user_file", lambda: str(made.user))

    def load(*arguments: Any, **words: Any) -> Effective:
        effective = real(*arguments, **words)
        made.seen.append(effective.settings)
        return effective

    def merged(*arguments: Any, **words: Any) -> Effective:
        effective = merge(*arguments, **words)
        made.seen.append(effective.settings)
        return effective

    def stop(*_arguments: Any, **_words: Any) -> Any:
        raise InvalidRequest("far enough")

    real = loading.load
    for module in (loading, commands, inference, offers):
        monkeypatch.setattr(module, "load", load)
    monkeypatch.setattr(composition, "merge", merged)
    monkeypatch.setattr(composition, "_guard_program", stop)
    monkeypatch.setattr(composition, "build_gate", stop)
    monkeypatch.setattr(hook, "build", stop)
    monkeypatch.setattr(serve, "serve", lambda *_arguments, **_words: 0)
    return made


def by_gate(ground: Ground) -> None:
    run(["gate", "--config", str(ground.user), "--cwd", str(ground.there), "ls"])


def by_serve(ground: Ground) -> None:
    run(["serve", "--config", str(ground.user)])


def by_library(ground: Ground) -> None:
    assert ground.user.exists()
    with pytest.raises(InvalidRequest):
        build_gate()


def by_hook(agent: str) -> Callable[[Ground], None]:
    def call(ground: Ground) -> None:
        known = agents.agent(agent)
        payload = dict(known.sample(known.tools[0], "ls", str(ground.there)))
        # whatever a payload says beside the call is no setting
        payload |= {key.field: LOOSER[key.field] for key in KEYS if key.field not in payload}
        reply = hook.respond([agent, "--config", str(ground.user)], lambda: json.dumps(payload).encode())
        assert reply.status in (0, 2)

    return call


ENTRIES: dict[str, Callable[[Ground], None]] = {
    "gate": by_gate,
    "serve": by_serve,
    "library": by_library,
    **{f"hook {agent}": by_hook(agent) for agent in AGENTS},
}


def taken(ground: Ground, entry: str) -> Settings:
    ground.seen.clear()
    ENTRIES[entry](ground)
    return ground.seen[-1]


def differing(one: Settings, other: Settings) -> set[str]:
    return {key.field for key in KEYS if getattr(one, key.field) != getattr(other, key.field)}


def may_loosen(entry: str, source: str) -> bool:
    return source in ("managed", "user") or (source == "environment" and not entry.startswith("hook"))


def reaches(entry: str, source: str) -> bool:
    return source != "project there" or entry == "gate" or entry.startswith("hook")


@pytest.mark.parametrize("entry", list(ENTRIES))
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("strict", [False, True], ids=["from the defaults", "from the strictest"])
def test_only_those_who_may_loosen(entry: str, source: str, strict: bool, ground: Ground) -> None:
    base = "user" if source == "managed" else "managed"
    if strict and source != "managed":
        ground.set(base, STRICTER)
    before = taken(ground, entry)
    # a hook that is off looks no further, so this one is tried by itself below
    values = {field: value for field, value in LOOSER.items() if not (field == "enabled" and may_loosen(entry, source))}
    ground.set(source, values)
    after = taken(ground, entry)
    changed = differing(before, after)
    if not may_loosen(entry, source):
        assert changed == set()
        return
    said = {field for field in values if source != "environment" or key_of(field).environment}
    expected = evolve(before, **{field: key_of(field).check(values[field]) for field in said})
    # a token of a file stays with the service of the files; here both stand in one
    assert changed == differing(before, expected)
    assert len(changed) > 30


@pytest.mark.parametrize("entry", list(ENTRIES))
@pytest.mark.parametrize("source", ["environment", "project here", "project there"])
def test_everybody_may_tighten(entry: str, source: str, ground: Ground) -> None:
    loose = {field: LOOSER[field] for field in STRICTER if field != "enabled"}
    ground.set("managed", loose)
    before = taken(ground, entry)
    ground.set(source, STRICTER)
    changed = differing(before, taken(ground, entry))
    assert changed == (set(loose) if reaches(entry, source) else set())


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("agent", AGENTS)
def test_a_hook_is_switched_off_by_those_who_may_alone(source: str, agent: str, ground: Ground) -> None:
    ground.set(source, {"enabled": False})
    ground.monkeypatch.setenv("PHOCINAE_ENABLED", "false")
    assert taken(ground, f"hook {agent}").enabled is (source not in ("managed", "user"))


def test_an_option_may_loosen_for_a_hook_as_well(ground: Ground) -> None:
    ground.set("managed", STRICTER)
    ground.set("project here", {"fail_closed": "ask", "unattended": "ask"})
    options = ["--fail-closed", "ask", "--unattended", "ask", "--on-allow", "allow", "--observe", "--l1-enabled"]
    hook.respond([AGENTS[0], "--config", str(ground.user), *options], lambda: b"{}")
    settings = ground.seen[-1]
    assert (settings.fail_closed, settings.unattended) == (Decision.ASK, Decision.ASK)
    assert (settings.on_allow, settings.mode, settings.l1_enabled) == ("allow", "observe", True)


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.toml)
def test_no_argument_of_a_tool_is_a_setting(key: Any) -> None:
    arguments = {"command": "rm -rf /", key.field: LOOSER[key.field]}
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": "gate", "arguments": arguments, "_meta": meta}
    frame = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    (reply,) = build_server(Settings()).open().receive(frame.encode()).replies
    # `server` is an argument, and names a service that nobody configured
    assert json.loads(reply)["error"]["code"] == -32602


def broken(folder: Path, how: str) -> Path:
    path = folder / "c.toml"
    if how == "folder":
        path.mkdir()
    elif how != "missing":
        texts = {"invalid": "[gate\n", "wrong type": "[gate]\nmode = 1\n", "unknown": "[gate]\nmodes = 1\n"}
        path.write_text(texts.get(how, ""))
        path.chmod(0o666 if how == "writable" else 0o600)
        if how == "of another":
            os.chown(path, 54321, 54321)
    return path


@pytest.mark.parametrize(
    "how",
    [
        "missing", "folder", "invalid", "wrong type", "unknown", "writable",
        pytest.param("of another", marks=pytest.mark.skipif(os.getuid() != 0, reason="only root can give files away")),
    ],
)  # fmt: skip
def test_a_settings_file_that_cannot_be_used_is_never_looser(how: str, tmp_path: Path, capsys: Capture) -> None:
    path = str(broken(tmp_path, how))
    known = agents.agent(AGENTS[0])
    payload = json.dumps(known.sample(known.tools[0], "ls", str(tmp_path))).encode()
    for entry in (["gate", "--config", path, "ls"], ["serve", "--config", path], ["config", "show", "--config", path]):
        assert run(entry) == 3
        out, err = capsys.readouterr()
        assert (out, path in err) == ("", True)
    for extra in ([], ["--off"], ["--observe"], ["--on-allow", "allow"]):
        for agent in AGENTS:
            reply = hook.respond([agent, "--config", path, *extra], lambda: payload)
            assert reply.status == 2
            assert path in reply.stderr


@pytest.mark.parametrize("agent", AGENTS)
def test_a_real_hook_denies_whatever_its_surroundings_ask_for(agent: str, tmp_path: Path) -> None:
    user = tmp_path / "user.toml"
    user.write_text(f'[audit]\nfile = "{tmp_path / "audit.jsonl"}"\n')  # an isolated child would write to the account's
    user.chmod(0o600)
    project = tmp_path / ".phocinae" / "policy.toml"
    project.parent.mkdir()
    project.write_text("".join(f"{key_of(field).toml} = {literal(value)}\n" for field, value in LOOSER.items()))
    surroundings = {
        name: ",".join(value) if isinstance(value, list) else str(value).lower()
        for key in KEYS
        for value in [LOOSER[key.field]]
        for name in (*key.environment, f"PHOCINAE_{key.field.upper()}")
    }
    known = agents.agent(agent)
    done = subprocess.run(
        [sys.executable, "-I", "-m", "phocinae", "hook", agent, "--config", str(user)],
        input=json.dumps(known.sample(known.tools[0], "rm -rf /", str(tmp_path))).encode(),
        env=dict(os.environ) | surroundings,
        capture_output=True,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    said = done.stderr.decode()
    assert "gate.enabled is ignored: the project file may only make the gate stricter" in said
    assert "environment variable PHOCINAE_MODE is ignored" in said
