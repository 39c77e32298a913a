"""Makes shell texts from a grammar, the same ones for the same seed; none of them is ever run.

Rule: POSIX XCU 2, and bash's manual for what POSIX lacks.  What comes out is mostly what bash
accepts, in odd spellings: no blanks where none are needed, quotes in the middle of words,
here-documents in substitutions, reserved words as arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

PROGRAMS = "cnry ls cat echo grep printf git find true wc sort head cd test env sh sudo xargs a b".split()
ARGUMENTS = (
    "a b -n -la --color=auto src/x.py . .. / README.md if then done { } ! [[ ]] in = == 1 2 a=b a:b +x @ % é 文".split()
)
NAMES = "x y A_1 HOME PATH i arr".split()
BLANKS = [" ", " ", " ", " ", "  ", "\t", " \\\n", "\\\n "]
SEPARATORS = ["; ", ";", "\n", " \n", " && ", "&&", " || ", "||", " | ", "|", " & ", " |& ", "; # c\n", "\n\n", " &&\n"]
DEEPEST = 3


class Grammar:
    """One source of texts; here-documents wait in it until their line ends."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.depth = 0
        self.waiting: list[str] = []

    def text(self) -> str:
        """Return one whole text."""
        self.depth, self.waiting = 0, []
        return self._lines(self.list())

    def one(self, *choices: str) -> str:
        """Return one of these."""
        return self.random.choice(choices)

    def chance(self, share: float) -> bool:
        """Return true as often as that."""
        return self.random.random() < share

    def _lines(self, text: str) -> str:
        """Return a text with the here-documents that wait behind its last line."""
        if not self.waiting:
            return text
        bodies, self.waiting = "".join(self.waiting), []
        return f"{text}\n{bodies}"

    def list(self) -> str:
        """Return commands with what stands between them."""
        text = self.command()
        while self.chance(0.35):
            separator = self.one(*SEPARATORS)
            if "\n" in separator and self.waiting:
                text = self._lines(text + separator.partition("\n")[0])
            else:
                text += separator
            text += self.command()
        return text

    def block(self) -> str:
        """Return commands in which here-documents begin and end, closed by a separator."""
        outer, self.waiting = self.waiting, []
        text = self.list()
        text = self._lines(text) if self.waiting else text + self.one("; ", ";", "\n", " ;\n")
        self.waiting = outer
        return text

    def command(self) -> str:
        """Return a simple or, not too deep, a compound command."""
        if self.depth >= DEEPEST or self.chance(0.7):
            return self.simple()
        self.depth += 1
        made = self.random.choice(COMPOUNDS)(self)
        self.depth -= 1
        if self.chance(0.15):
            made += self.blank() + self.redirection()
        return made

    def blank(self) -> str:
        """Return what parts two words."""
        return self.one(*BLANKS)

    def simple(self) -> str:
        """Return a simple command."""
        pieces = [self.assignment() for _ in range(self.random.choice([0, 0, 0, 0, 1, 2]))]
        if self.chance(0.08):
            pieces.append(self.redirection())
        name = self.one(*PROGRAMS)
        pieces.append(self.respelled(name) if self.chance(0.25) else name)
        for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4])):
            pieces.append(self.redirection() if self.chance(0.12) else self.word())
        text = pieces[0]
        for piece in pieces[1:]:
            text += self.blank() + piece
        return text

    def respelled(self, name: str) -> str:
        """Return a name in quotes or escapes that mean the same."""
        at = self.random.randrange(len(name) + 1)
        return self.one(
            f'"{name}"',
            f"'{name}'",
            f"\\{name}",
            f"{name[:at]}''{name[at:]}",
            f'{name[:at]}"{name[at:]}"',
            f"$'{name}'",
        )

    def assignment(self) -> str:
        """Return one assignment."""
        name = self.one(*NAMES)
        value = self.word() if self.chance(0.8) else ""
        return self.one(*[f"{name}={value}"] * 6, f"{name}+={value}", f"{name}[1]={value}")

    def redirection(self) -> str:
        """Return a redirection; one of a here-document leaves its body for the end of the line."""
        if self.chance(0.25) and self.depth < DEEPEST:
            return self.document()
        operator = self.one(">", ">>", "<", "2>", ">|", "<>", "&>", "2>>", "3<", "{fd}>", "<<<", "12>")
        if self.chance(0.3):
            return self.one("2>&1", ">&2", "<&0", "2>&-", "<&3-", ">&$x", "0<&1")
        return operator + self.one("", "", " ") + self.one("/dev/null", "f", "f", self.word())

    def document(self) -> str:
        """Return the operator of a here-document."""
        end, tabs, quoted = self.one("E", "EOF", "END-1"), self.chance(0.2), self.chance(0.4)
        lines = [
            self.one("plain", "a 'b", "$x", "it's `echo b`", "$(cnry c)", "${x:-d}", "\\$(e)", "f \\") for _ in range(2)
        ]
        body = "".join(("\t" if tabs else "") + line + "\n" for line in [*lines, "g"])
        self.waiting.append(f"{body}{end}\n")
        shown = self.one(f"'{end}'", f'"{end}"', f"\\{end}") if quoted else end
        return ("<<-" if tabs else "<<") + self.one("", " ") + shown

    def word(self) -> str:
        """Return one word of one to three parts."""
        if self.chance(0.45):
            return self.one(*ARGUMENTS)
        return "".join(self.part() for _ in range(self.random.choice([1, 1, 1, 2, 3])))

    def part(self) -> str:
        """Return a part of a word."""
        return self.random.choice(PARTS)(self)

    def quoted(self) -> str:
        """Return text in double quotes."""
        pieces = [
            self.one("a b", "it's", '\\"', "\\$x", "*", "~", "#", "|", "", "é") for _ in range(self.random.randrange(3))
        ]
        if self.chance(0.5):
            pieces.insert(0, self.expansion())
        return f'"{"".join(pieces)}"'

    def expansion(self) -> str:
        """Return an expansion that stands for the same in quotes and without."""
        name = self.one(*NAMES)
        kinds = [f"${name}", f"${{{name}}}", f"${{#{name}}}", "$?", "$1", "$@"]
        if self.depth < DEEPEST and self.chance(0.5):
            self.depth += 1
            outer, self.waiting = self.waiting, []
            inner = self._lines(self.list())
            self.waiting = outer
            self.depth -= 1
            kinds = [f"$({inner})", f"$( {inner} )"]
            if not any(mark in inner for mark in "`\\'\""):
                kinds.append(f"`{inner}`")
        elif self.chance(0.4):
            kinds = [
                f"$(({self.sum()}))",
                f"${{{name}:-{self.one('b', '$y', 'a b')}}}",
                f"${{{name}%.*}}",
                f"${{{name}/a/b}}",
            ]
            kinds += [f"${{{name}^^}}", f"${{{name}:1:2}}", f"${{{name}:$i}}", f"${{arr[{self.one('0', '@', '$i')}]}}"]
            kinds += [f"${{!{name}}}", f"${{{name}@Q}}"]
        return self.one(*kinds)

    def sum(self) -> str:
        """Return an arithmetic expression."""
        return self.one("1 + 2", "x", "x*2", "$x + 1", "(1 + 2) * 3", "x < 2 ? 1 : 0", "x++", "y = 1", "a[0]", "1<<2")

    def process(self) -> str:
        """Return a process substitution."""
        if self.depth >= DEEPEST:
            return "<(cnry)"
        self.depth += 1
        outer, self.waiting = self.waiting, []
        inner = self._lines(self.list())
        self.waiting = outer
        self.depth -= 1
        return self.one("<(", "<(", ">(") + inner + ")"

    def test(self) -> str:
        """Return a condition."""
        left, right = self.one("a", "$x", '"$x"', "'b c'"), self.one("a", "$y", "*.c", '"$(cnry)"')
        inner = self.one(
            f"-f {left}",
            f"{left} == {right}",
            f"-n {left} && -z {right}",
            f"! {left} = b",
            f"{left} =~ ^a",
            "$x -eq 1",
        )
        return self.one(f"[[ {inner} ]]", f"[[ {inner} || -d b ]]", f"[ {left} = '{left[-1:]}' ]", f"[ -f {left} ]")

    def for_loop(self) -> str:
        """Return a loop over words."""
        words = self.one("", f" in {self.word()}", f" in {self.word()} {self.word()}", " in", " in {1..3}")
        return f"for {self.one(*NAMES, 'é')}{words}{self.one('; ', chr(10))}do {self.block()}done"


