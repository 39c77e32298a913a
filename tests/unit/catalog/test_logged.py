"""A call that is told: what came of it, how long it took, and its arguments without secrets."""

from __future__ import annotations

from typing import Any

import pytest

from phocinae.catalog.content import Result
from phocinae.catalog.context import CallContext
from phocinae.catalog.logged import SHOWN, logged
from phocinae.catalog.tools import Done, Failed, InputRequest, NeedsInput, Rejected, Tool, ToolOutcome


def told(outcome: ToolOutcome | Exception, arguments: dict[str, Any], *, at_once: bool = False) -> list[str]:
    """Return the lines that one call leads to, which takes a quarter of a second."""
    lines: list[str] = []
    time = [0.0]

    def answer(_arguments: dict[str, Any]) -> ToolOutcome:
        time[0] += 0.25
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def leave(_arguments: dict[str, Any]) -> None:
        return None

    tool = Tool(
        name="gate",
        title="t",
        description="d",
        input_schema={"type": "object"},
        run=answer,
        at_once=answer if at_once else leave,
        resume=lambda arguments, replies, state: answer({**arguments, **replies, **state}),
    )
    wrapped = logged(tool, lines.append, lambda: time[0])
    if isinstance(outcome, Exception):
        with pytest.raises(type(outcome)):
            wrapped.run(arguments)
        return lines
    found = wrapped.at_once(arguments)
    assert found is (outcome if at_once else None)
    if found is None:
        assert wrapped.run(arguments) is outcome
        assert wrapped.resume is not None
        assert wrapped.resume(arguments, {}, {}) is outcome
        assert lines[0] == lines[1]
        del lines[1]
    return lines


@pytest.mark.parametrize("at_once", [True, False])
@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (Done({"decision": "deny"}), "deny"),
        (Done({"label": "x"}), "done"),
        (Failed("The service is away."), "failed: The service is away."),
        (Rejected("no"), "refused"),
        (NeedsInput(requests=(InputRequest.form("k", "m", {}),)), "needs an answer of a person, or of the client"),
    ],
)
def test_a_line_says_what_came_of_it(outcome: ToolOutcome, word: str, at_once: bool) -> None:
    assert told(outcome, {"command": "ls"}, at_once=at_once) == [f'gate: {word}, 250.0 ms, {{"command":"ls"}}']


def test_a_tool_that_raises_is_told_by_the_name_of_its_error() -> None:
    assert told(RuntimeError("hunter2"), {}) == ["gate: failed (RuntimeError), 250.0 ms, {}"]


def test_secrets_are_masked_and_long_arguments_cut() -> None:
    token = "ghp_" + "a1B2" * 9
    for before in (0, SHOWN - 40, SHOWN - 30, SHOWN - 20, SHOWN):
        (line,) = told(
            Done({}), {"command": "x" * before + f" curl -H 'Authorization: Bearer {token}' h"}, at_once=True
        )
        assert token[:8] not in line
        assert len(line) < SHOWN + 50


def test_arguments_that_are_no_json_are_no_error() -> None:
    assert told(Done({}), {"x": object()}, at_once=True) == ["gate: done, 250.0 ms, arguments that are no JSON"]


def test_a_tool_without_rounds_stays_without() -> None:
    tool = Tool(name="t", title="t", description="d", input_schema={"type": "object"}, run=lambda _: Done({}))
    assert logged(tool, print, lambda: 0.0).resume is None


@pytest.mark.parametrize(("result", "word"), [(Result(), "done"), (Result(failed=True), "failed")])
def test_a_tool_of_a_handler_is_told_too(result: Result, word: str) -> None:
    lines: list[str] = []
    tool = Tool(name="mine", title="", description="", input_schema={"type": "object"}, handler=lambda _call: result)
    handler = logged(tool, lines.append, lambda: 0.0).handler
    assert handler is not None
    assert handler(CallContext(arguments={"a": 1})) is result
    assert lines == [f'mine: {word}, 0.0 ms, {{"a":1}}']
