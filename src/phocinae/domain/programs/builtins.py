"""Built-in commands of the shell that do not run others.

Sources: POSIX XCU 2.14 and 4; bash(1), "SHELL BUILTIN COMMANDS"; zshbuiltins(1); dash(1).
What changes the shell in which later commands run is a matter for a person, since the
shell may live on after this command.
"""

from __future__ import annotations

import re

from .. import places
from ..assignments import matters, runs_value
from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import HOLE, HOME, NO_STREAM, SPLIT, Field, Stream

_ESCAPE = re.compile(r"\\(?:([abefnrtv\\\"])|0?([0-7]{1,3})|x([0-9a-fA-F]{1,2})|(c))")
_SIMPLE = {
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    "\\": "\\",
    '"': '"',
}
_DIRECTIVE = re.compile(r"%(?:(%)|(s)|(b)|(.))")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def _decoded(text: str) -> str:
    """Return text with the escapes that echo -e and printf know; POSIX XCU printf, echo."""

    def one(match: re.Match[str]) -> str:
        simple, octal, hexa, _ = match.groups()
        if simple is not None:
            return _SIMPLE[simple]
        return chr(int(octal, 8) & 0xFF if octal else int(hexa, 16)) if octal or hexa else ""

    return _ESCAPE.sub(one, text)


def _known(text: str) -> bool:
    return HOLE not in text and SPLIT not in text


def _echo(call: Call, usage: Usage) -> Stream:
    words = call.args
    escapes = False
    while words and words[0].text in ("-n", "-e", "-E", "-ne", "-en", "-nE", "-En"):
        escapes = "e" in words[0].text
        words = words[1:]
    text = " ".join(word.text for word in words)
    if not _known(text) or any(word.stream for word in words):
        return Stream(None, call.taint)
    if escapes:
        return Stream(_decoded(text) + "\n", call.taint, text)
    if "\\" in text:  # dash and zsh read escapes here, bash does not
        return Stream(None, call.taint)
    return Stream(text + "\n", call.taint, text)


def _printf(call: Call, usage: Usage) -> Stream:
    for name in usage.values("-v"):
        _set_name(call, name)
    if not usage.operands:
        return NO_STREAM
    form, words = usage.operands[0], list(usage.operands[1:])
    if not _known(form.text) or not all(_known(word.text) for word in words) or any(word.stream for word in words):
        return Stream(None, call.taint)
    pieces: list[str] = []
    while True:
        before = len(words)
        try:
            pieces.append(_formatted(form.text, words))
        except ValueError:
            return Stream(None, call.taint)
        if not words or len(words) == before or len(pieces) > 100:
            break
    text = "".join(pieces)
    return Stream(text, call.taint, text.strip("\n"))


def _formatted(form: str, words: list[Field]) -> str:
    """Return one pass of printf over its format, which takes its words away; ValueError for other directives."""

    def one(match: re.Match[str]) -> str:
        percent, _, escaped, other = match.groups()
        if percent:
            return "%"
        if other:
            raise ValueError(other)
        word = words.pop(0).text if words else ""
        return _decoded(word) if escaped else word

    return _DIRECTIVE.sub(one, _decoded(form))


def _set_name(call: Call, name: Field) -> None:
    """Weigh that a built-in gives a variable a value that is not known; a subscript in the name is evaluated."""
    if name.static is None or not _NAME.match(name.text):
        call.note("evaluates-text", name)
        return
    if matters(name.text, []):
        call.note("sets-variable", name)
    call.state.forget(name.text)


def _read(call: Call, usage: Usage) -> Stream:
    for name in [*usage.operands, *usage.values("-a", "-A")]:
        _set_name(call, name)
    return NO_STREAM


def _cd(call: Call, usage: Usage) -> Stream:
    if not usage.operands:
        call.state.cwd = HOME
    elif usage.operands[0].text == "-" or usage.operands[0].unknown or usage.operands[0].globbed:
        call.state.cwd = HOLE
    else:
        call.state.cwd = places.resolve(usage.operands[0].text, call.state.cwd)
    return NO_STREAM


