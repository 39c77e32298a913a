"""Filters and other tools of Windows that only look.

Sources: the Windows command reference, pages of the programs.
"""

from __future__ import annotations

from .. import effects
from ..calls import Call
from ..places import Place, place
from ..usage import Usage
from ..values import ANY, STAR, Field, Stream
from .judging import copied, distinct, scan
from .outlines import Descriptions
from .windows_files import switched, wild


def show(call: Call, field: Field) -> None:
    """Weigh that files are printed: a wildcard in front of a name matches a dot as well."""
    path = wild(field)
    call.read(path)
    at = max(path.text.rfind("/"), path.text.rfind("\\")) + 1
    if path.text[at : at + 1] in (STAR, ANY):
        rest = path.text[at:] if path.text[at] == STAR else path.text[at + 1 :]
        call.read(path.with_text(f"{path.text[:at]}.{rest}"))


EVERY_LINE = frozenset(["", ".", ".*", "^", "$", "^.*$", ".*$", "^.*", "..*"])
"""Patterns that match all lines of a file, or all but empty ones."""
_WIDE = (Place.ROOT, Place.HOME)


def _searches(call: Call, usage: Usage) -> Stream:
    """Find and findstr: the first operand is what is looked for, unless a switch names it."""
    named = usage.has("/c", "/g") and call.name.lower() not in ("find", "find.exe")
    files = list(usage.operands) if named else list(usage.operands[1:])
    patterns = usage.values("/c") if named else list(usage.operands[:1])
    every_line = usage.has("/v") or any(field.text.replace(STAR, "*") in EVERY_LINE for field in patterns)
    for field in distinct(files):
        if every_line:
            show(call, field)
        else:
            scan(call, wild(field))
        if usage.has("/s") and place(wild(field).text, call.state.cwd) in _WIDE:
            call.note("may-read-secret", field)
    for field in usage.values("/d"):
        call.read(field, prints=False)
    return Stream(None, call.taint)


def prints(call: Call, usage: Usage) -> Stream:
    """Return what a program prints that hands on its files or its input."""
    for field in distinct(usage.operands):
        show(call, field)
    return copied(call, usage)


def _draws(call: Call, usage: Usage) -> None:
    for field in usage.operands:
        effects.visit(call.walker, field, call.state)


def _located(call: Call, usage: Usage) -> None:
    for field in usage.values("/r"):
        call.read(field, prints=False)


PROGRAMS = Descriptions(
    {
        "more.com": switched("/e /c /p /s /t?text", judge=prints),
        "find.exe": switched("/v /c /n /i /off /offline", judge=_searches),
        "findstr findstr.exe": switched(
            "/b /e /l /r /s /i /x /v /n /m /o /p /off /offline /a:text /c:text /f:scan /g:scan /d:text", judge=_searches
        ),
        "sort.exe": switched(
            "/r /reverse /+?text /m:text /memory:text /l:text /locale:text /rec:text /t:text /o:write /output:write "
            "/unique /c /case_sensitive",
            judge=prints,
        ),
        "fc.exe": switched("/a /b /c /l /lb?text /n /off /t /u /w", "read*"),
        "comp comp.exe": switched("/d /a /l /n:text /c /off /m", "read*"),
        "tree.com": switched("/f /a", "path", judge=_draws),
        "where.exe": switched("/r:text /q /f /t", "text*", judge=_located),
        "whoami.exe": switched("/upn /fqdn /logonid /user /groups /claims /priv /all /fo:text /nh"),
        "hostname.exe": switched(),
        "timeout.exe": switched("/t:text /nobreak", "text"),
        "netstat.exe": switched("/a /b /e /f /i /n /o /p:text /q /r /s /t /x /y /an /ano /anob /nao /ab /rn", "text"),
    }
)
