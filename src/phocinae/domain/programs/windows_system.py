"""Services, accounts, the registry and other settings of Windows: who only looks, and who changes what.

Sources: the Windows command reference, pages of the programs.
"""

from __future__ import annotations

import re

from ..assignments import of_gate
from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import STAR, Field, Stream, Taint
from ..variables import SECRET_NAME
from .outlines import Descriptions, Outline, by_hand, group
from .windows_files import switched

PROTECTIONS = re.compile(
    r"(?i)(?:windefend|wdnissvc|wdfilter|wdboot|sense|securityhealthservice|wscsvc|mpssvc|bfe|eventlog|sysmon(?:64)?|msmpeng"
    r"|mssense|mpcmdrun|vss|sdrsvc|wbengine|samss|cylance\w*|csfalcon\w*|sentinel\w*|carbonblack\w*|ekrn|avp)(?:\.exe)?\Z"
)
"""Services and processes that protect the system or what is stored on it."""

_HIVE = re.compile(
    r"(?i)(?:\\\\[^\\]+\\)?(?:(?P<machine>hklm|hkey_local_machine|hkcr|hkey_classes_root|hku|hkey_users|hkcc"
    r"|hkey_current_config)|(?P<user>hkcu|hkey_current_user)):?[\\/]*(?P<below>.*)\Z",
    re.S,
)
_STARTS = re.compile(
    r"(?i).*(?:currentversion[\\/]*(?:run(?:once(?:ex)?|services(?:once)?)?(?:[\\/].*)?|policies[\\/]*explorer[\\/]*run"
    r"|winlogon(?:[\\/].*)?|image file execution options(?:[\\/].*)?|silentprocessexit.*|windows)|command processor"
    r"|currentcontrolset[\\/]*services[\\/].*|active setup[\\/].*|shell[\\/]*open[\\/]*command)\Z",
    re.S,
)
"""Keys whose values are run when the system, a session or a program starts."""
_GUARDS = re.compile(
    r"(?i).*(?:windows defender|windows advanced threat|securityhealth|amsi|policies[\\/]*system|deviceguard|control[\\/]*lsa"
    r"|windowsfirewall|firewallpolicy|safer|applocker|srpv2|wintrust|smartscreen|windowsupdate|systemrestore)",
    re.S,
)
"""Keys of what protects the system."""
_SECRET_KEYS = re.compile(
    r"(?i).*(?:[\\/](?:sam|security|lsa|winlogon|winvnc\d*|sessions|credentials|environment)(?:[\\/].*)?)\Z", re.S
)


_REMOTE = re.compile(r"(?i)/(?:r|remote|server):")
"""Switches by which a program asks another machine."""


def always(rule: str) -> Outline:
    """Return an outline of what has this effect whatever its words."""

    def judge(call: Call, _usage: Usage) -> None:
        if [word.text for word in call.args] != ["/?"]:
            call.note(rule)

    return by_hand(judge)


def verbs(
    looking: str, denied: str = "", rule: str = "destroys-windows", otherwise: str = "windows-command"
) -> Outline:
    """Return an outline of a program whose first words say what it does; both kinds of verbs are patterns."""
    shows, ends = re.compile(rf"(?i)(?:{looking})(?:\s|\Z)"), re.compile(rf"(?i)(?:{denied})")

    def judge(call: Call, _usage: Usage) -> None:
        text = in_words(call)
        if denied and ends.match(text):
            call.note(rule)
        elif not shows.match(text) or any(word.unknown for word in call.args):
            call.note(otherwise)
        for word in call.args:
            if _REMOTE.match(word.text):
                call.note("uses-network", word)

    return by_hand(judge)


def in_words(call: Call) -> str:
    """Return the arguments of a call joined by blanks."""
    return " ".join(word.text for word in call.args)


# --- registry


