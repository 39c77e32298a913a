"""Statements: the tree's structural nodes as commands and compounds.

Each kind of node has one method; a kind without one, or text between two nodes that is
not blank, is a gap.  Rule: POSIX XCU 2.9, and bash's manual for what POSIX lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...domain.shell import (
    Assignment,
    Command,
    Compound,
    Kind,
    Node,
    Part,
    PartKind,
    Redirection,
    Word,
)
from . import bodies, conditions
from .text import Text
from .tree import SyntaxNode
from .words import WORDS, WordReader

_BLANK = re.compile(rb"(?:[ \t\n]|\\\n)*\Z")
_BEFORE_COMMENT = b" \t\n;&|("
_RESERVED = frozenset(
    ["{", "}", "!", "coproc", "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done"]
    + ["case", "esac", "select", "function", "in", "[[", "]]", "repeat", "foreach", "end", "always", "nocorrect", "noglob"]
)
_LOOKS_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\[|\+?=)")


class StatementReader:
    """Turns the tree of one text into the model; nested texts get a reader of their own."""

    def __init__(self, text: Text, read_text: Callable[[Text, str, int, int], Node | None]) -> None:
        self.text = text
        self._read_text = read_text
        self.word_reader = WordReader(text, self.statements, self.nested)
        self._kinds: dict[str, Callable[[SyntaxNode], Node]] = {
            "command": self._command,
            "redirected_statement": self._redirected,
            "pipeline": self._pipeline,
            "list": self._and_or,
            "negated_command": self._negated,
            "subshell": self._subshell,
            "compound_statement": self._compound,
            "if_statement": self._if,
            "while_statement": self._while,
            "for_statement": self._for,
            "c_style_for_statement": self._loop,
            "case_statement": self._case,
            "function_definition": self._function,
            "test_command": self._test,
            "declaration_command": self._builtin_words,
            "unset_command": self._builtin_words,
            "variable_assignment": self._assignments,
            "variable_assignments": self._assignments,
        }

    def nested(self, inner: str, start: int, end: int) -> Node:
        """Return what a text says that stands inside this one, between two of its bytes."""
        node = self._read_text(self.text, inner, start, end)
        if node is None:
            self.text.gap(start, end, "a command substitution that does not parse")
            return Compound(kind=Kind.LIST)
        return node

    def attempt(self, inner: str, start: int, end: int) -> Node | None:
        """Return what `nested` would, or None without a trace when the text does not parse."""
        before = len(self.text.gaps)
        node = self._read_text(self.text, inner, start, end)
        if node is None:
            del self.text.gaps[before:]
        return node

    def statements(self, nodes: list[SyntaxNode], start: int, end: int) -> Node:
        """Return what a sequence of statements and separators does, in order."""
        done: list[Node] = []
        at = nodes[0].start if nodes else start
        for node in nodes:
            self._blank(at, node.start)
            at = node.end
            if node.kind == "comment":
                self._comment(node)
            elif node.kind == "&" and done:
                done[-1] = Compound(kind=Kind.BACKGROUND, parts=(done[-1],), start=done[-1].start, end=self.text.point(at))
            elif node.kind in ("file_redirect", "herestring_redirect"):
                redirection, extra = self._redirection(node)
                done.append(Command((), extra, (redirection,), redirection.start, redirection.end))
            elif node.named or node.kind not in (";", "\n", ";;", ";&", ";;&"):
                done.append(self.statement(node))
        if len(done) == 1:
            return done[0]
        return Compound(kind=Kind.LIST, parts=tuple(done), start=self.text.point(start), end=self.text.point(end))

    def statement(self, node: SyntaxNode) -> Node:
        """Return one statement; a node of an unknown kind is a gap and does nothing."""
        reader = self._kinds.get(node.kind)
        if reader is not None:
            return reader(node)
        self.text.gap(node.start, node.end, f"a statement of a form that is not known ({node.kind})")
        return Compound(kind=Kind.LIST, **self._span(node))

    def _span(self, node: SyntaxNode) -> dict[str, int]:
        return {"start": self.text.point(node.start), "end": self.text.point(node.end)}

    def _blank(self, start: int, end: int) -> None:
        if start < end and not _BLANK.match(self.text.data, start, end):
            self.text.gap(start, end, "text that the parser passed over")

    def _comment(self, node: SyntaxNode) -> None:
        if node.start and self.text.data[node.start - 1] not in _BEFORE_COMMENT:
            self.text.gap(node.start, node.end, "a comment that some shell may read as part of a word")
        elif self.text.data[node.start - 2 : node.start] == b"\\\n":
            self.text.gap(node.start, node.end, "a comment that a line continuation may join to a word")

    def _children(self, node: SyntaxNode) -> list[SyntaxNode]:
        """Return the children without comments, after checking that only blanks stand between them."""
        at, kept = node.start, []
        for child in node.children:
            self._blank(at, child.start)
            at = child.end
            if child.kind == "comment":
                self._comment(child)
            else:
                kept.append(child)
        self._blank(at, node.end)
        return kept

    # --- simple commands

    def _command(self, node: SyntaxNode) -> Node:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirections: list[Redirection] = []
        subshell: Node | None = None
        for group in self._groups(self._children(node)):
            child = group[0]
            if child.kind == "variable_assignment" and not words:
                assignments.append(self._assignment(child))
            elif child.kind in ("file_redirect", "herestring_redirect"):
                redirection, extra = self._redirection(child)
                redirections.append(redirection)
                words.extend(extra)
            elif child.kind == "subshell":
                subshell = self._subshell(child)
            else:
                words.extend(self._argument(group))
        if words:
            self._check_name(words[0], node)
        command = Command(tuple(assignments), tuple(words), tuple(redirections), **self._span(node))
        if subshell is None:
            return command
        if len(words) != 1 or words[0].literal != "time":
            self.text.gap(node.start, node.end, "a subshell where a word is expected")
        return Compound(kind=Kind.LIST, parts=(command, subshell), **self._span(node))

    def _groups(self, children: list[SyntaxNode]) -> list[list[SyntaxNode]]:
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
        if child.kind in WORDS:
            return self.word_reader.words(group)
        raw = self.text.slice(child.start, child.end)
        if child.kind == "$" or child.named or re.search(r"[$`(){}<>|&;\"'\\]", raw):
            self.text.gap(child.start, child.end, "a token that is not expected here")
        literal = Part(kind=PartKind.LITERAL, text=raw)
        return [Word((literal,), **self._span(child))]

    def _check_name(self, name: Word, node: SyntaxNode) -> None:
        literal = name.literal
        if literal is None:
            return
        if literal in _RESERVED and not any(part.quoted for part in name.parts):
            self.text.gap(node.start, node.end, f"the reserved word {literal} where the parser saw a program")
        elif _LOOKS_ASSIGNED.match(literal) and not name.parts[0].quoted:
            self.text.gap(node.start, node.end, "an assignment that the parser took for a program")

    def _builtin_words(self, node: SyntaxNode) -> Node:
        """``export A=1 B`` and ``unset -f f``: a simple command to which the grammar gives a kind of its own."""
        words: list[Word] = []
        for child in self._children(node):
            if child.kind == "variable_assignment":
                words.append(self._assigning_word(child))
            elif not child.named and not words:
                raw = self.text.slice(child.start, child.end)
                words.append(Word((Part(kind=PartKind.LITERAL, text=raw),), **self._span(child)))
            else:
                words.extend(self._argument([child]))
        return Command((), tuple(words), (), **self._span(node))

    def _assigning_word(self, node: SyntaxNode) -> Word:
        assignment = self._assignment(node)
        head = self.text.slice(node.start, node.end).partition("=")[0] + "="
        parts: tuple[Part, ...] = (Part(kind=PartKind.LITERAL, text=head),)
        if assignment.plain:
            for word in assignment.words:
                parts += word.parts
        else:
            parts += (Part(kind=PartKind.OPAQUE, words=assignment.words),)
        return Word(parts, **self._span(node))

    def _assignments(self, node: SyntaxNode) -> Node:
        nodes = [node] if node.kind == "variable_assignment" else self._children(node)
        return Command(tuple(self._assignment(child) for child in nodes), (), (), **self._span(node))

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
            words.extend(self.word_reader.collect_below(target))
            self._computed_subscript(target)
        for value in values:
            if value.start != children[1].end and value is values[0]:
                self._blank(node.end, node.end)
                plain = False
            words.append(self.word_reader.word(value))
        if values and (values[0].start != operator.end or len(values) > 1):
            self.text.gap(node.start, node.end, "an assignment of a form that is not known")
        plain = plain and not (values and values[0].kind == "array")
        name = self.text.slice(target.start, target.end).partition("[")[0]
        return Assignment(name, tuple(words), plain, *span)

    def _computed_subscript(self, node: SyntaxNode) -> None:
        inside = self.text.slice(node.start, node.end).partition("[")[2].rstrip("]")
        if not re.fullmatch(r"-?\d+", inside):
            self.text.gap(node.start, node.end, "a computed subscript, which the shell evaluates")

    # --- redirections

    def _redirected(self, node: SyntaxNode) -> Node:
        children = self._children(node)
        redirections: list[Redirection] = []
        extra: list[Word] = []
        body: Node | None = None
        for child in children:
            if child.kind in ("file_redirect", "herestring_redirect"):
                redirection, words = self._redirection(child)
                redirections.append(redirection)
                extra.extend(words)
            elif body is None:
                body = self.statement(child)
            else:
                self.text.gap(child.start, child.end, "a second command under one redirection")
        if body is None:
            return Command((), tuple(extra), tuple(redirections), **self._span(node))
        return self._with_redirections(body, redirections, extra, node)

    def _with_redirections(
        self, body: Node, redirections: list[Redirection], extra: list[Word], node: SyntaxNode
    ) -> Node:
        span = self._span(node)
        if isinstance(body, Command):
            words = body.words + tuple(extra)
            return Command(body.assignments, words, body.redirections + tuple(redirections), **span)
        if extra:
            self.text.gap(node.start, node.end, "words behind a redirection of a compound command")
        last = body.parts[-1] if body.kind in (Kind.AND, Kind.OR, Kind.PIPELINE) else None
        if isinstance(last, Command) and last.start < redirections[0].start:
            # the grammar hangs the redirections of the last command on the whole list
            moved = Command(
                last.assignments, last.words + tuple(extra), last.redirections + tuple(redirections), last.start, last.end
            )
            return Compound(kind=body.kind, parts=(*body.parts[:-1], moved), **span)
        return Compound(
            kind=body.kind, parts=body.parts, words=body.words, name=body.name,
            redirections=body.redirections + tuple(redirections), **span,
        )  # fmt: skip

    def _redirection(self, node: SyntaxNode) -> tuple[Redirection, tuple[Word, ...]]:
        """Return one redirection, and the words behind its target, which belong to the command."""
        descriptor, operator, place = "", "", node.start
        targets: list[Word] = []
        for group in self._groups(self._children(node)):
            child = group[0]
            if child.kind == "file_descriptor" and not operator:
                descriptor = self.text.slice(child.start, child.end)
            elif not operator and child.kind not in WORDS:
                operator, place = child.kind, child.start
            else:
                targets.extend(self.word_reader.words(group))
        span = self._span(node)
        document = self.text.documents.pop(place, None)
        if document is not None:
            word = bodies.read(self, document)
            return Redirection(operator="<<", target=word, descriptor=descriptor, **span), tuple(targets[1:])
        operator = self.text.operators.get(place, operator)
        if not targets:
            if not operator.endswith("&-"):
                self.text.gap(node.start, node.end, "a redirection without a target")
            targets = [Word((Part(kind=PartKind.LITERAL, text="-"),), span["end"], span["end"])]
        return Redirection(operator=operator, target=targets[0], descriptor=descriptor, **span), tuple(targets[1:])

    # --- compounds

    def _pipeline(self, node: SyntaxNode) -> Node:
        stages = []
        for child in self._children(node):
            if child.named:
                stages.append(self.statement(child))
            elif child.kind not in ("|", "|&"):
                self.text.gap(child.start, child.end, "a token that is not expected here")
        return Compound(kind=Kind.PIPELINE, parts=tuple(stages), **self._span(node))

    def _and_or(self, node: SyntaxNode) -> Node:
        children = self._children(node)
        if len(children) != 3 or children[1].kind not in ("&&", "||"):
            return self.statements(children, node.start, node.end)
        kind = Kind.AND if children[1].kind == "&&" else Kind.OR
        parts = (self.statement(children[0]), self.statement(children[2]))
        return Compound(kind=kind, parts=parts, **self._span(node))

    def _negated(self, node: SyntaxNode) -> Node:
        children = self._children(node)
        return self.statements(children[1:], node.start, node.end)

    def _subshell(self, node: SyntaxNode) -> Node:
        inner = self.statements(node.children[1:-1], node.start, node.end)
        return Compound(kind=Kind.SUBSHELL, parts=(inner,), **self._span(node))

    def _compound(self, node: SyntaxNode) -> Node:
        if node.children and node.children[0].kind == "((":
            return self._arithmetic(node)
        inner = self.statements(node.children[1:-1], node.start, node.end)
        return Compound(kind=Kind.GROUP, parts=(inner,), **self._span(node))

    def _arithmetic(self, node: SyntaxNode) -> Node:
        raw = self.text.slice(node.start, node.end)
        part = Part(kind=PartKind.ARITHMETIC, text=raw[2:-2], words=self.word_reader.collect_below(node))
        return Compound(kind=Kind.ARITHMETIC, words=(Word((part,), **self._span(node)),), **self._span(node))

    def _split(self, nodes: list[SyntaxNode], marks: tuple[str, ...]) -> list[list[SyntaxNode]]:
        """Cut a list of children at the reserved words `marks`, which are dropped."""
        groups: list[list[SyntaxNode]] = [[]]
        for child in nodes:
            if not child.named and child.kind in marks:
                groups.append([])
            elif child.kind in ("elif_clause", "else_clause"):
                inner = self._split(child.children, marks)
                groups.extend(inner[1:] if not inner[0] else inner)
            else:
                groups[-1].append(child)
        return groups

    def _if(self, node: SyntaxNode) -> Node:
        groups = self._split(node.children, ("if", "then", "elif", "else", "fi"))
        parts = tuple(self.statements(group, group[0].start, group[-1].end) for group in groups if group)
        return Compound(kind=Kind.IF, parts=parts, **self._span(node))

    def _while(self, node: SyntaxNode) -> Node:
        groups = self._split(node.children, ("while", "until"))
        children = groups[-1]
        condition = [child for child in children if child.kind != "do_group"]
        parts = [self.statements(condition, node.start, node.end)]
        parts += [self._body(child) for child in children if child.kind == "do_group"]
        return Compound(kind=Kind.WHILE, parts=tuple(parts), **self._span(node))

    def _body(self, node: SyntaxNode) -> Node:
        if node.kind == "do_group":
            return self.statements(node.children[1:-1], node.start, node.end)
        return self.statement(node)

    def _for(self, node: SyntaxNode) -> Node:
        words: list[Word] = []
        name, listed, parts = "", False, []
        for child in self._children(node):
            if child.kind in ("do_group", "compound_statement"):
                parts.append(self._body(child))
            elif child.kind == "variable_name" and not name:
                name = self.text.slice(child.start, child.end)
            elif child.kind == "in":
                listed = True
            elif child.kind in WORDS:
                words.extend(self.word_reader.words([child]))
        if not listed:
            words = [Word((Part(kind=PartKind.PARAMETER, text="@", quoted=True),), **self._span(node))]
        return Compound(kind=Kind.FOR, parts=tuple(parts), words=tuple(words), name=name, **self._span(node))

    def _loop(self, node: SyntaxNode) -> Node:
        words: list[Word] = []
        parts = []
        for child in self._children(node):
            if child.kind in ("do_group", "compound_statement"):
                parts.append(self._body(child))
            elif child.named:
                inner = self.word_reader.collect(child)
                raw = self.text.slice(child.start, child.end)
                words.append(Word((Part(kind=PartKind.ARITHMETIC, text=raw, words=inner),), **self._span(child)))
        return Compound(kind=Kind.LOOP, parts=tuple(parts), words=tuple(words), **self._span(node))

    def _case(self, node: SyntaxNode) -> Node:
        words: list[Word] = []
        parts = []
        for child in self._children(node):
            if child.kind == "case_item":
                patterns, statements = self._case_item(child)
                words.extend(patterns)
                parts.append(statements)
            elif child.kind in WORDS:
                words.append(self.word_reader.word(child))
            elif child.named:
                self.text.gap(child.start, child.end, "a case of a form that is not known")
        return Compound(kind=Kind.CASE, parts=tuple(parts), words=tuple(words), **self._span(node))

    def _case_item(self, node: SyntaxNode) -> tuple[list[Word], Node]:
        close = next((place for place, child in enumerate(node.children) if child.kind == ")"), None)
        if close is None:
            self.text.gap(node.start, node.end, "a case of a form that is not known")
            close = -1
        patterns = [self.word_reader.word(child) for child in node.children[:close] if child.named]
        return patterns, self.statements(node.children[close + 1 :], node.start, node.end)

    def _function(self, node: SyntaxNode) -> Node:
        children = self._children(node)
        name = ""
        parts = []
        redirections = []
        for child in children:
            if child.kind in ("file_redirect", "herestring_redirect"):
                redirections.append(self._redirection(child)[0])
            elif child.kind == "word" and not name:
                name = self.text.slice(child.start, child.end)
            elif child.named:
                parts.append(self.statement(child))
        return Compound(
            kind=Kind.FUNCTION, parts=tuple(parts), name=name, redirections=tuple(redirections), **self._span(node)
        )

    def _test(self, node: SyntaxNode) -> Node:
        return conditions.read(self, node)
