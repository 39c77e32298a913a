"""The stub does what it is told to, as a plain client sees it; otherwise the tests that use it would prove nothing."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from decision_service import DecisionStub, Script, answering, in_turn, json_reply
from decision_service.faults import FAULTS, Fault, early_close, hang, mild, refusing, reset_in_body, silent, unreachable
from decision_service.process import StubProcess, figures_of

QUESTIONS = [
    {"id": "a", "type": "noul"},
    {"id": "b", "type": "score"},
    {"id": "c", "type": "choice", "options": ["x", "y"]},
]


def ask(port: int, *, state: str = "s", host: str = "127.0.0.1", timeout: float = 20) -> tuple[int, Any]:
    """Return status and JSON body of one request on a connection of its own."""
    connection = http.client.HTTPConnection(host, port, timeout=timeout)
    try:
        connection.request("POST", "/v1/systemone", json.dumps({"state": state, "questions": QUESTIONS}))
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_good_answer_has_the_form_of_the_real_one(host: str) -> None:
    with DecisionStub(answering(noul=0.66, score=7, choice=1), host=host) as stub:
        status, body = ask(stub.port, host=host)
    assert status == 200
    assert body["answers"] == {"a": True, "b": 7, "c": 1}
    assert body["option_scores"]["a"] == [0.34, 0.66]
    assert [len(body["option_scores"][name]) for name in "abc"] == [2, 9, 2]
    assert body["answer_confidence"] == {"a": 0.66, "b": 0.7, "c": 0.7}
    assert body["routing"]["perm"] == "none"


@pytest.mark.parametrize("script", [answering(extensions=False), answering(extensions=False, chunked=True)])
def test_without_extensions_there_are_answers_only(script: Script) -> None:
    with DecisionStub(script) as stub:
        assert set(ask(stub.port)[1]) == {"model", "answers", "usage"}


def test_one_connection_carries_many_requests_and_the_log_says_what_was_answered() -> None:
    with DecisionStub(in_turn(lambda _: json_reply(503, {}, "Retry-After: 0"), answering(noul=0.2))) as stub:
        connection = http.client.HTTPConnection("127.0.0.1", stub.port, timeout=20)
        for word in ("word00000001", "word00000002"):
            connection.request("POST", "/v1/systemone", json.dumps({"state": f"do {word}", "questions": QUESTIONS}))
            connection.getresponse().read()
        connection.close()
        assert stub.connections == 1
        assert [(entry.word, entry.status) for entry in stub.log] == [("word00000001", 503), ("word00000002", 200)]
        (second,) = stub.answered("word00000002")
        assert second.answers == {"a": False, "b": 3, "c": 0}


def test_it_comes_back_on_the_same_port_and_ends_what_hangs() -> None:
    with DecisionStub(hang) as stub:
        failed: list[Exception] = []

        def call() -> None:
            try:
                ask(stub.port)
            except (OSError, http.client.HTTPException) as error:
                failed.append(error)

        caller = threading.Thread(target=call)
        caller.start()
        while not stub.received:
            threading.Event().wait(0.005)
        port = stub.port
        stub.stop()
        caller.join(20)
        assert len(failed) == 1
        with pytest.raises(ConnectionRefusedError):
            ask(port)
        stub.script = mild
        stub.start()
        assert ask(port)[0] == 200


def test_a_connection_can_be_closed_or_reset() -> None:
    with DecisionStub(early_close) as stub, pytest.raises(http.client.RemoteDisconnected):
        ask(stub.port)
    with DecisionStub(reset_in_body) as stub, pytest.raises(ConnectionResetError):
        ask(stub.port)


def failure(url: str) -> OSError | None:
    """Return how a connection to `url` fails within 0.3 s."""
    host, _, port = url.removeprefix("http://").rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=0.3).close()
    except OSError as error:
        return error
    return None


def test_places_without_a_service() -> None:
    with refusing() as url:
        assert isinstance(failure(url), ConnectionRefusedError)
    with silent() as url:
        assert isinstance(failure(url), TimeoutError)
    with unreachable() as url:
        error = failure(url)
        assert error is not None
        assert not isinstance(error, TimeoutError)


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.late and fault.script and not fault.resolver])
def test_what_is_late_neither_ends_nor_is_cut_short(fault: Fault) -> None:
    with DecisionStub(fault.script) as stub, socket.create_connection(("127.0.0.1", stub.port), timeout=0.3) as client:
        client.sendall(b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}")
        for _ in range(6):
            try:
                assert client.recv(1000) != b""
            except TimeoutError:
                break


def test_names_are_unique_and_each_row_says_what_is_true_of_it() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert all(fault.words or fault.answers for fault in FAULTS)
    assert all((fault.script is None) != (fault.where is None) for fault in FAULTS)


def test_it_runs_in_a_process_of_its_own_and_comes_back_after_a_kill(tmp_path: Path) -> None:
    word = "word0123abcd"
    with StubProcess("--by-word", log=tmp_path / "log.jsonl") as stub:
        _status, body = ask(stub.port, state=f"run {word}")
        assert body["answers"]["b"] == figures_of(word)["score"]
        port = stub.port
        stub.kill()
        with pytest.raises(ConnectionRefusedError):
            ask(port)
        stub.start()
        assert ask(port)[0] == 200
        (entry,) = stub.answered()[word]
        assert entry["answers"] == body["answers"]


def test_a_process_can_fail_as_the_table_says() -> None:
    with StubProcess("--fault", "503") as stub:
        assert ask(stub.port)[0] == 503
