from __future__ import annotations

from pathlib import Path
from typing import Any

import guards
import pytest
from attrs import evolve, field, fields, frozen

from phocinae.adapters import settings_sources
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.composition.audit import audit_file
from phocinae.composition.gate import build_gate, fingerprint
from phocinae.domain.questions import Answers, Question, ScoreAnswer, YesNoAnswer
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Gap, Reading
from phocinae.domain.verdict import Decision, Layer, ReadingStatus, Verdict
from phocinae.errors import InvalidSettings, TimedOut
from phocinae.service.gate import GateService
from phocinae.settings import Settings

SILENT = Settings(audit=False)


@frozen
class Reader:
    """A reader that makes nothing of any text."""

    def read(self, text: str) -> Reading:
        return Reading(status=ReadingStatus.REFUSED, gaps=(Gap(0, len(text), "it is not read"),))


@frozen
class Backend:
    """A decision service that finds everything fine."""

    engine: str = "mine"
    asked: list[str] = field(factory=list)

    def answer(
        self, _questions: tuple[Question, ...], state: str, _deadline: float, *, average_orders: bool = False
    ) -> Answers:
        assert not average_orders
        self.asked.append(state)
        return Answers({"safe_to_run": YesNoAnswer(0.9), "risk": ScoreAnswer(2)}, "m")


@frozen
class Log:
    """A log in memory."""

    records: list[tuple[float, GateRequest, Verdict]] = field(factory=list)

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        self.records.append((at, request, verdict))


