"""One body over all adapters of the port `DecisionBackend`; run it on one of your own by adding an arm."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from time import monotonic, sleep
from typing import Any, Protocol

import published
import pytest
from decision_service import DecisionStub, answering, json_reply
from decision_service.process import RealService
from decision_service.replies import MODEL

from phocinae import (
    Answers,
    BackendError,
    Choice,
    ChoiceAnswer,
    DecisionBackend,
    Question,
    Score,
    ScoreAnswer,
    TimedOut,
    Usage,
    YesNo,
    YesNoAnswer,
)
from phocinae.adapters.backends.http import HttpBackend
from phocinae.adapters.backends.scripted import Delayed, ScriptedBackend

SAFE, RISK, PICK = YesNo("safe"), Score("risk"), Choice("pick", ("left", "right"))
QUESTIONS: tuple[Question, ...] = (SAFE, RISK, PICK)
LONG = 20.0
"""Seconds that no call needs."""


class Arm(Protocol):
    """An adapter, and how to set up what stands behind it."""

    engine: str
    backend: DecisionBackend

    def tell(self, **figures: Any) -> None:
        """Let it answer every question by its type with ``noul``, ``score`` and ``choice``, after ``delay`` seconds."""

    def fail(self) -> None:
        """Let it give no answer from now on."""

    def states(self) -> list[str]:
        """Return the states that were asked about, as they arrived."""


class StubArm:
    """HTTP against the stub; `extensions` off, the service says nothing but the answers."""

    engine = "http"

    def __init__(self, stub: DecisionStub, *, extensions: bool) -> None:
        self.stub, self.extensions = stub, extensions
        self.backend: DecisionBackend = HttpBackend(server=stub.url, model=MODEL, token="")
        self.tell()

    def tell(self, **figures: Any) -> None:
        self.stub.script = answering(extensions=self.extensions, **figures)

    def fail(self) -> None:
        self.stub.script = lambda _received: json_reply(503, {"detail": "no model"})

    def states(self) -> list[str]:
        return [received.state for received in self.stub.received]


class RealArm:
    """HTTP against the published routes."""

    engine = "http"

    def __init__(self, service: RealService) -> None:
        self.service, self.before = service, len(service.calls())
        service.tell(noul=0.9, score=3, choice=0, delay=0.0, fails=False)
        self.backend: DecisionBackend = HttpBackend(server=service.url, model=MODEL, token="")

    def tell(self, **figures: Any) -> None:
        self.service.tell(**figures)

    def fail(self) -> None:
        self.service.tell(fails=True)

    def states(self) -> list[str]:
        return [call["state"] for call in self.service.calls()[self.before :]]


class MockArm:
    """The mock, scripted by a function."""

    engine = "mock"

    def __init__(self) -> None:
        self.figures: dict[str, Any] = {}
        self.fails = False
        self.asked: list[str] = []
        self.backend: DecisionBackend = self._scripted()

    def _scripted(self) -> DecisionBackend:
        return ScriptedBackend(Delayed(self.figures.get("delay", 0.0), self._answer))

    def tell(self, **figures: Any) -> None:
        self.figures = figures
        self.backend = self._scripted()

    def fail(self) -> None:
        self.fails = True

    def states(self) -> list[str]:
        return self.asked

    def _answer(self, questions: tuple[Question, ...], state: str) -> Answers:
        self.asked.append(state)
        if self.fails:
            raise BackendError("the mock was told to fail")
        told = {"noul": 0.9, "score": 3, "choice": 0} | self.figures
        types = {YesNo: (YesNoAnswer, "noul"), Score: (ScoreAnswer, "score"), Choice: (ChoiceAnswer, "choice")}
        answers: dict[str, Any] = {}
        for question in questions:
            answer, figure = types[type(question)]
            answers[question.id] = answer(told[figure])
        return Answers(answers)


@pytest.fixture(scope="module")
def real_routes() -> Iterator[RealService]:
    """The published routes, for all tests here."""
    with RealService(published.interpreter("server")) as service:
        yield service


@pytest.fixture(params=["http-stub", "http-stub-without-extensions", "http-real-routes", "mock"])
def arm(request: pytest.FixtureRequest) -> Iterator[Arm]:
    if request.param == "mock":
        yield MockArm()
    elif request.param == "http-real-routes":
        yield RealArm(request.getfixturevalue("real_routes"))
    else:
        with DecisionStub() as stub:
            yield StubArm(stub, extensions=request.param == "http-stub")


def test_the_engine_is_the_word_of_its_verdicts(arm: Arm) -> None:
    assert arm.backend.engine == arm.engine


@pytest.mark.parametrize(("noul", "score", "choice"), [(1.0, 2, 0), (0.0, 10, 1), (1.0, 7, 1)])
def test_every_question_gets_the_answer_that_was_given(arm: Arm, noul: float, score: int, choice: int) -> None:
    arm.tell(noul=noul, score=score, choice=choice)
    answers = arm.backend.answer(QUESTIONS, "a text", LONG)
    safe = answers.by_id["safe"]
    assert isinstance(safe, YesNoAnswer)
    wanted = {"safe": YesNoAnswer(noul, safe.stated), "risk": ScoreAnswer(score), "pick": ChoiceAnswer(choice)}
    assert answers.by_id == wanted


def test_an_answer_says_whose_it_is_and_its_figures_are_in_range(arm: Arm) -> None:
    answers = arm.backend.answer(QUESTIONS, "a text", LONG)
    assert answers.model == (MODEL if arm.engine == "http" else "mock")
    assert answers.usage is None or isinstance(answers.usage, Usage)
    assert set(answers.confidence) <= {"safe", "risk", "pick"}
    assert all(0 <= figure <= 1 for figure in answers.confidence.values())


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_single_question_gets_a_single_answer(arm: Arm, question: Question) -> None:
    assert set(arm.backend.answer((question,), "a text", LONG).by_id) == {question.id}


def test_averaging_over_orders_changes_nothing_but_the_way_to_the_answer(arm: Arm) -> None:
    arm.tell(choice=1)
    assert arm.backend.answer((PICK,), "a text", LONG, average_orders=True).by_id == {"pick": ChoiceAnswer(1)}


@pytest.mark.parametrize(
    "state",
    ["", "plain", "quotes \" and \\ and '", "lines\r\n\tand\x00\x1b[2J", "ünï 漢字 😀 \u2028\u202e", "x" * 5_000],
)
def test_the_state_arrives_as_it_is(arm: Arm, state: str) -> None:
    arm.backend.answer((RISK,), state, LONG)
    assert arm.states() == [state]


@pytest.mark.parametrize("state", ["\ud800", "a\udcffb"])
def test_a_state_that_is_no_text_is_answered_or_refused(arm: Arm, state: str) -> None:
    with contextlib.suppress(BackendError):
        assert set(arm.backend.answer((RISK,), state, LONG).by_id) == {"risk"}


def test_a_failure_is_a_backend_error_that_says_something(arm: Arm) -> None:
    arm.fail()
    for _ in range(12):  # more than a breaker bears
        with pytest.raises(BackendError, match=r"\S"):
            arm.backend.answer(QUESTIONS, "a text", LONG)


def test_an_answer_that_comes_too_late_is_a_failure_in_time(arm: Arm) -> None:
    arm.tell(delay=3.0)
    began = monotonic()
    with pytest.raises(TimedOut):
        arm.backend.answer(QUESTIONS, "a text", 0.2)
    assert monotonic() - began < 2.5


@pytest.mark.parametrize("deadline", [0.0, -1.0, 1e-9])
def test_without_any_time_left_there_is_no_answer(arm: Arm, deadline: float) -> None:
    arm.tell(delay=0.05)
    with pytest.raises(BackendError):
        arm.backend.answer(QUESTIONS, "a text", deadline)


def test_after_an_answer_that_came_too_late_the_next_one_is_that_of_its_own_question(arm: Arm) -> None:
    arm.tell(delay=0.3, score=2)
    with pytest.raises(TimedOut):
        arm.backend.answer((Score("late"),), "a text", 0.1)
    arm.tell(delay=0.0, score=9)
    sleep(0.3)  # the late answer is on its way meanwhile
    assert arm.backend.answer((Score("next"),), "a text", LONG).by_id == {"next": ScoreAnswer(9)}


def together(work: Callable[[int], None], callers: int = 8) -> None:
    """Run `work` in so many threads; raise what one of them raised."""
    failures: list[BaseException] = []

    def guarded(caller: int) -> None:
        try:
            work(caller)
        except BaseException as error:  # a thread would only print it
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(caller,)) for caller in range(callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_threads_get_the_answers_to_their_own_questions(arm: Arm) -> None:
    backend = arm.backend

    def work(caller: int) -> None:
        for number in range(10):
            asked = (Score(f"risk-{caller}-{number}"), Choice(f"pick-{caller}-{number}", ("a", "b", "c")))
            assert set(backend.answer(asked, f"state {caller} {number}", LONG).by_id) == {one.id for one in asked}

    together(work)
    assert sorted(arm.states()) == sorted(f"state {caller} {number}" for caller in range(8) for number in range(10))


def test_a_slow_call_keeps_no_other_one_waiting(arm: Arm) -> None:
    arm.tell(delay=0.4)
    backend, began = arm.backend, monotonic()
    together(lambda _caller: None if backend.answer((RISK,), "s", LONG).by_id else pytest.fail("no answer"))
    assert monotonic() - began < 8 * 0.4 - 0.2  # one after another it would be more
