"""Verdicts on the programs of `phocinae.domain.programs.python_packages`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
pip list --not-required
pip show -f numpy pandas
pip freeze --local
uv pip freeze
uv pip check
poetry show
conda list -n base
pip list
pip3 list --format=freeze
pip show -f requests
pip freeze --all
pip check
pip --version
pip config get global.timeout
pip install --help
uv pip list
uv pip show x
uv --version
uv python list --only-installed
uv tool list
uv version
poetry show --tree
poetry show --no-dev
pip list --no-cache-dir
poetry run pytest -q
poetry check
conda list
conda env list
conda info
pipenv graph
uv run --no-sync pytest -q
uv tree --frozen --depth 1
pdm list --tree
pdm info
pdm run pytest -q
pipenv run pytest
hatch env show
hatch version
rye list
conda config --describe
""",
    "undecided": r"""
pip uninstall phocinae-notes
pip install phocinae
uv tree
pip list --outdated
pip install x
pip install -r requirements.txt
pip install -e .
pip download x
pip uninstall -y x
pip index versions x
uv run pytest
uv sync
uv add x
poetry run python x.py
poetry install
poetry show --outdated
conda install x
uv run --no-sync --with x pytest
uv run --no-sync --env-file=.env.test pytest
uv tree --frozen --outdated
pdm show requests
pdm deploy --help
pdm run python x.py
pipenv run python x.py
hatch run pytest
hatch version minor
hatch env create
rye sync
conda config --add channels x
""",
    "undecided-ask": r"""
pip config list
pip config debug
python -m pip config list
pip freeze -r .env
conda config --show
conda config --show-sources
""",
    "deny": r"""
pip uninstall -y phocinae
pip3 uninstall x Phocinae
python3 -m pip uninstall phocinae
pipx uninstall phocinae
uv pip uninstall phocinae
uv tool uninstall phocinae
uv run rm -rf /
poetry run rm -rf ~
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict


@pytest.mark.parametrize(
    "twins",
    """
    pip list | uv pip list | poetry show
    pip show x | uv pip show x | poetry show x
    pip list --outdated | uv pip list --outdated | poetry show --outdated
    pip install x | uv pip install x | poetry add x
    pip uninstall -y x | uv pip uninstall x | poetry remove x
    pip cache dir | uv cache dir
    pip install --help | uv pip install --help | poetry add --help
    pytest -q | python -m pytest -q | poetry run pytest -q | pipenv run pytest -q | uv run --no-sync pytest -q
    ruff check --fix | python -m ruff check --fix | poetry run ruff check --fix | pdm run ruff check --fix
    mypy --install-types | python -m mypy --install-types | poetry run mypy --install-types
""".strip().splitlines(),
)
def test_twins_have_one_verdict(judged: Callable[[str], str], twins: str) -> None:
    assert len({judged(command.strip()) for command in twins.split("|")}) == 1
