"""Every claim of the documents that can be checked: transcripts, code, data, tables, links."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

import pytest

import figures
import phocinae
import transcripts
from phocinae.adapters.settings_sources import from_file
from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Dialect
from phocinae.domain.verdict import Decision, Hit, HumanAction, Layer, ReadingStatus, Undecided, Verdict, Weight
from phocinae.settings import Source, merge
from transcripts import ROOT, Block

LANGUAGES = {"console", "python", "json", "toml", "sh", "text"}
DOCUMENTS = transcripts.documents()
VERDICT_PAGE = ROOT / "docs" / "verdict.md"
AGENT_PAGES = ROOT / "docs" / "agents"
"""Pages with the configuration of agents, which is checked with them."""
READMES = (ROOT / "README.md", ROOT / "README.zh-CN.md")


def every(language: str | None, *, agents: bool = True) -> list[Any]:
    """Return the blocks of one language in all documents, as parameters that are named by their place."""
    pages = [path for path in DOCUMENTS if agents or path.parent != AGENT_PAGES]
    return [pytest.param(block, id=str(block)) for path in pages for block in transcripts.blocks(path, language)]


def shape(path: Path) -> list[str]:
    """Return the outline of a document: heading levels, list items, table rows, and the text of its blocks."""
    text = path.read_text(encoding="utf-8")
    outline = [match[1] for match in re.finditer(r"^(#+|- |\|)", transcripts.FENCE.sub("", text), re.MULTILINE)]
    return outline + [block.text for block in transcripts.blocks(path)]


def links(path: Path) -> list[str]:
    """Return the targets of the Markdown links of a document, without the blocks."""
    return re.findall(r"\]\(([^)\s]+)\)", transcripts.FENCE.sub("", path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("block", every(None))
def test_each_block_says_what_it_is(block: Block) -> None:
    assert block.language in LANGUAGES


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf ~",
        "phocinae gate ls; rm -rf ~",
        "phocinae gate ls && rm -rf ~",
        "phocinae gate ls & rm -rf ~",
        "phocinae gate 'ls' && rm -rf ~'",
        'phocinae gate "$(rm -rf ~)"',
        'phocinae gate "`rm -rf ~`"',
        "phocinae gate $(rm -rf ~)",
        "phocinae gate `rm -rf ~`",
        "phocinae gate <(rm -rf ~)",
        "phocinae gate ls | sh",
        "phocinae gate ls | | head -n 1",
        "phocinae gate ls > ~/.bashrc",
        "phocinae gate *",
        "phocinae gate ls\nrm -rf ~",
        "PATH=. phocinae gate ls",
        "./phocinae gate ls",
        "bash -c 'rm -rf ~'",
        "eval 'rm -rf ~'",
        "env rm -rf ~",
        """printf "a'b"; rm -rf ~; printf "c'd\"""",
        """phocinae gate 'ls'; echo "exit $?"; rm -rf ~""",
        "",
    ],
)
def test_a_transcript_can_only_start_our_own_programs(command: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="must not run"):
        transcripts.pipeline(command)
    with pytest.raises(ValueError, match="must not run"):
        transcripts.run(command, tmp_path)


def test_a_transcript_is_read_as_a_shell_reads_it() -> None:
    command = r"""printf '%s\n' 'a "b" $c' "it's" d'e'"f" | phocinae gate '2>/dev/null' 2>/dev/null | cut -c 1-9"""
    printing = ("printf", r"%s\n", 'a "b" $c', "it's", "def")
    assert transcripts.pipeline(command + transcripts.STATUS) == transcripts.Pipeline(
        stages=(printing, ("phocinae", "gate", "2>/dev/null"), ("cut", "-c", "1-9")), quiet=True, status=True
    )
    assert transcripts.pipeline("phocinae --help") == transcripts.Pipeline(
        stages=(("phocinae", "--help"),), quiet=False, status=False
    )


@pytest.mark.parametrize(
    ("stage", "data", "result"),
    [
        (("printf", r"%s\n", "a", "b c"), b"", b"a\nb c\n"),
        (("head", "-n", "1"), b"a\nb\n", b"a\n"),
        (("cut", "-c", "2-3"), b"abcd\nx\n", b"bc\n\n"),
    ],
)
def test_the_filters_of_a_transcript_do_what_their_names_say(
    stage: tuple[str, ...], data: bytes, result: bytes
) -> None:
    assert transcripts.filtered(stage, data) == result
    with pytest.raises(ValueError, match="must not run"):
        transcripts.filtered((*stage[:1], "-x", "y"), data)


def test_an_example_starts_no_process() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "docs" / "examples").glob("*.py")]
    sources += [block.text for path in DOCUMENTS for block in transcripts.blocks(path, "python")]
    assert len(sources) > 4
    for source in sources:
        assert not re.search(r"subprocess|os\.(system|popen|exec|spawn|posix_spawn)|\bpty\b|\b(exec|eval)\(", source)


@pytest.mark.parametrize("block", every("console"))
def test_a_transcript_is_what_the_program_prints(block: Block) -> None:
    assert [(step.command, step.output, printed) for step, printed in transcripts.differences(block)] == []
    assert all("Traceback" not in step.output for step in transcripts.steps(block.text))


