"""Simple commands: assignments, words and redirections (POSIX XCU 2.9.1)."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import takewhile

from ...domain.shell import Assignment, Command, Gap, Part, PartKind, Redirection, Word
from .coverage import Coverage, Span
from .heredocs import Document
from .text import Text
from .tree import JOINED, WORDS, SyntaxNode
from .words import WordReader

RESERVED = frozenset(
    "{ } ! coproc if then else elif fi for while until do done case esac select function in [[ ]]".split()
)
_RESERVED_IN_ZSH = frozenset("repeat foreach end always nocorrect noglob".split())
_OPERATORS = frozenset("< > >> >| <& >& &> &>>".split())
_DESCRIPTOR = re.compile(r"[0-9]+|\{[A-Za-z_][A-Za-z0-9_]*\}")
_ENDS_WORD = (b"", *(bytes((char,)) for char in b" \t\n;&|()<>"))
_MOVED = re.compile(r"[0-9]+-")
_LOST_DESCRIPTOR = re.compile(rb"(?:\A|[ \t\n;&|()<>])[0-9]+\Z")
_SPACED_DESCRIPTOR = re.compile(rb"(?:\A|[ \t\n;&|()<>])\{[A-Za-z0-9_]+\}[ \t]*\Z")
_LOOKS_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[|\+?=)")


def assigned(name: Word) -> str:
    """Return the start of a word that looks like an assignment, up to its bracket or sign; empty for another word."""
    bare = takewhile(lambda part: part.kind is PartKind.LITERAL and not part.quoted, name.parts)
    head = "".join(part.text for part in bare)
    found = _LOOKS_ASSIGNED.match(name.literal or head) if head else None
    return found[0] if found else ""


class CommandReader:
    """Turns the nodes of simple commands of one text into the model."""

    def __init__(self, text: Text, words: WordReader, read_body: Callable[[Document], Word]) -> None:
        self.text = text
        self.words = words
        self.coverage = Coverage(text)
        self._read_body = read_body
        self.descriptors: dict[int, str] = {}
        """Descriptors that the parser took for words, by the byte at which their redirection starts."""

    def command(self, node: SyntaxNode) -> Command:
        """Return a simple command; a subshell among its words is left to the caller."""
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirections: list[Redirection] = []
        for group in self.coverage.groups(self.coverage.children(node)):
            child = group[0]
            if child.kind == "variable_assignment":
                if words or self._is_word(child):
                    words.append(self._assigning_word(child))
                else:
                    assignments.append(self._assignment(child))
                    if len(assignments) > 1 and redirections and child.children[-1].kind == "array":
                        self.text.gap(child.start, child.end, "an array behind a redirection, which bash does not take")
            elif child.kind == "file_redirect":
                redirection, extra = self.redirection(child)
                redirections.append(redirection)
                words.extend(extra)
            elif child.kind != "subshell":  # the statement reader reads it
                words.extend(self._argument(group))
        return self.simple(tuple(assignments), tuple(words), tuple(redirections), self.coverage.span(node))

    def simple(
        self,
        assignments: tuple[Assignment, ...],
        words: tuple[Word, ...],
        redirections: tuple[Redirection, ...],
        span: Span,
    ) -> Command:
        """Return a simple command; a shell without ``&>`` ends it at the ``&``, so words behind that are a gap."""
        both = next((redirection.start for redirection in redirections if redirection.operator.startswith("&")), None)
        if both is not None and words and words[-1].start > both:
            self.text.found.differences.append(Gap(both, span["end"], "words behind &>, a command in some shells"))
        if words:
            self._check_name(words[0], span)
        return Command(assignments, words, redirections, **span)

    def _is_word(self, node: SyntaxNode) -> bool:
        """Return whether bash takes an assignment for a word, since its name is not in ASCII; zsh does not."""
        if self.text.slice(node.start, node.end).partition("=")[0].isascii():
            return False
        self.text.differs(node.start, node.end, "the name of a variable in some shells, of a program in others")
        return True

    def _argument(self, group: list[SyntaxNode]) -> list[Word]:
        child = group[0]
        if self._is_descriptor(group):
            return []
        if child.kind in JOINED:
            return self.words.words(group)
        raw = self.text.slice(child.start, child.end)
        around = self.text.data[child.start - 1 : child.start] + self.text.data[child.end : child.end + 1]
        if raw not in ("==", "=~") or around.strip(b" \t\n;&|"):
            self.text.gap(child.start, child.end, "a token that is not expected here")
        literal = Part(kind=PartKind.LITERAL, text=raw)
        return [Word((literal,), **self.coverage.span(child))]

    def _check_name(self, name: Word, span: Span) -> None:
        literal, found = name.literal, self.text.found
        if literal is None:
            if assigned(name):
                found.gaps.append(Gap(**span, why="an assignment that the parser took for a program"))
            return
        bare = not any(part.quoted for part in name.parts)
        if literal in RESERVED and bare:
            found.gaps.append(Gap(**span, why=f"the reserved word {literal} where the parser saw a program"))
        elif literal in _RESERVED_IN_ZSH and bare:
            found.differences.append(Gap(**span, why=f"{literal} is a reserved word of zsh"))
        elif assigned(name):
            found.gaps.append(Gap(**span, why="an assignment that the parser took for a program"))
        elif literal.startswith("!") and name.parts[0].text and not name.parts[0].quoted:
            found.differences.append(Gap(**span, why="a name that starts with !, which zsh takes off behind &"))

    def builtin(self, node: SyntaxNode) -> Command:
        """``export A=1 B`` and ``unset -f f``: a simple command to which the grammar gives a kind of its own."""
        words: list[Word] = []
        for group in self.coverage.groups(self.coverage.children(node)):
            child = group[0]
            if child.kind == "variable_assignment":
                self._is_word(child)
                words.append(self._assigning_word(child))
            elif not child.named and not words:
                raw = self.text.slice(child.start, child.end)
                words.append(Word((Part(kind=PartKind.LITERAL, text=raw),), **self.coverage.span(child)))
            else:
                words.extend(self._argument(group))
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
        assignments: list[Assignment] = []
        words: list[Word] = []
        for child in nodes:
            if words or self._is_word(child):
                words.append(self._assigning_word(child))
            else:
                assignments.append(self._assignment(child))
        return Command(tuple(assignments), tuple(words), (), **self.coverage.span(node))

    def _assignment(self, node: SyntaxNode) -> Assignment:
        children = self.coverage.children(node)
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
        if name.isascii() and not name.isidentifier():
            self.text.gap(node.start, node.end, "an assignment of a form that is not known")
        return Assignment(name, tuple(words), plain, *span, operator.kind == "+=")

    def _computed_subscript(self, node: SyntaxNode) -> None:
        inside = self.text.slice(node.start, node.end).partition("[")[2].rstrip("]")
        if not re.fullmatch(r"-?\d+", inside):
            self.text.gap(node.start, node.end, "a computed subscript, which the shell evaluates")

    def redirection(self, node: SyntaxNode) -> tuple[Redirection, tuple[Word, ...]]:
        """Return one redirection, and the words around it that belong to the command."""
        descriptor, operator, place = self.descriptors.pop(node.start, ""), "", node.start
        begin = node.start - len(descriptor)
        before: list[Word] = []
        groups: list[list[SyntaxNode]] = []
        for group in self.coverage.groups(self.coverage.children(node)):
            child = group[0]
            raw = self.text.slice(child.start, child.end)
            if child.kind == "file_descriptor" and not operator and _DESCRIPTOR.fullmatch(raw):
                descriptor = raw
            elif child.kind == "file_descriptor" and not operator:
                before = self.words.words(group)  # such as -2 in ``head -2>file``
            elif not operator and child.kind not in WORDS:
                operator, place = child.kind, child.start
            else:
                groups.append(group)
        if groups and self._is_descriptor(groups[-1]):
            groups.pop()
        self._check_descriptor(node, descriptor)
        targets = 0 if operator.endswith("&-") else 1
        target = self._target(node, place, operator, groups[:targets])
        end = groups[0][-1].end if groups[:targets] else place + len(operator)
        span = Span(start=self.text.point(place if before else begin), end=self.text.point(end))
        extra = (*before, *(word for group in groups[targets:] for word in self.words.words(group)))
        document = self.text.documents.pop(place, None)
        if document is not None:
            body = self._read_body(document)
            return Redirection(operator="<<", target=body, descriptor=descriptor, **span), extra
        operator = self.text.operators.pop(place, operator)
        return Redirection(operator=operator, target=target, descriptor=descriptor, **span), extra

    def _target(self, node: SyntaxNode, place: int, operator: str, groups: list[list[SyntaxNode]]) -> Word:
        if not groups:
            end = place + len(operator)
            if not operator.endswith("&-") or self.text.data[end : end + 1] not in _ENDS_WORD:
                self.text.gap(node.start, node.end, "a redirection without a target")
            return Word((Part(kind=PartKind.LITERAL, text="-"),), self.text.point(end), self.text.point(end))
        found = self.words.words(groups[0])
        start, end = groups[0][0].start, groups[0][-1].end
        if operator not in _OPERATORS:
            self.text.gap(node.start, node.end, "a redirection with an operator that is not known")
        elif len(found) > 1:
            self.text.gap(start, end, "braces behind a redirection, which shells read differently")
        elif ">" in operator and self.text.data[start : start + 1] == b"!":
            self.text.differs(start, end, "zsh reads ! as a part of the operator")
        elif operator.endswith("&") and b"\\" in self.text.data[start:end]:
            self.text.gap(start, end, "a backslash behind a duplication, which bash takes away twice")
        elif operator.endswith("&") and _MOVED.fullmatch(self.text.slice(start, end)):
            self.text.differs(start, end, "a descriptor that is moved, which zsh reads as a file")
        return found[0]

    def _is_descriptor(self, group: list[SyntaxNode]) -> bool:
        """Keep what the parser took for a word, and what is the descriptor of the redirection that it touches."""
        end = group[-1].end
        raw = self.text.slice(group[0].start, end)
        if self.text.data[end : end + 1] not in (b"<", b">") or not _DESCRIPTOR.fullmatch(raw):
            return False
        self.descriptors[end] = raw
        return True

    def _check_descriptor(self, node: SyntaxNode, descriptor: str) -> None:
        before = self.text.data[max(node.start - 80, 0) : node.start]
        if not descriptor and _LOST_DESCRIPTOR.search(before):
            self.text.gap(node.start, node.end, "a descriptor that the parser took for a word")
        elif descriptor.startswith("{"):
            self.text.differs(node.start, node.end, "a descriptor that is kept in a variable, a word in some shells")
        elif len(descriptor) > 1:
            self.text.differs(node.start, node.end, "a descriptor of several digits, a word in some shells")
        elif _SPACED_DESCRIPTOR.search(before):
            self.text.differs(node.start, node.end, "braces that look like a descriptor")
