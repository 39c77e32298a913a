"""Substitutions in stretches that the parser kept as one token: never vouched for, and denied for what they run."""

from __future__ import annotations

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Word
from phocinae.domain.verdict import ReadingStatus, Undecided, Verdict

JUDGE = OfflineJudge(TreeSitterReader())
FORMS = [
    'ls "${x:=`%s`}"',
    'echo "${x:-`%s`}"',
    "echo ${x#$(%s)}",
    "echo ${x%%%%`%s`}",
    'echo "${x/a/`%s`}"',
    "echo ${x#$(ls; (%s))}",
    "echo é ${x#$(%s)}",
]


@pytest.mark.parametrize("form", FORMS)
def test_what_is_hidden_is_denied_for_what_it_runs(form: str) -> None:
    found = JUDGE(GateRequest(form % "rm -rf ~"))
    assert isinstance(found, Verdict)
    assert found.decision.wire == "deny"


@pytest.mark.parametrize("form", FORMS)
def test_what_is_hidden_is_never_vouched_for(form: str) -> None:
    assert TreeSitterReader().read(form % "ls").status is ReadingStatus.UNKNOWN
    assert isinstance(JUDGE(GateRequest(form % "ls")), Undecided)


@pytest.mark.parametrize("command", ["echo ${x#'$(rm -rf ~)'}", "echo ${x#\\$(rm -rf ~\\)}", "echo ${x#$((1 + 1))}"])
def test_what_is_quoted_is_no_substitution(command: str) -> None:
    found = JUDGE(GateRequest(command))
    assert not isinstance(found, Verdict) or found.decision.wire != "deny"


def test_a_stretch_without_an_end_is_read_to_its_own_end() -> None:
    from phocinae.adapters.shell_tree_sitter import hidden
    from phocinae.adapters.shell_tree_sitter.statements import StatementReader
    from phocinae.adapters.shell_tree_sitter.text import Findings, Text
    from phocinae.adapters.shell_tree_sitter.tree import Budget

    text = Text("x$(ls", Budget(), Findings())
    found = hidden.words(StatementReader(text, lambda *_: None).word_reader, 0, 5)
    assert [type(word) for word in found] == [Word]
    assert (found[0].start, found[0].end) == (3, 5)