def _popd(call: Call, usage: Usage) -> Stream:
    call.state.cwd = HOLE
    return NO_STREAM


_INTEGERS = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")


def _test(call: Call, usage: Usage) -> Stream:
    words = call.args
    for place, word in enumerate(words):
        if word.text in ("-v", "-R") and words[place + 1 : place + 2] and not _NAME.match(words[place + 1].text):
            call.note("evaluates-text", words[place + 1])
        if word.text in _INTEGERS:  # zsh evaluates both sides as expressions
            for side in words[max(place - 1, 0) : place] + words[place + 1 : place + 2]:
                if not side.numeric:
                    call.note("evaluates-text", side)
        if word.many and len(words) <= 3:
            continue
    return NO_STREAM


def _declare(call: Call, usage: Usage) -> Stream:
    if not usage.operands:
        call.note("prints-secret")
    exported = call.name == "export" or usage.has("-x")
    for word in usage.operands:
        _declare_one(call, usage, word, exported)
    return NO_STREAM


def _declare_one(call: Call, usage: Usage, word: Field, exported: bool) -> None:
    name, equals, value = word.text.partition("=")
    name = name.removesuffix("+")
    if not _NAME.match(name):
        call.note("evaluates-text", word)
        return
    if exported and (matters(name, [word]) or usage.has("-f")):
        call.note("changes-shell", word, name)
    elif matters(name, []) and equals:
        call.note("sets-variable", word, name)
    if usage.has("-i") and not Field(value).numeric:
        call.note("evaluates-text", word, value)
    if equals:
        call.state.set(name, (value, word.taint))
        if runs_value(name) and _known(value):
            call.walker.text(value, word, call.state.copy())


def _unset(call: Call, usage: Usage) -> Stream:
    for name in usage.operands:
        if usage.has("-f"):
            call.note("changes-shell", name)
        _set_name(call, name)
    return NO_STREAM


def _set(call: Call, usage: Usage) -> Stream:
    if not call.args:
        call.note("prints-secret")
        return NO_STREAM
    call.note("changes-shell")
    words = [word for word in call.args if word.text[:1] not in ("-", "+") or word.text == "--"]
    if words and words[0].text == "--":
        words = call.args[call.args.index(words[0]) + 1 :]
    call.state.positional = words
    return NO_STREAM


def _shift(call: Call, usage: Usage) -> Stream:
    call.state.positional = None
    return NO_STREAM


def _changes_shell(call: Call, usage: Usage) -> Stream:
    call.note("changes-shell")
    return NO_STREAM


def _lists_or_changes(call: Call, usage: Usage) -> Stream:
    if usage.operands or usage.unlisted:
        call.note("changes-shell")
    return NO_STREAM


def _alias(call: Call, usage: Usage) -> Stream:
    for word in usage.operands:
        name, equals, value = word.text.partition("=")
        if equals:
            call.note("changes-shell", word, name)
            call.walker.text(value, word, call.state.copy())
    return NO_STREAM


def _trap(call: Call, usage: Usage) -> Stream:
    if not usage.operands:
        return NO_STREAM
    call.note("changes-shell")
    if len(usage.operands) > 1 and usage.operands[0].text not in ("-", ""):
        call.shell(usage.operands[0])
    return NO_STREAM


def _let(call: Call, usage: Usage) -> Stream:
    for word in call.args:
        call.note("evaluates-text", word)
    return NO_STREAM


def _mapfile(call: Call, usage: Usage) -> Stream:
    for name in usage.operands:
        _set_name(call, name)
    return NO_STREAM


def _quiet(call: Call, usage: Usage) -> Stream:
    return NO_STREAM


