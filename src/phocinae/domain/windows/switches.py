"""Reads the words of one call of a Windows program: switches in any case, alone or glued together.

Source: the Windows command reference, "Command-line syntax key", and the pages of the programs.
"""

from __future__ import annotations

import re

from ..knowledge import Option, Program
from ..usage import Usage
from ..values import HOLE, SPLIT, Field

_SWITCH = re.compile(r"(?:/+|--?)(?=[^/\s])")
_PIECE = re.compile(r"/+(-?[^/:=]+)(?:[:=](.*)\Z)?|/+", re.S)

_HELP = Option("/?")
"""The switch that every program has."""


def read(program: Program, words: list[Field]) -> Usage:
    """Return the options and operands of a call; options are known by their names in lower case."""
    reader = _Reader(program, words)
    while reader.at < len(words):
        word = words[reader.at]
        reader.at += 1
        if _SWITCH.match(word.text):
            reader.switches(word)
            continue
        if word.text[:1] == HOLE or SPLIT in word.text:
            reader.unclear.append(word)
        if program.subcommands is not None:  # the rest belongs to the subcommand
            reader.operands += [word.with_text(word.text.lower()), *words[reader.at :]]
            break
        reader.operands.append(word)
    return Usage(
        options=tuple(reader.options),
        operands=tuple(reader.operands),
        unlisted=tuple(reader.unlisted),
        unclear=tuple(reader.unclear),
        names=frozenset(option.name for option, _ in reader.options),
    )


class _Reader:
    def __init__(self, program: Program, words: list[Field]) -> None:
        self.known = program.options
        self.words = words
        self.at = 0
        self.options: list[tuple[Option, Field | None]] = []
        self.operands: list[Field] = []
        self.unlisted: list[Field] = []
        self.unclear: list[Field] = []

    def switches(self, word: Field) -> None:
        """Take a word that begins like a switch, and holds one or several."""
        text = word.text if word.text[0] == "/" else "/" + word.text.lstrip("-")
        for match in _PIECE.finditer(text):
            name = "/" + (match[1] or "").lower()
            option, rest = self._named(name)
            given = match[2] if match[2] is not None else rest
            if option is None:
                self._together(word, name)
            elif option.role is None or (option.attached and given is None):
                self.options.append((option, None))
                if match[2] is not None:
                    self.unlisted.append(word)
            elif given is not None:
                self.options.append((option, word.with_text(given)))
            elif self.at < len(self.words):
                self.options.append((option, self.words[self.at]))
                self.at += 1
            else:
                self.unlisted.append(word)

    def _together(self, word: Field, name: str) -> None:
        """Take letters that stand together behind one slash, as in ``/si``, if all of them are flags."""
        found = [self.known.get(f"/{letter}") for letter in name[1:]]
        flags = [option for option in found if option is not None and option.role is None]
        self.options += [(option, None) for option in flags]
        if len(flags) < len(found) or not found:
            self.unlisted.append(word)

    def _named(self, name: str) -> tuple[Option | None, str | None]:
        """Return the option of that name, or one that has its argument attached to it."""
        option = _HELP if name == _HELP.name else self.known.get(name)
        if option is not None:
            return option, None
        for length in range(len(name) - 1, 1, -1):
            option = self.known.get(name[:length])
            if option is not None and option.attached:
                return option, name[length:]
        return None, None
