"""What happens to files: read, written, deleted, opened to others."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain import effects
from phocinae.domain.values import CWD, HOLE, HOME, STAR, Field, Stream
from phocinae.domain.variables import Variables
from phocinae.domain.verdict import Decision
from phocinae.domain.walk import Walker


def hit(effect: Callable[..., object], path: str, cwd: str = CWD, **options: bool) -> str:
    """Return the one rule that an effect on a path hits, or an empty text."""
    walker = Walker(TreeSitterReader(), Decision.ALLOW)
    effect(walker, Field(path), Variables(cwd), **options)
    found = [one.rule for one in walker.hits.heaviest_first()]
    assert len(found) <= 1
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("notes.txt", ""),
        (".env", "reads-secret"),
        ("-", ""),
        (f"{STAR}.py", ""),
        (f"{STAR}", "may-read-secret"),
        (HOLE, "may-read-secret"),
        (f"{HOLE}.py", ""),
        (f"{HOLE}.json", "may-read-secret"),
        (f"src/{HOLE}", "may-read-secret"),
        (f"{HOLE}/main.py", ""),
        (f"{HOLE}/config.json", "reads-secret"),
        (f"{HOLE}/config", "may-read-secret"),
    ],
)
def test_reading(path: str, rule: str) -> None:
    assert hit(effects.read, path) == rule


def test_a_search_is_hit_by_known_secrets_only() -> None:
    assert hit(effects.read, HOLE, prints=False) == ""
    assert hit(effects.read, ".env", prints=False) == "reads-secret"


def test_reading_says_whether_it_is_a_secret() -> None:
    walker = Walker(TreeSitterReader(), Decision.ALLOW)
    assert effects.read(walker, Field(".env"), Variables())
    assert not effects.read(walker, Field("notes.txt"), Variables())
    assert not effects.read(walker, Field("/dev/fd/63", stream=Stream("x")), Variables())


@pytest.mark.parametrize(
    ("path", "cwd", "rule"),
    [
        ("out.txt", CWD, "writes-file"),
        (HOLE, CWD, "writes-file"),
        ("/dev/null", CWD, ""),
        ("/dev/stderr", CWD, ""),
        ("-", CWD, ""),
        ("/etc/passwd", CWD, "write-system"),
        ("passwd", "/etc", "write-system"),
        ("../etc/passwd", "/tmp", "write-system"),
        ("/dev/sda", CWD, "write-device"),
        ("sda", "/dev", "write-device"),
        (f"{HOME}/.bashrc", CWD, "write-startup"),
        (".bashrc", HOME, "write-startup"),
        ("/root/.ssh/authorized_keys", CWD, "write-startup"),
        (f"{HOME}/.config/phocinae/policy.toml", CWD, "write-gate"),
        (".claude/settings.json", CWD, "write-gate"),
        (f"{HOME}/notes.txt", CWD, "writes-file"),
        ("/tmp/x", CWD, "writes-file"),
    ],
)
def test_writing(path: str, cwd: str, rule: str) -> None:
    assert hit(effects.write, path, cwd) == rule


@pytest.mark.parametrize(
    ("path", "recursive", "rule"),
    [
        ("build", True, "deletes-file"),
        ("/", True, "delete-root"),
        (f"/{STAR}", True, "delete-root"),
        (HOME, True, "delete-home"),
        (HOME, False, "deletes-file"),
        ("/etc", True, "delete-system"),
        ("/etc/passwd", False, "delete-system"),
        (".", True, "delete-working-folder"),
        (STAR, True, "delete-working-folder"),
        (STAR, False, "deletes-file"),
        ("..", True, "delete-parent"),
        ("/dev/sda", False, "delete-system"),
        (f"{HOME}/.config/phocinae", True, "write-gate"),
        (HOLE, True, "deletes-file"),
    ],
)
def test_deleting(path: str, recursive: bool, rule: str) -> None:
    assert hit(effects.delete, path, recursive=recursive) == rule


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("x", "changes-rights"),
        (HOME, "changes-rights"),
        ("/etc/shadow", "opens-permissions"),
        ("/", "opens-permissions"),
        ("/dev/sda", "opens-permissions"),
        (f"{HOME}/.config/phocinae/key", "write-gate"),
    ],
)
def test_opening(path: str, rule: str) -> None:
    assert hit(effects.open_up, path) == rule


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("/proc/sys/net/ipv4/ip_forward", "writes-file"),
        ("/proc/sys/vm/swappiness", "writes-file"),
        ("/proc/sys/kernel/core_pattern", "write-system"),
        ("/proc/sys/kernel/modprobe", "write-system"),
        ("/proc/sys/kernel/yama/ptrace_scope", "write-system"),
        ("/proc/sys/net/../kernel/modprobe", "write-system"),
        ("/proc/sys/../sysrq-trigger", "write-system"),
        (f"/proc/sys/{HOLE}", "write-system"),
        (f"/proc/sys/kernel/{STAR}", "write-system"),
        ("/proc/sysrq-trigger", "write-system"),
    ],
)
def test_settings_of_the_kernel_are_a_change_like_others_unless_they_guard_it_or_run_programs(
    path: str, rule: str
) -> None:
    assert hit(effects.write, path) == rule
