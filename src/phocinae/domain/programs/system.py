"""Programs that act on the whole system: rights, accounts, processes, services, protections.

Sources: chmod(1), chown(1), kill(1), systemctl(1), shutdown(8), crontab(1), useradd(8),
passwd(1), ufw(8), iptables(8), setenforce(8), sysctl(8), mount(8).
"""

from __future__ import annotations

import re

from .. import effects
from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import Field, Stream, Taint

_SETS_UID = re.compile(r"0*[4-7][0-7]{3}\Z")
_SETS_UID_SYMBOLIC = re.compile(r"([ugoa]*)[+=][rwxXt]*s")
_FLAG = re.compile(r"-(?:-[A-Za-z]|[A-Za-z]*\Z)")


def _sets_uid(mode: str) -> bool:
    """Return whether a mode gives a program the rights of its owner: 4000, or ``s`` for the user or for all."""
    if _SETS_UID.match(mode):
        return True
    clauses = [_SETS_UID_SYMBOLIC.match(clause) for clause in mode.split(",")]
    return any(clause is not None and (not clause[1] or {"u", "a"} & set(clause[1])) for clause in clauses)


def _mode(call: Call, usage: Usage) -> Stream | None:
    operands = [
        word for word in call.args if not (_FLAG.match(word.text) and not re.fullmatch(r"-[rwxXstugo]+", word.text))
    ]
    if not any(word.text.startswith("--reference") for word in call.args):
        mode, operands = operands[:1], operands[1:]
        if mode and _sets_uid(mode[0].text):
            for word in operands:
                call.note("sets-uid", word)
    _open(call, operands)
    return None


def _owner(call: Call, usage: Usage) -> Stream | None:
    if call.name == "chattr":
        _open(call, [word for word in call.args if word.text[:1] not in ("-", "+", "=")])
        return None
    operands = [word for word in call.args if not _FLAG.match(word.text)]
    _open(call, operands if any(word.text.startswith("--reference") for word in call.args) else operands[1:])
    return None


def _open(call: Call, operands: list[Field]) -> None:
    for word in operands:
        effects.open_up(call.walker, word, call.state)
    if not operands:
        call.note("changes-files")


def _kill(call: Call, usage: Usage) -> Stream | None:
    words = call.args
    if words and words[0].text in ("-l", "-L", "--list", "--table"):
        return None
    call.note("changes-system")
    if words and words[0].text in ("-s", "-n", "--signal"):
        words = words[2:]
    elif words and words[0].text.startswith("-") and words[0].text != "--":
        words = words[1:]
    if any(word.text == "-1" for word in words):
        call.note("kills-everything")
    return None


def _ends(call: Call, usage: Usage) -> Stream | None:
    """pkill and killall: ending this gate switches it off."""
    for word in call.args:
        if "phocinae" in word.text:
            call.note("write-gate", word)
    return None


def _halt(call: Call, usage: Usage) -> Stream | None:
    if not any(word.text in ("-c", "--help", "--version", "--show", "-w", "--wtmp-only", "-k") for word in call.args):
        call.note("halts-machine")
    else:
        call.note("changes-system")
    return None


