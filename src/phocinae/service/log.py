"""What whoever runs a server is told: one line at a time, without secrets, to every place that wants it."""

from __future__ import annotations

from threading import Lock

from ..domain.levels import Level
from ..domain.masking import mask
from ..domain.visible import visible
from ..ports import LogSink

LONGEST = 2_000
"""The longest message that is written, in code points; a longer one is cut."""


class Logs:
    """Hands lines to `sinks`; threads may share it, and nothing that happens in a sink reaches a caller.

    Secrets are masked, and what is no visible sign stands as its escape, so that a message
    stays on its line.  A sink that fails is spoken of once in the others, and tried again.
    """

    def __init__(self, *sinks: LogSink) -> None:
        """Write to `sinks`, in this order."""
        self._sinks = sinks
        self._failed: set[int] = set()
        self._lock = Lock()

    def wants(self, level: Level) -> bool:
        """Tell whether a line of `level` would be written anywhere."""
        return any(sink.wants(level, None) for sink in self._sinks)

    def __call__(self, level: Level, message: str, threshold: Level | None = None, /) -> None:
        """Write one line to every sink that wants it under `threshold`, which one request may have set; never raise."""
        text = ""
        for sink in self._sinks:
            if sink.wants(level, threshold):
                text = text or line_of(message)
                self._write(sink, level, text)

    def _write(self, sink: LogSink, level: Level, text: str) -> None:
        try:
            sink.write(level, text)
        except Exception as error:  # a marked place: a log that fails must not break what it tells of
            with self._lock:
                known = id(sink) in self._failed
                self._failed.add(id(sink))
            if not known:
                why = getattr(error, "strerror", None) or str(error) or type(error).__name__
                for other in self._sinks:
                    if other is not sink and id(other) not in self._failed:
                        self._write(other, Level.WARNING, line_of(f"a log cannot be written: {why}"))
        else:
            self._failed.discard(id(sink))


def line_of(message: str) -> str:
    """Return a message as it may be written: masked, on one line, and not without end."""
    # masked before it is cut, so that half a secret does not pass for none; what a line holds at most is enough
    text = visible(mask(message[: LONGEST * 10]))
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
