"""One event loop on a thread of its own, for async handlers on a transport that has none."""

from __future__ import annotations

import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    from concurrent.futures import Future


class LoopThread:
    """Runs coroutines on one loop, so that they may share what belongs to a loop; it ends with the process."""

    def __init__(self) -> None:
        """Start nothing before the first coroutine."""
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        """Start `work` and return at once; cancelling what is returned cancels it."""
        import asyncio  # late: it would double the time that a server takes to start

        return asyncio.run_coroutine_threadsafe(work, self._running())

    def _running(self) -> asyncio.AbstractEventLoop:
        import asyncio

        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, daemon=True).start()
            return self._loop
