"""Async handlers share one loop, and can be cancelled."""

from __future__ import annotations

import asyncio
from concurrent.futures import CancelledError

import pytest

from phocinae.adapters.transports.event_loop import LoopThread


async def loop_of() -> int:
    return id(asyncio.get_running_loop())


def test_coroutines_run_on_one_loop() -> None:
    loop = LoopThread()
    assert loop.start(loop_of()).result(20) == loop.start(loop_of()).result(20)


def test_what_a_coroutine_raises_comes_back() -> None:
    async def broken() -> None:
        raise LookupError

    with pytest.raises(LookupError):
        LoopThread().start(broken()).result(20)


def test_cancelling_what_is_returned_cancels_the_coroutine() -> None:
    loop, begun, ended = LoopThread(), asyncio.Event(), []

    async def long() -> None:
        begun.set()
        try:
            await asyncio.sleep(600)
        finally:
            ended.append(True)

    async def wait() -> None:
        await begun.wait()

    future = loop.start(long())
    loop.start(wait()).result(20)
    future.cancel()
    with pytest.raises(CancelledError):
        future.result(20)
    loop.start(loop_of()).result(20)  # one more turn of the loop
    assert ended == [True]
