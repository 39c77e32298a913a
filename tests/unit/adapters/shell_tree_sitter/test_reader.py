from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby, pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader, tree
from phocinae.domain.request import COMMAND_LIMIT
from phocinae.domain.shell import Command, Gap, Node, Part, PartKind, Reading, Word
from phocinae.domain.verdict import ReadingStatus

COMPLETE, UNKNOWN, REFUSED = ReadingStatus.COMPLETE, ReadingStatus.UNKNOWN, ReadingStatus.REFUSED

PIECES = (
    "cnry a b x1 -n --y=z . / é 文 2 , @ ^ ~ * ? [ ] { } {a,b} ! = == ' \" \\ ` $ $x ${x ${x:- $( $(( )) ) ( (( # ; & "
    "&& | || |& < > << <<A <<'A' <<- <<< <> >& 2>&1 &> if then else fi for in do done while case esac function f() "
    "time coproc [[ ]] $' <( >( =( @( A= A=( A[ A+= export unset \r \t \x0b \u00a0 \u200b \U0001f600"
).split(" ")

SHELLISH = st.lists(st.sampled_from([*PIECES, " ", " ", "\n", "\\\n", "\nA\n"]), max_size=25).map("".join)
BARE = st.lists(st.text("abAZ09_./:,@%+-", min_size=1, max_size=8), min_size=1, max_size=5)


def literal(text: str, start: int) -> Word:
    return Word((Part(kind=PartKind.LITERAL, text=text),), start, start + len(text))


def refused(text: str, why: str) -> Reading:
    return Reading(status=REFUSED, gaps=(Gap(0, len(text), why),))


# --- what is read


def test_a_bare_command(read: Callable[[str], Reading]) -> None:
    words = (literal("git", 1), literal("log", 5), literal("--format=%h", 9))
    assert read(" git log --format=%h ") == Reading(status=COMPLETE, script=Command((), words, (), 1, 20))


def test_a_gap_makes_a_reading_unknown(read: Callable[[str], Reading]) -> None:
    assert read("do é") == Reading(
        status=UNKNOWN,
        script=Command((), (literal("do", 0), literal("é", 3)), (), 0, 4),
        gaps=(Gap(0, 4, "the reserved word do where the parser saw a program"),),
    )


def test_a_difference_leaves_a_reading_complete(read: Callable[[str], Reading]) -> None:
    assert read("repeat é") == Reading(
        status=COMPLETE,
        script=Command((), (literal("repeat", 0), literal("é", 7)), (), 0, 8),
        differences=(Gap(0, 8, "repeat is a reserved word of zsh"),),
    )


