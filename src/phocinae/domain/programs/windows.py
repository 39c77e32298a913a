"""PowerShell's commands that change much, as a POSIX shell would be given them, and PowerShell itself.

A backslash is gone where it stood unquoted, so that paths are recognised with and without.
Source: PowerShell's help of each cmdlet.
"""

from __future__ import annotations

import re

from ..calls import Call, joined
from ..knowledge import Program, Style, program
from ..places import Place, place
from ..usage import Usage
from ..values import Field, Stream, Taint

_PRECIOUS = re.compile(
    r"(?i)(?:\\\\\?\\)?[a-z]:[\\/]*\*?\Z|(?:\\\\\?\\)?[a-z]:[\\/]?(?:windows|users|program ?files|programdata|system32|boot)(?:[\\/ (].*|\*|\Z)"
    r"|[$%](?:env:)?(?:systemroot|windir|systemdrive|userprofile|homepath|home|programfiles)%?[\\/]?\*?\Z"
)
_RECURSES = re.compile(r"(?i)-r(?:e(?:c(?:u(?:r(?:s(?:e)?)?)?)?)?)?(?::\$true)?\Z|/s\Z")


def _is_precious(call: Call, word: Field) -> bool:
    return _PRECIOUS.match(word.text) is not None or place(word.text, call.state.cwd) in (
        Place.ROOT,
        Place.HOME,
        Place.SYSTEM,
    )


def _remove(call: Call, usage: Usage) -> Stream | None:
    """Remove-Item: denied on a drive, a system folder or a home folder."""
    recursive = any(_RECURSES.match(word.text) for word in call.args)
    targets = [word for word in call.args if not re.match(r"-[A-Za-z]|/[A-Za-z](?::|\Z)", word.text)]
    for word in targets:
        if _is_precious(call, word) and (recursive or place(word.text, call.state.cwd) is not Place.HOME):
            call.note("destroys-windows")
        else:
            call.note("deletes-file", word)
    if not targets:
        call.note("windows-command")
    return None


_PAYLOAD = re.compile(r"(?i)-c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?\Z")
_ENCODED = re.compile(r"(?i)-e(?:c|n(?:c(?:o(?:d[a-z]*)?)?)?)?\Z")
_DOWNLOADS = re.compile(
    r"(?i)\b(?:iwr|irm|curl|wget|invoke-webrequest|invoke-restmethod|downloadstring|downloadfile|downloaddata|net\.webclient|start-bitstransfer)\b"
)
_EVALUATES = re.compile(r"(?i)\b(?:iex|invoke-expression)\b")


def _powershell(call: Call, usage: Usage) -> Stream | None:
    call.note("feeds-interpreter")
    words = list(call.args)
    for at, word in enumerate(words):
        if _ENCODED.match(word.text):
            call.note("decoded-code")
            return None
        if _PAYLOAD.match(word.text) or not word.text.startswith("-"):
            rest = words[at + 1 :] if _PAYLOAD.match(word.text) else words[at:]
            _payload(call, joined(rest, call.word))
            return None
    if call.stdin.taint & Taint.REMOTE:
        call.note("remote-code")
    return None


def _payload(call: Call, text: Field) -> None:
    """Judge PowerShell text that reads as the words of a POSIX shell, too."""
    if text.taint & Taint.REMOTE or (_DOWNLOADS.search(text.text) and _EVALUATES.search(text.text)):
        call.note("remote-code")
    call.walker.text(_with_slashes(text.text), text, call.state.child())


def _with_slashes(text: str) -> str:
    """Return text of a Windows shell, where a backslash quotes nothing, for a reader that would take it for a quote."""
    return text.replace("\\", "/")


def _expression(call: Call, usage: Usage) -> Stream | None:
    call.note("feeds-interpreter")
    if call.taint & Taint.REMOTE or any(_DOWNLOADS.search(word.text) for word in call.args):
        call.note("remote-code")
    return None


def _destroys(*patterns: str) -> Program:
    """Return a description that denies when the arguments, joined by blanks, match one of the patterns."""
    pattern = re.compile("(?i)" + "|".join(patterns))

    def judge(call: Call, usage: Usage) -> Stream | None:
        call.note("windows-command")
        if pattern.match(" ".join(word.text for word in call.args)):
            call.note("destroys-windows")
        return None

    return program("", "text*", style=Style.NONE, judge=judge)


_REMOVES = program("", "text*", style=Style.NONE, judge=_remove)
_SHELL = program("", "text*", style=Style.NONE, judge=_powershell)
_EXPRESSION = program("", "text*", style=Style.NONE, judge=_expression)
_ALWAYS = _destroys("")

PROGRAMS: dict[str, Program] = {
    **dict.fromkeys("Remove-Item remove-item ri".split(), _REMOVES),
    **dict.fromkeys("powershell powershell.exe pwsh pwsh.exe".split(), _SHELL),
    **dict.fromkeys("iex IEX Invoke-Expression invoke-expression".split(), _EXPRESSION),
    **dict.fromkeys(
        "Set-MpPreference set-mppreference Add-MpPreference".split(), _destroys(r".*-(?:disable[a-z]+|exclusion[a-z]+)")
    ),
    **dict.fromkeys(
        "Stop-Computer stop-computer Restart-Computer restart-computer".split(),
        program("", "text*", style=Style.NONE, rule="halts-machine"),
    ),
    **dict.fromkeys(
        "Format-Volume Clear-Disk Initialize-Disk Remove-Partition format-volume clear-disk".split(), _ALWAYS
    ),
}
