"""The stub and the published routes give answers of the same form, so that what holds with one holds with the other."""

from __future__ import annotations

import http.client
import json
from typing import Any

import published
import pytest

from decision_service import DecisionStub, answering
from decision_service.process import RealService
from decision_service.replies import MODEL

FIGURES: dict[str, Any] = {"noul": 0.66, "score": 7, "choice": 1}
REQUEST = {
    "model": MODEL,
    "state": "s",
    "questions": [
        {"id": "a", "type": "noul", "threshold": 0.65},
        {"id": "b", "type": "score"},
        {"id": "c", "type": "choice", "options": ["x", "y"]},
    ],
}


def ask(port: int, path: str = "/v1/systemone", request: dict[str, Any] = REQUEST, token: str = "") -> tuple[int, Any]:
    """Return status and body: JSON where it is some."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        sent = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        connection.request("POST", path, json.dumps(request), sent)
        response = connection.getresponse()
        body = response.read()
        return response.status, json.loads(body) if response.headers["content-type"] == "application/json" else body
    finally:
        connection.close()


@pytest.mark.parametrize("path", ["/v1/systemone", "/v1/systemone/permute"])
@pytest.mark.parametrize("extensions", [True, False])
def test_both_answer_alike(path: str, extensions: bool) -> None:
    with RealService(published.interpreter("server"), extensions=extensions) as real:
        real.tell(**FIGURES)
        status, right = ask(real.port, path)
        (call,) = real.calls()
    with DecisionStub(answering(extensions=extensions, **FIGURES)) as stub:
        assert (status, {**right, "usage": {}}) == (200, ask_stub(stub, path))
    assert call["state"] == "s"
    assert [sorted(question) for question in call["questions"]] == [["id", "options", "threshold", "type"]] * 3


def ask_stub(stub: DecisionStub, path: str) -> Any:
    """Return the answer of the stub with what cannot be the same taken from it."""
    status, body = ask(stub.port, path)
    assert status == 200
    if "routing" in body:
        body["routing"]["backend"] = "phocinae-pure-torch"
    return {**body, "usage": {}}


def test_the_published_routes_refuse_as_the_table_of_faults_has_it() -> None:
    with RealService(published.interpreter("server"), token="secret") as real:
        assert ask(real.port)[0] == 401
        assert ask(real.port, token="secret")[0] == 200
        assert ask(real.port, request=REQUEST | {"model": "x"}, token="secret")[0] == 422
        real.tell(fails=True)
        assert ask(real.port, token="secret") == (500, b"Internal Server Error")
    with RealService(published.interpreter("server"), ready=False, max_body=500) as real:
        assert ask(real.port)[0] == 503
        assert ask(real.port, request=REQUEST | {"state": "s" * 500})[1]["error"]["code"] == 413
