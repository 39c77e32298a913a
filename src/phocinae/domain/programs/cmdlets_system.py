"""PowerShell's cmdlets that change the machine: processes, services, accounts, disks, protections, packages.

Source: PowerShell's help of each cmdlet and module.
"""

from __future__ import annotations

import re
from functools import partial

from ..calls import Call
from ..knowledge import Role
from ..usage import Usage
from ..values import Field, Stream, Taint
from ..windows.parameters import cmdlet
from . import sending
from .cmdlets import EVERY_PROCESS, piped
from .outlines import Descriptions, Judge, Outline, by_hand

_GUARDING = re.compile(
    r"(?i)(?:windefend|wdnissvc|sense|mpssvc|wscsvc|securityhealthservice|eventlog|sysmon\w*|wuauserv|bfe|vss)\Z"
)
_OFF = re.compile(r"(?i)\$?(?:false|0|disabled)\Z")


def does(rule: str) -> Outline:
    """Return an outline of a cmdlet that does the same whatever it is given, save that it is only asked what it would do."""

    def judge(call: Call, _usage: Usage) -> None:
        call.note(rule)

    return by_hand(judge)


def _services(call: Call, usage: Usage) -> None:
    names = usage.values("-name", "-displayname")
    stops = call.name.lower() in ("stop-service", "spsv") or any(
        _OFF.match(field.text) for field in usage.values("-startuptype")
    )
    if stops and any(_GUARDING.match(field.text) for field in names):
        call.note("disables-protection")
    else:
        call.note("changes-system")


def _kills(call: Call, usage: Usage) -> None:
    item = piped(call)
    everything = any(field.text.strip("*\ue002") == "" for field in usage.values("-name", "-processname"))
    if everything or (item is not None and not usage.values("-name", "-id") and item.text == EVERY_PROCESS):
        call.note("kills-everything")
    else:
        call.note("changes-system")


SHADOWS = "shadowcopy"
"""What the class is named of the copies that a system keeps of its files."""


def _instances(call: Call, usage: Usage) -> None:
    item = piped(call)
    named = [field.text for field in usage.values("-query", "-path", "-class")] + (
        [item.text] if item is not None else []
    )
    call.note("destroys-windows" if any(SHADOWS in text.lower() for text in named) else "changes-system")


def _preferences(call: Call, usage: Usage) -> None:
    off = any(
        option.name.startswith(("-disable", "-exclusion")) and not (value is not None and _OFF.match(value.text))
        for option, value in usage.options
    )
    loose = any(
        option.name in ("-puaprotection", "-mapsreporting", "-submitsamplesconsent", "-enablecontrolledfolderaccess")
        and value is not None
        and re.fullmatch(r"(?i)0|disabled|2|neversend", value.text)
        for option, value in usage.options
    )
    call.note("disables-protection" if off or loose else "changes-system")


def _firewall(call: Call, usage: Usage) -> None:
    off = any(_OFF.match(field.text) for field in usage.values("-enabled"))
    call.note("disables-protection" if off else "changes-system")


_SIGNING_IN = re.compile(r"(?i)(?:authorization|[\w-]*(?:token|key|auth|secret|password))[\"']?\s*=")


def _fetches(call: Call, usage: Usage) -> Stream:
    """A table of headers stands in the text as it is written; what is in a variable may be there to sign in."""
    call.note("uses-network")
    addresses = usage.values("-uri")
    near = bool(addresses) and all(map(sending.is_near, addresses)) and not usage.has("-proxy")
    for file in usage.values("-infile"):
        call.read(file, prints=False) if near else call.send(file)
    if not near:
        for body in usage.values("-body", "-form"):
            sending.data(call, body)
        sending.words(call, addresses)
        headers = usage.values("-headers")
        written = [(field, call.walker.source[field.start : field.end]) for field in headers]
        sending.words(call, (field for field, text in written if "@{" in text and not _SIGNING_IN.search(text)))
        if call.stdin.taint & Taint.SECRET:
            call.note("sends-secret")
    downloaded(call, usage.values("-outfile"))
    return Stream(None, (call.taint & ~Taint.SECRET) | Taint.REMOTE)


def downloaded(call: Call, files: list[Field]) -> None:
    """Remember what is written to files, under the names as they are and as Windows compares them."""
    for file in files:
        for name in {file.text, file.text if "\\" in file.text else f".\\{file.text}"}:
            call.wrote(file.with_text(name), Stream(None, Taint.REMOTE))


def _transfers(call: Call, usage: Usage) -> Stream:
    """BITS downloads unless the type of transfer says otherwise."""
    call.note("uses-network")
    if any(value.text.lower().startswith("upload") for value in usage.values("-transfertype")):
        for source in usage.values("-source"):
            call.send(source)
    else:
        downloaded(call, usage.values("-destination"))
    return Stream(None, Taint.REMOTE)


def _mails(call: Call, usage: Usage) -> None:
    call.note("uses-network")
    if call.taint & Taint.SECRET:
        call.note("sends-secret")
    for field in usage.values("-attachments"):
        call.take(Role.SEND, field)


