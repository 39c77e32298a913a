"""Verdicts on commands of the family ``interfaces``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "ip addr",
    "ip a",
    "ip -br addr show",
    "ip route",
    "ip route get 8.8.8.8",
    "ip link show eth0",
    "ip -s link",
    "ifconfig",
    "ifconfig eth0",
    "ss -tlnp",
    "ss -s",
    "netstat -tulpn",
    "netstat -an | grep LISTEN",
    "route -n",
    "arp -a",
    "ss -ltn 'sport = :80'",
    "netstat -rn",
    "ip -4 addr show eth0",
    "ip -j addr",
    "ip neigh",
    "ip rule",
    "ip route s",
    "ip a s",
    "ip link sh",
    "route -n get default",
]
UNDECIDED = [
    "ip addr add 1.2.3.4 dev eth0",
    "ip link set eth0 down",
    "ip netns exec x ls",
    "ip -b file",
    "ifconfig eth0 down",
    "ss -K",
    "ss -D x",
    "route add default gw x",
    "arp -d x",
    "arp evil.com",
    "ip link s eth0 down",
    "ip l s eth0 up",
    "ifconfig -a down",
    "route flush",
    "netstat -z",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer


def test_passwords_of_connections_are_for_a_person_to_see(judged: Callable[[str], str]) -> None:
    assert judged("nmcli connection show wifi") == "allow"
    assert judged("nmcli -s connection show wifi") == "undecided-ask"


@pytest.mark.parametrize(
    "command", ["ip netns exec x rm -rf /", "ip -4 netns exec x rm -rf /", "ip vrf exec x rm -rf ~"]
)
def test_what_ip_runs_is_judged(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"
