"""What open values most likely come to, for a second look at a text that only makes it stricter.

The first look takes what it cannot vouch for as unknown, and no allow rests on less.  The
second takes the default for a variable that may be unset, each line of an input that is
known for what is read from it, and the names that are listed for what a command substitution
gives.  A guess that is wrong could cost a question, never an allow.

Rules: POSIX XCU 2.6.2 and read; bash manual, "Shell Parameter Expansion" and "Arrays".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import expand, places, secrets
from .places import Place
from .shell import Assignment, PartKind
from .values import BREAK, CWD, HOLE, HOME, LONGEST, SPLIT, Field, Stream
from .variables import Value, Variables

if TYPE_CHECKING:
    from .walk import Walker

MOST_LINES = 16
"""Lines of an input that are each taken for what a loop reads."""

_PATHS = frozenset(["PATH", "SHELL", "BASH", "MANPATH", "XDG_RUNTIME_DIR", "SSH_TTY", "TMPDIR"])
"""Variables of the environment that start with a slash."""
_SUBSCRIPT = re.compile(r"\[([@*]|-?\d+)\]")
_DEFAULT = re.compile(r":?[-=]")
_OFFSET = re.compile(r":\s*(-?\d+)(?::\s*(-?\d+))?\s*\Z")
_REPLACED = re.compile(r"/([/#%]?)([^/*?\[]+)(?:/(.*))?\Z", re.S)
_REMOVED = re.compile(r"(%%?|##?)([^*?\[]*)(\*?)([^*?\[]*)\Z", re.S)


def parameter(name: str, operator: str, value: Value | None, inner: list[Field]) -> str:
    """Return what ``${name operator word}`` comes to if an unknown variable is unset; `HOLE` without a guess."""
    text = HOLE if value is None else value[0]
    subscript = _SUBSCRIPT.match(operator)
    if subscript is not None:
        operator = operator[subscript.end() :]
        text = _element(text, subscript[1])
    word = inner[0].text if inner else ""
    if _DEFAULT.match(operator):
        return word if text in ("", HOLE) else text
    if operator in ("+", ":+"):
        return word if text else ""
    if operator == ":0:1" and (text in (CWD, HOME) or (value is None and name in _PATHS)):
        return "/"
    if operator in ("", "?", ":?") or HOLE in text:
        return text
    return _changed(text, operator)


def _element(text: str, subscript: str) -> str:
    elements = text.split(BREAK)
    if subscript in ("@", "*"):
        return text
    place = int(subscript)
    return elements[place] if -len(elements) <= place < len(elements) else ""


def _changed(text: str, operator: str) -> str:
    """Return a known value under an operator that cuts it or changes its letters."""
    if operator in ("^^", ",,", "^", ","):
        changed = text.upper() if operator[0] == "^" else text.lower()
        return changed if len(operator) == 2 else changed[:1] + text[1:]
    if match := _OFFSET.match(operator):
        start, length = int(match[1]), match[2]
        rest = text[start:]
        return rest if length is None else rest[: int(length)]
    if match := _REPLACED.match(operator):
        old, new = match[2], match[3] or ""
        if text.count(old) * len(new) > LONGEST:
            return HOLE
        return text.replace(old, new, -1 if match[1] == "/" else 1)
    if match := _REMOVED.match(operator):
        return _removed(text, match[1], (match[2], match[4]), many=bool(match[3]))
    return HOLE


def _removed(text: str, operator: str, pattern: tuple[str, str], *, many: bool) -> str:
    """Return a value without its beginning or end, for a pattern with at most one wildcard in it."""
    front, back = pattern
    if text in (CWD, HOME):
        return f"{text}/.." if operator == "%" and many and front == "/" else text
    if operator[0] == "%":
        if not many:
            return text.removesuffix(front)
        limit = len(text) - len(back)
        at = text.rfind(front, 0, limit) if operator == "%" else text.find(front, 0, limit)
        return text[:at] if at >= 0 and text.endswith(back) else text
    if not many or not text.startswith(front):
        return text.removeprefix(front)
    at = text.find(back, len(front)) if operator == "#" else text.rfind(back, len(front))
    return text[at + len(back) :] if at >= 0 else text


def output(stream: Stream) -> str:
    """Return what a command substitution gives: a text, of which a part may be missing, or a name for all lines."""
    text = stream.text
    if text is None:
        return stream.item.replace(SPLIT, HOLE)
    return "\n".join(line for line in text.split("\n") if line not in ("", HOLE))


def pieces(text: str, state: Variables, *, quoted: bool) -> list[str]:
    """Return the words that an expansion becomes: elements of an array, or what ``IFS`` divides it into."""
    found = text.split(BREAK)
    ifs = state.values.get("IFS", (HOLE, 0))[0]
    if quoted or not state.ifs_changed or not ifs or HOLE in ifs:
        return found
    return [piece for one in found for piece in re.split(f"[{re.escape(ifs)}]+", one) if piece]


def assigned(walker: Walker, assignment: Assignment, before: Value | None, state: Variables) -> str:
    """Return the value behind ``name=(…)``, ``name[i]=…`` and ``name+=…``."""
    elements: list[str] = []
    whole = True
    for word in assignment.words:
        part = word.parts[0] if word.parts else None
        if part is not None and part.kind is PartKind.OPAQUE and part.text == "(":
            elements += [field.text for inner in part.words for field in expand.fields(walker, inner, state)]
        else:
            whole = False
            elements.append(expand.single(walker, word, state).text)
    if before is None or (whole and not assignment.added):
        return BREAK.join(elements)
    return before[0] + (BREAK if whole or not assignment.added else "") + BREAK.join(elements)


_RUINOUS = (Place.ROOT, Place.HOME, Place.SYSTEM)


def worse(left: Value | None, right: Value | None) -> Value | None:
    """Return the value that names a place of the system or a home, or else secrets, where two ways meet."""
    known = [value for value in (left, right) if value is not None and value[0]]
    ruinous = (value for value in known if places.place(value[0]) in _RUINOUS)
    return next(ruinous, None) or next((value for value in known if secrets.is_secret(value[0])), None)


def lines(stream: Stream) -> list[Stream]:
    """Return an input once for each line that may be read from it first."""
    if stream.text is None:
        return [stream]
    found = [line for line in stream.text.split("\n") if line not in ("", HOLE)]
    return [Stream(line + "\n", stream.taint, line) for line in found[:MOST_LINES]] or [stream]


def read(stream: Stream, names: list[str], state: Variables, *, array: bool = False) -> None:
    """Give variables what ``read`` takes from the first line of its input; an array gets all of its words."""
    first = lines(stream)[0]
    line = stream.item if first.text is None else first.text.rstrip("\n")
    words = line.replace(SPLIT, HOLE).strip()
    if array:
        words = BREAK.join(re.split(rf"[{re.escape(_separators(state))}]+", words))
    for place, name in enumerate(names):
        if place == len(names) - 1:
            word = words
        else:
            pair = re.split(rf"[{re.escape(_separators(state))}]+", words, maxsplit=1)
            word, words = pair[0], pair[1] if len(pair) > 1 else ""
        state.set(name, (word, stream.taint))


def _separators(state: Variables) -> str:
    ifs = state.values.get("IFS", ("", 0))[0]
    return ifs if ifs and HOLE not in ifs else " \t\n"
