"""Words: quoting resolved, expansions kept as parts, braces expanded.

Whatever a leaf of the tree still hides (a backquote or ``$(`` in a pattern, say) is noted
as a gap; no text is ever taken for literal only because the grammar made it one token.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ...domain import shell
from ...domain.shell import Part, PartKind, Word
from . import arrays, braces, expansions, hidden, quoting
from .coverage import Coverage
from .simple import LONGEST_BARE
from .text import Text
from .tree import EXPANSIONS, EXPRESSIONS, WORDS, SyntaxNode

ReadScript = Callable[[SyntaxNode], shell.Node]
"""Reads the statements inside a node; provided by the statement reader."""

ReadText = Callable[[str, int, int], shell.Node]
"""Reads a text within the text; provided by the statement reader."""

_PLAIN = re.compile(r"[A-Za-z0-9_./:,@%+-][A-Za-z0-9_./:,@%+=-]*\Z")
_UNQUOTED = re.compile(r"\\\n|((?:\\[^\n])+)|([*?])|([$`()<>|&;\"'])|([^\\*?$`()<>|&;\"']+)|(.)", re.S)
_ODD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180e\u2000-\u200c\u200e\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\u3164\ufeff\uffa0\ufff9-\ufffd\U000e0000-\U000e0fff]"
)
"""Characters that a person cannot see, or sees as a blank, or that reorder what is seen."""
_PASSED_OVER = re.compile(r"`|\$|[<>=]\(|['\"]")
_QUOTE = re.compile(r"['\"]")
_HIDING = re.compile(r"`|\$[({]|[<>=]\(")
_ACTIVE = re.compile(r"`|\$[=~^]|\$\+?[\w({@*#?!$\[-]")
_LONE_DOLLAR = re.compile(rb"\$[ \t\n]")
"""A dollar sign that stands for itself; the grammar takes the word behind the blank for a name."""
_ENDS_STRING = re.compile(r"[}\"`$]")
_BLANK = re.compile(r"[ \t\n]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ZSH_EQUALS = re.compile(r"=[^=]")
_BEFORE_TILDE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=(?=~)")
_TILDE = re.compile(r"~([A-Za-z0-9_.+-]*)(?=/|\Z)")


class WordReader:
    """Turns nodes of one text into words."""

    def __init__(self, text: Text, read_script: ReadScript, read_text: ReadText) -> None:
        self.text = text
        self.coverage = Coverage(text)
        self.read_script = read_script
        self.read_text = read_text
        self._split_at = -1
        self._name_end = -1
        """The byte at which the last expansion without braces ended."""
        self.substitutions = 0
        """How many command and process substitutions are around what is read."""

    def words(self, nodes: list[SyntaxNode]) -> list[Word]:
        """Return the words that adjacent nodes stand for: one, or several by brace expansion."""
        start, end = self.text.point(nodes[0].start), self.text.point(nodes[-1].end)
        if len(nodes) == 1 and nodes[0].kind == "word":
            raw = self.text.slice(nodes[0].start, nodes[0].end)
            if len(raw) <= LONGEST_BARE and _PLAIN.match(raw):
                return [Word((Part(kind=PartKind.LITERAL, text=raw),), start, end)]
        parts: list[Part] = []
        for node in nodes:
            self.add(node, parts)
        self._whole(nodes[0].start, nodes[-1].end)
        self._check_literals(nodes[0].start, nodes[-1].end, parts)
        first = next((part for part in parts if part.kind is not PartKind.LITERAL or part.text), None)
        if first is not None and not first.quoted and _ZSH_EQUALS.match(first.text + "x" * (first is not parts[-1])):
            self.text.differs(nodes[0].start, nodes[-1].end, "zsh replaces a leading = by a program's path")
        try:
            found = braces.expand(parts)
        except braces.Unclear:
            self.text.gap(nodes[0].start, nodes[-1].end, "braces that are too many, or that shells read differently")
            found = [tuple(parts)]
        return [Word(_with_tilde(word), start, end) for word in found]

    def word(self, node: SyntaxNode, *, blanks: bool = False) -> Word:
        """Return one word, without brace expansion (as in an assignment); inside ``${…}`` it may hold blanks."""
        parts: list[Part] = []
        self.add(node, parts)
        self._whole(node.start, node.end)
        if not blanks:
            self._check_literals(node.start, node.end, parts)
        return Word(_with_tilde(tuple(parts)), self.text.point(node.start), self.text.point(node.end))

    def _check_literals(self, start: int, end: int, parts: list[Part]) -> None:
        """Note a gap for what the parser kept inside a word although nothing quotes it, and some shell does not."""
        text = "".join(part.text for part in parts if part.kind is PartKind.LITERAL and not part.quoted)
        if _BLANK.search(text):
            self.text.gap(start, end, "an unquoted blank inside a word")
        last = parts[-1] if parts else None
        ends = last is not None and last.kind is PartKind.LITERAL and not last.quoted and last.text.endswith("}")
        if (ends or self.text.data[end - 1 : end + 2] == b"}\\\n") and _closes(text):
            self.text.differs(start, end, "a } without its {, at which zsh ends a command")

    def _whole(self, start: int, end: int) -> None:
        """Note a gap when the name of a cut expansion has not turned up in the same word."""
        if self._split_at >= 0:
            self.text.gap(start, end, "an expansion that the parser cut in two")
            self._split_at = -1

    def add(self, node: SyntaxNode, parts: list[Part], *, quoted: bool = False) -> None:
        """Append the parts of one node."""
        kind = node.kind
        if kind == "string":
            self._string(node, parts)
        elif kind == "raw_string":
            self._delimited(node, parts, "'", "'")
        elif kind == "ansi_c_string":
            self._ansi_c(node, parts)
        elif kind == "concatenation":
            self._concatenation(node, parts)
        elif kind in EXPANSIONS:
            self._expansion(node, parts, quoted)
        elif kind == "regex":
            self._regex(node, parts)
        elif kind == "array":
            parts.append(Part(kind=PartKind.OPAQUE, text="(", words=arrays.read(self, node)))
        elif kind == "translated_string" or (node.children and kind not in WORDS):
            self._opaque(node.start, node.end, "a form of word that is not known", parts)
        else:
            self._unquoted(node.start, node.end, parts)

    def collect(self, node: SyntaxNode) -> tuple[Word, ...]:
        """Return every expansion below a node whose own meaning does not matter."""
        if node.kind in EXPANSIONS or node.kind in ("string", "concatenation"):
            return (self.word(node),)
        if node.kind == "ansi_c_string":
            self._ansi_c(node, [])
            return ()
        if not node.children:
            raw = self.text.slice(node.start, node.end)
            if node.kind == "comment" or (node.named and _HIDING.search(raw)):
                self.text.gap(node.start, node.end, "an expansion inside a pattern")
                return hidden.words(self, node.start, node.end)
            if node.kind not in ("raw_string", "comment") and _QUOTE.search(quoting.PAIRED.sub("", raw)):
                self.text.gap(node.start, node.end, "a quote inside a pattern")
            elif any("\\'" in string for string in quoting.ANSI_C.findall(raw)):
                self.text.differs(node.start, node.end, "shells without $'…' end this string at the escaped quote")
            return ()
        if node.kind not in EXPRESSIONS and node.kind not in ("subscript", "variable_assignment"):
            self.text.gap(node.start, node.end, "an expression of a form that is not known")
        return self.collect_below(node)

    def covered(self, node: SyntaxNode) -> None:
        """Note a gap where the text between the children of `node` could hold an expansion."""
        at = node.start
        for child in node.children:
            self._between(at, child.start)
            at = child.end
        self._between(at, node.end)

    def _between(self, start: int, end: int) -> None:
        if start < end and _PASSED_OVER.search(self.text.slice(start, end)):
            self.text.gap(start, end, "text that the parser passed over")

    def _opaque(self, start: int, end: int, why: str, parts: list[Part]) -> None:
        self.text.gap(start, end, why)
        parts.append(Part(kind=PartKind.OPAQUE, text=self.text.slice(start, end), words=hidden.words(self, start, end)))

    def _unquoted(self, start: int, end: int, parts: list[Part]) -> None:
        raw = self.text.slice(start, end)
        if len(raw) > LONGEST_BARE:
            self.text.gap(start, end, f"an unquoted word of more than {LONGEST_BARE} characters")
        if not raw.isascii() or not raw.isprintable():
            self._check_visible(raw, start, end)
        if start == self._split_at:
            raw = self._split_expansion(raw, start, parts)
            start = end - len(raw.encode())
        raw = self._behind_name(raw, start, end, parts)
        for match in _UNQUOTED.finditer(raw):
            escaped, wildcard, special, plain, other = match.groups()
            if escaped is not None:
                parts.append(Part(kind=PartKind.LITERAL, text=escaped[1::2], quoted=True))
            elif wildcard:
                parts.append(Part(kind=PartKind.GLOB, text=wildcard))
            elif special == "$" and match.end() == len(raw) and self._dollar_at(end):
                return  # the parser cut an expansion in two; the next node holds its name
            elif special == "$" and match.end() == len(raw) and self.text.char(end) == '"':
                self.text.differs(start, end + 1, "a translated string, a dollar sign before a string in some shells")
            elif special == "$" and self._is_plain_dollar(raw[match.start() :], end):
                parts.append(Part(kind=PartKind.LITERAL, text="$", quoted=True))
            elif special:
                self._opaque(start, end, f"an unquoted {special} inside a word", parts)
                return
            elif plain or other:
                parts.append(Part(kind=PartKind.LITERAL, text=plain or other))

    def _is_plain_dollar(self, raw: str, end: int) -> bool:
        """Return whether a dollar sign stands for itself in every shell; `raw` is what follows it up to `end`."""
        follower = raw[1:2] or self.text.char(end)
        return not _ACTIVE.match(raw + follower) and follower not in ("\\", "'", '"')

    def _behind_name(self, raw: str, start: int, end: int, parts: list[Part]) -> str:
        """Return `raw` without what zsh may take for a part of the expansion in front of it."""
        if start != self._name_end or not parts or parts[-1].kind is not PartKind.PARAMETER:
            return raw
        found = expansions.behind_name(parts[-1], raw)
        if found is None:
            self.text.differs(start, end, "zsh reads a subscript or a length here")
            return raw
        parts[-1] = found[0]
        return raw[found[1] :]

    def _check_visible(self, raw: str, start: int, end: int) -> None:
        if _ODD.search(raw.replace("\\\n", "")):
            self.text.differs(start, end, "an invisible or control character outside quotes")

    def _dollar_at(self, end: int) -> bool:
        """Return whether a name follows a dollar sign that ends a node, and expect it to start the next one."""
        if re.match(rb"[A-Za-z_]", self.text.data[end : end + 1]) is None:
            return False
        self._split_at = end
        return True

    def _split_expansion(self, raw: str, start: int, parts: list[Part]) -> str:
        """Append the parameter whose dollar sign ended the node before, and return what is behind its name."""
        self._split_at = -1
        name = _NAME.match(raw)
        if name is None:
            return raw
        parts.append(Part(kind=PartKind.PARAMETER, text=name[0]))
        self._name_end = start + name.end()
        return raw[name.end() :]

    def _concatenation(self, node: SyntaxNode, parts: list[Part]) -> None:
        at = node.start
        for child in node.children:
            lead = self.text.slice(at, child.start)
            if lead.replace("\\\n", ""):
                self._opaque(at, child.start, "text inside a word that the parser passed over", parts)
            self.add(child, parts)
            at = child.end
        if self.text.slice(at, node.end).replace("\\\n", ""):
            self._opaque(at, node.end, "text inside a word that the parser passed over", parts)

    def _delimited(self, node: SyntaxNode, parts: list[Part], before: str, after: str) -> None:
        raw = self.text.slice(node.start, node.end)
        if len(raw) < 2 or not (raw.startswith(before) and raw.endswith(after)):
            self._opaque(node.start, node.end, "a quoted string without its quotes", parts)
            return
        parts.append(Part(kind=PartKind.LITERAL, text=raw[len(before) : -len(after)], quoted=True))

    def _ansi_c(self, node: SyntaxNode, parts: list[Part]) -> None:
        raw = self.text.slice(node.start, node.end)
        if not quoting.ANSI_C.fullmatch(raw):
            self._opaque(node.start, node.end, "a quoted string without its quotes", parts)
            return
        value, agreed = quoting.ansi_c(raw[2:-1])
        if "'" in raw[2:-1]:
            self.text.differs(node.start, node.end, "shells without $'…' end this string at the escaped quote")
        elif not agreed:
            self.text.differs(node.start, node.end, "an escape that shells read differently")
        parts.append(Part(kind=PartKind.LITERAL, text=value, quoted=True))

    def _string(self, node: SyntaxNode, parts: list[Part]) -> None:
        data = self.text.data
        if (
            data[node.start : node.start + 1] != b'"'
            or data[node.end - 1 : node.end] != b'"'
            or node.end - node.start < 2
        ):
            self._opaque(node.start, node.end, "a quoted string without its quotes", parts)
            return
        at, before = node.start + 1, len(parts)
        for child in node.children:
            start = self._begin(child)
            if child.kind not in EXPANSIONS or _LONE_DOLLAR.match(data, start):
                continue
            self._quoted_literal(at, start, parts)
            self._check_quotes(child)
            self.add(child, parts, quoted=True)
            at = child.end
        self._quoted_literal(at, node.end - 1, parts)
        if len(parts) == before:  # "" is a word, though an empty one
            parts.append(Part(kind=PartKind.LITERAL, quoted=True))

    def _check_quotes(self, node: SyntaxNode) -> None:
        """Note a gap for ``'`` in ``${…}`` or ``$((…))`` in double quotes, where it does not always quote."""
        pending = [node]
        while pending:
            found = pending.pop()
            if found.kind in ("command_substitution", "process_substitution"):
                continue
            defaults = any(child.kind in expansions.OPERATORS for child in found.children)
            for child in found.children:
                if child.kind not in ("raw_string", "ansi_c_string"):
                    pending.append(child)
                elif defaults or _ENDS_STRING.search(self.text.slice(child.start, child.end).lstrip("$")):
                    self.text.gap(child.start, child.end, "a quote inside double quotes")
            raw = "" if found.children else self.text.slice(found.start, found.end)
            if "'" in raw and _ENDS_STRING.search(raw):
                self.text.gap(found.start, found.end, "a quote inside double quotes")

    def _begin(self, node: SyntaxNode) -> int:
        """Return the byte at which an expansion starts; the grammar counts blanks before it in."""
        start = node.start
        while start < node.end and self.text.data[start] in b" \t\n":
            start += 1
        return start

    def _quoted_literal(self, start: int, end: int, parts: list[Part]) -> None:
        if start >= end:
            return
        raw = self.text.slice(start, end)
        if "`" in raw or "$" in raw or '"' in raw:
            plain = re.sub(r"\\.", "", raw, flags=re.S)
            if _ACTIVE.search(plain) or '"' in plain:
                self._opaque(start, end, "an expansion inside a string that the parser passed over", parts)
                return
        raw = self._behind_name(raw, start, end, parts)
        if raw:
            parts.append(Part(kind=PartKind.LITERAL, text=quoting.double_quoted(raw), quoted=True))

    def _regex(self, node: SyntaxNode, parts: list[Part]) -> None:
        raw = self.text.slice(node.start, node.end)
        if _HIDING.search(raw):
            self._opaque(node.start, node.end, "an expansion inside a pattern", parts)
        else:
            parts.append(Part(kind=PartKind.LITERAL, text=raw, quoted=True))

    def _expansion(self, node: SyntaxNode, parts: list[Part], quoted: bool) -> None:
        start = self._begin(node)
        raw = self.text.slice(start, node.end)
        if raw.startswith("`"):
            self._backquotes(node, start, raw, parts, quoted)
        elif node.kind == "command_substitution" and raw.startswith("$(") and raw.endswith(")"):
            script = self._substituted(node)
            parts.append(Part(kind=PartKind.COMMAND, script=script, quoted=quoted))
        elif node.kind == "process_substitution" and raw[:2] in ("<(", ">(") and raw.endswith(")"):
            if raw[2] == "(":
                self.text.gap(start, node.end, "brackets that some shell reads as arithmetic")
            script = self._substituted(node)
            parts.append(Part(kind=PartKind.PROCESS, operator=raw[:2], script=script))
        elif node.kind == "arithmetic_expansion" and raw.startswith("$"):
            inner = raw[3:-2] if raw.startswith("$((") else raw[2:-1]
            parts.append(Part(kind=PartKind.ARITHMETIC, text=inner, words=self.collect_below(node), quoted=quoted))
        elif node.kind in ("simple_expansion", "expansion"):
            self._name_end = node.end if node.kind == "simple_expansion" else -1
            parts.append(expansions.parameter(self, node, raw, quoted))
        else:
            self._opaque(start, node.end, "an expansion of a form that is not known", parts)

    def _substituted(self, node: SyntaxNode) -> shell.Node:
        self.substitutions += 1
        script = self.read_script(node)
        self.substitutions -= 1
        return script

    def collect_below(self, node: SyntaxNode) -> tuple[Word, ...]:
        """Return every expansion inside `node`, itself left out."""
        self.covered(node)
        return tuple(word for child in node.children for word in self.collect(child))

    def _backquotes(self, node: SyntaxNode, start: int, raw: str, parts: list[Part], quoted: bool) -> None:
        inner = raw[1:-1]
        if len(raw) < 2 or not raw.endswith("`") or next(quoting.unescaped(inner, "`"), None) is not None:
            self._opaque(start, node.end, "backquotes that cannot be paired", parts)
            return
        script = self.read_text(quoting.backquoted(inner, in_double_quotes=quoted), start + 1, node.end)
        parts.append(Part(kind=PartKind.COMMAND, script=script, quoted=quoted))