@pytest.fixture(autouse=True)
def _no_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(settings_sources, "user_file", lambda: None)
    monkeypatch.setattr(settings_sources, "MANAGED_FILE", str(tmp_path / "managed.toml"))
    monkeypatch.setattr(settings_sources, "state_folder", lambda: str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


def test_a_gate_is_built_from_files_and_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PHOCINAE_FAIL_CLOSED", "ask")
    gate = build_gate()
    assert isinstance(gate, GateService)
    assert gate.fail_closed is Decision.ASK
    assert isinstance(gate.audit, JsonLinesAudit)
    assert gate.audit.path == str(tmp_path / "state" / "audit.jsonl")


def test_parts_of_ones_own_are_used() -> None:
    log = Log()
    gate = build_gate(SILENT, audit=log, reader=Reader(), clock=lambda: 12.0)
    verdict = gate.decide("git status", "/srv")
    assert verdict.decision is Decision.DENY
    assert verdict.reading is ReadingStatus.REFUSED
    assert log.records == [(12.0, GateRequest("git status", "/srv"), verdict)]


@pytest.mark.parametrize(
    ("dialect", "decision"),
    [("auto", Decision.DENY), ("posix", Decision.DENY), ("powershell", Decision.ALLOW), ("cmd", Decision.DENY)],
)
def test_commands_are_taken_to_be_in_the_language_that_is_set(dialect: str, decision: Decision) -> None:
    text = 'Write-Output "`frobnicate`n"'  # which a POSIX shell runs, and PowerShell prints
    assert build_gate(evolve(SILENT, dialect=dialect)).decide(text).decision is decision


def test_the_verdict_names_the_policy() -> None:
    gate = build_gate(SILENT, reader=Reader())
    assert gate.policy == fingerprint(SILENT)
    assert gate.decide("x").policy == gate.policy
    assert gate.judge_offline("x").policy == gate.policy


def test_without_a_log_nothing_is_recorded(tmp_path: Path) -> None:
    assert build_gate(SILENT, reader=Reader()).audit is None
    assert list(tmp_path.iterdir()) == []


def test_where_the_log_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert audit_file(Settings()) == str(tmp_path / "state" / "audit.jsonl")
    assert audit_file(Settings(audit_file="/var/log/p.jsonl")) == "/var/log/p.jsonl"
    monkeypatch.setattr(settings_sources, "state_folder", lambda: None)
    assert audit_file(Settings()) == ""


def test_the_service_is_asked_only_where_it_is_switched_on() -> None:
    backend = Backend()
    assert build_gate(SILENT, backend=backend, reader=Reader()).later == ()
    gate = build_gate(evolve(SILENT, l1_enabled=True, timeout=2.0, score_ask=3), backend=backend, reader=Reader())
    (judge,) = gate.later
    verdict = judge(GateRequest("npm install"))
    assert isinstance(verdict, Verdict)
    assert (verdict.layer, verdict.policy, verdict.noul) == (Layer.L1, gate.policy, 0.9)
    assert len(backend.asked) == 1


def test_the_service_is_shown_how_the_offline_layer_reads_the_command() -> None:
    backend = Backend()
    gate = build_gate(evolve(SILENT, l1_enabled=True), backend=backend)
    assert gate.decide("frobnicate x # and a comment").decision is Decision.ALLOW
    (state,) = backend.asked
    assert 'Commands: [["frobnicate", "x"]]' in state
    assert "comment" not in state


def test_the_ceiling_and_the_window_are_those_of_the_settings() -> None:
    on = evolve(SILENT, l1_enabled=True)
    held = build_gate(evolve(on, l1_ceiling=Decision.ASK), backend=Backend()).decide("frobnicate x")
    assert (held.decision, held.layer) == (Decision.ASK, Layer.L1)
    backend = Backend()
    small = build_gate(evolve(on, window=64), backend=backend).decide("frobnicate x")
    assert (small.decision, small.layer, backend.asked) == (Decision.ASK, Layer.L1, [])


LOOSE: dict[str, Any] = {"score_ask": 10, "score_deny": 10, "noul_deny": 0.0, "noul_allow": 0.0}


@pytest.mark.parametrize("limits", [{}, LOOSE])
def test_a_mock_that_the_settings_name_allows_nothing(limits: dict[str, Any]) -> None:
    gate = build_gate(evolve(SILENT, l1_enabled=True, backend="mock", **limits))
    verdict = gate.decide("frobnicate x")
    assert (verdict.decision, verdict.layer, verdict.engine) == (Decision.ASK, Layer.L1, "mock")
    assert verdict.reason.startswith("A mock, which judges nothing, gives")


def test_a_mock_of_ones_own_does_what_its_script_says() -> None:
    fine = Answers({"safe_to_run": YesNoAnswer(0.9), "risk": ScoreAnswer(2)})
    gate = build_gate(evolve(SILENT, l1_enabled=True), backend=ScriptedBackend([fine, TimedOut("too late")]))
    first, second = gate.decide("frobnicate x"), gate.decide("frobnicate x")
    assert (first.decision, first.engine) == (Decision.ALLOW, "mock")
    assert (second.decision, second.engine, second.reason) == (
        Decision.DENY, "mock", "The mock gave no answer: too late",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"guard": "/nowhere/guard.py"}, r"l1\.guard.*/nowhere does not exist"),
        ({"l1_enabled": True, "token_file": "/nowhere/token"}, r"/nowhere/token does not exist"),
        ({"timeout": -1.0}, r"Settings\.timeout cannot be used"),
        ({"fail_closed": Decision.ALLOW}, r"Settings\.fail_closed"),
    ],
)
def test_settings_that_ask_for_what_is_not_there_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSettings, match=message):
        build_gate(evolve(SILENT, **wrong))


WRONG: list[Any] = [None, "", "x", "ask", "deny", b"ask", 0, 1, -1, 10**400, 2.5, float("nan"), [], {}, Decision]


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("name", [attribute.name for attribute in fields(Settings)])
def test_a_field_of_another_type_is_named(name: str, wrong: Any) -> None:
    default = getattr(Settings(), name)
    if type(wrong) is type(default) or (isinstance(default, float) and isinstance(wrong, int)):
        wrong = {str: "\0", int: -1, float: float("inf"), tuple: ("x",)}[type(default)]
    with pytest.raises(InvalidSettings, match=rf"^Settings\.{name} cannot be used; give \S"):
        build_gate(evolve(SILENT, **{name: wrong}), reader=Reader())


@pytest.mark.parametrize(("name", "words"), [("fail_closed", '"deny" or "ask"'), ("project_code", '"allow", "ask"')])
def test_a_word_is_no_decision(name: str, words: str) -> None:
    wrong: dict[str, Any] = {name: "ask"}
    with pytest.raises(InvalidSettings, match=rf"Settings\.{name} .*phocinae\.Decision for {words}"):
        build_gate(evolve(SILENT, **wrong), reader=Reader())


