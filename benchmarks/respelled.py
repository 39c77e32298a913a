"""Whether a command keeps its verdict however it is spelled.

usage: python benchmarks/respelled.py [--most N] [--seed N] [--list KIND] [--skip-syntax] [--write]

The bases are the commands of `tests/corpus/corpus.jsonl`, without those that only a Windows shell understands.  Each
is respelled by `tests/respeller`; every respelling is first read by ``bash -n``, which runs nothing.  The exit status
is 1 if one of a dangerous command is allowed, one of a harmless command is denied, one of a command that is
labelled neither is allowed or denied, bash cannot read one, or less than 95 % of the dangerous and of the harmless
keep their verdict.

Some spellings end an allow by design; they are counted apart, with the reason.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import results
from phocinae import Decision, GateService, Settings, Verdict, build_gate

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tests"))

from respeller import KINDS, Variant, variants  # noqa: E402

CORPUS = ROOT / "tests" / "corpus" / "corpus.jsonl"
LEAST = 0.95
"""Share of the respellings that must keep the verdict of their command."""

LABELS = ("deny", "allow", "grey")
BATCH = 200
PROBES = "\n#' )\n#\" )\n"
"""Two comments, of which one is a syntax error behind a text that leaves a quotation open."""

Cells = Counter[tuple[str, str, str]]
"""How many respellings of a kind, of commands of a label, got an answer."""


def bases(*labels: str) -> list[tuple[str, str]]:
    """Return the commands that have one of these labels, with it."""
    entries = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    return [(entry["command"], entry["label"]) for entry in entries if entry["label"] in labels]


def is_readable(text: str) -> bool:
    """Return whether bash can read a text; it runs nothing of it."""
    found = subprocess.run(
        ["bash", "--norc", "--noprofile", "-n"], input=text.encode(), capture_output=True, check=False
    )
    return found.returncode == 0 and not found.stderr


def unreadable(texts: list[str]) -> Iterator[str]:
    """Return the texts that bash cannot read; those with a here-document are read one by one."""
    alone = [text for text in texts if "<<" in text]
    joined = [text for text in texts if "<<" not in text]
    for start in range(0, len(joined), BATCH):
        batch = joined[start : start + BATCH]
        if not is_readable(PROBES.join([*batch, ""])):
            alone += batch
    yield from (text for text in alone if not is_readable(text))


def answer(gate: GateService, text: str) -> str:
    """Return what the offline layer says, as a label; `grey` is neither an allow nor a denial."""
    found = gate.judge_offline(text)
    if isinstance(found, Verdict):
        return {Decision.ALLOW: "allow", Decision.DENY: "deny"}.get(found.decision, "grey")
    return "grey"


def measured(found: list[Variant], show: str | None) -> Cells:
    """Return the answers for all respellings; print those of the kind `show` that are not the label."""
    gate = build_gate(Settings(audit=False))
    cells: Cells = Counter()
    for variant in found:
        said = answer(gate, variant.text)
        label = variant.base.label
        cells[variant.kind.name, label, said] += 1
        wrong = said not in (label, "grey")
        if wrong or (show in (variant.kind.name, "all") and said != label):
            mark = "WRONG " if wrong else ""
            print(f"{mark}{variant.kind.name}: {label} answered {said}: {json.dumps(variant.text)}")
    return cells


def row(cells: Cells, names: list[str]) -> dict[str, list[int]]:
    """Return what became of the respellings of these kinds: kept and turned round, each with the number of all."""
    shares: dict[str, list[int]] = {}
    for label in LABELS:
        said = Counter({answer: sum(cells[name, label, answer] for name in names) for answer in LABELS})
        shares[f"{label}_kept"] = [said[label], said.total()]
        shares[f"{label}_turned"] = [
            said.total() - said[label] - (said["grey"] if label != "grey" else 0),
            said.total(),
        ]
    return shares


def line(name: str, shares: dict[str, list[int]]) -> str:
    """Return one line of the table."""
    cells = []
    for label in LABELS:
        kept, total = shares[f"{label}_kept"]
        share = f"{int(1000 * kept / total) / 10:5.1f} %" if total else "      -"
        cells.append(f"{total:6d} {share} {shares[f'{label}_turned'][0]:5d}")
    return f"{name:28s} {'   '.join(cells)}"


def table(cells: Cells) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Print a line for each kind, and return the shares of all that must keep an allow, and of the others."""
    print(f"{'kind':28s} " + "   ".join(f"{label:>6s} {'kept':>7s} {'wrong':>5s}" for label in LABELS))
    firm = [kind.name for kind in KINDS if not kind.ends]
    for kind in KINDS:
        print(line(kind.name, row(cells, [kind.name])) + (f"   [{kind.ends}]" if kind.ends else ""))
    kept = row(cells, firm)
    apart = row(cells, [kind.name for kind in KINDS if kind.ends])
    print(line("all that keep an allow", kept))
    print(line("all that end one", apart))
    return kept, apart


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=3, metavar="N", help="respellings of each kind for each command")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="what the choices are drawn from")
    parser.add_argument("--list", metavar="KIND", help="print each of this kind, or of `all`, that loses its verdict")
    parser.add_argument("--skip-syntax", action="store_true", help="do not let bash read them")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()

    found = list(variants(bases("allow", "deny"), options.seed, options.most))
    found += variants(bases("grey"), options.seed, 1)
    odd = [] if options.skip_syntax else list(unreadable([variant.text for variant in found]))
    for text in odd:
        print(f"bash cannot read {json.dumps(text)}")
    kept, apart = table(measured(found, options.list))
    both = {name: [kept[name][at] + apart[name][at] for at in (0, 1)] for name in kept}
    figures: results.Section = {
        "respellings": len(found),
        "kinds": len(KINDS),
        "turned": [sum(both[f"{label}_turned"][at] for label in LABELS) for at in (0, 1)],
        "denied_kept": both["deny_kept"],
        "allowed_kept": kept["allow_kept"],
        "rows": {
            "deny": [*both["deny_kept"], both["deny_turned"][0]],
            "allow": [*kept["allow_kept"], kept["allow_turned"][0]],
            "allow, in a spelling that may end one": [*apart["allow_kept"], apart["allow_turned"][0]],
            "grey": [*both["grey_kept"], both["grey_turned"][0]],
        },
        "ends": {kind.name: kind.ends for kind in KINDS if kind.ends},
    }
    print(f"respellings:   {len(found)} of {len(KINDS)} kinds")
    print(f"turned round:  {figures['turned'][0]} of {figures['turned'][1]}")
    print(f"still denied:  {results.percent(figures['denied_kept'])}")
    print(f"still allowed: {results.percent(figures['allowed_kept'])}, where a spelling ends no allow")
    if options.write:
        results.write("respelled", figures)
    low = any(share[0] < LEAST * share[1] for share in (both["deny_kept"], kept["allow_kept"]))
    sys.exit(bool(odd or low or figures["turned"][0]))


if __name__ == "__main__":
    main()
