from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.cli.entry import run
from phocinae.domain.request import Caller, GateRequest
from phocinae.domain.verdict import Decision, Hit, Layer, Verdict, Weight

Capture = pytest.CaptureFixture[str]

HOSTILE = "echo \x1b[2J\u202egnihton\r\nrm \x07\u200b\u4f60\u597d"


def verdict(decision: Decision, rule: str, *, observed: bool = False) -> Verdict:
    hit = Hit(rule=rule, weight=Weight.DENY, reason="Because.")
    return Verdict(decision=decision, layer=Layer.L0, reason="Because.", hits=(hit,), observed=observed)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a log of five decisions, which the settings name."""
    path = tmp_path / "log" / "audit.jsonl"
    monkeypatch.setenv("PHOCINAE_AUDIT_FILE", str(path))
    monkeypatch.setenv("COLUMNS", "100")
    audit = JsonLinesAudit(str(path))
    caller = Caller(agent="codex", tool="shell")
    at = 1_785_240_000.0
    audit.record(at, GateRequest("git status"), verdict(Decision.ALLOW, "reads"))
    audit.record(at + 1, GateRequest("ls | sort", "/srv", caller), verdict(Decision.ALLOW, "reads"))
    audit.record(at + 2, GateRequest("git push -f", None, caller), verdict(Decision.DENY, "rewrites"))
    audit.record(at + 3, GateRequest(HOSTILE), verdict(Decision.ASK, "hides"))
    audit.record(at + 4, GateRequest("npm i " + "x" * 500), verdict(Decision.DENY, "installs", observed=True))
    return path


def shown(capsys: Capture, *arguments: str, status: int = 0) -> str:
    assert run(["audit", *arguments]) == status
    return capsys.readouterr().out


@pytest.mark.usefixtures("log")
def test_the_table_fits_the_terminal_and_nothing_in_it_drives_that(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for columns in (80, 100, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = shown(capsys, "show").splitlines()
        assert len(lines) == 6
        assert max(map(len, lines)) <= columns
        assert all(line.isprintable() for line in lines)
        assert "\u202e" not in "".join(lines)
        assert lines[0].split() == ["TIME", "(UTC)", "DECISION", "LAYER", "RULES", "AGENT", "COMMAND"]
        assert "would deny" in lines[-1]
        assert lines[-1].endswith("xxx...")


@pytest.mark.parametrize(
    ("arguments", "commands"),
    [
        (["-n", "1"], ["npm i"]),
        (["--last=2"], ["echo", "npm i"]),
        (["--decision", "deny"], ["git push", "npm i"]),
        (["--rule", "reads"], ["git status", "ls |"]),
        (["--agent", "codex", "--tool", "shell"], ["ls |", "git push"]),
        (["--program", "git"], ["git status", "git push"]),
        (["--since", "2026-07-28T12:00:02Z", "--until", "2026-07-28T12:00:04Z"], ["git push", "echo"]),
        (["--grep", "/SRV"], ["ls |"]),
        (["--layer", "L1"], []),
        (["--since", "1s"], []),
    ],
)
def test_filters_and_records_as_they_are(arguments: list[str], commands: list[str], log: Path, capsys: Capture) -> None:
    lines = shown(capsys, "show", "--json", *arguments).splitlines()
    assert [json.loads(line)["command"].startswith(start) for line, start in zip(lines, commands, strict=True)] == [
        True
    ] * len(commands)
    on_disk = log.read_text(encoding="ascii").splitlines()
    assert [line for line in lines if line not in on_disk] == []


def test_nothing_in_a_foreign_line_drives_a_terminal_as_json_either(log: Path, capsys: Capture) -> None:
    signs = "\x7f\x9b\u202e\u200b\U0001f600"
    with log.open("ab") as file:
        file.write(json.dumps({"command": signs}, ensure_ascii=False).encode() + b"\n")
    out = shown(capsys, "show", "--json", "-n", "1")
    assert out.isascii()
    assert "\x7f" not in out
    assert json.loads(out) == {"command": signs}


def test_a_torn_or_foreign_line_is_told_with_its_place(log: Path, capsys: Capture) -> None:
    with log.open("ab") as file:
        file.write(b'["\x1b"]\n\xff\xfe\n{"time": 1, "hits": {"a": 2}}\n{"torn')
    out = shown(capsys, "show")
    assert out.count("unreadable") == 3
    assert "line 6" in out or "..." in out
    assert "\x1b" not in out
    assert run(["audit", "show", "--json"]) == 0
    assert "line 6: " in capsys.readouterr().err
    assert json.loads(shown(capsys, "stats", "--json"))["unreadable"] == 3


@pytest.mark.parametrize("command", ["show", "stats"])
def test_an_empty_and_a_missing_log_say_so(command: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "empty.jsonl").touch(mode=0o600)
    for name in ("empty.jsonl", "missing.jsonl", "no/folder/audit.jsonl"):
        assert run(["audit", command, "--file", str(tmp_path / name)]) == 0
        assert name in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty.jsonl"]


@pytest.mark.parametrize("command", ["show", "stats", "verify", "head"])
def test_what_cannot_be_read_is_one_line_and_exit_3(command: str, tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "x").mkdir()
    assert run(["audit", command, "--file", str(tmp_path / "x")]) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "x"], ["show", "-n", "0"], ["show", "-n", "x"], ["show", "--since", "soon"], ["show", "--file", ""],
        ["show", "--decision", "maybe"], ["stats", "--top", "-1"], ["verify", "--anchor", "1"],
        ["verify", "--anchor", "1:zz"], ["verify", "--anchor", ":" + "00" * 32],
    ],
)  # fmt: skip
@pytest.mark.usefixtures("log")
def test_usage_errors(arguments: list[str], capsys: Capture) -> None:
    assert run(["audit", *arguments]) == 3
    captured = capsys.readouterr()
    assert (captured.out, captured.err.count("\n")) == ("", 1)


@pytest.mark.usefixtures("log")
def test_a_whole_log_and_its_anchor(capsys: Capture) -> None:
    anchor = shown(capsys, "head").strip()
    seq, _, mac = anchor.partition(":")
    assert json.loads(shown(capsys, "head", "--json")) == {"seq": int(seq), "mac": mac, "anchor": anchor}
    out = shown(capsys, "verify", "--anchor", anchor)
    assert out.startswith("whole: ")
    assert anchor in out
    wire = json.loads(shown(capsys, "verify", "--json"))
    assert (wire["intact"], wire["faults"], wire["last"], wire["mac"]) == (True, [], int(seq), mac)
    assert "anchor" in shown(capsys, "verify", "--anchor", f"{seq}:{'00' * (len(mac) // 2)}", status=1)


def test_a_changed_log_is_not_whole(log: Path, capsys: Capture) -> None:
    log.write_bytes(log.read_bytes().replace(b"git push -f", b"git push -n"))
    out = shown(capsys, "verify", status=1)
    assert out.startswith("not whole: ")
    assert f"{log}, line " in out
    assert json.loads(shown(capsys, "verify", "--json", status=1))["faults"]


@pytest.mark.usefixtures("log")
def test_counts_with_bars(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    out = shown(capsys, "stats")
    assert "Programs" in out
    assert max(map(len, out.splitlines())) <= 60
    wire = json.loads(shown(capsys, "stats", "--json", "--top", "2"))
    assert wire["decision"] == {"allow": 2, "ask": 1}
    assert wire["program"]["git"] == 2
    assert len(wire["rule"]) == 2
    assert wire["agent"] == {"codex": 2}
    assert "(and " in shown(capsys, "stats", "--top", "1")


def child(log: Path, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
    known = {"PATH": os.environ["PATH"], "PHOCINAE_AUDIT_FILE": str(log), "COLUMNS": "90"}
    return subprocess.Popen(
        [sys.executable, "-m", "phocinae", "audit", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=known | environment,
        cwd=log.parent,
    )


@pytest.mark.parametrize(("locale", "block"), [("C.UTF-8", "█".encode()), ("C", b"#")])
def test_bars_and_tables_in_every_locale(locale: str, block: bytes, log: Path) -> None:
    quiet = {"LC_ALL": locale, "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    with child(log, "stats", **quiet) as process:
        out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert block in out
    assert (locale == "C") == out.isascii()
    with child(log, "show", **quiet) as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert len(out.splitlines()) == 6


def test_following_goes_on_until_it_is_interrupted(log: Path) -> None:
    with child(log, "show", "--follow", "--json", "-n", "1") as process:
        assert process.stdout is not None
        assert b"npm i" in process.stdout.readline()
        JsonLinesAudit(str(log)).record(time.time(), GateRequest("echo new"), verdict(Decision.ALLOW, "reads"))
        assert b"echo new" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
