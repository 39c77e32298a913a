"""The parts of a command and what each came to: the argument of a verdict, for people who ask for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import frozen

from .shell import Compound, Node, Word
from .verdict import Hit, Weight

WORDS = {Weight.NOTE: "allow", Weight.UNSURE: "undecided", Weight.PERSON: "ask", Weight.DENY: "deny"}
"""What a part comes to by its heaviest hit; ``ask`` is undecided as well, but only a person may allow it."""

_Placed = list[tuple[int, int, Weight]]


@frozen
class PartVerdict:
    """One simple command of a text and what it comes to, a word of `WORDS`.

    `start` and `end` are offsets into the judged text in code points, half open.
    """

    start: int
    end: int
    word: str


def parts(node: Node | None, hits: Iterable[Hit]) -> tuple[PartVerdict, ...]:
    """Return each simple command in `node`, in the order of the text, with what `hits` make of it.

    A command that holds another one, in a substitution or a here-document, is at least as
    strict as that.  A text that was not read has no parts.
    """
    found: dict[tuple[int, int], Weight] = {}
    if node is not None:
        _weigh(node, [(hit.start, hit.end, hit.weight) for hit in hits], found)
    spans = sorted(found, key=lambda span: (span[0], -span[1]))
    return tuple(PartVerdict(start, end, WORDS[found[start, end]]) for start, end in spans)


def _weigh(node: Node, placed: _Placed, found: dict[tuple[int, int], Weight]) -> Weight:
    """Add what is in `node` to `found`, and return the heaviest of it."""
    words = [*node.words, *(redirection.target for redirection in node.redirections)]
    if isinstance(node, Compound):
        inner: list[Node] = [*node.parts, *_scripts(words)]
        return max((_weigh(one, placed, found) for one in inner), default=Weight.NOTE)
    words += [word for assignment in node.assignments for word in assignment.words]
    weights = [_weigh(one, placed, found) for one in _scripts(words)]
    weights += [weight for first, last, weight in placed if first < node.end and last > node.start]
    found[node.start, node.end] = max(weights, default=Weight.NOTE)
    return found[node.start, node.end]


def _scripts(words: list[Word]) -> Iterator[Node]:
    """Yield what runs in the substitutions of `words`."""
    waiting = list(words)
    while waiting:
        for part in waiting.pop().parts:
            waiting.extend(part.words)
            if part.script is not None:
                yield part.script
