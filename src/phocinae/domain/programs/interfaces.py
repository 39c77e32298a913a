"""Programs that show the state of the network without using it.

Sources: ip(8), ifconfig(8), ss(8), netstat(8), route(8), arp(8), nmcli(1).
"""

from __future__ import annotations

from ..calls import Call
from ..usage import Usage
from ..values import Stream
from .judging import DIGITS
from .outlines import Descriptions, outline

_IP = (
    "-4 -6 -0 -B -M -V -N -a -br -brief -c?text -color?text -d -details -D -echo -f:text -family:text -h "
    "-human -human-readable "
    "-iec -j -json -l:text -loops:text -o -oneline -p -pretty -r -resolve -rc:text -s -ss -stats -statistics "
    "-t -timestamp "
    "-ts -tshort -Numeric -all --brief --color?text --details --json --pretty --stats --oneline"
)
_IP_THINGS = frozenset(
    "a ad addr addre addres address r ro rou rout route l li lin link n ne nei neigh neighbor neighbour ru "
    "rule maddress maddr mroute "
    "netns ns tunnel tuntap token nexthop vrf tcp_metrics ntable netconf".split()
)  # fmt: skip
_IP_LINKS = frozenset("l li lin link".split())
"""Where a lone ``s`` means ``set``."""
_IP_SHOWS = frozenset("s sh sho show l ls lst li lis list g ge get".split())

_SS = (
    "-a -b -B -e -E -f:text -F:scan -h -H -i -l -m -M -n -N:text -o -O -p -P -Q -r -s -S -t -T -u -U -V -w "
    "-x -z -Z -0 -4 -6 -A:text --all "
    "--bound-inactive --bpf --cgroup --context --contexts --dccp --events --extended --family:text --help "
    "--info --inet-sockopt "
    "--ipv4 --ipv6 --listening --memory --mptcp --net:text --no-header --no-queues --numeric --oneline "
    "--options --packet "
    "--processes --query:text --raw --resolve --sctp --socket:text --summary --tcp --tcp-inet --threads "
    "--tipc --tipcinfo --tos --udp "
    "--unix --vsock --xdp"
)
_NETSTAT = (
    "-a -A:text -b -B -c -C -d -e -f:text -F -g -h -i -I?text -l -L -m -M -n -N -o -p -P:text -q -Q -r -R -s "
    "-S -t -T -u -U -v -V -w -W -x -Z -4 "
    "-6 --all --cidr --continuous --extend --fib --groups --interfaces --listening --masquerade --numeric "
    "--numeric-hosts "
    "--numeric-ports --numeric-users --program --programs --raw --route --statistics --tcp --timers --udp "
    "--unix --verbose --wide "
)


def _ip(call: Call, usage: Usage) -> Stream | None:
    """Judge ip: an object alone, or an object with a word for showing; the words behind select."""
    words = [field.text for field in usage.operands]
    if words and words[0] not in _IP_THINGS:
        call.note("unknown-subcommand", usage.operands[0])
    elif len(words) > 1 and (words[1] not in _IP_SHOWS or (words[1] == "s" and words[0] in _IP_LINKS)):
        call.note("changes-system")
        if words[0] in ("netns", "ns", "vrf") and words[1] in ("exec", "exe", "ex", "e"):
            for first in usage.operands[2:4]:  # behind a name, or with -all at once
                call.run(call.args[next(at for at, word in enumerate(call.args) if word is first) :])
    return None


def _ifconfig(call: Call, usage: Usage) -> Stream | None:
    if len(usage.operands) > (not usage.has("-a")):
        call.note("changes-system")
    return None


def _route(call: Call, usage: Usage) -> Stream | None:
    """Judge route, which on BSD shows one route with ``get``."""
    if usage.operands and usage.operands[0].text != "get":
        call.note("changes-system")
    return None


def _nmcli(call: Call, usage: Usage) -> Stream | None:
    words = [field.text for field in usage.operands]
    if usage.has("-s", "--show-secrets"):
        call.note("prints-secret")
    shown = {
        "device": ("status", "show"),
        "connection": ("show",),
        "general": ("status",),
        "networking": (),
        "radio": (),
    }
    found = [thing for thing in shown if words and thing.startswith(words[0])]
    if words and (not found or (len(words) > 1 and words[1] not in shown[found[0]])):
        call.note("changes-system")
    return None


PROGRAMS = Descriptions(
    {
        "ip": outline(_IP, judge=_ip),
        "ifconfig": outline("-a -s -v -l -L -m -u -d", judge=_ifconfig),
        "ss": outline(_SS, "text*"),
        "netstat": outline(_NETSTAT, "text*"),
        "route": outline("-n -e -ee -v -4 -6 -V -h -t -inet -inet6", judge=_route),
        "arp": outline("-a -n -v -e -V -l -i:text -H:text"),
        "nmcli": outline(
            "-t -p -f:text -g:text -c:text -m:text -e:text -w:text --terse --pretty --fields:text "
            "--get-values:text --colors:text --mode:text -s --show-secrets " + DIGITS,
            judge=_nmcli,
        ),
    }
)
