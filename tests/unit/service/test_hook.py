"""What becomes of a verdict in a hook: who can be asked, what is said, and what is kept to itself."""

from __future__ import annotations

import itertools

import pytest
from attrs import evolve

from phocinae.adapters.logs.audit_record import to_record
from phocinae.domain.request import Caller, GateRequest
from phocinae.domain.tool_calls import Answer, Asking, ToolCall, ToolKind
from phocinae.domain.verdict import Decision, Hit, Layer, Verdict, Weight
from phocinae.service.gate import GateService
from phocinae.service.hook import NOBODY, REASON_LIMIT, HookAnswer, HookService, reason_of

HIT = Hit(rule="a-rule", weight=Weight.DENY, reason="It does it.", remedy="do not")
NOTE = Hit(rule="a-note", weight=Weight.NOTE, reason="By the way.")


class Log:
    """A decision log in memory."""

    def __init__(self) -> None:
        self.kept: list[tuple[GateRequest, Verdict]] = []

    def record(self, _at: float, request: GateRequest, verdict: Verdict, /) -> None:
        self.kept.append((request, verdict))


def judge(request: GateRequest) -> Verdict:
    """Decide by the first word of the command."""
    decision = Decision.of(request.command.split()[0])
    hits = (HIT, NOTE) if decision is Decision.DENY else ()
    return Verdict(decision=decision, layer=Layer.L0, reason="It says so.", hits=hits)


def nothing(_files: object, _cwd: object) -> None:
    """Have nothing to say about files."""


@pytest.fixture
def log() -> Log:
    return Log()


@pytest.fixture
def service(log: Log) -> HookService:
    gate = GateService(offline=judge, audit=log, clock=lambda: 0.0)
    return HookService(agent="codex", gate=gate, files=nothing)


def call(command: str, asking: Asking = Asking.ANSWER) -> ToolCall:
    return ToolCall(tool="Bash", kind=ToolKind.SHELL, command=command, cwd="/work", asking=asking)


WRITE = ToolCall(tool="Write", kind=ToolKind.FILES, files=("/a", "b"), cwd="/work", asking=Asking.ANSWER)


def test_what_is_allowed_is_left_to_the_agent_unless_the_hook_is_to_speak(service: HookService) -> None:
    assert service.answer(call("allow")) == HookAnswer(answer=Answer.NO_OPINION)
    speaking = evolve(service, speak=True)
    assert speaking.answer(call("allow")) == HookAnswer(answer=Answer.ALLOW, reason="It says so.")


def test_a_denial_says_the_rule_that_decided_and_what_to_do_instead(service: HookService) -> None:
    answer = HookAnswer(answer=Answer.DENY, reason="It says so. Instead: do not. [a-rule]")
    for asking in Asking:
        assert service.answer(call("deny", asking)) == answer


@pytest.mark.parametrize(
    ("asking", "unattended", "answer"),
    [
        (Asking.ANSWER, Decision.DENY, HookAnswer(answer=Answer.ASK, reason="It says so.")),
        (Asking.SILENCE, Decision.DENY, HookAnswer(answer=Answer.NO_OPINION)),
        (Asking.NEVER, Decision.DENY, HookAnswer(answer=Answer.DENY, reason=f"It says so. {NOBODY}")),
        (Asking.NEVER, Decision.ASK, HookAnswer(answer=Answer.NO_OPINION)),
    ],
)
def test_an_ask_depends_on_who_can_be_asked(
    asking: Asking, unattended: Decision, answer: HookAnswer, service: HookService
) -> None:
    assert evolve(service, unattended=unattended).answer(call("ask", asking)) == answer


def test_the_record_is_the_verdict_and_who_called(service: HookService, log: Log) -> None:
    service.answer(call("ask x", Asking.NEVER))
    ((request, verdict),) = log.kept
    assert request == GateRequest("ask x", "/work", Caller(agent="codex", tool="Bash", unasked="deny"))
    assert verdict.decision is Decision.ASK


