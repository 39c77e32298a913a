"""Conditions: ``[ … ]`` as the simple command that it is, and ``[[ … ]]`` as words in order.

The grammar reads both as expressions.  Inside single brackets that hides what a shell does:
``>`` writes a file there and ``&&`` starts another command.  Inside double brackets it hides
what a shell without ``[[`` does: there ``[[`` is a program, and ``||`` and ``>`` are operators.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...domain.shell import Command, Compound, Kind, Node, Part, PartKind, Redirection, Word
from .tree import EXPRESSIONS, WORDS, SyntaxNode

if TYPE_CHECKING:
    from .statements import StatementReader

_WORDS_IN_SINGLE = frozenset("! = == != =~ + -".split())
_TOKENS_IN_DOUBLE = frozenset("! = == != =~ && || ( )".split())
_UNARY = frozenset(f"-{letter}" for letter in "abcdefghknoprstuvwxzGLNORS")
_BINARY = frozenset("= == != =~ < > -eq -ne -lt -le -gt -ge -nt -ot -ef".split())
_WELL_FORMED = re.compile(r"(?:[!(]*(?:u[uw]|wb[uw]|wm[uwr]|w)\)*(?:[&|](?!\Z)|\Z))+")
"""A condition in which each token is a letter: its operators with their operands, and what joins them."""
_ENDS_COMMAND = re.compile(r"[|&;<>]")
_PLAIN_EXTGLOB = re.compile(r"[A-Za-z0-9_./,:@%*?+!|()-]+")
_ESCAPED = re.compile(r"\\.", re.S)
_TOUCHING = frozenset([*WORDS, "=", "==", "!=", "=~", "!", "test_operator", "regex", "extglob_pattern"])
"""What is one word with its neighbour where no blank stands between the two."""


def read(reader: StatementReader, node: SyntaxNode, *, negated: bool = False) -> Node:
    """Return the command or compound for one condition; `negated` when ``!`` stands before it."""
    span = reader.coverage.span(node)
    brackets = [child.kind for child in (node.children[:1] + node.children[1:][-1:])]
    single = brackets == ["[", "]"]
    if not single and brackets != ["[[", "]]"]:
        reader.text.gap(node.start, node.end, "a condition of a form that is not known")
        return Compound(kind=Kind.TEST, **span)
    tokens = list(_tokens(reader, node.children[1:-1]))
    _check_between(reader, node, tokens)
    for place in range(len(tokens)):
        _check_operator(reader, tokens, place, single=single, negated=negated)
    words, redirections = _words(reader, tokens, single=single)
    if not single:
        if not _WELL_FORMED.fullmatch("".join(_letter(reader, token) for token in tokens)):
            reader.text.gap(node.start, node.end, "a condition that is not well-formed")
        return Compound(kind=Kind.TEST, words=tuple(words), **span)
    words = [_literal(reader, node.children[0]), *words, _literal(reader, node.children[-1])]
    return Command((), tuple(words), tuple(redirections), **span)


def _letter(reader: StatementReader, token: SyntaxNode) -> str:
    """Return what a token of ``[[ … ]]`` is to bash (manual, "Bash Conditional Expressions")."""
    raw = reader.text.slice(token.start, token.end).replace("\\\n", "")
    if raw in ("!", "(", ")", "&&", "||"):
        return raw[0]
    if raw == "=~" or raw.startswith("("):  # only a regular expression may start with a bracket
        return "m" if raw == "=~" else "r"
    return "u" if raw in _UNARY else "b" if raw in _BINARY else "w"


def _words(reader: StatementReader, tokens: list[SyntaxNode], *, single: bool) -> tuple[list[Word], list[Redirection]]:
    words: list[Word] = []
    redirections: list[Redirection] = []
    operator: SyntaxNode | None = None
    for token in tokens:
        if token.kind not in WORDS:
            if single and token.kind in ("<", ">"):
                operator = token
            else:
                words.append(_literal(reader, token))
            continue
        if token.kind == "regex":
            _check_regex(reader, token)
        found = [_extglob(reader, token)] if _is_extglob(reader, token) else reader.word_reader.words([token])
        if operator is not None:
            target, start = found.pop(0), reader.text.point(operator.start)
            redirections.append(Redirection(operator=operator.kind, target=target, start=start, end=target.end))
            operator = None
        words.extend(found)
    if operator is not None:
        reader.text.gap(operator.start, operator.end, "a redirection without a target")
    return words, redirections


def _tokens(reader: StatementReader, nodes: list[SyntaxNode]) -> list[SyntaxNode]:
    found: list[SyntaxNode] = []
    for node in nodes:
        if node.kind in EXPRESSIONS:
            reader.word_reader.covered(node)
            found.extend(_tokens(reader, node.children))
        else:
            found.append(node)
    return found


def _is_extglob(reader: StatementReader, token: SyntaxNode) -> bool:
    raw = reader.text.slice(token.start, token.end)
    return token.kind == "extglob_pattern" and "(" in raw and _PLAIN_EXTGLOB.fullmatch(raw) is not None


def _extglob(reader: StatementReader, token: SyntaxNode) -> Word:
    """Return a pattern of bash's own, which expands nothing; elsewhere the brackets are syntax or mean another set."""
    reader.text.differs(token.start, token.end, "an extended pattern, which some shells cannot read")
    return Word((Part(kind=PartKind.OPAQUE),), **reader.coverage.span(token))


