"""PowerShell's commands that only look, and the plainest of those that change files, in the form of one command.

A script block, a calculated property or a variable of PowerShell is read by no shell that this
gate knows, so that a word with one is never harmless.

Source: PowerShell's help of each cmdlet, about_CommonParameters, about_Environment_Provider.
"""

from __future__ import annotations

import re
from functools import partial

from .. import secrets
from ..calls import Call
from ..knowledge import Role, Style, program
from ..usage import Usage
from ..values import HOLE, SPLIT, Field, Stream, Taint
from ..variables import SECRET_NAME
from .judging import distinct, words
from .outlines import Descriptions, Judge, Outline

_COMMON = (
    "-Verbose -Debug -ErrorAction:text -EA:text -WarningAction:text -InformationAction:text -ErrorVariable:text "
    "-OutVariable:text -OutBuffer:text "
)
_PATHS = "-Path:path -LiteralPath:path -Filter:text -Include:text -Exclude:text -Force "
_ITEM = _PATHS + _COMMON
_LIST = _ITEM + (
    "-Recurse -Depth:text -Name -File -Directory -Hidden -ReadOnly -System -Attributes:text -FollowSymlink -s "
)
_SELECT = (
    "-Property:text -ExcludeProperty:text -ExpandProperty:text -First:text -Last:text -Skip:text -SkipLast:text "
    "-Unique -Index:text -Wait -CaseInsensitive " + _COMMON
)
_WHERE = (
    "-Property:text -Value:text -EQ -NE -GT -LT -GE -LE -Like -NotLike -Match -NotMatch -Contains -NotContains "
    "-In -NotIn -CEQ -CNE -CLike -CMatch -Is -IsNot -Not " + _COMMON
)
_SHOW = (
    "-Property:text -AutoSize -HideTableHeaders -Wrap -GroupBy:text -View:text -Expand:text -Force "
    "-Column:text " + _COMMON
)
_STRING = (
    "-Path:text -LiteralPath:text -Pattern:text -SimpleMatch -CaseSensitive -Quiet -List -NoEmphasis "
    "-Include:text -Exclude:text -NotMatch -AllMatches -Encoding:text -Context:text -Raw -Culture:text " + _COMMON
)
_PARAMETER = re.compile(r"-[A-Za-z]")
_CODE = re.compile(r"[{}@`;]|\$\(")
_FOLDER_OF_SECRETS = re.compile(r"(?i)\.(?:ssh|aws|kube|docker|gnupg|azure|env)(?![a-z]*\.example)")


def _ordered(spec: str, judge: Judge, call: Call, _usage: Usage) -> Stream | None:
    """Judge a cmdlet, whose parameters may stand anywhere and in any case, as one with its parameters in front."""
    known = program(spec.lower(), style=Style.LONG, safe_options=True, judge=judge)
    front: list[Field] = []
    operands: list[Field] = []
    rest = list(call.args)
    while rest:
        word = rest.pop(0)
        if not _PARAMETER.match(word.text):
            if word.may_be_option and not word.globbed:
                call.note("unclear-word", word)
            operands.append(word)
            continue
        front.append(word.with_text(word.text.lower()))
        option = known.options.get(word.text.lower())
        if option is not None and option.role is not None and rest:
            front.append(rest.pop(0))
            if front[-1].many:
                call.note("unclear-word", front[-1])
    return call.described(known, [*front, call.word.with_text("--"), *operands])


def _cmdlet(spec: str, judge: Judge | None = None) -> Outline:
    return lambda: words(partial(_ordered, spec, judge or _looks))


def _harmless_words(call: Call) -> None:
    """Keep a hit on words that hold code, and on variables of the environment."""
    for word in call.args:
        if _CODE.search(word.text):
            call.note("windows-command")
        _environment(call, word)


def _environment(call: Call, word: Field) -> None:
    """Weigh ``env:NAME`` and ``$env:NAME``, of which a POSIX shell leaves ``:NAME``."""
    drive, colon, name = word.text.partition(":")
    if not colon or not (drive.lower() == "env" or (drive and set(drive) <= {HOLE, SPLIT})):
        return
    name = name.lstrip("\\/")
    if not name or "*" in name or Field(name).static is None or SECRET_NAME.search(name.upper()):
        call.note("prints-secret", word)
        call.taint |= Taint.SECRET


