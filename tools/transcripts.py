"""The fenced blocks of the documents, and what the commands in them really print.

usage: python tools/transcripts.py [--write] [FILE ...]

Without ``--write`` it names every transcript that differs from what the program prints,
and ends with status 1 if there is one; with it, the documents get the real output.

In a ``console`` block a line that starts with ``$ `` is a command and one that starts
with ``> `` continues it; what follows is what a terminal shows.  ``…`` in the output
stands for any text of that line, and ``…`` alone on a line for any lines.

No shell ever sees a command of a document, because documents about a gate are full of
text that must not run.  `pipeline` reads the few forms that a transcript may have, and
the only programs that are started are our own.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

sys.path.insert(0, str(Path(__file__).resolve().parent / "isolation"))
import isolation

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^( *)```(\S*)([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SECONDS = 60

PROGRAMS = frozenset(["phocinae", "phocinae-mcp"])
"""What a transcript may start."""

FILTERS = frozenset(["printf", "head", "cut"])
"""What a transcript may use beside: these are imitated here, not started."""

STATUS = '; echo "exit $?"'
"""What may follow the last program of a transcript, to show its exit status."""

QUIET = "2>/dev/null"
"""What may stand behind a program, to leave out what goes to standard error."""

_PLAIN = r"[A-Za-z0-9_./:=,@%+-]"
_TOKEN = re.compile(rf"""[ ]+|\||{QUIET}(?=[ ;|]|\Z)|(?:{_PLAIN}|'[^']*'|"[^"$`\\!]*")+""")
_PART = re.compile(rf"""{_PLAIN}+|'[^']*'|"[^"]*\"""")


def documents() -> list[Path]:
    """Return every Markdown file of the project that makes claims about the program."""
    return [
        *sorted(ROOT.glob("*.md")),
        *sorted((ROOT / "docs").rglob("*.md")),
        ROOT / "benchmarks" / "README.md",
        ROOT / "tests" / "corpus" / "README.md",
    ]


@frozen(kw_only=True)
class Block:
    """A fenced block: where it stands, its language, and the text between the fences."""

    path: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        """Return its place, as an editor understands it."""
        return f"{self.path.relative_to(ROOT)}:{self.line}"


@frozen(kw_only=True)
class Step:
    """One command of a transcript and what stands below it."""

    command: str
    output: str


@frozen(kw_only=True)
class Pipeline:
    """The programs of one command with their arguments, and what to show beside their output."""

    stages: tuple[tuple[str, ...], ...]
    quiet: bool
    status: bool


def blocks(path: Path, language: str | None = None) -> list[Block]:
    """Return the fenced blocks of a document in order, all of them or those in one language."""
    text = path.read_text(encoding="utf-8")
    found = [
        Block(path=path, line=text.count("\n", 0, match.start()) + 1, language=match[2], text=match[4])
        for match in FENCE.finditer(text)
    ]
    return [block for block in found if language in (None, block.language)]


def table(path: Path, first: str) -> list[list[str]]:
    """Return the body rows, as stripped cells, of every table in a document whose first head cell is `first`."""
    rows: list[list[str]] = []
    inside = False
    for line in path.read_text(encoding="utf-8").splitlines():
        # a bar behind a backslash belongs to the cell
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]] if line.startswith("|") else []
        if not cells:
            inside = False
        elif cells[0] == first:
            inside = True
        elif inside and not set(cells[0]) <= set("-: "):
            rows.append(cells)
    return rows


def steps(text: str) -> list[Step]:
    """Return the commands of a ``console`` block; raise ValueError for text in front of the first."""
    commands: list[list[str]] = []
    outputs: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            commands.append([line[2:]])
            outputs.append([])
        elif line.startswith("> ") and commands and not outputs[-1]:
            commands[-1].append(line[2:])
        elif commands:
            outputs[-1].append(line)
        else:
            raise ValueError(f"output without a command: {line!r}")
    return [
        Step(command="\n".join(command), output="\n".join(output))
        for command, output in zip(commands, outputs, strict=True)
    ]


