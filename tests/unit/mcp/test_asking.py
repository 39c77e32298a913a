"""Questions to a client and their replies, one registry without any conversation around it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from mcp_types.methods import parse_server_request

from phocinae.catalog.tools import InputKind, InputRequest
from phocinae.domain.approval import FORM_SCHEMA
from phocinae.mcp.asking import OPEN_LIMIT, Channel, Questions, Replied
from phocinae.mcp.jsonrpc import Response
from phocinae.mcp.revisions import LEGACY

OLD, NEW = LEGACY[2], LEGACY[3]
FORM = InputRequest.form("f", "May it?", FORM_SCHEMA)
ACCEPT = {"action": "accept", "content": {"decision": "approve"}}


class Wire:
    """A channel that keeps what is sent, and clocks that the test lets run out."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.clocks: list[Callable[[], None]] = []
        self.stopped = 0

    def send(self, frame: bytes) -> None:
        self.sent.append(json.loads(frame))

    def later(self, seconds: float, work: Callable[[], None]) -> Callable[[], None]:
        assert seconds == 7.0
        self.clocks.append(work)

        def stop() -> None:
            self.stopped += 1

        return stop


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.fixture
def questions(wire: Wire) -> Questions[str]:
    return Questions(Channel(send=wire.send, later=wire.later), 7.0)


def ask(questions: Questions[str], owner: str, *requests: InputRequest, revision: Any = NEW) -> bool:
    return questions.ask(owner, requests or (FORM,), revision, lambda: None)


@pytest.mark.parametrize(("revision", "mode"), [(OLD, {}), (NEW, {"mode": "form"})])
def test_a_question_is_a_request_of_its_revision(
    wire: Wire, questions: Questions[str], revision: Any, mode: dict[str, str]
) -> None:
    assert ask(questions, "a", revision=revision)
    (request,) = wire.sent
    assert request["params"] == {**mode, "message": "May it?", "requestedSchema": FORM_SCHEMA}
    parse_server_request(request["method"], revision.date, request["params"])
    assert (request["jsonrpc"], request["method"]) == ("2.0", "elicitation/create")


def test_a_reply_settles_the_question_with_its_id_once(wire: Wire, questions: Questions[str]) -> None:
    ask(questions, "a")
    ask(questions, "b")
    first, second = (request["id"] for request in wire.sent)
    assert first != second
    assert questions.reply(Response(second, ACCEPT)) == Replied("b", {"f": ACCEPT})
    assert questions.reply(Response(second, ACCEPT)) is None
    assert questions.reply(Response(first, ACCEPT)) == Replied("a", {"f": ACCEPT})
    assert wire.stopped == 2


@pytest.mark.parametrize("ident", [None, 1, 0, "", "phocinae", "phocinae-2", "PHOCINAE-1", " phocinae-1"])
def test_a_reply_to_what_was_not_asked_settles_nothing(questions: Questions[str], ident: Any) -> None:
    ask(questions, "a")
    assert questions.reply(Response(ident, ACCEPT)) is None
    assert questions.reply(Response("phocinae-1", ACCEPT)) is not None


@pytest.mark.parametrize(
    "response",
    [
        Response("phocinae-1", failed=True),
        Response("phocinae-1", ACCEPT, failed=True),
        *(Response("phocinae-1", result) for result in (None, 1, "accept", [ACCEPT], {}, {"action": "ok"})),
        *(Response("phocinae-1", {"action": action}) for action in (None, True, ["accept"], {"accept": 1}, "Accept")),
    ],
)
def test_a_reply_that_is_none_means_that_the_client_cannot_be_asked(
    questions: Questions[str], response: Response
) -> None:
    ask(questions, "a")
    assert questions.reply(response) == Replied("a", None)
    assert questions.reply(Response("phocinae-1", ACCEPT)) is None


def test_several_questions_are_settled_together(wire: Wire, questions: Questions[str]) -> None:
    roots = InputRequest("r", InputKind.ROOTS)
    assert ask(questions, "a", FORM, roots)
    form, listing = wire.sent
    assert (listing["method"], listing["params"]) == ("roots/list", {})
    assert questions.reply(Response(listing["id"], {"roots": []})) is None
    assert questions.reply(Response(listing["id"], {"roots": [1]})) is None  # the first reply counts
    assert questions.reply(Response(form["id"], ACCEPT)) == Replied("a", {"r": {"roots": []}, "f": ACCEPT})


