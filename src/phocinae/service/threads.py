"""A thread of its own for a call that may have to wait, without holding up an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


class NoThread(Exception):
    """The system gives no more threads; the call was not made."""


async def in_thread(call: Callable[[], T]) -> T:
    """Return what `call` returns, or raise what it raises.

    Each call has a thread of its own, because the pool behind `asyncio.to_thread` has a few
    only: behind calls that wait for a service, the others would wait for their turn with
    no deadline running.  A program that ends waits for the call, which is made to its end
    also where the caller was cancelled.

    Raises:
        NoThread: there is no thread for it.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():  # the caller was cancelled
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # None is what the call returned

    def run() -> None:
        result, error = None, None
        try:
            result = call()
        except BaseException as raised:  # whoever waits is told
            error = raised
        with suppress(RuntimeError):  # the loop has ended, and nobody waits
            loop.call_soon_threadsafe(settle, result, error)

    thread = Thread(target=copy_context().run, args=(run,), name="phocinae-decision")
    try:
        thread.start()
    except RuntimeError:
        raise NoThread from None
    return await future
