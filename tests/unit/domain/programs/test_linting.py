"""Verdicts on the programs of `phocinae.domain.programs.linting`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
ruff check --no-fix
ruff check src --statistics
black . --check --diff
isort . --check-only --profile black
mypy --strict src
flake8
flake8 src --count --select=E9,F63 --show-source --statistics
pylint -E src/pkg
pyright --outputjson
shellcheck scripts/*.sh
yamllint .github/workflows
bandit -r src -q
vulture src
pyflakes src
pydocstyle src
pycodestyle --max-line-length=120 src
ruff check
ruff check --select E,F --output-format=concise src
ruff check --diff .
ruff format --check .
ruff format --diff
ruff --version
black --check .
black --diff src
isort --check-only --diff .
isort -c .
mypy
mypy src --strict
mypy -p pkg
flake8 --max-line-length=100 src
pylint src --disable=C0114
pyright
pyright src
bandit -r src
shellcheck script.sh
shellcheck -x -s bash *.sh
shfmt -d .
yamllint .
hadolint Dockerfile
yamllint -d relaxed ci.yml
ruff check --config pyproject.toml .
mypy --config-file mypy.ini src
black --check --config pyproject.toml .
pylint --rcfile=.pylintrc src
flake8 --config setup.cfg src
mypy --cache-dir=/dev/null src
ruff check --unfixable F401 .
ansible-lint --offline site.yml
""",
    "undecided": r"""
dmypy run -- src
dmypy start
mypy --exclude @words src
ruff check --exclude @words .
ruff check --fix .
ruff format .
ruff check --config evil.toml
black .
isort .
mypy --config-file /tmp/x
pylint --load-plugins=evil src
pylint --output-format=evil.Reporter src
shfmt -w .
pre-commit run --all-files
ruff check @args.txt
mypy @args.txt
yamllint -d '{extends: /tmp/x.yml}' ci.yml
ansible-lint site.yml
ansible-lint --offline /tmp/x/site.yml
sqlfluff lint /tmp/x
ruff check --config 'fix=true' .
ruff check --config /tmp/x/ruff.toml .
pylint --rcfile=evil src
mypy --cache-dir x src
ruff check --cache-dir x .
""",
    "undecided-ask": r"""
mypy --pretty .env
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
