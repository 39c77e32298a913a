"""How grave a line of a log is."""

from __future__ import annotations

from enum import IntEnum


class Level(IntEnum):
    """How grave a log line is (server/utilities/logging), mildest first; the wire names are these in lower case."""

    DEBUG = 0
    INFO = 1
    NOTICE = 2
    WARNING = 3
    ERROR = 4
    CRITICAL = 5
    ALERT = 6
    EMERGENCY = 7

    @property
    def wire(self) -> str:
        """The name of the level in messages and log lines."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> Level:
        """Return the level that `word` names on the wire; raise KeyError for any other text."""
        return cls[word.upper()]
