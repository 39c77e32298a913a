"""The layer rule, read from the syntax trees of the installed package, with each offender by name.

import-linter checks the same from the import graph; this twin also sees imports inside
functions and the imports of names, says which line offends, and needs nothing installed.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import frozen

import phocinae
import transcripts

PACKAGE = Path(phocinae.__path__[0]).resolve()
LONGEST_MODULE = 400

LAYERS = {
    "errors": 0,
    "domain": 1,
    "ports": 2,
    "settings": 2,
    "service": 3,
    "catalog": 4,
    "mcp": 5,
    "adapters": 6,
    "composition": 7,
    "": 8,  # the package root re-exports what users need
    "cli": 9,
    "__main__": 10,
}
"""The first name below the package, from the bottom up."""

MAY_COMPOSE = {"", "cli", "composition"}
"""Who may import the composition root."""

EFFECTS = {
    "asyncio", "atexit", "builtins", "code", "codeop", "concurrent", "ctypes", "faulthandler", "fcntl", "fileinput",
    "gc", "getpass", "glob", "grp", "http", "imaplib", "io", "linecache", "locale", "logging", "mmap",
    "multiprocessing", "nt", "os", "pathlib", "pdb", "pkgutil", "platform", "posix", "pty", "pwd", "queue", "random",
    "readline", "resource", "runpy", "sched", "secrets", "select", "selectors", "shutil", "signal", "site", "smtplib",
    "socket", "socketserver", "sqlite3", "ssl", "subprocess", "sys", "sysconfig", "syslog", "tempfile", "termios",
    "threading", "time", "tracemalloc", "tty", "urllib", "uuid", "venv", "webbrowser", "winreg", "xmlrpc",
}  # fmt: skip
"""Modules of the standard library that touch the world, and have no place in the domain."""

EFFECT_CALLS = {
    "__import__", "breakpoint", "compile", "eval", "exec", "globals", "input", "open", "print",
}  # fmt: skip
"""Built-in functions that touch the world, run text as code, or reach into a module: none for the domain."""

DOMAIN_THIRD_PARTIES = {"attrs"}


@frozen(kw_only=True)
class Import:
    """One import statement: `importer` and `imported` are dotted names, relative to nothing."""

    importer: str
    imported: str
    line: int

    def __str__(self) -> str:
        """Return it as a line that names the offender."""
        return f"{self.importer}:{self.line} imports {self.imported}"


def dotted(path: Path, package: Path) -> str:
    """Return the module name of the source file `path` in the package folder `package`."""
    parts = [package.name, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(source: str, module: str, *, is_package: bool, modules: set[str]) -> Iterator[Import]:
    """Yield every import in `source`; a name taken from a package counts as the module that it is, if it is one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(importer=module, imported=alias.name, line=node.lineno)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                above = module.split(".")
                above = above[: len(above) - node.level + is_package]
                origin = ".".join([*above, origin] if origin else above)
            for alias in node.names:
                name = f"{origin}.{alias.name}"
                yield Import(importer=module, imported=name if name in modules else origin, line=node.lineno)


def below(module: str) -> str:
    """Return the first name below the package root, which decides the layer; empty for the root itself."""
    return module.partition(".")[2].partition(".")[0]


def adapter(module: str) -> str:
    """Return which adapter a module under ``adapters`` belongs to: its first name there."""
    return module.split(".")[2] if module.count(".") >= 2 else ""


def offence(found: Import) -> str | None:
    """Return what is wrong with an import inside the package, or None."""
    here, there = below(found.importer), below(found.imported)
    if there == "composition" and here not in MAY_COMPOSE:
        return f"{found}: only the command line and the package root compose"
    if here == there:
        apart = here == "adapters" and adapter(found.importer) and adapter(found.imported) != adapter(found.importer)
        return f"{found}: adapters do not know each other" if apart else None
    if LAYERS[there] >= LAYERS[here]:
        return f"{found}: {there or 'the root'} does not lie below {here or 'the root'}"
    return None


def impurity(found: Import) -> str | None:
    """Return what is wrong with an import of something foreign in the domain, or None."""
    top = found.imported.partition(".")[0]
    if top in EFFECTS:
        return f"{found}: it touches the world"
    if top not in sys.stdlib_module_names and top not in DOMAIN_THIRD_PARTIES:
        return f"{found}: the domain knows no third party but attrs"
    return None