def test_one_that_observes_has_no_opinion_and_says_what_it_would_have_been(service: HookService, log: Log) -> None:
    watching = evolve(service, gate=evolve(service.gate, observing=True), speak=True)
    for word, asking in itertools.product(("ask", "deny"), Asking):
        found = watching.answer(call(word, asking))
        assert (found.answer, found.reason) == (Answer.NO_OPINION, "")
        assert found.aside.startswith("OBSERVING, nothing is blocked: would ")
    assert watching.refuse("It is broken").answer is Answer.NO_OPINION
    assert watching.answer(call("allow")) == HookAnswer(answer=Answer.ALLOW, reason="It says so.")
    assert [verdict.to_wire().get("outcome") for _, verdict in log.kept[:2]] == ["would ask", "would ask"]


def test_what_cannot_be_read_is_denied_and_recorded(service: HookService, log: Log) -> None:
    assert service.refuse("It is broken") == HookAnswer(
        answer=Answer.DENY, reason="It is broken, so the answer is deny."
    )
    ((request, verdict),) = log.kept
    assert request.caller == Caller(agent="codex", tool="")
    assert (verdict.decision, verdict.layer) == (Decision.DENY, Layer.FAIL_CLOSED)


def test_files_on_which_there_is_nothing_to_say_are_no_opinion_and_not_recorded(service: HookService, log: Log) -> None:
    assert evolve(service, speak=True).answer(WRITE) == HookAnswer(answer=Answer.NO_OPINION)
    assert log.kept == []


@pytest.mark.parametrize("decision", Decision)
def test_files_are_never_allowed_in_words(decision: Decision, service: HookService, log: Log) -> None:
    verdict = Verdict(decision=decision, layer=Layer.L0, reason="It is so.")
    found = evolve(service, speak=True, files=lambda _files, _cwd: verdict).answer(WRITE)
    assert found.answer is {0: Answer.NO_OPINION, 1: Answer.ASK, 2: Answer.DENY}[decision]
    ((request, recorded),) = log.kept
    assert (request.command, request.cwd, request.caller, recorded) == (
        "", "/work", Caller(agent="codex", tool="Write", files=("/a", "b")), verdict
    )  # fmt: skip


def test_a_judge_of_files_that_fails_denies(service: HookService, log: Log) -> None:
    def fails(_files: object, _cwd: object) -> None:
        raise SystemExit("secret")

    found = evolve(service, files=fails).answer(WRITE)
    assert found.answer is Answer.DENY
    assert "secret" not in found.reason
    assert [verdict.layer for _, verdict in log.kept] == [Layer.FAIL_CLOSED]


@pytest.mark.parametrize(
    ("reason", "line"),
    [
        ("two\nlines \u202e", "two\\nlines \\u202e"),
        ("It sends TOKEN=abcdef0123456789 away.", "It sends TOKEN=REDACTED away."),
        ("x" * 5_000, "x" * (REASON_LIMIT - 1) + "…"),
    ],
)
def test_a_reason_is_one_visible_line_without_secrets(reason: str, line: str) -> None:
    assert reason_of(Verdict(decision=Decision.DENY, layer=Layer.L0, reason=reason)) == line


@pytest.mark.parametrize(
    ("asking", "unattended", "unasked", "outcome"),
    [
        (Asking.ANSWER, Decision.DENY, "", None),
        (Asking.NEVER, Decision.DENY, "deny", "deny"),
        (Asking.NEVER, Decision.ASK, "no opinion", "no opinion"),
        (Asking.SILENCE, Decision.DENY, "no opinion", "no opinion"),
    ],
)
def test_the_record_says_what_became_of_an_ask_that_reaches_nobody(
    asking: Asking, unattended: Decision, unasked: str, outcome: str | None, service: HookService, log: Log
) -> None:
    evolve(service, unattended=unattended).answer(call("ask", asking))
    ((request, verdict),) = log.kept
    assert request.caller is not None
    assert request.caller.unasked == unasked
    assert verdict.decision is Decision.ASK
    assert to_record(0.0, request, verdict).get("outcome") == outcome
    observed = to_record(0.0, request, evolve(verdict, observed=True))
    assert observed["outcome"] == f"would {unasked or 'ask'}"


@pytest.mark.parametrize("command", ["allow", "deny"])
def test_what_is_no_ask_has_no_other_outcome(command: str, service: HookService, log: Log) -> None:
    service.answer(call(command, Asking.NEVER))
    ((request, verdict),) = log.kept
    assert "outcome" not in to_record(0.0, request, verdict)
