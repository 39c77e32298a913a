"""Walks over a script as a shell would, and judges every command on the way.

Both sides of every branch are taken, loops go round until nothing new is learnt, and what
differs between two ways becomes unknown.  Nothing is ever skipped because it might not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from . import expand, values
from .assignments import matters, runs_value
from .calls import Call
from .redirections import redirect
from .rules import RULES
from .shell import Assignment, Command, Compound, Kind, Node, ShellReader, Word
from .values import HOLE, NO_STREAM, UNKNOWN_STREAM, Field, Stream, Taint
from .variables import Variables
from .verdict import Decision, Hit, ReadingStatus, Weight

MOST_STEPS = 3_000
"""Commands that one text may make the walk judge, loops and calls included."""
MOST_DEPTH = 10
"""How deep commands may be carried inside commands (``sh -c``, ``xargs``, functions)."""
MOST_ROUNDS = 16
"""Words of a loop that are each judged for themselves."""


class TooMuch(Exception):
    """The text makes the walk judge more commands than a verdict may cost."""


class Walker:
    """The judging of one text; collects hits.

    Walks are made anew for every text, and hold all that a judgement changes.
    """

    def __init__(self, reader: ShellReader, project_code: Decision) -> None:
        self.reader = reader
        self.project_code = project_code
        self.hits: dict[tuple[str, int, int, str], Hit] = {}
        self.steps = 0
        self.depth = 0
        self.running: list[str] = []
        self.status = ReadingStatus.COMPLETE

    def note(self, rule: str, place: Word | Field | Command | Compound, about: str) -> None:
        """Keep a hit of `rule` on the part of the text where `place` stands; `about` is a value."""
        self.add(rule, place.start, place.end, values.show(about))

    def add(self, rule: str, start: int, end: int, shown: str, weight: Weight | None = None) -> None:
        """Keep a hit, once for each place and reason."""
        found = RULES[rule]
        reason = found.reason.format(it=_without_secrets(shown))
        key = (rule, start, end, reason)
        if key not in self.hits:
            weight = found.weight if weight is None else weight
            self.hits[key] = Hit(rule=rule, weight=weight, reason=reason, start=start, end=end, remedy=found.remedy)

    # --- running

    def run(self, node: Node, state: Variables, stdin: Stream) -> Stream:
        """Judge `node`, change `state` as it would, and return what it prints."""
        if isinstance(node, Command):
            return self._command(node, state, stdin)
        for redirection in node.redirections:
            stdin, _ = redirect(self, redirection, state, stdin)
        return _COMPOUNDS[node.kind](self, node, state, stdin)

    def text(self, text: str, place: Field, state: Variables) -> Stream:
        """Judge shell text that the command carries, all of whose hits stand where it is carried."""
        if self.depth >= MOST_DEPTH:
            self.note("too-deep", place, place.text)
            return UNKNOWN_STREAM
        reading = self.reader.read(text)
        for gap in reading.gaps:
            self.add("unread" if reading.script else "does-not-parse", place.start, place.end, gap.why)
        if reading.script is None:
            return UNKNOWN_STREAM
        before, self.hits = self.hits, {}
        self.depth += 1
        try:
            return self.run(reading.script, state, UNKNOWN_STREAM)
        finally:
            self.depth -= 1
            inner, self.hits = self.hits, before
            for hit in inner.values():
                moved = Hit(
                    rule=hit.rule,
                    weight=hit.weight,
                    reason=hit.reason,
                    start=place.start,
                    end=place.end,
                    remedy=hit.remedy,
                )
                self.hits.setdefault((hit.rule, place.start, place.end, hit.reason), moved)

    def call(self, argv: list[Field], state: Variables, stdin: Stream) -> Stream:
        """Judge one call: a program's name and its arguments, already expanded."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise TooMuch
        if self.depth >= MOST_DEPTH:
            self.note("too-deep", argv[0], argv[0].text)
            return UNKNOWN_STREAM
        self.depth += 1
        try:
            return Call(self, argv, state, stdin).judge()
        finally:
            self.depth -= 1

    def _command(self, command: Command, state: Variables, stdin: Stream) -> Stream:
        argv = [field for word in command.words for field in expand.fields(self, word, state)]
        scope = state.copy() if argv and command.assignments else state
        for assignment in command.assignments:
            self.assign(assignment, scope, state)
            if matters(assignment.name, argv):
                self._risky_assignment(assignment, scope)
        written = False
        for redirection in command.redirections:
            stdin, wrote = redirect(self, redirection, scope, stdin)
            written = written or wrote
        if not argv:
            return stdin if command.redirections and not command.words else NO_STREAM
        output = self.call(argv, scope, stdin)
        if scope is not state:
            state.cwd, state.functions, state.positional = scope.cwd, scope.functions, scope.positional
        return NO_STREAM if written else output

    def assign(self, assignment: Assignment, scope: Variables, state: Variables) -> None:
        """Give the variable its value; an array, a subscript or an addition makes it unknown."""
        fields = [expand.single(self, word, state) for word in assignment.words]
        if not assignment.plain:
            scope.forget(assignment.name)
        elif fields:
            scope.set(assignment.name, (fields[0].text, fields[0].taint))
        else:
            scope.set(assignment.name, ("", Taint.NONE))

    def _risky_assignment(self, assignment: Assignment, scope: Variables) -> None:
        place = Field(assignment.name, assignment.start, assignment.end)
        value = scope.get(assignment.name)
        self.note("sets-variable", place, assignment.name)
        if value is not None and runs_value(assignment.name):
            field = Field(value[0], assignment.start, assignment.end)
            if field.static:
                self.text(field.static, field, scope.copy())

    # --- compounds

    def _list(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        return _together([self.run(part, state, stdin) for part in node.parts])

    def _chain(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        """``a && b || c``: what follows ``&&`` sees success, what follows ``||`` sees any end so far."""
        links: list[tuple[Kind, Node]] = []
        left: Node = node
        while isinstance(left, Compound) and left.kind in (Kind.AND, Kind.OR) and not left.redirections:
            links.append((left.kind, left.parts[1]))
            left = left.parts[0]
        links.append((Kind.AND, left))
        current = state.copy()
        ends: list[Variables] = []
        outputs: list[Stream] = []
        for kind, part in reversed(links):
            if kind is Kind.OR:
                current = _joined(ends)
            outputs.append(self.run(part, current, stdin))
            ends.append(current.copy())
            if kind is Kind.OR:
                current = _joined(ends)
        state.become(_joined(ends))
        return (
            _together(outputs) if all(kind is Kind.AND for kind, _ in links) else _together([*outputs, UNKNOWN_STREAM])
        )

    def _pipeline(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        flow = stdin
        for stage in node.parts:
            flow = self.run(stage, state.copy(), flow)
        return flow

    def _apart(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        return self.run(node.parts[0], state.copy(), stdin)

    def _group(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        return self.run(node.parts[0], state, stdin)

    def _if(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        taint = Taint.NONE
        ends: list[Variables] = []
        parts = list(node.parts)
        while parts:
            if len(parts) > 1:
                taint |= self.run(parts.pop(0), state, stdin).taint
            inside = state.copy()
            taint |= self.run(parts.pop(0), inside, stdin).taint
            ends.append(inside)
        for end in ends:
            state.join(end)
        return Stream(None, taint)

    def _rounds(self, body: Callable[[Variables], Stream], state: Variables) -> Stream:
        """Judge a loop's body, and once more with all that it changes unknown."""
        start = state.copy()
        output = body(state)
        state.join(start)
        return Stream(None, output.taint | body(state).taint)

    def _while(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        def body(inside: Variables) -> Stream:
            output = NO_STREAM
            for part in node.parts:
                output = Stream(None, output.taint | self.run(part, inside, stdin).taint)
            return output

        return self._rounds(body, state)

    def _for(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        words = [field for word in node.words for field in expand.fields(self, word, state)]
        several = len(words) > MOST_ROUNDS or any(field.many for field in words)
        rounds = [Field(HOLE, node.start, node.end)] if several else words

        def body(inside: Variables) -> Stream:
            output = NO_STREAM
            for field in rounds:
                inside.set(node.name, (field.text, field.taint))
                for part in node.parts:
                    output = Stream(None, output.taint | self.run(part, inside, stdin).taint)
            return output

        if not rounds:
            for part in node.parts:
                self.run(part, state.copy(), stdin)
            return NO_STREAM
        return self._rounds(body, state)

    def _loop(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        for word in node.words:
            for part in word.parts:
                expand.arithmetic(self, part, state, word)
        self.note("evaluates-text", node, "((")
        return self._while(node, state, stdin)

    def _case(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        for word in node.words:
            expand.single(self, word, state)
        taint = Taint.NONE
        ends = []
        for part in node.parts:
            inside = state.copy()
            taint |= self.run(part, inside, stdin).taint
            ends.append(inside)
        for end in ends:
            state.join(end)
        return Stream(None, taint)

    def _function(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        self.note("changes-shell", node, node.name)
        for part in node.parts:
            if _forks(part, node.name):
                self.note("fork-bomb", node, node.name)
            state.functions[node.name] = part
            inside = state.copy()
            inside.functions.pop(node.name)  # its own calls are judged when it is called
            inside.positional = None
            self.run(part, inside, UNKNOWN_STREAM)
        return NO_STREAM

    def _test(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        fields = [expand.single(self, word, state) for word in node.words]
        for place, field in enumerate(fields):
            if field.text in ("-v", "-R"):
                self.note("evaluates-text", node, field.text)
            elif field.text in _COMPARISONS:
                for side in (place - 1, place + 1):
                    if 0 <= side < len(fields) and not fields[side].numeric:
                        self.note("evaluates-text", node, fields[side].text)
        return NO_STREAM

    def _arithmetic(self, node: Compound, state: Variables, stdin: Stream) -> Stream:
        for word in node.words:
            for part in word.parts:
                expand.arithmetic(self, part, state, word)
        self.note("evaluates-text", node, "((")  # a shell without (( runs a subshell here
        return NO_STREAM


_MAY_HOLD_SECRET = re.compile(r"[=:@]|[^/\s]{16}")


def _without_secrets(shown: str) -> str:
    """Return text for a reason with its secrets masked; plain words do not load what that takes."""
    if _MAY_HOLD_SECRET.search(shown) is None:
        return shown
    from .masking import mask

    return mask(shown)


_COMPARISONS = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"])


def _joined(states: list[Variables]) -> Variables:
    first = states[0].copy()
    for other in states[1:]:
        first.join(other)
    return first


def _together(outputs: list[Stream]) -> Stream:
    """Return the output of commands that print one after the other."""
    if len(outputs) == 1:
        return outputs[0]
    taint = Taint.NONE
    for output in outputs:
        taint |= output.taint
    texts = [output.text for output in outputs if output.text is not None]
    return Stream("".join(texts) if len(texts) == len(outputs) else None, taint)


def _forks(node: Node, name: str, *, forking: bool = False) -> bool:
    """Return whether a function's body calls the function in a pipeline or in the background."""
    if isinstance(node, Command):
        return forking and bool(node.words) and node.words[0].literal == name
    forking = forking or node.kind in (Kind.PIPELINE, Kind.BACKGROUND)
    return any(_forks(part, name, forking=forking) for part in node.parts)


_COMPOUNDS: dict[Kind, Callable[[Walker, Compound, Variables, Stream], Stream]] = {
    Kind.LIST: Walker._list,
    Kind.AND: Walker._chain,
    Kind.OR: Walker._chain,
    Kind.PIPELINE: Walker._pipeline,
    Kind.BACKGROUND: Walker._apart,
    Kind.SUBSHELL: Walker._apart,
    Kind.GROUP: Walker._group,
    Kind.COPROC: Walker._apart,
    Kind.IF: Walker._if,
    Kind.WHILE: Walker._while,
    Kind.FOR: Walker._for,
    Kind.LOOP: Walker._loop,
    Kind.CASE: Walker._case,
    Kind.FUNCTION: Walker._function,
    Kind.TEST: Walker._test,
    Kind.ARITHMETIC: Walker._arithmetic,
}
