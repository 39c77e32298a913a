"""Walks over a script as a shell would, and judges every command on the way.

Both sides of every branch are taken, loops go round until nothing new is learnt, and what
differs between two ways becomes unknown.  Nothing is ever skipped because it might not run.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from . import expand, redirections, values
from .assignments import is_number, lives_on, matters, of_gate, prints_plainly, rule_of, runs_value
from .calls import Call
from .compounds import COMPOUNDS
from .expand import TooMuch
from .hits import Hits
from .rules import RULES
from .shell import Assignment, Command, Compound, Dialect, Node, PartKind, Reading, ShellReader, Word
from .signs import may_be_windows
from .values import NO_STREAM, UNKNOWN_STREAM, Field, Stream, Taint, together
from .variables import Variables
from .verdict import Decision, Hit, ReadingStatus, Weight
from .written import Files

if TYPE_CHECKING:
    from .own_places import OwnPlaces

MOST_STEPS = 1_000
"""Commands that one text may make the walk judge, loops and calls included."""
MOST_READ = 30_000
"""Characters of carried text that are read for one text."""
MOST_EXPANDED = 400_000
"""Characters that the expansions of one text may come to."""
MOST_WORDS = 30_000
"""Words that all calls of one text together may be handed, those of carried calls included."""
MOST_ARGUMENTS = 1_000
"""Words of one call that are judged; a call with more is a matter for a person, unless these deny it."""
MOST_DEPTH = 10
"""How deep commands may be carried inside commands (``sh -c``, ``xargs``, functions)."""
FEW_STEPS, FEW_CHARACTERS, FEW_WORDS = 20, 2_000, 2_000
"""What a single command may cost where all of them together cost too much."""
MOST_STEPS_ALONE, MOST_READ_ALONE = 200, 2_000
"""What those commands may cost together, one after the other."""
_OF_A_READING = 20
"""Characters that beginning to read a carried text costs as much as."""
_OF_WINDOWS = 5
"""How much longer a text of Windows takes to read than another one of its length."""
_OF_A_STEP = 25
"""Characters that take as long to read, in a second language, as a command to judge."""

_SHORTEST_SECRET = 16
_LONGEST_OPTION = 8
_MAY_HOLD_SECRET = re.compile(rf"[=:@]|[^/\s]{{{_SHORTEST_SECRET}}}")
_POSIX, _POWERSHELL, _COMPLETE = Dialect.POSIX, Dialect.POWERSHELL, ReadingStatus.COMPLETE
_PROCESS = PartKind.PROCESS  # the way through the class takes longer


class Walker:
    """The judging of one text; collects hits.

    Walks are made anew for every text, and hold all that a judgement changes.  `listed` are the
    folders whose bare names the text lists, and `files` what it writes.  `processes`
    says that there are process substitutions.  `looping` counts the loops around that go round nobody knows how
    often.  `aliases` stand for other commands, in a second look alone.
    `guessable` says that there is something to guess in a second look, and `guesses` that this is one.
    """

    any_dialect = False
    whole = source = ""
    steps = read = expanded = words = depth = looping = 0
    steps_alone = read_alone = 0
    words_of: tuple[Word, ...] = ()
    processes = guesses = guessable = False
    status = _COMPLETE
    own: OwnPlaces | None = None

    def __init__(self, reader: ShellReader, project_code: Decision, dialect: Dialect = _POSIX) -> None:
        self.reader = reader
        self.dialect = dialect
        self.project_code = project_code
        self.hits = Hits()
        self.foreign: list[tuple[int, int]] = []
        self.seen: set[tuple[str, int]] = set()
        self.ends: list[list[Variables]] = []
        self.running: list[str] = []
        self.listed: set[str] = set()
        self.files = Files()
        self.aliases: dict[str, str] = {}

    def note(self, rule: str, place: Word | Field | Command | Compound, about: str) -> None:
        """Keep a hit of `rule` on the part of the text where `place` stands; `about` is a value."""
        self.add(rule, place.start, place.end, about[: values.SHOWN + 1])

    def add(self, rule: str, start: int, end: int, about: str, weight: Weight | None = None) -> None:
        """Keep a hit of `rule` between two offsets, once for each place and value."""
        found = RULES[rule]
        if weight is None:
            weight = found.weight
        key = (rule, weight, start, end, about)
        if self.hits.wants(key):
            reason = found.reason.replace("{it}", _shown(about))
            hit = Hit(rule=rule, weight=weight, reason=reason, start=start, end=end, remedy=found.remedy)
            self.hits.keep(key, hit)

    def doubt(self, reading: Reading, place: Field | None = None) -> None:
        """Keep a hit for each gap and each difference of a reading; those of carried text stand at `place`."""
        unread = "unread" if reading.script is not None else "does-not-parse"
        for rule, found in ((unread, reading.gaps), ("other-reading", reading.differences)):
            for gap in found:
                at = gap if place is None else place
                self.add(rule, at.start, at.end, gap.why)

    def reading(self, text: str) -> Reading:
        """Return what a text says in the dialect of the moment."""
        if self.dialect is _POSIX:
            return self.reader.read(text)
        from . import windows  # needed by the few texts that are in another language

        return windows.read(text, self.dialect)

    def goes_on_from(self, other: Walker, text: str = "") -> None:
        """Begin with what another walk has cost, and with the reading of the text in one more language."""
        self.steps, self.read = other.steps + len(text) // _OF_A_STEP, other.read + len(text)
        self.expanded, self.words = other.expanded, other.words
        self.steps_alone, self.read_alone = other.steps_alone, other.read_alone

    # --- running

    def run(self, node: Node, state: Variables, stdin: Stream) -> Stream:
        """Judge `node`, change `state` as it would, and return what it prints."""
        if isinstance(node, Command):
            return self._command(node, state, stdin)
        if not node.redirections:
            return COMPOUNDS[node.kind](self, node, state, stdin)
        sockets = state.sockets
        stdin = redirections.redirect(self, node.redirections, state, stdin)
        output = COMPOUNDS[node.kind](self, node, state, stdin)
        output = redirections.flows(self, node, state, output, stdin)
        self._pour(node, state, stdin, output)
        state.sockets = sockets
        return output

    def guess(self, node: Node, state: Variables) -> None:
        """Judge a text a second time, with guesses for what is open in it; keep no more than the denials.

        Of a text that would be allowed keep as well what only a person may allow, as the secret that a default names.
        """
        other = Walker(self.reader, self.project_code, self.dialect)
        other.guesses, other.own = True, self.own
        other.steps, other.read = max(MOST_STEPS // 2, self.steps), max(MOST_READ // 2, self.read)
        other.expanded, other.words = MOST_EXPANDED // 2, MOST_WORDS // 2
        before = other.steps, other.read
        with suppress(TooMuch, RecursionError):
            other.run(node, state, UNKNOWN_STREAM)
        self.steps += other.steps - before[0]
        self.read += other.read - before[1]
        self.hits.add_heavy(other.hits, Weight.PERSON if self.hits.allow() else Weight.DENY)

    def each_alone(self, node: Node) -> None:
        """Judge every command for itself, the last ones first, where all of them together take too much."""
        waiting = [node]
        while waiting and self.steps_alone < MOST_STEPS_ALONE:
            at = waiting.pop()
            if isinstance(at, Compound):
                waiting.extend(at.parts)
                continue
            self._alone(at)

    def _alone(self, command: Command) -> bool:
        """Judge one command with little of everything; return whether that was enough."""
        self.steps = MOST_STEPS - FEW_STEPS
        self.read = before = MOST_READ - min(FEW_CHARACTERS, MOST_READ_ALONE - self.read_alone)
        self.expanded = MOST_EXPANDED - FEW_CHARACTERS
        self.words = MOST_WORDS - FEW_WORDS
        self.running, self.ends = [], []
        try:
            self.run(command, Variables(), UNKNOWN_STREAM)
        except (TooMuch, RecursionError):
            return False
        finally:
            self.steps_alone += max(1, self.steps - (MOST_STEPS - FEW_STEPS))
            self.read_alone += min(self.read, MOST_READ) - before
        return True

    def text(
        self, text: str, place: Field, state: Variables, dialect: Dialect = _POSIX, stdin: Stream = UNKNOWN_STREAM
    ) -> Stream:
        """Judge text in a shell's language that the command carries; all hits stand where it is carried."""
        if self.depth >= MOST_DEPTH:
            self.note("too-deep", place, place.text)
            return UNKNOWN_STREAM
        self.read += _OF_A_READING + len(text) if dialect is _POSIX else _OF_WINDOWS * (_OF_A_READING + len(text))
        if self.read > MOST_READ:
            raise TooMuch
        if values.hides(text):
            self.note("unknown-name", place, text)
        if self.any_dialect and dialect is _POSIX and may_be_windows(text):
            self.denied_elsewhere(text, place, state)
        outer, self.dialect = (self.dialect, self.source), dialect
        self.source = text
        before, self.hits = self.hits, Hits()
        self.depth += 1
        try:
            reading = self.reading(text)
            self.doubt(reading, place)
            return UNKNOWN_STREAM if reading.script is None else self.run(reading.script, state, stdin)
        finally:
            self.depth -= 1
            self.dialect, self.source = outer
            inner, self.hits = self.hits, before
            self.hits.add_all(inner, place.start, place.end)

    def denied_elsewhere(self, text: str, place: Field, state: Variables) -> None:
        """Keep what a text would be denied for in the other languages that it may be in."""
        from . import dialects

        if self.depth >= MOST_DEPTH:
            return
        before, self.hits = self.hits, Hits()
        try:
            for dialect in dialects.plausible(text):
                self.text(text, place, state.copy(), dialect)
        finally:
            inner, self.hits = self.hits, before
            self.hits.add_heavy(inner, Weight.DENY)

    def is_full(self) -> bool:
        """Return whether the next call is judged no more, so that nothing need be made ready for it."""
        return self.depth >= MOST_DEPTH or self.steps >= MOST_STEPS

    def call(self, argv: list[Field], state: Variables, stdin: Stream, *, functions: bool = True) -> Stream:
        """Judge one call: a program's name and its arguments, already expanded.

        `functions` says whether the name may be that of a function, or is only a program's.
        """
        self.steps += 1
        self.words += len(argv)
        if self.steps > MOST_STEPS or self.words > MOST_WORDS:
            raise TooMuch
        if self.depth >= MOST_DEPTH:
            self.note("too-deep", argv[0], argv[0].text)
            return UNKNOWN_STREAM
        if len(argv) > MOST_ARGUMENTS:
            self.note("too-many-words", argv[0], argv[0].text)
            argv = argv[:MOST_ARGUMENTS]
        self.depth += 1
        try:
            return Call(self, argv, state, stdin).judge(functions=functions)
        finally:
            self.depth -= 1

    def spend(self, characters: int) -> None:
        """Count what an expansion came to; raise `TooMuch` when all of them come to too much."""
        self.expanded += characters + 1
        if self.expanded > MOST_EXPANDED:
            raise TooMuch

    def starts_job(self, place: Compound | Field, about: str) -> None:
        """Weigh that a job is started which nobody waits for: one in each round of a loop may exhaust the machine."""
        if self.looping:
            self.note("starts-jobs", place, about)

    def leave(self, state: Variables) -> None:
        """Keep the state in which a loop or a function may be left before its end."""
        for ends in self.ends:
            ends.append(state.copy())

    def _command(self, command: Command, state: Variables, stdin: Stream) -> Stream:
        if self.dialect is _POWERSHELL and stdin is not UNKNOWN_STREAM:
            state.values["_"] = (values.one_item(stdin), stdin.taint)
        self.words_of = command.words
        argv = expand.all_fields(self, command.words, state)
        if argv and argv[0].start != command.words[0].start:
            argv[0] = _behind_nothing(command.words[0], argv[0])
        if command.assignments:
            return self._assigning(command, argv, state, stdin)
        return self._redirected(command, argv, state, stdin)

    def _assigning(self, command: Command, argv: list[Field], state: Variables, stdin: Stream) -> Stream:
        """Judge a command with assignments in front; some shells keep their values behind a built-in."""
        if not argv:
            for assignment in command.assignments:
                self.assign(assignment, argv, state)
            return self._redirected(command, argv, state, stdin)
        scope = state.copy()
        for assignment in command.assignments:
            self.assign(assignment, argv, scope)
            scope.exported |= {assignment.name}
        output = self._redirected(command, argv, scope, stdin)
        exported, ifs = state.exported, (state.values.get("IFS"), state.ifs_changed)
        state.become(scope)
        state.exported = exported
        for assignment in command.assignments:
            state.forget(assignment.name)
        if ifs[0] is not None and argv[0].text == "read":  # no special built-in, so that IFS is back afterwards
            state.values["IFS"], state.ifs_changed = ifs[0], ifs[1]
        return output

    def _redirected(self, command: Command, argv: list[Field], state: Variables, stdin: Stream) -> Stream:
        sockets = state.sockets
        if command.redirections:
            stdin = redirections.redirect(self, command.redirections, state, stdin)
        if argv:
            output = self.call(argv, state, stdin)
        else:
            output = stdin if command.redirections and not command.words else NO_STREAM
        if command.redirections or state.sockets:
            output = redirections.flows(self, command, state, output, stdin)
        if self.processes:
            self._pour(command, state, stdin, output)
        if not (argv and argv[0].text == "exec" and len(argv) == 1):
            state.sockets = sockets
        return output

    def _pour(self, node: Node, state: Variables, stdin: Stream, output: Stream) -> None:
        """Judge what stands in ``>(…)`` with what may flow into it."""
        words = node.words
        if node.redirections:
            words += tuple(redirection.target for redirection in node.redirections)
        for word in words:
            for part in word.parts:
                if part.script is not None and part.kind is _PROCESS and part.operator == ">(":
                    flow = output if stdin is UNKNOWN_STREAM else together([stdin, output])
                    self.run(part.script, state.copy(), flow)

    def assign(self, assignment: Assignment, argv: list[Field], state: Variables) -> None:
        """Give the variable its value; an array, a subscript or an addition makes it unknown."""
        name, place = assignment.name, Field(assignment.name, assignment.start, assignment.end)
        found = [expand.single(self, word, state) for word in assignment.words]
        value = found[0] if found else Field("")
        if assignment.plain:
            state.set(name, (value.text, value.taint))
        else:
            self.guessable = True
            before = state.get(name)
            state.forget(name)
            if self.guesses:
                from . import guesses

                state.set(name, (guesses.assigned(self, assignment, before, state), value.taint))
        if is_number(name) and not (assignment.plain and value.numeric):
            self.note("evaluates-text", place, name)
        if not argv and of_gate(name):
            self.note("write-gate", place, name)
        elif lives_on(name):
            self.note("names-program" if argv else "changes-shell", place, name)
        plainly = argv and assignment.plain and prints_plainly(name, value.static)
        if self.matters(name, argv) and not plainly:
            self.note(rule_of(name), place, name)
            if assignment.plain and value.static and runs_value(name):
                self.text(value.static.lstrip("|-") if name.startswith("LESS") else value.static, place, state.copy())

    def matters(self, name: str, argv: list[Field]) -> bool:
        """Return whether setting a variable ends an allow; PowerShell's own variables are in lower case."""
        if self.dialect is _POWERSHELL and not name.isupper():
            return name == "psdefaultparametervalues" or ":" in name
        return matters(name, argv)

    def invoke(self, name: str, words: list[Field] | None, state: Variables, stdin: Stream) -> Stream:
        """Judge a call of a function of the text with these parameters.

        One that calls itself is followed twice and no further.
        """
        if self.running.count(name) >= 2:
            return UNKNOWN_STREAM
        given, before, outputs = state.positional, state.copy(), [NO_STREAM]
        self.running.append(name)
        for body in state.functions[name]:
            inside = before.copy()
            inside.positional = words
            self.ends.append([])
            outputs.append(self.run(body, inside, stdin))
            for end in (inside, *self.ends.pop()):
                state.join(end)
        self.running.pop()
        state.positional = given
        return together(outputs)


def _shown(about: str) -> str:
    """Return a value for a sentence, without what may be a secret."""
    if about.isalnum() and about.isascii() and len(about) < _SHORTEST_SECRET:
        return about
    if about.startswith("-p") and len(about) > _LONGEST_OPTION and not about.startswith("-print"):
        return f"{about[:2]}…"  # many programs take a password glued to this letter
    shown = about if about.isascii() and len(about) <= values.SHOWN else values.show(about)
    if _MAY_HOLD_SECRET.search(shown) is None:
        return shown
    from .masking import mask  # plain words do not load what that takes

    return mask(shown)


def _behind_nothing(word: Word, name: Field) -> Field:
    """Return the name of a program in front of which a word has come to nothing, perhaps as a command printed none."""
    if all(part.kind is not PartKind.COMMAND for part in word.parts):
        return name
    return Field(name.text, name.start, name.end, name.taint | Taint.PRINTED, name.stream)
