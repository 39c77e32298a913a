"""The fenced blocks of the documents, and what the commands in them really print.

usage: python tools/transcripts.py [--write] [FILE ...]

Without ``--write`` it names every transcript that differs from what the program prints,
and ends with status 1 if there is one; with it, the documents get the real output.

In a ``console`` block a line that starts with ``$ `` is a command and one that starts
with ``> `` continues it; what follows is what a terminal shows.  ``…`` in the output
stands for any text of that line, and ``…`` alone on a line for any lines.
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

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^( *)```(\S*)([^\n]*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
SECONDS = 60
RUNNABLE = frozenset(["phocinae", "phocinae-mcp", "gated", "echo", "printf", "head", "cut"])
"""The programs that a transcript may start: a slipped quote must not run the destructive text of a document."""


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
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
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


def environment(home: Path) -> dict[str, str]:
    """Return the environment that a transcript is taken in: this interpreter's scripts first, and little else."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {
        "PATH": path,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "COLUMNS": "80",
        "PYTHONWARNINGS": "error",
        "PHOCINAE_AUDIT": "false",
    }


def unrunnable(command: str) -> list[str]:
    """Return what stands in command position in `command` and is not in `RUNNABLE`; quoted text is no command.

    It errs on the strict side: a substitution, a backquote or an open quote is never runnable.
    """
    # both kinds of quotes in one pass, from left to right: a quote inside the other kind is text
    bare = re.sub(r"""'[^']*'|"(?:\$\?|\$1|[^"$`\\])*\"""", "Q", command)
    if re.search(r"[`'\"]|\$\(|<\(|\\", bare):
        return [command]
    bare = re.sub(r"\bgated\(\)", "", bare)
    bare = re.sub(r"[0-9]?>/dev/null", "", bare)
    if ">" in bare or "<" in bare:
        return [command]
    first = (part.split()[0] for part in re.split(r"[;&|{}()\n]+", bare) if part.strip())
    return [word for word in first if word not in RUNNABLE]


def run(command: str, folder: Path) -> str:
    """Return what a terminal shows of `command`, run by bash in `folder`, without the last line end.

    Raises:
        ValueError: it would start a program that is not in `RUNNABLE`; nothing was run.
    """
    if refused := unrunnable(command):
        raise ValueError(f"a transcript must not run {refused}")
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(folder),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout.decode("utf-8").rstrip("\n")


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
