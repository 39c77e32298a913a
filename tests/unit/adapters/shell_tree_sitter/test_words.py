from __future__ import annotations

import shlex
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.shell import Command, Compound, Kind, Part, PartKind, Word

Words = Callable[[str], tuple[Word, ...]]
Whys = Callable[[str], set[str]]

GLOB, OPAQUE = PartKind.GLOB, PartKind.OPAQUE


def plain(text: str) -> Part:
    return Part(kind=PartKind.LITERAL, text=text)


def quoted(text: str) -> Part:
    return Part(kind=PartKind.LITERAL, text=text, quoted=True)


def parameter(name: str, *, quoted: bool = False) -> Part:
    return Part(kind=PartKind.PARAMETER, text=name, quoted=quoted)


def tilde(user: str = "") -> Part:
    return Part(kind=PartKind.TILDE, text=user)


def program(*words: Word) -> Command:
    return Command((), words, (), words[0].start, words[-1].end)


def word(text: str, start: int) -> Word:
    return Word((plain(text),), start, start + len(text))


def output(script: Command | Compound, *, quoted: bool = False) -> Part:
    return Part(kind=PartKind.COMMAND, script=script, quoted=quoted)


def process(operator: str, script: Command) -> Part:
    return Part(kind=PartKind.PROCESS, operator=operator, script=script)


A_THEN_B = Compound(kind=Kind.LIST, parts=(program(word("a", 4)), program(word("b", 6))), start=2, end=8)

WORDS = {  # each stands behind ``: ``
    # quoting
    "\"a b\"'c'd\\ e": [quoted("a b"), quoted("c"), plain("d"), quoted(" "), plain("e")],
    "''": [quoted("")],
    '""': [quoted("")],
    "a''": [plain("a"), quoted("")],
    "'a\\b'": [quoted("a\\b")],
    "'$x `a` \"'": [quoted('$x `a` "')],
    '"\\$x \\` \\\\ \\" \\a !"': [quoted('$x ` \\ " \\a !')],
    '"a\\\nb"': [quoted("ab")],
    '"a\nb"': [quoted("a\nb")],
    "\\a\\b": [quoted("ab")],
    "a\\$x": [plain("a"), quoted("$"), plain("x")],
    "$'a\\tb'": [quoted("a\tb")],
    '"it\'s"': [quoted("it's")],
    # dollar signs that stand for themselves
    "a$": [plain("a"), quoted("$")],
    '"$"': [quoted("$")],
    '"a$ b $ 5$"': [quoted("a$ b $ 5$")],
    '"$. $%"': [quoted("$. $%")],
    # expansions
    '$x"$y"${z}': [parameter("x"), parameter("y", quoted=True), parameter("z")],
    '"a $x b"': [quoted("a "), parameter("x", quoted=True), quoted(" b")],
    "$a$b": [parameter("a"), parameter("b")],
    "a$x": [plain("a"), parameter("x")],
    "$(a)b": [output(program(word("a", 4))), plain("b")],
    "$(a;b)": [output(A_THEN_B)],
    '"$(a)$(b)"': [output(program(word("a", 5)), quoted=True), output(program(word("b", 9)), quoted=True)],
    '"$(a "b")"': [output(program(word("a", 5), Word((quoted("b"),), 7, 10)), quoted=True)],
    "`a b`": [output(program(word("a", 3), word("b", 5)))],
    '"`a \\"b\\"`"': [output(program(word("a", 4), Word((quoted("b"),), 6, 9)), quoted=True)],
    "`a \\`b\\``": [output(program(word("a", 3), Word((output(program(word("b", 6))),), 5, 8)))],
    "<(a)": [process("<(", program(word("a", 4)))],
    ">(a)": [process(">(", program(word("a", 4)))],
    "a<(b)": [plain("a"), process("<(", program(word("b", 5)))],
    '"<(a)"': [quoted("<(a)")],
    "$((1+$x))": [Part(kind=PartKind.ARITHMETIC, text="1+$x", words=(Word((parameter("x"),), 7, 9),))],
    "$[1+$x]": [Part(kind=PartKind.ARITHMETIC, text="1+$x", words=(Word((parameter("x"),), 6, 8),))],
    # wildcards and tildes
    "a*?": [plain("a"), Part(kind=GLOB, text="*"), Part(kind=GLOB, text="?")],
    "'*'\\?\"*\"": [quoted("*"), quoted("?"), quoted("*")],
    "~": [tilde()],
    "~/x": [tilde(), plain("/x")],
    "~u": [tilde("u")],
    "b=~/x": [plain("b="), tilde(), plain("/x")],
    "--b=~/x": [plain("--b=~/x")],
    "a:~/x": [plain("a:~/x")],
    "'~'": [quoted("~")],
    '~"/x"': [Part(kind=OPAQUE, text="~"), plain(""), quoted("/x")],
    "$x~/y": [parameter("x"), Part(kind=OPAQUE, text="~"), plain("/y")],
    '""~/y': [quoted(""), Part(kind=OPAQUE, text="~"), plain("/y")],
    # what looks like more than it is
    "a#b": [plain("a#b")],
    "a,b": [plain("a,b")],
    "{}": [plain("{}")],
    "@{u}": [plain("@{u}")],
    '"{a,b}"': [quoted("{a,b}")],
    "a=b": [plain("a=b")],
    # non-ASCII
    'é"文$x"é': [plain("é"), quoted("文"), parameter("x", quoted=True), plain("é")],
    "'\u00a0\u200b'": [quoted("\u00a0\u200b")],
}


