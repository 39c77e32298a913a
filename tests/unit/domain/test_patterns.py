from __future__ import annotations

import re
import subprocess
import sys

import pytest

from phocinae.domain.patterns import lazily


def test_a_pattern_is_compiled_at_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    real = re.compile

    def counted(pattern: str, flags: int) -> re.Pattern[str]:
        compiled.append(pattern)
        return real(pattern, flags)

    monkeypatch.setattr(re, "compile", counted)
    pattern = lazily(r"a(.)c\Z", re.S)
    assert compiled == []
    for _ in range(2):
        found = pattern.match("a\nc")
        assert found is not None
        assert found[1] == "\n"
    assert compiled == [r"a(.)c\Z"]
    monkeypatch.undo()
    assert pattern.search("xabc") is not None
    assert pattern.sub("", "xabc") == "x"
    with pytest.raises(AttributeError):
        pattern.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_a_plain_command_compiles_none_of_them() -> None:
    code = (
        "from phocinae.domain import assignments, code, places, secrets\n"
        "from phocinae import build_gate\n"
        "build_gate().judge_offline('git status')\n"
        "print([vars(p) for p in (secrets._NAME, places._GATE, code._LITERAL, assignments._RUNS) if len(vars(p)) > 1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
