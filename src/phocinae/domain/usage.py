"""Reads the words of one call against the description of its program.

Rule: POSIX XBD 12.2 (utility syntax guidelines) and the getopt_long manual page.
"""

from __future__ import annotations

from .knowledge import Option, Program, Style
from .light import light
from .values import Field

_NO_NAMES: frozenset[str] = frozenset()
_GNU, _LONG, _POSIX = Style.GNU, Style.LONG, Style.POSIX  # the way through the class takes longer
_NONE, _WINDOWS, _CMDLET = Style.NONE, Style.WINDOWS, Style.CMDLET


@light
class Usage:
    """The options and operands of one call.

    `options` holds (name, argument or None) in order; `late` their arguments that stand apart behind an operand,
    where programs that end their options there see operands; `unlisted` the words that look like
    options and are not listed; `unclear` the unknown words that may be options.
    """

    options: tuple[tuple[Option, Field | None], ...] = ()
    late: tuple[Field, ...] = ()
    operands: tuple[Field, ...] = ()
    unlisted: tuple[Field, ...] = ()
    unclear: tuple[Field, ...] = ()
    names: frozenset[str] = _NO_NAMES

    def has(self, *names: str) -> bool:
        """Return whether any of these options is given, under these spellings."""
        return bool(self.names) and not self.names.isdisjoint(names)

    def values(self, *names: str) -> list[Field]:
        """Return the arguments of these options, in order."""
        if self.names.isdisjoint(names):
            return []
        return [value for option, value in self.options if value is not None and option.name in names]


class _Parser:
    __slots__ = ("at", "late", "operands", "options", "program", "sorted", "unclear", "unlisted", "words")

    def __init__(self, program: Program) -> None:
        self.program = program
        self.options: list[tuple[Option, Field | None]] = []
        self.late: tuple[Field, ...] = ()
        self.operands: list[Field] = []
        self.unlisted: tuple[Field, ...] = ()
        self.unclear: tuple[Field, ...] = ()
        self.words: list[Field] = []
        self.sorted: list[str] = []
        self.at = 0

    def parse(self, words: list[Field]) -> Usage:
        self.words = words
        style, known = self.program.style, self.program.options
        ends = style is not _GNU or self.program.subcommands is not None
        while self.at < len(words):
            word = words[self.at]
            self.at += 1
            text = word.text
            if text[:1] != "-" or text == "-":
                if word.may_be_option:
                    self.unclear += (word,)
                self.operands.append(word)
                if ends:
                    break
            elif text == "--":
                break
            elif style is _LONG:
                self._long(word, "-" + text.lstrip("-"))
            elif (flag := known.get(text)) is not None and flag.role is None:
                self.options.append((flag, None))
            elif text[:2] == "--":
                self._long(word, text)
            else:
                self._short(word)
        self.operands += words[self.at :]
        options = self.options
        names = frozenset([option.name for option, _ in options]) if options else _NO_NAMES
        return Usage(tuple(options), self.late, tuple(self.operands), self.unlisted, self.unclear, names)

    def _next(self) -> Field | None:
        if self.at >= len(self.words):
            return None
        self.at += 1
        return self.words[self.at - 1]

    def _add(self, word: Field, option: Option, value: Field | None) -> None:
        if value is None and option.role is not None and not option.attached:
            value = self._next()
            if value is None:
                self.unlisted += (word,)
                return
            if self.operands:
                self.late += (value,)
            if value.globbed and self.program.style is _POSIX:  # behind it, each word has a place of its own
                self.unclear += (value,)
        if value is not None and value.many:  # the second of several words is no argument of this option
            self.unclear += (value,)
        self.options.append((option, value))

    def _long(self, word: Field, text: str) -> None:
        name, equals, rest = text.partition("=")
        option = self._named(name)
        if option is None or (equals and option.role is None):
            abbreviated = self._abbreviated(name)
            if abbreviated is not None:
                self._add(word, abbreviated, word.with_text(rest) if equals else None)
                fits = abbreviated.attached or bool(equals) is (abbreviated.role is not None)
                if fits and self.program.safe_options:  # whichever option it shortens is harmless
                    return
            self.unlisted += (word,)
            return
        self._add(word, option, word.with_text(rest) if equals else None)

    def _named(self, name: str) -> Option | None:
        known = self.program.options
        return known.get(name) or (known.get("-" + name) if self.program.style is _LONG else None)

    def _abbreviated(self, name: str) -> Option | None:
        """Return the one listed option that `name` shortens; it may shorten an unlisted one as well."""
        if len(name) < 3 or self.program.style is _LONG:
            return None
        from bisect import bisect_left  # kept off the path of a gate that runs once per command

        known = self.sorted = self.sorted or sorted(self.program.options)
        at = bisect_left(known, name)
        found = [option for option in known[at : at + 2] if option.startswith(name)]
        return self.program.options[found[0]] if len(found) == 1 else None

    def _short(self, word: Field) -> None:
        known = self.program.options
        whole = known.get(word.text)
        if whole is not None and len(word.text) > 2:  # a word of one hyphen that is listed as such
            self._add(word, whole, None)
            return
        for place in range(1, len(word.text)):
            option = known.get("-" + word.text[place])
            if option is None:
                if not self.unlisted or self.unlisted[-1] is not word:
                    self.unlisted += (word,)
                if not word.text[place].isalnum():
                    return
                continue
            if option.role is None:
                self.options.append((option, None))
                continue
            rest = word.text[place + 1 :]
            self._add(word, option, word.with_text(rest) if rest else None)
            return


def read(program: Program, words: list[Field]) -> Usage:
    """Return the options and operands of a call of `program` with these words behind its name."""
    style = program.style
    if style is _NONE:
        return Usage((), (), tuple(words))
    if style is _WINDOWS:
        from .windows import switches  # programs of Windows are rare elsewhere

        return switches.read(program, words)
    if style is _CMDLET:
        from .windows import parameters

        return parameters.read(program, words)
    ends = style is not _GNU or program.subcommands is not None
    if ends and words and words[0].text[:1].isalnum() and words[0].text.isascii():
        return Usage((), (), tuple(words))
    for word in words:
        if word.text[:1] == "-" or not word.text.isascii():
            return _Parser(program).parse(words)
    return Usage((), (), tuple(words))
