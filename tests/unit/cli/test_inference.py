from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import fields
from decision_service import DecisionStub, answering, json_reply
from decision_service.faults import FAULTS, Fault

from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.cli import inference
from phocinae.cli.entry import run
from phocinae.cli.inference import COMMANDS
from phocinae.cli.options import GENERAL, SERVICE, Command, help_text
from phocinae.domain.questions import Answer, Answers, ChoiceAnswer, Question, ScoreAnswer, Usage
from phocinae.errors import TimedOut
from phocinae.service.inference import InferenceService
from phocinae.settings import Settings

Capture = pytest.CaptureFixture[str]
Feed = Callable[[bytes], None]

LABEL = ["--label", "a", "--label", "b"]
CALLS: dict[str, list[str]] = {"classify": LABEL, "route": ["--tool=a", "--tool=b"], "score": ["--criterion", "c"]}


def last(questions: tuple[Question, ...], state: str) -> Answers:
    """Choose the second option or 9, and fail where the text says so."""
    if "fail" in state:
        raise TimedOut("the service at\x1b[2J http://x did not answer; raise --timeout")
    answers: dict[str, Answer] = {"label": ChoiceAnswer(1), "tool": ChoiceAnswer(1), "score": ScoreAnswer(9)}
    (question,) = questions
    return Answers({question.id: answers[question.id]}, confidence={question.id: 0.756}, usage=Usage(42, 0))


class Real(ScriptedBackend):
    """A script that is not named a mock."""

    engine = "http"

    def answer(self, questions: tuple[Question, ...], state: str, deadline: float, **more: Any) -> Answers:
        found = super().answer(questions, state, deadline, **more)
        return Answers(found.by_id, "m", found.confidence, found.usage)


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Real:
    """Put a service in the place of the real one; what it was built from is in `settings`."""
    fake = Real(last)

    def build(settings: Settings) -> InferenceService:
        return InferenceService(backend=fake, timeout=settings.timeout, window=settings.window)

    monkeypatch.setattr(inference, "build_inference", build)
    return fake


@pytest.mark.parametrize(("name", "first"), [("classify", "b"), ("route", "b"), ("score", "9")])
def test_the_first_line_is_the_answer_alone(name: str, first: str, backend: Real, capsys: Capture) -> None:
    assert run([name, *CALLS[name], "--state", "text"]) == 0
    assert capsys.readouterr().out == f"{first}\n  confidence 0.76, model m\n"
    assert len(backend.asked) == 1


@pytest.mark.parametrize("name", CALLS)
def test_json_is_the_result_on_one_line(name: str, backend: Real, capsys: Capture) -> None:
    assert run([name, *CALLS[name], "--state", "text", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    result = json.loads(line)
    own = {"classify": {"choice": 1, "label": "b"}, "route": {"choice": 1, "tool": "b"},
           "score": {"score": 9, "range": [2, 10]}}  # fmt: skip
    usage = {"input_tokens": 42, "output_tokens": 0}
    rest = {"confidence": 0.756, "model": "m", "engine": "http", "truncated": False, "usage": usage}
    assert result == {**own[name], **rest}
    assert len(backend.asked) == 1


def test_what_the_model_may_not_have_read_is_said(backend: Real, capsys: Capture) -> None:
    assert run(["classify", *LABEL, "--state", "text" * 100]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "  truncated: the model may have read a part of it only"
    assert len(backend.asked) == 1


def test_a_mock_is_called_one(capsys: Capture) -> None:
    assert run(["classify", *LABEL, "--state", "text", "--backend", "mock"]) == 0
    assert capsys.readouterr().out == "a\n  made up by a mock, no model\n"


def test_the_text_may_come_from_standard_input(backend: Real, feed: Feed, capsys: Capture) -> None:
    feed("text ü\n".encode())
    assert run(["score", *CALLS["score"]]) == 0
    assert capsys.readouterr().err == ""
    assert backend.asked[0][1].endswith('\n"text ü"')


def test_an_answer_cannot_drive_the_terminal(backend: Real, capsys: Capture) -> None:
    assert run(["classify", "--label", "a", "--label", "\x1b[2J", "--state", "x"]) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert len(backend.asked) == 1


@pytest.mark.parametrize("name", CALLS)
def test_a_failure_is_one_line_and_status_1(name: str, backend: Real, capsys: Capture) -> None:
    for more in ([], ["--json"]):
        assert run([name, *CALLS[name], "--state", "fail", *more]) == 1
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err == "phocinae: the service at\\x1b[2J http://x did not answer; raise --timeout\n"
    assert len(backend.asked) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["classify", "--state", "x"], "classify needs --label TEXT, once for each of the labels"),
        (["route", "--state", "x"], "route needs --tool TEXT"),
        (["score", "--state", "x"], "score needs --criterion TEXT"),
        (["classify", "--label", "a", "x"], "takes options only"),
        (["classify", "--label", "a", "--label", "a", "--state", "x"], "twice"),
        (["classify", "--label", "", "--state", "x"], "a label is empty"),
        (["score", "--criterion", "a", "--state", ""], "the text is empty"),
        (["score", "--criterion", "a"], "the text is empty"),
        (["score", "--criterion"], "needs a value: --criterion TEXT"),
        (["score", "--label", "a"], "there is no option --label"),
        (["score", "--criterion", "a", "--state", "x" * 20_001], "20001 characters; at most 20000"),
        (["classify", "--batch", "--state", "x"], "not by --state"),
        (["classify", *LABEL, "--state", "x", "--timeout", "0"], "option --timeout cannot be used"),
        (["classify", *LABEL, "--state", "x", "--backend", "real"], "option --backend must be http or mock"),
    ],
)
def test_a_call_that_cannot_be_used_ends_with_3(
    arguments: list[str], message: str, backend: Real, feed: Feed, capsys: Capture
) -> None:
    feed(b"\n")
    assert run(arguments) == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not backend.asked


