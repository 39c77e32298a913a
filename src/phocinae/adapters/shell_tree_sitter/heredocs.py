"""Finds here-documents before parsing, takes them out of the text, and keeps every offset.

The grammar loses sight of commands around here-documents (two on a line, indented bodies,
partly quoted delimiters, backquotes in a body), so it never sees one: the operator becomes
an input redirection of the same length and the body becomes blanks.  The statement reader
then checks that the parser found a redirection at exactly the places that this scanner
found, so that the two must agree on what is quoted.  ``<<<`` and ``<>`` are rewritten likewise.

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


MOST_WAITING = 16
"""Here-documents whose operators stand in one line."""

_SPECIAL = re.compile(r"[\\'\"`$()#<\n{}]|\b(?:case|esac)\b")
_SUBSTITUTIONS = ("$(", "((", "{", "`")
"""What a shell reads as part of a word, newlines included; ``$(`` stands for any bracket inside a word."""
_BEFORE_COMMAND = re.compile(r"(?:\A|[;&|(){}\n!`]|\b(?:then|do|else|elif|if|while|until|time))[ \t]*\Z")
_DELIMITER = re.compile(
    r"<<(-?)[ \t]*((?:[^ \t\n|&;()<>'\"\\`$#]|\$(?=[A-Za-z_])|\\[^\n]|'[^'\n]*'|\"[^\"\\`$\n]*\")+)"
)
_REWRITTEN = {"<<<": "<  ", "<>": ">|"}
"""Operators that the grammar refuses in places where shells take them, and what it is shown instead."""
_BEFORE_GROUP = " \t\n;&|()!"
_CONTINUED = re.compile(r"(?<!\\)(?:\\\\)*\\\Z")
_ENDS_DELIMITER = re.compile(r"[ \t\n|&;()]|[<>](?!\()|\Z")
_QUOTES = re.compile(r"\\(.)|'([^']*)'|\"([^\"]*)\"")


@frozen(kw_only=True)
class _Waiting:
    """A here-document whose operator, from `start` to `end`, was seen, and whose body is still to come.

    `depth` is how many substitutions the operator stands in.
    """

    start: int
    end: int
    quoted: bool
    tabs: bool
    delimiter: str
    depth: int


class _Scan:
    """Walks over the text with a stack of what it is inside of."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.inside: list[str] = []
        self.depth = self.backquotes = 0
        self.lost = False
        self.waiting: list[_Waiting] = []
        self.cuts: list[tuple[int, int, str]] = []
        self.documents: dict[int, tuple[bool, str, int]] = {}
        self.operators: dict[int, str] = {}

    def run(self) -> None:
        while match := _SPECIAL.search(self.text, self.at):
            self.at = match.start()
            if self.inside and self.inside[-1] == '"':
                self._double(match[0])
            else:
                self._open(match[0])
        if self.waiting:
            raise Unclear("a here-document without its end")
        if self.documents and (self.inside or self.lost):
            raise Unclear("a here-document among brackets that do not pair")

    def _starts(self, text: str) -> bool:
        return self.text.startswith(text, self.at)

    def _enter(self, what: str, step: int = 1) -> None:
        self.inside.append(what)
        self.depth += what in _SUBSTITUTIONS
        self.backquotes += what == "`"
        self.at += step

    def _leave(self) -> str:
        closed = self.inside.pop()
        if closed in _SUBSTITUTIONS:
            if any(document.depth >= self.depth for document in self.waiting):
                raise Unclear("a here-document that starts in a substitution and goes on behind it")
            self.depth -= 1
        self.backquotes -= closed == "`"
        return closed

    def _dollar(self) -> bool:
        """Step into an expansion that starts here; return whether there is one."""
        for opener, what in (("$((", "(("), ("$(", "$("), ("${", "{")):
            if self._starts(opener):
                self._enter(what, len(opener))
                return True
        return False

    def _double(self, char: str) -> None:
        if char == "\\":
            self.at += 2
        elif char == '"':
            self._leave()
            self.at += 1
        elif char == "`":
            self._backquote()
        elif not (char == "$" and self._dollar()):
            self.at += 1

    def _backquote(self) -> None:
        if not self.backquotes:
            self._enter("`")
            return
        while self._leave() != "`":
            pass
        self.at += 1

    def _open(self, char: str) -> None:
        if char == "\\":
            self.at += 2
        elif char == "'":
            self._skip_to("'", self.at + 1)
        elif char == '"':
            self._enter('"')
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
        elif char in ("case", "esac"):
            self._case(char)
        else:
            self._bracket(char)

    def _case(self, word: str) -> None:
        """Step into or out of a ``case``, in which a closing bracket may have no partner."""
        top = self.inside[-1] if self.inside else ""
        if word == "esac" and top == "case":
            self._leave()
        elif (
            word == "case"
            and top not in ("((", "{")
            and _BEFORE_COMMAND.search(self.text[max(self.at - 40, 0) : self.at])
        ):
            self._enter("case", 0)
        self.at += len(word)

    def _bracket(self, char: str) -> None:
        top = self.inside[-1] if self.inside else ""
        step = 1
        if char == "(":
            grouping = self.at == 0 or self.text[self.at - 1] in _BEFORE_GROUP
            what = "((" if self._starts("((") else "(" if grouping else "$("
            self._enter(what, len(what) if what == "((" else 1)
            return
        if char == ")" and top in ("(", "$(", "(("):
            double = self._leave() == "((" and self._starts("))")
            step = 2 if double else 1
        elif char == ")" and top != "case":
            self.lost = True
        elif char == "}" and top == "{":
            self._leave()
        self.at += step

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
        if before in " \t\n;&|(" and (not self.inside or self.inside[-1] in ("(", "$(", "`", "case")):
            end = self.text.find("\n", self.at)
            self.at = len(self.text) if end < 0 else end
        else:
            self.at += 1

    def _less(self) -> None:
        found = next((operator for operator in _REWRITTEN if self._starts(operator)), "<")
        in_word = self.inside and self.inside[-1] in ("((", "{")
        if found in _REWRITTEN and not in_word:
            self.operators[self.at] = found
        if self._starts("<<") and found == "<" and not in_word:
            self._operator()
        else:
            self.at += len(found)

    def _operator(self) -> None:
        match = _DELIMITER.match(self.text, self.at)
        if match is None or self.backquotes or not _ENDS_DELIMITER.match(self.text, match.end()):
            raise Unclear("a here-document whose delimiter is not plain")
        if len(self.waiting) >= MOST_WAITING:
            raise Unclear("too many here-documents in one line")
        word = match[2]
        self.waiting.append(
            _Waiting(
                start=self.at,
                end=match.end(),
                quoted=any(mark in word for mark in "\\'\""),
                tabs=match[1] == "-",
                delimiter=_QUOTES.sub(lambda found: found[1] or found[2] or found[3] or "", word),
                depth=self.depth,
            )
        )
        self.at = match.end()

    def _bodies(self) -> None:
        first = self.at
        for document in self.waiting:
            if document.depth < self.depth:
                raise Unclear("a substitution of several lines between a here-document and its text")
            begin = self.at
            body = self._body(document)
            self.cuts.append((document.start, document.end, "<" + "_" * (document.end - document.start - 1)))
            self.documents[document.start] = (document.quoted, body, begin)
        blank = re.sub(r"[^\n]", " ", self.text[first : self.at])
        self.cuts.append((first, self.at, blank))
        self.waiting.clear()

    def _body(self, document: _Waiting) -> str:
        """Step over the lines of a body, its end included, and return it."""
        body: list[str] = []
        held = ""
        while self.at < len(self.text):
            stop = self.text.find("\n", self.at)
            line = self.text[self.at : stop if stop >= 0 else len(self.text)]
            self.at = min(self.at + len(line) + 1, len(self.text))
            if document.tabs:
                line = line.lstrip("\t")
            if held and document.delimiter in (line, held + line):
                raise Unclear("a here-document whose end may be continued from the line before")
            if line == document.delimiter:
                return "".join(body)
            body.append(line + "\n")
            continued = not document.quoted and _CONTINUED.search(line)
            held = (held + line)[:-1] if continued else ""
        raise Unclear("a here-document without its end")


def take_out(text: str) -> tuple[str, dict[int, tuple[bool, str, int]], dict[int, str]]:
    """Return the text without here-documents, what was taken out, and the other operators that were rewritten.

    Offsets are code points.  The new text has the length of the old one in code points
    and holds a redirection in place of each operator.

    Raises:
        Unclear: a here-document has no end, or a delimiter that shells read differently.
    """
    scan = _Scan(text)
    scan.run()
    pieces, at = [], 0
    cuts = scan.cuts + [(place, place + len(found), _REWRITTEN[found]) for place, found in scan.operators.items()]
    for start, end, instead in sorted(cuts):
        if start < at:
            raise Unclear("a here-document inside another")
        pieces += [text[at:start], instead]
        at = end
    pieces.append(text[at:])
    return "".join(pieces), scan.documents, scan.operators
