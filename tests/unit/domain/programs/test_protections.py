"""Firewalls, access control, audit and kernel settings."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "ufw status",
    "iptables -L",
    "nft list ruleset",
    "firewall-cmd --list-all",
    "sysctl -a",
    "sysctl kernel.hostname",
    "auditctl -l",
    "getenforce",
    "sestatus",
    "ufw status verbose",
    "ufw app list",
    "iptables -t nat -L -n -v --line-numbers",
    "iptables -nvL INPUT",
    "ip6tables -S",
    "nft -a list table inet filter",
    "firewall-cmd --zone=public --list-all",
    "firewall-cmd --state",
    "pfctl -sr",
    "pfctl -s info",
    "sysctl -n hw.ncpu",
    "sysctl -ar somaxconn",
    "sysctl vm.swappiness kernel.hostname",
    "aa-status",
    "csrutil status",
    "spctl --status",
]
UNDECIDED = [
    "ufw allow 80",
    "iptables -A INPUT -j DROP",
    "sysctl -w vm.swappiness=10",
    "sysctl -w kernel.core_pattern=core.%p",
    "setenforce 1",
    "ufw allow 22 comment status",
    "ufw delete 1 list",
    "iptables -A INPUT -j ACCEPT -m comment --comment list",
    "iptables -A INPUT -d 10.0.0.1 -j DROP",
    "iptables -L -Z",
    "nft add table list",
    "nft list ruleset ';' add table x",
    "firewall-cmd --add-port=22/tcp --list-all",
    "firewall-cmd --list-all --add-port=22/tcp",
    "pfctl -f rules.conf -sr",
    "sysctl -f /tmp/x",
    "sysctl -qp /tmp/x",
    "sysctl -ep",
    "sysctl --system",
    "sysctl --sys",
    "auditctl -l -R rules",
    "auditctl -s -e 1",
]
DENIED = [
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
    "sysctl -w 'kernel.core_pattern=|/tmp/x'",
    "sysctl kernel.modprobe=/tmp/x",
    "aa-teardown",
    "csrutil disable",
    "spctl --master-disable",
    "auditctl -l -D",
    "auditctl -s -e 0",
    "nft list ruleset ';' flush ruleset",
    "pfctl -F all",
    "iptables -L -F",
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
