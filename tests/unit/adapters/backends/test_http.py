"""The HTTP backend over real sockets: what is sent, what is sent again, what a failure says and how long it takes."""

from __future__ import annotations

import contextlib
import email.utils
import gc
import hashlib
import json
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from decision_service import DecisionStub, Received, Reply, Script, answering, body_of, good, in_turn, json_reply, plain
from decision_service.faults import FAULTS, Fault, early_close, hang, mild, refusing, reset_in_body
from decision_service.replies import End, answer

from phocinae.adapters.backends.breaker import FAILURES, Breaker, State
from phocinae.adapters.backends.http import (
    MOST_OPTIONS,
    MOST_QUESTIONS,
    REQUEST_LIMIT,
    HttpBackend,
    seconds_to_wait,
)
from phocinae.domain.l1 import QUESTIONS
from phocinae.domain.questions import Choice, ChoiceAnswer, Question, Score, ScoreAnswer, Usage, YesNo, YesNoAnswer
from phocinae.errors import BackendError, BadAnswer, InvalidSettings, Refused, TimedOut, Unreachable

MODEL = "Phocinae-Largha-150M-v1"
TOKEN = "t0ken-of-the-service"
ENOUGH = 20.0
"""A deadline, in seconds, that no test waits for."""
CHOICE: tuple[Question, ...] = (Choice("c", ("x", "y", "z")),)
LOOKED_UP = socket.getaddrinfo


@pytest.fixture
def stub() -> Iterator[DecisionStub]:
    with DecisionStub(answering(noul=0.66, score=7, choice=2)) as running:
        yield running


def backend(url: str, **others: Any) -> HttpBackend:
    return HttpBackend(url, model=MODEL, **others)


def test_questions_go_out_and_answers_come_back(stub: DecisionStub) -> None:
    questions = (YesNo("a", threshold=0.6, text="It is safe."), Score("b"), *CHOICE)
    found = backend(stub.url).answer(questions, "is it safe? \N{SNOWMAN}", ENOUGH)
    assert found.by_id == {"a": YesNoAnswer(0.66), "b": ScoreAnswer(7), "c": ChoiceAnswer(2)}
    assert (found.model, found.usage) == (MODEL, Usage(42, 0))
    assert found.confidence == {"a": 0.66, "b": 0.7, "c": 0.7}
    (sent,) = stub.received
    assert (sent.method, sent.path) == ("POST", "/v1/systemone")
    assert sent.json == {
        "model": MODEL,
        "state": "is it safe? \N{SNOWMAN}",
        "questions": [
            {"id": "a", "type": "noul", "threshold": 0.6, "instructions": "It is safe."},
            {"id": "b", "type": "score"},
            {"id": "c", "type": "choice", "options": ["x", "y", "z"]},
        ],
    }
    assert sent.headers["host"] == f"127.0.0.1:{stub.port}"
    assert "authorization" not in sent.headers


@pytest.mark.parametrize("path", ["", "/", "/v1/systemone", "/v1/systemone/"])
def test_the_address_is_a_base_or_the_route_itself(stub: DecisionStub, path: str) -> None:
    backend(stub.url + path).answer(QUESTIONS, "s", ENOUGH)
    assert stub.received[0].path == "/v1/systemone"


