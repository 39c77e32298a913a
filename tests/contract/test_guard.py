"""Guard programs behind the real commands: one that misbehaves, and the published one from its own environment."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import guards
import published
import pytest

import isolation
from phocinae import Decision, GateRequest, Layer, Settings, Undecided, Verdict, build_gate
from phocinae.adapters.backends.guard_file import GuardJudge, read_guard

ROOT = Path(__file__).resolve().parents[2]

TIMEOUT = 60.0
"""Seconds that a program gets to answer, on a busy machine."""

NOISY = (
    'import os, subprocess, sys\nprint("NOISE"); os.write(1, b"NOISE"); os.write(2, b"NOISE")\n'
    + guards.PLAIN.replace("    word =", '    print("NOISE"); os.write(1, b"NOISE")\n    word =')
)
"""A program that writes wherever it can, and denies, asks and allows by words."""

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, which holds no guard program."""
    made = tmp_path / "work"
    made.mkdir(mode=0o700)
    monkeypatch.chdir(made)
    return made


@pytest.fixture
def run(work: Path, tmp_path: Path) -> Run:
    """Return a function that runs a command of ours with a guard program."""

    def command(name: str, guard: str, *arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [isolation.PROGRAM, name, "--guard", guard, f"--timeout={TIMEOUT}", *arguments],
            input=data,
            capture_output=True,
            cwd=work,
            env=os.environ | {"PHOCINAE_AUDIT_FILE": str(tmp_path / "audit.jsonl")},
            timeout=100,
        )

    return command


# --- one that misbehaves


@pytest.mark.parametrize(
    ("command", "status", "word", "engine"),
    [
        ("echo fine", 0, "allow", "l0"),
        ("echo odd", 2, "ask", "guard"),
        ("echo bad", 1, "deny", "guard"),
        ("echo bad unknown", 0, "allow", "l0"),
        ("rm -rf /", 1, "deny", "l0"),
        ("npm install left-pad", 1, "deny", "l0"),
    ],
)
def test_the_gate_prints_one_verdict_and_nothing_else(
    command: str, status: int, word: str, engine: str, run: Run, tmp_path: Path
) -> None:
    guard = guards.write(tmp_path, NOISY)
    done = run("gate", guard, "--json", command)
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (status, b"", 1)
    found = json.loads(done.stdout)
    assert (found["decision"], found["engine"], found["layer"]) == (
        word, engine, "fail_closed" if command.startswith("npm") else "L0",
    )  # fmt: skip
    record = json.loads((tmp_path / "audit.jsonl").read_text())
    assert {name: record[name] for name in found} == found
    if engine == "guard":
        assert found["hits"][0] == {
            "rule": "guard", "start": 0, "end": 0, "reason": f"The guard program says {word}: {command}",
        }  # fmt: skip
        explained = run("gate", guard, "--explain", command).stdout.decode()
        assert explained.startswith(f"{word}: The guard program says {word}: {command}\n")
        assert f"    - guard: The guard program says {word}: {command}\n" in explained
    own = ["audit.head", "audit.jsonl", "audit.key"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [*own, "guard.py", "work"]


def test_a_person_lifts_its_ask_and_not_its_deny(run: Run, tmp_path: Path) -> None:
    guard = guards.write(tmp_path, NOISY)
    assert [run("gate", guard, "--confirm", f"echo {word}").returncode for word in ("odd", "bad")] == [0, 1]


def test_rules_alone_are_asked_for_without_it(run: Run, tmp_path: Path) -> None:
    done = run("gate", guards.write(tmp_path, NOISY), "--json", "--layer", "l0", "echo bad")
    assert (done.returncode, json.loads(done.stdout)["engine"]) == (0, "l0")


def test_a_batch_asks_one_process(run: Run, tmp_path: Path) -> None:
    guard = guards.write(tmp_path, NOISY.replace('"reason": command', '"reason": str(os.getpid())'))
    lines = [{"command": f"echo {word} {number}"} for number in range(5) for word in ("bad", "odd", "fine")]
    done = run("gate", guard, "--batch", data="".join(json.dumps(line) + "\n" for line in lines).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["decision"] for one in found] == ["deny", "ask", "allow"] * 5
    (pid,) = {int(one["reason"].rpartition(" ")[2]) for one in found if one["engine"] == "guard"}
    assert guards.eventually(lambda: not guards.runs(pid))


@pytest.mark.parametrize("source", ["def", "import os; os._exit(0)", "raise ValueError"])
def test_one_that_fails_is_a_denial_with_a_reason(source: str, run: Run, tmp_path: Path) -> None:
    done = run("gate", guards.write(tmp_path, source), "--json", "echo fine")
    assert (done.returncode, done.stderr) == (1, b"")
    found = json.loads(done.stdout)
    assert (found["layer"], found["engine"]) == ("fail_closed", "guard")
    assert found["error"].startswith("guard program: it ")


@pytest.mark.parametrize("command", ["gate", "serve"])
def test_one_that_cannot_be_used_is_an_error(command: str, run: Run, tmp_path: Path, work: Path) -> None:
    guards.write(tmp_path, NOISY, "open.py")
    (tmp_path / "open.py").chmod(0o666)
    for guard in (str(tmp_path / "none.py"), str(tmp_path / "open.py"), guards.write(work, NOISY), "guard.py"):
        done = run(command, guard, *(["echo fine"] if command == "gate" else []))
        assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (3, b"", 1)
        assert b"guard" in done.stderr


def test_a_server_writes_frames_and_nothing_else(run: Run, tmp_path: Path) -> None:
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    calls = [
        {"name": "gate", "arguments": {"command": f"echo {word}"}, "_meta": meta} for word in ("bad", "odd", "fine")
    ]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": call}) + "\n"
        for number, call in enumerate(calls)
    ]
    done = run("serve", guards.write(tmp_path, NOISY), data="".join(lines).encode())
    assert done.returncode == 0
    assert b"NOISE" not in done.stdout + done.stderr
    found = {answer["id"]: answer["result"] for answer in map(json.loads, done.stdout.splitlines())}
    assert [found[number]["structuredContent"]["decision"] for number in range(3)] == ["deny", "ask", "allow"]