def _read(call: Call, field: Field, *, prints: bool) -> None:
    """Weigh that a file is read, whose path may have lost its backslashes."""
    path = field.text.replace("\\", "/")
    lost = field.end - field.start != len(field.text) and len(path) <= 255
    if lost and (
        _FOLDER_OF_SECRETS.search(path)
        or any(secrets.is_secret(path[at:]) for at in range(len(path)) if path[at] != "/")
    ):
        call.note("reads-secret", field)
        call.taint |= Taint.SECRET
        return
    call.read(field.with_text(path), prints=prints)


def _looks(call: Call, _usage: Usage) -> Stream | None:
    _harmless_words(call)
    return None


def _short_list(call: Call, usage: Usage) -> Stream | None:
    """Judge gci, which is also the name of a tool with subcommands."""
    for field in usage.operands:
        if len(usage.operands) > 1 or (not re.search(r"[./\\~:*]", field.text) and not field.globbed):
            call.note("not-harmless", field)
    return _looks(call, usage)


def _content(call: Call, usage: Usage) -> Stream | None:
    _harmless_words(call)
    for field in distinct([*usage.operands, *usage.values("-path", "-literalpath")]):
        if call.name == "gc" and "." not in field.text:  # elsewhere a short name for committing
            call.note("not-harmless", field)
        if not field.text.lower().startswith("env:"):
            _read(call, field, prints=True)
    return None


def _matches(call: Call, usage: Usage) -> Stream | None:
    _harmless_words(call)
    named = usage.values("-path", "-literalpath")
    operands = list(usage.operands)
    if not usage.has("-pattern"):
        operands = operands[1:]
    for field in distinct([*named, *operands]):
        _read(call, field, prints=False)
    return None


