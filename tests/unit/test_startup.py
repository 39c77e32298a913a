"""What a gate that runs once per command must not load: each of these would take longer than the verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import guards
import pytest

FORBIDDEN = [
    "argparse",
    "asyncio",
    "cattrs",
    "click",
    "concurrent",
    "dataclasses",
    "datetime",
    "hashlib",
    "http",
    "jsonschema",
    "logging",
    "phocinae.adapters.backends",
    "phocinae.catalog",
    "phocinae.cli.commands",
    "phocinae.composition.server",
    "phocinae.domain.l1",
    "phocinae.mcp",
    "phocinae.service.l1",
    "platformdirs",
    "socket",
    "sqlite3",
    "starlette",
    "subprocess",
    "tomllib",
    "urllib",
    "uvicorn",
]

PROBE = """
import json, sys
before = set(sys.modules)
{statement}
print(json.dumps(sorted(set(sys.modules) - before)), file=sys.stderr)
"""


def loaded_by(statement: str, folder: Path) -> set[str]:
    """Return the modules that `statement` loads in an interpreter of its own."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE.format(statement=statement)],
        capture_output=True,
        cwd=folder,
        timeout=60,
        check=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def forbidden(modules: set[str]) -> set[str]:
    return {name for name in modules if any(name == one or name.startswith(f"{one}.") for one in FORBIDDEN)}


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["rm -rf /"], 1),
        (["git status"], 0),
        (["--json", "npm install left-pad"], 1),
        (["--explain", "rm -rf /"], 1),
        (["--help"], 0),
        (["--nope"], 3),
    ],
)
def test_a_verdict_loads_nothing_that_it_does_not_need(arguments: list[str], status: int, tmp_path: Path) -> None:
    log = tmp_path / "audit.jsonl"
    modules = loaded_by(
        f"import os; os.environ['PHOCINAE_AUDIT_FILE'] = {str(log)!r}\n"
        "from phocinae.adapters import settings_sources; settings_sources.user_file = lambda: None\n"
        f"from phocinae.cli.entry import run; assert run(['gate', *{arguments!r}]) == {status}",
        tmp_path,
    )
    assert "phocinae.cli.gate" in modules
    assert forbidden(modules) == set()
    assert log.exists() == (arguments[0] not in ("--help", "--nope"))


def test_a_guard_program_costs_a_process_only_when_it_is_asked(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    program = guards.write(tmp_path)
    build = f"import phocinae; gate = phocinae.build_gate(phocinae.Settings(audit=False, guard={program!r}))\n"
    unasked = loaded_by(build + "assert gate.decide('rm -rf /').engine == 'l0'", tmp_path / "work")
    assert forbidden(unasked) == {"phocinae.adapters.backends", "phocinae.adapters.backends.guard_file"}
    asked = loaded_by(build + "assert gate.decide('echo bad').engine == 'guard'", tmp_path / "work")
    assert {"subprocess", "phocinae.adapters.backends.guard_process"} <= forbidden(asked)


def test_the_package_itself_loads_nothing(tmp_path: Path) -> None:
    modules = loaded_by("import phocinae", tmp_path)
    assert {name for name in modules if name.startswith("phocinae")} == {"phocinae"}
    assert not modules & {"attr", "attrs", "enum", "importlib.metadata", "tree_sitter", "typing"}


def test_a_gate_of_the_library_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    modules = loaded_by(
        "import phocinae; gate = phocinae.build_gate(phocinae.Settings(audit=False))\n"
        "assert gate.decide('rm -rf /').decision is phocinae.Decision.DENY",
        tmp_path,
    )
    assert "phocinae.service.gate" in modules
    assert forbidden(modules) == set()


def test_a_verdict_of_the_rules_loads_no_client_of_a_service_that_is_switched_on(tmp_path: Path) -> None:
    modules = loaded_by(
        "import phocinae; gate = phocinae.build_gate(phocinae.Settings(audit=False, l1_enabled=True))\n"
        "assert gate.decide('git status').decision is phocinae.Decision.ALLOW",
        tmp_path,
    )
    backends = {f"phocinae.adapters.backends{module}" for module in ("", ".breaker", ".endpoint", ".http")}
    assert forbidden(modules) == {"phocinae.domain.l1", "phocinae.service.l1", *backends}
    assert not modules & {"email", "ssl", "tempfile"}


def test_a_server_on_stdio_loads_nothing_of_http(tmp_path: Path) -> None:
    modules = loaded_by("import phocinae.cli.serve", tmp_path)
    assert "phocinae.adapters.transports.stdio" in modules
    assert {name.partition(".")[0] for name in modules} & {"asyncio", "h11", "http", "starlette", "uvicorn"} == set()