def test_text_that_is_not_utf_8_is_refused(backend: Real, feed: Feed, capsys: Capture) -> None:
    feed(b"\xff")
    assert run(["score", *CALLS["score"]]) == 3
    assert "not UTF-8 text" in capsys.readouterr().err
    assert not backend.asked


def test_without_standard_input_the_text_is_missing(
    backend: Real, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    for more in ([], ["--batch"]):
        assert run(["score", *CALLS["score"], *more]) == 3
        assert "there is no --state, and standard input is closed" in capsys.readouterr().err
    assert not backend.asked


def batch(feed: Feed, capsys: Capture, name: str, lines: Sequence[object], *more: str) -> tuple[int, list[Any]]:
    texts = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    feed(b"\n".join(texts))
    status = run([name, "--batch", *more])
    return status, [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("name", "key", "field", "value"),
    [("classify", "labels", "label", "b"), ("route", "tools", "tool", "b"), ("score", "criteria", "score", 9)],
)
def test_each_line_of_a_batch_has_an_answer_in_order(
    name: str, key: str, field: str, value: object, backend: Real, feed: Feed, capsys: Capture
) -> None:
    lines: list[object] = [{"state": "one", key: ["a", "b"]}, {"state": "two"}, {"state": "three", key: ["x"] * 101}]
    status, answers = batch(feed, capsys, name, lines, *CALLS[name])
    assert status == 1
    assert [answer.get(field) for answer in answers] == [value, value, None]
    assert answers[2]["error"].startswith("give a list of 1 to 100")
    assert [json.loads(state.split("\n")[1]) for _, state in backend.asked] == ["one", "two"]


def test_the_status_of_a_batch_is_0_where_every_line_has_an_answer(backend: Real, feed: Feed, capsys: Capture) -> None:
    assert batch(feed, capsys, "score", [{"state": "x", "criteria": ["c"]}] * 2)[0] == 0
    assert batch(feed, capsys, "score", []) == (0, [])
    assert len(backend.asked) == 2


def test_a_line_that_fails_does_not_end_a_batch(backend: Real, feed: Feed, capsys: Capture) -> None:
    bad: list[object] = [
        b"{", b"\xff", b"[]", b"", {"state": "x", "other": 1}, {"labels": ["a"]}, {"state": 7}, {"state": "\ud800"},
        {"state": "x", "labels": "ab"}, {"state": "x", "labels": None}, {"state": "fail"},
        b'{"state": "x", "state": "y"}', b"[" * 100_000, b'{"state": NaN}', b" " * (5 << 20),
    ]  # fmt: skip
    status, answers = batch(feed, capsys, "classify", [*bad, {"state": "good"}], *LABEL)
    assert status == 1
    assert [set(answer) for answer in answers[:-1]] == [{"error"}] * len(bad)
    assert answers[6]["error"] == "what the question is about must be a text (a string), and is a number"
    assert answers[-1]["label"] == "b"
    assert answers[0]["error"].startswith("The input line cannot be used: it is not JSON")
    assert answers[10]["error"].startswith("the service at")
    assert len(backend.asked) == 2


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_names_every_option_and_its_default(command: Command, capsys: Capture) -> None:
    options = list(command.options())
    assert {*GENERAL, *SERVICE} <= set(options)
    names = [name for option in options for name in option.names]
    assert len(names) == len(set(names))
    assert {option.field for option in options} - {""} <= {attribute.name for attribute in fields(Settings)}
    assert run([command.name, "--help"]) == 0
    text = capsys.readouterr().out
    assert text == help_text(command)
    assert max(map(len, text.splitlines())) <= 100
    for option in options:
        assert f"  {', '.join(option.names)}" in text
    assert run([command.name, "--version"]) == 0


def test_settings_are_shown_and_options_of_a_gate_do_no_harm(backend: Real, capsys: Capture) -> None:
    assert run(["-v", "score", "--criterion", "c", "--state", "x", "--l1-enabled", "--timeout", "2"]) == 0
    shown = capsys.readouterr().err
    assert "timeout = 2.0 from option --timeout" in shown
    assert "policy" not in shown
    assert len(backend.asked) == 1


def test_a_real_service_is_asked_with_the_token(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("PHOCINAE_TOKEN", " s3cret\n")
    with DecisionStub(answering(choice=1, score=9)) as stub:
        to = ["--state", "text", "--json", "--server", stub.url]
        for name in ("classify", "route", "score"):
            assert run([name, *CALLS[name], *to]) == 0
    captured = capsys.readouterr()
    label, tool, score = [json.loads(line) for line in captured.out.splitlines()]
    assert (label["label"], tool["tool"], score["score"]) == ("b", "b", 9)
    assert {one["engine"] for one in (label, tool, score)} == {"http"}
    assert [request.path for request in stub.received] == [
        "/v1/systemone", "/v1/systemone/permute", "/v1/systemone",
    ]  # fmt: skip
    assert {request.headers["authorization"] for request in stub.received} == {"Bearer s3cret"}
    assert "s3cret" not in captured.out + captured.err


@pytest.mark.parametrize("name", CALLS)
def test_another_service_than_that_of_the_settings_file_is_asked_without_its_token(
    name: str, tmp_path: Path, capsys: Capture
) -> None:
    token, config = tmp_path / "token", tmp_path / "config.toml"
    token.write_text("s3cret")
    config.write_text(f'[l1]\nserver = "http://127.0.0.1:9"\ntoken_file = "{token}"\n')
    for path in (token, config):
        path.chmod(0o600)
    with DecisionStub(lambda _request: json_reply(401, {})) as stub:
        given = ["--state", "text", "--config", str(config), "--server", stub.url]
        assert run([name, *CALLS[name], *given]) == 1
    warning, failure = capsys.readouterr().err.splitlines()
    assert [request.headers.get("authorization") for request in stub.received] == [None] * len(stub.received)
    assert stub.received
    assert "that token is not sent, because option --server names another service" in warning
    assert "it wants a token" in failure
    assert "only where the settings files name that server" in failure
    assert "s3cret" not in warning + failure


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.script], ids=lambda fault: fault.name)
def test_a_faulty_service_gets_one_clear_line_or_the_answer_that_it_gave(fault: Fault, capsys: Capture) -> None:
    seconds = "0.3" if fault.late else "5"
    with DecisionStub(fault.script) as stub:
        status = run(["score", *CALLS["score"], "--state", "text", "--timeout", seconds, "--server", stub.url])
    captured = capsys.readouterr()
    if status == 0:  # what is wrong with it concerns another question
        assert 2 <= int(captured.out.splitlines()[0]) <= 10
        return
    assert (status, captured.out) == (1, "")
    assert not fault.answers
    assert captured.err.startswith("phocinae: ")
    assert captured.err.count("\n") == 1
