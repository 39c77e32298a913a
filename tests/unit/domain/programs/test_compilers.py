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
gcc -print-prog-name=ld
gcc -print-file-name=libc.so.6
java -XshowSettings:properties -version
java -XX:+PrintFlagsFinal -version
javap -c -p build/Foo.class
javap -cp build/classes com.acme.Foo
jdeps --list-deps app.jar
llvm-config --cxxflags --ldflags
caddy version
memcached -V
mysqld -V
flex -V
claude -v
as --version
dune test
gleam check
gleam format --check
nimble test
rebar3 eunit
""",
    "undecided": r"""
javap -cp @words Main
gcc x.c
gcc -v x.c
java -jar app.jar
java Foo
javac A.java
ffmpeg -i a b
openssl genrsa -out k
nginx
gcc -print-prog-name=ld -wrapper ./x
java -XX:OnError=./x -version
java -XX:Flags=x -version
java -XX:LogFile=x -XX:+UnlockDiagnosticVMOptions -version
java -Xlog:gc:file=x -version
java -javaagent:x -version
java -agentpath:x -XshowSettings -version
java -XshowSettings:x=y -version
javap -J-javaagent:x Foo
javap @args.txt
jdeps -dotoutput x app.jar
jdeps --generate-module-info x app.jar
as -v
flex -v
lex -v
sml -v
gnuplot -v
memcached -v
mongod -v
mysqld -v
elasticsearch -v
aider -v
goose -v
dune build
dune test --x
gleam run
gleam format
nimble install x
rebar3 compile
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
