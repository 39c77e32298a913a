"""What people and programs get to read.

Text that comes from a command is hostile: it may try to drive the terminal, to reverse
the reading direction or to hide.  Everything meant for people goes through `visible`;
JSON is ASCII, with the exact text in escapes.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

from ..domain.verdict import Hit, Undecided, Verdict
from ..errors import InvalidRequest

if TYPE_CHECKING:
    from ..domain.parts import PartVerdict

_WINDOW = 96
"""The longest stretch of a line that an explanation shows, in characters."""

_ALL_LINES = 12
"""Up to so many lines, an explanation shows them all; of longer texts those with something that is not harmless."""

_HARMLESS = "allow"
"""The word of a part that nothing is said against."""

_Mark = tuple[int, int, list[str]]
"""A stretch of the command, and the lines that say what it is."""


def visible(text: str) -> str:
    """Return `text` on one line, with an escape for every character that is no visible sign or blank."""
    return text if text.isascii() and text.isprintable() else "".join(map(_sign, text))


def _sign(character: str) -> str:
    from ..domain.visible import sign  # most texts are plain ASCII, and need no second look

    return sign(character)


def json_line(wire: dict[str, Any]) -> str:
    """Return `wire` as one line of ASCII."""
    return json.dumps(wire, allow_nan=False) + "\n"


def human(answer: Verdict | Undecided) -> str:
    """Return the answer for people: the decision and its reason, what to run instead, and what went wrong."""
    remedies = dict.fromkeys(hit.remedy for hit in answer.hits if hit.remedy)
    lines = [_headline(answer), *(f"  instead: {visible(remedy)}" for remedy in remedies), *_error(answer)]
    return "\n".join(lines) + "\n"


def explained(command: str, answer: Verdict | Undecided, parts: Sequence[PartVerdict] = ()) -> str:
    """Return the answer, then the command with carets under each of its parts, and under what each hit is about."""
    wire = answer.to_wire()
    facts = [f"{name} {wire[name]}" for name in ("layer", "reading", "ceiling", "policy") if wire[name]]
    facts += [f"{name} {wire[name]}" for name in ("score", "noul", "human_action") if name in wire]
    lines = [_headline(answer), *_error(answer), f"  {', '.join(facts)}", ""]
    placed = [hit for hit in answer.hits if 0 <= hit.start < hit.end <= len(command)]
    lines += _annotated(command, _marks(parts, placed))
    for hit in answer.hits:
        if hit not in placed:
            first, *more = _label(hit)
            lines += [f"    - {first}", *(f"      {line}" for line in more)]
    return "\n".join(lines) + "\n"


def _headline(answer: Verdict | Undecided) -> str:
    return f"{word(answer)}: {visible(answer.reason)}"


def _error(answer: Verdict | Undecided) -> list[str]:
    return [f"  error: {visible(answer.error)}"] if isinstance(answer, Verdict) and answer.error else []


def word(answer: Verdict | Undecided) -> str:
    """Return the decision as the word on the wire."""
    return answer.decision.wire if isinstance(answer, Verdict) else "undecided"


def say(text: str) -> None:
    """Write `text` to standard output and hand it over at once.

    Raises:
        InvalidRequest: nobody can read it: the output is closed, or has no room.
    """
    if sys.stdout is None:
        raise InvalidRequest("standard output is closed, so nobody could read the answer")
    try:
        _write(sys.stdout, text)
    except OSError as error:
        _drop_output()
        raise InvalidRequest(f"the answer could not be written to standard output: {error.strerror}") from None


def _drop_output() -> None:
    """Point standard output at nothing: the interpreter flushes it once more at its end, and would complain."""
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)


def tell(text: str) -> None:
    """Write `text`, which is ours, to standard error; a closed one loses it."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        _write(sys.stderr, text)


def complain(message: str) -> None:
    """Write one line for the person who runs the program to standard error; a closed one loses it."""
    tell(f"phocinae: {visible(message)}\n")


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()


