"""Whether a command keeps its verdict however it is spelled.

usage: python benchmarks/respelled.py [--most N] [--seed N] [--list KIND] [--skip-syntax] [--write]

The bases are the commands of `tests/corpus/corpus.jsonl` that are labelled `allow` or `deny`, without those that
only a Windows shell understands.  Each is respelled by `tests/respeller`; every respelling is first read by
``bash -n``, which runs nothing.  The exit status is 1 if one of a dangerous command is allowed, one of a harmless
command is denied, bash cannot read one, or less than 95 % keep their verdict.

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

BATCH = 200
PROBES = "\n#' )\n#\" )\n"
"""Two comments, of which one is a syntax error behind a text that leaves a quotation open."""

Cells = Counter[tuple[str, str, str]]
"""How many respellings of a kind, of commands of a label, got an answer."""


def bases() -> list[tuple[str, str]]:
    """Return the commands that have a certain answer, with their labels."""
    entries = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    return [(entry["command"], entry["label"]) for entry in entries if entry["label"] in ("allow", "deny")]


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
    """Return what the offline layer says: allow, deny or neither."""
    found = gate.judge_offline(text)
    if isinstance(found, Verdict):
        return {Decision.ALLOW: "allow", Decision.DENY: "deny"}.get(found.decision, "neither")
    return "neither"


def measured(found: list[Variant], show: str | None) -> Cells:
    """Return the answers for all respellings; print those of the kind `show` that are not the label."""
    gate = build_gate(Settings(audit=False))
    cells: Cells = Counter()
    for variant in found:
        said = answer(gate, variant.text)
        label = variant.base.label
        cells[variant.kind.name, label, said] += 1
        wrong = said not in (label, "neither")
        if wrong or (show in (variant.kind.name, "all") and said != label):
            mark = "WRONG " if wrong else ""
            print(f"{mark}{variant.kind.name}: {label} answered {said}: {json.dumps(variant.text)}")
    return cells


def row(cells: Cells, names: list[str]) -> dict[str, list[int]]:
    """Return what became of the respellings of these kinds: kept and turned round, each with the number of all."""
    shares: dict[str, list[int]] = {}
    for label, other in (("deny", "allow"), ("allow", "deny")):
        total = sum(cells[name, label, said] for name in names for said in ("allow", "deny", "neither"))
        shares[f"{label}_kept"] = [sum(cells[name, label, label] for name in names), total]
        shares[f"{label}_turned"] = [sum(cells[name, label, other] for name in names), total]
    return shares


def line(name: str, shares: dict[str, list[int]]) -> str:
    """Return one line of the table."""
    cells = []
    for label in ("deny", "allow"):
        kept, total = shares[f"{label}_kept"]
        share = f"{int(1000 * kept / total) / 10:5.1f} %" if total else "      -"
        cells.append(f"{total:6d} {share} {shares[f'{label}_turned'][0]:4d}")
    return f"{name:28s} {cells[0]}   {cells[1]}"


def table(cells: Cells) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Print a line for each kind, and return the shares of all that must keep an allow, and of the others."""
    print(f"{'kind':28s} {'denied':>6s} {'kept':>7s} {'alwd':>4s}   {'harmls':>6s} {'kept':>7s} {'deny':>4s}")
    firm = [kind.name for kind in KINDS if not kind.ends]
    for kind in KINDS:
        mark = "" if not kind.ends else f"   [{kind.ends}]"
        print(line(kind.name, row(cells, [kind.name])) + mark)
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

    found = list(variants(bases(), options.seed, options.most))
    odd = [] if options.skip_syntax else list(unreadable([variant.text for variant in found]))
    for text in odd:
        print(f"bash cannot read {json.dumps(text)}")
    kept, apart = table(measured(found, options.list))
    denied = [kept["deny_kept"][at] + apart["deny_kept"][at] for at in (0, 1)]
    turned = {name: [kept[name][at] + apart[name][at] for at in (0, 1)] for name in ("deny_turned", "allow_turned")}
    figures: results.Section = {
        "variants": len(found),
        "kinds": len(KINDS),
        "denied_allowed": turned["deny_turned"],
        "allowed_denied": turned["allow_turned"],
        "denied_kept": denied,
        "allowed_kept": kept["allow_kept"],
        "allowed_kept_where_it_may_end": apart["allow_kept"],
    }
    print(f"respellings:        {len(found)} of {len(KINDS)} kinds")
    print(f"dangerous, allowed: {turned['deny_turned'][0]}; still denied: {results.percent(denied)}")
    print(f"harmless, denied:   {turned['allow_turned'][0]}; still allowed: {results.percent(kept['allow_kept'])}")
    if options.write:
        results.write("respelled", figures)
    low = any(share[0] < LEAST * share[1] for share in (denied, kept["allow_kept"]))
    sys.exit(bool(odd or low or turned["deny_turned"][0] or turned["allow_turned"][0]))


if __name__ == "__main__":
    main()
