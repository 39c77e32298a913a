"""Programs that act on the whole system: rights, accounts, processes, modules of the kernel.

Sources: chmod(1), chown(1), chattr(1), setfacl(1), setcap(8), kill(1), killall5(8), useradd(8), passwd(1), modprobe(8), umount(8).
"""

from __future__ import annotations

import re

from .. import effects
from ..assignments import names_gate
from ..calls import Call
from ..knowledge import Program, Style, program
from ..usage import Usage
from ..values import OWN_PROCESS, Field, Stream

_SETS_UID = re.compile(r"0*[4-7][0-7]{3}\Z")
_SETS_UID_SYMBOLIC = re.compile(r"([ugoa]*)[+=][rwxXt]*s")
_TAKES_AWAY = re.compile(r"-[rwxXstugo]+\Z")
_FLAG = re.compile(r"-(?:-[A-Za-z]|[A-Za-z]*\Z)")


def _sets_uid(mode: str) -> bool:
    """Return whether a mode gives a program the rights of its owner: 4000, or ``s`` for the user or for all."""
    if _SETS_UID.match(mode):
        return True
    clauses = [_SETS_UID_SYMBOLIC.match(clause) for clause in mode.split(",")]
    return any(clause is not None and (not clause[1] or {"u", "a"} & set(clause[1])) for clause in clauses)


def _mode(call: Call, usage: Usage) -> Stream | None:
    operands = [word for word in call.args if not (_FLAG.match(word.text) and not _TAKES_AWAY.match(word.text))]
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


def _attributes(call: Call, usage: Usage) -> Stream | None:
    """Judge chattr, whose mode begins with a sign."""
    _open(call, [word for word in call.args if word.text[:1] not in ("-", "+", "=")])
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
    if words and words[0].text in ("-s", "-n", "--signal"):
        signal, words = "".join(word.text for word in words[1:2]), words[2:]
    elif words and words[0].text.startswith("-") and words[0].text != "--":
        signal, words = words[0].text[1:], words[1:]
    else:
        signal = ""
    known = all(word.numeric and word.text[:1] != "-" for word in words)
    if signal == "0" and words and (known or (len(words) == 1 and not words[0].many)):
        return None  # asks whether the process is there (POSIX XCU kill)
    call.note("changes-system")
    if any(word.text == "-1" for word in words):
        call.note("kills-everything")
    if any(OWN_PROCESS in word.text for word in words):
        call.note("write-gate", shown="this gate's process")
    return None


def _acl(call: Call, usage: Usage) -> Stream | None:
    _open(call, list(usage.operands))
    return None


_CAPABLE = re.compile(
    r"(?i)(?:all|(?:.*,)?cap_(?:setuid|setgid|sys_admin|dac_override|chown|fowner|setfcap|sys_module|sys_ptrace)\b.*)?[=+]"
)


def _capabilities(call: Call, usage: Usage) -> Stream | None:
    """Judge setcap: some capabilities are as good as root's rights (capabilities(7), setcap(8))."""
    call.note("changes-rights", call.args[-1] if call.args else None)
    for word in call.args:
        if any(_CAPABLE.match(clause) and clause[-1:] not in "=+" for clause in word.text.split()):
            call.note("sets-uid", call.args[-1])
    return None


def _kills_all(call: Call, usage: Usage) -> Stream | None:
    call.note("kills-everything")
    return None


def _ends(call: Call, usage: Usage) -> Stream | None:
    """pkill and killall: ending this gate switches it off."""
    for word in call.args:
        if names_gate(word.text):
            call.note("write-gate", word)
    return None


_UID = re.compile(r"-[A-Za-z]*u\Z|--uid\Z")
_ROOT_UID = re.compile(r"-[A-Za-z]*u0+\Z|--uid=0+\Z|--non-unique\Z")
_ROOT_GROUP = re.compile(r"(?:\A|[,=]|\A-[A-Za-z]*[aG])(?:sudo|wheel|root|admin|shadow|disk)(?:,|\Z)")
"""A group with root's rights; that of docker, too, but to join it is a documented step of setting it up."""


