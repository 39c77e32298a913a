"""Reads the language of cmd.exe."""

from __future__ import annotations

from ..shell import Gap, Reading
from ..verdict import ReadingStatus


def read(text: str) -> Reading:
    """Return what the text says; never raise for any text."""
    return Reading(status=ReadingStatus.REFUSED, gaps=(Gap(0, len(text), "it is a text for cmd"),))
