"""Which languages a text may plausibly be in, and what the readings of a text come to together.

A denial of any plausible reading counts, and an allow needs all of them, but for a POSIX
reading that fails only because the text is not for a POSIX shell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hits import Hits
from .request import GateRequest
from .shell import Dialect
from .verdict import Hit, ReadingStatus

if TYPE_CHECKING:
    from .l0 import OfflineJudge


def plausible(_text: str) -> tuple[Dialect, ...]:
    """Return the languages of Windows that a text with signs of one may be in."""
    return ()


def strictest(
    judge: OfflineJudge, request: GateRequest, hits: list[Hit], status: ReadingStatus
) -> tuple[list[Hit], ReadingStatus]:
    """Return the hits of all plausible readings of a command, given those of the POSIX one."""
    together = Hits()
    for hit in hits:
        together.add(hit)
    for dialect in plausible(request.command):
        found, read = judge.judged(request, dialect)
        status = max(status, read, key=list(ReadingStatus).index)
        for hit in found:
            together.add(hit)
    return together.heaviest_first(), status