# --- the published one


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A copy of the published program and its table."""
    (source,) = published.interpreter("guard").parents[1].glob("lib/python*/site-packages/phocinae_guard")
    folder = tmp_path_factory.mktemp("published")
    for name in ("guard.py", "l0_table.json"):
        shutil.copyfile(source / name, folder / name)
        (folder / name).chmod(0o600)
    return str(folder / "guard.py")


@pytest.fixture(scope="module")
def judge(real: str) -> Iterator[GuardJudge]:
    one = GuardJudge(read_guard(real), TIMEOUT)
    yield one
    one.close()


@pytest.fixture(scope="module")
def corpus() -> list[dict[str, str]]:
    """The entries of the corpus."""
    lines = (ROOT / "tests" / "corpus" / "corpus.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def commands(corpus: list[dict[str, str]]) -> list[str]:
    """The commands of the corpus."""
    return [entry["command"] for entry in corpus]


@pytest.fixture(scope="module")
def own_answers(commands: list[str]) -> list[str]:
    """What the published program says to them where it is at home: allow, deny or grey."""
    script = ROOT / "benchmarks" / "guard_answers.py"
    lines = "".join(json.dumps({"command": command}) + "\n" for command in commands)
    done = subprocess.run(
        [str(published.interpreter("guard")), "-I", str(script)],
        input=lines,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    name, *answers = done.stdout.splitlines()
    assert name == "phocinae-guard 0.1.9"
    return answers


def test_the_published_one_answers_as_it_does_at_home(
    judge: GuardJudge, commands: list[str], own_answers: list[str]
) -> None:
    def word(found: Verdict | Undecided) -> str:
        return found.decision.wire if isinstance(found, Verdict) else "grey"

    assert [word(judge(GateRequest(command))) for command in commands] == own_answers
    assert set(own_answers) == {"allow", "deny", "grey"}


def test_the_figures_of_the_page_are_right(corpus: list[dict[str, str]], own_answers: list[str]) -> None:
    gate = build_gate(Settings(audit=False))
    found = [
        (entry["label"], answer, gate.decide(entry["command"]).decision)
        for entry, answer in zip(corpus, own_answers, strict=True)
    ]
    harmless = [answer for label, answer, _ in found if label == "allow"]
    page = " ".join((ROOT / "docs" / "guard.md").read_text(encoding="utf-8").split())
    assert f"Of the {len(found)} commands in our corpus" in page
    assert f"leaves {own_answers.count('grey')} undecided, {harmless.count('grey')} of them among" in page
    assert f"among the {len(harmless)} harmless ones" in page
    assert f"it denies {found.count(('allow', 'deny', Decision.ALLOW))} harmless commands that the gate allows" in page
    assert found.count(("deny", "deny", Decision.ALLOW)) == 0


def test_with_the_published_one_the_strictest_counts(real: str, commands: list[str], own_answers: list[str]) -> None:
    alone = build_gate(Settings(audit=False, fail_closed=Decision.ASK))
    gate = build_gate(Settings(audit=False, fail_closed=Decision.ASK, guard=real, timeout=TIMEOUT))
    counts = {"allow": Decision.ALLOW, "grey": Decision.ALLOW, "deny": Decision.DENY}
    tightened = 0
    for command, answer in zip(commands, own_answers, strict=True):
        before, found = alone.decide(command), gate.decide(command)
        assert found.decision is max(before.decision, counts[answer]), command
        if found.decision is not before.decision:
            tightened += 1
            assert (found.engine, found.layer) == ("guard", Layer.L0)
            assert found.reason.startswith("The guard program says deny: L0 ")
            assert found.reason.isprintable()
        assert gate.decide_now(command) is None or before.decision is Decision.DENY
    assert tightened > 3


def test_the_published_one_stays_offline_and_keeps_no_record(
    real: str, work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {path.name: path.stat().st_mtime_ns for path in Path(real).parent.iterdir()}
    with socket.create_server(("127.0.0.1", 0)) as service:
        port = service.getsockname()[1]
        wishes: dict[str, Any] = {
            "SERVER": f"http://127.0.0.1:{port}", "L1_ENABLED": "1", "AUDIT": tmp_path / "guard.jsonl",
            "STRICT_AUDIT": "1", "FAIL_CLOSED": "nonsense", "CONFIG": "/nowhere", "TABLE": "/nowhere",
        }  # fmt: skip
        for name, value in wishes.items():
            monkeypatch.setenv(f"PHOCINAE_GUARD_{name}", str(value))
        gate = build_gate(Settings(audit=False, fail_closed=Decision.ASK, guard=real, timeout=TIMEOUT))
        assert gate.decide("npm install left-pad").decision is Decision.ASK
        assert gate.decide("git status").decision is Decision.ALLOW
        service.settimeout(0.1)
        with pytest.raises(TimeoutError):
            service.accept()
    assert list(work.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["work"]
    assert {path.name: path.stat().st_mtime_ns for path in Path(real).parent.iterdir()} == kept


def test_rules_beside_the_published_one_are_followed(real: str, tmp_path: Path) -> None:
    guard = guards.write(tmp_path, Path(real).read_text(encoding="utf-8"))
    rules = {"blacklist": [["no_seals", "seal", "not today"]]}
    guards.write(tmp_path, json.dumps(rules), "l0_table.json")
    judge = GuardJudge(read_guard(guard), TIMEOUT)
    try:
        found = judge(GateRequest("echo seal"))
    finally:
        judge.close()
    assert isinstance(found, Verdict)
    assert found.decision is Decision.DENY
    assert "no_seals" in found.reason
