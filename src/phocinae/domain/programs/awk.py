"""awk: a filter whose program may read, write and run.

Sources: POSIX XCU awk, the gawk manual, mawk(1), awk(1) of BSD.
"""

from __future__ import annotations

import re

from .. import code as any_code
from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import Field, Stream, Taint
from . import awk_program
from .judging import code_file, decoded, settled
from .outlines import Descriptions, outline

_AWK = (
    "-F:text -v:text -f:text -e:text -E:text -i:text -l:risk -b -c -C -g -h -I -k -L?text -M -n -N -O "
    "-P -r -s -S -t -V "
    "-W:risk --field-separator:text --assign:text --file:text --source:text --include:text --load:risk "
    "--exec:text "
    "--characters-as-bytes --traditional --copyright --csv --lint?text --bignum --use-lc-numeric --non-decimal-data "
    "--optimize --no-optimize --posix --re-interval --sandbox --gen-pot"
)
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_MOST = 50
"""Files and commands of one program that are judged."""


def _program(call: Call, program: Field, given: dict[str, str]) -> None:
    """Weigh a program that stands in the command."""
    if program.taint & (Taint.REMOTE | Taint.DECODED):
        call.note("remote-code" if program.taint & Taint.REMOTE else "decoded-code")
    text = settled(program.text)
    if Field(text).static is None:
        call.note("unclear-word", program)
        return
    effects = awk_program.read(text, given)
    if effects is None or effects.odd:
        call.note("not-harmless", program)
    if effects is None:
        return
    for path in effects.reads[:_MOST]:
        call.take(Role.READ, program.with_text(path))
    for path in effects.writes[:_MOST]:
        call.take(Role.WRITE, program.with_text(path))
    if effects.writes_others or len(effects.reads) + len(effects.writes) > _MOST:
        call.note("not-harmless", program)
    if effects.environment:
        call.note("prints-secret", program, "ENVIRON")
    if effects.runs:
        call.note("runs-code", program)
        for command in effects.commands[:_MOST]:
            output = call.shell(program.with_text(command))
            if output.taint & (Taint.REMOTE | Taint.DECODED) and effects.runs_others:
                call.note("remote-code" if output.taint & Taint.REMOTE else "decoded-code")
    _likely(call, program, effects)


def _likely(call: Call, program: Field, effects: awk_program.Effects) -> None:
    """Keep what is denied of the commands and files that are not written out in one literal."""
    for command in effects.likely_commands[:_MOST]:
        any_code.runs(call, command, program)
    for path in effects.likely_writes[:_MOST]:
        any_code.writes(call, path, program)
    if effects.runs_input:
        call.feed(call.stdin, program)
    if effects.connects and effects.runs_others:
        call.note("reverse-shell")


def _awk(call: Call, usage: Usage) -> Stream:
    operands = list(usage.operands)
    programs = usage.values("-e", "--source")
    pairs = (value.text.partition("=") for value in usage.values("-v", "--assign"))
    given = {name: value for name, _, value in pairs}
    for path in usage.values("-f", "--file", "-E", "--exec", "-i", "--include"):
        code = code_file(call, path)
        if code is not None:
            _program(call, code, given)
    if not programs and not usage.has("-f", "--file", "-E", "--exec"):
        programs, operands = operands[:1], operands[1:]
    for program in programs:
        _program(call, program, given)
    for field in operands:
        if not _ASSIGNMENT.match(field.text):
            call.take(Role.READ, field)
    return decoded(call)


PROGRAMS = Descriptions({"awk gawk mawk nawk original-awk": outline(_AWK, style=Style.POSIX, judge=_awk)})
