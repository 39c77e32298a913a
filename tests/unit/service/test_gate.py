"""The gate service: judges in order, fail closed, and a record of every decision."""

from __future__ import annotations

import asyncio
import io
import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, Thread, get_ident
from typing import Any

import pytest
from attrs import evolve, field, frozen
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import COMMAND_LIMIT, CWD_LIMIT, GateRequest
from phocinae.domain.verdict import Decision, Hit, HumanAction, Layer, ReadingStatus, Undecided, Verdict, Weight
from phocinae.errors import AuditFailed, GuardFailed, TimedOut
from phocinae.service.gate import GateService, warn_on_stderr

OFFLINE_HIT = Hit(rule="installs", weight=Weight.UNSURE, reason="It installs.", start=0, end=3)
LATER_HIT = Hit(rule="l1", weight=Weight.UNSURE, reason="The model says so.")
UNDECIDED = Undecided(
    reason="It installs.", ceiling=Decision.ALLOW, hits=(OFFLINE_HIT,), reading=ReadingStatus.COMPLETE, policy="p0"
)


def verdict(decision: Decision, layer: Layer = Layer.L0, **more: Any) -> Verdict:
    return Verdict(decision=decision, layer=layer, reason=f"{layer.value} says {decision.wire}.", **more)


@frozen
class Says:
    """A judge with one answer, or an exception, that remembers what it was asked."""

    answer: object
    asked: list[GateRequest] = field(factory=list)

    def __call__(self, request: GateRequest, /) -> Any:
        self.asked.append(request)
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


@frozen
class Log:
    """An audit log in memory, or one that fails."""

    failure: BaseException | None = None
    records: list[tuple[float, GateRequest, Verdict]] = field(factory=list)

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        if self.failure is not None:
            raise self.failure
        self.records.append((at, request, verdict))


def gate(*answers: object, **more: Any) -> GateService:
    judges = [answer if isinstance(answer, Says) else Says(answer) for answer in answers]
    given: dict[str, Any] = {"later": tuple(judges[1:]), "clock": lambda: 7.0, "policy": "p"}
    if judges:
        given["offline"] = judges[0]
    given.update(more)
    return GateService(**given)


# --- the chain


@pytest.mark.parametrize("decision", Decision)
def test_a_verdict_of_the_offline_layer_is_final(decision: Decision) -> None:
    later = Says(verdict(Decision.ALLOW, Layer.L1))
    assert gate(verdict(decision), later).decide("ls") == verdict(decision)
    assert later.asked == []


def test_later_judges_are_asked_in_order_until_one_answers() -> None:
    second, third = Says(verdict(Decision.ALLOW, Layer.L1)), Says(verdict(Decision.DENY, Layer.L1))
    found = gate(UNDECIDED, Says(UNDECIDED), second, third).decide("npm install", "/srv")
    assert found.decision is Decision.ALLOW
    assert second.asked == [GateRequest("npm install", "/srv")]
    assert third.asked == []


@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("ceiling", [Decision.ALLOW, Decision.ASK])
def test_no_later_answer_is_milder_than_the_ceiling(decision: Decision, ceiling: Decision) -> None:
    found = gate(evolve(UNDECIDED, ceiling=ceiling), verdict(decision, Layer.L1, hits=(LATER_HIT,))).decide("npm i")
    assert found.decision is max(decision, ceiling)
    assert found.layer is Layer.L1
    assert found.hits == (OFFLINE_HIT, LATER_HIT)
    assert found.reading is ReadingStatus.COMPLETE
    if decision < ceiling:
        assert found.reason == "It installs. A person must look at it, whatever L1 says."


def test_a_ceiling_holds_through_judges_that_do_not_answer() -> None:
    low = evolve(UNDECIDED, ceiling=Decision.ASK)
    found = gate(low, evolve(UNDECIDED, hits=()), verdict(Decision.ALLOW, Layer.L1)).decide("npm i")
    assert found.decision is Decision.ASK