@pytest.mark.parametrize("text", WORDS)
def test_one_word(words: Words, text: str) -> None:
    assert words(f": {text}") == (word(":", 0), Word(tuple(WORDS[text]), 2, 2 + len(text)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a,b}c", [("ac", 2, 8), ("bc", 2, 8)]),
        ("a{1..2} d", [("a1", 2, 9), ("a2", 2, 9), ("d", 10, 11)]),
        ("x{,y}", [("x", 2, 7), ("xy", 2, 7)]),
        ("é {a,b}", [("é", 2, 3), ("a", 4, 9), ("b", 4, 9)]),
    ],
)
def test_braces_give_several_words(words: Words, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert words(f": {text}")[1:] == tuple(Word((plain(value),), start, end) for value, start, end in expected)


def test_an_assignment_has_no_brace_expansion(script: Callable[[str], Command]) -> None:
    (assignment,) = script("A={a,b}").assignments
    assert assignment.words[0].literal == "{a,b}"


GAPS = {
    **dict.fromkeys([": $(( a # b\n ))", '((a # "\n))'], "an expansion inside a pattern"),
    **dict.fromkeys(
        [": <((a))", ": >((a);b)", ": <((case a in b) c;; esac))"], "brackets that some shell reads as arithmetic"
    ),
    "\\(a": None,
    ": a\\\nb": "a line continuation inside a word or an operator",
    ": $\\\nx": "an expansion of a form that is not known",
    ': "$\\\n(a)"': "an expansion inside a string that the parser passed over",
    ': "$\\\n{x}"': "an expansion inside a string that the parser passed over",
    ': $"a"': "a translated string, a dollar sign before a string in some shells",
    ": a$'b\\'c'": "shells without $'…' end this string at the escaped quote",
    ": a$'\\w'": "an escape that shells read differently",
    ": a$'\\0b'": "an escape that shells read differently",
    ': "$=x"': "an expansion inside a string that the parser passed over",
    ': "a$~"': "an expansion inside a string that the parser passed over",
    ': "$é"': "an expansion inside a string that the parser passed over",
    ": =a": "zsh replaces a leading = by a program's path",
    ": ''=a": "zsh replaces a leading = by a program's path",
    ": {=a,b}": None,
    f": {'a' * 4_097}": "an unquoted word of more than 4096 characters",
    ": a\u00a0b": "an invisible or control character outside quotes",
    ": a\u200bb": "an invisible or control character outside quotes",
    ": \u202eb": "an invisible or control character outside quotes",
    ": a\x0bb": "text that the parser passed over",
    ": a\x07b": "an invisible or control character outside quotes",
    ": a\rb": "text that the parser passed over",
    ": {1..99}": "braces that are too many, or that shells read differently",
    ": {a..C}": "braces that are too many, or that shells read differently",
    ": a}\\\n b": "a } without its {, at which zsh ends a command",
    **dict.fromkeys(
        [": }", ": a} b", ": {a b}", ": {a,b}}", ": ${x}}", ": 'a'}", ': "{"}', ": a}b}", ": x=a}", "x=a}", ": <<< a}"],
        "a } without its {, at which zsh ends a command",
    ),
    **dict.fromkeys([": {}", ": a@{0}", ": a}b", ": ${x}", ": a}${x}", ": a}'b'", ": '}'", ": \\}", ": {a}"], None),
    ": `a `b` c`": None,
    ":\n\\$x": "an unquoted blank inside a word",
    ": &>[ [a]>f": "an unquoted blank inside a word",
    ': "a"\\ \n:': "text that the parser passed over",
    'if : "a"\\ \nthen :; fi': "text that the parser passed over",
}


@pytest.mark.parametrize("text", [text for text, why in GAPS.items() if why])
def test_what_some_shell_reads_in_another_way_is_a_gap(whys: Whys, text: str) -> None:
    assert GAPS[text] in whys(text)


@pytest.mark.parametrize("text", [text for text, why in GAPS.items() if not why])
def test_what_only_looks_like_that_is_not(words: Words, text: str) -> None:
    assert words(text)


@given(
    st.text(
        st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n\t\\'\"$`!*?[]{}~#=()<>;&|é"), max_size=30
    )
)
@example("")
@example("-")
@example("'")
@example("\\")
@example("a\\\nb")
@example("$(a)`b`${c}")
@example("~/x")
@example("{a,b}")
@example("<<A\nx\nA\n")
@example("=ls")
def test_a_quoted_text_is_one_literal_word_equal_to_it(text: str) -> None:
    quoted = f"'{text}'" if text.startswith("=") and "'" not in text else shlex.quote(text)  # zsh reads =ls
    reading = TreeSitterReader().read(f"printf %s {quoted} end")
    assert isinstance(reading.script, Command)
    assert reading.gaps == reading.differences == ()
    assert [found.literal for found in reading.script.words] == ["printf", "%s", text, "end"]


@given(st.text(st.characters(exclude_categories=["C", "Z"]) | st.sampled_from(" \n\t'!*?[]{}~#=()<>;&|é"), max_size=30))
def test_so_is_a_text_in_double_quotes_without_what_means_something_there(text: str) -> None:
    text = text.translate(dict.fromkeys(map(ord, '\\"$`')))
    reading = TreeSitterReader().read(f'printf %s "{text}" end')
    assert isinstance(reading.script, Command)
    assert reading.gaps == reading.differences == ()
    assert [found.literal for found in reading.script.words] == ["printf", "%s", text, "end"]


@given(st.text(st.sampled_from("ab \n\t\\'\"$`!*?[]{}~#=()<>;&|é文"), max_size=20))
def test_so_is_a_text_with_a_backslash_before_each_character(text: str) -> None:
    escaped = "".join("'\n'" if char == "\n" else f"\\{char}" for char in text)
    reading = TreeSitterReader().read(f"printf %s x{escaped} end")
    if reading.gaps or reading.script is None:
        return  # the grammar loses escaped blanks behind a quoted newline
    assert isinstance(reading.script, Command)
    assert [found.literal for found in reading.script.words] == ["printf", "%s", f"x{text}", "end"]
