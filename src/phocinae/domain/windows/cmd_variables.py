"""What cmd puts in the place of variables before it reads a line.

A value becomes text that is read like any other, so that it may hold separators and names
of commands.  A value that is not known, or only guessed from a ``set`` of the same text, is
a gap: nothing is allowed then, but the guess may show what is to be denied.

Sources: Microsoft, "set", "setlocal", "for" and "Recognized environment variables".
"""

from __future__ import annotations

import re
from itertools import repeat
from typing import TypeAlias

from ..shell import Gap

LONGEST = 40_000
"""Characters that a text may come to with the values of its variables."""
LOOP = "for_"
"""In front of the letter of a loop's variable, so that it is no variable of the environment."""


Raw: TypeAlias = tuple[str, int, int, str]
"""One character behind the expansion, where it comes from (start and end), and the name of a variable.

The name is set for a variable; that of a loop has its spelling as text, any other none.  It is a plain tuple, because
a text has thousands.
"""


class TooLong(Exception):
    """The values of variables make the text longer than is read."""


_SYSTEM = "C:\\Windows"
_CONSTANTS = {
    "systemroot": _SYSTEM,
    "windir": _SYSTEM,
    "systemdrive": "C:",
    "homedrive": "",
    "programfiles": "C:\\PROGRA~1",
    "programfiles(x86)": "C:\\PROGRA~2",
    "programw6432": "C:\\PROGRA~1",
    "commonprogramfiles": "C:\\PROGRA~1\\COMMON~1",
    "programdata": "C:\\ProgramData",
    "allusersprofile": "C:\\ProgramData",
    "public": "C:\\Users\\Public",
    "comspec": "C:\\Windows\\System32\\cmd.exe",
    "pathext": ".COM;.EXE;.BAT;.CMD",
    "os": "Windows_NT",
}
"""Values of a usual installation; short names, since a blank would divide a word that is not quoted."""
_IN_HOME = {
    "userprofile": "",
    "homepath": "",
    "appdata": "\\AppData\\Roaming",
    "localappdata": "\\AppData\\Local",
    "temp": "\\AppData\\Local\\Temp",
    "tmp": "\\AppData\\Local\\Temp",
    "onedrive": "\\OneDrive",
}
_HARMLESS = frozenset(
    (
        "path username userdomain computername logonserver sessionname number_of_processors processor_architecture "
        "processor_identifier processor_level processor_revision errorlevel random date time cmdextversion"
    ).split()
)
"""Variables whose values are not known and are no commands, since the system sets them."""

_NAME = r"[A-Za-z_][^%!:=\s\"&|<>^]*"
_REFERENCE = re.compile(
    rf"%%?~(?P<how>[a-zA-Z]*(?:\$\w+:)?)(?P<letter>[A-Za-z0-9*])"
    rf"|%(?P<name>{_NAME})(?P<operator>:[^%\n]*)?%"
    r"|%%?(?P<loop>[A-Za-z])"
    r"|%(?P<argument>[0-9*])"
    r"|(?P<percent>%%?)"
    rf"|!(?P<delayed>{_NAME})(?P<change>:[^!\n]*)?!"
)
DECLARED = re.compile(r"(?i)%%?([a-z0-9])[\s,;=]+in\b")
_SEVERAL = re.compile(r"(?i)/\^?f")
_SET = re.compile(r"(?i)\bset[\s,;=]+(?:/p[\s,;=]+)?\"?([^=&|<>\"\s/][^=&|<>\"\n]{0,200})=([^&|<>\"\n]*)")
_SLICE = re.compile(r":~\s*(-?\d+)(?:,\s*(-?\d+))?\Z")
_CARET = re.compile(r"\^(.)")


class Expansion:
    """The expansion of one text, line by line; `raw` is what it comes to."""

    def __init__(self, text: str) -> None:
        self.raw: list[Raw] = []
        self.gaps: list[Gap] = []
        self._values: dict[str, str] = {}
        self._loops = set(DECLARED.findall(text))
        if _SEVERAL.search(text) and self._loops:  # it gives values to the letters behind its own, too
            self._loops.update("abcdefghijklmnopqrstuvwxyz")
        offset = 0
        for line in text.split("\n"):
            if offset:
                self.raw.append(("\n", offset - 1, offset, ""))
            if "\r" in line[:-1]:
                self._unknown(offset, offset + len(line), "a carriage return hides what stands around it")
            self._line(line.rstrip("\r"), offset)
            offset += len(line) + 1

    def _line(self, line: str, offset: int) -> None:
        if "%" not in line and "!" not in line:
            self._add(line, offset, None)
            self._learn(line)
            return
        self._learn(line)
        begin, at, bare = len(self.raw), 0, 0
        while at < len(line):
            match = _REFERENCE.search(line, at)
            if match is None:
                break
            self._add(line[at : match.start()], offset + at, None)
            at = self._reference(match, offset)
            bare += match["percent"] is not None or (match["loop"] is not None and match["loop"] not in self._loops)
        self._add(line[at:], offset + at, None)
        if bare > 1:
            self.gaps.append(Gap(offset, offset + len(line), "a per cent sign may begin the name of a variable"))
        self._learn("".join([char[0] for char in self.raw[begin:]]))

    def _learn(self, line: str) -> None:
        if "=" in line:
            for match in filter(lambda match: "%" not in match[2], _SET.finditer(line)):
                self._values[match[1].strip().lower()] = _CARET.sub(r"\1", match[2]).rstrip()

    def _add(self, text: str, start: int, end: int | None) -> None:
        """Append characters; those of a value all come from where its variable stands."""
        if len(self.raw) + len(text) > LONGEST:
            raise TooLong
        if end is None:
            self.raw += zip(text, range(start, start + len(text)), range(start + 1, start + len(text) + 1), repeat(""))
        else:
            self.raw += [(char, start, end, "") for char in text]

    def _reference(self, match: re.Match[str], offset: int) -> int:
        """Append what one reference comes to, and return where the line goes on."""
        start, end = offset + match.start(), offset + match.end()
        name, loop = match["name"], match["letter"] or match["loop"] or match["argument"]
        if name and name[0] in self._loops and (len(name) == 1 or "%" in name):  # ``%i%j`` in a loop
            self.raw.append((match[0][:2], start, start + 2, LOOP + name[0]))
            return match.start() + 2
        if loop and loop in self._loops:
            self.raw.append((match[0], start, end, LOOP + loop))
            if match["how"] and match["how"].lower() != "f":
                self._unknown(start, end, "only a part of a name or a list is taken")
        elif match["letter"] or match["argument"]:
            self.raw.append(("", start, end, "1"))
            self._unknown(start, end, "an argument of a batch file may hold any command")
        elif name:
            self._value(name, match["operator"] or "", start, end)
        elif match["delayed"]:
            self._value(match["delayed"], match["change"] or "", start, end)
            self._unknown(start, end, "a value may be taken after the line has been read")
        else:
            self._add(match[0], start, None)
        return match.end()

    def _unknown(self, start: int, end: int, why: str) -> None:
        self.gaps.append(Gap(start, end, why))

    def _value(self, name: str, operator: str, start: int, end: int) -> None:
        key = name.lower()
        if key in self._values or operator:
            self._guess(key, operator, start, end)
        elif key in _IN_HOME:
            self.raw.append(("", start, end, "HOME"))
            self._add(_IN_HOME[key], start, end)
        elif key in _CONSTANTS:
            self._add(_CONSTANTS[key], start, end)
        elif key in _HARMLESS:
            self.raw.append(("", start, end, name))
        elif key == "cd":
            self.raw.append(("", start, end, "PWD"))
            self._unknown(start, end, "the name of the folder may hold a separator of commands")
        else:
            self.raw.append(("", start, end, name))
            self._unknown(start, end, "the value of a variable may hold any command")

    def _guess(self, key: str, operator: str, start: int, end: int) -> None:
        """Append the value that a variable has most likely, perhaps with a part taken or replaced."""
        self._unknown(start, end, "the value of a variable may hold any command")
        value = self._values.get(key, _CONSTANTS.get(key))
        changed = None if value is None else _changed(value, operator)
        if changed is None:
            self.raw.append(("", start, end, key))
        else:
            self._add(changed, start, end)


def _changed(value: str, operator: str) -> str | None:
    """Return a value as ``:~start,length`` or ``:old=new`` leaves it; None where that is not known."""
    if not operator:
        return value
    part = _SLICE.match(operator)
    if part is not None:
        rest = value[int(part[1]) :]
        return rest if part[2] is None else rest[: int(part[2])]
    old, equals, new = operator[1:].partition("=")
    if not equals or not old or old.startswith("*") or len(new) * max(1, value.count(old)) > LONGEST:
        return None
    return re.sub(re.escape(old), lambda _match: new, value, flags=re.IGNORECASE)
