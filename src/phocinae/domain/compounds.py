"""What each compound command does to the state and the streams (POSIX XCU 2.9.2 to 2.9.5).

Both sides of every branch are taken, and a loop goes round until it changes nothing any more.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from . import expand, values
from .assignments import OWN_NAMES
from .shell import Command, Compound, Dialect, Kind, Node, Part, PartKind, Word
from .values import HOLE, NO_STREAM, SPLIT, UNKNOWN_STREAM, Field, Stream, Taint, together
from .variables import Value, Variables

if TYPE_CHECKING:
    from .walk import Walker

MOST_ROUNDS = 16
"""Words of a loop that are each judged for themselves."""
MOST_TURNS = 6
"""Turns of a loop after which all that it may have changed counts as unknown."""

_AND, _OR, _POWERSHELL = Kind.AND, Kind.OR, Dialect.POWERSHELL  # the way through the class takes longer
_JOINTS = (_AND, _OR)


def _list(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    if len(node.parts) == 1:
        return walker.run(node.parts[0], state, stdin)
    stdin = stdin.perhaps()
    return together([walker.run(part, state, stdin) for part in node.parts])


def _chain(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    """``a && b || c``: what follows ``&&`` sees success, what follows ``||`` sees any end so far."""
    links: list[tuple[Kind, Node]] = [(node.kind, node.parts[1])]
    left = node.parts[0]
    while isinstance(left, Compound) and left.kind in _JOINTS and not left.redirections:
        links.append((left.kind, left.parts[1]))
        left = left.parts[0]
    links.append((_AND, left))
    stdin = stdin.perhaps()
    end: Variables | None = None
    outputs: list[Stream] = []
    for kind, part in reversed(links):
        if kind is _OR and end is not None:
            state.become(end.copy())
        outputs.append(walker.run(part, state, stdin))
        if end is None:
            end = state.copy()
        else:
            end.join(state)
        if kind is _OR:
            state.become(end.copy())
    state.join(end or state)
    walker.guessable = walker.guessable or state.merged
    return together(outputs)


def _pipeline(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    flow = stdin
    for stage in node.parts:
        inside = state.copy()
        flow = walker.run(stage, inside, flow)
        if walker.dialect is _POWERSHELL:  # every stage runs in the shell itself
            state.join(inside)
    state.join(inside)  # zsh and ksh run the last stage in the shell itself
    return flow


def _apart(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    return walker.run(node.parts[0], state.copy(), stdin)


def _background(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    walker.starts_job(node, walker.source[node.start : node.end])
    return _apart(walker, node, state, stdin)


def _coproc(walker: Walker, node: Compound, state: Variables, _stdin: Stream) -> Stream:
    walker.starts_job(node, walker.source[node.start : node.end])
    for name in (node.name, f"{node.name}_PID"):
        expand.assign(walker, name, (HOLE, Taint.NONE), state, Word((), node.start, node.end))
    walker.run(node.parts[0], state.copy(), UNKNOWN_STREAM)
    return NO_STREAM


def _group(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    return walker.run(node.parts[0], state, stdin)


def _if(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    taint, stdin = Taint.NONE, stdin.perhaps()
    ends: list[Variables] = []
    parts = list(node.parts)
    while parts:
        if len(parts) > 1:
            taint |= walker.run(parts.pop(0), state, stdin).taint
        inside = state.copy()
        taint |= walker.run(parts.pop(0), inside, stdin).taint
        ends.append(inside)
    for end in ends:
        state.join(end)
    walker.guessable = walker.guessable or state.merged
    return Stream(None, taint)


def _rounds(walker: Walker, body: Callable[[Variables], int], state: Variables, *, counted: bool = False) -> Stream:
    """Judge a loop's body until it changes nothing any more, and with all unknown if that takes too long.

    The body may be left anywhere, so that all states at its ``break`` and ``continue`` count.  `counted` says that
    the text itself tells how many rounds there are.
    """
    taint = Taint.NONE
    walker.looping += not counted
    for turn in range(MOST_TURNS):
        before = state.copy()
        if turn == MOST_TURNS - 1:
            state.forget_all()
        walker.ends.append([])
        taint |= body(state)
        for end in (before, *walker.ends.pop()):
            state.join(end)
        if state.same(before):
            break
    walker.looping -= not counted
    return Stream(None, taint)


def _while(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    inputs = [stdin.perhaps()]
    if walker.guesses:
        from . import guesses

        inputs = guesses.lines(stdin)

    def body(inside: Variables) -> int:
        taint = Taint.NONE
        for flow in inputs:
            for part in node.parts:
                taint |= walker.run(part, inside, flow).taint
        return taint

    return _rounds(walker, body, state)


def _for(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    words = [field for word in node.words for field in expand.fields(walker, word, state)]
    place = Word((), node.start, node.end)
    rounds: list[Value] = [(field.text, field.taint) for field in words]
    ending = _ending(node.words, words)
    counted = 0 < len(words) <= MOST_ROUNDS and not any(field.many or field.globbed for field in words)
    if len(words) > MOST_ROUNDS or any(field.many for field in words) or not words:
        rounds = [(HOLE + ending, values.taint_of(words))]
        walker.guessable = True
        if walker.guesses:
            rounds += [(field.text.replace(SPLIT, HOLE), field.taint) for field in words[:MOST_ROUNDS]]
    stdin = stdin.perhaps()
    state.forget(node.name)  # as it is after no round at all

    def body(inside: Variables) -> int:
        taint = Taint.NONE
        for value in rounds:
            expand.assign(walker, node.name, value, inside, place)
            if ending:  # the shell has divided what is listed at blanks
                inside.undivided |= {node.name}
            for part in node.parts:
                taint |= walker.run(part, inside, stdin).taint
        return taint

    return _rounds(walker, body, state, counted=counted)


def _ending(words: tuple[Word, ...], found: list[Field]) -> str:
    """Return how the names end that a loop goes through, if a single substitution lists them."""
    part = words[0].parts[0] if len(words) == 1 and len(words[0].parts) == 1 else None
    if part is None or part.kind is not PartKind.COMMAND or part.quoted or len(found) != 1:
        return ""
    text = found[0].text
    if found[0].static is not None or SPLIT in text[1:]:
        return ""
    from .secrets import harmless_ending

    return harmless_ending(text)


def _loop(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    for word in node.words:
        for part in word.parts:
            expand.arithmetic(walker, part, state, word)
    return _while(walker, node, state, stdin)  # a shell that knows no such loop refuses the text


def _case(walker: Walker, node: Compound, state: Variables, stdin: Stream) -> Stream:
    for word in node.words:
        expand.single(walker, word, state)
    taint, stdin = Taint.NONE, stdin.perhaps()
    ends: list[Variables] = []
    for part in node.parts:
        inside = state.copy()
        if ends:
            inside.join(ends[-1])  # ``;&`` goes on with the next body
        taint |= walker.run(part, inside, stdin).taint
        ends.append(inside)
    for end in ends:
        state.join(end)
    walker.guessable = walker.guessable or state.merged
    return Stream(None, taint)


def _function(walker: Walker, node: Compound, state: Variables, _stdin: Stream) -> Stream:
    walker.note("write-gate" if node.name in OWN_NAMES else "changes-shell", node, node.name)
    if any(_forks(part, node.name) for part in node.parts):
        walker.note("fork-bomb", node, node.name)
    state.functions[node.name] = node.parts
    walker.invoke(node.name, None, state.copy(), UNKNOWN_STREAM)
    return NO_STREAM


_TEST_WORD = Word((Part(kind=PartKind.LITERAL, text="["),), 0, 0)


def _test(walker: Walker, node: Compound, state: Variables, _stdin: Stream) -> Stream:
    walker.words_of = (_TEST_WORD, *node.words)
    fields = [expand.single(walker, word, state) for word in node.words]
    for place, field in enumerate(fields):
        if field.text in ("-v", "-R"):
            walker.note("evaluates-text", node, field.text)
        elif field.text in _COMPARISONS:
            sides = fields[place + 1 : place + 2] + (fields[place - 1 : place] if field.text != "-t" else [])
            for side in sides:
                if not side.numeric:
                    walker.note("evaluates-text", node, side.text)
    for name in _SET_BY_MATCH:
        state.forget(name)
    return NO_STREAM


def _arithmetic(walker: Walker, node: Compound, state: Variables, _stdin: Stream) -> Stream:
    for word in node.words:
        for part in word.parts:
            expand.arithmetic(walker, part, state, word)
    walker.note("evaluates-text", node, "((")  # a shell without (( runs a subshell here
    return NO_STREAM


_COMPARISONS = frozenset(["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-t"])
"""Operators with numbers beside them, which bash or zsh evaluate; ``-t`` has one behind it."""

_SET_BY_MATCH = ("BASH_REMATCH", "MATCH", "match", "mbegin", "mend")
"""What ``=~`` assigns in bash and zsh."""


def _forks(node: Node, name: str, *, forking: bool = False) -> bool:
    """Return whether a function's body calls the function in a pipeline or in the background."""
    if isinstance(node, Command):
        return forking and bool(node.words) and node.words[0].literal == name
    forking = forking or node.kind in (Kind.PIPELINE, Kind.BACKGROUND)
    return any(_forks(part, name, forking=forking) for part in node.parts)


COMPOUNDS: dict[Kind, Callable[[Walker, Compound, Variables, Stream], Stream]] = {
    Kind.LIST: _list,
    Kind.AND: _chain,
    Kind.OR: _chain,
    Kind.PIPELINE: _pipeline,
    Kind.BACKGROUND: _background,
    Kind.SUBSHELL: _apart,
    Kind.GROUP: _group,
    Kind.COPROC: _coproc,
    Kind.IF: _if,
    Kind.WHILE: _while,
    Kind.FOR: _for,
    Kind.LOOP: _loop,
    Kind.CASE: _case,
    Kind.FUNCTION: _function,
    Kind.TEST: _test,
    Kind.ARITHMETIC: _arithmetic,
}
