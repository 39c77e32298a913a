"""Judges one call of a program: finds its description, reads its words, and weighs each by its role."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import code, effects, programs, usage
from .assignments import OWN_NAMES, is_number, matters, prints_plainly, rule_of, runs_value
from .knowledge import Program, Role, Style
from .patterns import lazily
from .secrets import matches as matches_name
from .shell import Dialect
from .signs import is_sign
from .usage import Usage
from .values import HOLE, NO_STREAM, SPLIT, UNKNOWN_STREAM, Field, Stream, Taint, taint_of
from .variables import Variables
from .verdict import Decision, Weight

if TYPE_CHECKING:
    from .walk import Walker

_SYSTEM_FOLDER = lazily(
    r"(?:/usr(?:/local)?)?/s?bin/(?=[^/]+\Z)|/opt/homebrew/bin/(?=[^/]+\Z)"
    r"|(?i:(?:c:|/(?:mnt/|cygdrive/)?c(?=/))[\\/]+windows[\\/]+(?:system32|syswow64|sysnative)[\\/]+"
    r"(?:(?:wbem|openssh|windowspowershell[\\/]+v1\.0)[\\/]+)?)(?=[^\\/]+\Z)"
)
_ASSIGNED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)\Z", re.S)
_OTHER_LANGUAGE = re.compile(r"#!(?![^\n]*\b(?:ba|da|z|k|mk|a)?sh\b)")
_CODE_FILE = re.compile(
    r"\.(?:py|[cm]?[jt]sx?|go|rs|rb|pl|php|lua|r|jl|swift|kts?|scala|groovy|jar|war|class|sh|bash|zsh|fish|awk|sed|tcl|exp|el|vim|mk)\Z",
    re.I,
)
"""The name of a file that holds code, and is more than the data of a program that runs code."""
_COPIED = "rm dd shred chmod chown find mv cp tee sh bash zsh dash busybox sudo env".split()
"""Programs of the system that are worth hiding behind a path or a pattern."""
_UNSEEN = f"{HOLE}{SPLIT} \t\n\"'"
_POSIX, _POWERSHELL, _ARGV = Dialect.POSIX, Dialect.POWERSHELL, Role.ARGV  # the way through the class takes longer
_PROJECT_WEIGHT = {Decision.ALLOW: Weight.NOTE, Decision.ASK: Weight.PERSON, Decision.DENY: Weight.DENY}


class Call:
    """One call while it is judged; the judges of single programs work through it.

    `name` is the program's name without its folder, `args` are the words behind it.
    """

    def __init__(self, walker: Walker, argv: list[Field], state: Variables, stdin: Stream) -> None:
        self.walker = walker
        self.word = argv[0]
        self.args = argv[1:]
        self.state = state
        self.stdin = stdin
        self.name = ""
        self.taint = (stdin.taint | taint_of(self.args)) & ~Taint.PRINTED
        self.runs_code = False

    # --- what judges of programs use

    def note(self, rule: str, about: Field | None = None, shown: str | None = None) -> None:
        """Keep a hit of `rule` on one word, or on the whole call under the program's name."""
        self.runs_code = self.runs_code or rule == "runs-code"
        place = about or self.word
        self.walker.note(
            rule, place, (self.name or place.text if about is None else about.text) if shown is None else shown
        )

    def project_code(self) -> None:
        """Keep the hit that a test runner or linter runs the project's code, as heavy as the settings say."""
        weight = _PROJECT_WEIGHT[self.walker.project_code]
        end = self.args[-1].end if self.args else self.word.end
        self.walker.add("runs-project-code", self.word.start, end, self.name, weight)

    def run(self, argv: list[Field], stdin: Stream | None = None) -> Stream:
        """Judge a program that this one runs with these words; without words nothing runs.

        What it prints is no more than perhaps the output, because the program may not be started at all.
        """
        if not argv:
            return UNKNOWN_STREAM
        given = self.stdin if stdin is None else stdin
        return self.walker.call(argv, self.state.copy(), given, functions=False).perhaps()

    def shell(self, text: Field, state: Variables | None = None) -> Stream:
        """Judge shell text that this command runs, in `state` or in a shell of its own."""
        if text.taint & Taint.PRINTED:
            self.note("unknown-name", text, "$(…)")
        partly = text.taint & ~Taint.PRINTED == Taint.DECODED and any(char not in _UNSEEN for char in text.text)
        self._unseen(Taint.NONE if partly else text.taint)  # what is written out is judged, the rest is unknown
        own = self.state.child() if state is None else state
        stdin = UNKNOWN_STREAM if self.stdin is NO_STREAM else self.stdin  # the program may open another one for it
        return self.walker.text(text.text, text, own, stdin=stdin)

    def feed(self, stream: Stream, place: Field, language: str = "shell", words: list[Field] | None = None) -> Stream:
        """Judge code that comes in by a stream, from a pipe, a here-document or a file, with words that it is given."""
        if self._unseen(stream.taint, shell=language == "shell"):
            return UNKNOWN_STREAM
        if stream.text is not None and language == "shell":
            state = self.state.child()
            state.positional = words
            return self.walker.text(stream.text, place, state)
        self.note("feeds-interpreter")
        if stream.text is not None:
            code.judge(self, stream.text, place)
        return UNKNOWN_STREAM

    def _unseen(self, taint: int, *, shell: bool = True) -> bool:
        """Keep the hit for code from elsewhere, if `taint` says so; return whether it does."""
        if shell and taint & Taint.SOCKET:
            self.note("reverse-shell")
        elif taint & (Taint.REMOTE | Taint.SOCKET):
            self.note("remote-code")
        elif taint & Taint.DECODED:
            self.note("decoded-code")
        else:
            return False
        return True

    def take(self, role: Role, field: Field) -> None:
        """Weigh one argument by what the program does with it."""
        handler = _ROLES.get(role)
        if handler is not None:
            handler(self, field)

    # --- the judgement

    def judge(self, *, functions: bool = True) -> Stream:
        """Return what the call prints; its hits are kept by the walker."""
        walker, args, name = self.walker, self.args, self.word.text
        if name and name.isascii() and not self.word.taint and "/" not in name and "\\" not in name:
            self.name = name
        else:
            self._find_name()
            name = self.name
        if not name:
            return Stream(None, self.taint)
        if functions and walker.dialect is _POWERSHELL:
            from .windows import powershell_names

            return powershell_names.judge(self)
        if functions and name in walker.aliases:
            self.shell(joined([self.word.with_text(walker.aliases[name]), *args], self.word))
        if functions and name in self.state.functions:
            return walker.invoke(name, args, self.state, self.stdin)
        if len(args) == 1 and args[0].text in ("--help", "--version") and programs.tells(name):
            return Stream(None, self.taint)
        known = programs.find(name, walker.dialect if functions else _POSIX)
        if known is None and walker.dialect is _POWERSHELL and name[:1].isalpha():
            from .windows import powershell_names

            known = powershell_names.find(name)
        if known is None:
            return self._unknown_program()
        output = self.described(known, args)
        if self.runs_code:
            self._code_files()
        return output or Stream(None, self.taint)

    def _unknown_program(self) -> Stream:
        self._elsewhere()
        self.note("unknown-program")
        self.run_written(self.word, words=self.args)
        if self.name.endswith(".exe") and (known := programs.find(self.name[:-4])) is not None:
            return self.described(known, self.args) or Stream(None, self.taint)
        if self.walker.dialect is Dialect.CMD:  # it looks for programs in the current folder
            self._run_file()
        return Stream(None, self.taint)

    def _code_files(self) -> None:
        """Weigh where the code in a file comes from that a program is given which runs code."""
        for word in self.args:
            if _CODE_FILE.search(word.text):
                for content in self.contents(word):
                    self._unseen(content.taint, shell=False)

    def _elsewhere(self) -> None:
        """Keep what a command that no POSIX shell knows would be denied for in a language of Windows."""
        walker = self.walker
        if walker.any_dialect and walker.dialect is _POSIX and is_sign(self.name.lower()):
            end = self.args[-1].end if self.args else self.word.end
            if walker.source is walker.whole:  # which is read in those languages anyway
                walker.foreign.append((self.word.start, end))
            else:
                walker.denied_elsewhere(walker.source[self.word.start : end], self.word, self.state)

    def _find_name(self) -> None:
        """Set the name; an unknown or local program keeps a hit and may have none."""
        text = self.word.text
        if self.word.taint & (Taint.REMOTE | Taint.SOCKET):
            self.note("reverse-shell" if self.word.taint & Taint.SOCKET else "remote-code", shown=text)
        if self.word.taint & Taint.PRINTED:
            self.note("unknown-name", self.word, "$(…)")
        if self.word.static is None or not text:
            self.note("unknown-name", self.word)
            last = text.rpartition("/")[2]
            if self.word.unknown or not last or Field(last).static is None:
                self._run_file()
                self.name = self._likely(last)
                return
            text = last
        if "/" in text or "\\" in text[1:]:
            folder = _SYSTEM_FOLDER.match(text)
            if folder is None:
                windows = text.lower().endswith(".exe") or ":\\" in text
                self.note("unknown-program" if windows else "local-program", self.word)
                self._run_file()
                own = text.rpartition("/")[2]
                self.name = own if own in OWN_NAMES else self._likely(own)
                return
            text = text[folder.end() :]
        self.name = text

    def _likely(self, name: str) -> str:
        """Return which program of the system a local file or a pattern most likely is, in a second look."""
        fits = (known for known in _COPIED if known == name or (Field(name).globbed and matches_name(name, known)))
        found = next(fits, "")
        self.walker.guessable = self.walker.guessable or found != ""
        return found if self.walker.guesses else ""

    def _run_file(self) -> None:
        """Judge the file that is run by its name, as far as the text itself has written it."""
        if self.walker.dialect is Dialect.CMD:
            from .programs import windows_launch

            windows_launch.batch(self)
        else:
            self.run_written(self.word, words=self.args)

    def described(self, known: Program, args: list[Field]) -> Stream | None:
        """Judge arguments against a description; a subcommand goes on with its own."""
        found = usage.read(known, args)
        if known.rule:
            self.note(known.rule)
        for word in found.unlisted:
            self.note("unknown-option", word)
        if not known.safe_options:
            for word in found.unclear:
                self.note("unclear-word", word)
        for option, value in found.options:
            if option.role is not None and value is not None:
                self.take(option.role, value)
                if value.many or value.globbed:
                    from .programs import judging  # kept off the path of a gate that runs once per command

                    judging.further(self, known, value)
        if known.subcommands is not None:
            return self._subcommand(known, found)
        if found.late and Role.READ in known.operands:  # on BSD, options end at the first operand
            for word in found.late:
                self.read(word, prints=False)
        if found.operands:
            self._operands(known, found)
        return known.judge(self, found) if known.judge is not None else None

    def _subcommand(self, known: Program, found: Usage) -> Stream | None:
        if known.judge is not None:
            known.judge(self, found)
        if not found.operands or known.subcommands is None:
            return None
        word = found.operands[0]
        inner = known.subcommands.get(word.text)
        if inner is None:
            self.note("unknown-subcommand", word)
            return None
        self.name = f"{self.name} {word.text}"
        return self.described(inner, list(found.operands[1:]))

    def _operands(self, known: Program, found: Usage) -> None:
        roles = known.operands
        if not roles and known.judge is not None and known.style is not Style.CMDLET:
            return  # the program's own judge looks at its operands
        if len(found.operands) == 1 and roles and roles[0] is not _ARGV and found.operands[0].text.isascii():
            self.take(roles[0], found.operands[0])
            return
        taken: set[tuple[Role, str, int]] = set()
        for place, field in enumerate(found.operands):
            if place < len(roles):
                role = roles[place]
            elif known.open_ended:
                role = roles[-1]
            else:
                self.note("too-many-operands", field)
                continue
            if role is _ARGV:
                self.run(list(found.operands[place:]))
                return
            several = place < len(roles) and not field.text.isascii() and (field.many or field.globbed)
            for each in dict.fromkeys(roles[place:]) if several else (role,):  # or the next place
                key = (each, field.text, field.taint)
                if key not in taken or field.stream is not None:  # the same again is no more than it was
                    taken.add(key)
                    self.take(each, field)

    def read(self, field: Field, *, prints: bool = True) -> None:
        """Weigh that a file is read, and let its origin flow into the output."""
        if field.stream is not None:
            self.taint |= field.stream.taint
        for content in self.contents(field):
            self.taint |= content.taint
        if effects.read(self.walker, field, self.state, prints=prints):
            self.taint |= Taint.SECRET

    def names_program(self, field: Field) -> None:
        """Weigh a word that names a program or a shell command which is run."""
        self.note("names-program", field)
        if field.static:
            self.walker.text(field.static.removeprefix("!"), field, self.state.child())

    def without_assignments(self, words: list[Field]) -> list[Field]:
        """Weigh leading ``NAME=value`` words and return those behind them."""
        while words and (match := _ASSIGNED.match(words[0].text)):
            name, value = match.groups()
            if is_number(name) and not Field(value).numeric:
                self.note("evaluates-text", words[0])
            if matters(name, words[1:] or [words[0]]) and not prints_plainly(name, value):
                self.note(rule_of(name), words[0], name)
                if runs_value(name):
                    self.walker.text(value, words[0], self.state.child())
            self.state.set(name, (value, words[0].taint))
            self.state.exported |= {name}
            words = words[1:]
        return words

    def send(self, field: Field) -> None:
        """Weigh that a file's contents go to another machine."""
        self.note("uses-network", field)
        before, self.taint = self.taint, Taint.NONE
        self.read(field, prints=False)
        if (self.taint | field.taint) & Taint.SECRET:
            self.note("sends-secret", field, self.name)
        self.taint |= before

    def script(self, field: Field) -> None:
        """Weigh a file whose code is run."""
        if field.stream is not None:
            self.feed(field.stream, field)
        elif field.text in ("/dev/stdin", "-", "/dev/fd/0"):
            self.feed(self.stdin, field)
        else:
            self.note("runs-code", field)
            place = next((place for place, word in enumerate(self.args) if word is field), len(self.args))
            self.run_written(field, words=self.args[place + 1 :])

    def guess(self, item: str) -> str:
        """Return what a line of the output most likely is, in a second look, and nothing known of it in the first."""
        self.walker.guessable = True
        return item if self.walker.guesses else SPLIT

    def wrote(self, field: Field, content: Stream) -> None:
        """Remember what the call writes to a file; that it writes there is weighed apart from this."""
        self.walker.files.add(field.text, self.state.cwd, content)

    def contents(self, field: Field) -> list[Stream]:
        """Return what the text itself has written to a file so far."""
        return self.walker.files.of(field.text, self.state.cwd)

    def run_written(self, field: Field, language: str = "shell", words: list[Field] | None = None) -> None:
        """Judge the code in a file that is run, as far as the text itself has written it."""
        for content in self.contents(field):
            foreign = content.text is not None and _OTHER_LANGUAGE.match(content.text) is not None
            self.feed(content, field, "code" if foreign else language, words)

    def source_code(self, field: Field) -> None:
        """Weigh code of another language that stands in the command."""
        self._unseen(field.taint, shell=False)
        self.note("feeds-interpreter")
        code.judge(self, field.text, field)


def _settings(call: Call, field: Field) -> None:
    from .programs.testing import settings  # kept off the path of a gate that runs once per command

    settings(call, field)


_ROLES: dict[Role, Callable[[Call, Field], object]] = {
    Role.SCAN: lambda call, field: call.read(field, prints=False),
    Role.READ: Call.read,
    Role.WRITE: lambda call, field: effects.write(call.walker, field, call.state),
    Role.DELETE: lambda call, field: effects.delete(call.walker, field, call.state, recursive=False),
    Role.PROGRAM: Call.names_program,
    Role.SHELL: Call.shell,
    Role.CODE: Call.source_code,
    Role.SCRIPT: Call.script,
    Role.NETWORK: lambda call, field: call.note("uses-network", field),
    Role.SEND: Call.send,
    Role.SETTINGS: _settings,
    Role.RISK: lambda call, field: call.note("not-harmless", field),
}


def joined(words: list[Field], place: Field) -> Field:
    """Return words joined by blanks, as ``eval`` and ``ssh`` join them."""
    start, end = (words[0].start, words[-1].end) if words else (place.start, place.end)
    return Field(" ".join(word.text for word in words), start, end, taint_of(words))
