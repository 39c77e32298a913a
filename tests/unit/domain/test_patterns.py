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
        "import gc\n"
        "from phocinae import Settings, build_gate\n"
        "from phocinae.domain import code\n"
        "from phocinae.domain.patterns import _Lazy\n"
        "build_gate(Settings(audit=False)).judge_offline('git status')\n"
        "all_of_them = [one for one in gc.get_objects() if type(one) is _Lazy]\n"
        "print(len(all_of_them), [one._of[0][:40] for one in all_of_them if len(vars(one)) > 1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    count, compiled = done.stdout.split(maxsplit=1)
    assert int(count) > 10
    assert compiled.strip() == "[]"