def test_one_error_settles_all_questions_of_its_owner(wire: Wire, questions: Questions[str]) -> None:
    ask(questions, "a", FORM, InputRequest("r", InputKind.ROOTS))
    form, listing = wire.sent
    assert questions.reply(Response(listing["id"], failed=True)) == Replied("a", None)
    assert questions.reply(Response(form["id"], ACCEPT)) is None


def test_so_many_questions_are_open_and_no_more(wire: Wire, questions: Questions[str]) -> None:
    for number in range(OPEN_LIMIT - 1):
        assert ask(questions, str(number))
    assert not ask(questions, "two", FORM, InputRequest("r", InputKind.ROOTS))
    assert ask(questions, "last")
    assert not ask(questions, "more")
    assert len(wire.sent) == OPEN_LIMIT
    questions.reply(Response("phocinae-3", ACCEPT))
    assert ask(questions, "again")
    assert len({request["id"] for request in wire.sent}) == len(wire.sent)


def test_what_is_dropped_is_settled_by_nobody_and_says_nothing(wire: Wire, questions: Questions[str]) -> None:
    ask(questions, "a")
    assert questions.drop("a")
    assert not questions.drop("a")
    assert not questions.expire("a")
    assert questions.reply(Response("phocinae-1", ACCEPT)) is None
    assert (len(wire.sent), wire.stopped) == (1, 1)


def test_a_client_is_told_which_questions_are_not_waited_for_any_longer(wire: Wire, questions: Questions[str]) -> None:
    ask(questions, "a", FORM, InputRequest("r", InputKind.ROOTS))
    questions.reply(Response("phocinae-2", {"roots": []}))
    assert questions.expire("a")
    *_questions, told = wire.sent
    assert told["method"] == "notifications/cancelled"
    assert told["params"]["requestId"] == "phocinae-1"
    assert "id" not in told
    assert not questions.expire("a")


def test_at_the_end_the_owners_come_back_and_nothing_is_asked_any_more(wire: Wire, questions: Questions[str]) -> None:
    ask(questions, "a")
    ask(questions, "b")
    assert questions.end() == ("a", "b")
    assert questions.end() == ()
    assert not ask(questions, "c")
    assert questions.reply(Response("phocinae-1", ACCEPT)) is None
    assert (len(wire.sent), wire.stopped) == (2, 2)


def test_a_clock_that_starts_after_the_reply_is_stopped_at_once(wire: Wire) -> None:
    def send(frame: bytes) -> None:
        wire.send(frame)
        assert registry.reply(Response("phocinae-1", ACCEPT)) is not None

    registry: Questions[str] = Questions(Channel(send=send, later=wire.later), 7.0)
    assert ask(registry, "a")
    assert wire.stopped == 1


def test_what_is_no_json_is_not_asked(wire: Wire, questions: Questions[str]) -> None:
    with pytest.raises(TypeError):
        ask(questions, "a", InputRequest.form("f", "m", {"x": object()}))
    assert wire.sent == []
    assert questions.end() == ()


def test_without_a_clock_nothing_is_waited_for(wire: Wire) -> None:
    def later(_seconds: float, _work: Callable[[], None]) -> Callable[[], None]:
        raise RuntimeError("can't start new thread")

    registry: Questions[str] = Questions(Channel(send=wire.send, later=later), 7.0)
    for number in range(OPEN_LIMIT + 1):
        with pytest.raises(RuntimeError):
            ask(registry, str(number))
    assert registry.reply(Response("phocinae-1", ACCEPT)) is None
    assert registry.end() == ()


def test_without_a_clock_a_reply_that_came_before_counts(wire: Wire) -> None:
    def later(_seconds: float, _work: Callable[[], None]) -> Callable[[], None]:
        assert registry.reply(Response("phocinae-1", ACCEPT)) is not None
        raise RuntimeError("can't start new thread")

    registry: Questions[str] = Questions(Channel(send=wire.send, later=later), 7.0)
    assert ask(registry, "a")
