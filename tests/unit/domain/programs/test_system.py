"""Programs that act on the whole system."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "kill -l",
    "systemctl status nginx",
    "systemctl list-units --failed --no-pager",
    "systemctl is-active nginx",
    "systemctl --help",
    "systemctl reboot --help",
    "service nginx status",
    "service --status-all",
    "crontab -l",
    "passwd -S",
    "ufw status",
    "iptables -L",
    "nft list ruleset",
    "firewall-cmd --list-all",
    "sysctl -a",
    "sysctl kernel.hostname",
    "auditctl -l",
    "getenforce",
    "sestatus",
]
UNDECIDED = [
    "chmod +x build.sh",
    "chmod 755 build.sh",
    "chmod -R 777 .",
    "chmod g+s shared",
    "chmod 2775 shared",
    "chmod u-s x",
    "chmod 0755 x",
    "chmod --reference=a b",
    "chmod 600 ~/.ssh/config",
    "chown me:me notes.txt",
    "chown -R me .",
    "chgrp staff x",
    "chattr +i x",
    "kill 1234",
    "kill -9 1234",
    "kill -9 $pid",
    "kill %1",
    "kill -1 1234",
    "kill -TERM -1234",
    "kill -0 1234",
    "kill -s HUP 1",
    "pkill node",
    "killall python",
    "systemctl restart nginx",
    "systemctl stop nginx",
    "systemctl --user enable x",
    "service nginx restart",
    "crontab jobs.txt",
    "crontab -e",
    "echo '0 * * * * ls' | crontab -",
    "useradd bob",
    "adduser bob",
    "usermod -s /bin/zsh bob",
    "passwd",
    "ufw allow 80",
    "iptables -A INPUT -j DROP",
    "sysctl -w vm.swappiness=10",
    "setenforce 1",
    "shutdown --help",
    "reboot --help",
    "shutdown -c",
    "modprobe x",
    "umount /mnt/x",
    "hostnamectl",
]
DENIED = [
    "chmod -R 777 /",
    "chmod 777 /etc/shadow",
    "chmod a+rwx /usr/bin",
    "chmod +s x",
    "chmod u+s x",
    "chmod a+s x",
    "chmod u+rwxs x",
    "chmod g+x,u+s x",
    "chmod u=rws x",
    "chmod 4755 x",
    "chmod 04755 x",
    "chmod 6755 x",
    "chmod -v u+s x",
    "chown me /etc/passwd",
    "chown -R me:me /",
    "chgrp -R staff /usr",
    "chown --reference=a /etc/passwd",
    "setfacl -m u:me:rwx /etc/shadow",
    "kill -9 -1",
    "kill -- -1",
    "kill -s KILL -1",
    "kill -1 -1",
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
    "useradd -o -u 0 bob",
    "usermod -aG sudo bob",
    "usermod -aG docker,x bob",
    "passwd -d root",
    "passwd root",
    "echo 'root:x' | chpasswd",
    "setenforce 0",
    "ufw disable",
    "ufw --force reset",
    "iptables -F",
    "iptables -P INPUT ACCEPT",
    "nft flush ruleset",
    "auditctl -e 0",
    "auditctl -D",
    "sysctl -w kernel.randomize_va_space=0",
    "sysctl kernel.yama.ptrace_scope=0",
    "aa-teardown",
    "csrutil disable",
    "spctl --master-disable",
    "pkill phocinae",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"
