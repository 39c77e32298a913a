"""Reads scripts of sed, to know which files they read and write and which commands they run.

Where implementations disagree (whether a delimiter may stand in a bracket expression, and
whether a backslash is special there) a script is read in every way, and what any way does
counts.

Sources: POSIX XCU sed; the GNU sed manual, "sed scripts" and "Reporting Bugs"; sed(1) of BSD.
"""

from __future__ import annotations

_LONGEST = 6_000
_BLANKS = " \t\r\v\f"
_PLAIN = "=dDFgGhHnNpPxz"
_TEXT = "aic"
_WHOLE_LINES = ("^", ".*", "^.*", ".*$", "^.*$")
"""Patterns behind which the new text is the line, or its beginning."""
_FILES = {"r": "reads", "R": "reads", "w": "writes", "W": "writes"}


class Broken(Exception):
    """The text is no script of sed."""


class Effects:
    """What a script does: files that it reads and writes, shell commands that it runs, and whether it rewrites.

    `runs_input` says that it runs lines of its input as commands; `likely_commands` are what it puts into them before.
    """

    __slots__ = ("commands", "likely_commands", "reads", "rewrites", "runs_input", "writes")

    def __init__(self) -> None:
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.commands: list[str] = []
        self.likely_commands: list[str] = []
        self.runs_input = False
        self.rewrites = False


