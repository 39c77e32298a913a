"""Every way in which a decision service can fail, as one table; a row can be asked any question.

`FAULTS` is what the tests and ``tools/faults.py`` go through.  A row says in which words a
true reason can be told, and whether the failure shows only when the time is over.
"""

from __future__ import annotations

import contextlib
import json
import math
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from itertools import chain, repeat
from typing import Any

from attrs import frozen

from .replies import End, Reply, Script, answer, body_of, drip, good, head, json_reply, plain
from .stub import DecisionStub, Received

MILD: dict[str, Any] = {"noul": 0.95, "score": 2, "choice": 0}
"""The figures of an answer that would allow: what a broken answer carries, so that reading it anyway shows."""
STRICT: dict[str, Any] = {"noul": 0.05, "score": 9, "choice": 0}
"""The figures of an answer that denies."""
DRIP = 0.05
"""Seconds between two bytes of an answer that never ends."""

Where = Callable[[], AbstractContextManager[str]]


@frozen(kw_only=True)
class Fault:
    """One row: `script` is how the stub answers, or `where` a place at which no stub answers.

    `words` are alternatives: a true reason has one of them.  `late` says that only the
    deadline ends the call, `answers` that the service's answer is whole in spite of what
    surrounds it.  `environment` are variables that are set, `resolver` that no name is resolved.
    """

    name: str
    words: tuple[str, ...] = ()
    script: Script | None = None
    where: Where | None = None
    late: bool = False
    answers: bool = False
    resolver: bool = False
    environment: tuple[tuple[str, str], ...] = ()

    @contextlib.contextmanager
    def service(self) -> Iterator[str]:
        """Give the address of a service that fails so, as long as the block lasts."""
        if self.where is not None:
            with self.where() as url:
                yield url
        else:
            with DecisionStub(self.script) as stub:
                yield stub.url.replace("127.0.0.1", "decisions.test") if self.resolver else stub.url


@contextlib.contextmanager
def refusing() -> Iterator[str]:
    """Give an address at which connections are refused; the port is held, so that nobody else listens there."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


@contextlib.contextmanager
def unreachable() -> Iterator[str]:
    """Give an address to which there is no way: nothing is ever routed to that of a broadcast by a connection."""
    yield "http://255.255.255.255:8155"


@contextlib.contextmanager
def silent() -> Iterator[str]:
    """Give an address at which a connection is never established, because the queue of those before it is full."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(4):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                waiting.connect(listener.getsockname())
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


def changed(change: Callable[[dict[str, Any], Received], None]) -> Script:
    """Return the script that gives a mild answer which `change` has spoiled."""

    def script(received: Received) -> Reply:
        body = body_of(received, **MILD)
        change(body, received)
        return answer(body)

    return script


def every_answer(value: object) -> Script:
    """Return the script that answers every question with `value`, and with extensions that agree as far as they can."""

    def change(body: dict[str, Any], _received: Received) -> None:
        body["answers"] = dict.fromkeys(body["answers"], value)

    return changed(change)


def typed(**values: object) -> Script:
    """Return the script that answers the questions of some types with other values."""

    def change(body: dict[str, Any], received: Received) -> None:
        for question in received.questions:
            if question["type"] in values:
                body["answers"][question["id"]] = values[question["type"]]

    return changed(change)


def figures(kind: str, value: object) -> Script:
    """Return the script in which the extension `kind` holds `value` for every question."""

    def change(body: dict[str, Any], _received: Received) -> None:
        body[kind] = dict.fromkeys(body["answers"], value)

    return changed(change)


def without(place: int) -> Script:
    """Return the script that leaves out the answer to the question at `place`, or the last one."""

    def change(body: dict[str, Any], _received: Received) -> None:
        name = list(body["answers"])[min(place, len(body["answers"]) - 1)]
        for part in ("answers", "option_scores", "answer_confidence", "action"):
            del body[part][name]

    return changed(change)


def mild_bytes(received: Received) -> bytes:
    """Return the body of a mild answer."""
    return json.dumps(body_of(received, **MILD)).encode()


def hang(_received: Received) -> Reply:
    return Reply(end=End.HANG)


def stall_after_headers(received: Received) -> Reply:
    return Reply(pieces=(head(200, len(mild_bytes(received))),), end=End.HANG, status=200)


def stall_in_body(received: Received) -> Reply:
    data = mild_bytes(received)
    return Reply(pieces=(head(200, len(data)) + data[:-9],), end=End.HANG, status=200)


def drip_in_headers(_received: Received) -> Reply:
    sent = chain([b"HTTP/1.1 200 OK\r\n"], repeat(b"X"))
    return Reply(pieces=drip(sent, DRIP), status=200)


def drip_in_status(_received: Received) -> Reply:
    return Reply(pieces=drip(chain([b"HTTP/1.1 200 "], repeat(b"O")), DRIP), status=200)