_TOPS = frozenset(["software", "environment", "system", "control panel", "software\\microsoft"])
"""Keys of a user on which everything hangs; a POSIX shell glues the first ones to the name of the hive."""
_LOST = re.compile(r"software(?=[a-z0-9])")
_OWNERS = ("microsoft", "classes", "clients", "policies", "registeredapplications", "odbc")
"""Keys below ``HKLM\\Software`` that do not belong to one program."""


def _deletes_key(call: Call, usage: Usage) -> None:
    for field in usage.operands[:1]:
        hive = _HIVE.match(field.text.strip('"'))
        if hive is not None and (_is_precious(hive) or _GUARDS.match(field.text)):
            call.note("destroys-windows")
        else:
            call.note("changes-system")
    if not usage.operands:
        call.note("changes-system")


def _is_precious(hive: re.Match[str]) -> bool:
    """Return whether a key belongs to the system or to a whole hive, and not to one program."""
    below = _LOST.sub(r"software\\", hive["below"].lower())
    parts = [part for part in re.split(r"[\\/]+", below) if part]
    if hive["machine"]:
        owner = [part for part in parts if part != "wow6432node"][1:2]
        return parts[:1] != ["software"] or not owner or owner[0].startswith(_OWNERS)
    return not parts or below in _TOPS or (len(parts) == 1 and below[-1] in "\\/")


_RUN_VALUES = ("userinitmprlogonscript", "appinit_dlls", "load", "autorun")
"""Values that are run whatever else stands in their key."""


def _adds_key(call: Call, usage: Usage) -> None:
    call.note("changes-system")
    for field in usage.operands[:1]:
        hive = _HIVE.match(field.text.strip('"'))
        runs = any(value.text.lower() in _RUN_VALUES for value in usage.values("/v"))
        if hive and (runs or _STARTS.match(hive["below"] or "")):
            call.note("write-startup", field)
        elif _GUARDS.match(field.text) and (hive is None or hive["machine"] or "policies" in field.text.lower()):
            call.note("disables-protection")


def shows_secret(key: str, names: list[Field]) -> bool:
    """Return whether values of a key are secrets, or may be as those of the environment, for all or by these names."""
    if any(SECRET_NAME.search(name.text.upper()) for name in names):
        return True
    harmless = bool(names) and all(_PUBLIC.match(name.text) for name in names)
    return _SECRET_KEYS.match(key) is not None and not harmless


_PUBLIC = re.compile(
    r"(?i)(?:path|pathext|temp|tmp|os|number_of_processors|processor_\w+|shell|userinit|autoadminlogon)\Z"
)
"""Values beside secret ones that are none."""


def _queries_key(call: Call, usage: Usage) -> Stream | None:
    secret = [field for field in usage.operands[:1] if shows_secret(field.text, usage.values("/v"))]
    top = any(len(re.findall(r"[\\/]+[^\\/]", field.text)) < 2 for field in usage.operands[:1])
    for field in usage.operands[:1]:
        if field.text.startswith("\\\\"):
            call.note("uses-network", field)
    if secret or (top and usage.has("/s")) or any("passw" in field.text.lower() for field in usage.values("/v", "/f")):
        call.note("prints-secret")
        return Stream(None, call.taint | Taint.SECRET)
    return None


def _saves_key(call: Call, usage: Usage) -> None:
    for field in usage.operands[:1]:
        if re.search(r"(?i)[\\/](?:sam|security|system)(?:[\\/]|\Z)", field.text):
            call.note("reads-secret", field)
    for field in usage.operands[1:2]:
        call.take(Role.WRITE, field)


_QUERY = "/v:text /ve /s /se:text /f:text /k /d /c /e /t:text /z /reg:text"
_REGISTRY = group(
    {
        "query": switched(_QUERY, "text", judge=_queries_key),
        "compare": switched("/v:text /ve /oa /od /os /on /s", "text*"),
        "delete": switched("/v:text /ve /va /f /reg:text", judge=_deletes_key),
        "add": switched("/v:text /ve /t:text /d:text /s:text /f /reg:text", judge=_adds_key),
        "export save": switched("/y /reg:text", judge=_saves_key),
        "import restore copy load unload flags": always("changes-system"),
    },
    style=Style.WINDOWS,
)