def _with_tilde(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Split a leading tilde off an unquoted word, and as bash does one behind ``name=`` (POSIX XCU 2.6.1)."""
    first = next((place for place, part in enumerate(parts) if not _may_be_empty(part)), len(parts))
    if first == len(parts) or parts[first].kind is not PartKind.LITERAL or parts[first].quoted:
        return parts
    text = parts[first].text
    if first == 0 and (value := _BEFORE_TILDE.match(text)):
        home = Part(kind=PartKind.LITERAL, text=text[value.end() :])
        return (Part(kind=PartKind.LITERAL, text=value[0]), *_with_tilde((home, *parts[1:])))
    if not text.startswith("~"):
        return parts
    match = _TILDE.match(text)
    if first or match is None or (match.end() == len(text) and len(parts) > 1):
        rest = Part(kind=PartKind.LITERAL, text=text[1:])
        return (*parts[:first], Part(kind=PartKind.OPAQUE, text="~"), rest, *parts[first + 1 :])
    tail = (Part(kind=PartKind.LITERAL, text=text[match.end() :]),) if match.end() < len(text) else ()
    return (Part(kind=PartKind.TILDE, text=match[1]), *tail, *parts[1:])


def _may_be_empty(part: Part) -> bool:
    """Return whether nothing may be left of a part, so that zsh expands a tilde behind it."""
    return part.kind in (PartKind.PARAMETER, PartKind.COMMAND) or (part.kind is PartKind.LITERAL and not part.text)


def _closes(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char == "{") - (char == "}")
        if depth < 0:
            return True
    return False
