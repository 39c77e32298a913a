"""Services, sessions and schedules: showing them is harmless, stopping the machine or a protection is denied.

Sources: systemctl(1), loginctl(1), hostnamectl(1), timedatectl(1), localectl(1), networkctl(1), resolvectl(1),
machinectl(1), coredumpctl(1), systemd-analyze(1), bootctl(1), udevadm(8), service(8), launchctl(1), shutdown(8), kexec(8), dbus-send(1), busctl(1),
crontab(1) and crontab(5), swapon(8), losetup(8), ldconfig(8), update-alternatives(1).
"""

from __future__ import annotations

import re

from ..assignments import OWN_NAMES
from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import NO_STREAM, UNKNOWN_STREAM, Stream, Taint

_HALTS = frozenset("poweroff reboot halt kexec emergency rescue soft-reboot exit".split())
_STOPS = frozenset("stop disable mask kill unload bootout remove".split())
_PROTECTIONS = re.compile(
    r"(?:firewalld|ufw|iptables|nftables|auditd|apparmor|selinux|fail2ban|clamav[a-z-]*|falco|ossec|wazuh[a-z-]*|crowdstrike|falcon-sensor|rsyslog"
    r"|syslog|systemd-journald|sshguard|aide|samhain|snort|suricata|osqueryd|mdatp|firewall)(?:\.service)?\Z"
    r"|(?:.*/)?com\.(?:apple\.(?:alf|XProtect|MRT|syspolicyd|auditd|securityd)|crowdstrike|sentinelone|microsoft\.wdav)\b.*"
)
_UNIT_SHOWS = frozenset(
    "status show list-units list-unit-files list-timers list-sockets list-dependencies list-jobs list-automounts list-machines "
    "list-paths is-active is-enabled is-failed cat help get-default is-system-running --version --help".split()
)
_ASKS = ("--help", "--version")


def _halt(call: Call, usage: Usage) -> Stream | None:
    if not any(
        word.text in ("-c", "--help", "--version", "--show", "-w", "--wtmp-only", "-k", "/a", "/l", "/?")
        for word in call.args
    ):
        call.note("halts-machine")
    else:
        call.note("changes-system")
    return None


def _kexec(call: Call, usage: Usage) -> Stream | None:
    """Starting another kernel is a restart, loading one is not (kexec(8))."""
    call.note("changes-system")
    if any(re.match(r"-[a-z]*e|--(?:exec|force|reboot)\Z|-f\Z", word.text) for word in call.args):
        call.note("halts-machine")
    return None


_BUS_HALTS = re.compile(
    r"(?:org\.freedesktop\.(?:login1|systemd1)\.\S*\.)?(?:PowerOff|Reboot|Halt|KExec|SoftReboot)(?:WithFlags)?\Z"
)
_BUS_MANAGERS = re.compile(r".*org[./]freedesktop[./](?:login1|systemd1)\b")


def _bus(call: Call, usage: Usage) -> Stream | None:
    """A message to the manager of sessions or of services may halt the machine (org.freedesktop.login1(5))."""
    words = [word.text for word in call.args]
    call.note("changes-system")
    if any(map(_BUS_MANAGERS.match, words)) and any(map(_BUS_HALTS.match, words)):
        call.note("halts-machine")
    return None


