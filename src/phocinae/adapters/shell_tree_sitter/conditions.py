"""Conditions: ``[ … ]`` as the simple command that it is, and ``[[ … ]]`` as words in order.

The grammar reads both as expressions.  Inside single brackets that hides what a shell does:
``>`` writes a file there and ``&&`` starts another command.  Inside double brackets it hides
what a shell without ``[[`` does: there ``[[`` is a program, and ``||`` and ``>`` are operators.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...domain.shell import Command, Compound, Kind, Node, Part, PartKind, Redirection, Word
from .tree import WORDS, SyntaxNode

if TYPE_CHECKING:
    from .statements import StatementReader

_EXPRESSIONS = frozenset(
    ["binary_expression", "unary_expression", "parenthesized_expression", "ternary_expression", "postfix_expression"]
)


_WORDS_IN_SINGLE = frozenset("! = == != =~ + -".split())
_TOKENS_IN_DOUBLE = frozenset("! = == != =~ && || ( )".split())
_ENDS_COMMAND = re.compile(r"[|&;<>]")
_ESCAPED = re.compile(r"\\.", re.S)


def read(reader: StatementReader, node: SyntaxNode, *, negated: bool = False) -> Node:
    """Return the command or compound for one condition; `negated` when ``!`` stands before it."""
    span = reader.coverage.span(node)
    single = node.children[0].kind == "["
    tokens = list(_tokens(reader, node.children[1:-1]))
    if not single and node.children[0].kind != "[[":
        reader.text.gap(node.start, node.end, "a condition of a form that is not known")
    words: list[Word] = [_literal(reader, node.children[0])] if single else []
    redirections: list[Redirection] = []
    operator = ""
    _check_between(reader, node.children[0], tokens)
    for place, token in enumerate(tokens):
        if token.kind not in WORDS:
            _check_operator(reader, tokens, place, single=single, negated=negated)
            if single and token.kind in ("<", ">"):
                operator = token.kind
            else:
                words.append(_literal(reader, token))
            continue
        if token.kind == "regex":
            _check_regex(reader, token)
        found = reader.word_reader.words([token])
        if operator:
            redirections.append(Redirection(operator=operator, target=found.pop(0), **span))
            operator = ""
        words.extend(found)
    if single:
        words.append(_literal(reader, node.children[-1]))
        return Command((), tuple(words), tuple(redirections), **span)
    return Compound(kind=Kind.TEST, words=tuple(words), **span)


def _tokens(reader: StatementReader, nodes: list[SyntaxNode]) -> list[SyntaxNode]:
    found: list[SyntaxNode] = []
    for node in nodes:
        if node.kind in _EXPRESSIONS:
            reader.word_reader.covered(node)
            found.extend(_tokens(reader, node.children))
        else:
            found.append(node)
    return found


def _literal(reader: StatementReader, node: SyntaxNode) -> Word:
    raw = reader.text.slice(node.start, node.end)
    return Word((Part(kind=PartKind.LITERAL, text=raw),), reader.text.point(node.start), reader.text.point(node.end))


def _check_between(reader: StatementReader, opening: SyntaxNode, tokens: list[SyntaxNode]) -> None:
    """Note a gap where tokens touch that are one word for a shell, or where it ends a command at a newline."""
    before = opening
    for token in tokens:
        between = reader.text.data[before.end : token.start]
        if not between and before.kind in WORDS and token.kind in WORDS:
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
    why = ""
    if token.named:
        why = f"{kind} inside a condition"
    elif single:
        if kind not in _WORDS_IN_SINGLE and kind not in ("<", ">"):
            why = f"{kind} inside a condition"
    elif kind in ("<", ">"):
        why = "a shell without [[ redirects here"
    elif kind not in _TOKENS_IN_DOUBLE:
        why = f"{kind} inside a condition"
    elif kind == "||" or (kind == "&&" and negated):
        following = tokens[place + 1] if place + 1 < len(tokens) else None
        if following is None or following.kind != "test_operator":
            why = "a shell without [[ starts a command here"
    if why:
        reader.text.gap(token.start, token.end, why)


def _check_regex(reader: StatementReader, token: SyntaxNode) -> None:
    """Note a gap where a shell without ``[[`` ends a command inside a regular expression."""
    raw = _ESCAPED.sub("", reader.text.slice(token.start, token.end))
    shown = raw if "'" in raw or '"' in raw else raw.partition("(")[0]  # at an open bracket it gives up
    if _ENDS_COMMAND.search(shown):
        reader.text.gap(token.start, token.end, "a shell without [[ ends a command here")
