from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from phocinae.adapters.backends.scripted import REMEMBERED, Delayed, ScriptedBackend
from phocinae.domain.l1 import QUESTIONS, Thresholds, decide, read_opinion
from phocinae.domain.questions import Answers, Choice, ChoiceAnswer, Question, Score, ScoreAnswer, YesNo, YesNoAnswer
from phocinae.domain.verdict import Decision
from phocinae.errors import BackendError, TimedOut, Unreachable

RISK = (Score("risk"),)


def risk(value: int) -> Answers:
    return Answers({"risk": ScoreAnswer(value)}, "a real one")


def test_without_a_script_every_answer_is_the_middle() -> None:
    backend = ScriptedBackend()
    questions: tuple[Question, ...] = (YesNo("a"), Choice("b", ("x", "y")), Score("c"))
    expected = Answers({"a": YesNoAnswer(0.5), "b": ChoiceAnswer(0), "c": ScoreAnswer(6)}, "mock")
    assert [backend.answer(questions, state, 1.0) for state in ("s", "t")] == [expected, expected]
    assert list(backend.asked) == [(questions, "s"), (questions, "t")]


def test_by_default_the_middle_asks() -> None:
    opinion = read_opinion(ScriptedBackend().answer(QUESTIONS, "s", 1.0))
    assert decide(opinion, Thresholds()) is Decision.ASK


def test_a_script_is_followed_in_order_and_then_at_its_end() -> None:
    backend = ScriptedBackend([risk(2), Unreachable("down"), lambda _questions, state: risk(len(state))])
    assert backend.answer(RISK, "s", 1.0) == Answers({"risk": ScoreAnswer(2)}, "mock")
    with pytest.raises(Unreachable, match="down"):
        backend.answer(RISK, "s", 1.0)
    assert backend.answer(RISK, "seven..", 1.0).by_id == {"risk": ScoreAnswer(7)}
    with pytest.raises(BackendError, match="the script of the mock has come to its end"):
        backend.answer(RISK, "s", 1.0)


def test_a_single_reply_is_given_to_every_call() -> None:
    backend = ScriptedBackend(risk(3))
    assert {backend.answer(RISK, "s", 1.0, average_orders=True).model for _ in range(3)} == {"mock"}


def test_a_delay_is_waited_for_and_never_longer_than_the_caller() -> None:
    slept: list[float] = []
    backend = ScriptedBackend([Delayed(0.2, risk(2)), Delayed(9.0, risk(2))], sleep=slept.append)
    assert backend.answer(RISK, "s", 1.0).by_id == {"risk": ScoreAnswer(2)}
    with pytest.raises(TimedOut, match="the mock does not answer within 1 s"):
        backend.answer(RISK, "s", 1.0)
    assert slept == [0.2, 1.0]


def test_the_last_calls_are_remembered_and_no_more() -> None:
    backend = ScriptedBackend()
    for number in range(REMEMBERED + 5):
        backend.answer(RISK, str(number), 1.0)
    assert [state for _, state in backend.asked] == [str(number) for number in range(5, REMEMBERED + 5)]


def test_threads_share_a_script() -> None:
    backend = ScriptedBackend([risk(2 + number % 9) for number in range(400)])
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: backend.answer(RISK, str(number), 1.0), range(400)))
    given = [answers.by_id["risk"] for answers in found]
    assert sorted(str(one) for one in given) == sorted(str(ScoreAnswer(2 + number % 9)) for number in range(400))
    assert len(backend.asked) == 400