@pytest.mark.parametrize("name", ["if", "time", "export", "unset", "coproc", "repeat", "noglob", "foreach", "end"])
def test_a_word_that_means_something_is_read_by_the_parser(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreachable(*_: object) -> None:
        raise RuntimeError("the parser")

    monkeypatch.setattr("phocinae.adapters.shell_tree_sitter.script.read", unreachable)
    with pytest.raises(RuntimeError, match="the parser"):
        TreeSitterReader().read(f"{name} a")
    assert TreeSitterReader().read(f"./{name} a").status is COMPLETE


@given(BARE, st.lists(st.integers(1, 3), min_size=6, max_size=6))
@example(["time", "a"], [1] * 6)
@example(["export", "a"], [1] * 6)
@example(["2", "a"], [1] * 6)
@example(["-", "a"], [1] * 6)
@example(["a:b", "%", "@"], [1] * 6)
def test_what_is_read_without_a_parser_is_what_the_parser_says(pieces: list[str], blanks: list[int]) -> None:
    text = "".join(" " * count + piece for count, piece in zip(blanks, pieces, strict=False))
    reader = TreeSitterReader()
    parsed = reader.read(f"{text}\n")
    assert parsed.script is None or reader.read(text) == parsed  # the grammar refuses 9@ and the like


def test_a_simple_list_loads_no_parser() -> None:
    code = (
        "import sys; from phocinae.adapters.shell_tree_sitter import TreeSitterReader as R;"
        "R().read('git status --short; ls | head -5'); "
        "print(any(name.startswith('tree_sitter') for name in sys.modules));"
        "R().read('a; $b'); print('tree_sitter' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.split() == ["False", "True"]


# --- what is refused


@pytest.mark.parametrize("text", ["a" * (COMMAND_LIMIT + 1), "a " * COMMAND_LIMIT, "é" * (COMMAND_LIMIT + 1)])
def test_a_text_that_is_too_long(read: Callable[[str], Reading], text: str) -> None:
    assert read(text) == refused(text, f"the text is longer than {COMMAND_LIMIT} characters")


def test_the_limit_counts_characters(read: Callable[[str], Reading]) -> None:
    assert read(("x" * 99 + " ") * (COMMAND_LIMIT // 100)).status is COMPLETE
    assert read("'" + "é" * (COMMAND_LIMIT - 2) + "'").status is COMPLETE


@pytest.mark.parametrize("text", ["\0", "ls\0", "ls '\0'", "\0" * COMMAND_LIMIT])
def test_a_nul_is_refused_unread(read: Callable[[str], Reading], text: str) -> None:
    assert read(text) == refused(text, "the text holds a NUL character, at which shells disagree")


@pytest.mark.parametrize("text", ["\ud800", "ls \udcff", "echo '\udfff'"])
def test_a_lone_surrogate_is_refused_unread(read: Callable[[str], Reading], text: str) -> None:
    assert read(text) == refused(text, "the text holds a lone surrogate, which no shell can be given")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("ls (", "the text does not parse"),
        ("cat <<E", "a here-document without its end"),
        ("a;" * 10_000, "reading the text takes too much work"),
        ("a|" * 9_000 + "b", "reading the text takes too much work"),
        ("abcdefgh|" * 2_200, "reading the text takes too much work"),
    ],
)
def test_the_reason_of_a_refusal(read: Callable[[str], Reading], text: str, why: str) -> None:
    assert read(text) == refused(text, why)


def test_a_caller_deep_in_the_stack_gets_a_reading(read: Callable[[str], Reading]) -> None:
    text = "(" * 30 + "ls" + ")" * 30

    def deeper(left: int) -> ReadingStatus:
        return read(text).status if left == 0 else deeper(left - 1)

    def outcome(depth: int) -> ReadingStatus | None:
        try:
            return deeper(depth)
        except RecursionError:  # before the reader was reached
            return None

    outcomes = [outcome(depth) for depth in range(0, sys.getrecursionlimit(), 5)]
    assert outcomes[0] is COMPLETE
    assert outcomes[-1] is None
    assert [found for found, _ in groupby(outcomes)] == [COMPLETE, REFUSED, None]


# --- work


def test_the_verdict_on_work_is_the_same_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "perf_counter", lambda: 0.0)
    monkeypatch.setattr(tree, "MOST_CALLBACKS", 50)
    reader = TreeSitterReader()
    text = "a|" * 2_000 + "b"
    assert {reader.read(text) for _ in range(3)} == {refused(text, "reading the text takes too much work")}
    shorter = "a|" * 100 + "b"
    assert {reader.read(shorter).status for _ in range(3)} == {COMPLETE}


def test_a_slow_machine_is_spared(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(10**6))
    monkeypatch.setattr(tree, "perf_counter", lambda: float(next(now)))
    text = "a | b " * 100 + "c"
    assert TreeSitterReader().read(text) == refused(text, "reading the text takes too much work")


HOSTILE = ["a=(" * 3_000, "$(" * 5_000, "a|" * 9_000, "<" * 9_000, "@(a" * 5_000]
TEXTS = ["ls", "rm -rf x", "a; b", "echo $(cat x) | d >f", "cat <<E\n$(a)\nE\n", "for i in a; do b; done", "(", "a `b`"]


def test_a_refused_text_never_influences_the_next_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_CALLBACKS", 20)
    reader = TreeSitterReader()
    before = [reader.read(text) for text in TEXTS]
    for hostile in HOSTILE:
        for text, expected in zip(TEXTS, before, strict=True):
            assert reader.read(hostile).status is REFUSED
            assert reader.read(text) == expected


def test_two_readers_in_eight_threads_agree_with_one() -> None:
    texts = [*TEXTS, "if a; then b; fi", 'x="$y" z', "[[ a == b ]]", "{a,b} c", "f() { a; }", "a\\\nb", "é `文`"] * 40
    readers = TreeSitterReader(), TreeSitterReader()
    expected = [readers[0].read(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        found = pool.map(lambda numbered: readers[numbered[0] % 2].read(numbered[1]), enumerate(texts))
        assert list(found) == expected


# --- whatever the text


def check(text: str, everything: Callable[[Reading], list[Node | Word]]) -> Reading:
    """Assert what holds for the reading of any text, and return the reading."""
    reading = TreeSitterReader().read(text)
    assert (reading.status is COMPLETE) == (not reading.gaps)
    assert (reading.status is REFUSED) == (reading.script is None)
    for gap in reading.gaps + reading.differences:
        assert 0 <= gap.start <= gap.end <= len(text)
        assert gap.why
    for found in everything(reading):
        assert 0 <= found.start <= found.end <= len(text)
        if not isinstance(found, Command):
            continue
        ranges = [(word.start, word.end) for word in found.words]
        assert all(first[0] <= second[0] and first[1] <= second[1] for first, second in pairwise(ranges))
        for redirection in found.redirections:
            assert 0 <= redirection.start <= redirection.end <= len(text)
        for assignment in found.assignments:
            assert 0 <= assignment.start <= assignment.end <= len(text)
    return reading


@given(st.text(max_size=60))
@example("a" * COMMAND_LIMIT + "\ud800")
def test_any_text_has_a_reading(everything: Callable[[Reading], list[Node | Word]], text: str) -> None:
    check(text, everything)


@given(SHELLISH)
@example('a$"é"')
@example("cnry $é")
@example("`é\n`")
@example("cat <<é\n$(é)\né\n`文`")
@example("a=(cnry)1 2>f cnry")
def test_any_text_of_shell_syntax_has_one(everything: Callable[[Reading], list[Node | Word]], text: str) -> None:
    assert check(text, everything) == TreeSitterReader().read(text)


@given(SHELLISH, SHELLISH)
def test_an_invisible_program_is_never_put_behind_a_separator(
    shown: Callable[[Reading], set[str]], before: str, after: str
) -> None:
    """A program on a line of its own, in front of any text, is a command whatever follows: seen, or not vouched for."""
    reading = TreeSitterReader().read(f"hidden\n{before}{after}")
    assert reading.status is not COMPLETE or "hidden" in shown(reading)


@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("frob x", []),
        ("frob x # é y", ["# é y"]),
        ("# a\n\nfrob # b\n# c", ["# a", "# b", "# c"]),
        ("é '# no' \"#no\" a#b # yes", ["# yes"]),
        ("if a; then # 1\n b # 2\nfi # 3", ["# 1", "# 2", "# 3"]),
        ("case x in # 1\n a) b;; # 2\nesac", ["# 1", "# 2"]),
        ("f() { # 1\n a # 2\n}", ["# 1", "# 2"]),
        ("a && # 1\nb | # 2\nc", ["# 1", "# 2"]),
        ("x=( # 1\n 1 # 2\n)", ["# 1", "# 2"]),
        ('a "$(b # 1\n)" # 2', ["# 1", "# 2"]),
        ("a <<'E' # 1\n# no\nE\n# 2", ["# 1", "# 2"]),
        ("time a # 1\n! b # 2", ["# 1", "# 2"]),
        ("a `b # 1\n`", [""]),
        ("a\\\n# x", []),
        ("a 'b # x", []),
    ],
)
def test_comments_are_found(text: str, comments: list[str]) -> None:
    found = TreeSitterReader().read(text)
    assert [text[start:end] for start, end in found.comments] == comments
