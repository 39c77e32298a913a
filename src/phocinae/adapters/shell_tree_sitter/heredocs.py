"""Finds here-documents before parsing, takes them out of the text, and keeps every offset.

The grammar loses sight of commands around here-documents (two on a line, indented bodies,
partly quoted delimiters, backquotes in a body), so it never sees one: the operator becomes
an input redirection of the same length and the body becomes blanks.  The statement reader
then checks that the parser found a redirection at exactly the places that this scanner
found, so that the two must agree on what is quoted.  ``<>`` is rewritten likewise.

Rule: POSIX XCU 2.7.4.
"""

from __future__ import annotations

import re

from attrs import frozen


class Unclear(Exception):
    """The text holds a here-document that this scanner does not vouch for."""


@frozen
class Document:
    """A here-document: whether its delimiter was quoted, and its body, which starts at byte `start`."""

    quoted: bool
    body: str
    start: int


_SPECIAL = re.compile(r"[\\'\"`$()#<\n{}]")
_DELIMITER = re.compile(r"<<(-?)[ \t]*((?:[^\s|&;()<>'\"\\`$#]|\\[^\n]|'[^'\n]*'|\"[^\"\\`$\n]*\")+)")
_QUOTES = re.compile(r"\\(.)|'([^']*)'|\"([^\"]*)\"")


class _Scan:
    """Walks over the text with a stack of what it is inside of."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.inside: list[str] = []
        self.waiting: list[tuple[int, int, bool, bool, str]] = []
        self.cuts: list[tuple[int, int, str]] = []
        self.documents: dict[int, tuple[bool, str, int]] = {}
        self.read_write: list[int] = []

    def run(self) -> None:
        while match := _SPECIAL.search(self.text, self.at):
            self.at = match.start()
            if self.inside and self.inside[-1] == '"':
                self._double(match[0])
            else:
                self._open(match[0])
        if self.waiting:
            raise Unclear("a here-document without its end")

    def _starts(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def _dollar(self) -> bool:
        """Step into an expansion that starts here; return whether there is one."""
        for opener, what in (("$((", "(("), ("$(", "("), ("${", "{")):
            if self._starts(opener):
                self.inside.append(what)
                self.at += len(opener)
                return True
        return False

    def _double(self, char: str) -> None:
        if char == "\\":
            self.at += 2
        elif char == '"':
            self.inside.pop()
            self.at += 1
        elif char == "`":
            self._backquote()
        elif not (char == "$" and self._dollar()):
            self.at += 1

    def _backquote(self) -> None:
        if "`" in self.inside:
            while self.inside.pop() != "`":
                pass
        else:
            self.inside.append("`")
        self.at += 1

    def _open(self, char: str) -> None:
        if char == "\\":
            self.at += 2
        elif char == "'":
            self._skip_to("'", self.at + 1)
        elif char == '"':
            self.inside.append('"')
            self.at += 1
        elif char == "`":
            self._backquote()
        elif char == "$":
            if self._starts("$'"):
                self._skip_ansi_c()
            elif not self._dollar():
                self.at += 1
        elif char == "#":
            self._comment()
        elif char == "<":
            self._less()
        elif char == "\n":
            self.at += 1
            if self.waiting:
                self._bodies()
        else:
            self._bracket(char)

    def _bracket(self, char: str) -> None:
        if char == "(":
            double = self._starts("((")
            self.inside.append("((" if double else "(")
            self.at += 2 if double else 1
        elif char == ")" and self.inside and self.inside[-1] in ("(", "(("):
            closed = self.inside.pop()
            self.at += 2 if closed == "((" and self._starts("))") else 1
        elif char == "}" and self.inside and self.inside[-1] == "{":
            self.inside.pop()
            self.at += 1
        else:
            self.at += 1

    def _skip_to(self, wanted: str, start: int) -> None:
        end = self.text.find(wanted, start)
        self.at = len(self.text) if end < 0 else end + 1

    def _skip_ansi_c(self) -> None:
        self.at += 2
        while self.at < len(self.text) and self.text[self.at] != "'":
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def _comment(self) -> None:
        before = self.text[self.at - 1] if self.at else "\n"
        if before in " \t\n;&|(" and (not self.inside or self.inside[-1] in ("(", "`")):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        else:
            self.at += 1

    def _less(self) -> None:
        if self._starts("<<<"):
            self.at += 3
        elif self._starts("<>"):
            self.read_write.append(self.at)
            self.at += 2
        elif self._starts("<<") and not (self.inside and self.inside[-1] in ("((", "{")):
            self._operator()
        else:
            self.at += 1

    def _operator(self) -> None:
        match = _DELIMITER.match(self.text, self.at)
        follower = self.text[match.end() : match.end() + 1] if match else ""
        if match is None or "`" in self.inside or follower in tuple("$`\"'\\"):
            raise Unclear("a here-document whose delimiter is not plain")
        word = match[2]
        quoted = any(mark in word for mark in "\\'\"")
        delimiter = _QUOTES.sub(lambda found: found[1] or found[2] or found[3] or "", word)
        self.waiting.append((self.at, match.end(), quoted, match[1] == "-", delimiter))
        self.at = match.end()

    def _bodies(self) -> None:
        first = self.at
        for start, end, quoted, tabs, delimiter in self.waiting:
            body, begin = [], self.at
            while True:
                if self.at >= len(self.text):
                    raise Unclear("a here-document without its end")
                stop = self.text.find("\n", self.at)
                line = self.text[self.at : stop if stop >= 0 else len(self.text)]
                self.at = min(self.at + len(line) + 1, len(self.text))
                bare = line.lstrip("\t") if tabs else line
                if bare == delimiter:
                    break
                body.append(bare + "\n")
            self.cuts.append((start, end, "<" + "_" * (end - start - 1)))
            self.documents[start] = (quoted, "".join(body), begin)
        blank = re.sub(r"[^\n]", " ", self.text[first : self.at])
        self.cuts.append((first, self.at, blank))
        self.waiting.clear()


def take_out(text: str) -> tuple[str, dict[int, tuple[bool, str, int]], list[int]]:
    """Return the text without here-documents, what was taken out, and the offsets of ``<>`` operators.

    Offsets are code points.  The new text has the length of the old one in code points
    and holds a redirection in place of each operator.

    Raises:
        Unclear: a here-document has no end, or a delimiter that shells read differently.
    """
    scan = _Scan(text)
    scan.run()
    pieces, at = [], 0
    cuts = scan.cuts + [(place, place + 2, ">|") for place in scan.read_write]
    for start, end, instead in sorted(cuts):
        if start < at:
            raise Unclear("a here-document inside another")
        pieces += [text[at:start], instead]
        at = end
    pieces.append(text[at:])
    return "".join(pieces), scan.documents, scan.read_write
