"""Conditions: ``[ … ]`` as the simple command that it is, and ``[[ … ]]`` as words in order.

The grammar reads both as expressions.  Inside single brackets that hides what a shell does:
``>`` writes a file there and ``&&`` starts another command.  Inside double brackets it hides
what a shell without ``[[`` does: there ``[[`` is a program, and ``||`` and ``>`` are operators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...domain.shell import Command, Compound, Kind, Node, Part, PartKind, Redirection, Word
from .tree import SyntaxNode
from .words import WORDS

if TYPE_CHECKING:
    from .statements import StatementReader

_EXPRESSIONS = frozenset(
    ["binary_expression", "unary_expression", "parenthesized_expression", "ternary_expression", "postfix_expression"]
)


def read(reader: StatementReader, node: SyntaxNode) -> Node:
    """Return the command or compound for one condition."""
    span = reader.coverage.span(node)
    single = node.children[0].kind == "["
    tokens = list(_tokens(reader, node.children[1:-1]))
    if not single and node.children[0].kind != "[[":
        reader.text.gap(node.start, node.end, "a condition of a form that is not known")
    words: list[Word] = [_literal(reader, node.children[0])] if single else []
    redirections: list[Redirection] = []
    operator = ""
    end = -1
    for place, token in enumerate(tokens):
        if token.start == end and token.kind in WORDS:
            reader.text.gap(token.start, token.end, "a word that the parser split")
        end = token.end if token.kind in WORDS else -1
        if token.kind not in WORDS:
            _check(reader, single, tokens, place)
            if single and token.kind in ("<", ">"):
                operator = token.kind
                continue
            words.append(_literal(reader, token))
            continue
        found = reader.word_reader.words([token])
        if operator:
            redirections.append(Redirection(operator=operator, target=found[0], **span))
            operator = ""
        else:
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


def _check(reader: StatementReader, single: bool, tokens: list[SyntaxNode], place: int) -> None:
    """Note a gap where some shell takes an operator for the end of the condition."""
    token = tokens[place]
    kind = token.kind
    if token.named or (single and kind in ("&&", "||", "(", ")", "`", "$")):
        reader.text.gap(token.start, token.end, f"{kind} inside a condition")
    elif not single and kind in ("<", ">"):
        reader.text.gap(token.start, token.end, "a shell without [[ redirects here")
    elif not single and kind == "||":
        following = next((found for found in tokens[place + 1 :] if found.kind != "!"), None)
        if following is None or following.kind != "test_operator":
            reader.text.gap(token.start, token.end, "a shell without [[ starts a command here")
