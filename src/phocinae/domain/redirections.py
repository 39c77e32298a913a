"""What a redirection does: a write, a read, or a change of where the input comes from (POSIX XCU 2.7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import effects, expand, places
from .shell import Redirection
from .values import HOLE, SPLIT, UNKNOWN_STREAM, Stream, Taint
from .variables import Variables

if TYPE_CHECKING:
    from .walk import Walker

_DUPLICATION = re.compile(r"(?:\d+-?|-)\Z")
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/")


def redirect(walker: Walker, redirection: Redirection, state: Variables, stdin: Stream) -> tuple[Stream, bool]:
    """Judge one redirection; return the standard input after it, and whether standard output goes elsewhere."""
    operator = redirection.operator
    target = expand.single(walker, redirection.target, state)
    if operator in ("<<", "<<<"):
        text = None if target.unknown else target.text + ("\n" if operator == "<<<" else "")
        return Stream(text, target.taint, target.text if text is not None else SPLIT), False
    descriptor = redirection.descriptor
    if operator in (">&", "<&", ">&-", "<&-") and (_DUPLICATION.match(target.text) or operator.endswith("-")):
        return stdin, operator == ">&" and descriptor in ("", "1") and target.text not in ("1", "-")
    if _SOCKET.match(target.text):
        walker.note("uses-network", target, target.text)
        return Stream(None, Taint.REMOTE), descriptor in ("", "1")
    if target.stream is not None:  # a process substitution
        return (target.stream, False) if operator == "<" else (stdin, descriptor in ("", "1"))
    if operator in ("<", "<>", "<&"):
        if operator == "<>" and not places.is_null(target.text):
            effects.write(walker, target, state)
        secret = effects.read(walker, target, state)
        return (Stream(None, Taint.SECRET) if secret else UNKNOWN_STREAM), False
    if places.is_null(target.text):
        return stdin, descriptor in ("", "1") and target.text == "/dev/null"
    effects.write(walker, target, state)
    return stdin, descriptor in ("", "1") or HOLE in descriptor
