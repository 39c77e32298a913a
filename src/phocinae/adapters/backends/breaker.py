"""A circuit breaker: after repeated failures a service is left alone for a while, and callers are told at once.

It counts failures of the service, not of one question: nobody answered, the answer came
too late or broke off, or the service said that it failed itself (5xx).  A refusal (4xx)
or an answer that cannot be used shows that somebody is there, and ends the count.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import Enum
from time import monotonic

from attrs import frozen

FAILURES = 5
"""How many failures in a row open the breaker."""

PAUSE = 2.0
"""For how many seconds it then stays open, and how far one probe is from the next."""


class State(Enum):
    """Whether calls go through: all, none, or one that tries."""

    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half-open"


@frozen
class Pass:
    """The leave to make one call, which ends in exactly one report; `probe` is the number of the probe, 0 for none."""

    probe: int = 0


@frozen
class LeftAlone:
    """No leave: `reason` is the last failure in words, and in `seconds` the next call may go."""

    state: State
    reason: str
    seconds: float


class Breaker:
    """Decides whether a call is made; any number of threads may use one.

    `failures` in a row open it for `pause` seconds.  Then one call goes through as a
    probe, and the others go on failing; a probe from which nothing is heard for as long
    again is followed by another one, so that a call with a long deadline cannot keep
    everybody out.  `clock` returns seconds of a clock that never goes back.
    """

    def __init__(
        self, failures: int = FAILURES, pause: float = PAUSE, *, clock: Callable[[], float] = monotonic
    ) -> None:
        self._failures, self._pause, self._clock = failures, pause, clock
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._reason = ""
        self._opened: float | None = None
        self._probes = 0
        self._probe = 0  # the number of the one that is under way

    @property
    def state(self) -> State:
        """What a call would meet now; half-open from when a probe may go or is under way."""
        with self._lock:
            return self._state()

    @property
    def reason(self) -> str:
        """The last failure in words; empty while nothing has failed since the last success."""
        with self._lock:
            return self._reason

    @property
    def retry_in(self) -> float:
        """Seconds until the next probe may go; 0 while closed."""
        with self._lock:
            return self._seconds()

    def ask(self) -> Pass | LeftAlone:
        """Return the leave to make a call, or why it has to fail at once."""
        with self._lock:
            if self._opened is None:
                return Pass()
            now = self._clock()
            if now < self._opened + self._pause:
                return LeftAlone(self._state(), self._reason, self._seconds())
            self._opened = now  # the next probe is as far away from this one
            self._probes += 1
            self._probe = self._probes
            return Pass(self._probe)

    def succeeded(self, _given: Pass) -> None:
        """Close: the service answered, however late the call had begun."""
        with self._lock:
            self._in_a_row, self._reason, self._opened, self._probe = 0, "", None, 0

    def failed(self, given: Pass, reason: str) -> None:
        """Count a failure; open at the last that is borne, and again after a probe.

        A call that began before the breaker opened says nothing new, and does not put
        the next probe off.
        """
        with self._lock:
            self._in_a_row += 1
            if self._opened is None:
                self._reason = reason
                if self._in_a_row >= self._failures:
                    self._opened = self._clock()
            elif self._is_out(given):
                self._reason, self._opened, self._probe = reason, self._clock(), 0

    def dropped(self, given: Pass) -> None:
        """Take a call back that ended without saying anything of the service; the next may probe instead."""
        with self._lock:
            if self._opened is not None and self._is_out(given):
                self._opened, self._probe = self._clock() - self._pause, 0

    def _seconds(self) -> float:
        return 0.0 if self._opened is None else max(0.0, self._opened + self._pause - self._clock())

    def _is_out(self, given: Pass) -> bool:
        return bool(given.probe) and given.probe == self._probe

    def _state(self) -> State:
        if self._opened is None:
            return State.CLOSED
        return State.HALF_OPEN if self._probe or self._clock() >= self._opened + self._pause else State.OPEN