def _literal(reader: StatementReader, node: SyntaxNode) -> Word:
    raw = reader.text.slice(node.start, node.end)
    return Word((Part(kind=PartKind.LITERAL, text=raw),), reader.text.point(node.start), reader.text.point(node.end))


def _check_between(reader: StatementReader, node: SyntaxNode, tokens: list[SyntaxNode]) -> None:
    """Note a gap where tokens touch that are one word for a shell, or where it ends a command at a newline."""
    before = node.children[0]
    for token in (*tokens, node.children[-1]):
        reader.coverage.blank(before.end, token.start)
        between = reader.text.data[before.end : token.start]
        at_bracket = before is node.children[0] or token is node.children[-1]
        if at_bracket and not between.replace(b"\\\n", b"") and before.kind != ")" and token.kind != "(":
            reader.text.gap(before.start, token.end, "a bracket that belongs to a word")
        elif not between and before.kind in _TOUCHING and token.kind in _TOUCHING:
            reader.text.gap(before.start, token.end, "a word that the parser split")
        elif b"\n" in between.replace(b"\\\n", b"") and before.kind not in ("&&", "||", "("):
            reader.text.gap(before.start, token.end, "a condition of several lines")
        before = token


def _check_operator(
    reader: StatementReader, tokens: list[SyntaxNode], place: int, *, single: bool, negated: bool
) -> None:
    """Note a gap where some shell takes an operator for the end of the condition.

    A shell without ``[[`` looks for a program of that name, fails, and goes on behind ``||``; what it
    calls then is an operator like ``-f``, which is no program, unless a word or a negation stands there.
    """
    token, kind = tokens[place], tokens[place].kind
    if kind in WORDS:
        return
    if token.named or (kind not in ("<", ">") and kind not in (_WORDS_IN_SINGLE if single else _TOKENS_IN_DOUBLE)):
        reader.text.gap(token.start, token.end, f"{kind} inside a condition")
    elif single:
        return
    elif kind in ("<", ">"):
        reader.text.differs(token.start, token.end, "a shell without [[ redirects here")
    elif kind == "||" or (kind == "&&" and negated):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if following is None or following.kind != "test_operator":
            reader.text.differs(token.start, token.end, "a shell without [[ starts a command here")


def _check_regex(reader: StatementReader, token: SyntaxNode) -> None:
    """Note a gap where a shell without ``[[`` ends a command inside a regular expression."""
    raw = _ESCAPED.sub("", reader.text.slice(token.start, token.end))
    if raw.startswith("#"):
        reader.text.gap(token.start, token.end, "a comment that the parser took for a pattern")
    if raw.count("(") != raw.count(")"):
        reader.text.gap(token.start, token.end, "brackets in a pattern that do not pair")
    if raw.count("'") % 2 or raw.count('"') % 2:
        reader.text.gap(token.start, token.end, "a quote in a pattern that has no partner")
    shown = raw if "'" in raw or '"' in raw else raw.partition("(")[0]  # at an open bracket it gives up
    if _ENDS_COMMAND.search(shown):
        reader.text.differs(token.start, token.end, "a shell without [[ ends a command here")
