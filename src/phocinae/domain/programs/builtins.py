"""Built-in commands of the shell that do not run others.

Sources: POSIX XCU 2.14 and 4; bash(1), "SHELL BUILTIN COMMANDS"; zshbuiltins(1); dash(1).
What changes the shell in which later commands run is a matter for a person, since the
shell may live on after this command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from .. import expand, places, secrets
from ..assignments import OWN_NAMES, is_number, lives_on, matters, of_gate, rule_of, runs_value
from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import CWD, HOLE, HOME, NO_STREAM, SPLIT, UNKNOWN_STREAM, Field, Stream, Taint
from ..variables import SECRET_NAME

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def sets(call: Call, name: Field, taint: int = Taint.NONE) -> None:
    """Weigh that a variable gets a value that is not known; a subscript in its name is evaluated."""
    if name.static is None or not _NAME.match(name.text):
        call.note("evaluates-text", name)
        return
    if lives_on(name.text):
        call.note("changes-shell", name)
    if matters(name.text, []):
        call.note(rule_of(name.text), name)
    if is_number(name.text):
        call.note("evaluates-text", name)
    call.state.forget(name.text, taint)


def _read(call: Call, usage: Usage) -> Stream:
    names = [*usage.operands, *usage.values("-a", "-A")]
    for name in names:
        sets(call, name, call.stdin.taint)
    for default in () if names else ("REPLY", "reply"):
        call.state.forget(default, call.stdin.taint)
    plain = usage.names <= {"-r", "-s"} and (usage.has("-r") or "\\" not in call.stdin.item)
    if len(names) == 1 and names[0].static and plain and _whole_lines(call):
        call.state.set(names[0].text, (call.stdin.item, call.stdin.taint | Taint.PRINTED))
    given = [name.static for name in names if name.static]
    _guess_lines(call, given or ["REPLY", "reply"], array=usage.has("-a", "-A"))
    _numbers(call, usage.values("-t", "-n", "-N", "-u", "-k"))
    return NO_STREAM


def _guess_lines(call: Call, names: list[str], *, array: bool = False) -> None:
    """In a second look, give variables what the input says."""
    call.walker.guessable = call.walker.guessable or call.stdin is not UNKNOWN_STREAM
    if call.walker.guesses:
        from .. import guesses

        guesses.read(call.stdin, names, call.state, array=array)


def _whole_lines(call: Call) -> bool:
    """Return whether ``read`` with one name takes a line as it is, and something is known of each line."""
    separator = call.state.get("IFS")
    return not call.stdin.item.startswith(SPLIT) and separator is not None and separator[0] in (" \t\n", "")


def _numbers(call: Call, words: Iterable[Field]) -> None:
    """Weigh words that should be numbers, and that zsh evaluates as expressions."""
    for word in words:
        if not word.with_text(word.text.replace(".", "", 1)).numeric:
            call.note("evaluates-text", word)


def _leaves(call: Call, usage: Usage) -> Stream:
    """``break``, ``continue`` and ``return``: the loop or the function may end in this state."""
    _numbers(call, call.args)
    call.walker.leave(call.state)
    return NO_STREAM


def _cd(call: Call, usage: Usage) -> Stream:
    target = usage.operands[0] if usage.operands else None
    state, before = call.state, (call.state.cwd, Taint.NONE)
    if target is None:
        state.cwd = HOME if call.name in ("cd", "chdir") else HOLE
    elif target.text == "-":
        state.cwd = (state.get("OLDPWD") or (HOLE,))[0]
    elif target.unknown or target.globbed or target.text[:1] in ("-", "+"):
        state.cwd = HOLE
    else:
        state.cwd = _below(call, target)
    if call.name == "pushd" and secrets.is_secret(before[0]):  # it can be gone back to without its name
        call.note("may-read-secret", target, before[0])
    if target is not None and target.globbed and secrets.is_secret(places.resolve(f"{target.text}/x", before[0])):
        call.note("may-read-secret", target)
    state.values["OLDPWD"] = before
    return NO_STREAM


def _below(call: Call, target: Field) -> str:
    """Return where a path leads, which may be taken from a folder of ``CDPATH`` (POSIX XCU cd)."""
    state = call.state
    folders = state.get("CDPATH")
    if folders is None or target.text.startswith(("/", ".", HOME, CWD)):
        return places.resolve(target.text, state.cwd)
    call.walker.guessable = True
    return places.resolve(f"{folders[0].partition(':')[0]}/{target.text}", state.cwd) if call.walker.guesses else HOLE


def _popd(call: Call, usage: Usage) -> Stream:
    call.state.cwd = HOLE
    return NO_STREAM


_INTEGERS = ("-eq", "-ne", "-lt", "-le", "-gt", "-ge")


def _test(call: Call, usage: Usage) -> Stream:
    words = call.args
    for place, word in enumerate(words):
        several = word.globbed and set("./").isdisjoint(word.text)  # as names of operators are
        if word.many or (several and expand.several(call.walker.words_of, word, call.state)):  # ``-v`` and a subscript
            call.note("evaluates-text", word)
        if word.text in ("-v", "-R") and words[place + 1 : place + 2] and not _NAME.match(words[place + 1].text):
            call.note("evaluates-text", words[place + 1])
        if word.text in _INTEGERS:  # zsh evaluates both sides as expressions
            _numbers(call, words[max(place - 1, 0) : place] + words[place + 1 : place + 2])
        elif word.text == "-t":
            _numbers(call, [side for side in words[place + 1 : place + 2] if side.text != "]"])
    return NO_STREAM


_EVALUATING = ("-i", "-n", "-F", "-E")


def _declare(call: Call, usage: Usage) -> Stream:
    before = call.taint
    if not usage.operands:
        call.note("prints-secret")
        call.taint |= Taint.SECRET
    if usage.has("-r") or call.name == "readonly":
        call.note("changes-shell")
    exported = call.name == "export" or usage.has("-x")
    for word in usage.operands:
        _declare_one(call, usage, word, exported)
    return NO_STREAM if call.taint == before else Stream(None, call.taint)


def _declare_one(call: Call, usage: Usage, word: Field, exported: bool) -> None:
    name, equals, value = word.text.partition("=")
    if not _NAME.match(name.removesuffix("+")):
        call.note("evaluates-text", word)
        return
    added, name = name.endswith("+"), name.removesuffix("+")
    if of_gate(name) and (exported or equals):
        call.note("write-gate", word, name)
    if exported and (matters(name, [word]) or usage.has("-f")):
        call.note("changes-shell", word, name)
    elif equals and matters(name, []):
        call.note("changes-shell" if lives_on(name) else "sets-variable", word, name)
    elif not equals and not exported and SECRET_NAME.search(name.upper()):  # zsh prints a variable that is set
        call.note("prints-secret", word)
        call.taint |= Taint.PRIVATE
    if usage.has(*_EVALUATING) or (equals and _is_evaluated(call, usage, name, value)):
        call.note("evaluates-text", word, name)
    if exported:
        call.state.exported |= {name}
    if equals:
        call.state.set(name, (HOLE if added else value, word.taint))
        if runs_value(name):
            call.walker.text(value, word, call.state.child())


def _is_evaluated(call: Call, usage: Usage, name: str, value: str) -> bool:
    """Return whether some shell takes a value for an expression, or for the elements of an array.

    Bash expands them once more even if their brackets are quoted (bash 5.2, "quoted compound array assignment").
    """
    if is_number(name) and not Field(value).numeric:
        return True
    if value[:1] not in ("(", HOLE, SPLIT) or value[-1:] not in (")", HOLE, SPLIT):
        return False
    known = call.state.get(name)
    array = usage.has("-a", "-A") or (known is not None and HOLE in known[0])
    return array or value[0] == "("


def _unset(call: Call, usage: Usage) -> Stream:
    for name in usage.operands:
        if usage.has("-f"):
            call.note("changes-shell", name)
        if of_gate(name.text):
            call.note("write-gate", name)
        sets(call, name)
        call.walker.guessable = True
        if call.walker.guesses and name.text != "HOME":  # without it, the tilde is still the home
            call.state.set(name.text, ("", Taint.NONE))
    return NO_STREAM


def _set(call: Call, usage: Usage) -> Stream:
    if [word.text for word in call.args] in (["-o"], ["+o"]):  # lists the options
        return NO_STREAM
    if not call.args:
        call.note("prints-secret")
        return Stream(None, Taint.SECRET)
    call.note("changes-shell")
    words = [word for word in call.args if word.text[:1] not in ("-", "+") or word.text == "--"]
    if words and words[0].text == "--":
        words = call.args[call.args.index(words[0]) + 1 :]
    call.state.positional = words
    return NO_STREAM


def _shift(call: Call, usage: Usage) -> Stream:
    _numbers(call, usage.operands)
    call.state.positional = None
    return NO_STREAM


def _changes_shell(call: Call, usage: Usage) -> Stream:
    call.note("changes-shell")
    return NO_STREAM


def _shopt(call: Call, usage: Usage) -> Stream:
    if usage.has("-s", "-u") or (usage.operands and not usage.has("-q", "-p")):
        call.note("changes-shell")
    return NO_STREAM


def _lists_or_changes(call: Call, usage: Usage) -> Stream:
    for word in usage.operands:
        if call.name == "hash" and word.text in OWN_NAMES:
            call.note("write-gate", word)
    words = [word.text for word in call.args]
    if words[:1] == ["-p"] and len(words) == 3:  # hash -p path name
        _stands_for(call, words[2], words[1])
    if (usage.operands and not usage.has("-t")) or usage.unlisted:
        call.note("changes-shell")
    return NO_STREAM


def _alias(call: Call, usage: Usage) -> Stream:
    for word in usage.operands:
        name, equals, value = word.text.partition("=")
        if equals:
            call.note("write-gate" if name in OWN_NAMES else "changes-shell", word, name)
            call.walker.text(value, word, call.state.copy())
            _stands_for(call, name, value)
    return NO_STREAM


def _stands_for(call: Call, name: str, text: str) -> None:
    """In a second look, take a name for what an alias or a hashed path makes of it."""
    call.walker.guessable = True
    if call.walker.guesses:
        call.walker.aliases[name] = text


def _trap(call: Call, usage: Usage) -> Stream:
    if not usage.operands:
        return NO_STREAM
    call.note("changes-shell")
    if len(usage.operands) > 1 and usage.operands[0].text not in ("-", ""):
        call.shell(usage.operands[0], call.state.copy())
    return NO_STREAM


_PLAIN_NAME = re.compile(r"[\w.+-]+\Z")


def _type(call: Call, usage: Usage) -> Stream | None:
    only = usage.operands[0].text if len(usage.operands) == 1 and usage.has("-p", "-P") else ""
    return Stream(None, call.taint, call.guess(f"/usr/bin/{only}")) if _PLAIN_NAME.match(only) else None


def _let(call: Call, usage: Usage) -> Stream:
    for word in call.args:
        call.note("evaluates-text", word)
    return NO_STREAM


def _mapfile(call: Call, usage: Usage) -> Stream:
    for name in usage.operands:
        sets(call, name, call.stdin.taint)
    _guess_lines(call, [name.static for name in usage.operands if name.static])
    return NO_STREAM


def _history(call: Call, usage: Usage) -> Stream:
    call.note("prints-secret")
    if call.args and not call.args[0].numeric:
        call.note("changes-shell")
    return Stream(None, Taint.SECRET)


def _jobs(call: Call, usage: Usage) -> Stream | None:
    return call.run(list(usage.operands)) if usage.has("-x") else None


def _bind(call: Call, usage: Usage) -> Stream | None:
    """``bind -x '"key": command'`` runs the command when the key is hit."""
    for word in usage.values("-x"):
        call.shell(word.with_text(word.text.rpartition(":")[2]))
    return None


def _exit(call: Call, usage: Usage) -> Stream:
    _numbers(call, call.args)
    return NO_STREAM


def _tput(call: Call, usage: Usage) -> Stream | None:
    """``tput init`` and ``reset`` run the program that the terminal's description names."""
    for word in usage.operands[:1]:
        if word.static is None or word.text in ("init", "reset"):
            call.note("not-harmless", word)
    return None


