"""What all tests share: an account and an environment of their own, repeatable properties, the places of things."""

from __future__ import annotations

import contextlib
import os
import pwd
from pathlib import Path

import pytest
from hypothesis import settings

import isolation
from phocinae.adapters import settings_sources
from phocinae.adapters.shell_tree_sitter import tree

settings.register_profile("repeatable", deadline=None, derandomize=True, database=None, print_blob=True)
settings.register_profile("searching", deadline=None, database=None, max_examples=2_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def _without_terminal() -> None:
    """Give up the terminal of whoever runs the tests, for this process and its children: a hook looks for one."""
    with contextlib.suppress(OSError, ImportError):
        import fcntl
        import termios

        terminal = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(terminal, termios.TIOCNOTTY)
        os.close(terminal)


@pytest.fixture(scope="session")
def account(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The empty home that the account has as long as the tests run, in this process and in its children."""
    return tmp_path_factory.mktemp("account")


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch, account: Path) -> None:
    """Keep the settings of whoever runs the tests out of them, and the tests out of their decision log."""
    for name in list(os.environ):
        if name.startswith("PHOCINAE"):
            monkeypatch.delenv(name)
    for name, value in isolation.environment(account).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(pwd, "getpwuid", isolation.getpwuid(str(account)))
    monkeypatch.setattr(settings_sources, "MANAGED_FILE", str(account / "etc" / "phocinae" / "policy.toml"))


@pytest.fixture(autouse=True)
def _no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of the shell reader, so that a verdict does not depend on how busy the machine is.

    What bounds its work in production as well, the count of its steps, goes on.
    """
    monkeypatch.setattr(tree, "perf_counter", lambda: 0.0)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT
