"""Small scripts at random, run by a simulation of bash and of zsh: what is allowed never starts another program.

The scripts juggle three variables; the simulation takes branches at random, and nothing is ever
given to a shell.  A script may start ``echo``; whatever else one of its runs could start, it must
not be allowed.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from typing import Any

import pytest

NAMES = ["a", "b", "c"]
VALUES = ["echo", "marker", "echo x", ""]
SCRIPTS, RUNS = 700, 25

Tree = tuple[Any, ...]
"""A kind and what belongs to it: a word or a statement."""


# --- making scripts


def make_word(chance: random.Random, depth: int) -> Tree:
    kinds = ["text", "text", "variable", "variable", "default", "alternative", "joined"] + ["output"] * (depth > 0)
    kind = chance.choice(kinds)
    if kind == "text":
        return kind, chance.choice(VALUES)
    if kind == "variable":
        return kind, chance.choice(NAMES)
    if kind == "joined":
        return kind, chance.choice(NAMES), chance.choice(["", "x"])
    if kind == "output":
        return kind, make_block(chance, depth - 1, 1)
    return kind, chance.choice(NAMES), chance.choice(["echo", "marker"])


NESTED = ["if", "for", "while", "and", "or", "subshell", "group", "case", "eval", "pipe", "shell", "background"]


def make_statement(chance: random.Random, depth: int) -> Tree:
    simple = ["set", "set", "set", "run", "run", "echo", "append", "read"]
    kind = chance.choice(simple + NESTED * (depth > 0))
    if kind == "set":
        return kind, chance.choice(NAMES), make_word(chance, depth)
    if kind == "run":
        return kind, chance.choice(NAMES), chance.random() < 0.5
    if kind == "echo":
        return kind, make_word(chance, depth)
    if kind == "append":
        return kind, chance.choice(NAMES), chance.choice(["x", "marker"])
    if kind == "read":
        return kind, chance.choice(NAMES)
    first = make_block(chance, depth - 1, 2, loop=kind in ("for", "while"))
    if kind == "for":
        return kind, first, chance.choice(NAMES), chance.choices(["echo", "marker"], k=chance.randint(1, 2))
    return kind, first, make_block(chance, depth - 1, 2), chance.random() < 0.5


def make_block(chance: random.Random, depth: int, most: int, *, loop: bool = False) -> list[Tree]:
    block = [make_statement(chance, depth) for _ in range(chance.randint(1, most))]
    if loop and chance.random() < 0.35:
        block.insert(chance.randint(0, len(block)), (chance.choice(["break", "continue"]),))
    return block


# --- writing scripts

WORDS: dict[str, Callable[..., str]] = {
    "text": lambda text: f"'{text}'",
    "variable": lambda name: f'"${name}"',
    "joined": lambda name, text: f"\"${name}\"'{text}'",
    "default": lambda name, text: f'"${{{name}:-{text}}}"',
    "alternative": lambda name, text: f'"${{{name}:+{text}}}"',
    "output": lambda block: f'"$( {write(block)} )"',
}
STATEMENTS: dict[str, Callable[..., str]] = {
    "set": lambda name, word: f"{name}={write_word(word)}",
    "run": lambda name, quoted: f'"${name}" hi' if quoted else f"${name} hi",
    "echo": lambda word: f"echo {write_word(word)}",
    "append": lambda name, text: f"{name}+={text}",
    "read": lambda name: f"read -r {name} < notes.txt",
    "if": lambda one, two, _: f"if test -f x; then {write(one)}; else {write(two)}; fi",
    "for": lambda one, name, words: f"for {name} in {' '.join(words)}; do {write(one)}; done",
    "while": lambda one, _two, _: f"while test -f x; do {write(one)}; done",
    "and": lambda one, two, _: f"{{ {write(one)}; }} && {{ {write(two)}; }}",
    "or": lambda one, two, _: f"{{ {write(one)}; }} || {{ {write(two)}; }}",
    "subshell": lambda one, _two, _: f"( {write(one)} )",
    "group": lambda one, _two, _: f"{{ {write(one)}; }}",
    "case": lambda one, two, on: f'case "$z" in p) {write(one)} {";&" if on else ";;"} *) {write(two)} ;; esac',
    "eval": lambda one, _two, _: f"eval {shlex.quote(write(one))}",
    "pipe": lambda one, two, _: f"{{ {write(one)}; }} | {{ {write(two)}; }}",
    "shell": lambda one, _two, _: f"sh -c {shlex.quote(write(one))}",
    "background": lambda one, _two, _: f"{{ {write(one)}; }} & :",
    "break": lambda: "break",
    "continue": lambda: "continue",
}


def write_word(word: Tree) -> str:
    return WORDS[word[0]](*word[1:])


def write(block: list[Tree]) -> str:
    return "; ".join(STATEMENTS[kind](*parts) for kind, *parts in block)


# --- running scripts in a simulation


class Left(Exception):
    """A loop is left, by ``break`` or ``continue``."""


class Started(Exception):
    """A program other than ``echo`` is started."""


class Simulation:
    """One run, which decides at random what cannot be known."""

    def __init__(self, seed: int, *, zsh: bool) -> None:
        self.chance = random.Random(seed)
        self.zsh = zsh
        self.fuel = 200

    def word(self, word: Tree, state: dict[str, str]) -> str:
        kind, *parts = word
        value = state.get(parts[0], "") if kind not in ("text", "output") else ""
        if kind == "text":
            return str(parts[0])
        if kind == "output":
            printed: list[str] = []
            self.apart(parts[0], state, printed)
            return "\n".join(printed)
        if kind == "joined":
            return value + str(parts[1])
        if kind == "default":
            return value or str(parts[1])
        if kind == "alternative":
            return str(parts[1]) if value else ""
        return value

    def block(self, block: list[Tree], state: dict[str, str], printed: list[str]) -> bool:
        worked = True
        for kind, *parts in block:
            self.fuel -= 1
            if self.fuel > 0:
                worked = bool(getattr(self, f"do_{kind}")(state, printed, *parts))
        return worked

    def apart(self, block: list[Tree], state: dict[str, str], printed: list[str]) -> bool:
        """Run a block in a shell of its own."""
        try:
            return self.block(block, dict(state), printed)
        except Left:
            return True

    def maybe(self) -> bool:
        return self.chance.random() < 0.5

    def do_set(self, state: dict[str, str], _printed: list[str], name: str, word: Tree) -> bool:
        state[name] = self.word(word, state)
        return self.maybe()

    def do_run(self, state: dict[str, str], printed: list[str], name: str, quoted: bool) -> bool:
        value = state.get(name, "")
        words = [value] if quoted or (self.zsh and value) else value.split()
        words.append("hi")
        if words[0] != "echo":
            raise Started(words[0])
        printed.append(" ".join(words[1:]))
        return True

    def do_echo(self, state: dict[str, str], printed: list[str], word: Tree) -> bool:
        printed.append(self.word(word, state))
        return True

    def do_append(self, state: dict[str, str], _printed: list[str], name: str, text: str) -> bool:
        state[name] = state.get(name, "") + text
        return True

    def do_read(self, state: dict[str, str], _printed: list[str], name: str) -> bool:
        state[name] = self.chance.choice(["marker", ""])
        return self.maybe()

    def do_if(self, state: dict[str, str], printed: list[str], one: list[Tree], two: list[Tree], _: bool) -> bool:
        return self.block(one if self.maybe() else two, state, printed)

    def do_for(self, state: dict[str, str], printed: list[str], one: list[Tree], name: str, words: list[str]) -> bool:
        for word in words:
            state[name] = word
            try:
                self.block(one, state, printed)
            except Left as left:
                if left.args == ("break",):
                    break
        return True

    def do_while(self, state: dict[str, str], printed: list[str], one: list[Tree], *_: Any) -> bool:
        while self.fuel > 0 and self.chance.random() < 0.7:
            try:
                self.block(one, state, printed)
            except Left as left:
                if left.args == ("break",):
                    break
        return True

    def do_and(self, state: dict[str, str], printed: list[str], one: list[Tree], two: list[Tree], _: bool) -> bool:
        return self.block(one, state, printed) and self.block(two, state, printed)

    def do_or(self, state: dict[str, str], printed: list[str], one: list[Tree], two: list[Tree], _: bool) -> bool:
        return (self.block(one, state, printed) and self.maybe()) or self.block(two, state, printed)

    def do_subshell(self, state: dict[str, str], printed: list[str], one: list[Tree], *_: Any) -> bool:
        return self.apart(one, state, printed)

    def do_group(self, state: dict[str, str], printed: list[str], one: list[Tree], *_: Any) -> bool:
        return self.block(one, state, printed)

    do_eval = do_group

    def do_case(self, state: dict[str, str], printed: list[str], one: list[Tree], two: list[Tree], on: bool) -> bool:
        if not self.maybe():
            return self.block(two, state, printed)
        worked = self.block(one, state, printed)
        return self.block(two, state, printed) if on else worked

    def do_pipe(self, state: dict[str, str], printed: list[str], one: list[Tree], two: list[Tree], _: bool) -> bool:
        self.apart(one, state, [])
        return self.block(two, state, printed) if self.zsh else self.apart(two, state, printed)

    def do_shell(self, _state: dict[str, str], printed: list[str], one: list[Tree], *_: Any) -> bool:
        return self.apart(one, {}, printed)

    def do_background(self, state: dict[str, str], _printed: list[str], one: list[Tree], *_: Any) -> bool:
        return self.apart(one, state, [])

    def do_break(self, _state: dict[str, str], _printed: list[str]) -> bool:
        raise Left("break")

    def do_continue(self, _state: dict[str, str], _printed: list[str]) -> bool:
        raise Left("continue")


def started(script: list[Tree], seed: int, *, zsh: bool) -> str:
    """Return the program that one run of a script starts beside ``echo``, or an empty text."""
    try:
        Simulation(seed, zsh=zsh).block(script, {}, [])
    except Left:
        return ""
    except Started as program:
        return str(program.args[0]) or "''"
    return ""


@pytest.mark.parametrize("seed", range(4))
def test_what_is_allowed_starts_nothing_else(seed: int, judged: Callable[..., str]) -> None:
    chance = random.Random(seed)
    allowed, wrong = 0, []
    for _ in range(SCRIPTS):
        script: list[Tree] = [("set", name, ("text", chance.choice(["echo", "echo", "marker"]))) for name in NAMES]
        script += make_block(chance, 3, 4)
        script.append(("run", chance.choice(NAMES), chance.random() < 0.5))
        text = write(script)
        if judged(text) != "allow":
            continue
        allowed += 1
        if any(started(script, run, zsh=zsh) for zsh in (False, True) for run in range(RUNS)):
            wrong.append(text)
    assert wrong == []
    assert allowed > SCRIPTS // 10


def test_the_simulation_knows_a_stale_value_when_it_sees_one() -> None:
    stale: list[Tree] = [
        ("set", "a", ("text", "echo")),
        ("while", [("set", "a", ("text", "marker")), ("break",)], [], False),
        ("run", "a", True),
    ]
    assert {started(stale, run, zsh=False) for run in range(20)} == {"", "marker"}
    split: list[Tree] = [("set", "a", ("text", "echo x")), ("run", "a", False)]
    assert (started(split, 0, zsh=False), started(split, 0, zsh=True)) == ("", "echo x")
