"""The examples of the documents run as they stand, and print what they are meant to show."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import transcripts

EXAMPLES = transcripts.ROOT / "docs" / "examples"

PRINTED = {
    "decision_service.py": """\
allow L0 l0 git status
allow L1 mock make docs
deny L1 mock make deploy
deny fail_closed mock make release
"make docs"
{'choice': 0, 'label': 'bug', 'model': 'mock', 'engine': 'mock', 'truncated': False}
no answer: the service is down
""",
    "embed.py": """\
would run echo hello
not run, deny
not run, ask
allow L0 echo hello
deny L0 shutdown now
ask L1 npm install left-pad
""",
    "embed_async.py": """\
may run:     git status
may not run: git push --force origin main
may not run: make deploy
""",
}


def test_every_example_is_run() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == set(PRINTED)


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_an_example_prints_what_it_shows(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)],
        cwd=tmp_path,
        env=transcripts.environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", PRINTED[name])


@pytest.mark.parametrize("name", sorted(PRINTED))
def test_the_page_on_embedding_names_the_example(name: str) -> None:
    page = (transcripts.ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
    assert f"(examples/{name})" in page
