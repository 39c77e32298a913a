from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from phocinae.adapters.proving.surroundings import VARIABLES, Surroundings, hostile


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    """Hostile surroundings in a folder of their own."""
    return hostile(str(tmp_path), {"PATH": "/usr/bin:/bin", "OWN": "kept"})


def test_nothing_is_marked_before_anything_is_loaded(around: Surroundings) -> None:
    assert around.marks() == ()


def test_the_variables_are_set_over_those_that_were_there(around: Surroundings) -> None:
    assert set(around.variables) == {*VARIABLES, "OWN"}
    assert around.variables["OWN"] == "kept"
    assert around.variables["PATH"] == f"{around.folder}/bin:/usr/bin:/bin"
    assert around.variables["HOME"] == around.folder


@pytest.mark.parametrize(
    ("words", "marks"),
    [
        (["-m", "phocinae"], ["sitecustomize.py", "phocinae/__init__.py"]),
        (["-c", "import json, attrs"], ["sitecustomize.py", "json.py", "attrs.py"]),
    ],
)
def test_they_are_really_hostile_to_an_interpreter_that_trusts_them(
    words: list[str], marks: list[str], around: Surroundings
) -> None:
    variables = {name: around.variables[name] for name in ("PYTHONPATH", "HOME", "PATH")}
    subprocess.run([sys.executable, *words], cwd=around.folder, env=variables, capture_output=True, timeout=60)
    assert set(marks) <= set(around.marks())


@pytest.mark.parametrize("name", ["python3", "sh", "bash"])
def test_their_programs_are_found_first_and_leave_a_mark(name: str, around: Surroundings) -> None:
    subprocess.run([name], env={"PATH": around.variables["PATH"]}, timeout=60, check=True)
    assert around.marks() == (f"bin/{name}",)


def test_an_isolated_interpreter_loads_nothing_of_them(around: Surroundings) -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-c", "import json; print(json.__file__)"],
        cwd=around.folder,
        env=dict(around.variables),
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert around.folder not in os.fsdecode(done.stdout)
    assert around.marks() == ()