def _label(hit: Hit) -> list[str]:
    """Return the lines that say what a hit is, and what to run instead."""
    label = [f"{visible(hit.rule)}: {visible(hit.reason)}"]
    return [*label, f"instead: {visible(hit.remedy)}"] if hit.remedy else label


def _marks(parts: Sequence[PartVerdict], hits: Sequence[Hit]) -> list[_Mark]:
    """Return a mark for each part, each followed by those for the hits in it and in no part of it."""
    within: dict[PartVerdict | None, list[Hit]] = {}
    for hit in hits:
        holders = [part for part in parts if part.start <= hit.start and hit.end <= part.end]
        within.setdefault(min(holders, key=lambda part: part.end - part.start, default=None), []).append(hit)
    marks = []
    for part in (*parts, None):
        if part is not None:
            marks.append((part.start, part.end, [part.word]))
        marks += [(hit.start, hit.end, _label(hit)) for hit in within.get(part, [])]
    return marks


def _annotated(command: str, marks: list[_Mark]) -> list[str]:
    """Return the lines of `command`, each with the carets and labels of the marks that touch it.

    Of a long text only the lines are shown in which something is not plainly allowed.
    """
    rows: list[str] = []
    offset = 0
    lines = command.split("\n")
    width = len(str(len(lines)))
    of_line = _by_line(lines, marks)
    for number, line in enumerate(lines, 1):
        touching = of_line.get(number, [])
        if len(lines) <= _ALL_LINES or any(label != [_HARMLESS] for *_, label in touching):
            rows += _shown(f"  {number:>{width}} | ", line, offset, touching)
        elif rows[-1:] != ["    …"]:
            rows.append("    …")
        offset += len(line) + 1
    return rows


def _by_line(lines: list[str], marks: list[_Mark]) -> dict[int, list[_Mark]]:
    """Return the marks that touch each line, by the line's number."""
    from bisect import bisect_left, bisect_right  # only explanations need them
    from itertools import accumulate

    ends = list(accumulate(len(line) + 1 for line in lines))
    found: dict[int, list[_Mark]] = {}
    for mark in marks:
        for number in range(bisect_right(ends, mark[0]), bisect_left(ends, mark[1]) + 1):
            found.setdefault(number + 1, []).append(mark)
    return found


def _shown(margin: str, line: str, offset: int, marks: list[_Mark]) -> list[str]:
    """Return one line of the command, which begins at `offset`, or a window on it, and the rows of carets below."""
    first = min((max(start, offset) - offset for start, _, label in marks if label != [_HARMLESS]), default=0)
    begin = max(0, first - 16) if len(line) > _WINDOW else 0
    shown = line[begin : begin + _WINDOW]
    before, after = "…" if begin else "", "…" if begin + _WINDOW < len(line) else ""
    rows = [f"{margin}{before}{visible(shown)}{after}"]
    below = f"{'| ':>{len(margin)}}{' ' * len(before)}"
    for start, stop, label in marks:
        carets = _carets(shown, start - offset - begin, stop - offset - begin)
        rows += _row(below, carets, label if stop <= offset + len(line) + 1 else [])
    return rows


def _row(margin: str, carets: str, label: list[str]) -> list[str]:
    """Return the carets with the first line of a label behind them and the others below that."""
    if not label:
        return [margin + carets]
    return [f"{margin}{carets} {label[0]}", *(f"{margin}{' ' * len(carets)} {line}" for line in label[1:])]


def _carets(line: str, start: int, end: int) -> str:
    start, end = max(0, start), min(len(line), end)
    return " " * columns(line[:start]) + "^" * max(1, columns(line[start:end]))


def columns(text: str) -> int:
    """Return how many columns of a terminal `visible` of `text` takes (Unicode Standard Annex 11)."""
    if text.isascii():
        return len(visible(text))
    import unicodedata  # only for a text that needs it

    columns = 0
    for sign in text:
        shown = _sign(sign)
        if shown != sign:
            columns += len(shown)
        elif unicodedata.east_asian_width(sign) in "WF":
            columns += 2
        elif not unicodedata.combining(sign):
            columns += 1
    return columns
