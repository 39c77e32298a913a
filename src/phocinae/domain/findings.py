"""What a check of an installation comes to: one finding for each thing that was looked at."""

from __future__ import annotations

from enum import Enum
from typing import Any

from attrs import frozen


class State(Enum):
    """How a thing was found; WARNING is for what a person should know, and WRONG for what must be mended."""

    RIGHT = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@frozen(kw_only=True)
class Finding:
    """One thing that was looked at: what, how it is, and what to do about it where it is not right."""

    about: str
    state: State
    text: str
    advice: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Return it as a JSON object, without `advice` where there is none."""
        wire = {"about": self.about, "state": self.state.value, "text": self.text}
        return wire | ({"advice": self.advice} if self.advice else {})


def right(about: str, text: str) -> Finding:
    """Return a finding of something that is as it should be."""
    return Finding(about=about, state=State.RIGHT, text=text)


def warning(about: str, text: str, advice: str = "") -> Finding:
    """Return a finding of something that a person should know."""
    return Finding(about=about, state=State.WARNING, text=text, advice=advice)


def wrong(about: str, text: str, advice: str = "") -> Finding:
    """Return a finding of something that must be mended."""
    return Finding(about=about, state=State.WRONG, text=text, advice=advice)