@pytest.mark.parametrize(
    ("fail_closed", "reason"),
    [
        (
            Decision.DENY,
            "It installs. No later layer is switched on, so the answer is deny "
            "(--fail-closed ask would ask a person instead).",
        ),
        (Decision.ASK, "It installs. No later layer is switched on, so the answer is ask."),
    ],
)
def test_what_nobody_decides_is_decided_by_the_settings(fail_closed: Decision, reason: str) -> None:
    assert gate(UNDECIDED, fail_closed=fail_closed).decide("npm i") == Verdict(
        decision=fail_closed,
        layer=Layer.FAIL_CLOSED,
        reason=reason,
        hits=(OFFLINE_HIT,),
        ceiling=Decision.ALLOW,
        reading=ReadingStatus.COMPLETE,
        policy="p0",
    )


# --- fail closed


@pytest.mark.parametrize(
    "failure",
    [
        ValueError("token=abc"),
        KeyError("x"),
        RecursionError(),
        MemoryError(),
        OSError(5, "x"),
        AssertionError(),
        StopIteration(),
        SystemExit(0),
        GeneratorExit(),
        asyncio.CancelledError(),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_whatever_a_judge_raises_is_a_denial(failure: BaseException, place: int) -> None:
    found = gate(*([failure] if place == 0 else [UNDECIDED, failure])).decide("ls")
    assert (found.decision, found.layer, found.ceiling) == (Decision.DENY, Layer.FAIL_CLOSED, Decision.DENY)
    assert found.error == f"internal error: {type(failure).__name__}"
    assert "abc" not in found.reason


@pytest.mark.parametrize("answer", [None, "allow", Decision.ALLOW, 0, {"decision": "allow"}])
@pytest.mark.parametrize("place", [0, 1])
def test_an_answer_of_another_type_is_a_denial(answer: object, place: int) -> None:
    found = gate(*([answer] if place == 0 else [UNDECIDED, answer])).decide("ls")
    assert (found.decision, found.layer) == (Decision.DENY, Layer.FAIL_CLOSED)


def test_a_service_that_does_not_answer_is_named() -> None:
    found = gate(UNDECIDED, TimedOut("no answer within 5 s")).decide("npm i")
    assert (found.decision, found.layer, found.error) == (Decision.DENY, Layer.FAIL_CLOSED, "no answer within 5 s")
    assert found.reason == "The decision service gave no answer: no answer within 5 s"


@pytest.mark.parametrize("failure", [SystemExit(0), GeneratorExit()])
def test_no_call_of_the_gate_ends_the_program_that_asked(failure: BaseException) -> None:
    for service in (gate(failure), gate(UNDECIDED, failure)):
        found = [service.decide("ls"), asyncio.run(service.adecide("ls"))]
        assert {verdict.decision for verdict in found} == {Decision.DENY}
    assert gate(failure).judge_offline("ls") == gate(failure).decide_now("ls")


@pytest.mark.parametrize("place", [0, 1])
def test_an_interrupt_is_no_verdict(place: int) -> None:
    with pytest.raises(KeyboardInterrupt):
        gate(*[UNDECIDED] * place, KeyboardInterrupt()).decide("ls")
    with pytest.raises(KeyboardInterrupt):
        gate(verdict(Decision.ALLOW), audit=Log(KeyboardInterrupt())).decide("ls")


@pytest.mark.parametrize(
    ("command", "cwd", "error"),
    [
        ("", None, "empty command"),
        (" \n\t", None, "empty command"),
        ("a" * (COMMAND_LIMIT + 1), None, "command too long"),
        ("ls", "/" * (CWD_LIMIT + 1), "cwd too long"),
        (None, None, "not a text"),
        (b"ls", None, "not a text"),
        (["ls"], None, "not a text"),
        (7, None, "not a text"),
        ("ls", b"/", "not a text"),
        ("ls", 7, "not a text"),
        ("echo '\udcff'", None, "not UTF-8 text"),
        ("\ud800", None, "not UTF-8 text"),
    ],
)
def test_what_is_no_command_is_denied_unseen(command: Any, cwd: Any, error: str) -> None:
    offline = Says(verdict(Decision.ALLOW))
    found = gate(offline).decide(command, cwd, confirm=True)
    assert found.reason[0].isupper()
    assert found.reason.endswith(".")
    assert (found.decision, found.layer, found.error) == (Decision.DENY, Layer.FAIL_CLOSED, error)
    assert offline.asked == []
    assert gate(offline).judge_offline(command, cwd) == found


def test_the_longest_command_and_directory_are_judged() -> None:
    found = gate(verdict(Decision.ALLOW)).decide("a" * COMMAND_LIMIT, "/" * CWD_LIMIT)
    assert found.decision is Decision.ALLOW


# --- a person


@pytest.mark.parametrize("decision", Decision)
def test_confirming_lifts_ask_and_nothing_else(decision: Decision) -> None:
    found = gate(verdict(decision)).decide("ls", confirm=True)
    if decision is Decision.ASK:
        assert (found.decision, found.layer, found.human_action) == (
            Decision.ALLOW,
            Layer.HUMAN,
            HumanAction.APPROVE,
        )
    else:
        assert found == verdict(decision)


def test_confirming_does_not_lift_a_failure() -> None:
    assert gate(ValueError()).decide("ls", confirm=True).decision is Decision.DENY


@pytest.mark.parametrize("action", HumanAction)
@pytest.mark.parametrize("decision", Decision)
def test_an_answer_settles_what_is_judged_anew_and_is_recorded_once(decision: Decision, action: HumanAction) -> None:
    log = Log()
    found = gate(verdict(decision), audit=log).decide_answered("npm i", "/srv", action)
    approved = action is HumanAction.APPROVE
    lifted = Decision.ALLOW if approved else Decision.DENY
    expected = {Decision.ALLOW: lifted, Decision.ASK: lifted, Decision.DENY: Decision.DENY}[decision]
    assert found.decision is expected
    untouched = decision is Decision.DENY or (decision is Decision.ALLOW and approved)
    assert found.human_action is (None if untouched else action)
    assert log.records == [(7.0, GateRequest("npm i", "/srv"), found)]


def test_an_answer_lifts_no_failure_and_no_denial_of_a_later_judge() -> None:
    assert gate(ValueError()).decide_answered("ls", None, HumanAction.APPROVE).decision is Decision.DENY
    for later in (verdict(Decision.DENY, Layer.L1), TimedOut("x")):
        assert gate(UNDECIDED, later).decide_answered("npm i", None, HumanAction.APPROVE).decision is Decision.DENY


# --- the record


def test_every_decision_is_recorded_once() -> None:
    log = Log()
    found = gate(verdict(Decision.ALLOW), audit=log).decide("ls", "/srv")
    assert log.records == [(7.0, GateRequest("ls", "/srv"), found)]


def test_a_refused_command_and_a_failure_are_recorded() -> None:
    log = Log()
    service = gate(ValueError(), audit=log)
    service.decide("")
    service.decide("ls")
    service.give_up("ls", None, "Nobody waits")
    assert [recorded.error for _, _, recorded in log.records] == [
        "empty command",
        "internal error: ValueError",
        "Nobody waits",
    ]


def test_looking_at_the_offline_layer_alone_is_not_recorded() -> None:
    log = Log()
    assert gate(UNDECIDED, audit=log).judge_offline("npm i") == UNDECIDED
    assert gate(ValueError(), audit=log).judge_offline("npm i").reason.startswith("The gate failed")
    assert log.records == []


@pytest.mark.parametrize(
    "failure", [AuditFailed("disk full"), OSError(28, "secret"), RuntimeError("secret"), SystemExit("secret")]
)
@pytest.mark.parametrize("decision", Decision)
@pytest.mark.parametrize("strict", [False, True])
def test_a_log_that_fails_turns_no_denial_into_an_allow(
    failure: BaseException, decision: Decision, strict: bool
) -> None:
    warnings: list[str] = []
    service = gate(verdict(decision), audit=Log(failure), audit_strict=strict, warn=warnings.append)
    found = service.decide("ls")
    assert found.error == "not recorded"
    if strict and decision is Decision.ALLOW:
        assert (found.decision, found.layer) == (Decision.DENY, Layer.FAIL_CLOSED)
    else:
        assert found == evolve(verdict(decision), error="not recorded")
    why = "disk full" if isinstance(failure, AuditFailed) else type(failure).__name__
    assert warnings == [f"the decision could not be recorded: {why}"]


def test_an_approval_that_cannot_be_recorded_is_an_allow_like_any_other() -> None:
    service = gate(verdict(Decision.ASK), audit=Log(AuditFailed("x")), audit_strict=True, warn=lambda _: None)
    assert service.decide_answered("ls", None, HumanAction.APPROVE).decision is Decision.DENY
    assert service.decide("ls", confirm=True).decision is Decision.DENY


def test_a_failure_keeps_its_own_error() -> None:
    service = gate(ValueError(), audit=Log(AuditFailed("x")), warn=lambda _: None)
    assert service.decide("ls").error == "internal error: ValueError"


def test_a_warning_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    warn_on_stderr("the log is full")
    assert capsys.readouterr() == ("", "phocinae: the log is full\n")


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_a_warning_without_a_stderr_is_lost(
    stream: io.StringIO | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if stream is not None:
        stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    warn_on_stderr("nobody hears this")
    assert capsys.readouterr().out == ""


# --- without waiting


def test_without_later_judges_the_event_loop_answers_itself() -> None:
    found = asyncio.run(gate(verdict(Decision.ASK)).adecide("ls", confirm=True))
    assert found.decision is Decision.ALLOW


@pytest.mark.parametrize("decision", Decision)
def test_with_later_judges_the_answer_is_the_same(decision: Decision) -> None:
    service = gate(UNDECIDED, verdict(decision, Layer.L1), audit=Log())
    assert asyncio.run(service.adecide("npm i", "/srv")) == service.decide("npm i", "/srv")


def test_the_event_loop_goes_on_while_a_later_judge_thinks() -> None:
    async def both() -> list[str]:
        order: list[str] = []
        loop, asked = asyncio.get_running_loop(), asyncio.Event()
        go = Lock()
        go.acquire()

        def slow(_request: GateRequest, /) -> Verdict:
            loop.call_soon_threadsafe(asked.set)
            with go:
                order.append("judge")
            return verdict(Decision.ALLOW, Layer.L1)

        task = asyncio.create_task(gate(UNDECIDED, later=(slow,)).adecide("npm i"))
        await asked.wait()
        order.append("loop")
        go.release()
        await task
        return order

    assert asyncio.run(both()) == ["loop", "judge"]


def test_without_another_thread_the_answer_is_deny_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_self: object) -> None:
        raise RuntimeError("can't start new thread")

    log, later = Log(), Says(verdict(Decision.ALLOW, Layer.L1))
    monkeypatch.setattr(Thread, "start", start)
    found = asyncio.run(gate(UNDECIDED, later, audit=log).adecide("npm i"))
    assert (found.decision, found.layer, len(log.records)) == (Decision.DENY, Layer.FAIL_CLOSED, 1)
    assert (found.reason, later.asked) == ("The system gives no more threads, so the answer is deny.", [])


@pytest.mark.parametrize("later", [(), (Says(verdict(Decision.ALLOW, Layer.L1)),)])
def test_the_event_loop_goes_on_while_the_record_waits_for_its_file(later: tuple[Says, ...]) -> None:
    async def both() -> list[str]:
        order: list[str] = []
        loop, waiting, go = asyncio.get_running_loop(), asyncio.Event(), Lock()
        go.acquire()

        class Locked:
            def record(self, *_args: object) -> None:
                loop.call_soon_threadsafe(waiting.set)
                with go:
                    order.append("record")

        task = asyncio.create_task(gate(verdict(Decision.ALLOW), later=later, audit=Locked()).adecide("ls"))
        await waiting.wait()
        order.append("loop")
        go.release()
        assert (await task).decision is Decision.ALLOW
        return order

    assert asyncio.run(both()) == ["loop", "record"]


def test_what_the_offline_layer_decides_is_decided_inline_whoever_comes_later() -> None:
    threads: list[int] = []

    def offline(_request: GateRequest, /) -> Verdict:
        threads.append(get_ident())
        return verdict(Decision.ALLOW)

    later = Says(verdict(Decision.DENY, Layer.L1))
    call = gate(offline=offline, later=(later,)).adecide("ls")
    with pytest.raises(StopIteration) as ended:  # not once does it wait, so it needs no loop
        call.send(None)
    assert ended.value.value == verdict(Decision.ALLOW)
    assert (threads, later.asked) == ([get_ident()], [])


def test_the_offline_layer_is_asked_once() -> None:
    for ask in (GateService.decide, GateService.decide_now, lambda service, text: asyncio.run(service.adecide(text))):
        offline = Says(verdict(Decision.ALLOW))
        ask(gate(offline, UNDECIDED, audit=Log()), "ls")
        assert len(offline.asked) == 1


def test_what_can_be_decided_now() -> None:
    log = Log()
    later = Says(verdict(Decision.ALLOW, Layer.L1))
    assert gate(UNDECIDED, later, audit=log).decide_now("npm i") is None
    assert (later.asked, log.records) == ([], [])
    assert gate(verdict(Decision.DENY), later, audit=log).decide_now("rm") == verdict(Decision.DENY)
    assert gate(UNDECIDED, audit=log).decide_now("npm i") is not None
    assert len(log.records) == 2


# --- judges that only tighten


def guarded(answer: object, *judges: object, **more: Any) -> GateService:
    """Return a gate whose offline layer gives `answer` and whose `judges` may only tighten."""
    return gate(answer, tightening=tuple(one if isinstance(one, Says) else Says(one) for one in judges), **more)


GUARD_HIT = Hit(rule="guard", weight=Weight.DENY, reason="The guard says so.")
FIRST = st.sampled_from([*(verdict(decision) for decision in Decision), UNDECIDED])
SECOND = st.one_of(
    st.sampled_from([UNDECIDED, evolve(UNDECIDED, ceiling=Decision.ASK), GuardFailed("it ended"), ValueError(), None]),
    st.builds(
        lambda decision, hits: verdict(decision, engine="guard", hits=hits, policy="p"),
        st.sampled_from(list(Decision)),
        st.sampled_from([(), (GUARD_HIT,)]),
    ),
)


def counted(answer: object) -> Decision:
    """Return what an answer of a judge that only tightens amounts to."""
    if isinstance(answer, Undecided):
        return Decision.ALLOW
    return answer.decision if isinstance(answer, Verdict) else Decision.DENY


@given(FIRST, st.lists(SECOND, max_size=3), st.sampled_from([Decision.ASK, Decision.DENY]), st.booleans())
def test_such_a_judge_makes_the_verdict_as_strict_as_it_says_and_never_milder(
    first: Verdict | Undecided, answers: list[object], fail_closed: Decision, confirm: bool
) -> None:
    alone = gate(first, fail_closed=fail_closed).decide("ls")
    service = guarded(first, *answers, fail_closed=fail_closed)
    found = service.decide("ls")
    assert found.decision is max([alone.decision, *map(counted, answers)])
    if found.decision is alone.decision:
        assert evolve(found, hits=alone.hits) == alone
    assert asyncio.run(service.adecide("ls")) == found
    assert service.decide_now("ls") in (None, found)
    confirmed = service.decide("ls", confirm=confirm)
    assert confirmed.decision is (Decision.ALLOW if confirm and found.decision is Decision.ASK else found.decision)


def test_a_judge_that_decides_leads_the_hits_and_keeps_the_reading() -> None:
    other = verdict(Decision.DENY, engine="guard", hits=(GUARD_HIT,), ceiling=Decision.DENY)
    found = guarded(UNDECIDED, other, fail_closed=Decision.ASK).decide("npm i")
    assert found == evolve(other, hits=(GUARD_HIT, OFFLINE_HIT), reading=ReadingStatus.COMPLETE)


def test_a_judge_of_the_same_opinion_adds_its_hits() -> None:
    agrees = verdict(Decision.ASK, engine="guard", hits=(GUARD_HIT,))
    found = guarded(UNDECIDED, agrees, fail_closed=Decision.ASK).decide("npm i")
    assert (found.layer, found.engine, found.hits) == (Layer.FAIL_CLOSED, "l0", (OFFLINE_HIT, GUARD_HIT))


def test_what_is_denied_already_is_asked_of_nobody() -> None:
    for first, fail_closed in ((verdict(Decision.DENY), Decision.ASK), (UNDECIDED, Decision.DENY)):
        judge = Says(verdict(Decision.ALLOW))
        assert guarded(first, judge, fail_closed=fail_closed).decide_now("rm") is not None
        assert judge.asked == []
    second = Says(verdict(Decision.ALLOW))
    guarded(verdict(Decision.ALLOW), verdict(Decision.DENY), second).decide("ls", "/srv")
    assert second.asked == []


def test_it_is_asked_after_the_decision_service_and_about_its_allow() -> None:
    judge = Says(verdict(Decision.ASK, engine="guard"))
    service = evolve(gate(UNDECIDED, verdict(Decision.ALLOW, Layer.L1)), tightening=(judge,))
    found = service.decide("npm i", "/srv")
    assert (found.decision, found.engine) == (Decision.ASK, "guard")
    assert judge.asked == [GateRequest("npm i", "/srv")]


def test_one_that_fails_is_named() -> None:
    found = guarded(verdict(Decision.ALLOW), GuardFailed("it ended itself")).decide("ls", confirm=True)
    assert (found.decision, found.layer, found.engine) == (Decision.DENY, Layer.FAIL_CLOSED, "guard")
    assert found.error == "guard program: it ended itself"
    assert found.reason.startswith("The guard program gave no usable answer: it ended itself. ")


def test_nobody_waits_for_it_in_a_loop_nor_for_a_look_at_the_offline_layer() -> None:
    def where(_: GateRequest) -> Verdict:
        threads.append(get_ident())
        return verdict(Decision.ALLOW)

    threads: list[int] = []
    service = evolve(gate(verdict(Decision.ALLOW)), tightening=(where,))
    assert service.decide_now("ls") is None
    assert service.judge_offline("ls") == verdict(Decision.ALLOW)
    assert threads == []
    asyncio.run(service.adecide("ls"))
    assert len(threads) == 1
    assert threads != [get_ident()]


# --- many at once, and any text

COMMANDS = ["ls -la", "rm -rf /", "cat .env", "npm install", "$x", "git log | head -3", "f() { f | f & }; f", "echo 'a"]


def test_sixteen_threads_decide_what_one_decides() -> None:
    log = Log()
    service = GateService(offline=OfflineJudge(TreeSitterReader()), audit=log, clock=lambda: 0.0)
    serial = [service.decide(command) for command in COMMANDS]

    def many(start: int) -> list[Verdict]:
        return [service.decide(COMMANDS[(start + place) % len(COMMANDS)]) for place in range(1_000)]

    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(many, range(16)))
    for start, verdicts in enumerate(found):
        assert verdicts == [serial[(start + place) % len(COMMANDS)] for place in range(1_000)]
    assert len(log.records) == 16_000 + len(COMMANDS)


anything = st.one_of(
    st.text(max_size=60), st.none(), st.integers(), st.binary(max_size=5), st.lists(st.text(max_size=3))
)
SERVICE = GateService(offline=OfflineJudge(TreeSitterReader()), clock=lambda: 0.0)


@given(anything, anything, st.booleans())
def test_nothing_at_all_makes_it_raise(command: Any, cwd: Any, confirm: bool) -> None:
    found = SERVICE.decide(command, cwd, confirm=confirm)
    assert isinstance(found, Verdict)
    assert found.reason
    if not isinstance(command, str) or not isinstance(cwd, str | None):
        assert found.decision is Decision.DENY


decisions = st.sampled_from(Decision)


@given(
    st.sampled_from([Decision.ALLOW, Decision.ASK]),
    st.lists(st.one_of(st.none(), decisions), max_size=3),
    st.booleans(),
)
def test_no_chain_is_milder_than_its_ceiling(ceiling: Decision, answers: list[Decision | None], confirm: bool) -> None:
    later = [
        evolve(UNDECIDED, ceiling=Decision.ALLOW) if answer is None else verdict(answer, Layer.L1) for answer in answers
    ]
    found = gate(evolve(UNDECIDED, ceiling=ceiling), *later).decide("x", confirm=confirm)
    assert found.decision >= ceiling or (confirm and found.layer is Layer.HUMAN)
