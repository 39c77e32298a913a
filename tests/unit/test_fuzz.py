"""A short run of tools/fuzz.py, and that it would notice; no text is ever run."""

from __future__ import annotations

import shutil
from itertools import islice

import pytest

import fuzz
from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.request import COMMAND_LIMIT, GateRequest
from phocinae.domain.verdict import Decision, Layer, Undecided, Verdict

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is asked whether it can parse a text")

ALLOW = Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason="Anything.")
TEXTS = 1_200


def allows(_: GateRequest) -> Verdict | Undecided:
    """Allow whatever it is."""
    return ALLOW


def raises(_: GateRequest) -> Verdict | Undecided:
    """Fail, as no judge may."""
    raise RuntimeError("no verdict")


def test_a_short_run_finds_nothing() -> None:
    run = fuzz.offline()
    run.over(fuzz.Mutator(1, fuzz.corpus()), count=TEXTS)
    assert [(kind, text) for kind, text in run.faults if kind != "slow"] == []
    assert run.answers.total() == TEXTS
    assert run.answers["allow"] > 50
    assert 50 < run.compared <= run.checked


def test_an_allow_of_what_bash_cannot_parse_is_a_fault() -> None:
    run = fuzz.Run(allows, allows, TreeSitterReader())
    run.over(fuzz.Mutator(1, ["if true"]), count=20)
    kinds = {kind for kind, _ in run.faults}
    assert "allowed, and bash cannot parse it" in kinds
    assert "faults\n  allowed, and bash cannot parse it" in run.report()


def test_an_exception_is_a_fault() -> None:
    run = fuzz.Run(raises, raises, TreeSitterReader())
    run.over(fuzz.Mutator(1, ["ls"]), count=3)
    assert [kind for kind, _ in run.faults] == ["exception RuntimeError"] * 3


def test_texts_are_the_same_for_the_same_seed_and_never_too_long() -> None:
    first, second, other = (list(islice(fuzz.Mutator(seed, fuzz.corpus()), 300)) for seed in (3, 3, 4))
    assert first == second != other
    assert max(map(len, first)) <= COMMAND_LIMIT


def test_what_bash_can_parse() -> None:
    assert fuzz.accepted("ls; for x in a; do ls; done")
    assert not fuzz.accepted("ls; for x in a; do ls")


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert fuzz.main(["--differential", "100", "--seed", "2"]) == 0
    assert "compared with shfmt\n0 faults" in capsys.readouterr().out
    assert fuzz.main(["--texts", "40"]) == 0
    assert capsys.readouterr().out.startswith("40 texts judged")
