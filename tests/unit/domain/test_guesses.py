"""The second look at a text: what a value most likely comes to denies, and allows nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain import guesses
from phocinae.domain.values import BREAK, CWD, HOLE, HOME, Field, Stream
from phocinae.domain.variables import Variables

DENIED = r"""
rm -rf ${x:-/}
rm -rf "${x-/etc}"
rm -rf "${1:-$HOME}"
rm -rf "${x:=/}"
: ${x:=/}; rm -rf $x
cd "${x:-/}" && rm -rf *
rm -rf ${PWD%/*}
rm -rf "${HOME%/*}"
x=/etc/foo; rm -rf ${x%/*}
x=/etc/foo/bar; rm -rf ${x%%/foo*}
x=a/b/etc; rm -rf /${x##*/}
x=xx/etc; rm -rf ${x#xx}
x=/ETC; rm -rf ${x,,}
x=/atc; rm -rf ${x/a/e}
x=abc/etc; rm -rf ${x:3}
x=/etcabc; rm -rf ${x:0:4}
x=rmm; ${x%m} -rf /
x=r; x+=m; $x -rf /
x=(/ /etc); rm -rf "${x[@]}"
x=(a /etc); rm -rf "${x[1]}"
x=(rm -rf /); "${x[@]}"
declare -a x=(/ /etc); rm -rf "${x[@]}"
local x=(/etc); rm -rf "${x[0]}"
read -ra x <<< "/ /etc"; rm -rf "${x[@]}"
rm -rf "$(git rev-parse --show-toplevel)"
ls / | xargs -I@ chmod -R 777 /@
x=(rm); x+=(-rf /); "${x[@]}"
read x <<< /; rm -rf $x
read a b <<< "x /etc"; rm -rf "$b"
mapfile -t x <<< /; rm -rf "${x[@]}"
printf -v x %s /; rm -rf $x
unset x; rm -rf "$x"/*
IFS=,; x=rm,-rf,/; $x
while read x; do rm -rf "$x"; done <<< /
printf '%s\n' a /etc | while read -r x; do rm -rf "$x"; done
for x in $(ls /); do rm -rf "/$x"; done
ls / | xargs -I@ rm -rf /@
ls ~ | while read -r x; do rm -rf ~/"$x"; done
ls -d /* | while read -r x; do rm -rf "$x"; done
rm -rf $(ls)
rm -rf $(find ~)
rm -rf "$(cd / && pwd)"
find / -exec sh -c 'rm -rf "$1"' _ {} \;
select x in /; do rm -rf $x; done
CDPATH=/; cd etc && rm -rf *
cd /; cd /tmp; cd -; rm -rf *
cd /; cd /tmp; rm -rf ~-
"$(type -p rm)" -rf /
/bin/r? -rf /
/usr/bin/[r]m -rf /
cd /bin && ./rm -rf /
../../../../bin/rm -rf /
alias r='rm -rf'; r /
alias r=rm; r -rf /
hash -p /bin/rm x; x -rf /
rm -rf ${PWD:0:1}
rm -rf ${PATH:0:1}
rm -rf $(printf '\x2f')
rm -rf $(echo -e '\x2fetc')
rm -rf $(echo L2V0Yw== | base64 -d)
rm -rf $(echo 2f | xxd -r -p)
rm -rf $(echo cte/ | rev)
$(echo cm0= | base64 -d) -rf /
x=$(base64 -d <<< cm0=); $x -rf /
$(echo es | tr a-z n-za-m) -rf /; $(echo ez | tr a-z n-za-m) -rf /
echo '/ /etc' | tr ' ' '\n' | xargs rm -rf
$(printf '\x72\x6d') -rf /
if test -d x; then d=/; else d=/etc; fi; rm -rf "$d"
case $1 in a) d=/;; *) d=/etc;; esac; rm -rf $d
d=x; test -n "$y" && d=/; rm -rf "$d"
if test -n "$x"; then cd /; fi; rm -rf *
""".strip().splitlines()
UNDECIDED = r"""
rm -rf "$x"/*
rm -rf "${x:?}"/*
rm -rf "${x:-/tmp/cache}"
rm -rf "${x:-./build}"/*
cd "${x:-src}" && rm -rf build
x=/tmp/foo/bar; rm -rf ${x%/*}
x=(build dist); rm -rf "${x[@]}"
read x <<< build; rm -rf $x
while read x; do rm -rf "$x"; done < list.txt
while read x; do rm -rf "$x"; done <<< build
ls templates | xargs rm -f
ls build | xargs -I{} rm -rf build/{}
for x in $(ls build); do rm -rf "build/$x"; done
for x in $(git ls-files); do rm "$x"; done
unset x; rm -rf build
rm -rf $(find . -name '*.pyc')
cd "$x"; rm -rf build
if test -d x; then d=build; else d=dist; fi; rm -rf "$d"
if test -d x; then cd x; fi; rm -rf build
rm -rf $(echo YnVpbGQ= | base64 -d)
rm -rf $(printf '\x62uild')
./rm -rf build
./scripts/shutdown now
alias r='rm -rf'; r build
rm -rf "$(git rev-parse --show-toplevel)/dist"
""".strip().splitlines()
ALLOWED = r"""
echo "${x:-/}"
ls "${x:-/}"
x=/a/b; echo ${x%/*}
x=(a b); echo "${x[@]}"
for x in $(ls); do echo "$x"; done
""".strip().splitlines()


@pytest.mark.parametrize("text", DENIED)
def test_what_is_most_likely_denies(judged: Callable[[str], str], text: str) -> None:
    assert judged(text) == "deny"


@pytest.mark.parametrize("text", UNDECIDED)
def test_what_is_harmful_in_no_likely_case_is_not_denied(judged: Callable[[str], str], text: str) -> None:
    assert judged(text).startswith("undecided")


@pytest.mark.parametrize("text", ALLOWED)
def test_a_guess_takes_no_allow_away(judged: Callable[[str], str], text: str) -> None:
    assert judged(text) == "allow"


@pytest.mark.parametrize(
    "text",
    [
        "grep KEY ${x:-.env}",
        'grep -n KEY "${x:=.env}"',
        "x=q.env; grep KEY ${x#q}",
        "read f <<< .env; grep KEY $f",
        "x=(a .env); grep KEY ${x[1]}",
        "wc -c < ${x:-.env}",
    ],
)
def test_a_secret_that_is_most_likely_read_is_a_matter_for_a_person(judged: Callable[[str], str], text: str) -> None:
    assert judged(text) == "undecided-ask"


@pytest.mark.parametrize("text", ["x=${y:-ls}; $x", "read x y <<< ls; $x", "x=(ls); ${x[0]}", "x=lsx; ${x%x}"])
def test_no_allow_rests_on_a_guess(judged: Callable[[str], str], text: str) -> None:
    assert judged(text) == "undecided-ask"


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [
        ("%/*", "/a/b/c", "/a/b"),
        ("%%/*", "/a/b/c", ""),
        ("#*/", "a/b/c", "b/c"),
        ("##*/", "a/b/c", "c"),
        ("%.c", "x.c", "x"),
        ("#x", "xy", "y"),
        ("%x*y", "axby", "a"),
        ("%?", "ab", HOLE),
        ("/a/b", "aa", "ba"),
        ("//a/b", "aa", "bb"),
        ("//a", "aba", "b"),
        ("/a*/b", "aa", HOLE),
        (":1", "abc", "bc"),
        (":0:2", "abc", "ab"),
        (": -2", "abc", "bc"),
        ("^", "abc", "Abc"),
        ("^^", "abc", "ABC"),
        (",,", "ABC", "abc"),
        ("@Q", "abc", HOLE),
        ("[1]", f"a{BREAK}b", "b"),
        ("[-1]", f"a{BREAK}b", "b"),
        ("[7]", f"a{BREAK}b", ""),
        ("%/*", CWD, f"{CWD}/.."),
        ("%/*", HOME, f"{HOME}/.."),
        ("%/", HOME, HOME),
        ("%x", HOLE, HOLE),
    ],
)
def test_operators(operator: str, value: str, expected: str) -> None:
    assert guesses.parameter("x", operator, (value, 0), []) == expected


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [(":-", None, "w"), ("-", "", "w"), (":=", "v", "v"), ("+", "v", "w"), (":+", "", ""), (":?", "v", "v")],
)
def test_operators_with_a_word(operator: str, value: str | None, expected: str) -> None:
    assert guesses.parameter("x", operator, None if value is None else (value, 0), [Field("w")]) == expected


def test_a_replacement_that_grows_without_end_is_not_made() -> None:
    assert guesses.parameter("x", "//a/" + "b" * 9_999, ("a" * 9_999, 0), []) == HOLE


def test_the_lines_of_an_input() -> None:
    assert [line.text for line in guesses.lines(Stream("a\n\nb\n").perhaps())] == ["a\n", "b\n"]
    assert guesses.lines(Stream(None)) == [Stream(None)]
    assert len(guesses.lines(Stream("a\n" * 99))) == guesses.MOST_LINES


def test_read_leaves_the_rest_to_the_last_name() -> None:
    state = Variables()
    guesses.read(Stream("a b c\nd\n"), ["x", "y"], state)
    assert (state.get("x"), state.get("y")) == (("a", 0), ("b c", 0))
