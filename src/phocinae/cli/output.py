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
from typing import Any, TextIO

from ..domain.verdict import Hit, Undecided, Verdict
from ..errors import InvalidRequest

_INVISIBLE = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    )
)
"""Characters that Python calls printable and that show nothing: fillers, joiners, variation selectors."""

_WINDOW = 96
"""The longest stretch of a line that an explanation shows, in characters."""

_ALL_LINES = 12
"""Up to so many lines, an explanation shows them all; of longer texts those with a hit."""


def visible(text: str) -> str:
    """Return `text` on one line, with an escape for every character that is no visible sign or blank."""
    return text if text.isascii() and text.isprintable() else "".join(map(_sign, text))


def _sign(sign: str) -> str:
    if sign.isprintable() and ord(sign) not in _INVISIBLE:
        return sign
    return sign.encode("unicode_escape").decode("ascii")


def json_line(wire: dict[str, Any]) -> str:
    """Return `wire` as one line of ASCII."""
    return json.dumps(wire, allow_nan=False) + "\n"


def human(answer: Verdict | Undecided) -> str:
    """Return the answer for people: the decision and its reason, what to run instead, and what went wrong."""
    lines = [f"{word(answer)}: {visible(answer.reason)}"]
    remedies = dict.fromkeys(hit.remedy for hit in answer.hits if hit.remedy)
    lines += [f"  instead: {visible(remedy)}" for remedy in remedies]
    if isinstance(answer, Verdict) and answer.error:
        lines.append(f"  error: {visible(answer.error)}")
    return "\n".join(lines) + "\n"


def explained(command: str, answer: Verdict | Undecided) -> str:
    """Return what `human` does, then the command with carets under the place of each hit."""
    wire = answer.to_wire()
    facts = [f"{name} {wire[name]}" for name in ("layer", "reading", "ceiling", "policy") if wire[name]]
    facts += [f"{name} {wire[name]}" for name in ("score", "noul", "human_action") if name in wire]
    placed = [hit for hit in answer.hits if 0 <= hit.start < hit.end <= len(command)]
    lines = [f"  {', '.join(facts)}", "", *_annotated(command, placed)]
    lines += [f"    - {_label(hit)}" for hit in answer.hits if hit not in placed]
    return human(answer) + "\n".join(lines) + "\n"


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


def _label(hit: Hit) -> str:
    return f"{visible(hit.rule)}: {visible(hit.reason)}"


def _annotated(command: str, hits: list[Hit]) -> list[str]:
    """Return the lines of `command`, each with the carets and labels of the hits that touch it."""
    rows: list[str] = []
    offset = 0
    lines = command.split("\n")
    width = len(str(len(lines)))
    for number, line in enumerate(lines, 1):
        end = offset + len(line)
        touching = [hit for hit in hits if hit.start <= end and hit.end > offset]
        if touching or len(lines) <= _ALL_LINES:
            first = min((max(hit.start, offset) - offset for hit in touching), default=0)
            begin = max(0, first - 16) if len(line) > _WINDOW else 0
            shown = line[begin : begin + _WINDOW]
            before, after = "…" if begin else "", "…" if begin + _WINDOW < len(line) else ""
            rows.append(f"  {number:>{width}} | {before}{visible(shown)}{after}")
            for hit in touching:
                carets = _carets(shown, hit.start - offset - begin, hit.end - offset - begin)
                label = f" {_label(hit)}" if hit.end <= end + 1 else ""
                rows.append(f"  {'':>{width}} | {' ' * len(before)}{carets}{label}")
        elif rows[-1:] != ["    …"]:
            rows.append("    …")
        offset = end + 1
    return rows


def _carets(line: str, start: int, end: int) -> str:
    start, end = max(0, start), min(len(line), end)
    return " " * _columns(line[:start]) + "^" * max(1, _columns(line[start:end]))


def _columns(text: str) -> int:
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