@pytest.mark.parametrize("wrong", ["x", 7, {"audit": False}, Settings])
def test_what_are_no_settings_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidSettings, match=r"phocinae\.Settings"):
        build_gate(wrong)


def test_the_fingerprint_changes_with_what_decides_and_with_nothing_else() -> None:
    base = Settings()
    on = evolve(base, l1_enabled=True)
    changes: dict[str, Any] = {
        "fail_closed": Decision.ASK, "project_code": Decision.DENY, "dialect": "cmd", "audit_strict": True,
        "l1_enabled": True, "server": "http://127.0.0.1:1", "model": "x", "score_deny": 8, "score_ask": 5,
        "noul_deny": 0.1, "noul_allow": 0.9, "backend": "mock", "window": 400, "l1_ceiling": Decision.ASK,
    }  # fmt: skip
    neutral: dict[str, Any] = {
        "allowed_servers": ("http://127.0.0.1:2",),
        "timeout": 1.0,
        "token_file": "/t",
        "guard": "/g",
        "enabled": False,
        "mode": "observe",
        "on_allow": "allow",
        "unattended": Decision.ASK,
        "hook_deadline": 1.0,
        "audit": False,
        "audit_file": "/f",
        "audit_key_file": "/k",
        "audit_max_size": 65_536,
        "audit_keep": 1,
        "transport": "http",
        "host": "::1",
        "port": 1,
        "path": "/x",
        "allow_host": ("gate.example",),
        "allow_origin": ("http://127.0.0.1:3",),
        "auth_token_file": "/a",
        "max_body": 2048,
        "session_secret_file": "/x",
        "session_ttl": 60.0,
        "require_session": True,
        "state_key_file": "/k",
        "spent_tokens_file": "/s",
        "human_timeout": 60.0,
        "log": True,
        "log_folder": "/l",
        "log_level": "debug",
        "log_prefix": "p",
    }
    assert {attribute.name for attribute in fields(Settings)} == {*changes, *neutral}
    found = {fingerprint(evolve(on, **{name: value})) for name, value in changes.items() if name != "l1_enabled"}
    assert len(found | {fingerprint(base), fingerprint(on)}) == len(changes) + 1
    assert {fingerprint(evolve(on, **{name: value})) for name, value in neutral.items()} == {fingerprint(on)}
    only_l1 = [*neutral, "server", "model", "score_deny", "score_ask", "noul_deny", "noul_allow"]
    only_l1 += ["backend", "window", "l1_ceiling"]
    assert {fingerprint(evolve(base, **{name: {**changes, **neutral}[name]})) for name in only_l1} == {
        fingerprint(base)
    }
    assert len(fingerprint(base)) == 8
    assert len({fingerprint(base, guard) for guard in ("", "/g 1", "/g 2")}) == 3


@pytest.fixture
def guard(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A guard program outside of the working directory."""
    return guards.write(tmp_path_factory.mktemp("guard"))


def test_a_guard_program_is_asked_as_well(guard: str) -> None:
    log = Log()
    gate = build_gate(evolve(SILENT, guard=guard, timeout=30.0), audit=log)
    (judge,) = gate.tightening
    try:
        assert gate.policy not in (fingerprint(SILENT), build_gate(SILENT).policy)
        denied, asked, fine = (gate.decide(f"echo {word}") for word in ("bad", "odd", "good"))
    finally:
        judge.close()  # type: ignore[attr-defined]
    assert [found.decision for found in (denied, asked, fine)] == [Decision.DENY, Decision.ASK, Decision.ALLOW]
    assert (denied.engine, denied.layer, denied.policy) == ("guard", Layer.L0, gate.policy)
    assert denied.reason == denied.hits[0].reason == "The guard program says deny: echo bad"
    assert denied.reading is ReadingStatus.COMPLETE
    assert fine == evolve(build_gate(SILENT).decide("echo good"), policy=gate.policy)
    assert [verdict for _, _, verdict in log.records] == [denied, asked, fine]


def test_the_policy_changes_with_the_content_of_the_guard_program(guard: str) -> None:
    settings = evolve(SILENT, guard=guard)
    before = build_gate(settings).policy
    assert build_gate(settings).policy == before
    Path(guard).write_text(guards.PLAIN + "#")
    assert build_gate(settings).policy != before
