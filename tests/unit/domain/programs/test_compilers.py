"""Verdicts on the programs of `phocinae.domain.programs.compilers`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
gcc --version
gcc -v
gcc -dumpversion
g++ --version
clang --version
java -version
java --version
javac -version
ld --version
ffmpeg -version
nginx -v
openssl version
openssl version -a
protoc --version
pkg-config --modversion x
pandoc --version
""",
    "undecided": r"""
gcc x.c
gcc -v x.c
java -jar app.jar
java Foo
javac A.java
ffmpeg -i a b
openssl genrsa -out k
nginx
""",
    "deny": r"""
echo cm0= | openssl base64 -d | sh
openssl enc -d -base64 -in x | bash
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
