"""The decision service behind HTTP: ``POST /v1/systemone``, with every failure as an error that says what to do.

Nothing is asked twice but in three cases: a connection that was kept and had ended
meanwhile, a 503 whose Retry-After fits into the deadline, and a service without the
route that averages over orders of options, which is then asked the plain way.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Any

from attrs import evolve

from ...domain.questions import Answers, Choice, Question, YesNo
from ...errors import BackendError, BadAnswer, Refused, TimedOut, Unreachable
from .breaker import Breaker, LeftAlone
from .endpoint import PERMUTE, endpoint_of

if TYPE_CHECKING:
    from .deadline import Deadline
    from .exchange import Client, Response

MOST_QUESTIONS = 64
"""How many questions the service takes in one request."""

MOST_OPTIONS = 255
"""How many options it takes for one question."""

REQUEST_LIMIT = 2 * 1024 * 1024
"""The longest body of a request that it takes unless told otherwise, in bytes."""


class HttpBackend:
    """A `DecisionBackend` that asks the service at `server` for the answers of `model`; threads may share one.

    `server` is a base address or the full one of the route.  `token` is sent as a bearer
    token, to this address only; neither the object nor an error shows it.  `breaker` says
    whether the service is asked at the moment.

    Raises:
        InvalidSettings: the address, the name of the model or the token cannot be used.
    """

    engine = "http"

    def __init__(self, server: str, *, model: str, token: str = "", breaker: Breaker | None = None) -> None:
        self._endpoint = endpoint_of(server, model, token)
        self._breaker = Breaker() if breaker is None else breaker
        self._permutes = True
        self._lock = Lock()
        self._client: Client | None = None

    def __repr__(self) -> str:
        """Return the address and the model, and nothing of the token."""
        return f"HttpBackend({self._endpoint.address!r}, model={self._endpoint.model!r})"

    @property
    def breaker(self) -> Breaker:
        """Whether the service is asked at the moment, and if not, why and for how long."""
        return self._breaker

    def answer(
        self, questions: tuple[Question, ...], state: str, deadline: float, *, average_orders: bool = False
    ) -> Answers:
        """Return an answer in range for every question, within `deadline` seconds.

        Raises:
            Unreachable: no connection, one that broke, or too many failures a moment ago.
            TimedOut: there was no whole answer in time.
            Refused: the service answered with another status than 200, or cannot be sent this.
            BadAnswer: its answer cannot be used.
        """
        from .deadline import Deadline  # kept off the path of a gate that decides offline

        if not deadline > 0:
            raise TimedOut("no time was left to ask the decision service; raise l1.timeout (--timeout)")
        self._loaded()
        limit = Deadline(deadline)
        body = self._body(questions, state)
        averaged = average_orders and any(isinstance(question, Choice) for question in questions)
        return self._read(self._guarded(body, limit, averaged=averaged), questions)

    def close(self) -> None:
        """End the connections that are kept for later questions; one that comes later makes a new one."""
        with self._lock:
            if self._client is not None:
                self._client.close()

    def __del__(self) -> None:
        """End the connections of a backend that is given up."""
        if getattr(self, "_client", None) is not None:
            self.close()

    def _loaded(self) -> None:
        """Load what the first call needs, which takes a while: the deadline is for the service."""
        from . import answers  # noqa: F401

        self._connected()

    def _body(self, questions: tuple[Question, ...], state: str) -> bytes:
        """Return the body of the request.

        Raises:
            Refused: the service would not take it.
        """
        from ...domain import strict_json

        why = _unaskable(questions)
        if why:
            raise Refused(f"the decision service was not asked: {why}")
        value = {"model": self._endpoint.model, "state": state, "questions": [_wire(one) for one in questions]}
        try:
            body = strict_json.write(value).encode()
        except UnicodeEncodeError:
            raise Refused("the decision service was not asked: the text is not UTF-8") from None
        if len(body) > REQUEST_LIMIT:
            raise Refused(
                f"the decision service was not asked: {len(body)} bytes are more than it takes ({REQUEST_LIMIT}); "
                "shorten the text or the options"
            )
        return body

    def _guarded(self, body: bytes, limit: Deadline, *, averaged: bool) -> Response:
        """Return the response with status 200, and tell the breaker what became of the call."""
        given = self._breaker.ask()
        if isinstance(given, LeftAlone):
            raise Unreachable(
                f"the decision service at {self._endpoint.address} has failed too often in a row and is not asked "
                f"(circuit breaker {given.state.value}, next try in {given.seconds:.1f} seconds); "
                f"the last failure: {given.reason}"
            )
        try:
            response = self._asked(body, limit, averaged=averaged)
            refused = self._refusal(response)
        except (Unreachable, TimedOut) as failed:
            self._breaker.failed(given, str(failed))
            raise
        except BackendError:  # something answered, and it was no use
            self._breaker.succeeded(given)
            raise
        except BaseException:
            self._breaker.dropped(given)
            raise
        if response.status >= 500:
            self._breaker.failed(given, str(refused))
        else:
            self._breaker.succeeded(given)
        if refused is not None:
            raise refused
        return response

    def _read(self, response: Response, questions: tuple[Question, ...]) -> Answers:
        from .answers import read_answers

        try:
            if response.encoding.lower() not in ("", "identity"):
                raise BadAnswer("its body is compressed, which was not asked for")
            answers = read_answers(response.body, questions)
        except BadAnswer as error:
            raise BadAnswer(
                f"the answer of the decision service at {self._endpoint.address} cannot be used: {error}; "
                "see whether l1.server (--server) names the service itself, and whether its version fits"
            ) from None
        return evolve(answers, model="") if self._endpoint.token_shows(answers.model) else answers

    def _asked(self, body: bytes, limit: Deadline, *, averaged: bool) -> Response:
        if not (averaged and self._permutes):
            return self._patiently(self._endpoint.path, body, limit)
        response = self._patiently(self._endpoint.path + PERMUTE, body, limit)
        if response.status not in (404, 405):
            return response
        response = self._patiently(self._endpoint.path, body, limit)
        if response.status == 200:  # else it may be that nothing is there at all
            self._permutes = False
        return response

    def _patiently(self, path: str, body: bytes, limit: Deadline) -> Response:
        """Return the response, or the one after the wait that a service asks for which is not ready."""
        request = self._endpoint.request(path, body)
        client = self._connected()
        response = client.exchange(request, limit)
        wait = seconds_to_wait(response.retry_after) if response.status == 503 else None
        if wait is None or wait >= limit.left:
            return response
        time.sleep(wait)
        return client.exchange(request, limit)

    def _refusal(self, response: Response) -> Refused | None:
        if response.status == 200:
            return None
        from .failures import refusal

        return refusal(response.status, response.body, self._endpoint, seconds_to_wait(response.retry_after))

    def _connected(self) -> Client:
        from .exchange import Client

        with self._lock:
            if self._client is None:
                self._client = Client(self._endpoint)
            return self._client


def seconds_to_wait(field: str, now: float | None = None) -> float | None:
    """Return what a Retry-After asks for: seconds, or a date (RFC 9110, 10.2.3); None for anything else.

    `now` is the time in seconds since the epoch, by default that of the system.
    """
    text = field.strip()
    if text.isascii() and text.isdigit():
        return float(text) if len(text) < 10 else None
    from datetime import UTC
    from email.utils import parsedate_to_datetime

    try:
        date = parsedate_to_datetime(text)
        if date.tzinfo is None:  # "-0000": UTC, of a sender who does not know where it is
            date = date.replace(tzinfo=UTC)
        return max(0.0, date.timestamp() - (time.time() if now is None else now))
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _unaskable(questions: tuple[Question, ...]) -> str:
    """Return why the service would refuse `questions`, or an empty text."""
    if not 0 < len(questions) <= MOST_QUESTIONS:
        return f"it takes 1 to {MOST_QUESTIONS} questions at a time, and these are {len(questions)}"
    ids = [question.id for question in questions]
    if not all(ids) or len(set(ids)) < len(ids):
        return "each question needs an id of its own"
    for question in questions:
        if isinstance(question, Choice) and not 0 < len(question.options) <= MOST_OPTIONS:
            return f"a choice has 1 to {MOST_OPTIONS} options, and {question.id!r} has {len(question.options)}"
    return ""


def _wire(question: Question) -> dict[str, Any]:
    """Return a question in the form of the service; its text is dropped there, or read by a later one."""
    text = {"instructions": question.text} if question.text else {}
    if isinstance(question, YesNo):
        return {"id": question.id, "type": "noul", "threshold": question.threshold, **text}
    if isinstance(question, Choice):
        return {"id": question.id, "type": "choice", "options": list(question.options), **text}
    return {"id": question.id, "type": "score", **text}
