"""What connects a call with its client: silent once the call is over, and the end of what runs on a loop for it."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import CancelledError
from typing import Any

import pytest

from phocinae.adapters.transports.event_loop import LoopThread
from phocinae.catalog.context import CallContext, FormAnswer, Link

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}


def test_a_coroutine_is_cancelled_when_its_call_is_over() -> None:
    link, begun, ended, told = Link(start=LoopThread().start), threading.Event(), threading.Event(), threading.Event()

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(600)
        finally:
            ended.set()

    def wait() -> None:
        try:
            link.run(long(), lambda end: end())
        except CancelledError:
            told.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert begun.wait(20)
    link.close()
    waiting.join(20)
    assert told.is_set()
    assert ended.wait(20)


def test_a_coroutine_of_a_call_that_is_over_does_not_run_to_its_end() -> None:
    link = Link(start=LoopThread().start)
    link.close()

    async def long() -> None:
        await asyncio.sleep(600)

    with pytest.raises(CancelledError):
        link.run(long(), lambda end: end())


def test_without_a_loop_of_the_transport_a_coroutine_has_its_own() -> None:
    async def quick() -> int:
        return 7

    assert Link().run(quick(), lambda end: end()) == 7


def test_a_call_without_a_client_speaks_to_nobody() -> None:
    context = CallContext()
    context.progress(1)
    context.log("info", "x")
    assert context.is_cancelled is False
    context.link.close()
    assert context.is_cancelled is True


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ({"action": "accept", "content": {"a": 1}}, FormAnswer("accept", {"a": 1})),
        ({"action": "decline", "content": {"a": 1}}, FormAnswer("decline")),
        ({"action": "cancel"}, FormAnswer("cancel")),
        ({"action": "accept"}, None),
        ({"action": "accept", "content": {"a": "1"}}, None),
        ({"action": "accept", "content": [1]}, None),
        ({"action": "Accept", "content": {"a": 1}}, None),
        ({"content": {"a": 1}}, None),
        ("accept", None),
        (None, None),
    ],
)
def test_an_answer_to_a_form_has_the_right_shape_or_is_none(answer: object, found: FormAnswer | None) -> None:
    assert CallContext(answers={"f": answer}).form("f", SCHEMA) == found
    assert CallContext(answers={"g": answer}).form("f", SCHEMA) is None


def test_without_a_schema_any_content_is_an_answer() -> None:
    answer = {"action": "accept"}
    assert CallContext(answers={"f": answer}).form("f") == FormAnswer("accept", {})