# --- services


def _service(call: Call, usage: Usage) -> None:
    """Sc: what changes a service that protects is denied, as is what makes a program start with the system."""
    words = [word.text.lower() for word in call.args]
    if words and words[0].startswith("\\\\"):
        call.note("uses-network", call.args[0])
        words = words[1:]
    verb, name = (*words, "", "")[:2]
    if verb in _SC_LOOKS or not verb:
        if verb == "query" and len(words) > 1 and any(not re.match(r"[a-z0-9_.$=-]+\Z", word) for word in words):
            call.note("not-harmless")
        return
    call.note("changes-system")
    if verb == "create" or (
        verb in ("config", "failure") and any(word.startswith(("binpath", "command")) for word in words)
    ):
        call.note("write-startup")
    elif verb == "delete":
        call.note("destroys-windows")
    elif PROTECTIONS.match(name) and not (verb == "start" or "start= auto" in " ".join(words)):
        call.note("disables-protection")


_SC_LOOKS = frozenset(
    "query queryex qc qdescription qfailure qtriggerinfo qprivs qsidtype qmanagedaccount qprotection enumdepend sdshow "
    "showsid getdisplayname getkeyname querylock /?".split()
)


def _net(call: Call, _usage: Usage) -> None:
    words = [word.text.lower() for word in call.args]
    verb, rest = (words[0] if words else ""), words[1:]
    changing = any(re.match(r"[/-](?!domain\Z|\?)", word) for word in rest)
    names = [word for word in rest if not word.startswith(("/", "-"))]
    if verb in ("user", "users", "localgroup", "group", "accounts"):
        if changing or (verb.startswith("user") and len(names) > 1):
            call.note("changes-account")
    elif verb in ("start", "use", "share", "session", "sessions", "file", "files", "name") and rest:
        call.note("uses-network" if verb == "use" else "changes-system")
    elif verb in ("stop", "pause"):
        call.note("changes-system")
        if (names and PROTECTIONS.match(names[0].strip('"').replace(" ", ""))) or (
            names and re.search(r"defender|firewall|security|event ?log|antivirus", " ".join(names))
        ):
            call.note("disables-protection")
    elif verb in _NET_LOOKS and changing:
        call.note("changes-system")
    elif verb == "view" or (verb == "time" and rest):
        call.note("uses-network")
    elif verb not in _NET_LOOKS:
        call.note("changes-system")


_NET_LOOKS = frozenset(
    ["", "start", "use", "share", "session", "file", "config", "statistics", "stats", "help", "helpmsg", "time", "/?"]
)


def _schedules(call: Call, usage: Usage) -> None:
    if usage.has("/create") or (usage.has("/change") and usage.has("/tr")):
        call.note("write-startup")
    elif usage.has("/delete") and any(field.text.strip('"') in ("*", STAR, "\\*") for field in usage.values("/tn")):
        call.note("removes-schedule")
    elif usage.has("/run"):
        call.note("runs-code")
    elif usage.has("/delete", "/end", "/change"):
        call.note("changes-system")


_SCHTASKS = (
    "/query /create /delete /run /end /change /showsid /fo:text /nh /v /tn:text /xml?text /hresult /tr:text /f /sc:text "
    "/s:network /u:text /p?text /ru:text /rp?text /mo:text /d:text /m:text /i:text /st:text /ri:text /et:text /du:text /k "
    "/sd:text /ed:text /ec:text /it /z /np /rl:text /enable /disable /delay:text /v1"
)

# --- network and firewall


