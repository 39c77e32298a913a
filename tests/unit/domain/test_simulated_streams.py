"""Text that commands print and other commands run, at random, in a simulation of bash and of zsh.

Producers print harmless lines and the line ``marker`` under every kind of redirection; a sink runs
what comes out.  Where one of the simulated runs would start ``marker``, or a piece of a message,
the text must not be allowed.  Nothing is ever given to a shell.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Callable
from typing import Any

import pytest

LINES = ["echo hi", "marker", "true", ""]
MESSAGE = "sh: cd: ; marker;: No such file or directory"
SAFE = ("echo", "true")
TEXTS, RUNS = 1_500, 20

Tree = tuple[Any, ...]
"""A kind of producer and what belongs to it."""

REDIRECTIONS = [
    ">/dev/null", ">&2", "1>&2", "2>&1", ">/dev/null 2>&1", "2>/dev/null", ">/dev/stderr", "2>&1 >/dev/null"
]  # fmt: skip
PAIRS = ["list", "and", "or", "if"]
SINGLES = ["redirected", "cat", "exit", "inner", "rest"]


def make(chance: random.Random, depth: int) -> Tree:
    kind = chance.choice(["echo", "printf", "here", "fails", "env"] + (PAIRS + SINGLES) * (depth > 0))
    if kind in ("echo", "here", "env"):
        return kind, chance.choice(LINES)
    if kind == "printf":
        return kind, chance.choices(LINES, k=chance.randint(1, 3))
    if kind == "fails":
        return (kind,)
    if kind == "redirected":
        return kind, make(chance, depth - 1), chance.choice(REDIRECTIONS)
    return (
        (kind, make(chance, depth - 1), make(chance, depth - 1)) if kind in PAIRS else (kind, make(chance, depth - 1))
    )


PRODUCERS: dict[str, Callable[..., str]] = {
    "echo": lambda line: f"echo {shlex.quote(line)}",
    "printf": lambda lines: f"printf '%s\\n' {shlex.join(lines)}",
    "here": lambda line: f"cat <<< {shlex.quote(line)}",
    "fails": lambda: "cd '; marker;'",
    "env": lambda line: f"env -C /nowhere echo {shlex.quote(line)}",
    "list": lambda one, two: f"{{ {write(one)}; {write(two)}; }}",
    "and": lambda one, two: f"{{ {write(one)} && {write(two)}; }}",
    "or": lambda one, two: f"{{ {write(one)} || {write(two)}; }}",
    "if": lambda one, two: f"if test -f x; then {write(one)}; else {write(two)}; fi",
    "redirected": lambda one, how: f"{{ {write(one)}; }} {how}",
    "cat": lambda one: f"{{ {write(one)}; }} | cat",
    "exit": lambda one: f"( {write(one)}; exit; echo hi )",
    "inner": lambda one: f'echo "$( {write(one)} )"',
    "rest": lambda one: f"{{ {write(one)}; }} | {{ read -r q; cat; }}",
}

SINKS: dict[str, Callable[[str], str]] = {
    "sh": lambda text: f"{{ {text}; }} | sh",
    "bash -s": lambda text: f"{{ {text}; }} | bash -s",
    "both": lambda text: f"{{ {text}; }} 2>&1 | sh",
    "both at once": lambda text: f"{{ {text}; }} |& sh",
    "here-string": lambda text: f'sh <<< "$( {text} )"',
    "process": lambda text: f"sh <( {text} )",
    "eval": lambda text: f'eval "$( {text} )"',
    "loop": lambda text: f"{{ {text}; }} | while read -r l; do $l; done",
    "words": lambda text: f"$( {text} ) hi",
    "one word": lambda text: f'"$( {text} )" hi',
    "xargs": lambda text: f"{{ {text}; }} | xargs env",
    "xargs -n1": lambda text: f"{{ {text}; }} | xargs -n1 env",
}

NEVER_KNOWN = {"both", "both at once", "eval", "words", "one word"}
"""Sinks of messages, which are known of no text, and those that take a substitution for the name of a program."""


def write(producer: Tree) -> str:
    return PRODUCERS[producer[0]](*producer[1:])


class Simulation:
    """One run, which decides at random what cannot be known."""

    def __init__(self, seed: int, *, zsh: bool) -> None:
        self.chance = random.Random(seed)
        self.zsh = zsh

    def run(self, producer: Tree, out: list[str], err: list[str], *, piped: bool) -> bool:
        """Append what a producer prints; return whether it succeeds."""
        kind, *parts = producer
        if kind in ("echo", "here"):
            out.append(parts[0])
        elif kind == "printf":
            out.extend(parts[0])
        elif kind in ("fails", "env"):
            err.append(MESSAGE if kind == "fails" else "env: no such folder")
            return False
        elif kind in PAIRS:
            return self.pair(kind, parts[0], parts[1], out, err, piped=piped)
        elif kind == "redirected":
            return self.redirected(parts[0], parts[1], out, err, piped=piped)
        elif kind == "exit":
            self.run(parts[0], out, err, piped=piped)
        else:
            inner: list[str] = []
            self.run(parts[0], inner, err, piped=kind != "inner")
            shown = {"cat": inner, "rest": inner[1:], "inner": ["\n".join(inner).rstrip("\n")]}[kind]
            out.extend(shown)
        return True

    def pair(self, kind: str, one: Tree, two: Tree, out: list[str], err: list[str], *, piped: bool) -> bool:
        if kind == "if":
            return self.run(one if self.chance.random() < 0.5 else two, out, err, piped=piped)
        worked = self.run(one, out, err, piped=piped)
        if (kind == "and" and not worked) or (kind == "or" and worked):
            return worked
        return self.run(two, out, err, piped=piped)

    def redirected(self, one: Tree, how: str, out: list[str], err: list[str], *, piped: bool) -> bool:
        printed: list[str] = []
        said: list[str] = []
        worked = self.run(one, printed, said, piped=piped)
        if how == ">/dev/null":
            err.extend(said)
            out.extend(printed if self.zsh and piped else [])  # zsh gives it to the pipe as well
        elif how in (">&2", "1>&2", ">/dev/stderr"):
            err.extend(printed + said)
        elif how == "2>&1":
            out.extend(printed + said)
        elif how == "2>/dev/null":
            out.extend(printed)
        elif how == "2>&1 >/dev/null":
            out.extend(said)
        return worked


def unsafe(sink: str, out: list[str], err: list[str]) -> bool:
    """Return whether a sink starts anything but ``echo`` and ``true``."""
    text = "\n".join(out + err if sink.startswith("both") else out).rstrip("\n")
    if sink == "one word":
        return text not in SAFE
    words = text.split()
    if sink in ("words", "xargs"):
        return (sink == "words" and not words) or bool(words and words[0] not in SAFE)
    if sink == "xargs -n1":
        return any(word not in SAFE for word in words)
    starts = [command.split()[:1] for line in text.split("\n") for command in line.split(";")]
    return any(start and start[0] not in SAFE for start in starts)


def starts_another(sink: str, producer: Tree, seed: int, *, zsh: bool) -> bool:
    out: list[str] = []
    err: list[str] = []
    piped = "|" in SINKS[sink]("")
    Simulation(seed, zsh=zsh).run(producer, out, err, piped=piped)
    return unsafe(sink, out, err)


@pytest.mark.parametrize("sink", SINKS)
def test_what_is_allowed_starts_nothing_else(sink: str, judged: Callable[..., str]) -> None:
    chance = random.Random(sink)
    allowed, wrong = 0, []
    for _ in range(TEXTS // len(SINKS)):
        producer = make(chance, 3)
        text = SINKS[sink](write(producer))
        if judged(text) != "allow":
            continue
        allowed += 1
        if any(starts_another(sink, producer, run, zsh=zsh) for zsh in (False, True) for run in range(RUNS)):
            wrong.append(text)
    assert wrong == []
    assert (allowed > 0) is (sink not in NEVER_KNOWN)


def test_the_simulation_knows_what_comes_out() -> None:
    hidden: Tree = ("redirected", ("redirected", ("echo", "marker"), ">&2"), "2>&1")
    assert starts_another("sh", hidden, 0, zsh=False)
    gone: Tree = ("redirected", ("echo", "marker"), ">/dev/null")
    assert not starts_another("sh", gone, 0, zsh=False)
    assert starts_another("sh", gone, 0, zsh=True)
    assert starts_another("both", ("fails",), 0, zsh=False)
    assert starts_another("words", ("env", "echo"), 0, zsh=False)
