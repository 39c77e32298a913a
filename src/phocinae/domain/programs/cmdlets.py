"""PowerShell's cmdlets that only look, and those that pass on, sort or show what others print.

Source: PowerShell's help of each cmdlet; about_Environment_Provider, about_Registry_Provider.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from .. import places, programs, secrets
from ..calls import Call
from ..knowledge import Role
from ..usage import Usage
from ..values import HOLE, STAR, UNKNOWN_STREAM, Field, Stream, Taint, one_item
from ..variables import SECRET_NAME
from ..windows.parameters import cmdlet, drive_of, is_unknown, path
from .judging import narrowed, scan
from .outlines import Descriptions, Judge, Outline
from .windows_tools import EVERY_LINE, show

_ITEM = "-LiteralPath:path -PSPath:path -LP:path -Filter:text -Include:text -Exclude:text -Force -Credential:risk "
_WHERE = (
    "-FilterScript:text -InputObject:text -EQ -NE -GT -LT -GE -LE -Like -NotLike -Match -NotMatch -Contains -NotContains "
    "-In -NotIn -IEQ -INE -IGT -ILT -IGE -ILE -ILike -INotLike -IMatch -INotMatch -CEQ -CNE -CGT -CLT -CGE -CLE -CLike "
    "-CNotLike -CMatch -CNotMatch -Is -IsNot -Not"
)


_SHARE = re.compile(r"(?i)(?:[\w.\\]+::)?[\\/]{2}[^\\/?.]")
"""A path on another machine, which is told who the user is."""


def drives(call: Call, usage: Usage) -> None:
    """Weigh paths that are none of the file system: the environment shows its secrets, the rest is only looked at."""
    for option, field in usage.options:
        if field is not None:
            environment(call, field)
            _registry(call, usage, field)
            if option.role is not Role.TEXT and _SHARE.match(field.text):
                call.note("uses-network", field)


def environment(call: Call, field: Field) -> None:
    """Weigh ``env:NAME`` and ``variable:NAME``; what the variables of the shell hold is not known."""
    drive = drive_of(field)
    if drive is None or drive[0] not in ("env", "variable"):
        return
    name = drive[1]
    if drive[0] == "variable":
        shown = call.name.lower() not in ("test-path", "resolve-path")
    else:
        shown = not name or Field(name).static is None or SECRET_NAME.search(name.upper()) is not None
    if shown:
        call.note("prints-secret", field)
        call.taint |= Taint.SECRET


def _registry(call: Call, usage: Usage, field: Field) -> None:
    """Weigh a key of the registry; those of a whole hive are listed with their values."""
    drive = drive_of(field)
    if drive is None or not drive[0].startswith(("hk", "registry")):
        return
    if call.name.lower() in ("test-path", "resolve-path"):
        return
    from .windows_system import shows_secret

    whole = call.name.lower() == "get-childitem" and not drive[1].strip("\\/*" + STAR)
    if whole or shows_secret(f"\\{drive[1]}", usage.values("-name")):
        call.note("prints-secret", field)
        call.taint |= Taint.SECRET


def looks(spec: str = "", judge: Judge | None = None, **rest: Any) -> Outline:
    """Return an outline of a cmdlet that changes nothing."""

    def judged(call: Call, usage: Usage) -> Stream | None:
        drives(call, usage)
        return judge(call, usage) if judge is not None else None

    return partial(cmdlet, spec, judge=judged, **rest)


def piped(call: Call) -> Field | None:
    """Return what a cmdlet gets from the pipeline as the value of a parameter, if it stands in one."""
    if call.stdin is UNKNOWN_STREAM:
        return None
    return Field(one_item(call.stdin), call.word.start, call.word.end, call.stdin.taint)


def paths(call: Call, usage: Usage) -> list[Field]:
    """Return the paths that a cmdlet is given, or else those that come through the pipeline."""
    found = usage.values("-path", "-literalpath", "-pspath", "-lp", "-filepath")
    if not found and (item := piped(call)) is not None:
        found = [path(item)]
    return found


def _children(call: Call, usage: Usage) -> Stream:
    found = paths(call, usage)
    if len(found) == 1 and (found[0].globbed or secrets.is_secret(places.resolve(found[0].text, call.state.cwd))):
        return Stream(None, call.taint, found[0].text)
    if len(found) > 1:
        return Stream(None, call.taint, HOLE)
    folder = found[0].text.rstrip("/\\") + "/" if found else ""
    if not folder.strip("/.\\"):
        folder = "/" if found and found[0].text[:1] in ("/", "\\") else folder.lstrip("/")
    kept = [field.text for field in usage.values("-filter", "-include")]
    item = folder + (path(Field(kept[0])).text if len(kept) == 1 else STAR)
    if usage.has("-file", "-hidden", "-attributes", "-exclude") or len(kept) > 1:
        item += HOLE
    return Stream(None, call.taint, item)


def _item(call: Call, usage: Usage) -> Stream | None:
    found = paths(call, usage)
    if len(found) != 1 or found[0].globbed:
        return Stream(None, call.taint, found[0].text if len(found) == 1 else HOLE)
    return Stream(found[0].text, call.taint, found[0].text)


def _content(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-path", "-literalpath", "-pspath", "-lp") and (item := piped(call)) is not None:
        call.take(Role.READ, path(item))
    return None


EVERY_PROCESS = STAR
"""What stands for each item of a list of processes that leaves none out."""


def _processes(call: Call, usage: Usage) -> Stream:
    named = usage.has("-name", "-id", "-processname", "-inputobject")
    return Stream(None, call.taint, HOLE if named else EVERY_PROCESS)


def _instances(call: Call, usage: Usage) -> Stream:
    named = usage.values("-classname", "-class")
    if any("environment" in field.text.lower() for _, field in usage.options if field is not None):
        call.note("prints-secret")
        call.taint |= Taint.SECRET
    return Stream(None, call.taint, named[0].text if len(named) == 1 else HOLE)


def _matches(call: Call, usage: Usage) -> Stream | None:
    """Weigh files that are searched; a search for every line prints them."""
    every_line = usage.has("-notmatch") or any(field.text in EVERY_LINE for field in usage.values("-pattern"))
    weigh = show if every_line else scan
    if not usage.has("-path", "-literalpath", "-pspath", "-lp"):
        item = piped(call)
        if item is not None and not is_unknown(item):  # files that are listed are searched
            weigh(call, path(item))
    for field in usage.values("-path", "-literalpath", "-pspath", "-lp"):
        weigh(call, field)
    return None


def _passes(call: Call, _usage: Usage) -> Stream:
    return Stream(call.stdin.text, call.taint, call.stdin.item)


def _selects(call: Call, usage: Usage) -> Stream:
    if usage.has("-expandproperty", "-property") and not usage.has("-first", "-last", "-skip"):
        return Stream(None, call.taint, call.stdin.item)
    return Stream(None, call.taint, narrowed(call.stdin.item))


def _filters(call: Call, _usage: Usage) -> Stream:
    return Stream(None, call.taint, narrowed(call.stdin.item))


def _says(call: Call, usage: Usage) -> Stream:
    values = usage.values("-inputobject", "-object", "-message", "-messagedata")
    if not values:
        return Stream(call.stdin.text, call.taint, call.stdin.item)
    return Stream("\n".join(field.text for field in values) + "\n", call.taint)


def _nothing(call: Call, _usage: Usage) -> Stream:
    return Stream("", call.taint)


def _joins(call: Call, usage: Usage) -> Stream | None:
    pieces = [field.text for field in usage.values("-path", "-childpath", "-additionalchildpath")]
    if len(pieces) < 2:
        return None
    text = "/".join(piece.rstrip("/\\") if place == 0 else piece.strip("/\\") for place, piece in enumerate(pieces))
    return Stream(text, call.taint, text)


def _each(call: Call, usage: Usage) -> Stream:
    """ForEach-Object: blocks are judged where they stand; the name of a member may be that of a method."""
    from .dotnet import is_harmless_member

    for field in usage.values("-process", "-membername"):
        if "{" not in field.text and not (field.static and is_harmless_member(field.text)):
            call.note("not-harmless", field)
    return Stream(None, call.taint)


def _enters(call: Call, usage: Usage) -> Stream | None:
    known = programs.find("cd")
    for field in paths(call, usage)[:1]:
        outside = drive_of(field) is not None
        target = field.with_text(HOLE) if outside else field
        return call.described(known, [target]) if known is not None else None
    return None


_SHOWS = "Property:text -AutoSize -HideTableHeaders -Wrap -GroupBy:text -View:text -Expand:text -Force -InputObject:text -ShowError -DisplayError -Column:text -RepeatHeader"
_SAYS = "-NoNewline -Separator:text -ForegroundColor:text -BackgroundColor:text -NoEnumerate -Tags:text"
_CIM = "ClassName:text -Class:text -Filter:text -Property:text -Namespace:text -Query:text -KeyOnly -ComputerName:risk -CimSession:risk -Credential:risk -List"

PROGRAMS = Descriptions(
    {
        "get-childitem": looks(
            "Path:path Filter:text -Recurse -Depth:text -Name -File -Directory -Hidden -ReadOnly -System -Attributes:text "
            "-FollowSymlink -s -r -ad -af -ah -ar -as -CodeSigningCert " + _ITEM.replace("-Filter:text", ""),
            _children,
        ),
        "get-content": looks(
            "Path:read -LiteralPath:read -PSPath:read -LP:read -Raw -TotalCount:text -Head:text -First:text -Tail:text "
            "-Last:text -Wait -Encoding:text -Delimiter:text -ReadCount:text -Stream:text -AsByteStream -Filter:text "
            "-Include:text -Exclude:text -Force -Credential:risk",
            _content,
        ),
        "get-location": looks("-Stack -PSProvider:text -PSDrive:text -StackName:text"),
        "select-string": looks(
            "Pattern:text Path:path -LiteralPath:path -PSPath:path -LP:path -InputObject:text -SimpleMatch -CaseSensitive "
            "-Quiet -List -NoEmphasis -Include:text -Exclude:text -NotMatch -AllMatches -Encoding:text -Context:text -Raw "
            "-Culture:text",
            _matches,
        ),
        "get-item": looks("Path:path -Stream:text " + _ITEM, _item),
        "get-itemproperty": looks("Path:path Name:text -PSProperty:text " + _ITEM),
        "get-itempropertyvalue": looks("Path:path Name:text " + _ITEM),
        "test-path": looks("Path:path -PathType:text -Type:text -IsValid -NewerThan:text -OlderThan:text " + _ITEM),
        "resolve-path convert-path": looks("Path:path -Relative -RelativeBasePath:path " + _ITEM, _item),
        "split-path": looks(
            "Path:text -LiteralPath:text -Leaf -LeafBase -Parent -Extension -Qualifier -NoQualifier -Resolve -IsAbsolute"
        ),
        "join-path": looks("Path:text ChildPath:text AdditionalChildPath:text -Resolve -Credential:risk", _joins),
        "get-process": looks(
            "Name:text -Id:text -ProcessName:text -Module -FileVersionInfo -IncludeUserName -InputObject:text -ComputerName:risk",
            _processes,
        ),
        "get-service": looks(
            "Name:text -DisplayName:text -DependentServices -RequiredServices -Include:text -Exclude:text -InputObject:text -ComputerName:risk"
        ),
        "measure-object": looks(
            "Property:text -Sum -Average -Maximum -Minimum -StandardDeviation -AllStats -Line -Word -Character "
            "-IgnoreWhiteSpace -InputObject:text"
        ),
        "measure-command": looks("Expression:text -InputObject:text"),
        "sort-object": looks(
            "Property:text -Descending -Unique -CaseSensitive -Culture:text -Top:text -Bottom:text -Stable -InputObject:text",
            _passes,
        ),
        "group-object": looks(
            "Property:text -NoElement -AsHashTable -AsString -CaseSensitive -Culture:text -InputObject:text"
        ),
        "get-unique": looks("-AsString -OnType -CaseInsensitive -InputObject:text", _passes),
        "select-object": looks(
            "Property:text -ExcludeProperty:text -ExpandProperty:text -First:text -Last:text -Skip:text -SkipLast:text "
            "-Unique -Index:text -SkipIndex:text -Wait -CaseInsensitive -InputObject:text",
            _selects,
        ),
        "where-object": looks("Property:text Value:text " + _WHERE, _filters),
        "foreach-object": looks(
            "Process:text -Begin:text -End:text -RemainingScripts:text -MemberName:text -ArgumentList:text -InputObject:text "
            "-Parallel:text -ThrottleLimit:text -TimeoutSeconds:text -AsJob",
            _each,
        ),
        "format-table format-list format-wide format-custom": looks(_SHOWS),
        "out-string out-host out-default": looks("-Width:text -Stream -NoNewline -Paging -InputObject:text", _passes),
        "out-null": looks("-InputObject:text", _nothing),
        "write-output": looks("InputObject:text " + _SAYS, _says),
        "write-host": looks("Object:text " + _SAYS, _nothing),
        "write-error write-warning write-verbose write-debug": looks(
            "Message:text -ErrorId:text -Category:text -Exception:text -CategoryActivity:text -TargetObject:text",
            _nothing,
        ),
        "write-information": looks("MessageData:text " + _SAYS, _nothing),
        "write-progress": looks("Activity:text Status:text Id:text -PercentComplete:text -Completed", _nothing),
        "get-date": looks(
            "Date:text -Format:text -UFormat:text -UnixTimeSeconds:text -AsUTC -Year:text -Month:text -Day:text -Hour:text "
            "-Minute:text -Second:text -Millisecond:text -DisplayHint:text"
        ),
        "new-timespan": looks("Start:text End:text -Days:text -Hours:text -Minutes:text -Seconds:text"),
        "get-random": looks("Maximum:text -Minimum:text -InputObject:text -Count:text -SetSeed:text -Shuffle"),
        "new-guid get-host get-culture get-uiculture get-uptime get-verb get-pscallstack clear-host get-executionpolicy": looks(
            "-Scope:text -List -Since"
        ),
        "get-timezone": looks("Name:text -Id:text -ListAvailable"),
        "get-help": looks(
            "Name:text -Full -Examples -Detailed -Parameter:text -Category:text -Component:text -Functionality:text -Role:text"
        ),
        "get-command": looks(
            "Name:text -Module:text -Noun:text -Verb:text -CommandType:text -Type:text -Syntax -All -ListImported "
            "-TotalCount:text -ParameterName:text -ShowCommandInfo -UseFuzzyMatching"
        ),
        "get-alias": looks("Name:text -Definition:text -Exclude:text -Scope:text"),
        "get-module": looks("Name:text -ListAvailable -All -Refresh -FullyQualifiedName:text -PSEdition:text"),
        "get-member": looks("Name:text -MemberType:text -Type:text -Static -View:text -Force -InputObject:text"),
        "get-psdrive": looks("Name:text -LiteralName:text -PSProvider:text -Scope:text"),
        "get-psprovider": looks("PSProvider:text"),
        "get-volume get-disk get-partition get-physicaldisk": looks(
            "-DriveLetter:text -Number:text -DiskNumber:text -FriendlyName:text -FileSystemLabel:text"
        ),
        "get-hotfix": looks("Id:text -Description:text"),
        "get-computerinfo": looks("Property:text"),
        "get-ciminstance get-wmiobject get-cimclass": looks(_CIM, _instances),
        "get-netipaddress get-netipconfiguration get-netadapter get-nettcpconnection get-netudpendpoint get-netroute "
        "get-dnsclientserveraddress get-netfirewallprofile get-netfirewallrule get-dnsclientcache get-netneighbor": looks(
            "Name:text -IPAddress:text -InterfaceAlias:text -InterfaceIndex:text -AddressFamily:text -State:text "
            "-LocalPort:text -RemotePort:text -LocalAddress:text -RemoteAddress:text -OwningProcess:text -DisplayName:text "
            "-Enabled:text -Direction:text -Action:text -Profile:text -Physical -All -Detailed"
        ),
        "get-localuser get-localgroup get-localgroupmember": looks("Name:text -Group:text -Member:text -SID:text"),
        "get-scheduledtask get-scheduledtaskinfo": looks("TaskName:text TaskPath:text"),
        "get-job": looks("Id:text -Name:text -State:text -Newest:text"),
        "get-eventlog": looks(
            "LogName:text -List -Newest:text -EntryType:text -Source:text -After:text -Before:text -InstanceId:text"
        ),
        "get-winevent": looks(
            "LogName:text -MaxEvents:text -FilterHashtable:text -FilterXPath:text -ListLog:text -ProviderName:text -Oldest"
        ),
        "get-mpcomputerstatus get-mppreference": looks(),
        "get-package get-installedmodule get-packageprovider": looks("Name:text -ProviderName:text -AllVersions"),
        "get-acl": looks("Path:path -Audit -AllCentralAccessPolicies " + _ITEM),
        "import-csv": looks(
            "Path:read Delimiter:text -LiteralPath:read -Header:text -Encoding:text -UseCulture", _content
        ),
        "get-filehash": looks("Path:scan Algorithm:text -LiteralPath:scan"),
        "compare-object": looks(
            "ReferenceObject:text DifferenceObject:text -Property:text -IncludeEqual -ExcludeDifferent -PassThru "
            "-SyncWindow:text -CaseSensitive -Culture:text"
        ),
        "convertto-json convertfrom-json convertto-csv convertfrom-csv convertto-html convertto-xml convertfrom-stringdata": looks(
            "InputObject:text -Depth:text -Compress -EnumsAsStrings -AsArray -AsHashtable -Delimiter:text -Header:text "
            "-NoTypeInformation -UseQuotes:text -Property:text -As:text -Fragment -Title:text -NoEnumerate -Escape:text"
        ),
        "set-location push-location": looks("Path:path -LiteralPath:path -PassThru -StackName:text", _enters),
        "pop-location": looks("-PassThru -StackName:text", lambda call, _usage: _leaves(call)),
        "start-sleep": looks("Seconds:text -Milliseconds:text -Duration:text", _nothing),
        "wait-process": looks("Name:text -Id:text -Timeout:text -InputObject:text", _nothing),
    }
)


def _leaves(call: Call) -> None:
    call.state.cwd = HOLE