def _netsh(call: Call, _usage: Usage) -> Stream | None:
    text = in_words(call).lower()
    words = text.split()
    if re.search(r"firewall\b.*(?:\bstate\s+off\b|\bopmode\b.*\bdisable\b|\bmode\s*=\s*disable\b|\boff\Z)", text):
        call.note("disables-protection")
    elif not words or re.search(r"key\s*=\s*clear", text):
        call.note("prints-secret" if words else "not-harmless")
    elif "show" not in words or any(word in _NETSH_CHANGES or word.startswith(("-", "/")) for word in words):
        call.note("changes-system")
    return None


_NETSH_CHANGES = frozenset(
    "add delete set reset import export exec start stop install uninstall connect disconnect dump".split()
)


# --- processes and the machine

_VITAL = re.compile(r"(?i)(?:csrss|wininit|winlogon|services|lsass|smss|svchost|system)(?:\.exe)?\Z")


def _ends(call: Call, usage: Usage) -> None:
    call.note("windows-command")
    for field in usage.values("/im"):
        if field.text.strip("*" + STAR) in ("", ".exe", ".") or _VITAL.match(field.text):
            call.note("kills-everything")
        elif PROTECTIONS.match(field.text):
            call.note("disables-protection")
        elif "phocinae" in field.text.lower():
            call.note("write-gate", field)
    if not usage.has("/im", "/pid") and any(
        re.match(r"(?i)\"?(?:pid|status|memusage)\b", field.text) for field in usage.values("/fi")
    ):
        call.note("kills-everything")


def _halts(call: Call, usage: Usage) -> None:
    if usage.has("/s", "/r", "/p", "/g", "/sg", "/o", "/hybrid", "/i"):
        call.note("halts-machine")
    elif usage.options or usage.operands:
        call.note("changes-system")


def _keeps_variable(call: Call, usage: Usage) -> None:
    """Setx: sets a variable for all processes to come, by a name in any case; the last word is its value."""
    call.note("changes-system")
    words = [word for word in call.args if not word.text.startswith(("/", "-"))]
    for word in words[:-1]:
        if of_gate(word.text.upper()):
            call.note("write-gate", word)


_TASKLIST = "/s:network /u:text /p:text /m?text /svc /apps /v /fi:text /fo:text /nh"
_SHUTDOWN = "/s /sg /r /g /h /p /l /a /e /i /o /hybrid /fw /f /soft /t:text /c:text /d:text /m:network"

PROGRAMS = Descriptions(
    {
        "reg reg.exe": _REGISTRY,
        "regedit regedit.exe regini.exe": always("changes-system"),
        "sc sc.exe": by_hand(_service),
        "net net.exe net1 net1.exe": by_hand(_net),
        "schtasks schtasks.exe": switched(_SCHTASKS, judge=_schedules),
        "netsh netsh.exe": by_hand(_netsh),
        "tasklist tasklist.exe": switched(_TASKLIST),
        "taskkill taskkill.exe": switched("/im:text /pid:text /f /t /fi:text /s:network /u:text /p:text", judge=_ends),
        "shutdown.exe": switched(_SHUTDOWN, judge=_halts),
        "systeminfo systeminfo.exe driverquery driverquery.exe getmac getmac.exe": switched(
            "/s:network /u:text /p:text /fo:text /nh /v /si"
        ),
        "ipconfig ipconfig.exe": switched("/all /displaydns /allcompartments"),
        "quser qwinsta query": verbs(r"(?:user|session|process|termserver)?"),
        "gpresult gpresult.exe": switched("/r /v /z /scope:text /user:text /s:network"),
        "setx setx.exe": by_hand(_keeps_variable),
        "gpupdate gpupdate.exe w32tm w32tm.exe powercfg powercfg.exe": always("changes-system"),
        "logoff logoff.exe tskill tskill.exe": always("changes-system"),
        "cmdkey cmdkey.exe": always("prints-secret"),
    }
)