PARTS: list[Callable[[Grammar], str]] = [
    lambda grammar: grammar.one("a", "b/c", ".", "x-y", "é", "1"),
    lambda grammar: grammar.one("'a b'", "'$(cnry)'", "''", "'`'", "'#'", "'\"'", "'a\nb'"),
    lambda grammar: grammar.quoted(),
    lambda grammar: grammar.quoted(),
    lambda grammar: grammar.expansion(),
    lambda grammar: grammar.expansion(),
    lambda grammar: grammar.one("$'a\\tb'", "$'\\x41'", "$'\\''", '$"a"', "\\ ", "\\;", "\\$", "\\'", "\\é"),
    lambda grammar: grammar.one(
        "*", "?", "*.py", "[a-c]", "[!a]", "~", "~/a", "~root", "{a,b}", "{1..3}", "{a}", "a{b,'c d'}", "a#"
    ),
    lambda grammar: grammar.process(),
]

COMPOUNDS: list[Callable[[Grammar], str]] = [
    lambda grammar: f"if {grammar.block()}then {grammar.block()}fi",
    lambda grammar: f"if {grammar.block()}then {grammar.block()}else {grammar.block()}fi",
    lambda grammar: f"while {grammar.block()}do {grammar.block()}done",
    lambda grammar: f"until {grammar.test()}; do {grammar.block()}done",
    lambda grammar: grammar.for_loop(),
    lambda grammar: f"for ((i=0; {grammar.sum()}; i++)); do {grammar.block()}done",
    lambda grammar: (
        f"case {grammar.word()} in a|b) {grammar.block()};; ({grammar.one('*', 'c*', '[d]')}) {grammar.block()}esac"
    ),
    lambda grammar: f"{{ {grammar.block()}}}",
    lambda grammar: f"({grammar.block()})",
    lambda grammar: f"{grammar.one('f', 'g-h')}() {{ {grammar.block()}}}",
    lambda grammar: f"function f {{ {grammar.block()}}}",
    lambda grammar: grammar.test(),
    lambda grammar: f"(({grammar.sum()}))",
    lambda grammar: f"! {grammar.command()}",
    lambda grammar: f"x=({grammar.word()} {grammar.word()})",
    lambda grammar: f"time {grammar.command()}",
    lambda grammar: f"coproc {grammar.one('', 'N ')}{{ {grammar.block()}}}",
    lambda grammar: (
        f"{grammar.one('eval', 'sh -c', 'bash -c', 'xargs -I X sh -c')} '{grammar.one('cnry a; b', 'ls | cat', 'echo $x')}'"
    ),
    lambda grammar: f"{grammar.one('export', 'declare -a', 'readonly', 'local')} {grammar.assignment()}",
]


def texts(seed: int) -> Iterator[str]:
    """Yield texts without end, the same ones for the same seed."""
    grammar = Grammar(seed)
    while True:
        yield grammar.text()
