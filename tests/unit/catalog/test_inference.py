"""The tools classify, route and score: every answer fits its schema, and a failure is said in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from phocinae import Answers, BackendError, Choice, ChoiceAnswer, Question, ScoreAnswer, Usage
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.catalog.inference import inference_tools
from phocinae.catalog.services import FOREIGN_SERVICE
from phocinae.catalog.tools import Done, Failed, Rejected, Tool
from phocinae.composition.live import live_of
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Undecided
from phocinae.errors import BadAnswer, Refused, TimedOut, Unreachable
from phocinae.service.gate import GateService
from phocinae.service.inference import InferenceService
from phocinae.settings import Settings

LISTS = {"classify": "labels", "route": "tools", "score": "criteria"}
NAMES = list(LISTS)


def judge(_request: GateRequest) -> Undecided:
    return Undecided(reason="Nobody knows.", ceiling=Decision.ALLOW)


def tools(script: Any = None, settings: Settings | None = None) -> dict[str, Tool]:
    backend = ScriptedBackend() if script is None else ScriptedBackend(script)
    service = InferenceService(backend=backend, timeout=1.0)
    live = live_of(settings or Settings(), GateService(offline=judge, clock=lambda: 0.0), service)
    return {tool.name: tool for tool in inference_tools(lambda: live)}


def arguments(name: str, **more: Any) -> dict[str, Any]:
    return {"state": "it crashes", LISTS[name]: ["bug", "wish"]} | more


def test_the_schemas_are_schemas_with_a_plain_root() -> None:
    for tool in tools().values():
        for schema in (tool.input_schema, tool.output_schema):
            assert schema is not None
            Draft202012Validator.check_schema(schema)
            assert schema["type"] == "object"
            assert schema["additionalProperties"] is False
            assert not schema.keys() & {"oneOf", "anyOf", "allOf", "not", "enum", "$ref"}


@pytest.mark.parametrize("name", NAMES)
def test_a_client_sees_when_to_use_it_and_what_it_does(name: str) -> None:
    tool = tools()[name]
    assert "When to use" in tool.description
    assert "When not to use" in tool.description
    assert tool.annotations is not None
    assert tool.annotations.to_wire() == {
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": True,
    }


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("classify", {"choice": 0, "label": "bug"}),
        ("route", {"choice": 0, "tool": "bug"}),
        ("score", {"score": 6, "range": [2, 10]}),
    ],
)
def test_an_answer_has_the_fields_of_its_tool(name: str, own: dict[str, Any]) -> None:
    tool = tools()[name]
    assert tool.at_once(arguments(name)) is None
    assert tool.run(arguments(name)) == Done(own | {"model": "mock", "engine": "mock", "truncated": False})


def answering(confidence: object, usage: Usage | None, model: str) -> Callable[[tuple[Question, ...], str], Answers]:
    def answer(questions: tuple[Question, ...], _state: str) -> Answers:
        (asked,) = questions
        value = ChoiceAnswer(len(asked.options) - 1) if isinstance(asked, Choice) else ScoreAnswer(10)
        given_confidence: Any = {} if confidence is None else {asked.id: confidence}
        return Answers({asked.id: value}, model=model, confidence=given_confidence, usage=usage)

    return answer


@given(
    name=st.sampled_from(NAMES),
    confidence=st.none() | st.floats(0, 1) | st.floats() | st.integers() | st.booleans() | st.text(max_size=2),
    usage=st.none() | st.builds(Usage, st.integers(0, 10**30), st.integers(0, 9)),
    state=st.text(min_size=1, max_size=400).filter(lambda text: bool(text.strip())),
    items=st.lists(st.text(min_size=1, max_size=60).filter(str.strip), min_size=1, max_size=5, unique=True),
)
def test_every_answer_fits_the_output_schema(
    name: str, confidence: object, usage: Usage | None, state: str, items: list[str]
) -> None:
    tool = tools(answering(confidence, usage, "m"))[name]
    given_arguments = {"state": state, LISTS[name]: items}
    assert tool.misfit(given_arguments) is None
    outcome = tool.run(given_arguments)
    if isinstance(outcome, Rejected):  # a half surrogate has no form in UTF-8
        assert not _is_utf8(state + "".join(items))
        return
    assert isinstance(outcome, Done)
    assert tool.output_schema is not None
    assert list(Draft202012Validator(tool.output_schema).iter_errors(outcome.value)) == []
    usable = type(confidence) in (float, int) and 0 <= confidence <= 1  # type: ignore[operator]  # a number by then
    assert outcome.value.get("confidence") == (confidence if usable else None)
    assert ("usage" in outcome.value) == (usage is not None)
    assert None not in outcome.value.values()


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("missing", [None, "confidence", "usage"])
def test_the_output_schema_allows_no_null_and_nothing_else(name: str, missing: str | None) -> None:
    tool = tools(answering(0.5, Usage(1, 2), "m"))[name]
    outcome = tool.run(arguments(name))
    assert isinstance(outcome, Done)
    assert tool.output_schema is not None
    assert tool.output_schema["properties"].keys() == outcome.value.keys()
    check = Draft202012Validator(tool.output_schema)
    value = {key: member for key, member in outcome.value.items() if key != missing}
    assert check.is_valid(value)
    assert not check.is_valid(value | {"extra": 1})
    for key in value:
        assert not check.is_valid(value | {key: None})


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("error", [Unreachable, TimedOut, Refused, BadAnswer, BackendError])
def test_a_failure_of_the_service_is_a_result_that_says_so(name: str, error: type[BackendError]) -> None:
    assert tools(error("nobody is there"))[name].run(arguments(name)) == Failed(
        f"{name} has no answer: nobody is there"
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "wrong",
    [
        {"state": ""},
        {"state": 5},
        {"state": "x" * 20_001},
        {"server": "x" * 2_049},
        {"other": 1},
        *[
            {"items": items}
            for items in ([], "ab", [1], ["x"] * 101, [f"{n}" for n in range(101)], [""], ["x" * 2_001])
        ],
    ],
)
def test_arguments_past_a_limit_do_not_fit(name: str, wrong: dict[str, Any]) -> None:
    if "items" in wrong:
        wrong = {LISTS[name]: wrong["items"]}
    tool = tools()[name]
    assert tool.misfit(arguments(name) | wrong) is not None
    assert not Draft202012Validator(tool.input_schema).is_valid(arguments(name) | wrong)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("needed", ["state", "items"])
def test_what_is_needed_is_needed(name: str, needed: str) -> None:
    without = arguments(name)
    del without[LISTS[name] if needed == "items" else needed]
    assert tools()[name].misfit(without) is not None


@pytest.mark.parametrize("name", NAMES)
def test_arguments_at_a_limit_fit(name: str) -> None:
    items = [f"{n:04}" + "x" * 1_996 for n in range(100)]
    full = {"state": "x" * 20_000, LISTS[name]: items, "server": "http://127.0.0.1:8155"}
    assert tools()[name].misfit(full) is None
    assert isinstance(tools()[name].run(full), Done)


@pytest.mark.parametrize("name", NAMES)
def test_an_item_twice_is_refused_where_the_answer_would_be_unclear(name: str) -> None:
    misfit = tools()[name].misfit({"state": "s", LISTS[name]: ["a", "a"]})
    assert misfit == (None if name == "score" else f"{LISTS[name]} must not hold an item twice")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("blank", [{"state": "  "}, {"items": ["a", "\t"]}])
def test_blank_texts_are_refused_without_asking(name: str, blank: dict[str, Any]) -> None:
    wrong = {LISTS[name]: blank["items"]} if "items" in blank else blank
    outcome = tools(AssertionError())[name].run(arguments(name) | wrong)
    assert isinstance(outcome, Rejected)
    assert outcome.message.startswith(f"{name}: ")


@pytest.mark.parametrize("name", NAMES)
def test_a_foreign_service_is_refused_with_the_same_text(name: str) -> None:
    tool = tools(AssertionError())[name]
    foreign = arguments(name, server="http://judge.example")
    assert tool.at_once(foreign) == tool.run(foreign) == Rejected(FOREIGN_SERVICE)


@pytest.mark.parametrize("name", NAMES)
def test_the_configured_service_may_be_named(name: str) -> None:
    assert isinstance(tools()[name].run(arguments(name, server="http://127.0.0.1:8155/other/path")), Done)