def _quiet(call: Call, usage: Usage) -> Stream:
    return NO_STREAM


_ANYTHING = program("", "text*", style=Style.NONE, judge=_quiet)
_DECLARES = program("-a -A -f -F -g -i -E -n -p -r -x", style=Style.POSIX, judge=_declare)
_READS = "-r -s -e -a:text -A:text -d:text -i:text -n:text -N:text -p:text -t:text -u:text -k:text -q"

PROGRAMS: dict[str, Program] = {
    "cd": program("-L -P -e -@ -q -s", "path", style=Style.POSIX, safe_options=True, judge=_cd),
    "chdir": program("-L -P", "path", style=Style.POSIX, safe_options=True, judge=_cd),
    "pushd": program("-n -q", "path", style=Style.POSIX, safe_options=True, judge=_cd),
    "popd": program("-n -q", style=Style.POSIX, judge=_popd),
    "dirs": program("-l -p -v", style=Style.POSIX),
    "true": _ANYTHING,
    "false": _ANYTHING,
    ":": _ANYTHING,
    "exit": program("", "text*", style=Style.NONE, judge=_exit),
    **dict.fromkeys(["return", "break", "continue"], program("", "text*", style=Style.NONE, judge=_leaves)),
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
    "shopt": program("-s -u -q -p -o", "text*", style=Style.POSIX, judge=_shopt),
    "setopt": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "unsetopt": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "emulate": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "enable": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "disable": program("", "text*", style=Style.NONE, judge=_changes_shell),
    "hash": program("-l -t", "text*", style=Style.POSIX, judge=_lists_or_changes),
    "umask": program("-p -S", "text", style=Style.POSIX, judge=_lists_or_changes),
    "ulimit": program(
        "-a -S -H -b -c -d -e -f -i -k -l -m -n -p -q -r -R -s -T -u -v -w -x -P",
        "text*",
        style=Style.POSIX,
        judge=_lists_or_changes,
    ),
    "type": program("-a -t -p -P -f -w -s -m", "text*", style=Style.POSIX, judge=_type),
    "let": program("", "text*", style=Style.NONE, judge=_let),
    "read": program(_READS, style=Style.POSIX, judge=_read),
    "mapfile": program(
        "-t -d:text -n:text -O:text -s:text -u:text -C:shell -c:text", style=Style.POSIX, judge=_mapfile
    ),
    "readarray": program(
        "-t -d:text -n:text -O:text -s:text -u:text -C:shell -c:text", style=Style.POSIX, judge=_mapfile
    ),
    "wait": program("-n -f", "text*", style=Style.POSIX, judge=_quiet),
    "jobs": program("-l -n -p -r -s -x", style=Style.POSIX, judge=_jobs),
    "disown": program("-a -h -r", "text*", style=Style.POSIX, judge=_changes_shell),
    "getopts": program("", "text text text*", style=Style.POSIX, judge=_changes_shell),
    "history": program("", "text*", style=Style.NONE, judge=_history),
    "fc": program("", "text*", style=Style.NONE, rule="prints-secret"),
    "bind": program("-x:text -f:script -l -p -q:text", "text*", style=Style.POSIX, rule="changes-shell", judge=_bind),
    **dict.fromkeys(
        ["complete", "compgen"],
        program("-C:shell -W:text -F:text -A:text", "text*", style=Style.POSIX, rule="changes-shell"),
    ),
    "sleep": program("", "text*"),
    "clear": program("-x -T:text"),
    "tput": program("-V", style=Style.POSIX, judge=_tput),
    "expr": program("", "text*", style=Style.NONE),
    "getopt": program("", "text*", style=Style.NONE),
}
"""The built-ins; ``sleep``, ``clear``, ``tput``, ``expr`` and ``getopt`` stand here because scripts use them like one."""
