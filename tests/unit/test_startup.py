"""What a gate that runs once per command must not load: each of these would take longer than the verdict."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import guards
import hooks
import pytest

from phocinae.adapters import agents

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
    "phocinae.domain.toml_places",
    "phocinae.mcp",
    "phocinae.service.l1",
    "phocinae.settings.meaning",
    "phocinae.settings.report",
    "phocinae.settings.schema",
    "phocinae.settings.template",
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


def loaded_by(statement: str, folder: Path, data: bytes = b"") -> set[str]:
    """Return the modules that `statement` loads in an interpreter of its own, with `data` on its standard input."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", PROBE.format(statement=statement)],
        input=data,
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


def hook_with(arguments: list[str], status: int, folder: Path, data: bytes) -> set[str]:
    """Return the modules that a hook loads without a settings file, its decision log in `folder`."""
    return loaded_by(
        "from phocinae.adapters import settings_sources as sources\n"
        f"sources.user_file = lambda: None; sources.state_folder = lambda: {str(folder / 'state')!r}\n"
        f"from phocinae.cli.entry import run; assert run(['hook', *{arguments!r}]) == {status}",
        folder,
        data,
    )


@pytest.mark.parametrize("name", hooks.NAMES)
@pytest.mark.parametrize(
    ("command", "arguments", "status"),
    [(hooks.DEADLY, [], 2), (hooks.HARMLESS, [], 0), (hooks.DEADLY, ["--observe"], 0), ("", [], 2)],
)
def test_a_hook_loads_nothing_that_it_does_not_need(
    name: str, command: str, arguments: list[str], status: int, tmp_path: Path
) -> None:
    modules = hook_with([name, *arguments], status, tmp_path, hooks.encoded(hooks.sample(name, command)))
    assert forbidden(modules) == set()
    others = {f"phocinae.adapters.agents.{module}" for agent, module in agents.MODULES.items() if agent != name}
    assert modules & {*others, "phocinae.cli.gate", "phocinae.adapters.file_paths", "shlex", "textwrap"} == set()
    assert (tmp_path / "state" / "audit.jsonl").exists()


@pytest.mark.parametrize("name", hooks.NAMES)
def test_a_hook_that_is_off_builds_no_gate(name: str, tmp_path: Path) -> None:
    modules = hook_with([name, "--off"], 0, tmp_path, b"")
    assert forbidden(modules) == set()
    gate = {"phocinae.composition.gate", "phocinae.domain.l0", "phocinae.service", "phocinae.domain.programs"}
    assert modules & {*gate, "phocinae.domain.strict_json", "tree_sitter", "tree_sitter_bash"} <= {
        "phocinae.domain.strict_json"  # what each agent's module writes its answers with
    }
    assert (tmp_path / "state" / "audit.jsonl").exists()


def test_a_settings_file_of_comments_costs_no_parser(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("# [gate]\n\n  # enabled = true\n")
    (tmp_path / "config.toml").chmod(0o600)
    data = hooks.encoded(hooks.sample("codex"))
    assert forbidden(hook_with(["codex", "--config", "config.toml"], 0, tmp_path, data)) == set()


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
