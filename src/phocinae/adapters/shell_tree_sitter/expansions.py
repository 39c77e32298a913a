"""Parameter expansions: ``$name`` and ``${…}``.

Rule: POSIX XCU 2.6.2 and the section "Shell Parameter Expansion" of the bash manual.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attrs import evolve

from ...domain.shell import EVALUATED, LENGTH, Part, PartKind, Word
from . import quoting
from .tree import EXPANSIONS, SyntaxNode

if TYPE_CHECKING:
    from .words import WordReader

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!_-]")
_SIMPLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!_-])\Z")
_LENGTH = re.compile(r"#([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!_-])(?:\[[@*]\])?\Z")
_INDIRECT = re.compile(r"!([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?])([*@]|\[[@*]\])?\Z")
_SUBSCRIPT = re.compile(r"\[(?:[@*]|-?\d+)\]")
_PLAIN_OFFSETS = re.compile(r":[\s\d:-]+\Z")
_UNEXPANDED = re.compile(r"[^$`\\'\"<>{}]*\Z")
_KEPT_BACKSLASH = re.compile(r"(?<!\\)(?:\\\\)*\\[^\\$`\"}\n]")
_CLOSED = EXPANSIONS | {"string", "raw_string", "ansi_c_string"}
"""Kinds of nodes in which a brace ends nothing that is around them."""
_ESCAPED_END = re.compile(r"(?<!\\)(?:\\\\)*\\\}\Z")
"""A closing brace that is escaped, so that a shell looks for another one."""
_ZSH_MODIFIERS = re.compile(r"(?::[aAcehlpPqQrtux])*(?::[gsfFwW&].*)?", re.S)
OPERATORS = (":-", ":=", ":?", ":+", "-", "=", "?", "+")


def parameter(reader: WordReader, node: SyntaxNode, raw: str, quoted: bool) -> Part:
    """Return the part for one parameter expansion, whose text is `raw`."""
    simple = _SIMPLE.match(raw)
    if simple is not None:
        return Part(kind=PartKind.PARAMETER, text=simple[1], quoted=quoted)
    if not (raw.startswith("${") and raw.endswith("}")) or _ESCAPED_END.search(raw):
        return _unknown(reader, node, quoted)
    if "}" in quoting.PAIRED.sub("", _unexpanded(reader, node)[:-1]):
        reader.text.gap(node.start, node.end, "a brace that ends an expansion for bash")
    inner = raw[2:-1]
    if length := _LENGTH.match(inner):
        return Part(kind=PartKind.PARAMETER, text=length[1], operator=LENGTH, quoted=quoted)
    if indirect := _INDIRECT.match(inner):
        operator = "!" if indirect[2] else EVALUATED
        return Part(kind=PartKind.PARAMETER, text=indirect[1], operator=operator, quoted=quoted)
    name = _NAME.match(inner)
    if name is None or inner[0] in "!#":
        return _unknown(reader, node, quoted)
    rest, subscript = inner[name.end() :], ""
    if rest.startswith("["):
        found = _SUBSCRIPT.match(rest)
        if found is None:
            return _evaluated(reader, node, name[0], quoted)
        subscript, rest = found[0], rest[found.end() :]
    if not rest:
        return Part(kind=PartKind.PARAMETER, text=name[0], operator=subscript, quoted=quoted)
    operator = next((known for known in OPERATORS if rest.startswith(known)), "")
    if operator:
        words = _argument(reader, node, rest[len(operator) :], quoted)
        return Part(kind=PartKind.PARAMETER, text=name[0], operator=subscript + operator, words=words, quoted=quoted)
    if rest[0] == ":" and not _PLAIN_OFFSETS.match(rest):
        return _evaluated(reader, node, name[0], quoted)
    if rest == "@P":
        return _evaluated(reader, node, name[0], quoted)
    if rest[0] in "@:" and not _PLAIN_OFFSETS.match(rest) and not (rest[0] == "@" and rest[1:] in tuple("QEAaUuLKk")):
        return _unknown(reader, node, quoted)
    operator = subscript + (rest if _UNEXPANDED.match(rest) else rest[0])
    words = reader.collect_below(node)
    return Part(kind=PartKind.PARAMETER, text=name[0], operator=operator, words=words, quoted=quoted)


def _unexpanded(reader: WordReader, node: SyntaxNode) -> str:
    """Return the text of a node without the expansions and the quoted strings in it."""
    if not node.children:
        return reader.text.slice(node.start, node.end)
    at, pieces = node.start, []
    for child in node.children:
        pieces.append(reader.text.slice(at, child.start))
        if child.kind not in _CLOSED:
            pieces.append(_unexpanded(reader, child))
        at = child.end
    return "".join([*pieces, reader.text.slice(at, node.end)])


def behind_name(part: Part, rest: str) -> tuple[Part, int] | None:
    """Return the part for ``$name`` without braces and how much of the text behind it may belong to it in zsh.

    None when zsh reads a subscript, or the length of a variable, there.  Rule: zshexpn(1), "Parameter
    Expansion" and "Modifiers".
    """
    if rest.startswith("[") or (part.text == "#" and re.match(r"[\w*@?!$-]", rest)) or (part.text + rest[:1] == "${"):
        return None
    taken = _ZSH_MODIFIERS.match(rest)
    if not taken or not taken[0]:
        return part, 0
    return Part(kind=part.kind, text=part.text, operator=":", quoted=part.quoted), taken.end()


def _argument(reader: WordReader, node: SyntaxNode, argument: str, quoted: bool) -> tuple[Word, ...]:
    """Return the word behind an operator: one word if it is readable as such, else all expansions in it."""
    if quoted and _KEPT_BACKSLASH.search(argument):
        reader.text.gap(node.start, node.end, "a backslash that quotes nothing between double quotes")
    begin = node.end - 1 - len(argument.encode())
    found = [child for child in node.children if child.start >= begin and child.kind != "}"]
    if len(found) == 1 and found[0].start == begin and found[0].end == node.end - 1 and found[0].kind != "regex":
        word = reader.word(found[0], blanks=True)
        return (Word(tuple(map(_in_quotes, word.parts)), word.start, word.end) if quoted else word,)
    return reader.collect_below(node)


def _in_quotes(part: Part) -> Part:
    """Return the part that another is between double quotes, where no wildcard and no tilde is active."""
    if part.kind is PartKind.TILDE:
        return Part(kind=PartKind.LITERAL, text=f"~{part.text}", quoted=True)
    return evolve(part, kind=PartKind.LITERAL if part.kind is PartKind.GLOB else part.kind, quoted=True)


def _evaluated(reader: WordReader, node: SyntaxNode, name: str, quoted: bool) -> Part:
    words = reader.collect_below(node)
    return Part(kind=PartKind.PARAMETER, text=name, operator=EVALUATED, words=words, quoted=quoted)


def _unknown(reader: WordReader, node: SyntaxNode, quoted: bool) -> Part:
    reader.text.gap(node.start, node.end, "an expansion of a form that is not known")
    return Part(kind=PartKind.OPAQUE, text="${", words=reader.collect_below(node), quoted=quoted)