class _Reader:
    def __init__(self, text: str, effects: Effects, *, brackets: bool, escapes: bool) -> None:
        self.text = text
        self.at = 0
        self.effects = effects
        self.brackets = brackets
        self.escapes = escapes
        self.unclosed = 0
        self.depth = 0

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _skip(self, chars: str) -> None:
        while self.at < len(self.text) and self.text[self.at] in chars:
            self.at += 1

    def _line(self) -> str:
        """Return the rest of the line, and go behind it."""
        end = self.text.find("\n", self.at)
        end = len(self.text) if end < 0 else end
        line = self.text[self.at : end]
        self.at = min(end + 1, len(self.text))
        return line

    def read(self) -> None:
        """Read the whole script; raise Broken if it is none."""
        while True:
            self._skip(_BLANKS + "\n;")
            if self.at >= len(self.text):
                break
            if self._peek() == "#":
                self._line()
                continue
            self._addresses()
            self._command()
        if self.depth:
            raise Broken

    def _addresses(self) -> None:
        if self._address():
            self._skip(_BLANKS)
            if self._peek() == ",":
                self.at += 1
                self._skip(_BLANKS)
                if self._peek() in ("+", "~") and self._peek():
                    self.at += 1
                if not self._address():
                    raise Broken
        self._skip(_BLANKS)
        while self._peek() == "!":
            self.at += 1
            self._skip(_BLANKS)

    def _address(self) -> bool:
        char = self._peek()
        if char.isdigit():
            self._skip("0123456789")
            if self._peek() == "~":
                self.at += 1
                self._skip("0123456789")
        elif char == "$":
            self.at += 1
        elif char == "/" or char == "\\":
            self.at += 1 if char == "/" else 2
            delimiter = self.text[self.at - 1 : self.at]
            self._delimited(delimiter, regex=True)
            self._skip("IM")
        else:
            return False
        return True

    def _delimited(self, delimiter: str, *, regex: bool) -> None:
        """Go behind the next delimiter that is neither escaped nor, in a regular expression, in brackets."""
        if delimiter in ("", "\n", "\\"):
            raise Broken
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\":
                self.at += 2
            elif char == delimiter:
                self.at += 1
                return
            elif char == "[" and regex and self.brackets:
                self._bracket()
            else:
                self.at += 1
        raise Broken

    def _bracket(self) -> None:
        """Go behind a bracket expression; one without an end is a plain bracket.

        `unclosed` is the place before which no bracket ends, so that no stretch is searched twice.
        """
        if self.at < self.unclosed:
            self.at += 1
            return
        at = self.at + 1
        if self.text[at : at + 1] == "^":
            at += 1
        if self.text[at : at + 1] == "]":
            at += 1
        while at < len(self.text) and self.text[at] not in "]\n":
            inner = self.text[at + 1 : at + 2] if self.text[at] == "[" else ""
            end = self.text.find(inner + "]", at + 2, at + 20) if inner and inner in ":.=" else -1
            if self.escapes and self.text[at] == "\\":
                at += 1
            at = end + 2 if end >= 0 else at + 1
        if self.text[at : at + 1] == "]":
            self.at = at + 1
        else:
            self.unclosed = at
            self.at += 1

    def _command(self) -> None:
        name = self._peek()
        self.at += 1
        if name == "{":
            self.depth += 1
        elif name == "}":
            self.depth -= 1
            if self.depth < 0:
                raise Broken
            self._end()
        elif name in _FILES:
            self._skip(_BLANKS)
            getattr(self.effects, _FILES[name]).append(self._line())
        elif name == "e":
            self._skip(_BLANKS)
            command = self._line()
            self.effects.commands.append(command)
            self.effects.runs_input = self.effects.runs_input or not command
        elif name and name in _TEXT:
            self._inserted()
        elif name and name in ":btT":
            self._label()
        elif name == "s":
            self._substitution()
        elif name == "y":
            self._transliteration()
        else:
            self._simple(name)

    def _simple(self, name: str) -> None:
        if name and name in "lLqQv":
            self._skip(_BLANKS)
            self._skip("0123456789" if name != "v" else "0123456789.")
        elif not name or name not in _PLAIN:
            raise Broken
        if name in ("x", "g", "G", "z"):
            self.effects.rewrites = True
        self._end()

    def _end(self) -> None:
        """Go behind what may follow a command."""
        self._skip(_BLANKS)
        if self._peek() in ("", "}", "#"):
            return
        if self._peek() not in ("\n", ";"):
            raise Broken
        self.at += 1

    def _inserted(self) -> None:
        """Read the text of a, i or c: up to a line end that no backslash precedes."""
        self.effects.rewrites = True
        self._skip(_BLANKS)
        if self._peek() == "\\":
            self.at += 1
            if self._peek() == "\n":
                self.at += 1
            elif self._peek() == "\\" or self.text[self.at :].partition("\n")[0].strip(_BLANKS) == "":
                raise Broken  # where the text begins depends on the implementation
        if self._peek() in ("", "\n"):
            raise Broken
        while self.at < len(self.text) and self.text[self.at] != "\n":
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def _label(self) -> None:
        self._skip(_BLANKS)
        while self._peek() and self._peek() not in " \t\n;}":
            self.at += 1
        self._end()

    def _substitution(self) -> None:
        delimiter = self._peek()
        self.at += 1
        before = self.at
        self._delimited(delimiter, regex=True)
        whole = self.text[before : self.at - 1] in _WHOLE_LINES
        start = self.at
        self._delimited(delimiter, regex=False)
        new = self.text[start : self.at - 1].replace("\\" + delimiter, delimiter)
        self.effects.rewrites = True
        while self._peek() and self._peek() in "gpiImMe0123456789":
            if self._peek() == "e":
                self.effects.runs_input = True
                self.effects.likely_commands += [new] if whole else []
            self.at += 1
        if self._peek() == "w":
            self.at += 1
            self._skip(_BLANKS)
            self.effects.writes.append(self._line())
        else:
            self._end()

    def _transliteration(self) -> None:
        delimiter = self._peek()
        self.at += 1
        self._delimited(delimiter, regex=False)
        self._delimited(delimiter, regex=False)
        self.effects.rewrites = True
        self._end()


def read(text: str) -> Effects | None:
    """Return what a script does by any way of reading it, or None if it is a script by none, or too long."""
    effects = Effects()
    readable = False
    if len(text) > _LONGEST:
        return None
    ways = ((True, False), (True, True), (False, False)) if "[" in text else ((True, False),)
    for brackets, escapes in ways:
        part = Effects()
        try:
            _Reader(text, part, brackets=brackets, escapes=escapes).read()
        except Broken:
            continue
        readable = True
        for name in ("reads", "writes", "commands", "likely_commands"):
            setattr(effects, name, list(dict.fromkeys(getattr(effects, name) + getattr(part, name))))
        effects.runs_input = effects.runs_input or part.runs_input
        effects.rewrites = effects.rewrites or part.rewrites
    return effects if readable else None