def _writer(*names: str) -> Outline:
    """Return an outline of a cmdlet that writes to the paths of these parameters or to its first operand."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        call.note("windows-command")
        for field in usage.values(*names) or list(usage.operands[:1]):
            call.take(Role.WRITE, field.with_text(field.text.replace("\\", "/")))
        return None

    return _cmdlet(_FILES, judge)


def _copies(call: Call, usage: Usage) -> Stream | None:
    call.note("windows-command")
    for field in usage.values("-destination") or list(usage.operands[1:2]):
        call.take(Role.WRITE, field.with_text(field.text.replace("\\", "/")))
    return None


def _fetches(call: Call, usage: Usage) -> Stream:
    call.note("uses-network")
    return Stream(None, call.taint | Taint.REMOTE)


_FILES = (
    "-Path:text -LiteralPath:text -FilePath:text -Destination:text -Value:text -ItemType:text -Type:text "
    "-Name:text -NewName:text "
    "-Force -Recurse -Encoding:text -Append -NoNewline -NoClobber -InputObject:text -Filter:text "
    "-Include:text -Exclude:text "
    "-PassThru -Width:text " + _COMMON
)
_FETCH = (
    "-Uri:network -OutFile:write -Method:text -Headers:text -Body:text -UseBasicParsing -TimeoutSec:text "
    "-UserAgent:text "
    "-ContentType:text -InFile:send -Source:network -Destination:write " + _COMMON
)

PROGRAMS = Descriptions(
    {
        "Get-ChildItem get-childitem": _cmdlet(_LIST),
        "gci": _cmdlet(_LIST, _short_list),
        "Get-Content get-content gc": _cmdlet(
            _ITEM + "-Raw -TotalCount:text -Head:text -First:text -Tail:text -Last:text -Wait -Encoding:text "
            "-Delimiter:text -ReadCount:text -Stream:text ",
            _content,
        ),
        "Get-Location get-location": _cmdlet("-Stack -PSProvider:text -PSDrive:text " + _COMMON),
        "Select-String select-string": _cmdlet(_STRING, _matches),
        "Get-Process get-process": _cmdlet(
            "-Name:text -Id:text -ComputerName:text -Module -FileVersionInfo -IncludeUserName " + _COMMON
        ),
        "Get-Item get-item Get-ItemProperty get-itemproperty Get-ItemPropertyValue get-itempropertyvalue": _cmdlet(
            _ITEM + "-Name:text -Stream:text "
        ),
        "Test-Path test-path Resolve-Path resolve-path Convert-Path convert-path": _cmdlet(
            _ITEM + "-PathType:text -IsValid -NewerThan:text -OlderThan:text -Relative "
        ),
        "Split-Path split-path Join-Path join-path": _cmdlet(
            "-Path:text -LiteralPath:text -ChildPath:text -AdditionalChildPath:text -Leaf -LeafBase -Parent "
            "-Extension -Qualifier -NoQualifier -Resolve -IsAbsolute " + _COMMON
        ),
        "Measure-Object measure-object": _cmdlet(
            "-Property:text -Sum -Average -Maximum -Minimum -StandardDeviation -AllStats -Line -Word "
            "-Character -IgnoreWhiteSpace " + _COMMON
        ),
        "Sort-Object sort-object Get-Unique get-unique Group-Object group-object": _cmdlet(
            "-Property:text -Descending -Unique -CaseSensitive -Culture:text -Top:text -Bottom:text -Stable "
            "-NoElement -AsHashTable -AsString -OnType " + _COMMON
        ),
        "Select-Object select-object": _cmdlet(_SELECT),
        "Where-Object where-object": _cmdlet(_WHERE),
        "Format-Table format-table Format-List format-list Format-Wide format-wide": _cmdlet(_SHOW),
        "Out-String out-string Out-Null out-null Out-Host out-host Out-Default out-default": _cmdlet(
            "-Width:text -Stream -NoNewline -Paging " + _COMMON
        ),
        "Write-Output write-output Write-Host write-host Write-Error write-error Write-Warning write-warning "
        "Write-Verbose write-verbose Write-Information write-information": _cmdlet(
            "-InputObject:text -Object:text -Message:text -NoEnumerate -NoNewline -Separator:text "
            "-ForegroundColor:text -BackgroundColor:text " + _COMMON
        ),
        "Get-Date get-date": _cmdlet(
            "-Date:text -Format:text -UFormat:text -UnixTimeSeconds:text -AsUTC -Year:text -Month:text "
            "-Day:text -Hour:text -Minute:text -Second:text -DisplayHint:text " + _COMMON
        ),
        "Get-Help get-help Get-Command get-command Get-Alias get-alias Get-Module get-module Get-Member "
        "get-member": _cmdlet(
            "-Name:text -Full -Examples -Detailed -Parameter:text -Category:text -Module:text -Noun:text "
            "-Verb:text -CommandType:text -Syntax -All -ListAvailable -ListImported -MemberType:text -Force "
            "-Definition:text -Static -TotalCount:text " + _COMMON
        ),
        "Get-Host get-host Get-Culture get-culture Get-TimeZone get-timezone Get-UICulture get-uiculture "
        "Get-Uptime get-uptime": _cmdlet(_COMMON),
        "Get-PSDrive get-psdrive Get-PSProvider get-psprovider Get-Volume get-volume Get-Disk get-disk": _cmdlet(
            "-Name:text -PSProvider:text -Scope:text -DriveLetter:text -Number:text " + _COMMON
        ),
        "Get-Service get-service Get-HotFix get-hotfix Get-ComputerInfo get-computerinfo": _cmdlet(
            "-Name:text -DisplayName:text -Id:text -Property:text -Include:text -Exclude:text "
            "-DependentServices -RequiredServices " + _COMMON
        ),
        "Import-Csv import-csv": _cmdlet(
            "-Path:text -LiteralPath:text -Delimiter:text -Header:text -Encoding:text " + _COMMON, _content
        ),
        "Get-FileHash get-filehash": _cmdlet("-Path:text -LiteralPath:text -Algorithm:text " + _COMMON),
        "Compare-Object compare-object": _cmdlet(
            "-ReferenceObject:text -DifferenceObject:text -Property:text -IncludeEqual -ExcludeDifferent "
            "-PassThru -SyncWindow:text -CaseSensitive " + _COMMON
        ),
        "ConvertTo-Json convertto-json ConvertFrom-Json convertfrom-json ConvertTo-Csv convertto-csv "
        "ConvertFrom-Csv convertfrom-csv": _cmdlet(
            "-InputObject:text -Depth:text -Compress -AsArray -AsHashtable -Delimiter:text -Header:text "
            "-NoTypeInformation " + _COMMON
        ),
        "New-Item new-item ni Set-Content set-content Add-Content add-content Clear-Content clear-content": _writer(
            "-path", "-literalpath"
        ),
        "Out-File out-file Tee-Object tee-object": _writer("-filepath", "-path", "-literalpath"),
        "Set-Item set-item Set-ItemProperty set-itemproperty New-ItemProperty new-itemproperty Rename-Item "
        "rename-item": _writer("-path", "-literalpath"),
        "Copy-Item copy-item Move-Item move-item": _cmdlet(_FILES, _copies),
        "Invoke-WebRequest invoke-webrequest iwr Invoke-RestMethod invoke-restmethod irm Start-BitsTransfer "
        "start-bitstransfer": _cmdlet(_FETCH, _fetches),
    }
)
