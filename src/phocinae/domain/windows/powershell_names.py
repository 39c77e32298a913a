"""How PowerShell looks up a name: as an alias, then as a cmdlet, then as a program.

Some aliases of Windows are programs where PowerShell runs on another system; what those
would destroy counts as well.  Source: about_Aliases, about_Command_Precedence,
"Compatibility aliases" of PowerShell on other systems.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from .. import programs
from ..calls import Call
from ..hits import Hits
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import HOLE, MORE, SPLIT, Field, Stream
from ..verdict import Weight
from .names import without_ending
from .parameters import is_unknown, plain

_FAMILIES = ("cmdlets", "cmdlets_change", "cmdlets_system", "cmdlets_code")

ALIASES: dict[str, str] = dict(
    pair.split("=")
    for pair in (
        "%=foreach-object ?=where-object ac=add-content asnp=add-pssnapin cat=get-content cd=set-location "
        "chdir=set-location clc=clear-content clear=clear-host clhy=clear-history cli=clear-item "
        "clp=clear-itemproperty "
        "cls=clear-host clv=clear-variable compare=compare-object copy=copy-item cp=copy-item cpi=copy-item "
        "curl=invoke-webrequest cvpa=convert-path del=remove-item diff=compare-object "
        "dir=get-childitem echo=write-output epcsv=export-csv erase=remove-item etsn=enter-pssession "
        "fc=format-custom fl=format-list foreach=foreach-object ft=format-table fw=format-wide gal=get-alias "
        "gc=get-content gci=get-childitem gcim=get-ciminstance gcm=get-command gdr=get-psdrive ghy=get-history "
        "gi=get-item gin=get-computerinfo gjb=get-job gl=get-location gm=get-member gmo=get-module "
        "gp=get-itemproperty gps=get-process gpv=get-itempropertyvalue group=group-object gsv=get-service "
        "gtz=get-timezone gu=get-unique gv=get-variable gwmi=get-wmiobject h=get-history history=get-history "
        "icim=invoke-cimmethod icm=invoke-command iex=invoke-expression ihy=invoke-history ii=invoke-item "
        "ipal=import-alias ipcsv=import-csv ipmo=import-module irm=invoke-restmethod iwmi=invoke-wmimethod "
        "iwr=invoke-webrequest kill=stop-process ls=get-childitem man=get-help md=new-item measure=measure-object "
        "mi=move-item mkdir=new-item mount=new-psdrive move=move-item mv=move-item nal=new-alias "
        "ncim=new-ciminstance ndr=new-psdrive ni=new-item nmo=new-module nsn=new-pssession nv=new-variable "
        "oh=out-host popd=pop-location ps=get-process pushd=push-location pwd=get-location "
        "r=invoke-history rcim=remove-ciminstance rd=remove-item rdr=remove-psdrive ren=rename-item ri=remove-item "
        "rjb=remove-job rm=remove-item rmdir=remove-item rmo=remove-module rni=rename-item rnp=rename-itemproperty "
        "rp=remove-itemproperty rv=remove-variable rvpa=resolve-path rwmi=remove-wmiobject sajb=start-job "
        "sal=set-alias saps=start-process sasv=start-service sc=set-content scim=set-ciminstance select=select-object "
        "set=set-variable si=set-item sl=set-location sleep=start-sleep sls=select-string "
        "sort=sort-object sp=set-itemproperty spjb=stop-job spps=stop-process spsv=stop-service start=start-process "
        "stz=set-timezone sv=set-variable swmi=set-wmiinstance tee=tee-object tnc=test-netconnection type=get-content "
        "wget=invoke-webrequest where=where-object write=write-output"
    ).split()
)

_ASKS = re.compile(r"(?i)-(?:whatif|wi)(?::True)?\Z")
"""The parameter with which a cmdlet only says what it would do."""
_SWITCH = re.compile(r"/[A-Za-z?](?::|\Z)")
_FOUND: dict[str, Program | None] = {}


def find(name: str) -> Program | None:
    """Return the description of what a name stands for in PowerShell, or None."""
    low = name.lower()
    if low not in _FOUND:
        _FOUND[low] = _look_up(low)
    return _FOUND[low]


def judge(call: Call) -> Stream:
    """Return what a call prints whose name may be that of a function or of an alias, which the text itself has made."""
    low = call.name.lower()
    call.walker.seen.add((call.walker.source, call.word.start))
    if low in call.state.functions:
        return call.walker.invoke(low, [plain(word) for word in call.args], call.state, call.stdin)
    alias = call.state.get("alias " + low)
    if alias is not None:
        name = Field(alias[0], call.word.start, call.word.end, alias[1])
        return call.walker.call([name, *call.args], call.state, call.stdin)
    known = find(low)
    if known is None:
        call.note("unknown-program")
        return Stream(None, call.taint)
    return call.described(known, call.args) or Stream(None, call.taint)


def cmdlet_of(name: str) -> Program | None:
    """Return the description of the cmdlet that a name or an alias stands for."""
    low = name.lower()
    low = ALIASES.get(low, low)
    for family in _FAMILIES:
        names = import_module(f"phocinae.domain.programs.{family}").PROGRAMS
        if low in names:
            known: Program = names[low]
            return known
    return None


def _look_up(low: str) -> Program | None:
    if (low[:1] in ".[-" and low[:2] != "..") or low == "&":  # people name functions by two dots and more
        from ..programs import dotnet

        return dotnet.find(low)
    plain_name = without_ending(low)
    native = _native(plain_name, written_out=plain_name != low)
    found = cmdlet_of(low) if "-" in low or low in ALIASES else None
    if found is None:
        return native
    return _raw(_cmdlet(found, native if low in ALIASES else None))


def _raw(judged: Callable[[Call, Usage], Stream | None]) -> Program:
    return program("", "text*", style=Style.NONE, judge=judged)


def _cmdlet(known: Program, native: Program | None) -> Callable[[Call, Usage], Stream | None]:
    def judged(call: Call, _usage: Usage) -> Stream | None:
        words = call.args
        if any(_ASKS.match(word.text) for word in words):  # what has no such parameter fails
            call.note("windows-command")
            return Stream("", call.taint)
        if native is not None:
            _as_program(call, native)
        call.args, call.name = words, call.word.text
        return call.described(known, words)

    return judged


def _as_program(call: Call, native: Program) -> None:
    """Keep what only a person may allow of the program of the same name, which exists on some systems."""
    walker = call.walker
    before, walker.hits = walker.hits, Hits()
    state, call.state = call.state, call.state.copy()
    try:
        call.described(native, call.args)
    finally:
        inner, walker.hits = walker.hits, before
        call.state = state
    blocks = any(f"{{{HOLE}}}" in word.text for word in call.args)
    walker.hits.add_heavy(inner, Weight.DENY if blocks else Weight.PERSON)


def _native(name: str, *, written_out: bool) -> Program | None:
    """Return the description of a program, which may be one of Windows or one of another system."""
    of_windows, of_posix = programs.find(f"{name}.exe"), programs.find(name)
    if of_windows is None and of_posix is None:
        return None

    def judged(call: Call, _usage: Usage) -> Stream | None:
        call.name, call.args = name, _arguments(call.args)
        for word in call.args:
            if not word.text or '"' in word.text:  # which some versions drop, and pass on without quotes around it
                call.note("unclear-word", word)
        output = call.described(of_windows, call.args) if of_windows is not None else None
        certain = of_windows is not None and (written_out or any(_SWITCH.match(word.text) for word in call.args))
        if of_posix is not None and of_posix is not of_windows and not certain:
            output = call.described(of_posix, call.args)
        return output

    return _raw(judged)


def _arguments(words: list[Field]) -> list[Field]:
    """Return words as a program gets them: a list without blanks in it is one."""
    given: list[Field] = []
    for word in words:
        if word.text[:1] == MORE and given and word.start == given[-1].end + 1:
            last = given[-1]
            text = f"{last.text},{plain(word).text}"
            given[-1] = Field(text, last.start, word.end, last.taint | word.taint)
        elif is_unknown(plain(word)):
            given.append(word.with_text(SPLIT))  # a list becomes several words
        else:
            given.append(plain(word))
    return given