def touches(source: str, module: str) -> Iterator[str]:
    """Yield every place in `source` that names a built-in function with an effect, called there or handed on."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in EFFECT_CALLS:
            yield f"{module}:{node.lineno} uses {node.id}"


SOURCES = {dotted(path, PACKAGE): path for path in sorted(PACKAGE.rglob("*.py"))}


def all_imports() -> list[Import]:
    """Return every import of the package."""
    return [
        found
        for module, path in SOURCES.items()
        for found in imports(
            path.read_text(encoding="utf-8"), module, is_package=path.name == "__init__.py", modules=set(SOURCES)
        )
    ]


def test_every_module_has_a_layer() -> None:
    assert {below(module) for module in SOURCES} <= set(LAYERS)


def test_the_table_of_the_architecture_page_is_the_rule() -> None:
    rows = transcripts.table(transcripts.ROOT / "docs" / "architecture.md", "layer")
    written = {name: int(level) for level, names, _ in rows for name in re.findall(r"`(\w+)`", names) or [""]}
    assert written == LAYERS


def test_imports_go_down() -> None:
    inner = [found for found in all_imports() if found.imported.partition(".")[0] == PACKAGE.name]
    assert len(inner) > len(SOURCES) / 2
    assert [wrong for found in inner if (wrong := offence(found))] == []


def test_the_domain_is_pure() -> None:
    foreign = [
        found
        for found in all_imports()
        if below(found.importer) in {"domain", "errors"} and found.imported.partition(".")[0] != PACKAGE.name
    ]
    assert any(found.imported == "attrs" for found in foreign)
    assert [wrong for found in foreign if (wrong := impurity(found))] == []


def test_the_domain_calls_nothing_that_touches_the_world() -> None:
    pure = {module: path for module, path in SOURCES.items() if below(module) in {"domain", "errors"}}
    assert len(pure) > 10
    assert [wrong for module, path in pure.items() for wrong in touches(path.read_text(encoding="utf-8"), module)] == []


@pytest.mark.parametrize("name", sorted(EFFECT_CALLS))
@pytest.mark.parametrize(
    "source", ["{}('x')", "def f():\n    with {}('x') as y:\n        pass", "map({}, 'x')", "f = {}"]
)
def test_the_rule_of_calls_names_a_planted_offender(name: str, source: str) -> None:
    line = 2 if "\n" in source else 1
    assert list(touches(source.format(name), "phocinae.domain.l0")) == [f"phocinae.domain.l0:{line} uses {name}"]


@pytest.mark.parametrize("source", ["re.compile('x')", "len('x')", "open = 1", "text.open", "def input(): pass"])
def test_the_rule_of_calls_lets_pure_ones_pass(source: str) -> None:
    assert list(touches(source, "phocinae.domain.l0")) == []


def test_no_module_is_too_long() -> None:
    lengths = {module: len(path.read_text(encoding="utf-8").splitlines()) for module, path in SOURCES.items()}
    assert {module: length for module, length in lengths.items() if length > LONGEST_MODULE} == {}


@pytest.mark.parametrize(
    ("importer", "statement", "named"),
    [
        ("phocinae.domain.l0", "from ..service.gate import GateService", "phocinae.service.gate"),
        ("phocinae.domain.l0", "def f():\n    from phocinae.adapters import hooks", "phocinae.adapters.hooks"),
        ("phocinae.ports", "from .settings import Settings", "phocinae.settings"),
        ("phocinae.adapters.hooks", "from .audit import AuditLog", "phocinae.adapters.audit"),
        ("phocinae.adapters.hooks", "from . import audit", "phocinae.adapters.audit"),
        ("phocinae.mcp.legacy", "from ..composition.gate import build_gate", "phocinae.composition.gate"),
        ("phocinae.service.gate", "import phocinae.cli", "phocinae.cli"),
        ("phocinae.service.gate", "from .. import Decision", "phocinae"),
    ],
)
def test_the_rule_names_a_planted_offender(importer: str, statement: str, named: str) -> None:
    known = {"phocinae.adapters.hooks", "phocinae.adapters.audit"}
    (found,) = imports(statement, importer, is_package=False, modules=known)
    assert found.imported == named
    assert str(found) in str(offence(found))


@pytest.mark.parametrize(
    ("importer", "statement"),
    [
        ("phocinae.domain.l0", "from .verdict import Verdict"),
        ("phocinae.adapters.shell.reader", "from .words import Word"),
        ("phocinae.adapters.hooks", "from ..ports import AuditLog"),
        ("phocinae.cli.entry", "from ..composition.gate import build_gate"),
        ("phocinae.cli.entry", "from .. import __version__"),
    ],
)
def test_the_rule_lets_an_import_downwards_pass(importer: str, statement: str) -> None:
    (found,) = imports(statement, importer, is_package=False, modules=set())
    assert offence(found) is None


def test_a_package_imports_relative_to_itself() -> None:
    (found,) = imports(
        "from .words import Word", "phocinae.adapters.shell", is_package=True, modules={"phocinae.adapters.shell.words"}
    )
    assert found.imported == "phocinae.adapters.shell.words"


@pytest.mark.parametrize(
    "statement",
    ["from os.path import join", "import yaml", "import urllib.parse", *(f"import {name}" for name in sorted(EFFECTS))],
)
def test_the_purity_rule_names_a_planted_offender(statement: str) -> None:
    (found,) = imports(statement, "phocinae.domain.l0", is_package=False, modules=set())
    assert str(found) in str(impurity(found))


@pytest.mark.parametrize("statement", ["from attrs import frozen", "import re", "from collections.abc import Iterable"])
def test_the_purity_rule_lets_pure_modules_pass(statement: str) -> None:
    (found,) = imports(statement, "phocinae.domain.l0", is_package=False, modules=set())
    assert impurity(found) is None
