"""A slow decision service holds up neither an event loop nor the other requests of a server."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from time import monotonic

import pytest
from decision_service import DecisionStub, answering
from decision_service.faults import hang

import isolation
from phocinae import Decision, GateService, Layer, Settings, Verdict, build_gate

SLOW = 0.3
"""Seconds that the service takes for an answer."""
BEAT = 0.01
CALLS, TIMEOUT = 24, 1.0


async def ticking(gate: GateService, calls: int) -> tuple[list[Verdict], list[float]]:
    """Return the verdicts of so many calls at once, and the gaps between the beats meanwhile."""
    gaps: list[float] = []

    async def tick() -> None:
        last = monotonic()
        while True:
            await asyncio.sleep(BEAT)
            gaps.append(monotonic() - last)
            last = monotonic()

    ticker = asyncio.create_task(tick())
    await asyncio.sleep(0)
    verdicts = await asyncio.gather(*(gate.adecide(f"npm install pad-{number}") for number in range(calls)))
    ticker.cancel()
    return verdicts, gaps


@pytest.mark.parametrize("calls", [1, 8])
def test_a_ticker_goes_on_while_the_service_is_asked(calls: int) -> None:
    with DecisionStub(answering(delay=SLOW, noul=0.95, score=2)) as stub:
        gate = build_gate(Settings(l1_enabled=True, server=stub.url, timeout=20.0, audit=False))
        worst = []
        for _attempt in range(3):  # a machine that does something else meanwhile is no fault of ours
            verdicts, gaps = asyncio.run(ticking(gate, calls))
            assert {verdict.decision for verdict in verdicts} == {Decision.ALLOW}
            worst.append(max(gaps))
    print(f"worst gap of a {BEAT * 1000:.0f} ms ticker under {calls} calls: {min(worst) * 1000:.1f} ms")
    assert min(worst) < SLOW / 3  # held up by a call, one gap would be as long as the call


def test_of_many_calls_at_once_none_outlasts_its_deadline() -> None:
    async def late(gate: GateService) -> float:
        start = monotonic()
        verdict = await gate.adecide("npm install pad")
        assert (verdict.decision, verdict.layer) == (Decision.DENY, Layer.FAIL_CLOSED)
        return monotonic() - start

    async def all_late(gate: GateService) -> list[float]:
        return await asyncio.gather(*(late(gate) for _ in range(CALLS)))

    slowest = []
    for _attempt in range(3):
        with DecisionStub(hang) as stub:
            gate = build_gate(Settings(l1_enabled=True, server=stub.url, timeout=TIMEOUT, audit=False))
            slowest.append(max(asyncio.run(all_late(gate))))
    print(f"slowest of {CALLS} calls with a deadline of {TIMEOUT} s: {min(slowest):.2f} s")
    assert min(slowest) < TIMEOUT + 0.3  # with a turn to wait for, it would be twice the deadline


def test_a_server_goes_on_while_the_service_hangs_for_one_of_its_calls() -> None:
    """The answer to a later request comes first; that to the command is a denial, and the server lives."""
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    call = {"name": "gate", "arguments": {"command": "npm install left-pad"}, "_meta": meta}
    requests = [("tools/call", call), ("tools/list", {"_meta": meta})]
    with DecisionStub(hang) as stub:
        server = subprocess.Popen(
            [isolation.PROGRAM, "serve", "--l1-enabled", "--server", stub.url, "--timeout", "1.5"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PHOCINAE_AUDIT": "false"},
        )
        with server:
            assert server.stdin
            assert server.stdout
            for number, (method, params) in enumerate(requests):
                request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
                print(json.dumps(request), file=server.stdin, flush=True)
            answers = [json.loads(server.stdout.readline()) for _ in requests]
            server.stdin.close()
    assert [answer["id"] for answer in answers] == [1, 0]
    verdict = answers[1]["result"]["structuredContent"]
    assert (verdict["decision"], verdict["layer"]) == ("deny", "fail_closed")
    assert "within 1.5 seconds" in verdict["reason"]
    assert server.returncode == 0
