"""Every seam between the core and the outside world, on one page.

An adapter is any object with the methods named here; it need not inherit from
anything.  `tests/contract` runs one body over all adapters of a port, and is meant
to be run on adapters of your own too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from .domain.request import GateRequest
from .domain.shell import ShellReader
from .domain.verdict import Undecided, Verdict

if TYPE_CHECKING:  # a gate without a decision service never asks a question
    from .domain.levels import Level
    from .domain.questions import Answers, Question

__all__ = [
    "AuditLog",
    "Clock",
    "DecisionBackend",
    "Judge",
    "LogSink",
    "ShellReader",
    "SpentTokens",
    "TokenCodec",
]

Clock = Callable[[], float]
"""Seconds since the epoch; `time.time` in production."""


class Judge(Protocol):
    """Answers whether one command may run."""

    def __call__(self, request: GateRequest, /) -> Verdict | Undecided:
        """Return a verdict, or `Undecided`; never allow what was not understood.

        Raises:
            BackendError: a service that the judge depends on gave no usable answer.
        """


class DecisionBackend(Protocol):
    """The decision service: typed questions about one state in, one answer for each out."""

    @property
    def engine(self) -> str:
        """The word that verdicts carry which rest on its answers: ``http``, ``mock``, or one of your own."""

    def answer(
        self, questions: tuple[Question, ...], state: str, deadline: float, *, average_orders: bool = False
    ) -> Answers:
        """Return an answer in range for every question.

        `deadline` is the number of seconds that the whole call may take.  `average_orders`
        asks for choices that do not hang on the order of their options: a service that can
        averages over several orders, one that cannot answers as usual.

        Raises:
            BackendError: anything else happened.
        """


class AuditLog(Protocol):
    """The record of decisions."""

    def record(self, at: float, request: GateRequest, verdict: Verdict) -> None:
        """Write one decision, made at `at` seconds since the epoch; it is durable on return.

        Raises:
            AuditFailed: it could not be written.
        """


class LogSink(Protocol):
    """A place for log lines."""

    def wants(self, level: Level, threshold: Level | None, /) -> bool:
        """Tell whether a line of `level` is to be written; `threshold` is what one request has set for itself."""

    def write(self, level: Level, text: str, /) -> None:
        """Write one line, whatever its level; `text` is printable and holds no secret.

        Raises:
            OSError: it could not be written.
        """


class TokenCodec(Protocol):
    """Turns bytes into a text that nobody else can make or change, and back."""

    def seal(self, content: bytes, /) -> str:
        """Return a token in printable ASCII that stands for `content`; it need not hide it."""

    def open(self, token: str, /) -> bytes:
        """Return what was sealed in `token`; exactly the texts that `seal` returned can be opened.

        Raises:
            StateRejected: the token was changed, written in another way, or sealed with an unknown key.
        """


class SpentTokens(Protocol):
    """The memory that makes a token good for one use; safe with many threads."""

    def spend(self, nonce: bytes, issued: float, expires: float, /) -> bool:
        """Return True the first time that `nonce` is spent before `expires`, and False ever after.

        `issued` and `expires` are seconds since the epoch.  Of two callers at once, one gets True.

        Raises:
            StateRejected: it cannot be known, because the memory is missing, cannot be used,
                is full or began after `issued`.
        """
