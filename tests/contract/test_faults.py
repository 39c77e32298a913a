"""Whatever the decision service does wrong: the gate denies in time with a true reason, the others fail clearly."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from collections.abc import Iterator

import pytest
from decision_service import DecisionStub, Received, Reply, good
from decision_service.faults import FAULTS, MILD, PROXIES, STRICT, Fault, mild

import faults
import isolation
from phocinae import Decision, Layer, Settings, build_gate

TIMEOUT = 0.3
"""Seconds for a fault that only the deadline ends."""
AMPLE = 20.0
"""Seconds that no other fault needs, on a machine however busy."""
ANSWERING = [fault for fault in FAULTS if fault.script and not fault.resolver and not fault.environment]
"""The faults of one answer of a service that is there."""


def named(fault: Fault) -> str:
    return fault.name.replace(" ", "-")


@pytest.mark.parametrize("call", faults.ARGUMENTS)
@pytest.mark.parametrize("fault", FAULTS, ids=named)
def test_a_fault_is_told_in_time_and_never_allows(fault: Fault, call: str) -> None:
    timeout = TIMEOUT if fault.late else AMPLE
    for _attempt in range(5):  # a machine that does something else meanwhile is no fault of ours
        outcome = faults.ask(fault, call, timeout)
        assert outcome.problems() == [], outcome.reason
        if outcome.seconds <= timeout + faults.GRACE:
            return
    pytest.fail(f"it took {outcome.seconds:.3f} s with a timeout of {timeout} s")


@pytest.mark.parametrize("call", faults.ARGUMENTS)
@pytest.mark.parametrize(
    "fault",
    [
        fault
        for fault in FAULTS
        if fault.name in ("refused", "DNS hang", "drip in body", "500 text", "NaN as answer", "proxy variables")
    ],
    ids=named,
)
def test_the_command_line_says_so_and_ends(fault: Fault, call: str) -> None:
    outcome = faults.ask_process(fault, call, 1.0 if fault.late else AMPLE)
    assert outcome.problems() == [], outcome.reason


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
@pytest.mark.parametrize("more", [{}, {"no_proxy": ""}, {"NO_PROXY": "*", "REQUEST_METHOD": "POST"}], ids=str)
def test_proxy_variables_change_nothing(host: str, more: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (*PROXIES, *more.items()):
        monkeypatch.setenv(name, value)
    with DecisionStub(mild, host="127.0.0.1" if host == "localhost" else host) as stub:
        server = stub.url.replace("127.0.0.1", host)
        gate = build_gate(Settings(l1_enabled=True, server=server, timeout=AMPLE, audit=False))
        verdict = gate.decide(faults.COMMAND)
        assert (verdict.decision, verdict.layer) == (Decision.ALLOW, Layer.L1)
        (received,) = stub.received
    assert received.path == "/v1/systemone"  # a proxy would be sent the whole address
    assert received.headers["host"] == server.removeprefix("http://")


@pytest.mark.parametrize("idle", [0.0, 0.05])
@pytest.mark.parametrize("chunked", [False, True])
def test_what_a_service_sends_unasked_is_no_answer_to_the_next_command(idle: float, chunked: bool) -> None:
    """A second answer behind the first, at once or a little later, would else be taken for that of another command."""
    sent = threading.Semaphore(0)

    def twice(received: Received) -> Iterator[bytes | float]:
        denied, allowed = (good(received, **figures, chunked=chunked).pieces for figures in (STRICT, MILD))
        try:
            yield from denied
            yield idle
            yield from allowed
        finally:  # the client may have closed the connection meanwhile
            sent.release()

    with DecisionStub(lambda received: Reply(pieces=twice(received), status=200)) as stub:
        gate = build_gate(Settings(l1_enabled=True, server=stub.url, timeout=AMPLE, audit=False))
        for number in range(5):
            assert gate.decide(f"{faults.COMMAND}-{number}").decision is Decision.DENY
            assert sent.acquire(timeout=20)


def test_one_process_outlives_all_faults_and_carries_nothing_from_one_into_the_next() -> None:
    """Every fault is followed by a good answer, which must be that of its own command, and an allow."""
    lines = [f"npm install {kind}{place}" for place in range(len(ANSWERING)) for kind in ("fault", "good")]

    def script(received: Received) -> Reply:
        place = received.state.partition("npm install fault")[2].partition('"')[0]
        chosen = ANSWERING[int(place)].script if place else mild
        assert chosen
        return chosen(received)

    with DecisionStub(script) as stub:
        done = subprocess.run(
            [
                *(isolation.PROGRAM, "gate", "--batch"),
                *("--l1-enabled", "--server", stub.url, "--timeout", "1"),
            ],
            input="".join(json.dumps({"command": line}) + "\n" for line in lines),
            capture_output=True,
            text=True,
            env=os.environ | {"PHOCINAE_AUDIT": "false"},
            timeout=100,
            check=False,
        )
    verdicts = [json.loads(line)["decision"] for line in done.stdout.splitlines()]
    assert dict(zip(lines, verdicts, strict=True)) == {line: "deny" if "fault" in line else "allow" for line in lines}
    assert (done.returncode, done.stderr) == (0, "")
