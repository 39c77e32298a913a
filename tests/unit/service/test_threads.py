"""Calls that wait do not wait for each other, and nothing of them gets lost."""

from __future__ import annotations

import asyncio
import contextvars
import threading

import pytest

from phocinae.service.threads import NoThread, in_thread

NAME: contextvars.ContextVar[str] = contextvars.ContextVar("NAME", default="")


def test_what_a_call_returns_and_raises_comes_back() -> None:
    async def asked() -> list[object]:
        NAME.set("of the caller")
        found: list[object] = [await in_thread(NAME.get), await in_thread(threading.get_ident), await in_thread(str)]
        for failure in (ValueError, SystemExit, GeneratorExit):
            with pytest.raises(failure):
                await in_thread(lambda failure=failure: raising(failure()))  # type: ignore[misc]
        return found

    name, ident, empty = asyncio.run(asked())
    assert (name, empty) == ("of the caller", "")
    assert ident != threading.get_ident()


def raising(error: BaseException) -> None:
    raise error


def test_a_hundred_calls_wait_at_once() -> None:
    together = threading.Barrier(100, timeout=60)

    async def asked() -> set[int]:
        return set(await asyncio.gather(*(in_thread(together.wait) for _ in range(100))))

    assert asyncio.run(asked()) == set(range(100))


@pytest.mark.parametrize("closed", [False, True])
def test_a_call_whose_caller_has_gone_is_made_to_its_end(closed: bool, capfd: pytest.CaptureFixture[str]) -> None:
    go, done = threading.Event(), threading.Event()

    def call() -> None:
        go.wait(60)
        done.set()

    async def asked() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(in_thread(call), 0.01)
        if not closed:
            go.set()
            while any(one.name == "phocinae-decision" for one in threading.enumerate()):
                await asyncio.sleep(0.01)

    asyncio.run(asked())
    go.set()
    assert done.wait(60)
    for thread in threading.enumerate():
        if thread.name == "phocinae-decision":
            assert not thread.daemon
            thread.join(60)
    assert capfd.readouterr().err == ""


def test_without_another_thread_the_call_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_self: object) -> None:
        raise RuntimeError("can't start new thread")

    made: list[int] = []

    async def asked() -> None:
        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", start)
            with pytest.raises(NoThread):
                await in_thread(lambda: made.append(1))

    asyncio.run(asked())
    assert made == []