_ANYTHING = program("", "text*", style=Style.NONE, judge=_quiet)
_DECLARES = program(
    "-a -A -f -F -g -i -I -l -n:risk -p -r -t -u -x -T:risk", style=Style.POSIX, safe_options=True, judge=_declare
)
_READS = "-r -s -e -a:text -A:text -d:text -i:text -n:text -N:text -p:text -t:text -u:text -k:text -q"

PROGRAMS: dict[str, Program] = {
    "echo": program("", "text*", style=Style.NONE, judge=_echo),
    "printf": program("-v:text", style=Style.POSIX, judge=_printf),
    "cd": program("-L -P -e -@ -q -s", "path", style=Style.POSIX, judge=_cd),
    "chdir": program("-L -P", "path", style=Style.POSIX, judge=_cd),
    "pushd": program("-n -q", "path", style=Style.POSIX, judge=_cd),
    "popd": program("-n -q", style=Style.POSIX, judge=_popd),
    "dirs": program("-l -p -v", style=Style.POSIX),
    "true": _ANYTHING,
    "false": _ANYTHING,
    ":": _ANYTHING,
    "exit": _ANYTHING,
    "return": _ANYTHING,
    "break": _ANYTHING,
    "continue": _ANYTHING,
    "times": program(style=Style.POSIX),
    "caller": program("", "text", style=Style.POSIX),
    "help": program("-d -m -s", "text*", style=Style.POSIX),
    "test": program("", "text*", style=Style.NONE, judge=_test),
    "[": program("", "text*", style=Style.NONE, judge=_test),
    "export": _DECLARES,
    "declare": _DECLARES,
    "typeset": _DECLARES,
    "readonly": _DECLARES,
    "local": _DECLARES,
    "unset": program("-f -v -n", style=Style.POSIX, judge=_unset),
    "set": program("", "text*", style=Style.NONE, judge=_set),
    "shift": program("", "text", style=Style.POSIX, judge=_shift),
    "alias": program("-p", "text*", style=Style.POSIX, judge=_alias),
    "unalias": program("-a", "text*", style=Style.POSIX, judge=_changes_shell),
    "trap": program("-l -p", "text*", style=Style.POSIX, judge=_trap),
    "shopt": program("-s -u -q -p -o", "text*", style=Style.POSIX, judge=_changes_shell),
    "setopt": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "unsetopt": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "emulate": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "enable": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "disable": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "hash": program("-l -t", "text*", style=Style.POSIX, judge=_lists_or_changes),
    "umask": program("-p -S", "text", style=Style.POSIX, judge=_lists_or_changes),
    "ulimit": program("-a -S -H", "text*", style=Style.POSIX, judge=_lists_or_changes),
    "type": program("-a -t -p -P -f -w -s -m", "text*", style=Style.POSIX),
    "let": program("", "text*", style=Style.NONE, judge=_let),
    "read": program(_READS, style=Style.POSIX, judge=_read),
    "mapfile": program(
        "-t -d:text -n:text -O:text -s:text -u:text -C:shell -c:text", style=Style.POSIX, judge=_mapfile
    ),
    "readarray": program(
        "-t -d:text -n:text -O:text -s:text -u:text -C:shell -c:text", style=Style.POSIX, judge=_mapfile
    ),
    "wait": program("-n -f", "text*", style=Style.POSIX, judge=_quiet),
    "jobs": program("-l -n -p -r -s", "text*", style=Style.POSIX),
    "disown": program("-a -h -r", "text*", style=Style.POSIX, judge=_changes_shell),
    "getopts": program("", "text text text*", style=Style.POSIX, judge=_changes_shell),
    "history": program("", "text*", style=Style.POSIX, rule="prints-secret", judge=_lists_or_changes),
    "sleep": program("", "text*"),
    "clear": program("-x -T:text"),
    "tput": program("-T:text -S -V", "text*", style=Style.POSIX),
    "expr": program("", "text*", style=Style.NONE),
}
"""The built-ins; ``sleep``, ``clear``, ``tput`` and ``expr`` stand here because scripts use them like one."""
