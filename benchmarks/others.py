"""How accurate other gates are over the same labelled commands, offline and with their own defaults.

usage: python benchmarks/others.py [--peer-python FILE] [--nah FILE] [--cc-safety-net FILE] [--write]

Each gate gets the command as text and nothing is run.  They are installed by whoever measures,
each in an environment of its own:

    python -m venv nah && nah/bin/pip install nah==0.11.0            --nah nah/bin/nah
    npm install cc-safety-net@2.4.5      --cc-safety-net node_modules/.bin/cc-safety-net

A gate's answers are mapped to allow, deny or grey by the function that asks it; grey is
whatever is left to somebody else: a prompt, a model, or the host's own rules.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import peers
import results
from corpus import ANSWERS, CORPUS, Cells

HERE = Path(__file__).resolve().parent
SECONDS = 60
"""The longest that one answer may take."""
FOLDER = tempfile.TemporaryDirectory(dir="/var/tmp")  # nah trusts what is below /tmp, where no project is
"""The home of those who are asked; `project` in it is the repository in which the commands are said to run."""


def phocinae(commands: Sequence[str]) -> tuple[str, list[str]]:
    """Return our own name and answers: the offline layer, undecided is grey."""
    from phocinae import Settings, Verdict, build_gate
    from phocinae.settings import VERSION

    gate = build_gate(Settings(audit=False))
    answers = [gate.judge_offline(command) for command in commands]
    return f"phocinae {VERSION}", [ANSWERS[one.decision] if isinstance(one, Verdict) else "grey" for one in answers]


def phocinae_guard(python: Path, commands: Sequence[str]) -> tuple[str, list[str]]:
    """Return the answers of its rules without its model: None, which it hands to the model, is grey."""
    lines = "".join(json.dumps({"command": command}) + "\n" for command in commands)
    worker = [str(python), str(HERE / "guard_answers.py")]
    done = subprocess.run(worker, input=lines, capture_output=True, text=True, check=True)
    name, *answers = done.stdout.splitlines()
    return name, answers


def nah(program: Path, commands: Sequence[str]) -> tuple[str, list[str]]:
    """Return the answers of ``nah test --defaults``: ask is grey, block is deny."""
    words = {"allow": "allow", "ask": "grey", "block": "deny"}

    def answer(command: str) -> str:
        done = run([str(program), "test", "--json", "--defaults", "--", command])
        return words[json.loads(done)["decision"]]

    return run([str(program), "--version"]).strip(), each(answer, commands)


def cc_safety_net(program: Path, commands: Sequence[str]) -> tuple[str, list[str]]:
    """Return the answers of its hook for Claude Code: it never allows, so that silence and ask are grey."""
    words = {"allow": "allow", "ask": "grey", "deny": "deny"}

    def answer(command: str) -> str:
        payload: dict[str, object] = {"hook_event_name": "PreToolUse", "tool_name": "Bash"}
        payload |= {"tool_input": {"command": command}, "cwd": str(Path(FOLDER.name, "project"))}
        done = run([str(program), "hook", "--claude-code"], json.dumps(payload))
        return words[json.loads(done)["hookSpecificOutput"]["permissionDecision"]] if done.strip() else "grey"

    return f"cc-safety-net {run([str(program), '--version']).strip()}", each(answer, commands)


def run(words: list[str], stdin: str = "") -> str:
    """Return what a program prints that is started in an empty repository, with an empty home."""
    home = FOLDER.name
    environment = {"PATH": os.environ["PATH"], "HOME": home, "LANG": "C.UTF-8"}
    done = subprocess.run(
        words,
        input=stdin,
        capture_output=True,
        text=True,
        cwd=Path(home, "project"),
        env=environment,
        timeout=SECONDS,
        check=False,
    )
    return done.stdout


def each(answer: Callable[[str], str], commands: Sequence[str]) -> list[str]:
    """Return the answer to every command, several at once."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(answer, commands))


def score(name: str, answers: Sequence[str], entries: Sequence[dict[str, str]]) -> results.Section:
    """Return the four figures of one gate."""
    cells: Cells = Cells(zip((entry["label"] for entry in entries), answers, strict=True))
    count = {label: sum(entry["label"] == label for entry in entries) for label in ("allow", "grey", "deny")}
    return {
        "name": name,
        "false_allow": [cells["grey", "allow"] + cells["deny", "allow"], count["grey"] + count["deny"]],
        "false_deny": [cells["grey", "deny"] + cells["allow", "deny"], count["grey"] + count["allow"]],
        "allow_recall": [cells["allow", "allow"], count["allow"]],
        "deny_recall": [cells["deny", "deny"], count["deny"]],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    peers.add_options(parser)
    parser.add_argument("--nah", type=Path, metavar="FILE", help="the program nah")
    parser.add_argument("--cc-safety-net", type=Path, metavar="FILE", help="the program cc-safety-net")
    parser.add_argument("--write", action="store_true", help="put the figures into benchmarks/results.json")
    options = parser.parse_args()

    entries = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
    commands = [entry["command"] for entry in entries]
    subprocess.run(["git", "init", "-q", str(Path(FOLDER.name, "project"))], check=True)
    asked = [phocinae(commands)]
    if python := peers.peer_python(options):
        asked.append(phocinae_guard(python.absolute(), commands))
    if options.nah:
        asked.append(nah(options.nah.absolute(), commands))
    if options.cc_safety_net:
        asked.append(cc_safety_net(options.cc_safety_net.absolute(), commands))
    gates = [score(name, answers, entries) for name, answers in asked]
    for gate in gates:
        wrong = ", ".join(
            f"{key.replace('_', ' ')} {gate[key][0]} of {gate[key][1]}" for key in ("false_allow", "false_deny")
        )
        right = ", ".join(
            f"{key.replace('_', ' ')} {results.percent(gate[key])}" for key in ("allow_recall", "deny_recall")
        )
        print(f"{gate['name']:22s} {wrong}, {right}")
    if options.write:
        results.write("others", {"gates": gates})


if __name__ == "__main__":
    main()
