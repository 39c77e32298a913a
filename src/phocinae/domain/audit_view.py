"""Which records of a decision log are looked for, and how often things occur in them.

A record is a JSON object that anybody may have written: nothing of it is believed to be there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from attrs import field, frozen

from .shell import Command, Compound, Node, Word

Record = dict[str, Any]

_SPAN = re.compile(r"([0-9]{1,6})([smhdw])\Z")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}

UNREAD = "(not read)"
"""Stands for the programs of a command that the shell reader refused."""

UNKNOWN = "(not known)"
"""Stands for a program whose name is not plain text."""


def instant(text: str, now: float) -> str:
    """Return the time that `text` means, as records write it: ISO 8601, in UTC where it says no offset, or ``2h`` ago.

    `now` is in seconds since the epoch.

    Raises:
        ValueError: it is neither.
    """
    span = _SPAN.match(text)
    try:
        if span is not None:
            at = datetime.fromtimestamp(now, UTC) - timedelta(**{_UNITS[span[2]]: int(span[1])})
        else:
            at = datetime.fromisoformat(text)
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("use ISO 8601 such as 2026-07-28 or 2026-07-28T12:00Z, or 30m, 2h, 3d, 1w") from None
    # strftime leaves out the zeros of years before 1000
    return at.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def text_of(record: Record, name: str) -> str:
    """Return the text of a field; empty where there is none."""
    value = record.get(name)
    return value if isinstance(value, str) else ""


def decision_of(record: Record) -> str:
    """Return the decision in a word: what an observing gate would have said, or the event where there is none."""
    return text_of(record, "outcome") or text_of(record, "decision") or text_of(record, "event")


def rules_of(record: Record) -> list[str]:
    """Return the rules that the record names, each once."""
    hits = record.get("hits")
    rules = [text_of(hit, "rule") for hit in hits if isinstance(hit, dict)] if isinstance(hits, list) else []
    return [rule for rule in dict.fromkeys(rules) if rule]


def subject_of(record: Record) -> str:
    """Return what was judged: the command, or the files that a tool was to write."""
    files = record.get("files")
    named = [file for file in files if isinstance(file, str)] if isinstance(files, list) else []
    return text_of(record, "command") or " ".join(named)


def programs(script: Node | None) -> list[str]:
    """Return the names of the programs that a text calls, each once, those in substitutions included."""
    if script is None:
        return [UNREAD]
    return list(dict.fromkeys(_programs(script)))


@frozen(kw_only=True)
class Wanted:
    """What a record must have to be shown; empty fields ask for nothing.

    `since` and `until` are times as records write them.  `programs` tells the programs of a command.
    """

    decision: str = ""
    layer: str = ""
    rule: str = ""
    agent: str = ""
    tool: str = ""
    program: str = ""
    since: str = ""
    until: str = ""
    text: str = ""
    programs: Callable[[str], list[str]] = field(default=lambda _command: [])

    def anything(self) -> bool:
        """Tell whether every line is wanted, those that are no records included."""
        named = (self.decision, self.layer, self.rule, self.agent, self.tool, self.program, self.text)
        return not any((*named, self.since, self.until))

    def __call__(self, record: Record) -> bool:
        """Tell whether `record` is wanted."""
        at = text_of(record, "time")
        return (
            (not self.since or at >= self.since)
            and (not self.until or at < self.until)
            and self.decision in ("", text_of(record, "decision"), decision_of(record))
            and all(
                not wanted or wanted == text_of(record, name)
                for name, wanted in (("layer", self.layer), ("agent", self.agent), ("tool", self.tool))
            )
            and (not self.rule or self.rule in rules_of(record))
            and (not self.text or self._holds(record))
            and (not self.program or self.program in self.programs(text_of(record, "command")))
        )

    def _holds(self, record: Record) -> bool:
        texts = (subject_of(record), text_of(record, "cwd"), text_of(record, "reason"), text_of(record, "event"))
        return any(self.text.lower() in text.lower() for text in texts)


@frozen
class Counts:
    """How many records there are, and how often each decision, layer, rule, program and agent occurs in them."""

    records: int
    by: dict[str, Counter[str]]


def count(records: Iterable[Record], programs_in: Callable[[str], list[str]]) -> Counts:
    """Return how often things occur; a rule and a program count once for each record."""
    number = 0
    by: dict[str, Counter[str]] = {name: Counter() for name in ("decision", "layer", "rule", "program", "agent")}
    for record in records:
        number += 1
        command = text_of(record, "command")
        found = {
            "decision": [decision_of(record)],
            "layer": [text_of(record, "layer")],
            "rule": rules_of(record),
            "program": programs_in(command) if command else [],
            "agent": [text_of(record, "agent")],
        }
        for name, values in found.items():
            by[name].update(value for value in values if value)
    return Counts(number, by)


def most(counter: Counter[str], top: int) -> list[tuple[str, int]]:
    """Return the `top` most frequent, those that are as frequent in the order of their names."""
    return sorted(counter.items(), key=lambda item: (-item[1], item[0]))[:top]


def _programs(script: Node) -> Iterator[str]:
    waiting: list[Node] = [script]
    while waiting:
        node = waiting.pop()
        words = [*node.words, *(redirection.target for redirection in node.redirections)]
        if isinstance(node, Command):
            words += [word for assignment in node.assignments for word in assignment.words]
            if node.words:
                yield _name(node.words[0])
        inner = list(node.parts) if isinstance(node, Compound) else []
        waiting += reversed([*inner, *_scripts(words)])


def _scripts(words: list[Word]) -> list[Node]:
    found: list[Node] = []
    waiting = list(words)
    while waiting:
        for part in waiting.pop().parts:
            waiting.extend(part.words)
            if part.script is not None:
                found.append(part.script)
    return found


def _name(word: Word) -> str:
    literal = word.literal
    return UNKNOWN if literal is None else literal.rstrip("/").rpartition("/")[2] or UNKNOWN