def _account(call: Call, usage: Usage) -> Stream | None:
    """useradd and usermod: a second root, or a member of a group with root's rights, is a back door."""
    words = [word.text for word in call.args]
    call.note("changes-system")
    root = any(
        _UID.match(word) is not None and words[place + 1 : place + 2] == ["0"] for place, word in enumerate(words)
    )
    behind = call.name in _GROUP_BEHIND and len([word for word in words if word[:1] != "-"]) > 1
    powerful = any(_ROOT_GROUP.search(word) for word in (words if behind else words[:-1]))
    if root or "-o" in words or any(_ROOT_UID.match(word) for word in words) or powerful:
        call.note("changes-account")
    return None


_GROUP_BEHIND = ("adduser", "addgroup", "gpasswd")
"""Programs that name the group behind the account, which others name last."""


def _membership(call: Call, usage: Usage) -> Stream | None:
    """Judge gpasswd, which takes members away, too (gpasswd(1))."""
    if usage.has("-a", "--add", "-A", "--administrators", "-M", "--members"):
        return _account(call, usage)
    call.note("changes-system")
    return None


def _removes(call: Call, usage: Usage) -> Stream | None:
    """Remove an account, or with a second name a member of a group; root's is the system's own."""
    call.note("changes-system")
    names = [word.text for word in call.args if word.text[:1] != "-"]
    if names == ["root"]:
        call.note("changes-account")
    return None


def _passwd(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-S", "--status"):
        return None
    call.note("changes-system")
    if usage.has("-d", "--delete", "-u", "--unlock"):
        call.note("changes-account")
    return None


def _changes_account(call: Call, usage: Usage) -> Stream | None:
    call.note("changes-account")
    return None


def _raw(judge: object, rule: str = "") -> Program:
    """Return a description of a program that reads its words by rules of its own."""
    return program("", "", style=Style.NONE, rule=rule, judge=judge)


_SETFACL = (
    "-b -d -k -n -P -L -R -m:text -x:text -M:read -X:read --set:text --set-file:read --modify:text --remove:text "
    "--modify-file:read --remove-file:read --remove-all --remove-default --no-mask --mask --default --recursive "
    "--logical --physical --restore:risk --test"
)
_CHANGES = program("", "text*", style=Style.NONE, rule="changes-system")

PROGRAMS: dict[str, Program] = {
    "chmod": _raw(_mode),
    "chown": _raw(_owner),
    "chgrp": _raw(_owner),
    "chattr": _raw(_attributes),
    "setfacl": program(_SETFACL, judge=_acl),
    "setcap": _raw(_capabilities),
    "kill": _raw(_kill),
    "pkill": _raw(_ends, "changes-system"),
    "killall": _raw(_ends, "changes-system"),
    "killall5": _raw(_kills_all),
    "skill": _CHANGES,
    "xkill": _CHANGES,
    "renice": _CHANGES,
    "useradd": _raw(_account),
    "adduser": _raw(_account),
    "usermod": _raw(_account),
    "userdel": _raw(_removes),
    "deluser": _raw(_removes),
    "groupadd": _CHANGES,
    "groupdel": _CHANGES,
    "addgroup": _raw(_account),
    "gpasswd": program(
        "-a:text --add:text -d:text --delete:text -r --remove-password -R --restrict -A:text --administrators:text -M:text --members:text "
        "-Q:text --root:text",
        "text",
        judge=_membership,
    ),
    "passwd": program(
        "-d --delete -e --expire -l --lock -u --unlock -S --status -n:text -x:text -w:text -i:text -q",
        "text",
        judge=_passwd,
    ),
    "chpasswd": _raw(_changes_account),
    "visudo": program("-c --check -f:read -q -s", rule="changes-system"),
    "chsh": _CHANGES,
    **dict.fromkeys(
        "umount insmod rmmod modprobe depmod update-grub grub-install efibootmgr dpkg-reconfigure".split(),
        _CHANGES,
    ),
}
