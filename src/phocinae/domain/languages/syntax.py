"""Cuts code of several languages into tokens: strings, names, numbers, operators; comments are left out.

Sources: docs.python.org "Lexical analysis"; ECMA-262 "Lexical Grammar"; perlop(1), "Quote-Like Operators";
ruby-doc.org "Literals"; php.net "Strings"; the Lua manual 3.1; R "Parser"; docs.julialang.org "Strings";
groovy-lang.org "Syntax"; and the references of the other languages.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from attrs import frozen

from ..light import light

MOST_TOKENS = 2_000
"""Tokens of one code that are looked at; what stands behind them stays a matter for a person."""


@light(kw_only=True)
class Token:
    """A string, command (a string that is run), name, number, pattern, end (of a line) or operator.

    `parts` are the pieces of a string, those with an expression in them as (expression,); `near` says that
    nothing stands between it and the token before.
    """

    kind: str
    text: str
    parts: tuple[str | tuple[str], ...] = ()
    near: bool = False


@frozen(kw_only=True)
class Syntax:
    """What is peculiar to a language: regular expressions for its comments, strings and interpolations.

    `joins` are the operators that join strings, `adjacent` says that strings side by side are one, `commands` that
    a call needs no parentheses, and `backtick` what a string in backquotes is.
    """

    name: str
    comment: str
    strings: str = ""
    inner: str = ""
    joins: frozenset[str] = frozenset("+")
    adjacent: bool = False
    commands: bool = False
    single: str = "plain"
    backtick: str = "string"
    dotted: bool = True


_HASH = r"\#[^\n]*+"
_SLASHES = r"//[^\n]*+|/\*(?s:.*?)(?:\*/|\Z)"
_DASHES = r"--[^\n]*+"
_TRIPLE = r"(?P<triple>(?:(?i:[rbfu]{1,2}))?(?:\"\"\"(?s:.*?)(?:\"\"\"|\Z)|'''(?s:.*?)(?:'''|\Z)))"
_PAIRED = r"(?:\([^)]*+(?:\)|\Z)|\{[^}]*+(?:\}|\Z)|\[[^\]]*+(?:\]|\Z)|<[^>]*+(?:>|\Z)|([/|!,'\"#~])(?s:.*?)(?:\1|\Z))"
_PERL = (
    rf"(?<![\w$@%{{>])(?P<quoted>q[qxwr]?\s?(?![,=\w]){_PAIRED})"
    r"|(?<![\w$@%{>])(?P<match>(?:m|s|y|tr)(?P<mark>[/|!#,{])(?s:.*?)(?:(?P=mark)|\}|\Z))"
    r"|(?P<globbed><[^<>\s$=]*[/*][^<>\s=]*>)"
)
_RUBY = (
    r"(?<![\w.)\]])(?P<percent>%[qQwWixr]?(?:\([^)]*+(?:\)|\Z)|\{[^}]*+(?:\}|\Z)|\[[^\]]*+(?:\]|\Z)|<[^>]*+(?:>|\Z)"
    r"|([/|!])(?s:.*?)(?:\2|\Z)))|(?P<symbol>(?<![:\w]):[A-Za-z_]\w*+)"
)
_TILDES = r"(?P<percent>~[cCsSw](?:\"[^\"]*+\"|'[^']*+'|\([^)]*+\)|\{[^}]*+\}|\|[^|]*+\|))"
_LONG = r"(?P<long>\[(?P<level>=*)\[(?s:.*?)(?:\](?P=level)\]|\Z))"
_SIGIL = r"\$\{\w+\}|\$\w+(?:(?:->)?[\[{]\"?'?\w+'?\"?[\]}])?"
_BRACED = r"\$\{([^{}]{0,200})\}|\$(\w+)"

_SYNTAXES = (
    Syntax(name="python", comment=_HASH, strings=_TRIPLE, inner=r"\{([^{}!:]{0,200})[^{}]{0,50}\}", adjacent=True),
    Syntax(name="javascript", comment=_SLASHES, inner=r"\$\{([^{}]{0,200})\}", backtick="template"),
    Syntax(
        name="perl", comment=r"(?<![$@%])\#[^\n]*+", strings=_PERL, inner=f"({_SIGIL})", joins=frozenset("."),
        commands=True, backtick="command", dotted=False,
    ),
    Syntax(
        name="ruby", comment=_HASH, strings=_RUBY, inner=r"\#\{([^{}]{0,200})\}", adjacent=True, commands=True,
        backtick="command",
    ),
    Syntax(
        name="php", comment=rf"{_HASH}|{_SLASHES}",
        inner=r"\{?(\$\w+(?:\[['\"]?\w+['\"]?\])?)\}?", joins=frozenset("."),
        commands=True, backtick="command", dotted=False,
    ),
    Syntax(
        name="lua", comment=r"--\[\[(?s:.*?)(?:\]\]|\Z)|--[^\n]*+", strings=_LONG, joins=frozenset([".."]),
        commands=True,
    ),
    Syntax(name="r", comment=_HASH),
    Syntax(
        name="julia", comment=_HASH, strings=_TRIPLE, inner=r"\$\(([^()]{0,200})\)|\$(\w+)", joins=frozenset("*"),
        single="char",
    ),
    Syntax(name="groovy", comment=_SLASHES, strings=_TRIPLE, inner=_BRACED, commands=True),
    Syntax(
        name="elixir", comment=_HASH, strings=f"{_TRIPLE}|{_TILDES}",
        inner=r"\#\{([^{}]{0,200})\}", joins=frozenset(["<>", "++"]), commands=True,
    ),
    Syntax(name="erlang", comment=r"%[^\n]*+", joins=frozenset(["++"])),
    Syntax(name="haskell", comment=_DASHES, joins=frozenset(["++", "^"]), commands=True, single="char"),
    Syntax(name="applescript", comment=_DASHES, joins=frozenset("&"), commands=True, single="char"),
    Syntax(name="vim", comment=r"(?!)", joins=frozenset([".", ".."]), dotted=False),
    Syntax(name="octave", comment=r"[%#][^\n]*+", commands=True),
)  # fmt: skip
SYNTAXES = {syntax.name: syntax for syntax in _SYNTAXES}

_LINE = r"(?P<blank>[ \t\r\f]+|\\\n)|(?P<comment>{comment})|(?P<end>\n)"
_DOUBLE = (
    r"|(?P<prefix>(?i:\b[rbfucs]{1,2})(?=[\"']))"
    r"|(?P<double>\"(?:[^\"\\\n#$]|\\(?s:.)|[#$]\{[^{}\n]{0,200}\}|[#$]|\n)*+(?:\"|\Z))"
)
_SINGLE = r"|(?P<single>'(?:[^'\\]|\\(?s:.))*+(?:'|\Z))"
_CHAR = r"|(?P<single>'(?:[^'\\\n]|\\(?s:.))')"
_BACK = r"|(?P<back>`(?:[^`\\$]|\\(?s:.)|\$\{[^{}]{0,200}\}|\$)*+(?:`|\Z))"
_REST = (
    r"|(?P<sigil>[$@%&]\{?\^?[A-Za-z_]\w*+\}?|\$[_0-9&@!;,/])|(?P<name>[^\W\d]\w*+(?:[!?](?![=\w]))?|\$(?=`))|(?P<number>\d[\w]*+(?:\.\d\w*+)?)"
    r"|(?P<op>===?|!==?|=~|!~|&&|\|\||=>|->|::|\.\.\.?|<<|<-|<>|\+\+|--|(?:[-+*/.%|&^~<>]|\|\||\?\?|\*\*|//)=|\*\*|(?s:.))"
)
_OPERAND = frozenset(["name", "number", "string", "sigil"])
_BEFORE_PATTERN = frozenset("return in of and or not if unless when case while until split grep".split())
_PATTERN = re.compile(r"/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/\w*+")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u\{?([0-9A-Fa-f]{4})\}?|([0-7]{1,3})|(\n)|(.))", re.S)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "", "b": "", "e": "", "f": "", "v": ""}


@cache
def _tokens_of(syntax: Syntax) -> re.Pattern[str]:
    special = f"|{syntax.strings}" if syntax.strings else ""
    single = _CHAR if syntax.single == "char" else _SINGLE
    return re.compile(_LINE.format(comment=syntax.comment) + special + _DOUBLE + single + _BACK + _REST)


@lru_cache(maxsize=4)
def tokens(code: str, syntax: Syntax) -> tuple[Token, ...]:
    """Return the tokens of code, at most `MOST_TOKENS`; any text has some."""
    found: list[Token] = []
    at, near, prefix = 0, False, ""
    pattern = _tokens_of(syntax)
    while at < len(code) and len(found) < MOST_TOKENS:
        match = _PATTERN.match(code, at) if code[at] == "/" and _patterns(syntax) and not _operand(found) else None
        kind = "pattern"
        if match is None:
            match = pattern.match(code, at)
            if match is None:  # cannot be, since the last alternative takes any character
                break
            kind = match.lastgroup or "op"
        at = match.end()
        if kind in ("blank", "comment"):
            near = False
            continue
        if kind == "prefix":
            prefix = match[0].lower()
            continue
        found.append(_token(kind, match[0], syntax, prefix, near=near))
        near, prefix = True, ""
    return tuple(found)


def bare(code: str, language: str) -> str:
    """Return code with nothing left of its strings and comments but the expressions in them."""
    syntax = SYNTAXES[language]
    kept: list[str] = []
    for token in tokens(code, syntax):
        if token.kind in ("string", "command", "pattern"):
            kept += ['""', *(part[0] for part in token.parts if isinstance(part, tuple))]
        else:
            kept.append(token.text if token.near else f" {token.text}")
    return "".join(kept)


def _patterns(syntax: Syntax) -> bool:
    return syntax.name in ("javascript", "perl", "ruby", "groovy")


def _operand(found: list[Token]) -> bool:
    """Return whether an operand has just ended, so that a slash divides."""
    if not found:
        return False
    last = found[-1]
    return (last.kind in _OPERAND and last.text not in _BEFORE_PATTERN) or last.text in (")", "]", "}")


def _token(kind: str, text: str, syntax: Syntax, prefix: str, *, near: bool) -> Token:
    if kind in ("end", "name", "number", "op", "pattern"):
        return Token(kind=kind, text=text, near=near)
    if kind == "sigil":
        return Token(kind="name", text=text.strip("$@%&{}^"), near=near)
    if kind == "match":
        return Token(kind="pattern", text=text, near=near)
    if kind == "symbol":
        return Token(kind="string", text=text[1:], parts=(text[1:],), near=near)
    return _string(kind, text, syntax, prefix, near=near)


def _string(kind: str, text: str, syntax: Syntax, prefix: str, *, near: bool) -> Token:
    """Return a string, or a command that stands in quotes of its own."""
    run = "command" if kind == "back" and syntax.backtick == "command" else "string"
    if kind in ("double", "single", "back"):
        body = text[1:-1] if len(text) > 1 and text[-1] == text[0] else text[1:]
        expands = kind != "single" if syntax.name != "python" else "f" in prefix
        if kind == "double" and syntax.name == "javascript":
            expands = False
        escapes = "r" not in prefix and (kind != "single" or syntax.name in ("python", "javascript", "lua", "r"))
    elif kind == "triple":
        quote = text.find(text[-1]) if text[-1] in "\"'" else 0
        letters, body = text[:quote].lower(), text[quote + 3 :].removesuffix(text[-1] * 3)
        expands, escapes = "f" in letters or syntax.name != "python", "r" not in letters
    else:
        letters, body = _opened(kind, text)
        run = "command" if "x" in letters else "string"
        expands = escapes = (kind == "quoted" and letters != "q") or (kind == "percent" and letters not in ("q", "w"))
    if kind == "globbed":
        return Token(kind=kind, text=text[1:-1], near=near)
    return Token(kind=run, text=body, parts=_parts(body, syntax, expands=expands, escapes=escapes), near=near)


def _opened(kind: str, text: str) -> tuple[str, str]:
    """Return the letters in front of a quote-like literal, and what is in it."""
    if kind == "long":
        return "", text.lstrip("[").lstrip("=")[1:].rstrip("]").rstrip("=").rstrip("]") if "=" in text[:3] else text[
            2:-2
        ]
    head = next((at for at, char in enumerate(text) if not char.isalnum() and char not in "%~ "), len(text))
    return text[:head].strip("%~ "), text[head + 1 : -1]


def _parts(body: str, syntax: Syntax, *, expands: bool, escapes: bool) -> tuple[str | tuple[str], ...]:
    parts: list[str | tuple[str]] = []
    at = 0
    for match in re.finditer(syntax.inner, body) if expands and syntax.inner else ():
        if match.start() and body[match.start() - 1] == "\\":
            continue
        parts += [unescaped(body[at : match.start()], escapes), (next(filter(None, match.groups()), "") or "",)]
        at = match.end()
    return (*parts, unescaped(body[at:], escapes))


def unescaped(body: str, escapes: bool = True) -> str:
    """Return what is meant by a string with backslashes; without `escapes` only quotes and backslashes have one."""
    if "\\" not in body:
        return body
    return _ESCAPE.sub(_escaped, body) if escapes else re.sub(r"\\(['\\])", r"\1", body)


def _escaped(match: re.Match[str]) -> str:
    hexadecimal, long, octal, line, char = match.groups()
    if hexadecimal or long:
        return chr(int(hexadecimal or long, 16))
    if octal:
        return chr(int(octal, 8))
    return "" if line else _NAMED.get(char, char)
