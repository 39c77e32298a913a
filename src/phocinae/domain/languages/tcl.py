"""Code of Tcl and Expect: commands of words, as in a shell.

Sources: Tcl(n), exec(n), file(n), open(n), and expect(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..values import HOME, plain
from .statements import MOST_DEPTH
from .syntax import MOST_TOKENS, unescaped
from .values import UNKNOWN, Value, joined

if TYPE_CHECKING:
    from .acts import Acts

_PLAIN = re.compile(r"[^\s;\[\]{}\"$\\]++")
_NAME = re.compile(r"\$\{?([\w:]+)(?:\((\w+)\))?\}?")
_BODIES = frozenset(
    "if while for foreach proc catch eval expect try else elseif namespace uplevel after switch then".split()
)
_RUNS = frozenset(["exec", "spawn"])
_BRACES = re.compile(r"\\.|[{}]", re.S)
_BRACKETS = re.compile(r"\\.|[\[\]]", re.S)


class Tcl:
    """The reading of one code."""

    def __init__(self, acts: Acts) -> None:
        self.acts = acts
        self.names: dict[str, Value] = {}
        self.left = MOST_TOKENS

    def read(self, code: str, depth: int = 0) -> Value:
        """Go through code, and return what its last command gives."""
        at, value = 0, UNKNOWN
        while at < len(code) and self.left > 0 and depth < MOST_DEPTH:
            words, at = self._command(code, at, depth)
            if words:
                value = self._run(words, depth)
        return value

    def _command(self, code: str, at: int, depth: int) -> tuple[list[Value], int]:
        words: list[Value] = []
        while at < len(code) and self.left > 0:
            char = code[at]
            if char in "\n;":
                return words, at + 1
            if char in " \t\r":
                at += 1
            elif char == "#" and not words:
                end = code.find("\n", at)
                at = len(code) if end < 0 else end
            else:
                word, at = self._word(code, at, depth)
                words.append(word)
        return words, at

    def _word(self, code: str, at: int, depth: int) -> tuple[Value, int]:
        self.left -= 1
        if code[at] == "{":
            end = _closing(code, at)
            return Value(text=plain(code[at + 1 : end]), ref="{}"), end + 1
        quoted = code[at] == '"'
        at += 1 if quoted else 0
        value = Value(text="")
        while at < len(code) and self.left > 0 and (code[at] != '"' if quoted else code[at] not in " \t\r\n;"):
            self.left -= 1
            if code[at] == "[":
                end = _closing(code, at)
                value, at = joined(value, self.read(code[at + 1 : end], depth + 1)), end + 1
            elif name := _NAME.match(code, at):
                found = Value(text=HOME) if name[1] == "env" and name[2] == "HOME" else self.names.get(name[1], UNKNOWN)
                value, at = joined(value, found), name.end()
            elif match := _PLAIN.match(code, at):
                value, at = joined(value, Value(text=plain(match[0]))), match.end()
            else:
                step = 2 if code[at] == "\\" else 1
                value, at = joined(value, Value(text=plain(unescaped(code[at : at + step])))), at + step
        return value, at + 1 if quoted else at

    def _run(self, words: list[Value], depth: int) -> Value:
        name, rest = words[0].text or "", words[1:]
        texts = [word.text or "" for word in rest]
        if name == "set" and len(rest) == 2:
            self.names[texts[0]] = rest[1]
        elif name in _RUNS:
            return self.acts.shell(None, Value(items=tuple(rest[_options(texts) :])))
        elif name == "system":
            return self.acts.shell(None, Value(items=(Value(text=" ".join(texts)),)))
        elif name == "file":
            self._file(texts)
        elif name == "open" and rest:
            if texts[0][:1] == "|":
                return self.acts.shell(None, Value(items=(Value(text=texts[0][1:]),)))
            return self.acts.open(None, Value(items=tuple(rest)))
        elif name == "glob":
            return self.acts.list(None, Value(items=tuple(rest[_options(texts) :])))
        elif name == "socket":
            return self.acts.socket(None, Value())
        elif name == "eval" and rest and rest[0].ref != "{}":
            self.acts.eval(None, Value(items=(rest[0],)))
        if name in _BODIES:
            if name == "foreach" and len(rest) > 1:
                self.names[texts[0]] = Value(text=(texts[1].split() or [""])[0])
            for word in rest:
                if word.ref == "{}" and word.text:
                    self.read(word.text, depth + 1)
        return UNKNOWN

    def _file(self, texts: list[str]) -> None:
        verb, words = texts[:1], texts[1:]
        values = tuple(Value(text=text) for text in words if not text.startswith("-"))
        if verb == ["delete"]:
            (self.acts.tree if "-force" in words else self.acts.delete)(None, Value(items=values))
        elif verb == ["rename"]:
            self.acts.move(None, Value(items=values))
        elif verb in (["copy"], ["link"]):
            self.acts.copy(None, Value(items=values))


def _options(texts: list[str]) -> int:
    """Return how many words are options."""
    return next((place for place, text in enumerate(texts) if not text.startswith("-")), len(texts))


def _closing(code: str, at: int) -> int:
    """Return the place of the bracket that closes the one at a place, or the end."""
    opening, depth = code[at], 0
    for match in (_BRACES if opening == "{" else _BRACKETS).finditer(code, at):
        depth += 1 if match[0] == opening else -1 if len(match[0]) == 1 else 0
        if depth == 0:
            return match.start()
    return len(code)
