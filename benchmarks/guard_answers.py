"""What phocinae-guard answers to each command; run by the interpreter of the peers' environment.

usage: python guard_answers.py < JSON-LINES
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    stdout, sys.stdout = sys.stdout, sys.stderr  # an import of a peer may print
    from phocinae_guard import guard  # type: ignore[import-not-found]  # never installed beside us

    table = guard.load_l0_table("")
    print(f"phocinae-guard {guard.VERSION}", file=stdout)
    for line in sys.stdin:
        print(guard.l0_judge(json.loads(line)["command"], table)[0] or "grey", file=stdout)


if __name__ == "__main__":
    main()
