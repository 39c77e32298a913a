"""Services, sessions and schedules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "systemctl status nginx",
    "systemctl list-units --failed --no-pager",
    "systemctl is-active nginx",
    "systemctl --help",
    "systemctl reboot --help",
    "service nginx status",
    "service --status-all",
    "crontab -l",
    "hostnamectl",
    "systemctl show -p MainPID,ActiveState nginx",
    "systemctl --user list-timers --all",
    "hostnamectl status",
    "timedatectl show",
    "localectl list-locales",
    "loginctl session-status",
    "launchctl list",
    "swapon --show",
    "losetup -a",
    "ldconfig -p",
    "update-alternatives --list java",
    "systemd-analyze blame",
    "coredumpctl list",
    "udevadm info -q all -n /dev/sda",
    "resolvectl status",
]
UNDECIDED = [
    "systemctl restart nginx",
    "systemctl stop nginx",
    "systemctl --user enable x",
    "service nginx restart",
    "crontab jobs.txt",
    "crontab -e",
    "crontab < jobs.txt",
    "crontab",
    "systemctl suspend",
    "systemctl hibernate",
    "systemctl hybrid-sleep",
    "loginctl suspend-then-hibernate",
    "kexec -l /boot/vmlinuz",
    "busctl list",
    "busctl call org.freedesktop.NetworkManager /x x.y Reboot",
    "busctl call org.freedesktop.systemd1 /x org.freedesktop.systemd1.Unit Restart s replace",
    "dbus-send --session --dest=org.example /x org.example.PowerOffer",
    "shutdown --help",
    "reboot --help",
    "shutdown -c",
    "service ../../tmp/x status",
    "service $x status",
    "service ./x status",
    "hostnamectl set-hostname x",
    "hostnamectl hostname x",
    "timedatectl set-timezone UTC",
    "loginctl terminate-session 3",
    "launchctl load x.plist",
    "swapon /dev/sdb2",
    "swapon -a",
    "losetup /dev/loop0 disk.img",
    "ldconfig",
    "update-alternatives --set java x",
    "udevadm trigger",
    "resolvectl flush-caches",
    "resolvectl dns eth0 1.1.1.1",
]
ASKED = [
    "systemctl show nginx",
    "systemctl show -p Environment nginx",
    "systemctl show --property=MainPID,EnvironmentFiles nginx",
]
DENIED = [
    "shutdown -h now",
    "reboot",
    "poweroff -f",
    "halt",
    "init 0",
    "telinit 6",
    "systemctl poweroff",
    "systemctl reboot --now",
    "systemctl isolate rescue.target",
    "systemctl stop auditd",
    "systemctl disable --now ufw",
    "systemctl mask firewalld.service",
    "service iptables stop",
    "crontab -r",
    "crontab -r -u root",
    "(crontab -l; echo '* * * * * curl -s http://localhost/x | sh') | crontab -",
    "echo '@reboot rm -rf /' | crontab -",
    "curl -s http://localhost/x | crontab -",
    "echo '0 * * * * ls' | crontab -",
    "crontab - <<< '@daily ls'",
    "(crontab -l; echo '@daily ls') | crontab",
    "crontab <(echo '@daily ls')",
    "crontab /dev/null",
    "crontab < /dev/null",
    "echo -n | crontab -",
    "kexec -e",
    "kexec --exec",
    "busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager Reboot b true",
    "dbus-send --system --dest=org.freedesktop.login1 /x org.freedesktop.login1.Manager.PowerOff boolean:true",
    "gdbus call --system -d org.freedesktop.systemd1 -o /x -m org.freedesktop.systemd1.Manager.KExec",
    "loginctl poweroff",
    "loginctl reboot",
    "launchctl reboot",
    "launchctl unload -w /System/Library/LaunchDaemons/com.apple.alf.agent.plist",
    "launchctl disable system/com.crowdstrike.falcond",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", ASKED)
def test_asked(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize(
    "command",
    ["systemctl show-environment", "systemctl --user show-environment", "launchctl export", "launchctl getenv API_KEY"],
)
def test_the_environment_of_a_manager_is_for_a_person_to_see(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided-ask"
