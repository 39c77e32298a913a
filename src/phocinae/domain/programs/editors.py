"""Editors, which write files and run commands that are given to them.

Sources: vim(1) and its help on ``:!`` and ``+cmd``, emacs(1), nano(1), ed(1), ex(1).
"""

from __future__ import annotations

import re

from .. import code
from ..calls import Call
from ..knowledge import Program, Role, Style, program
from ..usage import Usage
from ..values import UNKNOWN_STREAM, Field, Stream

_BANG = re.compile(r":*(?:sil(?:ent)?!? +)?!+(.*)\Z", re.S)


def _editor_command(call: Call, field: Field) -> None:
    """Weigh a command of vi; one with ``!`` is a shell command."""
    call.note("feeds-interpreter")
    match = _BANG.match(field.text)
    if match is not None:
        call.names_program(field.with_text(match[1]))


def _vi(call: Call, usage: Usage) -> Stream | None:
    for field in usage.values("-c", "--cmd"):
        _editor_command(call, field)
    for word in usage.operands:
        if word.text.startswith("+"):
            _editor_command(call, word.with_text(word.text[1:]))
        elif usage.has("-c", "-s", "-S", "-es") or call.stdin is not UNKNOWN_STREAM:
            call.take(Role.WRITE, word)
    return None


def _ed(call: Call, usage: Usage) -> Stream | None:
    for word in usage.operands if call.stdin is not UNKNOWN_STREAM else ():
        if not word.text.startswith("-"):
            call.take(Role.WRITE, word)
    return None


def _emacs(call: Call, usage: Usage) -> Stream | None:
    call.note(
        "feeds-interpreter" if usage.has("--eval", "--execute", "-l", "--load", "--script", "-f") else "changes-files"
    )
    for field in usage.values("--eval", "--execute"):
        code.judge(call, field.text, field)
    return None


_VI = program(
    "-R -v -e -E -s -n -N -b -d -D -Z -X -y -O -o -p -g -f -l -L -r -m -M -A -H -F -c:text --cmd:text -u:script -U:script -i:path -S:script "
    "-t:text -w:write -W:write -T:text --noplugin --clean --nofork --not-a-term",
    "scan*",
    rule="changes-files",
    judge=_vi,
)

PROGRAMS: dict[str, Program] = {
    **dict.fromkeys("vi vim nvim ex view gvim vimdiff rvim".split(), _VI),
    **dict.fromkeys(
        "emacs emacsclient".split(),
        program(
            "-q -Q -nw --batch --eval:text --execute:text -l:script --load:script --script:script -f:text",
            "scan*",
            rule="changes-files",
            judge=_emacs,
        ),
    ),
    **dict.fromkeys(
        "nano pico micro code subl gedit kate hx joe".split(),
        program("", "scan*", style=Style.NONE, rule="changes-files"),
    ),
    **dict.fromkeys(["ed", "red"], program("", "scan*", style=Style.NONE, rule="changes-files", judge=_ed)),
}
