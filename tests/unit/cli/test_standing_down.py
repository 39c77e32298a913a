"""A gate that observes or is off says so wherever somebody looks, and its verdicts stay the true ones."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from phocinae import build_gate, build_server
from phocinae.catalog.policy import policy_text
from phocinae.cli.entry import run
from phocinae.domain.levels import Level
from phocinae.domain.verdict import Decision
from phocinae.settings import Effective, Given, Settings, Source, merge

Capture = pytest.CaptureFixture[str]

DOWN = {
    "observe": ('[gate]\nmode = "observe"\n', "the gate only OBSERVES, by {}, line 2: gate.mode: hooks"),
    "off": ("[gate]\nenabled = false\n", "the gate is OFF for hooks, by {}, line 2: gate.enabled: they"),
}
BOTH = pytest.mark.parametrize("state", list(DOWN))


@pytest.fixture
def user(state: str, tmp_path: Path) -> str:
    path = tmp_path / "c.toml"
    path.write_text(DOWN[state][0], encoding="utf-8")
    path.chmod(0o600)
    return str(path)


def settings(state: str) -> Settings:
    return Settings(mode="observe") if state == "observe" else Settings(enabled=False)


@BOTH
def test_the_gate_says_so_and_answers_as_ever(state: str, user: str, capsys: Capture) -> None:
    assert run(["gate", "--config", user, "--json", "rm -rf /"]) == 1
    out, err = capsys.readouterr()
    answer = json.loads(out)
    assert answer["decision"] == "deny"
    assert answer.get("outcome") == ("would deny" if state == "observe" else None)
    assert err.splitlines()[0].startswith("phocinae: " + DOWN[state][1].format(user))
    assert err.splitlines()[0].endswith("block nothing")
    assert run(["gate", "--config", user, "ls"]) == 0
    assert "block nothing" in capsys.readouterr().err


@BOTH
def test_a_server_says_so_in_a_warning_of_its_log(state: str, user: str) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-m", "phocinae", "serve", "--config", user], input=b"", capture_output=True, timeout=60
    )
    assert done.returncode == 0
    assert f"phocinae-mcp[warning]: {DOWN[state][1].format(user)}" in done.stderr.decode()


@BOTH
def test_info_says_so(state: str, user: str, capsys: Capture) -> None:
    assert run(["info", "--config", user]) == 0
    out, err = capsys.readouterr()
    assert f"  hooks: {state.upper()}, nothing is " in out
    assert "block nothing" in err
    assert run(["info", "--json", "--config", user]) == 0
    assert json.loads(capsys.readouterr().out)["hooks"] == state


def read(state: Settings, uri: str) -> str:
    request = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri, "_meta": {}}}
    request["params"]["_meta"] = {  # type: ignore[index]
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    (frame,) = build_server(state).open().receive(json.dumps(request).encode()).replies
    return str(json.loads(frame)["result"]["contents"][0]["text"])


@BOTH
def test_the_resources_say_so(state: str) -> None:
    page = read(settings(state), "phocinae://policy/gate-approval")
    assert page == policy_text(settings(state), page.split("Policy: `")[1].split("`")[0])
    second = page.split("\n\n")[1]
    assert second.startswith("**The gate ")
    assert "block nothing" in second
    effective = json.loads(read(settings(state), "phocinae://policy/effective"))["settings"]["gate"]
    assert (effective["enabled"], effective["mode"]) == (state != "off", "observe" if state == "observe" else "enforce")
    assert json.loads(read(settings(state), "phocinae://manifest"))["hooks"] == state


@BOTH
def test_the_verdicts_of_the_library_are_the_true_ones(state: str) -> None:
    verdict = build_gate(settings(state)).decide("rm -rf /")
    assert verdict.decision is Decision.DENY
    assert verdict.to_wire().get("outcome") == ("would deny" if state == "observe" else None)


def test_a_gate_that_enforces_says_nothing_of_it(capsys: Capture) -> None:
    assert Effective(Settings()).standing_down() == ""
    assert run(["gate", "ls"]) == 0
    assert capsys.readouterr().err == ""
    assert run(["info"]) == 0
    out, err = capsys.readouterr()
    assert "  hooks: enforce, what is denied is blocked\n" in out
    assert err == ""
    assert "block nothing" not in policy_text(Settings(), "p")


@pytest.mark.parametrize("source", [Source.FLAG, Source.USER, Source.MANAGED, Source.ENVIRONMENT])
def test_it_is_said_who_wanted_it(source: Source) -> None:
    given = Given(source, "mode", "observe", f"the {source.value}")
    assert f"by the {source.value}:" in merge([given]).standing_down()


def test_a_gate_that_is_off_and_observes_is_off() -> None:
    assert Settings(enabled=False, mode="observe").hooks == "off"


def test_a_server_whose_settings_change_says_so(tmp_path: Path) -> None:
    from phocinae.composition.live import build_live
    from phocinae.composition.reload import Reloading

    path = tmp_path / "c.toml"
    path.write_text("")
    lines: list[tuple[Level, str]] = []
    now = [0.0]
    live = Reloading(
        lambda: merge([Given(Source.USER, "mode", "observe", "the file")]),
        build_live,
        (str(path),),
        start=merge([]),
        log=lambda level, message, _threshold=None: lines.append((level, message)),
        clock=lambda: now[0],
    )
    live()
    path.write_text("[gate]\n")
    now[0] += 3600.0
    assert live().settings.mode == "observe"
    assert [message for level, message in lines if level is Level.WARNING and "OBSERVES, by the file" in message]
