"""The golden answers of the hooks as a table: agent by case, with the exit status and what stands on standard output.

usage: python tools/hook_matrix.py [--write]

It reads tests/contract/hooks, which a test holds to the byte.  With ``--write`` the table goes into docs/hooks.md.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "tests" / "contract" / "hooks"
PAGE = ROOT / "docs" / "hooks.md"
WORDS = ("allow", "ask", "deny")
BEGIN, END = "<!-- matrix: written by tools/hook_matrix.py -->\n", "<!-- end of matrix -->\n"


def cases(path: Path) -> dict[str, tuple[str, str]]:
    """Return the exit status and the standard output of each case of a golden file, by its title."""
    found = {}
    for block in path.read_text(encoding="utf-8").split("\n\n# "):
        title, *lines = block.removeprefix("# ").splitlines()
        status = next(line.removeprefix("exit ") for line in lines if line.startswith("exit "))
        found[title] = status, "\n".join(line[3:] for line in lines if line.startswith("1| "))
    return found


def shape(stdout: str) -> str:
    """Return the one member of an answer that decides."""
    if not stdout:
        return "nothing"
    answer = json.loads(stdout)
    deciding = {key: word for key, word in {**answer, **answer.get("hookSpecificOutput", {})}.items() if word in WORDS}
    return ", ".join(f"`{key}: {word}`" for key, word in deciding.items())


def table() -> str:
    """Return the Markdown of the table."""
    files = sorted(FOLDER.glob("*.txt"))
    of = {path.stem: cases(path) for path in files}
    lines = [f"| case | {' | '.join(of)} |", "| --- " * (len(of) + 1) + "|"]
    for title in next(iter(of.values())):
        cells = [f"{status}, {shape(stdout)}" for status, stdout in (found[title] for found in of.values())]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def page() -> str:
    """Return docs/hooks.md with the table of now in it."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into docs/hooks.md")
    if parser.parse_args().write:
        PAGE.write_text(page(), encoding="utf-8", newline="\n")
    else:
        print(table(), end="")


if __name__ == "__main__":
    main()