def pipeline(command: str) -> Pipeline:
    """Return what `command` starts, where it has the one form that a transcript may have.

    That is programs of `PROGRAMS` and `FILTERS` behind one another, with words in which a
    shell would expand nothing, with `QUIET` and `STATUS`, if any.

    Raises:
        ValueError: it has another form.
    """
    status = command.endswith(STATUS)
    text = command.removesuffix(STATUS)
    stages: list[list[str]] = [[]]
    offset, quiet = 0, False
    while offset < len(text):
        token = _TOKEN.match(text, offset)
        if token is None:
            raise ValueError(f"a transcript must not run {command!r}: {text[offset : offset + 20]!r}")
        if token[0] == QUIET:
            quiet = True
        elif token[0] == "|":
            stages.append([])
        elif token[0].strip():
            stages[-1].append("".join(part[1:-1] if part[0] in "'\"" else part for part in _PART.findall(token[0])))
        offset = token.end()
    for stage in stages:
        if not stage or stage[0] not in PROGRAMS | FILTERS:
            raise ValueError(f"a transcript must not run {command!r}: {stage[:1]}")
    return Pipeline(stages=tuple(map(tuple, stages)), quiet=quiet, status=status)


def environment(home: Path) -> dict[str, str]:
    """Return the environment that documents are tried in: an account with the empty home `home`, and little else."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {
        "PATH": path,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "80",
        "PYTHONWARNINGS": "error",
        **isolation.environment(home),
    }


def run(command: str, folder: Path) -> str:
    """Return what a terminal shows of `command`, run in `folder`, without the last line end.

    Raises:
        ValueError: it is no command for a transcript; nothing was run.
    """
    found = pipeline(command)
    shown, data, code = b"", b"", 0
    for stage in found.stages:
        if stage[0] in FILTERS:
            data, code = filtered(stage, data), 0
            continue
        done = subprocess.run(
            [str(Path(sys.executable).parent / stage[0]), *stage[1:]],
            cwd=folder,
            env=environment(folder),
            input=data,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        data, code = done.stdout, done.returncode
        shown += b"" if found.quiet else done.stderr
    shown += data
    return shown.decode("utf-8").rstrip("\n") + (f"\nexit {code}" if found.status else "")


def filtered(stage: tuple[str, ...], data: bytes) -> bytes:
    """Return what a program of `FILTERS` makes of `data`.

    Raises:
        ValueError: it has other arguments than those that are known here.
    """
    match stage:
        case ("printf", r"%s\n", *words):
            return "".join(f"{word}\n" for word in words).encode()
        case ("head", "-n", number):
            return b"".join(data.splitlines(keepends=True)[: int(number)])
        case ("cut", "-c", columns):
            first, last = map(int, columns.split("-"))
            return b"".join(line[first - 1 : last] + b"\n" for line in data.splitlines())
    raise ValueError(f"a transcript must not run {stage}")


def agrees(written: str, printed: str) -> bool:
    """Return whether the output `written` in a document is what was `printed`."""
    lines = [
        "(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + "\n" for line in lines_of(written)
    ]
    return re.fullmatch("".join(lines), "".join(f"{line}\n" for line in lines_of(printed))) is not None


def lines_of(text: str) -> list[str]:
    """Return the lines of `text`; none if it is empty."""
    return text.split("\n") if text else []


def differences(block: Block) -> Iterator[tuple[Step, str]]:
    """Run a ``console`` block in an empty folder, and yield each step that printed something else, with that."""
    with tempfile.TemporaryDirectory() as folder:
        for step in steps(block.text):
            printed = run(step.command, Path(folder))
            if not agrees(step.output, printed):
                yield step, printed


def corrected(block: Block) -> str:
    """Return the text of a ``console`` block with the real output."""
    wrong = dict(differences(block))
    return "".join(
        "$ "
        + step.command.replace("\n", "\n> ")
        + "\n"
        + "".join(f"{line}\n" for line in lines_of(wrong.get(step, step.output)))
        for step in steps(block.text)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="documents (default: all of them)")
    parser.add_argument("--write", action="store_true", help="put the real output into the documents")
    options = parser.parse_args()
    wrong = 0
    for path in [file.resolve() for file in options.files] or documents():
        for block in blocks(path, "console"):
            new = corrected(block)
            if new == block.text:
                continue
            wrong += 1
            print(f"{block}: {'rewritten' if options.write else 'differs from what the program prints'}")
            if options.write:
                text = path.read_text(encoding="utf-8")
                path.write_text(text.replace(block.text, new), encoding="utf-8", newline="\n")
    sys.exit(bool(wrong and not options.write))


if __name__ == "__main__":
    main()
