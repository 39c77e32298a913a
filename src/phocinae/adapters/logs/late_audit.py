"""Decisions that are recorded once their answers have left, so that no client waits for the decision log.

What is lost when the process is killed in between are the decisions whose answers have
just been sent.  Where a decision must not be given without a record (`audit.strict`), this
has no place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import frozen

from ...domain.request import GateRequest
from ...domain.verdict import Verdict
from ...errors import AuditFailed
from ...ports import AuditLog

_Waiting = deque[tuple[AuditLog, float, GateRequest, Verdict]]


class LateRecords:
    """The decisions that wait for `write`, of all the logs that are `behind` it; threads may share one.

    `warn` is told of a decision that could not be recorded.
    """

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._warn = warn
        self._waiting: _Waiting = deque()

    def behind(self, log: AuditLog) -> AuditLog:
        """Return a log whose records are written to `log` by the next `write`."""
        return _LateLog(log, self._waiting)

    def write(self) -> None:
        """Write what waits, in its order; never raise."""
        while self._waiting:
            try:
                log, at, request, verdict = self._waiting.popleft()
            except IndexError:  # another thread was faster
                return
            try:
                log.record(at, request, verdict)
            except Exception as error:  # a log of the user's own may raise anything
                why = str(error) if isinstance(error, AuditFailed) else type(error).__name__
                self._warn(f"the decision could not be recorded: {why}")


@frozen
class _LateLog:
    log: AuditLog
    waiting: _Waiting

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        self.waiting.append((self.log, at, request, verdict))
