"""What the stub can say: whole answers in the form of the real service, and the parts that broken ones are made of."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any

from attrs import frozen

if TYPE_CHECKING:
    from .stub import Received

MODEL = "Phocinae-Largha-150M-v1"
REASONS = {
    200: "OK",
    301: "Moved Permanently",
    307: "Temporary Redirect",
    400: "Bad Request",
    401: "Unauthorized",
    404: "Not Found",
    405: "Method Not Allowed",
    413: "Content Too Large",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class End(Enum):
    """What becomes of the connection once everything is sent."""

    KEEP = "keep"
    CLOSE = "close"
    RESET = "reset"
    HANG = "hang"


@frozen(kw_only=True)
class Reply:
    """What the stub does with one request: send bytes, wait for the numbers of seconds between them, and end so.

    `answers` are the answers that the bytes carry, by question id, None where they carry
    none that could be used; `status` is that of the answer, 0 without one.  Both are for the log.
    """

    pieces: Iterable[bytes | float] = ()
    end: End = End.KEEP
    status: int = 0
    answers: dict[str, Any] | None = None
    scores: dict[str, Any] | None = None


Script = Callable[["Received"], Reply]
"""How the stub answers a request."""


def head(status: int, length: int | None, *lines: str, media: str = "application/json") -> bytes:
    """Return a status line and header fields; without `length` the body ends with the stream."""
    fields = [f"HTTP/1.1 {status} {REASONS.get(status, 'Status')}", f"Content-Type: {media}", *lines]
    if length is not None:
        fields.append(f"Content-Length: {length}")
    return ("\r\n".join(fields) + "\r\n\r\n").encode("latin-1")


def plain(
    status: int, body: bytes, *lines: str, media: str = "text/plain; charset=utf-8", end: End = End.KEEP
) -> Reply:
    """Return a whole answer with any body."""
    return Reply(pieces=(head(status, len(body), *lines, media=media) + body,), status=status, end=end)


def json_reply(status: int, value: object, *lines: str) -> Reply:
    """Return a whole answer with a JSON body; NaN and the like are written as Python writes them."""
    return plain(status, json.dumps(value).encode(), *lines, media="application/json")


def drip(data: Iterable[bytes], every: float) -> Iterator[bytes | float]:
    """Yield `data` with a wait of `every` seconds behind each part."""
    for part in data:
        yield part
        yield every


def body_of(
    received: Received, *, noul: float = 0.9, score: int = 3, choice: int = 0, extensions: bool = True
) -> dict[str, Any]:
    """Return the JSON body with which the real service would answer: the same figures for every question of a type.

    As there, a noul is true from the threshold of the question on (0.5 without one).
    """
    answers: dict[str, Any] = {}
    scores: dict[str, list[float]] = {}
    for question in received.questions:
        name = question["id"]
        if question["type"] == "noul":
            threshold = question.get("threshold")
            answers[name] = noul >= (0.5 if threshold is None else threshold)
            scores[name] = [round(1 - noul, 4), noul]
        elif question["type"] == "score":
            answers[name] = score
            scores[name] = _spread(9, score - 2)
        else:
            answers[name] = choice
            scores[name] = _spread(len(question["options"]), choice)
    body = {"model": MODEL, "answers": answers, "usage": {"input_tokens": 42, "output_tokens": 0}}
    if extensions:
        body["answer_confidence"] = {name: round(max(figures), 4) for name, figures in scores.items()}
        body["action"] = {name: {"act_probability": 0.5} for name in answers}
        body["option_scores"] = scores
        averaged = received.path.endswith("/permute")  # said for questions without options as well
        body["routing"] = {"model": MODEL, "device": "cpu", "perm": "avg-k4" if averaged else "none", "backend": "stub"}
    return body


def _spread(size: int, winner: int) -> list[float]:
    """Return `size` probabilities of which the one at `winner` is 0.7, or alone; outside, none stands out."""
    if size == 1:
        return [1.0]
    return [0.7 if place == winner else round(0.3 / (size - 1), 4) for place in range(size)]


def good(
    received: Received, *, delay: float = 0.0, chunked: bool = False, end: End = End.KEEP, **figures: Any
) -> Reply:
    """Return what the real service would answer; `figures` are those of `body_of`, `delay` is in seconds."""
    return answer(body_of(received, **figures), delay=delay, chunked=chunked, end=end)


def answer(body: dict[str, Any], *, delay: float = 0.0, chunked: bool = False, end: End = End.KEEP) -> Reply:
    """Return an answer with status 200 and `body`, which need not be right."""
    data = json.dumps(body).encode()
    if chunked:
        middle = len(data) // 2
        parts = [b"%x\r\n%s\r\n" % (len(part), part) for part in (data[:middle], data[middle:], b"")]
        sent = head(200, None, "Transfer-Encoding: chunked") + b"".join(parts)
    else:
        sent = head(200, len(data)) + data
    pieces = (delay, sent) if delay else (sent,)
    return Reply(pieces=pieces, end=end, status=200, answers=body.get("answers"), scores=body.get("option_scores"))


def answering(**figures: Any) -> Script:
    """Return the script that gives `good` answers with these figures to every request."""
    return lambda received: good(received, **figures)


def in_turn(*scripts: Script) -> Script:
    """Return the script that answers the first request by the first of `scripts`, and so on; the last one stays."""
    left = list(scripts)

    def script(received: Received) -> Reply:
        chosen = left.pop(0) if len(left) > 1 else left[0]
        return chosen(received)

    return script
