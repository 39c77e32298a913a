"""Simple commands: assignments, words and redirections (POSIX XCU 2.9.1)."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...domain.shell import Assignment, Command, Part, PartKind, Redirection, Word
from .coverage import Coverage
from .heredocs import Document
from .text import Text
from .tree import SyntaxNode
from .words import WORDS, WordReader

_RESERVED = frozenset(
    (
        "{ } ! coproc if then else elif fi for while until do done case esac select function in [[ ]] repeat "
        "foreach end always nocorrect noglob"
    ).split()
)
_TOUCHING_DIGITS = re.compile(rb"(?<=[ \t])[0-9]+\Z")
_LOOKS_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[|\+?=)")


class CommandReader:
    """Turns the nodes of simple commands of one text into the model."""

    def __init__(self, text: Text, words: WordReader, read_body: Callable[[Document], Word]) -> None:
        self.text = text
        self.words = words
        self.coverage = Coverage(text)
        self._read_body = read_body

    def command(self, node: SyntaxNode) -> Command:
        """Return a simple command; a subshell among its words is left to the caller."""
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirections: list[Redirection] = []
        for group in self.groups(self.coverage.children(node)):
            child = group[0]
            if child.kind == "variable_assignment" and not words:
                assignments.append(self._assignment(child))
            elif child.kind in ("file_redirect", "herestring_redirect"):
                redirection, extra = self.redirection(child)
                redirections.append(redirection)
                words.extend(extra)
            elif child.kind != "subshell":  # the statement reader reads it
                words.extend(self._argument(group))
        if words:
            self._check_name(words[0], node)
        return Command(tuple(assignments), tuple(words), tuple(redirections), **self.coverage.span(node))

    def groups(self, children: list[SyntaxNode]) -> list[list[SyntaxNode]]:
        """Join nodes that touch, or that only a line continuation parts: the shell reads one word there."""
        groups: list[list[SyntaxNode]] = []
        for child in children:
            inner = child.children[0] if child.kind == "command_name" and child.children else child
            if groups and inner.kind in WORDS and groups[-1][-1].kind in WORDS:
                between = self.text.data[groups[-1][-1].end : inner.start]
                if not between.replace(b"\\\n", b"") and inner.kind != "process_substitution":
                    groups[-1].append(inner)
                    continue
            groups.append([inner])
        return groups

    def _argument(self, group: list[SyntaxNode]) -> list[Word]:
        child = group[0]
        if child.kind in WORDS or child.kind == "$":
            return self.words.words(group)
        raw = self.text.slice(child.start, child.end)
        if child.named or re.search(r"[$`(){}<>|&;\"'\\]", raw):
            self.text.gap(child.start, child.end, "a token that is not expected here")
        literal = Part(kind=PartKind.LITERAL, text=raw)
        return [Word((literal,), **self.coverage.span(child))]

    def _check_name(self, name: Word, node: SyntaxNode) -> None:
        literal = name.literal
        if literal is None:
            return
        if literal in _RESERVED and not any(part.quoted for part in name.parts):
            self.text.gap(node.start, node.end, f"the reserved word {literal} where the parser saw a program")
        elif _LOOKS_ASSIGNED.match(literal) and not name.parts[0].quoted:
            self.text.gap(node.start, node.end, "an assignment that the parser took for a program")

    def builtin(self, node: SyntaxNode) -> Command:
        """``export A=1 B`` and ``unset -f f``: a simple command to which the grammar gives a kind of its own."""
        words: list[Word] = []
        for child in self.coverage.children(node):
            if child.kind == "variable_assignment":
                words.append(self._assigning_word(child))
            elif not child.named and not words:
                raw = self.text.slice(child.start, child.end)
                words.append(Word((Part(kind=PartKind.LITERAL, text=raw),), **self.coverage.span(child)))
            else:
                words.extend(self._argument([child]))
        return Command((), tuple(words), (), **self.coverage.span(node))

    def _assigning_word(self, node: SyntaxNode) -> Word:
        assignment = self._assignment(node)
        head = self.text.slice(node.start, node.end).partition("=")[0] + "="
        parts: tuple[Part, ...] = (Part(kind=PartKind.LITERAL, text=head),)
        if assignment.plain:
            for word in assignment.words:
                parts += word.parts
        else:
            parts += (Part(kind=PartKind.OPAQUE, words=assignment.words),)
        return Word(parts, **self.coverage.span(node))

    def assignments(self, node: SyntaxNode) -> Command:
        """Return assignments that stand alone."""
        nodes = [node] if node.kind == "variable_assignment" else self.coverage.children(node)
        return Command(tuple(self._assignment(child) for child in nodes), (), (), **self.coverage.span(node))

    def _assignment(self, node: SyntaxNode) -> Assignment:
        children = node.children
        span = self.text.point(node.start), self.text.point(node.end)
        if len(children) < 2 or children[1].kind not in ("=", "+="):
            self.text.gap(node.start, node.end, "an assignment of a form that is not known")
            return Assignment(self.text.slice(node.start, node.end), (), False, *span)
        target, operator, values = children[0], children[1], children[2:]
        plain = target.kind == "variable_name" and operator.kind == "=" and len(values) <= 1
        words: list[Word] = []
        if target.kind == "subscript":
            words.extend(self.words.collect_below(target))
            self._computed_subscript(target)
        for value in values:
            words.append(self.words.word(value))
        if values and (values[0].start != operator.end or len(values) > 1):
            self.text.gap(node.start, node.end, "an assignment of a form that is not known")
        plain = plain and not (values and values[0].kind == "array")
        name = self.text.slice(target.start, target.end).partition("[")[0]
        return Assignment(name, tuple(words), plain, *span)

    def _computed_subscript(self, node: SyntaxNode) -> None:
        inside = self.text.slice(node.start, node.end).partition("[")[2].rstrip("]")
        if not re.fullmatch(r"-?\d+", inside):
            self.text.gap(node.start, node.end, "a computed subscript, which the shell evaluates")

    def redirection(self, node: SyntaxNode) -> tuple[Redirection, tuple[Word, ...]]:
        """Return one redirection, and the words behind its target, which belong to the command."""
        descriptor, operator, place = "", "", node.start
        targets: list[Word] = []
        for group in self.groups(self.coverage.children(node)):
            child = group[0]
            if child.kind == "file_descriptor" and not operator:
                descriptor = self.text.slice(child.start, child.end)
            elif not operator and child.kind not in WORDS:
                operator, place = child.kind, child.start
            else:
                targets.extend(self.words.words(group))
        if not descriptor and (before := _TOUCHING_DIGITS.search(self.text.data[max(node.start - 8, 0) : node.start])):
            descriptor = before[0].decode()  # the parser gave it to the redirection before
        if (
            targets[1:]
            and node.end < len(self.text.data)
            and self.text.data[node.end] in b"<>"
            and (targets[-1].literal or "").isdigit()
        ):
            targets.pop()
        span = self.coverage.span(node)
        document = self.text.documents.pop(place, None)
        if document is not None:
            word = self._read_body(document)
            return Redirection(operator="<<", target=word, descriptor=descriptor, **span), tuple(targets[1:])
        operator = self.text.operators.get(place, operator)
        if not targets:
            if not operator.endswith("&-"):
                self.text.gap(node.start, node.end, "a redirection without a target")
            targets = [Word((Part(kind=PartKind.LITERAL, text="-"),), span["end"], span["end"])]
        return Redirection(operator=operator, target=targets[0], descriptor=descriptor, **span), tuple(targets[1:])
