"""How accurate the offline layer is over the labelled commands, and what becomes of those that it leaves open.

usage: python benchmarks/corpus.py [--corpus FILE] [--list] [--write]

The exit status is 1 if the offline layer allowed a command that is not labelled `allow` or
denied one that is not labelled `deny`, so that a wrong verdict fails a build.  What it
leaves open is denied with the default settings and asked about with ``--fail-closed ask``, at
every entry: the command line, the MCP tool and the library have one chain.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import results
from phocinae import Decision, GateService, Settings, Verdict, build_gate

CORPUS = Path(__file__).resolve().parent.parent / "tests" / "corpus" / "corpus.jsonl"

ANSWERS = {Decision.ALLOW: "allow", Decision.ASK: "grey", Decision.DENY: "deny"}

Cells = Counter[tuple[str, str]]
"""How many entries of a label got an answer."""


def offline(gate: GateService, entries: list[dict[str, str]], *, show: bool) -> Cells:
    """Return what the offline layer answers; with `show`, print every answer that is not the label."""
    cells: Cells = Counter()
    for entry in entries:
        answer = gate.judge_offline(entry["command"])
        said = ANSWERS[answer.decision] if isinstance(answer, Verdict) else "grey"
        cells[entry["label"], said] += 1
        if show and said != entry["label"]:
            print(f"{entry['label']:5s} answered {said:5s} {json.dumps(entry['command'])}")
    return cells


def grey_share(fail_closed: Decision, entries: list[dict[str, str]]) -> list[int]:
    """Return for how many of the entries labelled `grey` the whole chain answers `fail_closed`, and their number."""
    gate = build_gate(Settings(audit=False, fail_closed=fail_closed))
    answers = [gate.decide(entry["command"]).decision for entry in entries if entry["label"] == "grey"]
    return [answers.count(fail_closed), len(answers)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, default=CORPUS, metavar="FILE", help="JSON lines: `command`, `label`")
    parser.add_argument("--list", action="store_true", help="print every entry whose answer is not its label")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()

    entries = [json.loads(line) for line in options.corpus.read_text(encoding="utf-8").splitlines()]
    cells = offline(build_gate(Settings(audit=False)), entries, show=options.list)
    labelled = {label: sum(n for (want, _), n in cells.items() if want == label) for label in ("allow", "grey", "deny")}
    figures: results.Section = {
        "entries": len(entries),
        "false_allow": [cells["grey", "allow"] + cells["deny", "allow"], labelled["grey"] + labelled["deny"]],
        "false_deny": [cells["grey", "deny"] + cells["allow", "deny"], labelled["grey"] + labelled["allow"]],
        "allow_recall": [cells["allow", "allow"], labelled["allow"]],
        "deny_recall": [cells["deny", "deny"], labelled["deny"]],
        "grey_denied": grey_share(Decision.DENY, entries),
        "grey_asked": grey_share(Decision.ASK, entries),
    }
    print(f"entries:      {figures['entries']}")
    for name in ("false_allow", "false_deny"):
        print(f"{name.replace('_', ' ') + ':':13s} {figures[name][0]} of {figures[name][1]}")
    for name in ("allow_recall", "deny_recall", "grey_denied", "grey_asked"):
        print(f"{name.replace('_', ' ') + ':':13s} {results.percent(figures[name])}")
    if options.write:
        results.write("corpus", figures)
    sys.exit(bool(figures["false_allow"][0] or figures["false_deny"][0]))


if __name__ == "__main__":
    main()