@pytest.mark.parametrize("block", every("python"))
def test_python_runs(block: Block, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", block.text],
        cwd=tmp_path,
        env=transcripts.environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("block", every("json", agents=False))
def test_json_parses_and_starts_what_is_installed(block: Block) -> None:
    value = json.loads(block.text)
    scripts = {entry.name for entry in distribution("phocinae").entry_points}
    for servers in (value.get("mcpServers"), value.get("servers"), value.get("context_servers")):
        for server in (servers or {}).values():
            assert Path(server["command"]).name in scripts


@pytest.mark.parametrize("block", every("toml", agents=False))
def test_toml_is_a_settings_file_that_loads(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text(block.text, encoding="utf-8")
    path.chmod(0o600)
    given = from_file(str(path), Source.USER, required=True)
    assert given
    assert merge(given).ignored == ()


@pytest.mark.parametrize("block", every("sh"))
def test_shell_lines_parse(block: Block) -> None:
    assert subprocess.run(["bash", "-n"], input=block.text, text=True, check=False).returncode == 0
    for script in re.findall(r"\btools/\w+", block.text):
        assert (ROOT / script).is_file()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    inner = [target.partition("#")[0] for target in links(path) if "://" not in target]
    assert [target for target in inner if target and not (path.parent / target).exists()] == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_into_a_page_lead_to_a_heading(path: Path) -> None:
    targets = [target.partition("#") for target in links(path) if "#" in target and "://" not in target]
    for page, _, anchor in targets:
        text = ((path.parent / page) if page else path).read_text(encoding="utf-8")
        headings = re.findall(r"^#+ (.+)$", transcripts.FENCE.sub("", text), re.MULTILINE)
        assert anchor in {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_page_on_the_reader_says_what_it_reads() -> None:
    rows = transcripts.table(ROOT / "docs" / "shell-reader.md", "text")
    written = {text.strip("`").strip(): reading.strip("`") for text, reading, _ in rows}
    assert {text: TreeSitterReader().read(text).status.value for text in written} == written
    assert set(written.values()) == {status.value for status in ReadingStatus}


@pytest.mark.parametrize(("column", "dialect"), [("command", None), ("text for cmd", Dialect.CMD)])
def test_the_page_on_dialects_says_what_is_answered(column: str, dialect: Dialect | None) -> None:
    judge = OfflineJudge(TreeSitterReader(), dialect=dialect)
    rows = transcripts.table(ROOT / "docs" / "dialects.md", column)
    written = {command.strip("`").replace("\\|", "|"): answer.strip("`") for command, answer, _ in rows}
    found = {command: judge(GateRequest(command)) for command in written}
    answers = {command: one.to_wire()["decision"] for command, one in found.items()}
    assert answers == written
    assert set(answers.values()) == {"allow", "undecided", "deny"}


def test_both_readmes_have_the_same_structure() -> None:
    english, chinese = map(shape, READMES)
    assert chinese == english
    here, there = (set(links(path)) for path in READMES)
    assert here - {"README.zh-CN.md"} == there - {"README.md"}


def test_the_first_screen_names_the_limits() -> None:
    first = READMES[0].read_text(encoding="utf-8").split("\n## ", 1)[0]
    assert len(first.splitlines()) <= 25
    assert "Over MCP the gate advises" in first
    assert "The gate judges commands, not code" in first


def test_the_figures_are_those_that_were_measured() -> None:
    pages = [*READMES, *(ROOT / name for name in figures.PAGES)]
    assert [path.name for path in pages if figures.updated(path) != path.read_text(encoding="utf-8")] == []


def test_the_two_commands_are_those_of_the_build() -> None:
    first, second = (block.text.strip() for block in transcripts.blocks(READMES[0], "sh")[:2])
    build = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert first in build
    assert f"\n{second}" in build


def test_the_threat_model_starts_with_its_two_limits() -> None:
    """Its first screen says what the gate does not do."""
    lines = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8").splitlines()
    assert lines[2].startswith("**Over MCP the gate advises;")
    assert any(line.startswith("**The gate judges commands, not code.**") for line in lines[:24])


def test_versions_agree() -> None:
    assert phocinae.__version__ == version("phocinae")
    assert f"## {version('phocinae')}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_page_on_the_verdict_names_every_field() -> None:
    hit = Hit(rule="r", weight=Weight.DENY, reason="", remedy="x")
    full = Verdict(
        decision=Decision.DENY,
        layer=Layer.L1,
        reason="",
        noul=0.1,
        score=9,
        confidence={"q": 1.0},
        human_action=HumanAction.REJECT,
        error="x",
        observed=True,
    )
    documented = re.findall(
        r"`(\w+)`", " ".join(row[0] for row in transcripts.table(ROOT / "docs" / "verdict.md", "field"))
    )
    assert documented == [*full.to_wire(), *hit.to_wire()]
    assert set(Undecided(reason="", ceiling=Decision.ASK).to_wire()) <= set(documented)


def test_the_page_on_the_verdict_names_every_value() -> None:
    rows = transcripts.table(VERDICT_PAGE, "field")
    values = {name.strip("`"): set(re.findall(r"`(\w+)`", kinds)) for name, kinds, *_ in rows}
    assert values["decision"] == values["ceiling"] == {decision.wire for decision in Decision}
    assert values["layer"] == {layer.value for layer in Layer}
    assert values["human_action"] == {action.value for action in HumanAction}
