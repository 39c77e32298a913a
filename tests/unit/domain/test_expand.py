"""Word expansion: what a word comes to, as far as all shells agree on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain import expand
from phocinae.domain.shell import Command, Node
from phocinae.domain.values import ANY, CWD, HOLE, HOME, NUMBER, SPLIT, STAR, Field, Taint
from phocinae.domain.variables import Variables
from phocinae.domain.verdict import Decision
from phocinae.domain.walk import Walker

Script = Callable[[str], Node]


def known() -> Variables:
    state = Variables()
    for name, text in {"a": "x", "two": "x y", "glob": "*.py", "empty": "", "n": "7", "opt": "-n"}.items():
        state.set(name, (text, Taint.NONE))
    state.set("hole", (f"x{HOLE}", Taint.REMOTE))
    return state


def fields(text: str, script: Script, state: Variables | None = None) -> tuple[list[str], set[str]]:
    """Return the words behind ``:`` and the rules that were hit."""
    walker = Walker(TreeSitterReader(), Decision.ALLOW)
    node = script(f": {text}")
    assert isinstance(node, Command)
    state = known() if state is None else state
    found = [field for word in node.words[1:] for field in expand.fields(walker, word, state)]
    return [field.text for field in found], {hit.rule for hit in walker.hits.heaviest_first()}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a b", ["a", "b"]),
        ("'a b'", ["a b"]),
        ("''", [""]),
        ('""', [""]),
        ("$a", ["x"]),
        ("${a}", ["x"]),
        ('"$a"', ["x"]),
        ("'$a'", ["$a"]),
        ("$empty", []),
        ('"$empty"', [""]),
        ("a$empty", ["a"]),
        ('"$two"', ["x y"]),
        ('a"$two"b', ["ax yb"]),
        ("$glob", [f"{STAR}.py"]),
        ('"$glob"', ["*.py"]),
        ("$unset", [SPLIT]),
        ('"$unset"', [HOLE]),
        ('pre"$unset"', [f"pre{HOLE}"]),
        ("pre$unset", [f"pre{SPLIT}"]),
        ("$hole", [f"x{SPLIT}"]),
        ("$#", [NUMBER]),
        ("$?", [NUMBER]),
        ("${#a}", [NUMBER]),
        ("$((1+n))", [NUMBER]),
        ("~", [HOME]),
        ("~/x", [f"{HOME}/x"]),
        ("~root", ["/root"]),
        ("~ann/x", ["/home/ann/x"]),
        ("~1/x", [f"{HOLE}/x"]),
        ("~+2", [HOLE]),
        ("~PWD/x", [f"{HOLE}/x"]),
        ("~+", [CWD]),
        ('"~"', ["~"]),
        ("*.py", [f"{STAR}.py"]),
        ("a?", [f"a{ANY}"]),
        ("a[bc]d", [f"a{ANY}d"]),
        (".[e]nv", [f".{ANY}nv"]),
        ("[", ["["]),
        ("'['a]", ["[a]"]),
        ("{a,b}c", ["ac", "bc"]),
        ("${a:-z}", ["x"]),
        ("${unset:-z}", [SPLIT]),
        ("${empty:-z}", ["z"]),
        ("${empty:=z}", ["z"]),
        ("${empty-z}", [SPLIT]),
        ("${a:+z}", ["z"]),
        ("${a#x}", [SPLIT]),
        ("$(echo hi)", ["hi"]),
        ('"$(echo hi)"', ["hi"]),
        ("$(echo a b)", ["a", "b"]),
        ('"$(echo a b)"', ["a b"]),
        ("$(printf 'a\\n\\n')", ["a"]),
        ("x$(echo a b)y", ["xa", "by"]),
        ("$(uname)", [SPLIT]),
        ('"$(uname)"', [HOLE]),
        ("<(echo)", ["/dev/fd/63"]),
        ('"$1"', [HOLE]),
        ("$1", [SPLIT]),
        ('"$@"', [SPLIT]),
    ],
)
def test_what_words_come_to(text: str, words: list[str], script: Script) -> None:
    assert fields(text, script)[0] == words


def test_only_blanks_of_ifs_divide_a_word(script: Script) -> None:
    assert fields("$(printf 'a\\vb\\fc')", script)[0] == ["a\vb\fc"]


def test_zsh_does_not_divide_a_parameter_so_that_no_allow_rests_on_it(script: Script) -> None:
    assert fields("$two", script) == (["x", "y"], {"shells-differ"})
    assert fields("$(echo a b)", script) == (["a", "b"], set())


def test_with_another_ifs_nothing_is_known_of_the_words(script: Script) -> None:
    state = known()
    state.set("IFS", (":", Taint.NONE))
    assert fields("$a", script, state)[0] == [SPLIT]
    assert fields('"$a"', script, state)[0] == ["x"]


@pytest.mark.parametrize(
    ("given", "text", "words"),
    [
        (["a", "b"], '"$1" "$2" "$3"', ["a", "b", ""]),
        (["a", "b"], "$1 $3", ["a"]),
        (["a", "b"], '"$@"', ["a", "b"]),
        (["a", "b"], 'x"$@"y', ["xa", "by"]),
        (["a", "b"], '"$*"', ["a b"]),
        (["a b"], '"$@"', ["a b"]),
        (["a b"], "$@", ["a", "b"]),
        ([], '"$@"', []),
        ([], '"$*"', [""]),
        ([SPLIT, "b"], '"$2"', [HOLE]),
        ([STAR, "b"], '"$2"', [HOLE]),
        (["a", SPLIT], '"$1"', ["a"]),
        (["a", SPLIT], '"$@"', ["a", SPLIT]),
        (["*"], "$1", [STAR]),
        ([f"{CWD}/x"], '"$1"', [f"{CWD}/x"]),
    ],
)
def test_parameters_by_place(given: list[str], text: str, words: list[str], script: Script) -> None:
    state = Variables()
    state.positional = [Field(word) for word in given]
    assert fields(text, script, state)[0] == words


@pytest.mark.parametrize("text", ["$((n))", "$((n+1))", "$(($# - 1))", "$((0x1f))", "$((16#ff))", "$((RANDOM % 6))"])
def test_arithmetic_on_numbers_is_harmless(text: str, script: Script) -> None:
    assert fields(text, script) == ([NUMBER], set())


@pytest.mark.parametrize("text", ["$((unset))", "$((a))", "$((two+1))", "$(($unset))", '$(("$a"))', "$((hole))"])
def test_arithmetic_evaluates_what_variables_hold(text: str, script: Script) -> None:
    assert "evaluates-text" in fields(text, script)[1]


@pytest.mark.parametrize("expression", ["n=3", "n+=2", "n++", "--n", "n <<= 1", "n = n * 2"])
def test_arithmetic_assigns(expression: str, script: Script) -> None:
    state = known()
    fields(f"$(({expression}))", script, state)
    assert state.get("n") == (NUMBER, Taint.NONE)


@pytest.mark.parametrize("expression", ["n == 3", "n <= 2", "n != 1", "n >= 1", "n - 1"])
def test_arithmetic_comparisons_assign_nothing(expression: str, script: Script) -> None:
    state = known()
    fields(f"$(({expression}))", script, state)
    assert state.get("n") == ("7", Taint.NONE)


def test_an_expansion_that_assigns_makes_a_variable_unknown(script: Script) -> None:
    state = known()
    assert fields('"${a:=z}" "${empty:=z}"', script, state)[1] == set()
    assert state.get("a") == (HOLE, Taint.NONE)
    assert fields('"${PATH:=z}"', script)[1] == {"sets-variable"}


def test_the_name_of_a_secret_is_noticed(script: Script) -> None:
    assert fields('"$GITHUB_TOKEN"', script)[1] == {"secret-variable"}
    assert fields('"${#GITHUB_TOKEN}" "${GITHUB_TOKEN:+set}"', script)[1] == set()


def test_origin_flows_through(script: Script) -> None:
    walker = Walker(TreeSitterReader(), Decision.ALLOW)
    node = script(': "$(curl -s http://localhost/x)" "$hole"')
    assert isinstance(node, Command)
    found = [field for word in node.words[1:] for field in expand.fields(walker, word, known())]
    assert [field.taint for field in found] == [Taint.REMOTE | Taint.PRINTED, Taint.REMOTE]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("> $two", HOLE),
        ("> $a", "x"),
        ('> "$two"', "x y"),
        ("> *.py", f"{STAR}.py"),
        ("> '*'", "*"),
        ("> $empty", HOLE),
    ],
)
def test_the_word_behind_a_redirection(text: str, value: str, script: Script) -> None:
    walker = Walker(TreeSitterReader(), Decision.ALLOW)
    node = script(f": {text}")
    assert isinstance(node, Command)
    assert expand.target(walker, node.redirections[0].target, known()).text == value


def test_words_do_not_grow_without_end(script: Script) -> None:
    state = Variables()
    state.set("x", ("a " * 9_000, Taint.NONE))
    with pytest.raises(expand.TooMuch):
        fields("$x", script, state)
    state.set("x", ("a" * 15_000, Taint.NONE))
    assert fields('"$x$x"', script, state)[0] == [SPLIT]
    with pytest.raises(expand.TooMuch):
        fields(" ".join(['"$x"'] * 40), script, state)


@pytest.mark.parametrize(
    "command",
    [
        '[ -n "$API_TOKEN" ]',
        '[ -z "${API_TOKEN}" ] && echo missing',
        'test -n "$API_TOKEN" && echo set',
        '[ "$API_TOKEN" = "" ]',
        "[[ -n $API_TOKEN ]] && echo set",
        'if [ -z "${API_TOKEN:-}" ]; then echo missing; fi',
        '[ -n "$API_TOKEN" -a -n "$DB_PASSWORD" ]',
    ],
)
def test_to_look_whether_a_secret_is_set_shows_none(judged: Callable[..., str], command: str) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize(
    "command",
    [
        "[ -n $API_TOKEN ]",
        '[ "$API_TOKEN" -eq 1 ]',
        '[ -f "$API_TOKEN" ]',
        "[[ $API_TOKEN =~ (.*) ]] && echo ${BASH_REMATCH[0]}",
        '[ -n "$(echo $API_TOKEN)" ]',
        '[ -n "$(for x in "$API_TOKEN"; do echo "$x" >&2; done)" ]',
        '[ a ]; for x in "$API_TOKEN"; do echo "$x"; done',
        '[ -n "$API_TOKEN" ] && echo "$API_TOKEN"',
        '[ a ] && x="$API_TOKEN"; echo "$x"',
        "bash -x -c '[ -n \"$API_TOKEN\" ]'",
        'set -x; [ -n "$API_TOKEN" ]',
    ],
)
def test_a_message_or_another_command_may_show_the_secret(judged: Callable[..., str], command: str) -> None:
    assert judged(command) == "undecided-ask"