def _init(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-system")
    if any(word.text in ("0", "6", "1", "s", "S") for word in call.args):
        call.note("halts-machine")
    return None


def _systemctl(call: Call, usage: Usage) -> Stream | None:
    verb = usage.operands[0].text if usage.operands else "list-units"
    names = [word.text for word in usage.operands[1:]]
    if usage.has("--help", "--version"):
        return None
    if verb in _UNIT_SHOWS and not usage.unlisted:
        _properties(call, usage, verb)
        return None
    call.note("changes-system")
    if verb == "show-environment":
        call.note("prints-secret")
        return Stream(None, call.taint | Taint.SECRET)
    if verb in _HALTS or (
        verb in ("isolate", "start")
        and any(name.startswith(("poweroff", "reboot", "halt", "rescue", "emergency")) for name in names)
    ):
        call.note("halts-machine")
    _stops(call, verb, names)
    return None


def _properties(call: Call, usage: Usage, verb: str) -> None:
    """Weigh what is shown of a unit: among all properties is the environment, which may hold secrets."""
    named = usage.values("-p", "--property")
    if verb == "show" and (not named or any("environment" in field.text.lower() or field.unknown for field in named)):
        call.note("prints-secret")
        call.taint |= Taint.SECRET


def _stops(call: Call, verb: str, names: list[str]) -> None:
    if verb in _STOPS and any(_PROTECTIONS.match(name) for name in names):
        call.note("disables-protection")
    if verb in _STOPS and any(name.removesuffix(".service") in OWN_NAMES for name in names):
        call.note("write-gate")


_SERVICE_NAME = re.compile(r"\w[\w@.-]*\Z")


def _service(call: Call, usage: Usage) -> Stream | None:
    """Judge service, which runs a script of that name in a folder of the system."""
    words = [word.text for word in call.args]
    named = bool(words) and _SERVICE_NAME.match(words[0]) is not None
    if (words[1:] == ["status"] and named) or words in (["--status-all"], ["--help"], ["--version"]):
        return None
    call.note("changes-system")
    _stops(call, words[1] if len(words) > 1 else "", words[:1])
    return None


_LAUNCHD_SHOWS = frozenset(
    "list print-cache print-disabled managerpid manageruid managername blame version help".split()
)


def _launchctl(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if not words or words[0] in _LAUNCHD_SHOWS:
        return None
    call.note("changes-system")
    if words[0] in ("export", "getenv", "procinfo"):
        call.note("prints-secret")
        return Stream(None, call.taint | Taint.SECRET)
    _stops(call, words[0], words[1:])
    if words[0] == "reboot":
        call.note("halts-machine")
    return None


def _crontab(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-r"):
        call.note("removes-schedule")
    elif not usage.has("-l"):
        call.note("changes-system")
        if not usage.has("-e") and all(word.text in _INPUT for word in usage.operands):
            _from_input(call)
        for word in usage.operands:
            if word.text == "/dev/null":
                call.note("removes-schedule")
            if word.stream is not None:
                call.note("plants-schedule")
                _install_schedule(call, word.stream)
            for content in call.contents(word):
                _install_schedule(call, content)
    return None


_INPUT = ("-", "/dev/stdin", "/dev/fd/0")


def _from_input(call: Call) -> None:
    """Weigh a table that is made on the way; one that lies in a file may have been looked at before."""
    if call.stdin is NO_STREAM or (call.stdin.text is not None and not call.stdin.text.strip()):
        call.note("removes-schedule")
    elif call.stdin is not UNKNOWN_STREAM:
        call.note("plants-schedule")
        _install_schedule(call, call.stdin)


_JOB = re.compile(r"[ \t]*(?:@[a-z]+[ \t]+|(?:[^ \t\n]+[ \t]+){5})([^\n]+)")


def _install_schedule(call: Call, table: Stream) -> None:
    """Judge the commands of a table of jobs that comes in by a pipe or in a known file (crontab(5))."""
    if table.taint & (Taint.REMOTE | Taint.SOCKET | Taint.DECODED):
        call.feed(table, call.word)
    for line in (table.text or "").split("\n"):
        job = _JOB.match(line)
        if job is not None:
            call.shell(call.word.with_text(job[1]))


def _verb(call: Call, usage: Usage) -> Stream | None:
    """Judge the other programs of systemd: the first operand says whether they only show something."""
    shown = _SHOWN[call.name].split()
    verb = usage.operands[0].text if usage.operands else shown[0]
    alone = verb in ("hostname", "location", "deployment", "chassis", "icon-name", "dns", "domain", "llmnr", "mdns")
    if usage.has(*_ASKS) or (verb in shown and not (alone and len(usage.operands) > 1)):
        return None
    call.note("changes-system")
    if verb in _HALTS:
        call.note("halts-machine")
    if call.name == "machinectl" and verb == "shell":  # behind it, a machine and then a command
        place = next(at for at, word in enumerate(call.args) if word.text == "shell")
        return call.run(call.args[place + 2 :])
    return None


_SHOWN = {
    "hostnamectl": "status hostname location deployment chassis icon-name",
    "timedatectl": "status show list-timezones timesync-status show-timesync",
    "localectl": "status list-locales list-keymaps list-x11-keymap-models list-x11-keymap-layouts "
    "list-x11-keymap-variants list-x11-keymap-options",
    "loginctl": "list-sessions list-users list-seats session-status user-status seat-status show-session show-user show-seat",
    "networkctl": "list status lldp label",
    "resolvectl": "status statistics dns domain llmnr mdns",
    "machinectl": "list list-images status show",
    "coredumpctl": "list info",
    "bootctl": "status list is-installed",
    "udevadm": "info",
    "systemd-analyze": "time blame critical-chain dot unit-files unit-paths exit-status capability calendar timestamp "
    "timespan security syscall-filter cat-config",
}
"""For each program the verbs that show something, of which the first is meant when there is none."""
_VERB_OPTIONS = (
    "-a --all -l --full --no-pager --no-legend -q --quiet --user --system -t:text --type:text -p:text --property:text "
    "-n:text --lines:text -o:text --output:text --value --static --transient --pretty --json:text -P -x --query:text "
    "--name:text --path:text --export --attribute-walk --order --require --fuzz:text --iterations:text --base-time:text "
    "-r --reverse -1 --since:text -S:text --until:text -U:text --adjust-system-clock?risk"
)


def _update_alternatives(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--list", "--display", "--query", "--get-selections", *_ASKS):
        call.note("changes-system")
    return None


def _ldconfig(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-p", "--print-cache", *_ASKS):
        call.note("changes-system")
    return None


def _devices(call: Call, usage: Usage) -> Stream | None:
    """Judge swapon and losetup, which list when they name nothing that is to be set up."""
    lists = usage.has("-s", "--summary", "--show", "-a", "--all", "-l", "--list", *_ASKS)
    if (call.name == "swapon" and usage.has("-a", "--all")) or not (lists or not call.args):
        call.note("changes-system")
    return None


def _raw(judge: object) -> Program:
    return program("", "", style=Style.NONE, judge=judge)


_CHANGES = program("", "text*", style=Style.NONE, rule="changes-system")

PROGRAMS: dict[str, Program] = {
    **dict.fromkeys(["shutdown", "reboot", "poweroff", "halt"], _raw(_halt)),
    "kexec": _raw(_kexec),
    **dict.fromkeys(["dbus-send", "busctl", "gdbus", "qdbus"], _raw(_bus)),
    "init": _raw(_init),
    "telinit": _raw(_init),
    "systemctl": program(
        "-a --all -l --full --no-pager --no-legend -q --quiet --user --system -t:text --type:text --state:text -p:text --property:text "
        "-o:text --output:text -n:text --lines:text --plain --value -r --recursive --reverse --failed --now --force -f --no-block --no-wall "
        "--wait --legend:text --after --before --with-dependencies --show-types -i --no-ask-password",
        judge=_systemctl,
    ),
    "service": _raw(_service),
    "launchctl": _raw(_launchctl),
    **dict.fromkeys(["initctl", "rc-service", "update-rc.d", "swapoff"], _CHANGES),
    "rc-status": program("-a -s -u -m -C -q --all --servicelist --unused --manual --nocolor", "text"),
    "crontab": program("-l -r -e -i -u:text", "text", judge=_crontab),
    **dict.fromkeys(_SHOWN, program(_VERB_OPTIONS, "text*", judge=_verb)),
    "systemd-cgls": program("-a -l -u:text -k --all --full --no-pager --unit:text --user-unit:text", "text*"),
    "systemd-path": program("--suffix:text --no-pager", "text*"),
    "update-alternatives": program(
        "--list:text --display:text --query:text --get-selections --admindir:text --altdir:text --quiet --verbose",
        judge=_update_alternatives,
    ),
    "ldconfig": program("-p --print-cache -v --verbose -N -X", judge=_ldconfig),
    "swapon": program(
        "-s --summary --show?text --noheadings --raw --bytes -v --verbose -a --all", "text*", judge=_devices
    ),
    "losetup": program(
        "-a --all -l --list -J --json -n --noheadings -O:text --output:text --output-all --raw -j:path --associated:path",
        judge=_devices,
    ),
}
