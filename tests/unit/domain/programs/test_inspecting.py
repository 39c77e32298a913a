"""Verdicts on commands of the family ``inspecting``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "nm -D lib.so",
    "objdump -d a.out | head -40",
    "objdump -h a.out",
    "readelf -a a.out",
    "size a.out",
    "otool -L a.out",
    "hexyl -n 64 f",
    "pdfinfo f.pdf",
    "tokei src",
    "cloc --exclude-dir=node_modules .",
    "scc",
    "glow README.md",
    "pygmentize -l python f.py",
    "delta a b",
    "bc <<< '1+2'",
    "bc -l <<< 'scale=3; 10/3'",
    "dc -e '2 3 + p'",
    "dc -e '1 2 !<a'",
    "units '1 mile' km",
    "uuidgen",
    "namei -l /etc/passwd",
    "getfacl f",
    "b3sum f",
    "pv f | wc -c",
    "ldd /usr/bin/git",
    'ldd "$(which git)"',
    "getcap -r /usr/bin 2>/dev/null",
    "capsh --print",
]
UNDECIDED = [
    "nm -t @opts x",
    "objdump -M @opts x",
    "addr2line -e @opts",
    "readelf -x @opts x",
    "c++filt -s @opts x",
    "strings -n @opts x",
    "nm @opts",
    "nm --plugin=./x a.out",
    "cloc --out=x .",
    "scc -o x .",
    "glow https://example.com/x.md",
    "pygmentize -x -l ./evil.py f",
    "dc -e '!id'",
    "dc f",
    "c++filt @names",
    "addr2line @names",
    "mediainfo http://example.com/a.mp4",
    "pygmentize -f html -O full,cssfile=out.css a.py",
    "pygmentize -f html -P cssfile=out.css a.py",
    "glow config",
    "glow stash README.md",
    "ldd ./target/debug/app",
    "ldd /usr/bin/../../tmp/x",
]
ASKED = [
    "envsubst < t",
    "mediainfo --Output=file://.env a.mp4",
    "capsh --print --",
    "capsh --print -- -c ls",
]
DENIED = [
    "delta --pager='rm -rf /' a b",
    "dc -e '!rm -rf /'",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
        *((command, "deny") for command in DENIED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
