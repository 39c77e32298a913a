"""Throws made and mutated shell texts at the offline judge, and reports what must not be.

usage: python tools/fuzz.py [--minutes M | --texts N] [--seed S]
       python tools/fuzz.py --differential N [--seed S]

No text is ever run.  A fault is an exception; an allow for a text that ``bash -n`` rejects, which only
reads; an allow where shfmt, an independent parser, sees other commands than the reader; and a verdict that
takes more than 100 ms of the processor.  With ``--differential`` only the reader and shfmt are compared, over texts from
the grammar.  The exit status is 1 if there is a fault.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from time import perf_counter, thread_time

import shell_grammar
import shfmt_oracle
from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import COMMAND_LIMIT, GateRequest
from phocinae.domain.shell import Dialect, ShellReader
from phocinae.domain.verdict import Decision, Undecided, Verdict

CORPUS = Path(__file__).parents[1] / "tests" / "corpus"
FILES = {
    "corpus.jsonl": "command",
    "field_reports.jsonl": "command",
    "markers.jsonl": "statement",
    "valid.jsonl": "command",
}

SLOWEST = 0.1
"""Seconds of the processor that a verdict may take."""
ROUND = 400
"""Texts that are judged before bash and shfmt look at those that were allowed."""
MOST_LEARNT, LONGEST_LEARNT = 20_000, 400
"""Texts that are mutated further, and how long they may be."""
SHOWN = 20
"""Faults of one kind that are shown."""

TOKENS = (
    "; & && || | |& ( ) { } (( )) [ ] [[ ]] < > << <<- <<< >> <> >& &> 2>&1 >| $( ` \" ' $' $\" ${ $(( )) } \\ \\\n \n # ! "
    "* ? ~ = == =~ += , : - -- -n -x @ % ^ $ $x ${x} ${x:-y} $(ls) `ls` <(ls) a b ls echo cat cd git true if then elif else fi "
    "for in while until do done case esac select function time coproc repeat f() x= x=1 x[1]= x=( [1]= export declare eval sh -c "
    "E EOF 1 0 é \t \r \u00a0 \u200b"
).split(" ")
WRAPPED = (
    "$({})", '"$({})"', "`{}`", "({})", "{ {}; }", "! {}", "if {}; then ls; fi", "while {}; do ls; done", "ls | {}", "ls && {}",
    "f() { {}; }; f", "case x in x) {};; esac", "cat <<E\n{}\nE", "cat <<'E'\n{}\nE", "cat <<E\n$({})\nE", "echo '{}'", 'echo "{}"',
    "sh -c '{}'", 'bash -c "{}"', "eval {}", "x=({})", "[[ {} ]]", "(({}))", "ls <({})", "echo {} # {}", "ls\n{}\nls", "time {}",
)  # fmt: skip

Judge = Callable[[GateRequest], Verdict | Undecided]


def corpus() -> list[str]:
    """Return the texts of the corpora."""
    found = set()
    for name, field in FILES.items():
        for line in (CORPUS / name).read_text(encoding="utf-8").splitlines():
            found.add(str(json.loads(line)[field]))
    return sorted(found)


class Mutator:
    """Makes texts from others; the same ones for the same seed."""

    def __init__(self, seed: int, texts: list[str]) -> None:
        self.random = Random(seed)
        self.texts = list(texts)
        self.made = shell_grammar.texts(seed)
        self.ways = (
            self.drop,
            self.drop,
            self.double,
            self.insert,
            self.insert,
            self.insert,
            self.swap,
            self.splice,
            self.wrap,
        )

    def __iter__(self) -> Iterator[str]:
        """Yield texts without end."""
        while True:
            text = next(self.made) if self.random.random() < 0.3 else self.random.choice(self.texts)
            for _ in range(self.random.choice((0, 1, 1, 1, 2, 3))):
                text = self.random.choice(self.ways)(text)
            yield text[:COMMAND_LIMIT]

    def learn(self, texts: list[str]) -> None:
        """Mutate these, too, which were allowed: what is wrong with an allow is mostly near to another one."""
        room = MOST_LEARNT - len(self.texts)
        self.texts += [text for text in texts if len(text) <= LONGEST_LEARNT][:room]

    def _span(self, text: str) -> tuple[int, int]:
        start = self.random.randrange(len(text) + 1)
        return start, min(start + self.random.choice((1, 1, 1, 2, 3, 8)), len(text))

    def drop(self, text: str) -> str:
        """Take some characters away."""
        start, end = self._span(text)
        return text[:start] + text[end:]

    def double(self, text: str) -> str:
        """Write some characters twice."""
        start, end = self._span(text)
        return text[:end] + text[start:]

    def insert(self, text: str) -> str:
        """Put a token of the shell in, often between words."""
        token = self.random.choice(TOKENS)
        place = self.random.randrange(len(text) + 1)
        if self.random.random() < 0.5:
            place = text.find(" ", place) + 1
        return text[:place] + token + self.random.choice(("", " ")) + text[place:]

    def swap(self, text: str) -> str:
        """Let two words change places."""
        words = text.split(" ")
        first, second = self.random.randrange(len(words)), self.random.randrange(len(words))
        words[first], words[second] = words[second], words[first]
        return " ".join(words)

    def splice(self, text: str) -> str:
        """Go on with the end of another text."""
        other = self.random.choice(self.texts)
        return text[: self.random.randrange(len(text) + 1)] + other[self.random.randrange(len(other) + 1) :]

    def wrap(self, text: str) -> str:
        """Put the text into a construct."""
        return self.random.choice(WRAPPED).replace("{}", text)


def accepted(text: str) -> bool:
    """Return whether bash can parse a text; it reads the text from standard input and runs nothing of it."""
    done = subprocess.run(
        ["bash", "--norc", "-n"], input=text.encode(), capture_output=True, timeout=20, check=False,
        env={"LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    return done.returncode == 0


class Run:
    """One run: what was judged, how it was answered, and the faults by kind."""

    def __init__(self, judge: Judge, posix: Judge, reader: ShellReader) -> None:
        self.judge = judge
        self.posix = posix
        self.reader = reader
        self.answers: Counter[str] = Counter()
        self.faults: list[tuple[str, str]] = []
        self.checked = self.compared = 0
        self.seconds, self.slowest, self.slowest_text = 0.0, 0.0, ""
        self._seen: set[str] = set()

    def over(self, mutator: Mutator, *, count: int | None = None, until: float | None = None) -> None:
        """Judge `count` texts, or texts up to a time; what is allowed is checked, and mutated further."""
        texts, done = iter(mutator), 0
        while (count is None or done < count) and (until is None or perf_counter() < until):
            batch = list(islice(texts, ROUND if count is None else min(ROUND, count - done)))
            done += len(batch)
            allowed = [text for text in batch if self._judged(text)]
            new = [text for text in dict.fromkeys(allowed) if text not in self._seen]
            self._check(new)
            self._seen.update(new)
            mutator.learn(new)

    def _judged(self, text: str) -> bool:
        """Judge one text; return whether it was allowed as one for a POSIX shell."""
        began = thread_time()
        try:
            found = self.judge(GateRequest(text))
        except Exception as error:
            self.faults.append((f"exception {type(error).__name__}", text))
            return False
        took = thread_time() - began
        if took > SLOWEST:  # once more, for what is done only once
            began = thread_time()
            self.judge(GateRequest(text))
            took = min(took, thread_time() - began)
        self.seconds += took
        if took > self.slowest:
            self.slowest, self.slowest_text = took, text
        if took > SLOWEST:
            self.faults.append(("slow", text))
        answer = found.decision.wire if isinstance(found, Verdict) else "undecided"
        self.answers[answer] += 1
        if not (isinstance(found, Verdict) and found.decision is Decision.ALLOW):
            return False
        found = self.posix(GateRequest(text))
        return isinstance(found, Verdict) and found.decision is Decision.ALLOW

    def _check(self, allowed: list[str]) -> None:
        """Let bash parse what was allowed, and shfmt compare the commands in it."""
        with ThreadPoolExecutor(2) as pool:
            parses = list(pool.map(accepted, allowed))
        self.checked += len(allowed)
        self.faults += [
            ("allowed, and bash cannot parse it", text) for text, ok in zip(allowed, parses, strict=True) if not ok
        ]
        self.compare([text for text, ok in zip(allowed, parses, strict=True) if ok])

    def compare(self, texts: list[str]) -> None:
        """Keep a fault for each text in which shfmt sees other commands than the reader shows."""
        for text, tree, reading in shfmt_oracle.compared(self.reader.read, texts):
            self.compared += 1
            if shfmt_oracle.missing(tree, reading) or shfmt_oracle.surplus(tree, reading):
                # the text before it may have taken a part of it, where shfmt was given both
                tree = shfmt_oracle.parsed(text) or tree
            if missing := shfmt_oracle.missing(tree, reading):
                self.faults.append((f"not seen: {missing}", text))
            if surplus := shfmt_oracle.surplus(tree, reading):
                self.faults.append((f"seen and not there: {surplus}", text))

    def report(self) -> str:
        """Return the figures and the faults as text."""
        judged = sum(self.answers.values())
        rate = judged / self.seconds if self.seconds else 0.0
        lines = []
        if judged:
            lines = [
                f"{judged} texts judged, {rate:.0f} in a second: {dict(self.answers.most_common())}",
                f"slowest verdict {self.slowest * 1000:.1f} ms: {self.slowest_text[:200]!r}",
                f"{self.checked} allowed texts parsed by bash",
            ]
        lines += [f"{self.compared} texts that are read in full compared with shfmt", f"{len(self.faults)} faults"]
        kinds = Counter(kind.partition(":")[0] for kind, _ in self.faults)
        shown: Counter[str] = Counter()
        for kind, text in self.faults:
            name = kind.partition(":")[0]
            shown[name] += 1
            if shown[name] <= SHOWN:
                lines.append(f"  {kind} ({kinds[name]}): {text!r}")
        return "\n".join(lines)


def offline() -> Run:
    """Return a run of the offline judge with its default settings."""
    reader = TreeSitterReader()
    return Run(OfflineJudge(reader), OfflineJudge(reader, dialect=Dialect.POSIX), reader)


def main(argv: list[str]) -> int:
    """Run as the command line says, print the report, and return the exit status."""
    parser = argparse.ArgumentParser(description="Throws shell texts at the offline judge; none of them is ever run.")
    parser.add_argument("--minutes", type=float, default=1.0, help="how long (default: 1)")
    parser.add_argument("--texts", type=int, help="how many texts, instead of how long")
    parser.add_argument("--seed", type=int, default=0, help="the same texts for the same seed (default: 0)")
    parser.add_argument(
        "--differential", type=int, metavar="N", help="compare N texts of the grammar with shfmt instead"
    )
    given = parser.parse_args(argv)
    run = offline()
    if given.differential is not None:
        run.compare(list(islice(shell_grammar.texts(given.seed), given.differential)))
    elif given.texts is not None:
        run.over(Mutator(given.seed, corpus()), count=given.texts)
    else:
        run.over(Mutator(given.seed, corpus()), until=perf_counter() + 60 * given.minutes)
    print(run.report())
    return 1 if run.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
