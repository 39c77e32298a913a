"""One body over all adapters of the port `Judge`; run it on one of your own by adding an arm.

The commands here are texts for judges.  Nothing runs them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, cast

import published
import pytest
from attrs import evolve
from decision_service import DecisionStub, answering
from decision_service.faults import hang, mild, strict
from decision_service.process import RealService

from phocinae import (
    Answers,
    BackendError,
    Decision,
    DecisionBackend,
    GateRequest,
    GateService,
    Judge,
    Layer,
    ScoreAnswer,
    Settings,
    Undecided,
    Verdict,
    YesNoAnswer,
    build_gate,
)
from phocinae.adapters.backends.guard_file import GuardJudge, read_guard
from phocinae.adapters.backends.scripted import Delayed, ScriptedBackend

TIMEOUT = 10.0
"""Seconds that no answer of a service on this machine needs."""

HARMLESS = "git status"
DEADLY = "rm -rf /"
UNKNOWN = "frobnicate --now"

NOT_UNDERSTOOD = (
    "(",
    "if true",
    "cat <<EOF",
    "echo 'open",
    'echo "$(',
    "$program left-pad",
    "`head -n 1 names` x",
    "\x00",
    "echo \x1b[2Jls",
    "漢字 --now",
    "ls\u202e--gpj",
    "frobnicate --now",
    "eval $text",
    "x=ls; $y -l",
    "((((((((((((((((" * 20,
    "a" * 5_000,
)
"""What is no command, is none that can be known from its text, or is none that anybody knows."""

TEXTS = (*NOT_UNDERSTOOD, HARMLESS, DEADLY, "npm install left-pad", "ls -l; pwd", "sudo reboot", "echo '{\"a\": [1]}'")


class Arm(Protocol):
    """A judge, and the layer that its verdicts name."""

    judge: Judge
    layer: Layer


class Asking(Arm, Protocol):
    """A judge that asks somebody, and how to let that vouch for everything or for nothing, fail, or be late."""

    def mild(self) -> None:
        """Let whatever it asks vouch for every command."""

    def strict(self) -> None:
        """Let whatever it asks speak against every command."""

    def fail(self) -> None:
        """Let whatever it asks give no usable answer."""

    def slow(self) -> Judge:
        """Return such a judge with a timeout of 0.3 s, whose service does not answer by then."""


class OfflineArm:
    """The offline layer, which depends on nothing."""

    layer = Layer.L0

    def __init__(self) -> None:
        self.judge: Judge = build_gate(Settings(audit=False)).offline


def l1(backend: DecisionBackend | None = None, **settings: Any) -> Judge:
    """Return the judge that a gate with these settings asks when the offline layer is undecided."""
    given = {"timeout": TIMEOUT} | settings
    (judge,) = build_gate(Settings(l1_enabled=True, audit=False, **given), backend=backend).later
    return judge


class StubArm:
    """L1 over HTTP against the stub."""

    layer = Layer.L1

    def __init__(self, stub: DecisionStub) -> None:
        self.stub = stub
        self.judge: Judge = l1(server=stub.url)

    def mild(self) -> None:
        self.stub.script = mild

    def strict(self) -> None:
        self.stub.script = strict

    def fail(self) -> None:
        self.stub.script = answering(noul=0.95, score=11)

    def slow(self) -> Judge:
        self.stub.script = hang
        return l1(server=self.stub.url, timeout=0.3)


class RealArm:
    """L1 over HTTP against the published routes."""

    layer = Layer.L1

    def __init__(self, service: RealService) -> None:
        self.service = service
        service.tell(delay=0.0, fails=False)
        self.judge: Judge = l1(server=service.url)

    def mild(self) -> None:
        self.service.tell(noul=0.95, score=2)

    def strict(self) -> None:
        self.service.tell(noul=0.05, score=9)

    def fail(self) -> None:
        self.service.tell(fails=True)

    def slow(self) -> Judge:
        self.service.tell(delay=3.0)
        return l1(server=self.service.url, timeout=0.3)


class MockArm:
    """L1 over the mock."""

    layer = Layer.L1

    def __init__(self) -> None:
        self.reply: Answers | None = None
        self.judge: Judge = l1(ScriptedBackend(lambda _questions, _state: self._answer()))

    def mild(self) -> None:
        self.reply = Answers({"safe_to_run": YesNoAnswer(0.95), "risk": ScoreAnswer(2)})

    def strict(self) -> None:
        self.reply = Answers({"safe_to_run": YesNoAnswer(0.05), "risk": ScoreAnswer(9)})

    def fail(self) -> None:
        self.reply = None

    def slow(self) -> Judge:
        self.mild()
        return l1(ScriptedBackend(Delayed(3.0, lambda _questions, _state: self._answer())), timeout=0.3)

    def _answer(self) -> Answers:
        if self.reply is None:
            raise BackendError("the mock was told to fail")
        return self.reply


GUARD = """
import os
import time