def _changes(spec: str, judge: Judge) -> Outline:
    return partial(cmdlet, spec, judge=judge)


_FETCH = (
    "Uri:network -Method:text -CustomMethod:text -OutFile:write -InFile:text -Headers:text -Body:text -Form:text "
    "-UseBasicParsing -UseDefaultCredentials -TimeoutSec:text -UserAgent:text -ContentType:text -WebSession:text "
    "-SessionVariable:risk -Credential:text -Authentication:text -Token:text -SkipCertificateCheck -MaximumRedirection:text "
    "-PassThru -Proxy:text -MaximumRetryCount:text -RetryIntervalSec:text -Resume -DisableKeepAlive -StatusCodeVariable:risk"
)
_PREFERENCES = " ".join(
    f"-{name}:text"
    for name in (
        "DisableRealtimeMonitoring DisableBehaviorMonitoring DisableIOAVProtection DisableScriptScanning DisableArchiveScanning "
        "DisableBlockAtFirstSeen DisableIntrusionPreventionSystem DisablePrivacyMode DisableEmailScanning "
        "DisableRemovableDriveScanning DisableAutoExclusions DisableCatchupFullScan DisableCatchupQuickScan "
        "ExclusionPath ExclusionExtension ExclusionProcess ExclusionIpAddress PUAProtection MAPSReporting SubmitSamplesConsent "
        "EnableControlledFolderAccess SignatureUpdateInterval ScanScheduleDay AttackSurfaceReductionRules_Ids"
    ).split()
)

PROGRAMS = Descriptions(
    {
        "stop-process": _changes("Id:text -Name:text -ProcessName:text -InputObject:text -Force -PassThru", _kills),
        "stop-service start-service restart-service suspend-service resume-service set-service": _changes(
            "Name:text -DisplayName:text -Force -NoWait -PassThru -InputObject:text -StartupType:text -StartMode:text "
            "-Status:text -Description:text -Include:text -Exclude:text",
            _services,
        ),
        "new-service register-scheduledtask register-scheduledjob set-wmiinstance register-ciminstance": does(
            "starts-by-itself"
        ),
        "new-localuser add-localgroupmember enable-localuser new-aduser add-adgroupmember enable-adaccount "
        "set-adaccountpassword": does("changes-account"),
        "set-localuser remove-localuser disable-localuser remove-localgroupmember new-localgroup": does(
            "changes-system"
        ),
        "set-mppreference add-mppreference remove-mppreference": _changes("-Force " + _PREFERENCES, _preferences),
        "set-netfirewallprofile": _changes(
            "Name:text -Profile:text -All -Enabled:text -DefaultInboundAction:text -DefaultOutboundAction:text",
            _firewall,
        ),
        "disable-bitlocker disable-computerrestore disable-windowserrorreporting": does("disables-protection"),
        "disable-netfirewallrule remove-netfirewallrule new-netfirewallrule set-netfirewallrule enable-netfirewallrule "
        "enable-netadapter disable-netadapter set-dnsclientserveraddress new-netipaddress set-executionpolicy "
        "set-timezone set-date rename-computer add-computer enable-windowsoptionalfeature disable-windowsoptionalfeature "
        "enable-psremoting disable-scheduledtask enable-scheduledtask unregister-scheduledtask start-scheduledtask "
        "stop-scheduledtask set-scheduledtask checkpoint-computer": does("changes-system"),
        "remove-wmiobject remove-ciminstance": _changes(
            "InputObject:text -Query:text -Path:text -Class:text", _instances
        ),
        "clear-eventlog remove-eventlog": does("hides-traces"),
        "limit-eventlog": does("changes-system"),
        "clear-history": does("changes-shell"),
        "stop-computer restart-computer": does("halts-machine"),
        "format-volume clear-disk initialize-disk remove-partition reset-physicaldisk": does("format-device"),
        "set-disk new-partition resize-partition set-partition mount-diskimage dismount-diskimage new-psdrive "
        "remove-psdrive": does("changes-system"),
        "invoke-webrequest invoke-restmethod": _changes(_FETCH, _fetches),
        "start-bitstransfer": _changes(
            "Source:network Destination:write -Asynchronous -TransferType:text -DisplayName:text -Priority:text",
            _transfers,
        ),
        "test-connection test-netconnection resolve-dnsname": does("uses-network"),
        "send-mailmessage": _changes(
            "To:text Subject:text Body:text SmtpServer:network -From:text -Attachments:text -Port:text -UseSsl "
            "-Credential:text -BodyAsHtml -Cc:text -Bcc:text",
            _mails,
        ),
        "install-module install-package install-script update-module update-script install-packageprovider "
        "uninstall-module uninstall-package install-windowsfeature uninstall-windowsfeature save-module "
        "add-windowscapability add-appxpackage remove-appxpackage install-psresource": does("installs"),
        "get-clipboard get-credential get-variable get-history get-bitlockervolume": does("prints-secret"),
    }
)
