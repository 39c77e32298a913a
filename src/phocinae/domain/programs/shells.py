"""Shells, and the built-ins that run words or text as commands.

Sources: POSIX XCU 2.14 (special built-ins) and ``sh``; bash(1), "INVOCATION" and "SHELL
BUILTIN COMMANDS"; zshall(1).
"""

from __future__ import annotations

import re

from ..calls import Call, joined
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import SPLIT, Field, Stream, Taint


def _shell(call: Call, usage: Usage) -> Stream | None:
    operands = list(usage.operands)
    if call.name in ("bash", "zsh") and [word.text for word in call.args] in (["--version"], ["--help"]):
        return None
    if operands and operands[0].text.startswith("+"):  # switches options off
        call.note("unknown-option", operands[0])
        place = next(at for at, word in enumerate(call.args) if word is operands[0])
        behind = place + (2 if operands[0].text.endswith("o") else 1)
        return call.described(_SHELL, call.args[:place] + call.args[behind:])
    for field in usage.values("-o"):
        if field.text not in _PLAIN_SETTINGS:
            call.note("unknown-option", field)
    if usage.has("-c"):
        return _text(call, operands)
    alone = call.stdin.text is None and not call.stdin.taint
    if usage.has("-i", "-l", "--login") and not operands and alone:
        call.note("changes-shell")
        return Stream(None, Taint.PROMPT)
    if usage.has("-s") or not operands:
        if usage.has("-n") and not usage.has("-i"):  # the text is read, and nothing in it is run
            return None
        output = call.feed(call.stdin, call.word)
        asked = usage.has("-i") or call.stdin.taint & Taint.PIPE  # what answers it may be what it is told
        return Stream(None, output.taint | Taint.PROMPT) if asked else output
    if usage.has("-n") and not usage.has("-i"):
        call.read(operands[0], prints=False)
        return None
    call.script(operands[0])
    return None


_PLAIN_SETTINGS = frozenset("errexit nounset pipefail xtrace verbose noexec noglob noclobber".split())
"""Settings for ``-o`` that change the meaning of no text."""


def _text(call: Call, operands: list[Field]) -> Stream | None:
    """Judge ``sh -c text name words``."""
    if not operands:
        return None
    state = call.state.child()
    state.positional = []
    for word in operands[2:]:
        state.positional += [word, word.with_text(SPLIT)] if word.divided else [word]
    moved = any(word.many or word.globbed for word in operands[:2])
    if moved:
        state.positional = None
    elif len(operands) > 1:
        state.set("0", (operands[1].text, operands[1].taint))
    return call.shell(operands[0], state)


def _other_shell(call: Call, usage: Usage) -> Stream | None:
    """A shell with a language of its own: judged as if it were this one, but never vouched for."""
    call.note("feeds-interpreter")
    return _shell(call, usage)


_SHELL = program(
    "-c -e -x -u -n -v -l -i -s -E -f -h -m -o:text --login --posix --norc --noprofile --verbose --rcfile:script "
    "--init-file:script -O:risk -p -r",
    style=Style.POSIX,
    judge=_shell,
)
_OTHER_SHELL = program(
    "-c -e -x -u -n -v -l -i -s -f -h -m -p -r -C:shell --command:shell --init-command:shell --no-config --norc",
    style=Style.POSIX,
    judge=_other_shell,
)


def _eval(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        return None
    return call.shell(joined(list(usage.operands), call.word), call.state)


def _source(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-shell")
    if usage.operands:
        call.script(usage.operands[0])
    return None


_PLAIN_NAME = re.compile(r"[\w.+-]+\Z")


def _command(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-v", "-V") or not usage.operands:
        name = usage.operands[0].text if len(usage.operands) == 1 and usage.has("-v") else ""
        return Stream(None, call.taint, call.guess(f"/usr/bin/{name}")) if _PLAIN_NAME.match(name) else None
    return call.walker.call(list(usage.operands), call.state, call.stdin, functions=False)


def _exec(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        call.note("changes-shell")
        return None
    words = list(usage.operands)
    for name in usage.values("-a"):  # by which programs such as systemctl and busybox decide what they do
        call.run([name, *words[1:]])
    return call.run(words)


def _reserved(call: Call, usage: Usage) -> Stream | None:
    """``time`` and ``coproc`` as reserved words: what follows is a command as if it stood alone."""
    words = list(usage.operands)
    while words and words[0].text in ("!", "{"):
        words = words[1:]
    words = call.without_assignments(words)
    return call.walker.call(words, call.state, call.stdin) if words else None


_EVERY_SHELL = {
    **dict.fromkeys("sh bash zsh dash ksh mksh ash rbash".split(), _SHELL),
    **dict.fromkeys("fish csh tcsh elvish nu xonsh yash".split(), _OTHER_SHELL),
}

PROGRAMS: dict[str, Program] = {
    **_EVERY_SHELL,
    "eval": program(style=Style.POSIX, judge=_eval),
    "source": program(style=Style.POSIX, judge=_source),
    ".": program(style=Style.POSIX, judge=_source),
    "command": program("-v -V -p", style=Style.POSIX, judge=_command),
    "builtin": program(style=Style.POSIX, judge=_command),
    "exec": program("-c -l -a:risk", style=Style.POSIX, judge=_exec),
    "time": program(
        "-p -v -f:text --format:text -o:write --output:write -a --append -q --quiet --verbose --portability",
        style=Style.POSIX,
        judge=_reserved,
    ),
    **dict.fromkeys("{ ! then do else".split(), program(style=Style.NONE, rule="unknown-program", judge=_reserved)),
    "coproc": program(style=Style.POSIX, judge=_reserved),
}
