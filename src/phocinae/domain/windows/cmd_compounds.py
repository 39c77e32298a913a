"""Conditions and loops of cmd.

Sources: Microsoft, "if" and "for".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..shell import Command, Kind, Node, Part, PartKind, Word
from . import cmd_lexer, cmd_words
from .cmd_lexer import BLANKS, DELIMITERS, VARIABLE, Char
from .cmd_variables import LOOP

if TYPE_CHECKING:
    from .cmd_parser import Parser

_FLAGS = re.compile(rf"(?i)(?:[{BLANKS}]*(?:/i\b|not\b))*[{BLANKS}]*")
_UNARY = re.compile(rf"(?i)(?:exist|defined|errorlevel|cmdextversion)(?=[{BLANKS}])")
_BINARY = re.compile(rf"(?i)[{BLANKS}]*(==|(?:equ|neq|lss|leq|gtr|geq)(?=[{BLANKS}]))[{BLANKS}]*")
_ELSE = re.compile(rf"(?i)[{BLANKS}]*else(?=[{BLANKS}(])")
_LOOP = re.compile(
    rf"(?i)for(?P<head>[^{VARIABLE}\n]{{0,400}}){VARIABLE}[{DELIMITERS}]+in[{DELIMITERS}]*\((?P<set>[^)]{{0,4000}})\)[{DELIMITERS}]*do(?=[\s(@,;=])"
)
_KIND = re.compile(r"(?i)\s*/([dlrf])")
_WHOLE_LINE = re.compile(r"(?i)(?:usebackq|delims=|tokens=\*|\s)*\Z")


def condition(parser: Parser) -> Node:
    """Return an ``if`` with both of its branches."""
    start = parser.at
    parser.at += 2
    words = _compared(parser)
    test = parser.compound(Kind.TEST, start, [], tuple(words))
    parser.blanks()
    if parser.sign in ("", "\n", "&", "|") or parser.closes():
        parser.doubt("a condition has no command", start)
    parts = [test]
    if parser.sign != "(":
        parts.append(parser.script(one_line=True))
        return parser.compound(Kind.IF, start, parts)
    parts.append(parser.block())
    match = _ELSE.match(parser.outline, parser.at)
    if match is not None:
        parser.at = match.end()
        parser.blanks()
        parts.append(parser.block() if parser.sign == "(" else parser.script(one_line=True))
    return parser.compound(Kind.IF, start, parts)


def _compared(parser: Parser) -> list[Word]:
    """Return the operands of a condition."""
    flags = _FLAGS.match(parser.outline, parser.at)
    parser.at = flags.end() if flags else parser.at
    unary = _UNARY.match(parser.outline, parser.at)
    if unary is not None:
        parser.at = unary.end()
        return _operand(parser)
    start = parser.at
    left = _operand(parser)
    operator = _BINARY.match(parser.outline, parser.at)
    if operator is None:
        parser.doubt("a condition is not complete", start)
        return left
    parser.at = operator.end()
    return left + _operand(parser)


def _operand(parser: Parser) -> list[Word]:
    parser.blanks()
    start, quoted = parser.at, False
    while parser.sign and parser.sign not in "\n&|<>":
        if parser.sign == '"':
            quoted = not quoted
        elif not quoted and parser.sign in DELIMITERS + "(":
            break
        parser.at += 1
    if start == parser.at:
        parser.doubt("a condition is not complete", start)
        return []
    return [cmd_words.single(parser.chars[start : parser.at])]


def loop(parser: Parser) -> Node | None:
    """Return a ``for``, or None, with a gap, where it is none that is understood."""
    match = _LOOP.match(parser.outline, parser.at)
    variable = parser.chars[match.end("head")] if match else None
    if match is None or variable is None or not variable.name.startswith(LOOP):
        parser.doubt("a loop is not complete")
        return None
    start = parser.at
    kind = _KIND.match(match["head"])
    head = parser.chars[match.start("head") + (kind.end() if kind else 0) : match.end("head")]
    items = parser.chars[match.start("set") : match.end("set")]
    letter = kind[1].lower() if kind else ""
    if letter == "f":
        words = _lines(parser, head, items)
    elif letter == "l":
        words = [_part(items or head, Part(kind=PartKind.ARITHMETIC))]
    else:
        words = _items(head if letter == "r" else [], items)
    parser.at = match.end()
    parser.blanks()
    if parser.sign in ("", "\n", "&", "|") or parser.closes():
        parser.doubt("a loop has no command", start)
    body = parser.script(one_line=True)
    return parser.compound(Kind.FOR, start, [body], tuple(words), variable.name)


def _part(chars: list[Char], *parts: Part) -> Word:
    return Word(parts, chars[0].start if chars else 0, chars[-1].end if chars else 0)


def _items(root: list[Char], items: list[Char]) -> list[Word]:
    """Return the words of a plain loop, each below `root` where the loop goes through a tree."""
    words = list(cmd_words.divided(items))
    folder = list(cmd_words.divided(root))
    if not folder:
        return words
    between = Part(kind=PartKind.LITERAL, text="\\", quoted=True)
    return [Word((*folder[0].parts, between, *word.parts), word.start, word.end) for word in words]


def _lines(parser: Parser, head: list[Char], items: list[Char]) -> list[Word]:
    """Return what ``for /f`` takes its values from: a text, or what a command or a file says."""
    options = "".join(char.text for char in head).strip().strip('"').strip()
    full = [at for at, char in enumerate(items) if char.name or char.text not in DELIMITERS]
    inner = items[full[0] + 1 : full[-1]] if full else []
    quote = items[full[0]].text if len(full) > 1 and items[full[0]].text == items[full[-1]].text else ""
    backquotes = "usebackq" in options.lower()
    if quote == ("`" if backquotes else "'"):
        word = _output(parser, inner)
    elif quote == ("'" if backquotes else '"'):
        word = _part(inner, *cmd_words.single(inner).parts) if inner else _part(items)
    else:
        word = _contents(items)
    lower = options.lower() + " "
    all_of_it = "tokens=* " in lower or "delims=" in lower.replace("delims= ", "delims=")
    whole = _WHOLE_LINE.match(options) is not None and all_of_it
    if options and not whole:
        return [_part(items, Part(kind=PartKind.OPAQUE, words=(word,)))]
    return [word]


def _output(parser: Parser, inner: list[Char]) -> Word:
    """Return the output of a command, which is read as text of its own."""
    from .cmd_parser import Parser as Inner

    raw = [char[:4] for char in inner]
    line = cmd_lexer.read(raw, parser.gaps)
    script = Inner(line, parser.gaps, parser.depth).script()
    return _part(inner, Part(kind=PartKind.COMMAND, script=script))


def _contents(items: list[Char]) -> Word:
    """Return the contents of files as the output of the command that prints them."""
    name = _part(items, Part(kind=PartKind.LITERAL, text="type", quoted=True))
    files = cmd_words.divided(items)
    start, end = name.start, name.end
    return _part(items, Part(kind=PartKind.COMMAND, script=Command((), (name, *files), (), start, end)))