def test_the_address_may_be_of_version_6() -> None:
    with DecisionStub(host="::1") as stub:
        backend(stub.url).answer(QUESTIONS, "s", ENOUGH)
        assert stub.received[0].headers["host"] == f"[::1]:{stub.port}"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_name_of_two_families_is_asked_where_it_answers(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def both(name: str, port: int, **options: Any) -> Any:
        if name != "service.test":
            return LOOKED_UP(name, port, **options)
        if options.get("flags"):
            raise socket.gaierror(socket.EAI_NONAME, "no address in figures")
        return LOOKED_UP("::1", port, **options) + LOOKED_UP("127.0.0.1", port, **options)

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with DecisionStub(host=host) as stub:
        backend(f"http://service.test:{stub.port}").answer(QUESTIONS, "s", ENOUGH)
        assert stub.received[0].headers["host"] == f"service.test:{stub.port}"


@pytest.mark.parametrize("token", [TOKEN, ""])
def test_a_token_is_sent_and_never_shown(token: str) -> None:
    def echo(received: Received) -> Reply:
        return answer(body_of(received) | {"model": received.headers.get("authorization", MODEL)})

    with DecisionStub(in_turn(echo, lambda r: json_reply(400, {"detail": r.headers.get("authorization")}))) as stub:
        asked = backend(stub.url, token=token)
        assert asked.answer(QUESTIONS, "s", ENOUGH).model == ("" if token else MODEL)
        with pytest.raises(Refused) as caught:
            asked.answer(QUESTIONS, "s", ENOUGH)
    sent = [one.headers.get("authorization") for one in stub.received]
    assert sent == [f"Bearer {token}" if token else None] * 2
    assert TOKEN not in repr(asked) + str(caught.value) + repr(caught.value)


@pytest.mark.parametrize("token", ["a b", "a\r\nX: y", "t\N{SNOWMAN}", "\x00", "line\n", "x" * 5000])
def test_a_token_that_is_no_header_value_is_refused_when_the_backend_is_built(token: str) -> None:
    with pytest.raises(InvalidSettings, match="PHOCINAE_TOKEN") as caught:
        backend("http://127.0.0.1:8155", token=token)
    assert token not in str(caught.value)


@pytest.mark.parametrize(
    ("server", "model"),
    [("", MODEL), ("127.0.0.1:8155", MODEL), ("http://u:p@h", MODEL), ("http://h/\r\nX:y", MODEL), ("http://h", "")],
)
def test_an_address_that_cannot_be_used_is_refused_when_the_backend_is_built(server: str, model: str) -> None:
    with pytest.raises(InvalidSettings, match="l1"):
        HttpBackend(server, model=model)


@pytest.mark.parametrize("questions", [QUESTIONS, CHOICE], ids=["gate", "choice"])
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_every_fault_ends_in_time_with_an_error_that_says_why(
    fault: Fault, questions: tuple[Question, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in fault.environment:
        monkeypatch.setenv(name, value)
    released = threading.Event()
    if fault.resolver:
        monkeypatch.setattr(socket, "getaddrinfo", resolving_until(released))
    timeout = 0.3 if fault.late else ENOUGH
    with fault.service() as url:
        asked = backend(url, token=TOKEN)
        start = time.monotonic()
        if fault.answers:
            assert asked.answer(questions, "s", timeout).by_id
        else:
            with pytest.raises(BackendError) as caught:
                asked.answer(questions, "s", timeout)
            assert isinstance(caught.value, TimedOut) == fault.late
            assert any(word in str(caught.value) for word in fault.words), caught.value
            assert url in str(caught.value)
            assert TOKEN not in str(caught.value)
        assert time.monotonic() - start < timeout + 2  # what a busy machine takes is no fault
        asked.close()
    released.set()


def resolving_until(released: threading.Event) -> Any:
    def resolve(*arguments: Any, **options: Any) -> Any:
        if options.get("flags") != socket.AI_NUMERICHOST:
            released.wait(60)
        return LOOKED_UP(*arguments, **options)

    return resolve


def test_a_compressed_answer_is_none() -> None:
    def compressed(_received: Received) -> Reply:
        return plain(200, b"\x1f\x8b", "Content-Encoding: gzip")

    with DecisionStub(compressed) as stub, pytest.raises(BadAnswer, match="compressed"):
        backend(stub.url).answer(QUESTIONS, "s", ENOUGH)


def test_a_connection_is_kept_for_the_next_question(stub: DecisionStub) -> None:
    asked = backend(stub.url)
    for _ in range(3):
        asked.answer(QUESTIONS, "s", ENOUGH)
    assert (len(stub.received), stub.connections) == (3, 1)
    asked.close()
    asked.answer(QUESTIONS, "s", ENOUGH)
    assert stub.connections == 2


@pytest.mark.parametrize("chunked", [False, True])
def test_a_connection_that_is_to_be_closed_is_not_kept(chunked: bool) -> None:
    with DecisionStub(lambda received: good(received, chunked=chunked, end=End.CLOSE)) as stub:
        asked = backend(stub.url)
        for _ in range(3):
            asked.answer(QUESTIONS, "s", ENOUGH)
    assert stub.connections == 3


def test_a_service_that_was_started_again_is_asked_over_a_new_connection(stub: DecisionStub) -> None:
    asked = backend(stub.url)
    for _ in range(3):
        asked.answer(QUESTIONS, "s", ENOUGH)
        stub.restart()
    assert len(stub.received) == 3


def test_a_kept_connection_that_breaks_before_anything_came_is_replaced_once() -> None:
    with DecisionStub(in_turn(mild, early_close, mild)) as stub:
        asked = backend(stub.url)
        asked.answer(QUESTIONS, "s", ENOUGH)
        asked.answer(QUESTIONS, "s", ENOUGH)
        assert (len(stub.received), stub.connections) == (3, 2)
    with DecisionStub(in_turn(mild, early_close, early_close, mild)) as stub:
        asked = backend(stub.url)
        asked.answer(QUESTIONS, "s", ENOUGH)
        with pytest.raises(Unreachable):
            asked.answer(QUESTIONS, "s", ENOUGH)
        assert len(stub.received) == 3


@pytest.mark.parametrize("fault", [early_close, reset_in_body, lambda _: json_reply(500, {}), hang])
def test_nothing_else_is_sent_again(fault: Script) -> None:
    for kept in (False, True):
        with DecisionStub(in_turn(*([mild] * kept), fault, mild)) as stub:
            asked = backend(stub.url)
            if kept:
                asked.answer(QUESTIONS, "s", ENOUGH)
            if kept and fault is early_close:
                continue
            with pytest.raises(BackendError):
                asked.answer(QUESTIONS, "s", 0.3 if fault is hang else ENOUGH)
            assert len(stub.received) == 1 + kept


def test_when_a_kept_connection_is_dead_the_others_are_not_waited_for() -> None:
    with DecisionStub(lambda received: good(received, delay=0.3)) as stub:
        asked = backend(stub.url)
        threads = [threading.Thread(target=asked.answer, args=(QUESTIONS, "s", ENOUGH)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept, stub.script = stub.connections, in_turn(hang, mild)
        with pytest.raises(TimedOut):
            asked.answer(QUESTIONS, "s", 0.2)
        asked.answer(QUESTIONS, "s", ENOUGH)
        assert stub.connections == kept + 1


def test_an_answer_that_nobody_asked_for_is_never_taken_for_the_next_one() -> None:
    def twice(received: Received) -> Reply:
        first, second = good(received, noul=0.1, score=9), good(received, noul=0.95, score=2)
        return Reply(pieces=(b"".join(p for p in (*first.pieces, *second.pieces) if isinstance(p, bytes)),))

    with DecisionStub(twice) as stub:
        asked = backend(stub.url)
        for _ in range(3):
            assert asked.answer(QUESTIONS, "s", ENOUGH).by_id["risk"] == ScoreAnswer(9)


FORKING = """
import os, sys
from phocinae.adapters.backends.http import HttpBackend
from phocinae.domain.questions import Score
asked = HttpBackend(sys.argv[1], model="m")
def ask(state):
    assert asked.answer((Score("n"),), state, 20.0).by_id
ask("parent")
child = os.fork()
if not child:
    ask("child")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
ask("parent")
"""


def test_a_forked_process_asks_over_a_connection_of_its_own(stub: DecisionStub) -> None:
    done = subprocess.run([sys.executable, "-I", "-c", FORKING, stub.url], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")  # nor does a backend say anything when the program ends
    assert [(one.state, one.connection) for one in stub.received] == [("parent", 1), ("child", 2), ("parent", 1)]


LIGHT = """
import sys
from phocinae.adapters.backends.http import HttpBackend
HttpBackend("https://h", model="m", token="t").close()
print(*sorted({"asyncio", "cattrs", "email", "http", "logging", "socket", "ssl", "urllib"} & set(sys.modules)))
"""


def test_a_backend_that_is_never_asked_loads_nothing_of_the_network() -> None:
    done = subprocess.run([sys.executable, "-I", "-c", LIGHT], capture_output=True, timeout=60, check=True)
    assert done.stdout.split() == []


def test_after_503_one_more_try_is_made_when_the_wait_fits() -> None:
    soon = email.utils.formatdate(time.time() - 5, usegmt=True)
    for field in ("0", "1", soon):
        with DecisionStub(in_turn(unready(field), mild)) as stub:
            assert backend(stub.url).answer(QUESTIONS, "s", ENOUGH).by_id["risk"] == ScoreAnswer(2)
            assert len(stub.received) == 2
    for field in ("20", "-1", "999999999999", "soon", email.utils.formatdate(time.time() + 90, usegmt=True)):
        with DecisionStub(in_turn(unready(field), mild)) as stub:
            with pytest.raises(Refused, match="503"):
                backend(stub.url).answer(QUESTIONS, "s", ENOUGH)
            assert len(stub.received) == 1
    with DecisionStub(in_turn(unready("0"), unready("0"), mild)) as stub:
        with pytest.raises(Refused, match="model_loaded"):
            backend(stub.url).answer(QUESTIONS, "s", ENOUGH)
        assert len(stub.received) == 2


def unready(field: str) -> Script:
    return lambda _received: json_reply(503, {"detail": "model is loading"}, f"Retry-After: {field}")


@pytest.mark.parametrize(
    ("field", "seconds"),
    [
        ("0", 0.0),
        (" 7 ", 7.0),
        ("Thu, 01 Jan 1970 00:02:00 GMT", 20.0),
        ("Thu, 01 Jan 1970 00:02:00 -0000", 20.0),
        ("Thu, 01 Jan 1970 00:01:00 GMT", 0.0),
        ("", None),
        ("-1", None),
        ("1.5", None),
        ("nan", None),
        ("9" * 400, None),
        ("Thu, 99 Jan 1970", None),
        ("Thu, 01 Jan 99999 00:00:00 GMT", None),
        ("\u0663", None),
    ],
)
def test_the_wait_is_seconds_or_a_date(field: str, seconds: float | None) -> None:
    assert seconds_to_wait(field, now=100.0) == seconds


def test_orders_are_averaged_where_the_service_offers_it(stub: DecisionStub) -> None:
    asked = backend(stub.url)
    asked.answer(CHOICE, "s", ENOUGH, average_orders=True)
    asked.answer(CHOICE, "s", ENOUGH)
    asked.answer(QUESTIONS, "s", ENOUGH, average_orders=True)  # no options, so no order of them
    assert [one.path for one in stub.received] == ["/v1/systemone/permute", "/v1/systemone", "/v1/systemone"]


@pytest.mark.parametrize("status", [404, 405])
def test_a_service_that_does_not_average_is_asked_the_plain_way_from_then_on(status: int) -> None:
    def plain_only(received: Received) -> Reply:
        return json_reply(status, {}) if received.path.endswith("/permute") else good(received, choice=1)

    with DecisionStub(plain_only) as stub:
        asked = backend(stub.url)
        for _ in range(2):
            assert asked.answer(CHOICE, "s", ENOUGH, average_orders=True).by_id["c"] == ChoiceAnswer(1)
    assert [one.path for one in stub.received] == ["/v1/systemone/permute", "/v1/systemone", "/v1/systemone"]


def test_a_wrong_service_is_not_remembered_as_one_that_does_not_average() -> None:
    nothing = [lambda _received: json_reply(404, {})] * 2
    with DecisionStub(in_turn(*nothing, mild)) as stub:
        asked = backend(stub.url)
        with pytest.raises(Refused, match="404"):
            asked.answer(CHOICE, "s", ENOUGH, average_orders=True)
        asked.answer(CHOICE, "s", ENOUGH, average_orders=True)
    assert stub.received[-1].path == "/v1/systemone/permute"


@pytest.mark.parametrize(
    ("questions", "state", "why"),
    [
        ((), "s", "questions"),
        (tuple(Score(f"q{number}") for number in range(MOST_QUESTIONS + 1)), "s", "questions"),
        ((Score("a"), Score("a")), "s", "id of its own"),
        ((Score(""),), "s", "id of its own"),
        ((Choice("c", ()),), "s", "options"),
        ((Choice("c", ("x",) * (MOST_OPTIONS + 1)),), "s", "options"),
        (QUESTIONS, "x" * REQUEST_LIMIT, "bytes"),
        (QUESTIONS, "\ud800", "UTF-8"),
    ],
)
def test_what_the_service_would_not_take_is_not_sent(
    stub: DecisionStub, questions: tuple[Question, ...], state: str, why: str
) -> None:
    asked = backend(stub.url)
    for _ in range(FAILURES + 1):
        with pytest.raises(Refused, match=why):
            asked.answer(questions, state, ENOUGH)
    assert (stub.connections, asked.breaker.state) == (0, State.CLOSED)


@pytest.mark.parametrize("deadline", [0.0, -1.0, float("nan")])
def test_without_time_nothing_is_asked(stub: DecisionStub, deadline: float) -> None:
    with pytest.raises(TimedOut, match="timeout"):
        backend(stub.url).answer(QUESTIONS, "s", deadline)
    assert stub.connections == 0


@pytest.mark.parametrize("deadline", [1e-9, 1e300, float("inf")])
def test_any_other_number_is_a_deadline(stub: DecisionStub, deadline: float) -> None:
    if deadline < 1:
        with pytest.raises(TimedOut):
            backend(stub.url).answer(QUESTIONS, "s", deadline)
    else:
        assert backend(stub.url).answer(QUESTIONS, "s", deadline).by_id


def test_after_failures_in_a_row_callers_are_told_at_once_and_one_probes() -> None:
    with refusing() as url:
        asked = backend(url, breaker=Breaker(pause=60))
        for _ in range(FAILURES):
            with pytest.raises(Unreachable, match="refused"):
                asked.answer(QUESTIONS, "s", ENOUGH)
        assert asked.breaker.state is State.OPEN
        with pytest.raises(Unreachable, match=r"circuit breaker open, .* the last failure: .*refused"):
            asked.answer(QUESTIONS, "s", ENOUGH)


def test_the_first_answer_after_the_pause_closes_the_breaker() -> None:
    fail: list[Script] = [lambda _received: json_reply(500, {})] * FAILURES
    with DecisionStub(in_turn(*fail, mild)) as stub:
        now = [0.0]
        asked = backend(stub.url, breaker=Breaker(pause=2.0, clock=lambda: now[0]))
        for _ in range(FAILURES):
            with pytest.raises(Refused, match="500"):
                asked.answer(QUESTIONS, "s", ENOUGH)
        assert asked.breaker.retry_in == 2.0
        now[0] = 2.0
        asked.answer(QUESTIONS, "s", ENOUGH)
        assert (asked.breaker.state, asked.breaker.reason) == (State.CLOSED, "")


@pytest.mark.parametrize(
    "script",
    [lambda _: json_reply(422, {"detail": "x"}), lambda _: json_reply(200, {}), lambda _: json_reply(307, {})],
)
def test_what_is_no_failure_of_the_service_does_not_open_the_breaker(script: Script) -> None:
    with DecisionStub(script) as stub:
        asked = backend(stub.url)
        for _ in range(FAILURES + 1):
            with pytest.raises((Refused, BadAnswer)):
                asked.answer(QUESTIONS, "s", ENOUGH)
        assert (asked.breaker.state, len(stub.received)) == (State.CLOSED, FAILURES + 1)


def test_many_threads_get_the_answers_to_their_own_questions() -> None:
    def echo(received: Received) -> Reply:
        return good(received, score=2 + int(received.state) % 9)

    with DecisionStub(echo) as stub:
        asked = backend(stub.url)
        wrong: list[object] = []

        def call(first: int) -> None:
            for number in range(first, first + 25):
                found = asked.answer((Score("n"),), str(number), ENOUGH).by_id["n"]
                if found != ScoreAnswer(2 + number % 9):
                    wrong.append((number, found))

        threads = [threading.Thread(target=call, args=(100 * place,)) for place in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert len(stub.received) == 200
    assert stub.connections <= 200 / 2


def test_a_backend_that_is_given_up_leaves_no_connection_open(stub: DecisionStub) -> None:
    backend(stub.url).answer(QUESTIONS, "s", ENOUGH)
    gc.collect()  # a socket that is found open here is an error (pytest, filterwarnings)
    stub.stop()


def encrypted(listener: socket.socket, certificate: Path) -> threading.Thread:
    """Start to answer one question over each encrypted connection, of two."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    body = json.dumps({"answers": {"n": 4}}).encode()

    def serve() -> None:
        for _ in range(2):
            raw, _address = listener.accept()
            with raw, contextlib.suppress(OSError), context.wrap_socket(raw, server_side=True) as peer:
                received = peer.recv(65_536)
                while not received.endswith(b"}"):
                    received += peer.recv(65_536)
                peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body) + body)

    thread = threading.Thread(target=serve)
    thread.start()
    return thread


def test_an_encrypted_service_is_asked_if_the_system_trusts_it(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = tmp_path / "keys"
    monkeypatch.setenv("SSLKEYLOGFILE", str(keys))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = encrypted(listener, certificate)
        url = f"https://127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(Unreachable, match=r"certificate .* is not trusted \(self.signed certificate\)"):
            backend(url, token=TOKEN).answer((Score("n"),), "s", ENOUGH)
        system = ssl.get_default_verify_paths()._replace(openssl_cafile=str(certificate))
        monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: system)
        trusting = backend(url, token=TOKEN)
        assert trusting.answer((Score("n"),), "s", ENOUGH).by_id == {"n": ScoreAnswer(4)}
        trusting.close()
        thread.join()
    assert not keys.exists()


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "SSL_CERT_DIR"])
def test_whom_the_environment_adds_is_not_trusted(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    subject = x509.load_pem_x509_certificate(certificate.read_bytes()).subject.public_bytes()
    # the name under which OpenSSL looks for a certificate in a folder; of this subject each part is canonical
    hashed = int.from_bytes(hashlib.sha1(subject[2:], usedforsecurity=False).digest()[:4], "little")
    file = tmp_path / f"{hashed:08x}.0"
    file.write_bytes(certificate.read_bytes())
    monkeypatch.setenv(name, str(file if name == "SSL_CERT_FILE" else tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = encrypted(listener, certificate)
        with (
            socket.create_connection(listener.getsockname()) as raw,
            ssl.create_default_context().wrap_socket(raw, server_hostname="127.0.0.1") as follows,
        ):
            follows.sendall(b"{}")
            assert follows.recv(4) == b"HTTP"
        with pytest.raises(Unreachable, match=r"is not trusted .* the environment names are not used"):
            backend(f"https://127.0.0.1:{listener.getsockname()[1]}").answer((Score("n"),), "s", ENOUGH)
        thread.join()


def test_a_service_that_waits_for_plain_http_is_said_to_make_no_handshake() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(TimedOut, match=r"accepts connections, but no TLS handshake .* give http in l1.server"):
            backend(url).answer(QUESTIONS, "s", 0.3)


@pytest.mark.parametrize(
    "head",
    [
        "HTTP/1.1 200 OK\r\nContent-Length: {0}\r\nTransfer-Encoding: chunked",
        "HTTP/1.1 200 OK\r\nContent-Length: {0}\r\nContent-Length: 2",
        "HTTP/0.9 200 OK\r\nContent-Length: {0}",
    ],
)
def test_a_good_answer_in_a_frame_that_contradicts_itself_is_not_used(stub: DecisionStub, head: str) -> None:
    def script(received: Received) -> Reply:
        body = json.dumps(body_of(received)).encode()
        return Reply(pieces=(head.format(len(body)).encode() + b"\r\n\r\n" + body,), status=200, end=End.CLOSE)

    stub.script = script
    with pytest.raises(BadAnswer, match=r"end is in doubt|does not speak HTTP/1\.1"):
        backend(stub.url).answer(QUESTIONS, "s", ENOUGH)


def test_a_service_without_encryption_is_not_asked_over_https(stub: DecisionStub) -> None:
    # the hello of the client is random: the service takes it for a request, or waits for the end of a line
    with pytest.raises((Unreachable, TimedOut), match="speaks https"):
        backend(stub.url.replace("http", "https")).answer(QUESTIONS, "s", 2.0)


LOADS = """
import json, sys
from phocinae.adapters.backends import deadline, http
from phocinae.domain.l1 import QUESTIONS
from phocinae.errors import BackendError
begun = []
class Noted(deadline.Deadline):
    def __init__(self, *arguments):
        begun.append(set(sys.modules))
        super().__init__(*arguments)
deadline.Deadline = Noted
backend = http.HttpBackend(sys.argv[1], model="m")
try:
    backend.answer(QUESTIONS, "s", 20.0)
except BackendError as error:
    assert sys.argv[2] not in ("", str(error))
else:
    assert not sys.argv[2]
print(json.dumps(sorted(set(sys.modules) - begun[0])))
"""


@pytest.mark.parametrize("server", ["", "http://127.0.0.1:9", "https://127.0.0.1:9"])
def test_nothing_of_weight_is_loaded_while_the_clock_runs(stub: DecisionStub, server: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADS, server or stub.url, "fails" if server else ""],
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    weighty = ("phocinae", "cattrs", "http", "email", "ssl", "attr", "typing", "json", "concurrent")
    assert [one for one in json.loads(done.stdout) if one.partition(".")[0].startswith(weighty)] == []
