"""Firewalls, mandatory access control, audit and kernel settings: looking is harmless, switching off is denied.

Sources: ufw(8), iptables(8), ebtables(8), nft(8), firewall-cmd(1), pfctl(8), setenforce(8), sestatus(8), auditctl(8),
aa-status(8), csrutil(8), spctl(8), sysctl(8) of procps and of BSD.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import Stream

_ONLY_ASKS = (["--help"], ["--version"], ["-h"], ["-V"])
_PLAIN = re.compile(r"[\w.:/-]+\Z")


def _ufw_shows(words: list[str]) -> bool:
    return words[:1] in (["status"], ["version"], ["show"], ["help"]) or words[:2] in (["app", "list"], ["app", "info"])


_TABLES = re.compile(
    r"-[nvx]*[LS][nvx]*|-[nvx46wt]+|--(?:list|list-rules|numeric|verbose|exact|line-numbers|wait|table|ipv[46])(?:=\w+)?|\w[\w.-]*"
)
_TABLES_LIST = re.compile(r"-[nvx]*[LS][nvx]*|--list(?:-rules)?")


def _tables_show(words: list[str]) -> bool:
    """Return whether iptables only lists; a chain, a table or a number may stand between its options."""
    return any(map(_TABLES_LIST.fullmatch, words)) and all(map(_TABLES.fullmatch, words))


def _nft_shows(words: list[str]) -> bool:
    """Return whether nft only lists; it joins its words, and a semicolon in one of them begins another command."""
    commands = [word for word in words if not re.fullmatch(r"-[ansjyNuSpT]+|--(?:handle|json|stateless|numeric)", word)]
    return commands[:1] == ["list"] and all(map(_PLAIN.match, commands))


def _firewalld_shows(words: list[str]) -> bool:
    shows = ("--list-", "--get-", "--state", "--info-", "--query-", "--zone=", "--policy=", "--permanent", "--check-")
    return bool(words) and all(word.startswith(shows) for word in words)


def _pf_shows(words: list[str]) -> bool:
    return any(word.startswith("-s") for word in words) and all(
        re.fullmatch(r"-[vgq]*(?:s\w*)?|\w+", word) for word in words
    )


_OFF = {
    "ufw": ("disable", "reset"),
    "nft": ("flush",),
    "firewall-cmd": ("--panic-off",),
    "pfctl": ("-d", "-F", "-Fa", "-Fall"),
}
_TABLES_OFF = ("-F", "--flush", "-X")
_SHOWS: dict[str, Callable[[list[str]], bool]] = {
    "ufw": _ufw_shows,
    "nft": _nft_shows,
    "firewall-cmd": _firewalld_shows,
    "pfctl": _pf_shows,
}


def _firewall(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    off = any(word in _OFF.get(call.name, _TABLES_OFF) for word in words)
    if words in _ONLY_ASKS or (not off and _SHOWS.get(call.name, _tables_show)(words)):
        return None
    call.note("changes-system")
    accepts_all = len(words) >= 3 and words[0] in ("-P", "--policy") and words[2] == "ACCEPT"
    if accepts_all or off:
        call.note("disables-protection")
    return None


def _setenforce(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-system")
    if any(word.text.lower() in ("0", "permissive") for word in call.args):
        call.note("disables-protection")
    return None


_GUARDS = re.compile(
    r"kernel\.(?:randomize_va_space|yama\.ptrace_scope|kptr_restrict|dmesg_restrict|perf_event_paranoid)\s*=\s*0"
    r"|fs\.protected_(?:symlinks|hardlinks)\s*=\s*0"
)


_KERNEL_RUNS = re.compile(r"kernel[./](?:core_pattern\s*=\s*[\"']?\||(?:modprobe|hotplug|poweroff_cmd)\s*=)")
"""Settings that name a program which the kernel runs as root (core(5), sysctl of the kernel)."""


def _sysctl(call: Call, usage: Usage) -> Stream | None:
    sets = any("=" in word.text or word.unknown for word in usage.operands)
    if sets or usage.has("-w", "--write", "-p", "-f", "--load", "--system"):
        call.note("changes-system")
    if any(_GUARDS.match(word.text) for word in usage.operands):
        call.note("disables-protection")
    if any(_KERNEL_RUNS.match(word.text) for word in usage.operands):
        call.note("starts-by-itself")
    return None


def _audit(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if words in (["-l"], ["-s"], ["-v"], *_ONLY_ASKS):
        return None
    call.note("changes-system")
    if any(words[place : place + 2] == ["-e", "0"] for place in range(len(words))) or "-D" in words:
        call.note("disables-protection")
    return None


def _disables(call: Call, usage: Usage) -> Stream | None:
    call.note("disables-protection")
    return None


def _assessment(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if words in (["status"], ["--status"], ["help"]):
        return None
    call.note("changes-system")
    if any(word in ("--master-disable", "--global-disable", "disable") for word in words):
        call.note("disables-protection")
    return None


def _raw(judge: object) -> Program:
    return program("", "", style=Style.NONE, judge=judge)


PROGRAMS: dict[str, Program] = {
    **dict.fromkeys("ufw iptables ip6tables iptables-legacy nft firewall-cmd pfctl ebtables".split(), _raw(_firewall)),
    "setenforce": _raw(_setenforce),
    "getenforce": program(),
    "sestatus": program("-b -v"),
    "sysctl": program(
        "-a -A -b -d -e -h -i -l -n -N -o -q -r:text -t -T -V -w -x -X -p?risk -f?risk --all --binary --deprecated "
        "--ignore --names --values --quiet --pattern:text --write --load?risk --system",
        "text*",
        judge=_sysctl,
    ),
    "auditctl": _raw(_audit),
    **dict.fromkeys(["aa-disable", "aa-complain", "aa-teardown"], _raw(_disables)),
    **dict.fromkeys(
        ["aa-status", "apparmor_status"],
        program("-v --verbose --enabled --profiled --enforced --complaining --json --pretty-json --count"),
    ),
    "csrutil": _raw(_assessment),
    "spctl": _raw(_assessment),
}
