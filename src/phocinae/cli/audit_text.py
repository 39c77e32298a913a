"""What ``phocinae audit`` prints for people: a table that fits the terminal, bars, and what a check has found."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence

from attrs import frozen

from ..adapters.logs.audit_read import Entry
from ..domain.audit_check import Report
from ..domain.audit_view import Counts, decision_of, most, rules_of, subject_of, text_of
from .output import columns, visible

_LAYERS = {"fail_closed": "closed", "human_approval": "human"}
"""Short words for the table."""

_TITLES = {"decision": "Decisions", "layer": "Layers", "rule": "Rules", "program": "Programs", "agent": "Agents"}
_CUT = "..."
_SHORTEST = 20
_BAR_LIMIT = 40

_HEAD = ("TIME (UTC)", "DECISION", "LAYER", "RULES", "AGENT", "COMMAND")
_CAPS = (19, 10, 6, 24, 12)
"""The most columns of a terminal that each but the last may take."""


def width() -> int:
    """Return how many columns the terminal has; 120 where the output goes elsewhere and `COLUMNS` says nothing."""
    return max(40, shutil.get_terminal_size((120, 24)).columns)


def fit(text: str, room: int) -> str:
    """Return `text` made visible and cut to `room` columns of a terminal."""
    shown = visible(text[: room * 2 + 16])
    if len(text) <= room * 2 + 16 and columns(shown) <= room:
        return shown
    kept, used = [], 0
    for sign in shown:
        used += columns(sign)
        if used > room - len(_CUT):
            break
        kept.append(sign)
    return "".join(kept) + _CUT


@frozen
class Table:
    """The columns of a table of records; `widths` are those of all but the last one."""

    widths: tuple[int, ...]
    total: int

    @classmethod
    def of(cls, entries: Sequence[Entry], total: int, *, open_end: bool = False) -> Table:
        """Return the table for `entries`; one with an `open_end` leaves room for what will come."""
        caps = (_CAPS[0], _CAPS[1], _CAPS[2], max(8, min(_CAPS[3], total // 5)), _CAPS[4])
        if open_end:
            return cls(caps, total)
        rows = [_cells(entry) for entry in entries]
        return cls(
            tuple(
                min(cap, max([len(_HEAD[at]), *(columns(visible(row[at][:200])) for row in rows)]))
                for at, cap in enumerate(caps)
            ),
            total,
        )

    def head(self) -> str:
        """Return the line above the rows."""
        return self._row(_HEAD)

    def row(self, entry: Entry) -> str:
        """Return the line of one record; of a line that is none, where it stands and what is wrong with it."""
        return self._row(_cells(entry))

    def _row(self, cells: Sequence[str]) -> str:
        shown = [fit(cell, room) for cell, room in zip(cells, self.widths, strict=False)]
        padded = [cell + " " * (room - columns(cell)) for cell, room in zip(shown, self.widths, strict=True)]
        room = max(_SHORTEST, self.total - sum(self.widths) - 2 * len(self.widths))
        return ("  ".join([*padded, fit(cells[-1], room)])).rstrip() + "\n"


def _cells(entry: Entry) -> tuple[str, ...]:
    record = entry.record
    if record is None:
        return "", "unreadable", "", "", "", f"{entry.file}, line {entry.line}: {entry.fault}"
    layer = text_of(record, "layer")
    return (
        text_of(record, "time").partition(".")[0].replace("T", " "),
        decision_of(record) or "?",
        _LAYERS.get(layer, layer),
        ",".join(rules_of(record)),
        text_of(record, "agent"),
        subject_of(record),
    )


def bars(counts: Counts, top: int, total: int) -> str:
    """Return how often things occur, with a bar for each."""
    lines = [f"{counts.records} records"]
    for name, title in _TITLES.items():
        rows = most(counts.by[name], top)
        if not rows:
            continue
        more = len(counts.by[name]) - len(rows)
        lines += ["", title + (f" (and {more} more)" if more else "")]
        left = min(max(columns(visible(value[:60])) for value, _ in rows), max(12, total // 3))
        digits = len(str(rows[0][1]))
        room = max(4, min(_BAR_LIMIT, total - left - digits - 6))
        for value, number in rows:
            shown = fit(value, left)
            gap = " " * (left - columns(shown))
            lines.append(f"  {shown}{gap}  {number:>{digits}}  {_bar(number / rows[0][1], room)}")
    return "\n".join(lines) + "\n"


def _bar(share: float, room: int) -> str:
    eighths = max(1, round(share * room * 8))
    if not _has_blocks():
        return "#" * max(1, eighths // 8)
    rest = eighths % 8
    return "\u2588" * (eighths // 8) + (chr(0x2590 - rest) if rest else "")


def _has_blocks() -> bool:
    """Tell whether the output has a form for the blocks that bars are made of."""
    try:
        "\u2588\u258f".encode(sys.stdout.encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def report_text(report: Report) -> str:
    """Return what a check has found."""
    lines = [
        f"{'whole' if report.intact else 'not whole'}: {report.records} records in {report.files} files"
        + (f", {report.first} to {report.last}" if report.records else "")
    ]
    for fault in report.faults:
        place = f"{visible(fault.file)}, line {fault.line}: " if fault.line else ""
        lines.append(f"  {fault.kind}: {place}{visible(fault.text)}")
    if report.more:
        lines.append(f"  and {report.more} more")
    lines += [f"  note: {visible(note)}" for note in report.notes]
    if report.mac:
        lines.append(f"  last record in its place: {report.last}:{report.mac}")
    return "\n".join(lines) + "\n"
