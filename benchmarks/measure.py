"""Takes all figures anew, and writes them into results.json and the READMEs.

usage: python benchmarks/measure.py (--peer-python FILE | --make-peers DIR)

Run it on a machine that does nothing else.  It ends with status 1 where the corpus shows a
wrong verdict or a hostile text takes too long, with the figures written all the same.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import peers

HERE = Path(__file__).resolve().parent


def run(script: str, *arguments: str) -> int:
    """Run a script of this folder and return its exit status."""
    print(f"\n== {script}", flush=True)
    return subprocess.run([sys.executable, str(HERE / script), *arguments], check=False).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser)
    options = parser.parse_args()
    peer = peers.peer_python(options)
    if peer is None:
        parser.error("name the environment of the published gates, or let it be made: the ratios need them")
    status = run("corpus.py", "--write") | run("respelled.py", "--write")
    for script in ("l0.py", "l1.py", "cold.py", "hook.py"):
        status |= run(script, "--peer-python", str(peer), "--write")
    for script in ("reader_hostile.py", "judge_hostile.py"):  # these only show what is slowest
        status |= run(script)
    status |= run("figures.py", "--write")
    sys.exit(status)


if __name__ == "__main__":
    main()
