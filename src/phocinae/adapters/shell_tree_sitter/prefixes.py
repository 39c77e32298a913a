"""Reserved words in front of a command that the grammar takes for programs: ``coproc``, ``time {``, ``! while``.

They are taken out of the text before parsing, and put back by the statement reader, which finds a
statement at exactly the place where each one's command starts.

Rule: bash manual, "Pipelines" and "Coprocesses".
"""

from __future__ import annotations

import re

from attrs import frozen

from .tree import SyntaxNode


@frozen
class Prefix:
    """A reserved word: which one, the byte at which it starts, and the name behind ``coproc``."""

    word: str
    start: int
    name: str


_COMPOUND = rb"(?=(?:\{|while|until|for|if|case|select|\[\[)[ \t\n])"
_NEGATED = rb"(?=(?:\{|while|until|for|if|case|select)[ \t\n]|\(\()"  # the grammar knows ! before [[ and (
_PREFIX = re.compile(
    rb"(?:\A|[;&|({\n]|\b(?:then|do|else|elif|if|while|until)[ \t])[ \t]*"
    rb"(?:(coproc)[ \t]+(?:([A-Za-z_][A-Za-z0-9_]*)[ \t]+(?=\(|" + _COMPOUND + rb"))?"
    rb"|(time)[ \t]+(?:-p[ \t]+)?" + _COMPOUND + rb"|(!)[ \t]+" + _NEGATED + rb")(?=[^ \t\n])"
)
_PIPED = re.compile(rb"(?<!\|)\|&?[ \t\n]*\Z")
"""A pipe, behind which bash takes neither ``!`` nor ``time`` for a reserved word."""
_STATEMENTS = ("command", "subshell", "statement", "assignment")
"""How the names of the grammar's statements end."""
HINT = re.compile(rb"coproc|time|!")
_NO_NAMES = frozenset(b"time if then else elif fi for while until do done case esac select function in coproc".split())


def take_out(data: bytes) -> tuple[bytes, dict[int, Prefix]]:
    """Return the text with blanks in place of what may be such words, and the words by where their commands start."""
    found: dict[int, Prefix] = {}
    pieces, at = [], 0
    for match in _PREFIX.finditer(data):
        place = match.lastindex if match.lastindex != 2 else 1
        name = (match[2] or b"COPROC").decode()
        if place is None or match[2] in _NO_NAMES:
            continue
        start, end = match.start(place), match.end()
        if place > 1 and _PIPED.search(data, max(start - 80, 0), start):
            continue
        found[end] = Prefix(match[place].decode(), start, name)
        pieces += [data[at:start], b" " * (end - start)]
        at = end
    pieces.append(data[at:])
    return b"".join(pieces), found


def all_start(root: SyntaxNode, places: dict[int, Prefix]) -> bool:
    """Return whether a statement starts at each of these places."""
    missing, pending = set(places), [root]
    while missing and pending:
        node = pending.pop()
        if node.kind.endswith(_STATEMENTS):
            missing.discard(node.start)
        pending.extend(node.children)
    return not missing