def load_config(overrides):
    return {"l0_table": ""}


def load_l0_table(path):
    return {}


def decide(command, cwd, config):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "say"), encoding="utf-8") as stream:
        word = stream.read()
    print("this is no answer")
    if word == "nothing":
        time.sleep(60)
    return {"decision": word, "layer": "L0", "reason": "as it was told"}
"""
"""A guard program that says what stands in the file ``say`` beside it."""


class GuardArm:
    """A guard program that says what it is told."""

    layer = Layer.L0

    def __init__(self, folder: Path) -> None:
        self.program, self.say = folder / "guard.py", folder / "say"
        self.program.write_text(GUARD)
        self.judges: list[GuardJudge] = []
        self.judge: Judge = self.started(TIMEOUT)

    def started(self, timeout: float) -> Judge:
        self.judges.append(GuardJudge(read_guard(str(self.program)), timeout, policy="p"))
        return self.judges[-1]

    def mild(self) -> None:
        self.say.write_text("allow")

    def strict(self) -> None:
        self.say.write_text("deny")

    def fail(self) -> None:
        self.say.write_text("perhaps")

    def slow(self) -> Judge:
        self.say.write_text("nothing")
        return self.started(0.3)

    def close(self) -> None:
        for judge in self.judges:
            judge.close()


class PublishedGuardArm:
    """The published guard program, which asks nobody when it runs as a judge."""

    layer = Layer.L0

    def __init__(self) -> None:
        (program,) = published.interpreter("guard").parent.parent.glob(
            "lib/python*/site-packages/phocinae_guard/guard.py"
        )
        self.guard = GuardJudge(read_guard(str(program)), TIMEOUT, policy="p")
        self.judge: Judge = self.guard


@pytest.fixture(scope="module")
def real_routes() -> Iterator[RealService]:
    """The published routes, for all tests here."""
    with RealService(published.interpreter("server")) as service:
        yield service


@contextlib.contextmanager
def opened(name: str, request: pytest.FixtureRequest) -> Iterator[Arm]:
    """Give the arm of this name as long as the block lasts."""
    with contextlib.ExitStack() as stack:
        if name == "L0":
            yield OfflineArm()
        elif name == "L1-stub":
            yield StubArm(stack.enter_context(DecisionStub()))
        elif name == "L1-real-routes":
            yield RealArm(request.getfixturevalue("real_routes"))
        elif name == "L1-mock":
            yield MockArm()
        elif name == "guard":
            guard = GuardArm(request.getfixturevalue("tmp_path"))
            stack.callback(guard.close)
            yield guard
        else:
            real = PublishedGuardArm()
            stack.callback(real.guard.close)
            yield real


ASKING = ("L1-stub", "L1-real-routes", "L1-mock", "guard")


@pytest.fixture(params=["L0", "published-guard", *ASKING])
def arm(request: pytest.FixtureRequest) -> Iterator[Arm]:
    with opened(request.param, request) as one:
        if request.param in ASKING:
            cast(Asking, one).mild()
        yield one


@pytest.fixture(params=ASKING)
def asking(request: pytest.FixtureRequest) -> Iterator[Asking]:
    with opened(request.param, request) as one:
        yield cast(Asking, one)


def asked(judge: Judge, command: str) -> Verdict | Undecided | BackendError:
    """Return what the judge answers; nothing else than a `BackendError` may come out of it."""
    try:
        return judge(GateRequest(command, "/srv/work"))
    except BackendError as error:
        return error


@pytest.mark.parametrize("command", TEXTS, ids=lambda text: repr(text[:20]))
def test_whatever_the_text_there_is_an_answer_and_its_parts_are_in_range(arm: Arm, command: str) -> None:
    answer = asked(arm.judge, command)
    if isinstance(answer, BackendError):
        pytest.fail(f"its service is there and answers: {answer}")
    assert isinstance(answer, Verdict | Undecided)
    assert answer.reason.strip()
    assert answer.policy
    assert isinstance(answer.ceiling, Decision)
    assert all(0 <= hit.start <= hit.end <= len(command) for hit in answer.hits)
    if isinstance(answer, Verdict):
        assert answer.layer is arm.layer
        assert answer.noul is None or 0 <= answer.noul <= 1
        assert answer.score is None or 2 <= answer.score <= 10
        assert all(0 <= figure <= 1 for figure in (answer.confidence or {}).values())
        assert set(answer.to_wire()) >= {"decision", "layer", "reason", "hits", "ceiling", "engine"}


def allows(answer: object) -> bool:
    return isinstance(answer, Verdict) and answer.decision is Decision.ALLOW


def test_what_is_not_understood_is_not_allowed_unless_somebody_vouches_for_it(asking: Asking) -> None:
    for prepare in (asking.strict, asking.fail):
        prepare()
        assert not any(allows(asked(asking.judge, command)) for command in NOT_UNDERSTOOD)


@pytest.mark.requirement("R-004")
def test_what_is_not_understood_is_not_allowed_offline() -> None:
    judge = OfflineArm().judge
    assert [command for command in NOT_UNDERSTOOD if allows(asked(judge, command))] == []


@pytest.mark.parametrize("name", ["guard", "published-guard"])
def test_a_guard_program_that_allows_what_it_cannot_read_makes_no_gate_milder(
    name: str, request: pytest.FixtureRequest
) -> None:
    """The published one does allow some of these texts, so a gate takes nothing from it but what is stricter."""
    gate = build_gate(Settings(audit=False))
    with opened(name, request) as arm:
        if isinstance(arm, GuardArm):
            arm.mild()
        guarded = evolve(gate, tightening=(arm.judge,))
        assert any(allows(asked(arm.judge, command)) for command in NOT_UNDERSTOOD)
        for command in TEXTS:
            assert guarded.decide(command).decision >= gate.decide(command).decision, command


def test_a_judge_follows_whom_it_asks_in_both_directions(asking: Asking) -> None:
    for prepare, decision in ((asking.mild, Decision.ALLOW), (asking.strict, Decision.DENY)):
        prepare()
        answer = asked(asking.judge, "npm install left-pad")
        assert isinstance(answer, Verdict)
        assert answer.decision is decision


def test_a_failure_of_whom_it_asks_is_an_error_of_the_port_and_a_gate_denies(asking: Asking) -> None:
    asking.fail()
    assert isinstance(asked(asking.judge, UNKNOWN), BackendError)
    undecided = Undecided(reason="Not known.", ceiling=Decision.ALLOW)
    gate = GateService(offline=lambda _request: undecided, later=(asking.judge,), clock=lambda: 0.0)
    verdict = gate.decide(UNKNOWN)
    assert (verdict.decision, verdict.layer) == (Decision.DENY, Layer.FAIL_CLOSED)


def test_an_answer_that_does_not_come_is_an_error_in_time(asking: Asking) -> None:
    judge, began = asking.slow(), monotonic()
    assert isinstance(asked(judge, UNKNOWN), BackendError)
    assert monotonic() - began < 2.5


def test_threads_get_the_answers_to_their_own_commands(arm: Arm) -> None:
    texts = [*TEXTS, *(f"frobnicate {number}" for number in range(10))]
    alone = [asked(arm.judge, text) for text in texts]
    with ThreadPoolExecutor(8) as callers:
        for answers in callers.map(lambda _caller: [asked(arm.judge, text) for text in texts], range(8)):
            assert answers == alone