def _init(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-system")
    if any(word.text in ("0", "6", "1", "s", "S") for word in call.args):
        call.note("halts-machine")
    return None


_HALTS = frozenset(
    [
        "poweroff",
        "reboot",
        "halt",
        "kexec",
        "suspend",
        "hibernate",
        "hybrid-sleep",
        "emergency",
        "rescue",
        "soft-reboot",
        "exit",
    ]
)
_STOPS = frozenset(["stop", "disable", "mask", "kill"])
_PROTECTIONS = re.compile(
    r"(?:firewalld|ufw|iptables|nftables|auditd|apparmor|selinux|fail2ban|clamav[a-z-]*|falco|ossec|wazuh[a-z-]*|crowdstrike|falcon-sensor|rsyslog"
    r"|syslog|systemd-journald|sshguard|aide|samhain|snort|suricata|osqueryd|mdatp|firewall)(?:\.service)?\Z"
)
_SHOWS = frozenset(
    "status show list-units list-unit-files list-timers list-sockets list-dependencies list-jobs is-active is-enabled is-failed cat help get-default "
    "is-system-running --version --help list-machines list-paths".split()
)


def _systemctl(call: Call, usage: Usage) -> Stream | None:
    verb = usage.operands[0].text if usage.operands else "list-units"
    names = [word.text for word in usage.operands[1:]]
    if (verb in _SHOWS and not usage.unlisted) or usage.has("--help", "--version"):
        return None
    call.note("changes-system")
    if verb in _HALTS or (
        verb in ("isolate", "start")
        and any(name.startswith(("poweroff", "reboot", "halt", "rescue", "emergency")) for name in names)
    ):
        call.note("halts-machine")
    if verb in _STOPS and any(_PROTECTIONS.match(name) for name in names):
        call.note("disables-protection")
    return None


def _service(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if words[1:] == ["status"] or words == ["--status-all"]:
        return None
    call.note("changes-system")
    if len(words) > 1 and words[1] == "stop" and _PROTECTIONS.match(words[0]):
        call.note("disables-protection")
    return None


def _crontab(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-r"):
        call.note("removes-schedule")
    elif not usage.has("-l"):
        call.note("changes-system")
        if all(word.text in ("-", "/dev/stdin") for word in usage.operands):
            _install_schedule(call, call.stdin)
        for word in usage.operands:
            for content in call.contents(word):
                _install_schedule(call, content)
    return None


_JOB = re.compile(r"[ \t]*(?:@[a-z]+[ \t]+|(?:[^ \t\n]+[ \t]+){5})([^\n]+)")


def _install_schedule(call: Call, table: Stream) -> None:
    """Judge the commands of a table of jobs that comes in by a pipe or in a known file (crontab(5))."""
    if table.taint & (Taint.REMOTE | Taint.SOCKET | Taint.DECODED):
        call.feed(table, call.word)
    for line in (table.text or "").split("\n"):
        job = _JOB.match(line)
        if job is not None:
            call.shell(call.word.with_text(job[1]))


_UID = re.compile(r"-[A-Za-z]*u\Z|--uid\Z")
_ROOT_UID = re.compile(r"-[A-Za-z]*u0+\Z|--uid=0+\Z|--non-unique\Z")


def _account(call: Call, usage: Usage) -> Stream | None:
    """useradd and usermod: a second root, or a member of a group with root's rights, is a back door."""
    words = [word.text for word in call.args]
    call.note("changes-system")
    root = any(
        _UID.match(word) is not None and words[place + 1 : place + 2] == ["0"] for place, word in enumerate(words)
    )
    powerful = any(
        re.search(r"(?:^|[,=])(?:sudo|wheel|root|admin|docker|shadow|disk)(?:,|\Z)", word) for word in words[:-1]
    )
    if root or "-o" in words or any(_ROOT_UID.match(word) for word in words) or powerful:
        call.note("changes-account")
    return None


def _passwd(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-S", "--status"):
        return None
    call.note("changes-system")
    if usage.has("-d", "--delete", "-u", "--unlock") or any(word.text == "root" for word in usage.operands):
        call.note("changes-account")
    return None


def _changes_account(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-account")
    return None


def _setenforce(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-system")
    if any(word.text.lower() in ("0", "permissive") for word in call.args):
        call.note("disables-protection")
    return None


def _firewall(call: Call, usage: Usage) -> Stream | None:
    """Firewalls: listing is harmless, switching off or flushing is denied."""
    words = [word.text for word in call.args]
    if any(word in _FIREWALL_SHOWS for word in words) and not any(word in _FIREWALL_OFF for word in words):
        return None
    call.note("changes-system")
    accepts_all = len(words) >= 3 and words[0] in ("-P", "--policy") and words[2] == "ACCEPT"
    if accepts_all or any(word in _FIREWALL_OFF for word in words):
        call.note("disables-protection")
    return None


_FIREWALL_SHOWS = frozenset(
    [
        "status",
        "-L",
        "--list",
        "-S",
        "--list-rules",
        "list",
        "--state",
        "--list-all",
        "--get-zones",
        "--version",
        "version",
        "app",
    ]
)
_FIREWALL_OFF = frozenset(["disable", "reset", "-F", "--flush", "-X", "flush", "--panic-off", "-d"])


def _sysctl(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if words and not any(
        "=" in word or word.startswith(("-w", "-p", "--load", "--system", "--write")) for word in words
    ):
        return None
    call.note("changes-system")
    if any(
        re.match(r"kernel\.(?:randomize_va_space|yama\.ptrace_scope|kptr_restrict|dmesg_restrict)\s*=\s*0", word)
        for word in words
    ):
        call.note("disables-protection")
    return None


def _audit(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    if words[:1] in (["-l"], ["-s"]):
        return None
    call.note("changes-system")
    if any(words[place : place + 2] == ["-e", "0"] for place in range(len(words))) or "-D" in words:
        call.note("disables-protection")
    return None


def _disables(call: Call, usage: Usage) -> Stream | None:
    call.note("disables-protection")
    return None


def _spctl(call: Call, usage: Usage) -> Stream | None:
    words = [word.text for word in call.args]
    call.note("changes-system")
    if any(word in ("--master-disable", "--global-disable", "disable") for word in words):
        call.note("disables-protection")
    return None


def _raw(judge: object, rule: str = "") -> Program:
    return program("", "", style=Style.NONE, rule=rule, judge=judge)


_CHANGES = program("", "text*", style=Style.NONE, rule="changes-system")

PROGRAMS: dict[str, Program] = {
    "chmod": _raw(_mode),
    "chown": _raw(_owner),
    "chgrp": _raw(_owner),
    "chattr": _raw(_owner),
    "setfacl": _raw(_owner),
    "kill": _raw(_kill),
    "pkill": _raw(_ends, "changes-system"),
    "killall": _raw(_ends, "changes-system"),
    "skill": _CHANGES,
    "xkill": _CHANGES,
    "renice": _CHANGES,
    **dict.fromkeys(["shutdown", "reboot", "poweroff", "halt"], _raw(_halt)),
    "init": _raw(_init),
    "telinit": _raw(_init),
    "systemctl": program(
        "-a --all -l --full --no-pager --no-legend -q --quiet --user --system -t:text --type:text --state:text -p:text --property:text "
        "-o:text --output:text -n:text --lines:text --plain --value -r --recursive --reverse --failed --now --force -f --no-block --no-wall",
        style=Style.GNU,
        judge=_systemctl,
    ),
    "service": _raw(_service),
    "launchctl": _CHANGES,
    "initctl": _CHANGES,
    "rc-service": _CHANGES,
    "update-rc.d": _CHANGES,
    "crontab": program("-l -r -e -i -u:text", "text", judge=_crontab),
    "useradd": _raw(_account),
    "adduser": _raw(_account),
    "usermod": _raw(_account),
    "userdel": _CHANGES,
    "deluser": _CHANGES,
    "groupadd": _CHANGES,
    "groupdel": _CHANGES,
    "gpasswd": _raw(_account),
    "passwd": program(
        "-d --delete -e --expire -l --lock -u --unlock -S --status -n:text -x:text -w:text -i:text -q",
        "text",
        judge=_passwd,
    ),
    "chpasswd": _raw(_changes_account),
    "visudo": program("-c --check -f:read -q -s", rule="changes-system"),
    "chsh": _CHANGES,
    "setenforce": _raw(_setenforce),
    **dict.fromkeys("ufw iptables ip6tables iptables-legacy nft firewall-cmd pfctl ebtables".split(), _raw(_firewall)),
    "sysctl": _raw(_sysctl),
    "auditctl": _raw(_audit),
    **dict.fromkeys(["aa-disable", "aa-complain", "aa-teardown"], _raw(_disables)),
    "csrutil": _raw(_spctl),
    "spctl": _raw(_spctl),
    "getenforce": program(),
    "sestatus": program("-b -v"),
    **dict.fromkeys(
        "umount insmod rmmod modprobe depmod swapoff swapon losetup hostnamectl timedatectl localectl loginctl update-grub grub-install efibootmgr "
        "ldconfig update-alternatives dpkg-reconfigure".split(),
        _CHANGES,
    ),
}
