"""Verdicts on the programs of `phocinae.domain.programs.testing`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
pytest tests/unit -k "foo" --no-header -rA
pytest -sv tests/test_x.py
pytest --cov
pytest --cov=pkg --cov-branch tests
pytest --durations=5 --tb=no
vitest
vitest --run
jest --ci --runInBand
mocha --recursive test
rspec
rspec spec/models/user_spec.rb:12
phpunit tests
ctest -j4 --output-on-failure
ctest -R foo -V
playwright test
pytest
pytest -q tests/test_x.py::test_y
pytest -x -vv --tb=short -k 'a and b'
pytest --cov=src --cov-report=term-missing
pytest -n auto
pytest -p no:cacheprovider
pytest --collect-only -q
pytest --lf
pytest tests -m "not slow" --durations=10
pytest --version
pytest -W error::DeprecationWarning
py.test
cd sub && pytest -q
jest --coverage
jest src/foo.test.ts -t 'name'
vitest run
vitest run --reporter=verbose
mocha
rspec spec/models --format documentation
phpunit --filter testX
ctest --test-dir build --output-on-failure
coverage run -m pytest
coverage report -m
tox -l
playwright test --project=chromium
pytest -k "$x"
vitest list
pytest --continue-on-collection-errors --log-cli-format='%(message)s' tests
vitest run --pool=threads --environment jsdom
mocha --ui tdd test
cypress verify
pytest -c pytest.ini
pytest --config-file=backend/pyproject.toml
jest --config jest.config.ci.js
vitest run --config web/vitest.config.ts
phpunit -c phpunit.xml.dist
playwright test -c playwright.config.ts
coverage report --rcfile=.coveragerc
tox list -e py311
cypress cache list
coverage debug config
""",
    "undecided": r"""
pytest -k @words
pytest -p evil_plugin
pytest --rootdir=/tmp/x
pytest -c /tmp/evil.ini
pytest /tmp/x/test_evil.py
pytest ../other
pytest --cov-report=html
pytest --junitxml=out.xml
pytest -o python_files=x
pytest --basetemp=x
pytest "$x"
cd /tmp/x && pytest
jest --config evil.js
vitest --reporter=./evil.js
mocha -r ./evil.js
mocha --reporter ./evil.js
rspec -r ./evil
phpunit --bootstrap evil.php
ctest -S evil.cmake
coverage run x.py
coverage html
tox
tox -e py311
nox
pytest -k $x
playwright test --reporter=./evil.js
pytest @args.txt
pytest -c evil.ini
pytest -c ../pyproject.toml
pytest -c /tmp/x/pytest.ini
jest -c '{"globalSetup":"./evil.js"}'
vitest --config ~/vitest.config.ts
jest --config "$x"
tox run -e list
pytest --px python2
pytest --pyargs x
python -m pytest -q @args.txt
vitest init
vitest run --pool=./evil.js
vitest --environment ./evil.js
mocha init web
mocha inspect test
ava debug
cypress cache clear
cypress run
""",
    "undecided-ask": r"""
coverage debug sys
""",
    "deny": r"""
pytest --junitxml=/etc/x.xml
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
