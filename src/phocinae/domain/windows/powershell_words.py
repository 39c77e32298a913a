"""Strings, variables and plain words of PowerShell, as parts of words.

Names of variables are in lower case and those of the environment in upper case, since
PowerShell takes both in any case and keeps them apart.  Source: about_Quoting_Rules,
about_Variables, about_Automatic_Variables, about_Environment_Variables, about_Special_Characters.
"""

from __future__ import annotations

import re

from ..shell import Command, Node, Part, PartKind, Word
from ..values import plain
from .powershell_scan import BLANK, LINE_END, Refused, Scanner, commands, computed, literal

_SINGLE = re.compile(r"'((?:[^']|'')*)'")
_HERE = re.compile(r"@(['\"])[ \t]*(?:\r\n|[\r\n])")
_HERE_ENDS = {"'": re.compile(r"(?:\A|\r\n|[\r\n])'@"), '"': re.compile(r'(?:\A|\r\n|[\r\n])"@')}
_VARIABLE = re.compile(r"\$(?:(\w+):(?=[\w?]))?(\w+|\?)(?!\w*:(?!:))")
NAME = re.compile(r"\$(?:\{([^}`]+)\}|(?:(\w+):(?=\w))?(\w+))")
"""A variable by name, where something is done to it."""
_BRACED = re.compile(r"\$\{([^}`]+)\}")
_ESCAPED = {"0": "\0", "a": "\a", "b": "\b", "e": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_CODE_POINT = re.compile(r"`u\{([0-9A-Fa-f]{1,6})\}")
_BARE = re.compile(r"[^\s;|&(){},<>'\"`$*?]+")
_IN_STRING = re.compile(r'[^"`$]+')
_SCOPES = frozenset(["", "global", "script", "local", "private", "variable", "using"])
_DRIVES = frozenset(["env", "alias", "function"])
"""Drives that hold no files, and whose items are like variables."""
_CONSTANTS = {
    "true": "True",
    "false": "False",
    "null": "",
    "pshome": "C:/Windows/System32/WindowsPowerShell/v1.0",
}
_PROFILE = "/.config/powershell/profile.ps1"
_ENVIRONMENT = {
    "SYSTEMROOT": "C:/Windows",
    "WINDIR": "C:/Windows",
    "SYSTEMDRIVE": "C:",
    "HOMEDRIVE": "C:",
    "PROGRAMFILES": "C:/Program Files",
    "PROGRAMFILES(X86)": "C:/Program Files (x86)",
    "PROGRAMW6432": "C:/Program Files",
    "PROGRAMDATA": "C:/ProgramData",
    "ALLUSERSPROFILE": "C:/ProgramData",
    "PUBLIC": "C:/Users/Public",
    "COMSPEC": "C:/Windows/System32/cmd.exe",
    "HOMEPATH": "/Users/user",
}
_IN_HOME = {
    "USERPROFILE": "",
    "HOME": "",
    "ONEDRIVE": "\\OneDrive",
    "APPDATA": "\\AppData\\Roaming",
    "LOCALAPPDATA": "\\AppData\\Local",
    "TEMP": "\\AppData\\Local\\Temp",
    "TMP": "\\AppData\\Local\\Temp",
}
_HOME = Part(kind=PartKind.PARAMETER, text="HOME", quoted=True)


def variable(scope: str, name: str) -> list[Part]:
    """Return what ``$scope:name`` is."""
    scope = scope.lower()
    if scope == "env":
        name = name.upper()
        if name in _ENVIRONMENT:
            return [literal(_ENVIRONMENT[name])]
        if name in _IN_HOME:
            return [_HOME, literal(_IN_HOME[name])] if _IN_HOME[name] else [_HOME]
        return [Part(kind=PartKind.PARAMETER, text=name, quoted=True)]
    name = name.lower()
    if scope not in _SCOPES:
        return [Part(kind=PartKind.PARAMETER, text=f"{scope}:{name}", quoted=True)]
    if name in _CONSTANTS:
        return [literal(_CONSTANTS[name])]
    if name == "profile":
        return [_HOME, literal(_PROFILE)]
    known = {"home": "HOME", "pwd": "PWD", "psitem": "_", "input": "_", "?": "last status"}
    return [Part(kind=PartKind.PARAMETER, text=known.get(name, name), quoted=True)]


def name_of(found: re.Match[str]) -> str:
    """Return the name that the judge knows a variable by."""
    braced, scope, name = found.groups()[-3:]
    if braced:
        scope, colon, name = braced.partition(":")
        scope, name = (scope, name) if colon else ("", braced)
    part = variable(scope or "", name)[0]
    return part.text if part.kind is PartKind.PARAMETER and part.text != "HOME" else name.lower()


class Words(Scanner):
    """Reads what words are made of."""

    def statements(self, end: str) -> Node:
        """Read statements up to a closing bracket; the grammar of statements says how."""
        raise NotImplementedError

    def bracket(self, opening: str, end: str) -> Node:
        """Read statements between brackets."""
        self.need(opening)
        self.deeper()
        script = self.statements(end)
        self.need(end)
        self.depth -= 1
        return script

    def string(self) -> list[Part]:
        """Read a quoted string or a here-string."""
        if self.peek() == "'":
            found = _SINGLE.match(self.text, self.at)
            if found is None:
                raise Refused(self.at, "a string does not end")
            self.at = found.end()
            return [literal(found[1].replace("''", "'"))]
        if self.peek() == '"':
            self.at += 1
            parts = self._expandable(len(self.text))
            self.need('"')
            return parts or [literal("")]
        return self._here_string()

    def _here_string(self) -> list[Part]:
        found = self.match(_HERE)
        if found is None:
            raise Refused(self.at, "a here-string needs a line of its own")
        start, quote = self.at, found[1]
        end = _HERE_ENDS[quote].search(self.text, max(start - 1, 0))
        if end is None:
            raise Refused(start, "a here-string does not end")
        stop = max(end.start(), start)
        parts = [literal(self.text[start:stop])] if quote == "'" else self._expandable(stop, here=True)
        self.at = end.end()
        return parts or [literal("")]

    def _expandable(self, stop: int, *, here: bool = False) -> list[Part]:
        """Read the inside of a string in double quotes up to its end, or up to `stop`."""
        parts: list[Part] = []
        while self.at < stop:
            char = self.peek()
            if char == '"':
                if not here and self.peek(2) != '""':
                    break
                parts.append(literal('"'))
                self.at += 1 if here else 2
            elif char == "`":
                parts.append(literal(self.escape()))
            elif char == "$":
                parts += self.expansion()
            else:
                found = _IN_STRING.match(self.text, self.at, stop)
                self.at = found.end() if found else self.at + 1
                parts.append(literal(found[0] if found else char))
        return parts

    def escape(self) -> str:
        """Read a backtick with the character that it escapes."""
        point = self.match(_CODE_POINT)
        if point is not None:
            code = int(point[1], 16)
            return plain(chr(code)) if code <= 0x10FFFF else ""
        char = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if not char:
            raise Refused(self.at - 2, "a backtick escapes nothing")
        return _ESCAPED.get(char, char)

    def expansion(self) -> list[Part]:
        """Read what begins with a dollar sign: a variable, a subexpression, or nothing but the sign."""
        if self.starts("$("):
            self.at += 1
            return [commands(self.bracket("(", ")"))]
        if self.starts("$$", "$^"):
            self.at += 2
            return [computed()]
        braced = self.match(_BRACED)
        if braced is not None:
            scope, colon, name = braced[1].partition(":")
            return self._variable(scope, name, braced.start()) if colon else variable("", braced[1])
        found = self.match(_VARIABLE)
        if found is not None:
            return self._variable(found[1] or "", found[2], found.start())
        if self.text[self.at + 1 : self.at + 2].isalnum() or self.starts("${", "$_"):
            raise Refused(self.at, "the name of a variable does not end")
        self.at += 1
        return [literal("$")]

    def _variable(self, scope: str, name: str, start: int) -> list[Part]:
        """Return a variable by its scope, in whose place may stand a drive: its items are read by such a name.

        Source: about_Scopes, about_Providers ("Provider drives"), about_Variables.
        """
        low = scope.lower()
        if low in _DRIVES or (low in _SCOPES and low != "variable"):
            return variable(scope, name)
        words = tuple(Word((literal(text),), start, self.at) for text in ("Get-Content", f"{scope}:{name}"))
        return [commands(Command((), words, (), start, self.at))]

    def bare(self) -> list[Part]:
        """Read a word without quotes around it, up to a blank or a sign of the grammar."""
        parts: list[Part] = []
        while self.at < len(self.text):
            char = self.peek()
            if char == "`" and self.text[self.at + 1 : self.at + 2] in LINE_END:
                break
            if char == "`":
                parts.append(literal(self.escape()))
            elif char in "'\"":
                parts += self.string()
            elif char == "$":
                parts += self.expansion()
            elif char in "*?":
                parts.append(Part(kind=PartKind.GLOB, text=char))
                self.at += 1
            else:
                found = self.match(_BARE)
                if found is None:
                    break
                parts += self._plain(found[0], first=not parts)
        return parts

    def _plain(self, text: str, *, first: bool) -> list[Part]:
        home = first and text[0] == "~" and text[1:2] in ("", "/", "\\")
        if home and (text[1:] or self.peek() in ("", *BLANK, *LINE_END, *";|)},")):
            rest = [Part(kind=PartKind.LITERAL, text=text[1:])] if text[1:] else []
            return [Part(kind=PartKind.TILDE), *rest]
        return [Part(kind=PartKind.LITERAL, text=text)]
