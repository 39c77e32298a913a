"""A look into code of other languages: not a judgement of it, only a search for what is plainly ruinous.

What code does is found by following literals into calls of functions that are known
(`phocinae.domain.languages`).  Strings, comments and texts that are merely printed or compared make no
verdict stricter.  Code that is merely unread stays a matter for a person.

Limits: conditions are not evaluated, and the last value given to a name counts; classes, objects of the code's own
and modules other than the standard ones are not followed; the beginning of very long code alone is looked at.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .patterns import lazily
from .values import Field

if TYPE_CHECKING:
    from .calls import Call

MOST_NESTED = 3
"""How deep code within code (``exec("…")``) is followed."""
MOST_LOOPS, LONGEST_BODY = 20, 200
"""Loops without end that are looked at, and characters behind the head of one."""
LONGEST = 10_000
"""Characters of code that are looked at."""

_LANGUAGES = {
    "python": "python python2 python3 pypy pypy3 py ipython bpython gdb lldb",
    "javascript": "node nodejs deno bun bunx tsx ts-node mongosh mongo",
    "perl": "perl perl5",
    "ruby": "ruby jruby irb pry",
    "php": "php php7 php8",
    "lua": "lua lua5.1 lua5.2 lua5.3 lua5.4 luajit redis-cli",
    "r": "R Rscript",
    "julia": "julia",
    "groovy": "groovy scala jshell kotlin swift go dart",
    "elixir": "elixir iex",
    "erlang": "erl swipl",
    "haskell": "ghc ghci ocaml runghc",
    "applescript": "osascript",
    "octave": "octave gnuplot",
    "lisp": "emacs emacsclient guile racket sbcl clj clojure",
    "tcl": "tclsh wish expect",
}
_LANGUAGE_OF = {name: language for language, names in _LANGUAGES.items() for name in names.split()}
_SHEBANG = re.compile(r"#!\s*\S*?(?:/env\s+(?:-S\s+)?)?([a-zA-Z]+)[\d.]*\b")
_ENDLESS = lazily(
    r"\bwhile\s*\(?\s*(?:True|true|1|\(1\))\b|\bfor\s*\(\s*;\s*;\s*\)|\bloop\s*(?:do|\{)|\buntil\s*\(?\s*(?:false|False|0)\b"
    r"|\bwhile\s+fork\b|\bfork\b(?:\s*\(\s*\))?\s*(?:while|until|;\s*redo)\b|\bcount\s*\(|\biter\s*\(\s*int\s*,\s*1|\brepeat\b|\bfork\s*&&\s*fork\b"
)
_FORKS = lazily(r"(?<![.\w>])(?:fork|pcntl_fork)\b(?!\s*=)|\b(?:os|posix|Process|Kernel|POSIX|unix|Unix)\s*\.\s*fork\b")
_STARTS_ITSELF = lazily(
    r"\b(?:spawn|fork|Popen|exec|execFile)\s*\(\s*\[?\s*(?:sys\.executable|process\.(?:argv|execPath)|__filename|__file__)[^;\n]*(?:__file__|__filename|argv)"
    r"|\bfork\s*\(\s*__filename"
)
_CALLS_ITSELF = lazily(
    r"\bdef\s+(\w+)\s*\(\s*\)[^\0]{0,100}?(?:\bfork\s*\(\s*\)|\bThread\s*\(\s*target\s*=\s*\1\b)[^\0]{0,100}?\b(?:\1\s*\(|start\b)"
)


def language_of(name: str, text: str = "") -> str:
    """Return the language of code that a program of this name is given, or that its first line names."""
    shebang = _SHEBANG.match(text)
    own = _LANGUAGE_OF.get(shebang[1], "") if shebang is not None else ""
    return own or _LANGUAGE_OF.get(name.split(" ")[0], "") or "python"


def bare(text: str, language: str) -> str:
    """Return code without its strings and comments."""
    from .languages import syntax

    return syntax.bare(text[:LONGEST], language) if language in syntax.SYNTAXES else text


def judge(call: Call, text: str, place: Field, language: str = "", depth: int = 0) -> None:
    """Keep the hits for what is plainly ruinous in `text`, code of a language or of the one that the program runs."""
    from .languages import acts, expressions, lisp, tcl  # kept off the path of a gate that runs once per command

    language = language or language_of(call.name, text)
    text = text[:LONGEST]
    nested = acts.Acts(call, place, language, lambda inner: _nested(call, inner, place, language, depth))
    if language == "lisp":
        lisp.Lisp(text, nested).read()
    elif language == "tcl":
        tcl.Tcl(nested).read(text)
    else:
        expressions.Reader(language, nested, nested.knows).read(text)
        _multiplies(call, bare(text, language), place)
        if language == "applescript":
            _halts(call, text, place)
    nested.ends()


def runs(call: Call, text: str, place: Field) -> None:
    """Keep the hit if a command that code most likely runs is denied."""
    from .languages import acts, values

    acts.Acts(call, place, "python").shell(None, values.Value(items=(values.Value(text=text),)))


def writes(call: Call, path: str, place: Field) -> None:
    """Keep the hit if a file that code most likely writes is a protected one."""
    from .languages import acts, values

    acts.Acts(call, place, "python").write(None, values.Value(items=(values.Value(text=path),)))


_POWERS_OFF = lazily(r"(?:\bto|\A|[\n;])\s*(?:shut down|restart)\b|«event aevtr(?:sdn|rst)»")


def _halts(call: Call, text: str, place: Field) -> None:
    """Keep the hit for AppleScript that tells the system to stop (AppleScript Language Guide, "tell statements")."""
    if _POWERS_OFF.search(bare(text, "applescript")):
        call.note("halts-machine", place, call.name)


def _nested(call: Call, text: str, place: Field, language: str, depth: int) -> None:
    if depth < MOST_NESTED:
        judge(call, text, place, language, depth + 1)


def _multiplies(call: Call, text: str, place: Field) -> None:
    """Keep the hit for code that starts copies of itself without end."""
    endless = False
    for loop in list(_ENDLESS.finditer(text))[:MOST_LOOPS]:
        before = 40 if loop[0].startswith(("iter", "count")) else 0  # in a comprehension the body stands in front
        start, end = max(loop.start() - before, 0), loop.end() + LONGEST_BODY
        endless = endless or any(found.search(text, start, end) for found in (_FORKS, _STARTS_ITSELF))
    if endless or _CALLS_ITSELF.search(text[:4_000]):
        call.note("fork-bomb", place, call.name)
