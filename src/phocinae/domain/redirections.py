"""What a redirection does: a write, a read, or a change of where the input comes from (POSIX XCU 2.7)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import effects, expand, places
from .shell import Command, Node, PartKind, Redirection, Word
from .values import NO_STREAM, NUMBER, SPLIT, UNKNOWN_STREAM, Field, Stream, Taint, together
from .variables import Variables

if TYPE_CHECKING:
    from .walk import Walker

_DUPLICATION = re.compile(r"(?:\d+-?|-)\Z")
_WRITING = frozenset([">", ">>", ">|", "&>", "&>>", ">&"])
_PLAIN = frozenset([PartKind.LITERAL, PartKind.TILDE, PartKind.PARAMETER])
"""Parts of a word that may be expanded twice, since nothing is run for them."""
_SOCKET = re.compile(r"/dev/(?:tcp|udp)/")
UNSET_NULL = "$null"
_CONNECTION = Stream(None, Taint.SOCKET)
_INPUTS = {"<": "0", "<>": "0", "<&": "0", "<<": "0", "<<<": "0", "<&-": "0"}
"""The operators whose descriptor is standard input when none is written; for the others it is standard output."""


def redirect(walker: Walker, given: tuple[Redirection, ...], state: Variables, stdin: Stream) -> Stream:
    """Judge the redirections of one command, from left to right; return its standard input.

    `state` learns which descriptors are connections to other machines.
    """
    first = stdin
    for redirection in given:
        descriptor = redirection.descriptor or _INPUTS.get(redirection.operator, "1")
        if descriptor.startswith("{"):  # the variable that gets the number
            expand.assign(walker, descriptor[1:-1], (NUMBER, Taint.NONE), state, redirection.target)
        read = _one(walker, redirection, state, descriptor)
        if descriptor == "0" and read is not None:
            stdin = read
    if stdin is first or first is UNKNOWN_STREAM or first is NO_STREAM:
        return stdin
    return together([first, stdin])  # zsh reads both, one after the other (zshmisc, "Multios")


def flows(walker: Walker, node: Node, state: Variables, output: Stream, stdin: Stream) -> Stream:
    """Return what comes out of a command under its redirections.

    Where standard output goes elsewhere it may still come out: by way of another descriptor,
    or in zsh, which gives it to a file and to the pipe.
    """
    if output.taint & Taint.SECRET and "1" in state.sockets:
        walker.note("sends-secret", node, "It")
    if not node.redirections:
        return output
    moving = [redirection for redirection in node.redirections if _moves_output(redirection)]
    if not moving:
        return output
    for redirection in moving:
        if redirection.operator in _WRITING and all(part.kind in _PLAIN for part in redirection.target.parts):
            target = expand.target(walker, redirection.target, state)
            kept = Stream(output.text, output.taint & ~Taint.DECODED) if _edits(node, stdin) else output
            walker.files.add(target.text, state.cwd, kept)
    return output.perhaps()


_EDITORS = frozenset("sed gsed iconv gunzip zcat gzip xz unxz xzcat zstd zstdcat bunzip2 bzcat".split())


def _edits(node: Node, stdin: Stream) -> bool:
    """Return whether a command makes a file out of another one that it unpacks or edits, and hides nothing by that."""
    if stdin.text is not None or stdin.taint & Taint.DECODED or not isinstance(node, Command) or not node.words:
        return False
    return node.words[0].literal in _EDITORS


def _moves_output(redirection: Redirection) -> bool:
    operator = redirection.operator
    descriptor = redirection.descriptor or _INPUTS.get(operator, "1")
    return descriptor == "1" or operator in (">&", "&>", "&>>") or not descriptor.isdigit()


def _one(walker: Walker, redirection: Redirection, state: Variables, descriptor: str) -> Stream | None:
    """Judge one redirection and return what can be read from its descriptor, or None if it cannot be read."""
    operator = redirection.operator
    if operator in ("<<", "<<<"):
        body = expand.single(walker, redirection.target, state)
        text = body.text + ("\n" if operator == "<<<" else "")
        return Stream(text, body.taint, SPLIT if body.unknown else body.text)
    target = _unset_null(redirection.target, state) or expand.target(walker, redirection.target, state)
    if operator in (">&", "<&", ">&-", "<&-") and (_DUPLICATION.match(target.text) or operator.endswith("-")):
        return _duplicate(target.text, state, descriptor)
    if _SOCKET.match(target.text):
        walker.note("uses-network", target, target.text)
        state.sockets |= {"1", "2"} if operator in ("&>", "&>>") or operator == ">&" else {descriptor}
        return _CONNECTION
    if target.stream is not None:  # a process substitution
        return target.stream
    if operator in ("<", "<>", "<&"):
        return _file(walker, operator, target, state)
    if not places.is_null(target.text):
        effects.write(walker, target, state)
    return UNKNOWN_STREAM


def _unset_null(word: Word, state: Variables) -> Field | None:
    """Return ``$null`` as it stands there if nothing has set it: what PowerShell calls the null device."""
    only = word.parts[0] if len(word.parts) == 1 else None
    if only is None or only.kind is not PartKind.PARAMETER or only.text.lower() != "null" or only.operator:
        return None
    return Field(UNSET_NULL, word.start, word.end) if state.get(only.text) is None else None


def _duplicate(source: str, state: Variables, descriptor: str) -> Stream | None:
    source = source.rstrip("-")
    if source in state.sockets:
        state.sockets |= {descriptor}
        return _CONNECTION
    state.sockets -= {descriptor}
    if not source:
        return NO_STREAM
    return None if source == "0" else UNKNOWN_STREAM


def _file(walker: Walker, operator: str, target: Field, state: Variables) -> Stream:
    if operator == "<>" and not places.is_null(target.text):
        effects.write(walker, target, state)
    if effects.read(walker, target, state):
        return Stream(None, Taint.SECRET)
    written = walker.files.of(target.text, state.cwd)
    if written:
        return together(written)
    return NO_STREAM if target.text == "/dev/null" else UNKNOWN_STREAM
