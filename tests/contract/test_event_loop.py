"""A slow decision service holds up no event loop."""

from __future__ import annotations

import asyncio
from time import monotonic

import pytest
from decision_service import DecisionStub, answering

from phocinae import Decision, GateService, Settings, Verdict, build_gate

SLOW = 0.3
"""Seconds that the service takes for an answer."""
BEAT = 0.01


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