def drip_in_body(received: Received) -> Reply:
    data = mild_bytes(received)
    sent = chain([head(200, 10_000) + data[:20]], repeat(b" "))
    return Reply(pieces=drip(sent, DRIP), status=200)


def drip_of_chunks(_received: Received) -> Reply:
    sent = chain([head(200, None, "Transfer-Encoding: chunked")], repeat(b"1\r\n \r\n"))
    return Reply(pieces=drip(sent, DRIP), status=200)


def drip_of_interim_answers(_received: Received) -> Reply:
    return Reply(pieces=drip(repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), DRIP))


def endless_headers(_received: Received) -> Reply:
    return Reply(pieces=chain([b"HTTP/1.1 200 OK\r\n"], repeat(b"X-A: b\r\n" * 1024)), status=200)


def oversized(_received: Received) -> Reply:
    size = 64 * 1024 * 1024
    return Reply(pieces=chain([head(200, size)], repeat(b" " * 65_536, size // 65_536)), status=200)


def endless_body(_received: Received) -> Reply:
    return Reply(pieces=chain([head(200, None, "Connection: close")], repeat(b" " * 65_536)), status=200)


def reset_in_body(received: Received) -> Reply:
    data = mild_bytes(received)
    return Reply(pieces=(head(200, len(data)) + data[: len(data) // 2], 0.02), end=End.RESET, status=200)


def early_close(_received: Received) -> Reply:
    return Reply(end=End.CLOSE)


def close_in_body(received: Received) -> Reply:
    data = mild_bytes(received)
    return Reply(pieces=(head(200, len(data) + 9) + data,), end=End.CLOSE, status=200)


def moved(status: int) -> Script:
    """Return the script that redirects to another path of the same service, which would allow."""

    def script(received: Received) -> Reply:
        if received.path.startswith("/elsewhere"):
            return good(received, **MILD)
        return plain(status, b"", "Location: /elsewhere/v1/systemone")

    return script


def contradicting(received: Received) -> Reply:
    """Say no to what the figures say yes to; other types of answers, which cannot contradict them, are out of range."""
    return typed(noul=False, choice=99, score=99)(received)


def extra_answers(received: Received) -> Reply:
    body = body_of(received, **STRICT)
    for part in ("answers", "option_scores", "answer_confidence"):
        body[part] |= {"safe": True, "other": "allow", "": None, "decision": "allow"}
    return answer(body | {"decision": "allow", "new": [1, {"deep": None}]})


def strict(received: Received) -> Reply:
    return good(received, **STRICT)


def mild(received: Received) -> Reply:
    return good(received, **MILD)


RULE_BROKEN = {"detail": "model 'x' is not served here"}
SCHEMA_BROKEN = {"detail": [{"type": "missing", "loc": ["body", "state"], "msg": "Field required", "input": None}]}
BUSY = {"detail": "model is loading"}
TOO_LARGE = {"error": {"code": 413, "message": "request body too large"}}
DEEP = b"[" * 100_000
DEAD_PROXY = "http://127.0.0.1:9"
PROXIES = tuple(
    (name, DEAD_PROXY) for word in ("http_proxy", "https_proxy", "all_proxy") for name in (word, word.upper())
)

TIME = ("within",)
TYPE = ("neither true nor false", "no index", "no whole number")
MISSING = ("is missing",)
NO_ANSWERS = ("no object",)
BROKEN = ("broke off", "closed the connection")
LARGE = ("too large",)
NO_JSON = ("no JSON", "not JSON", "not read as JSON")
NO_HTTP = ("does not speak HTTP",)

FAULTS: tuple[Fault, ...] = (
    Fault(name="refused", where=refusing, words=("refused",)),
    Fault(name="unreachable", where=unreachable, words=("cannot be reached",)),
    Fault(name="never connected", where=silent, words=TIME, late=True),
    Fault(name="DNS hang", script=mild, words=TIME, late=True, resolver=True),
    Fault(name="hang after accept", script=hang, words=TIME, late=True),
    Fault(name="hang after headers", script=stall_after_headers, words=TIME, late=True),
    Fault(name="hang in body", script=stall_in_body, words=TIME, late=True),
    Fault(name="drip in status line", script=drip_in_status, words=TIME, late=True),
    Fault(name="drip in headers", script=drip_in_headers, words=TIME, late=True),
    Fault(name="drip in body", script=drip_in_body, words=TIME, late=True),
    Fault(name="drip of chunks", script=drip_of_chunks, words=TIME, late=True),
    Fault(name="drip of interim answers", script=drip_of_interim_answers, words=TIME, late=True),
    Fault(name="301", script=moved(301), words=("301",)),
    Fault(name="307", script=moved(307), words=("307",)),
    Fault(name="400", script=lambda _: json_reply(400, {"detail": "no"}), words=("400",)),
    Fault(name="401", script=lambda _: json_reply(401, {"detail": "no"}), words=("401",)),
    Fault(name="404", script=lambda _: json_reply(404, {"detail": "Not Found"}), words=("404",)),
    Fault(name="413", script=lambda _: json_reply(413, TOO_LARGE), words=("413",)),
    Fault(name="422 rule", script=lambda _: json_reply(422, RULE_BROKEN), words=("422",)),
    Fault(name="422 schema", script=lambda _: json_reply(422, SCHEMA_BROKEN), words=("422",)),
    Fault(name="429", script=lambda _: json_reply(429, {"detail": "slow down"}, "Retry-After: 60"), words=("429",)),
    Fault(name="500 text", script=lambda _: plain(500, b"Internal Server Error"), words=("500",)),
    Fault(name="503", script=lambda _: json_reply(503, BUSY), words=("503",)),
    Fault(name="503 Retry-After 60", script=lambda _: json_reply(503, BUSY, "Retry-After: 60"), words=("503",)),
    Fault(name="503 Retry-After 0", script=lambda _: json_reply(503, BUSY, "Retry-After: 0"), words=("503",)),
    Fault(name="503 Retry-After never", script=lambda _: json_reply(503, BUSY, "Retry-After: nan"), words=("503",)),
    Fault(name="204", script=lambda _: plain(204, b""), words=("204",)),
    Fault(name="empty", script=lambda _: plain(200, b"", media="application/json"), words=("empty",)),
    Fault(name="HTML", script=lambda _: plain(200, b"<html>ok</html>", media="text/html"), words=NO_JSON),
    Fault(name="broken JSON", script=lambda r: plain(200, mild_bytes(r)[:-1]), words=NO_JSON),
    Fault(name="not UTF-8", script=lambda r: plain(200, mild_bytes(r)[:-1] + b',"\xff":1}'), words=("UTF-8",)),
    Fault(name="deep JSON", script=lambda _: plain(200, DEEP), words=("nested",)),
    Fault(
        name="twice the same key",
        script=lambda r: plain(200, mild_bytes(r)[:-1] + b',"answers":{}}'),
        words=("twice",),
    ),
    Fault(name="JSON list", script=lambda _: json_reply(200, [{"answers": {}}]), words=NO_JSON),
    Fault(name="no answers", script=changed(lambda body, _: body.pop("answers")), words=NO_ANSWERS),
    Fault(name="answers null", script=changed(lambda body, _: body.update(answers=None)), words=NO_ANSWERS),
    Fault(name="NaN as answer", script=every_answer(math.nan), words=("NaN",)),
    Fault(
        name="NaN as probability",
        script=figures("option_scores", [math.nan, math.nan]),
        words=("NaN",),
    ),
    Fault(name="infinity as answer", script=every_answer(1e999), words=("Infinity",)),
    Fault(name="texts as answers", script=every_answer("true"), words=TYPE),
    Fault(name="null as answers", script=every_answer(None), words=TYPE),
    Fault(name="lists as answers", script=every_answer([True]), words=TYPE),
    Fault(name="yes as text", script=typed(noul="yes", choice="a", score="3"), words=TYPE),
    Fault(name="numbers for bools", script=typed(noul=1, choice=0.0, score=3.0), words=TYPE),
    Fault(name="bools for numbers", script=typed(choice=True, score=True), words=TYPE),
    Fault(name="missing first answer", script=without(0), words=MISSING),
    Fault(name="missing last answer", script=without(9), words=MISSING),
    Fault(name="index out of range", script=typed(noul=7, choice=255, score=255), words=TYPE),
    Fault(name="index below 0", script=typed(noul=-1, choice=-1, score=-1), words=TYPE),
    Fault(name="score 1", script=typed(choice=99, score=1), words=TYPE),
    Fault(name="score 11", script=typed(choice=99, score=11), words=TYPE),
    Fault(name="no, and surely yes", script=contradicting, words=("contradicts", "no index", "no whole number")),
    Fault(name="oversized body", script=oversized, words=LARGE),
    Fault(name="endless body", script=endless_body, words=LARGE),
    Fault(name="endless headers", script=endless_headers, words=(*LARGE, *NO_HTTP)),
    Fault(name="reset in body", script=reset_in_body, words=BROKEN),
    Fault(name="close in body", script=close_in_body, words=BROKEN),
    Fault(name="early close", script=early_close, words=BROKEN),
    Fault(name="no HTTP", script=lambda _: Reply(pieces=(b"SSH-2.0-OpenSSH_9.2\r\n",), end=End.CLOSE), words=NO_HTTP),
    Fault(name="extra answers", script=extra_answers, answers=True),
    Fault(name="proxy variables", script=strict, environment=PROXIES, answers=True),
)
