"""The tables of measured figures in the READMEs and in docs/accuracy.md, written from benchmarks/results.json.

usage: python benchmarks/figures.py [--write]

Without ``--write`` it names every page whose table differs and ends with status 1.
Figures that nobody has measured yet are shown as such.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import results

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- figures: written by benchmarks/figures.py -->\n", "<!-- end of figures -->\n"

WORDS = {
    "README.md": {
        "head": "what | measured | with",
        "false_allow": "labelled commands allowed by mistake",
        "false_deny": "labelled commands denied by mistake",
        "allow_recall": "harmless commands allowed",
        "deny_recall": "dangerous commands denied",
        "grey_denied": "commands labelled neither, denied by default",
        "grey_asked": "the same, asked about with `--fail-closed ask`",
        "turned": "commands spelled otherwise whose verdict is turned round",
        "denied_kept": "dangerous commands spelled otherwise, denied",
        "allowed_kept": "harmless commands spelled otherwise, allowed",
        "l0": "one decision in process, median and p99",
        "l1": "one decision that asks the decision service, median and p99",
        "l1_eight": "the same in eight threads at once",
        "cold": "one decision with a process of its own, median",
        "cold_unrecorded": "the same with the decision log off",
        "hook": "one hook of 20 at once on two processors, median and p99",
        "at_once": "{name}: {median} ms, {p99} ms",
        "peer": "{ratio} times {name} in the same run",
        "bare": "{ratio} times a bare interpreter",
        "of": "{0} of {1}",
        "none": "not measured yet",
    },
    "README.zh-CN.md": {
        "head": "项目 | 实测值 | 测量命令",
        "false_allow": "误放行的标注命令",
        "false_deny": "误拒绝的标注命令",
        "allow_recall": "无害命令的放行率",
        "deny_recall": "危险命令的拒绝率",
        "grey_denied": "两者都不是的命令，默认被拒绝的比例",
        "grey_asked": "同上，用 `--fail-closed ask` 时询问的比例",
        "turned": "换一种写法后判定反转的命令",
        "denied_kept": "危险命令换一种写法后的拒绝率",
        "allowed_kept": "无害命令换一种写法后的放行率",
        "l0": "进程内单次判定，中位数与 p99",
        "l1": "询问决策服务的单次判定，中位数与 p99",
        "l1_eight": "同上，八个线程同时进行",
        "cold": "单独启动进程的单次判定，中位数",
        "cold_unrecorded": "同上，关闭决策日志",
        "hook": "两个处理器上同时 20 个钩子中的一个，中位数与 p99",
        "at_once": "{name}：{median} ms，{p99} ms",
        "peer": "同一次运行中为 {name} 的 {ratio} 倍",
        "bare": "为空解释器的 {ratio} 倍",
        "of": "{1} 条中 {0} 条",
        "none": "尚未测量",
    },
}

SHARES = {
    "corpus": ("false_allow", "false_deny", "allow_recall", "deny_recall", "grey_denied", "grey_asked"),
    "respelled": ("turned", "denied_kept", "allowed_kept"),
}
"""The pairs of a number and of what, by section."""
COUNTS = ("false_allow", "false_deny", "turned")
"""Those that are shown as numbers, because none of them may be."""


def rows(words: dict[str, str], measured: dict[str, results.Section]) -> list[tuple[str, str, str]]:
    """Return the rows of the table: what, the figure, and the benchmark that took it."""
    table = []
    for section, names in SHARES.items():
        for name in names:
            pair = measured.get(section, {}).get(name)
            shown = words["none"]
            if pair:
                shown = words["of"].format(*pair) if name in COUNTS else results.percent(pair)
            table.append((words[name], shown, f"benchmarks/{section}.py"))
    table.append((words["l0"], judging(words, measured.get("l0")), "benchmarks/l0.py"))
    for name, threads in (("l1", "1"), ("l1_eight", "8")):
        table.append((words[name], judging(words, measured.get("l1", {}).get(threads)), "benchmarks/l1.py"))
    for place, name in enumerate(("cold", "cold_unrecorded")):
        table.append((words[name], cold(words, measured.get("cold"), place), "benchmarks/cold.py"))
    table.append((words["hook"], hook(words, measured.get("hook")), "benchmarks/hook.py"))
    return table


def hook(words: dict[str, str], figures: results.Section | None) -> str:
    """Return what is shown of hooks that are started at once: ours, then the others of the same run."""
    if not figures:
        return words["none"]
    medians, slow = figures["median_ms"], figures["p99_ms"]
    ours, *others = medians
    shown = [f"{medians[ours]} ms, {slow[ours]} ms"]
    return "; ".join(
        [*shown, *(words["at_once"].format(name=name, median=medians[name], p99=slow[name]) for name in others)]
    )


def judging(words: dict[str, str], figures: results.Section | None) -> str:
    """Return what is shown of the speed of a decision in a process that goes on."""
    if not figures:
        return words["none"]
    ours = figures["ours"]
    shown = [f"{ours['median_us'] / 1000:.3f} ms, {ours['p99_us'] / 1000:.3f} ms"]
    if "peer" in figures:
        shown.append(words["peer"].format(ratio=figures["ratio_median"], name=figures["peer"]["name"]))
    return "; ".join(shown)


def cold(words: dict[str, str], figures: results.Section | None, place: int) -> str:
    """Return what is shown of a decision that has a process of its own: recorded in the first place, or not."""
    if not figures:
        return words["none"]
    ours = list(figures["ratio"])[place]
    shown = [f"{figures['median_ms'][ours]} ms"]
    for name, ratio in figures["ratio"][ours].items():
        shown.append((words["bare"] if name == "python -c pass" else words["peer"]).format(ratio=ratio, name=name))
    return "; ".join(shown)


def table(words: dict[str, str]) -> str:
    """Return the Markdown of the table."""
    body = [f"{what} | {figure} | `python {script}`" for what, figure, script in rows(words, results.load())]
    return "".join(f"| {line} |\n" for line in [words["head"], "--- | --- | ---", *body])


def respelled(measured: dict[str, results.Section]) -> str:
    """Return what became of the respellings, by the label of their command, and which of them may end an allow."""
    figures = measured.get("respelled")
    if not figures:
        return "Not measured yet.\n"
    lines = ["| label | spelled anew | same answer | turned round |", "| --- | --- | --- | --- |"]
    for label, (kept, total, turned) in figures["rows"].items():
        lines.append(f"| {label} | {total} | {results.percent([kept, total])} | {turned} |")
    lines += ["", f"{len(figures['ends'])} of the {figures['kinds']} ways of spelling may end an allow:", ""]
    lines += [f"- {name}: {reason}" for name, reason in figures["ends"].items()]
    return "\n".join(lines) + "\n"


def others(measured: dict[str, results.Section]) -> str:
    """Return the four figures of each gate that was asked, ours first."""
    figures = measured.get("others")
    if not figures:
        return "Not measured yet.\n"
    lines = ["| gate | false allow | false deny | allow recall | deny recall |", "| --- | --- | --- | --- | --- |"]
    for gate in figures["gates"]:
        wrong = [f"{gate[name][0]} of {gate[name][1]}" for name in ("false_allow", "false_deny")]
        right = [results.percent(gate[name]) for name in ("allow_recall", "deny_recall")]
        lines.append(f"| {' | '.join([gate['name'], *wrong, *right])} |")
    return "\n".join(lines) + "\n"


PAGES: dict[str, dict[str, Callable[[dict[str, results.Section]], str]]] = {
    "docs/accuracy.md": {"others": others, "respelled": respelled},
}
"""The pages that hold a table of one benchmark, by the name in its markers."""


def between(text: str, begin: str, end: str, new: str, page: str) -> str:
    """Return a page with `new` between two marks; raise ValueError where it has no place for it."""
    before, mark, rest = text.partition(begin)
    _, close, after = rest.partition(end)
    if not mark or not close:
        raise ValueError(f"{page} has no place for the figures")
    return before + begin + new + end + after


def updated(path: Path) -> str:
    """Return the text of a page with the tables of today."""
    text, page = path.read_text(encoding="utf-8"), path.relative_to(ROOT).as_posix()
    if page in WORDS:
        text = between(text, BEGIN, END, table(WORDS[page]), page)
    for name, block in PAGES.get(page, {}).items():
        begin, end = f"<!-- {name}: written by benchmarks/figures.py -->\n", f"<!-- end of {name} -->\n"
        text = between(text, begin, end, block(results.load()), page)
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables")
    options = parser.parse_args()
    stale = False
    for name in (*WORDS, *PAGES):
        path = ROOT / name
        new = updated(path)
        if new != path.read_text(encoding="utf-8"):
            stale = True
            print(f"{name}: {'written' if options.write else 'the table is not that of benchmarks/results.json'}")
            if options.write:
                path.write_text(new, encoding="utf-8", newline="\n")
    sys.exit(stale and not options.write)


if __name__ == "__main__":
    main()
