"""Statements: the tree's structural nodes as commands and compounds.

Each kind of node has one method; a kind without one, or text between two nodes that is
not blank, is a gap.  Rule: POSIX XCU 2.9, and bash's manual for what POSIX lacks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from attrs import evolve

from ...domain.shell import Command, Compound, Gap, Kind, Node, Part, PartKind, Redirection, Word
from . import bodies, cases, conditions
from .commands import RESERVED, CommandReader, assigned
from .coverage import Coverage, Span
from .text import Text
from .tree import WORDS, SyntaxNode
from .words import WordReader

_LEADING = frozenset(["list", "pipeline", "redirected_statement"])
"""Kinds of nodes that start with a statement of another kind, to which a reserved word in front belongs."""
_BEFORE_TIMED = ("time", "-p", "--", "!")
"""What bash takes for no program behind ``time``."""
_OPENED = re.compile(rb"[$<>]\((?:[ \t]|\\\n)*\Z")
"""The start of a substitution."""
Link = tuple[Kind, Node]
"""A command, and how it is joined to the one before."""


class StatementReader:
    """Turns the tree of one text into the model; nested texts get a reader of their own."""

    def __init__(self, text: Text, read_text: Callable[[Text, str, int, int], Node | None]) -> None:
        self.text = text
        self.coverage = Coverage(text)
        self._read_text = read_text
        self.word_reader = WordReader(text, self.inside, self.nested)
        self.commands = CommandReader(text, self.word_reader, lambda document: bodies.read(self, document))
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
            "case_statement": partial(cases.read, self),
            "function_definition": self._function,
            "test_command": partial(conditions.read, self),
            "declaration_command": self.commands.builtin,
            "unset_command": self.commands.builtin,
            "variable_assignment": self.commands.assignments,
            "variable_assignments": self.commands.assignments,
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
        before = self.text.found.mark()
        node = self._read_text(self.text, inner, start, end)
        if node is None:
            self.text.found.back(before)
        return node

    def statements(self, nodes: list[SyntaxNode], start: int, end: int) -> Node:
        """Return what a sequence of statements and separators does, in order."""
        done: list[Node] = []
        for node in nodes:
            if node.kind == "&" and done:
                at = self.text.point(node.end)
                done[-1] = Compound(kind=Kind.BACKGROUND, parts=(done[-1],), start=done[-1].start, end=at)
            elif node.kind == "file_redirect":
                redirection, extra = self.commands.redirection(node)
                done.append(self.commands.simple((), extra, (redirection,), self.coverage.span(node)))
            elif node.kind in cases.ENDS:
                self.text.gap(node.start, node.end, "the end of a case's item outside of one")
            elif node.named or node.kind not in (";", "\n"):
                done.append(self.statement(node))
        if len(done) == 1:
            return done[0]
        return Compound(kind=Kind.LIST, parts=tuple(done), start=self.text.point(start), end=self.text.point(end))

    def inside(self, node: SyntaxNode) -> Node:
        """Return what stands between the first and the last child of a node, its brackets or reserved words."""
        return self._some(self.coverage.children(node, lines=True)[1:-1], node.start, node.end)

    def _some(self, nodes: list[SyntaxNode], start: int, end: int) -> Node:
        """Return what a sequence of statements does where there must be one."""
        if not nodes:
            self.text.gap(start, end, "nothing where most shells want a command")
        return self.statements(nodes, start, end)

    def whole(self, root: SyntaxNode) -> Node:
        """Return what the whole text says, its ends included, which the parser may leave out of its tree."""
        size = len(self.text.data)
        self.coverage.continuations(root)
        self.coverage.blank(0, root.start)
        self.coverage.blank(root.end, size)
        found = self.statements(self.coverage.children(root, lines=True), 0, size)
        for place in self.commands.descriptors:
            self.text.gap(place, place + 1, "a redirection that the parser did not see")
        return found

    def statement(self, node: SyntaxNode) -> Node:
        """Return one statement; a node of an unknown kind is a gap and does nothing."""
        reader = self._kinds.get(node.kind)
        if reader is not None:
            return self._behind_prefix(node, reader(node)) if self.text.prefixes else reader(node)
        self.text.gap(node.start, node.end, f"a statement of a form that is not known ({node.kind})")
        return Compound(kind=Kind.LIST, **self.coverage.span(node))

    def _behind_prefix(self, node: SyntaxNode, read: Node) -> Node:
        """Return a statement with the reserved word that was taken out in front of it."""
        prefix = None if node.kind in _LEADING else self.text.prefixes.pop(node.start, None)
        if prefix is None or prefix.word == "!":
            return read
        span = Span(start=self.text.point(prefix.start), end=read.end)
        self.text.differs(prefix.start, node.end, f"{prefix.word} in front of this, a program in some shells")
        if prefix.word == "coproc":
            return Compound(kind=Kind.COPROC, parts=(read,), name=prefix.name, **span)
        word = Word((Part(kind=PartKind.LITERAL, text="time"),), span["start"], span["start"] + len("time"))
        return Compound(kind=Kind.LIST, parts=(Command((), (word,), (), word.start, word.end), read), **span)

    def _command(self, node: SyntaxNode) -> Node:
        command = self.commands.command(node)
        subshell = node.first("subshell")
        self._check_time(command, subshell)
        if subshell is None:
            return command
        name = self.text.slice(node.start, subshell.start).strip()
        if len(command.words) != 1 or name != "time":
            self.text.gap(node.start, node.end, "a subshell where a word is expected")
        elif _OPENED.search(self.text.data, max(node.start - 80, 0), node.start):
            self.text.gap(node.start, node.end, "time in front of a subshell, which some bash takes for a program here")
        return Compound(kind=Kind.LIST, parts=(command, self._subshell(subshell)), **self.coverage.span(node))

    def _check_time(self, command: Command, subshell: SyntaxNode | None) -> None:
        """Note a gap where ``time`` has nothing behind it, or what only a reserved word can be."""
        names = ["" if any(part.quoted for part in word.parts) else word.literal for word in command.words]
        if names[:1] != ["time"]:
            return
        place = next((place for place, name in enumerate(names) if name not in _BEFORE_TIMED), None)
        if place is None:
            doubted = subshell is None
        else:  # in an assignment bash reads on to the closing bracket
            doubted = names[place] in RESERVED or assigned(command.words[place]).endswith("[")
        if doubted:
            self.text.found.gaps.append(Gap(command.start, command.end, "time in front of no simple command"))

    def _redirected(self, node: SyntaxNode) -> Node:
        children = self.coverage.children(node)
        redirections: list[Redirection] = []
        extra: list[Word] = []
        body: Node | None = None
        for child in children:
            if child.kind == "file_redirect":
                redirection, words = self.commands.redirection(child)
                redirections.append(redirection)
                extra.extend(words)
            elif body is None:
                body = self.statement(child)
            else:
                self.text.gap(child.start, child.end, "a second command under one redirection")
        if body is None:
            return Command((), tuple(extra), tuple(redirections), **self.coverage.span(node))
        return self._with_redirections(body, redirections, extra, node)

    def _with_redirections(
        self, body: Node, redirections: list[Redirection], extra: list[Word], node: SyntaxNode
    ) -> Node:
        span = self.coverage.span(node)
        if isinstance(body, Command):
            words = body.words + tuple(extra)
            return self.commands.simple(body.assignments, words, body.redirections + tuple(redirections), span)
        last = body.parts[-1] if body.kind in (Kind.AND, Kind.OR, Kind.PIPELINE) and body.parts else None
        if last is not None and all(last.start < redirection.start for redirection in redirections):
            # the grammar hangs the redirections of the last command on the whole list
            moved = evolve(self._with_redirections(last, redirections, extra, node), start=last.start)
            return Compound(kind=body.kind, parts=(*body.parts[:-1], moved), **span)
        if extra:
            self.text.gap(node.start, node.end, "words behind a redirection of a compound command")
        return Compound(
            kind=body.kind, parts=body.parts, words=body.words, name=body.name,
            redirections=body.redirections + tuple(redirections), **span,
        )  # fmt: skip

    # --- compounds

    def _pipeline(self, node: SyntaxNode) -> Node:
        links: list[Link] = []
        for child in self.coverage.children(node, lines=True):
            if child.named:
                if links:
                    self._check_stage(child)
                links += _links(Kind.PIPELINE, self.statement(child))
            elif child.kind == "|&" and links:  # short for 2>&1 |
                links[-1] = links[-1][0], self._with_errors(links[-1][1])
            elif child.kind != "|":
                self.text.gap(child.start, child.end, "a token that is not expected here")
        return _bound(links, self.coverage.span(node))

    def _check_stage(self, node: SyntaxNode) -> None:
        """Note a gap where what stands behind a pipe starts with a reserved word that belongs to a whole pipeline."""
        if node.kind == "negated_command":
            self.text.gap(node.start, node.end, "a ! behind a pipe, which no shell takes")
        elif node.kind in _LEADING and node.children:
            self._check_stage(node.children[0])
        elif node.kind == "command" and node.first("subshell") is not None:
            self.text.gap(node.start, node.end, "time behind a pipe, which no shell takes in front of a subshell")

    def _with_errors(self, stage: Node) -> Node:
        """Return a stage whose standard error goes where its standard output goes."""
        place = Span(start=stage.start, end=stage.end)
        target = Word((Part(kind=PartKind.LITERAL, text="1"),), stage.end, stage.end)
        redirection = Redirection(operator=">&", target=target, descriptor="2", **place)
        return Compound(kind=Kind.GROUP, parts=(stage,), redirections=(redirection,), **place)

    def _and_or(self, node: SyntaxNode) -> Node:
        children = self.coverage.children(node, lines=True)
        if len(children) != 3 or children[1].kind not in ("&&", "||"):
            return self.statements(children, node.start, node.end)
        kind = Kind.AND if children[1].kind == "&&" else Kind.OR
        links = [*_links(kind, self.statement(children[0])), *_links(kind, self.statement(children[2]))]
        return _bound(links, self.coverage.span(node))

    def _negated(self, node: SyntaxNode) -> Node:
        if self.text.data[node.start + 1 : node.start + 2] not in (b" ", b"\t", b"("):
            self.text.gap(node.start, node.end, "a ! that belongs to the word behind it")
        children = self.coverage.children(node, lines=True)
        if len(children) == 2 and children[1].kind == "test_command":
            return conditions.read(self, children[1], negated=True)
        return self.statements(children[1:], node.start, node.end)

    def _subshell(self, node: SyntaxNode) -> Node:
        if self.text.data[node.start : node.start + 2] == b"((":
            self.text.gap(node.start, node.end, "brackets that some shell reads as arithmetic")
        return Compound(kind=Kind.SUBSHELL, parts=(self.inside(node),), **self.coverage.span(node))

    def _compound(self, node: SyntaxNode) -> Node:
        if node.children and node.children[0].kind == "((":
            return self._arithmetic(node)
        if self.text.data[node.start + 1 : node.start + 2] not in (b" ", b"\t", b"\n"):
            self.text.gap(node.start, node.end, "a brace that belongs to the word behind it")
        return Compound(kind=Kind.GROUP, parts=(self.inside(node),), **self.coverage.span(node))

    def _arithmetic(self, node: SyntaxNode) -> Node:
        raw = self.text.slice(node.start, node.end)
        part = Part(kind=PartKind.ARITHMETIC, text=raw[2:-2], words=self.word_reader.collect_below(node))
        return Compound(
            kind=Kind.ARITHMETIC, words=(Word((part,), **self.coverage.span(node)),), **self.coverage.span(node)
        )

    def _split(self, node: SyntaxNode, marks: tuple[str, ...]) -> list[list[SyntaxNode]]:
        """Cut the children of a node at the reserved words `marks`, which are dropped."""
        groups: list[list[SyntaxNode]] = [[]]
        for child in self.coverage.children(node, lines=True):
            if not child.named and child.kind in marks:
                groups.append([])
            elif child.kind in ("elif_clause", "else_clause"):
                inner = self._split(child, marks)
                groups.extend(inner[1:] if not inner[0] else inner)
            else:
                groups[-1].append(child)
        return groups

    def _if(self, node: SyntaxNode) -> Node:
        groups = self._split(node, ("if", "then", "elif", "else", "fi"))
        if not all(groups[1:-1]):
            self.text.gap(node.start, node.end, "nothing where most shells want a command")
        parts = tuple(self.statements(group, group[0].start, group[-1].end) for group in groups if group)
        return Compound(kind=Kind.IF, parts=parts, **self.coverage.span(node))

    def _while(self, node: SyntaxNode) -> Node:
        groups = self._split(node, ("while", "until"))
        children = groups[-1]
        condition = [child for child in children if child.kind != "do_group"]
        parts = [self._some(condition, node.start, node.end)]
        parts += [self._body(child) for child in children if child.kind == "do_group"]
        return Compound(kind=Kind.WHILE, parts=tuple(parts), **self.coverage.span(node))

    def _body(self, node: SyntaxNode) -> Node:
        if node.kind == "do_group":
            return self.inside(node)
        return self.statement(node)

    def _for(self, node: SyntaxNode) -> Node:
        words: list[Word] = []
        name, listed, before, parts = "", False, node.start, []
        chosen: tuple[Word, ...] = ()
        for group in self.coverage.groups(self.coverage.children(node, lines=True)):
            child = group[0]
            if child.kind in ("do_group", "compound_statement"):
                parts.append(self._body(child))
            elif child.kind == "variable_name" and not name:
                name = self.text.slice(child.start, child.end)
                if not name.isascii():
                    self.text.differs(child.start, child.end, "a name of a variable in some shells, an error in others")
            elif child.kind == "in":
                listed = True
            elif child.kind == "select":  # an answer that is no number gives an empty value
                chosen = (Word((Part(kind=PartKind.OPAQUE),), **self.coverage.span(child)),)
            elif child.kind in WORDS:
                self.coverage.blank(before, child.start, lines=not listed)
                words.extend(self.word_reader.words(group))
            elif child.kind not in ("for", ";", "\n"):
                self.text.gap(child.start, child.end, "a loop of a form that is not known")
            before = group[-1].end
        if not listed:
            words = [Word((Part(kind=PartKind.PARAMETER, text="@", quoted=True),), **self.coverage.span(node))]
        return Compound(
            kind=Kind.FOR, parts=tuple(parts), words=(*words, *chosen), name=name, **self.coverage.span(node)
        )

    def _loop(self, node: SyntaxNode) -> Node:
        words: list[Word] = []
        parts = []
        for child in self.coverage.children(node, lines=True):
            if child.kind in ("do_group", "compound_statement"):
                parts.append(self._body(child))
            elif child.named:
                inner = self.word_reader.collect(child)
                raw = self.text.slice(child.start, child.end)
                words.append(
                    Word((Part(kind=PartKind.ARITHMETIC, text=raw, words=inner),), **self.coverage.span(child))
                )
        return Compound(kind=Kind.LOOP, parts=tuple(parts), words=tuple(words), **self.coverage.span(node))

    def _function(self, node: SyntaxNode) -> Node:
        children = self.coverage.children(node, lines=True)
        name = ""
        parts = []
        redirections = []
        self.coverage.in_line([child for child in children if child.kind in ("(", ")")])
        for child, *_ in self.coverage.groups(children):
            if child.kind == "file_redirect":
                redirection, extra = self.commands.redirection(child)
                redirections.append(redirection)
                if extra:
                    self.text.gap(node.start, node.end, "words behind a redirection of a compound command")
            elif child.kind == "word" and not name:
                name = self.text.slice(child.start, child.end)
            elif child.named:
                parts.append(self.statement(child))
                if child.first("[") is not None:
                    self.text.gap(child.start, child.end, "a body that is no compound command")
        return Compound(
            kind=Kind.FUNCTION,
            parts=tuple(parts),
            name=name,
            redirections=tuple(redirections),
            **self.coverage.span(node),
        )


def _links(joint: Kind, node: Node) -> Iterator[Link]:
    """Yield the commands that lists and pipelines without brackets are made of, the first joined by `joint`."""
    if isinstance(node, Compound) and node.kind in (Kind.AND, Kind.OR, Kind.PIPELINE):
        for part in node.parts:
            yield from _links(joint, part)
            joint = node.kind
    else:
        yield joint, node


def _bound(links: list[Link], span: Span) -> Node:
    """Return the list of these commands, in which a pipeline binds tighter than ``&&`` and ``||``.

    The grammar takes all of ``a && b >f`` for the first stage of ``a && b >f | c``, say.
    """
    lists: list[tuple[Kind, list[Node]]] = []
    for joint, node in links:
        if joint is Kind.PIPELINE and lists:
            lists[-1][1].append(node)
        else:
            lists.append((joint, [node]))
    chain: Node | None = None
    for joint, stages in lists:
        start, end = stages[0].start, stages[-1].end
        node = stages[0]
        if len(stages) > 1:
            node = Compound(kind=Kind.PIPELINE, parts=tuple(stages), start=start, end=end)
        chain = node if chain is None else Compound(kind=joint, parts=(chain, node), start=chain.start, end=end)
    return evolve(chain, **span) if isinstance(chain, Compound) else chain or Compound(kind=Kind.LIST, **span)
