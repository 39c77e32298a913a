"""The list of requirements and the tests agree: each row has a test that holds it, each test names rows that exist."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from attrs import frozen
from contract.requirements import REQUIREMENTS, Seen

TESTS = Path(__file__).resolve().parent.parent
OVER_ARMS = {"connect", "modern", "legacy", "any_era", "arm"}
"""The fixtures that run a test over every arm."""
WITH_A_PROCESS = OVER_ARMS | {"start", "environment", "talk", "child", "surroundings"}
"""The fixtures of tests that start a server process, among others."""


@frozen
class Holding:
    """One test, by its file, its name and its arguments, and the rows that it says it holds."""

    path: str
    name: str
    arguments: frozenset[str]
    rows: tuple[str, ...]


def _rows(function: ast.FunctionDef) -> tuple[str, ...]:
    found = []
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.requirement":
            found += [str(ast.literal_eval(argument)) for argument in decorator.args]
    return tuple(found)


def _tests() -> list[Holding]:
    found = []
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and (rows := _rows(node)):
                arguments = frozenset(argument.arg for argument in node.args.args)
                found.append(Holding(str(path.relative_to(TESTS)), node.name, arguments, rows))
    return found


HOLDING = _tests()


def test_each_test_names_rows_that_exist_once_each() -> None:
    for test in HOLDING:
        assert set(test.rows) <= REQUIREMENTS.keys(), test
        assert len(set(test.rows)) == len(test.rows), test
        assert test.name.startswith("test_"), test


@pytest.mark.parametrize("row", REQUIREMENTS)
def test_each_row_is_held_where_it_has_to_be_seen(row: str) -> None:
    required = REQUIREMENTS[row]
    tests = [test for test in HOLDING if row in test.rows]
    if required.gap and not tests:
        pytest.skip(f"does not hold: {required.gap}")
    needed: set[str] | None = {Seen.EVERYWHERE: OVER_ARMS, Seen.STDIO: WITH_A_PROCESS}.get(required.seen)
    assert [test for test in tests if needed is None or test.arguments & needed], required.behaviour
