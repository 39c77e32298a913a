"""Editors, which write files and run commands that are given to them.

Sources: vim(1) and its help on ``:!`` and ``+cmd``, emacs(1), nano(1), ed(1), ex(1).
"""

from __future__ import annotations

import re

from .. import code
from ..calls import Call
from ..knowledge import Program, Role, Style, program
from ..usage import Usage
from ..values import UNKNOWN_STREAM, Field, Stream, Taint

_FRONT = re.compile(
    r":*(?:(?:sil(?:ent)?!?|exe(?:cute)?|au(?:tocmd)? +\S+ +\S+|noautocmd)\s+)*(?:%|[\d.$,;+-]+)?\s*['\"]?"
)
"""What may stand in front of a command: modifiers and a range of lines."""
_BANG = re.compile(
    r"(?:(?:r(?:ead)?|w(?:rite)?|e|te(?:r(?:m(?:inal)?)?)?)!?\s+)?!+(.*)\Z|te(?:r(?:m(?:inal)?)?)?!?\s+(.+)\Z", re.S
)
_WRITE = re.compile(r"(?:w(?:rite|q)?|sav(?:eas)?|up(?:date)?|x(?:it)?)!?\s+(?:>>\s*)?([^\s!].*)\Z")
_CODE = re.compile(r"(py(?:thon)?[3x]?|lua|perl|ruby?|call|let|echo|eval)\s+(.+)\Z", re.S)
_IN = {"p": "python", "l": "lua", "r": "ruby"}
_INPUT = re.compile(r"[\d.$,;+-]*[aic]\s*\Z")
"""What begins lines that are put into the text, up to a line with a dot."""
MOST_COMMANDS = 30
"""Commands of one script that are judged."""


def _editor_command(call: Call, field: Field) -> None:
    """Weigh a command of vi; one with ``!`` is a shell command."""
    call.note("feeds-interpreter")
    for line in re.split(r"\n|(?<!\|)\|(?!\|)", field.text)[:MOST_COMMANDS]:
        text = line.strip()[_FRONT.match(line.strip()).end() :]  # type: ignore[union-attr]
        if match := _BANG.match(text):
            call.names_program(field.with_text(match[1] or match[2] or ""))
        elif match := _WRITE.match(text):
            call.take(Role.WRITE, field.with_text(match[1]))
        elif match := _CODE.match(text):
            short = "perl" if match[1] == "perl" else _IN.get(match[1][0], "vim")
            code.judge(call, match[2], field, short)


def _script(call: Call, field: Field) -> None:
    """Weigh a script of ed or ex that comes in."""
    left: list[str] = []
    inserting = False
    for line in field.text.split("\n"):
        if not inserting:
            left.append(line)
        inserting = line.strip() != "." if inserting else _INPUT.match(line) is not None
    for line in left[:MOST_COMMANDS]:
        _editor_command(call, field.with_text(line))


def _vi(call: Call, usage: Usage) -> Stream | None:
    for field in usage.values("-c", "--cmd"):
        if field.taint & Taint.REMOTE:
            call.note("remote-code")
        _editor_command(call, field)
    for word in usage.operands:
        if word.text.startswith("+"):
            _editor_command(call, word.with_text(word.text[1:]))
        elif usage.has("-c", "-s", "-S", "-es") or call.stdin is not UNKNOWN_STREAM:
            call.take(Role.WRITE, word)
    if usage.has("-s", "-es", "-e", "-E") or call.name == "ex":
        _fed(call)
    return None


def _fed(call: Call) -> None:
    """Weigh the commands that come in."""
    if call.stdin.taint & Taint.REMOTE:
        call.note("remote-code")
    elif call.stdin.text:
        _script(call, call.word.with_text(call.stdin.text))


def _ed(call: Call, usage: Usage) -> Stream | None:
    for word in usage.operands if call.stdin is not UNKNOWN_STREAM else ():
        if not word.text.startswith("-"):
            call.take(Role.WRITE, word)
    _fed(call)
    return None


def _emacs(call: Call, usage: Usage) -> Stream | None:
    call.note(
        "feeds-interpreter" if usage.has("--eval", "--execute", "-l", "--load", "--script", "-f") else "changes-files"
    )
    evaluated = usage.values("--eval", "--execute", *(["-e"] if call.name == "emacsclient" else []))
    for field in evaluated:
        if field.taint & Taint.REMOTE:
            call.note("remote-code")
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
            "-q -Q -nw --batch --eval:text --execute:text -e:text -l:script --load:script --script:script -f:text",
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
