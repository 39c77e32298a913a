"""Which place of a file system a path names, as far as it matters for a verdict.

Paths are values (`phocinae.domain.values`), so that the home directory and the working
directory are places even where their names are not known.
"""

from __future__ import annotations

import re
from enum import Enum

from .secrets import matches
from .values import ANY, CWD, HOLE, HOME, SPLIT, STAR


class Place(Enum):
    """What kind of place a path names."""

    ROOT = "root"
    HOME = "home"
    SYSTEM = "system"
    WORKING = "working"
    PARENT = "parent"
    DEVICE = "device"
    ORDINARY = "ordinary"


_SYSTEM_TREES = frozenset(
    "bin boot dev etc lib lib32 lib64 libx32 proc sbin sys usr System Library Applications private".split()
)
"""Folders of the root that belong to the system with all that is in them."""

_SYSTEM_TOPS = frozenset(
    ["opt", "var", "srv", "run", "mnt", "media", "home", "Users", "Volumes", "snap", "nix", "root"]
)
"""Folders of the root that belong to the system themselves, while what is deep in them may not."""

_OWN_BELOW = re.compile(
    r"/usr/(?:local|src)/[^/]+/.+|/usr/local/(?:src|tmp)/.+|/dev/shm/.+|/private/(?:tmp|var/folders)/.+\Z"
)
"""Places below a system tree that people use as their own."""

_VAR_SYSTEM = re.compile(r"/var/(?:lib|log|cache|spool|db|run|lock|mail|backups|opt|local)(?:/[^/]*)?\Z")
_HOUSE = re.compile(r"/(?:home|Users)/[^/]+\Z|/root\Z|/var/root\Z")
_HARMLESS_DEVICES = re.compile(
    r"/dev/(?:null|zero|full|tty|stdin|stdout|stderr|fd/\d+|random|urandom|shm/.+|pts/\d+)\Z"
)
_GLOB_ALL = re.compile(f"[{STAR}{ANY}.]+\\Z")


def resolve(path: str, cwd: str) -> str:
    """Return `path` as an absolute value without ``.``, ``..`` and doubled slashes, as far as that is known.

    `cwd` is the value of the working directory.  A ``..`` behind an unknown component is kept.
    """
    if "\\" in path or ":" in (path[1:2], cwd[1:2]):
        from .windows import places as windows

        return windows.resolve(path, cwd)
    if path[:1] not in ("/", HOME, CWD):
        path = f"{cwd}/{path}"
    head = "" if path.startswith("/") else path[0]
    kept: list[str] = []
    for name in path[len(head) :].split("/"):
        if name in ("", "."):
            continue
        if name == ".." and kept and kept[-1] != ".." and HOLE not in kept[-1] and SPLIT not in kept[-1]:
            kept.pop()
        elif name == ".." and not head and not kept:
            continue  # the root is its own parent
        else:
            kept.append(name)
    return head + "/" + "/".join(kept) if not head or kept else head


def place(path: str, cwd: str = CWD) -> Place:
    """Return what `path` names when it is taken from `cwd`; a wildcard for all names counts as its folder."""
    if "\\" in path or ":" in (path[1:2], cwd[1:2]):
        from .windows import places as windows

        return windows.place(path, cwd)
    full = resolve(path.rstrip(SPLIT) if STAR in path else path, cwd)
    folder, _, last = full.rpartition("/")
    while STAR in last and _GLOB_ALL.match(last):
        full = resolve(folder or "/", cwd)
        folder, _, last = full.rpartition("/")
    if full == "/":
        return Place.ROOT
    if full == HOME or _HOUSE.match(full):
        return Place.HOME
    if full == CWD:
        return Place.WORKING
    if full.startswith((CWD + "/..", HOME + "/..")) and full[1:].replace("/..", "") == "":
        return Place.PARENT
    if full.startswith("/dev/") and not _HARMLESS_DEVICES.match(full):
        return Place.DEVICE
    return _absolute(full)


def _absolute(full: str) -> Place:
    if not full.startswith("/"):
        return Place.ORDINARY
    top, _, below = full[1:].partition("/")
    if re.fullmatch(f"[{STAR}{ANY}]+", top):
        return Place.ROOT if not below else Place.SYSTEM
    if not below and (STAR in top or ANY in top) and any(matches(top, name) for name in _SYSTEM_TREES):
        return Place.SYSTEM
    if top in _SYSTEM_TREES:
        return Place.ORDINARY if _OWN_BELOW.match(full) or _HARMLESS_DEVICES.match(full) else Place.SYSTEM
    if top in _SYSTEM_TOPS and (not below or (top == "var" and _VAR_SYSTEM.match(full))):
        return Place.HOME if top in ("home", "Users") else Place.SYSTEM
    return Place.ORDINARY


def is_null(path: str) -> bool:
    """Return whether writing to `path` is no write at all: the null device, a terminal, a descriptor."""
    return (
        path in ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")
        or re.fullmatch(r"/dev/fd/\d+", path) is not None
    )


_DESCRIPTOR = re.compile(r"(?:/dev/fd|/proc/[^/]+/(?:task/[^/]+/)?fd)/(?![012]\Z)")


def is_descriptor(path: str) -> bool:
    """Return whether reading `path` reads an open file that is none of the three standard streams."""
    return _DESCRIPTOR.match(path) is not None


def is_repository_config(path: str) -> bool:
    """Return whether `path` is, or may be, the configuration of a git repository, which holds addresses."""
    folder, _, name = path.rpartition("/")
    inside = folder == ".git" or folder.endswith("/.git") or "/.git/modules/" in f"/{folder}/"
    return inside and (matches(name, "config") or matches(name, "config.worktree"))


_STARTUP = re.compile(
    r"(?:\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|xinitrc"
    r"|xsession|xprofile|inputrc|pam_environment)|\.config/(?:fish/.*|autostart/.*|systemd/.*|environment\.d/.*|powershell/.*)"
    r"|\.ssh/(?:authorized_keys2?|config|rc|environment)|\.gnupg/.*|\.gitconfig|\.config/git/config"
    r"|Library/LaunchAgents/.*|\.local/share/systemd/.*|\.mozilla/.*"
    r"|appdata/roaming/microsoft/windows/start menu/programs/startup(?:/.*)?|documents/(?:windows)?powershell/[^/]*profile\.ps1)\Z"
)
_GATE = re.compile(
    r"/(?:\.config/phocinae(?:/.*)?|\.local/(?:state|share)/phocinae(?:/.*)?|\.phocinae(?:/.*)?|Library/Application Support/phocinae(?:/.*)?|appdata/(?:local|roaming)/phocinae(?:/.*)?|etc/phocinae(?:/.*)?"
    r"|s?bin/phocinae(?:-mcp)?|(?:site|dist)-packages/phocinae(?:-[^/]*)?(?:/.*)?"
    r"|\.claude(?:\.json|/settings(?:\.local)?\.json|/hooks/.*)?|\.mcp\.json|\.codex/(?:config\.toml|hooks\.json)|\.gemini/settings\.json|\.qwen/settings\.json"
    r"|\.cursor/(?:hooks|mcp|permissions|cli)(?:-config)?\.json|\.vscode/mcp\.json|\.github/hooks/.*|\.copilot/(?:hooks/.*|config\.json|mcp-config\.json)"
    r"|\.windsurf/hooks\.json|\.codeium/windsurf/[^/]*\.json|\.kimi(?:-code)?/config\.toml|\.?crush\.json|opencode\.jsonc?|\.opencode/plugins?/.*|\.openhands/hooks\.json"
    r"|\.config/(?:opencode|crush|goose|amp)/.*|\.kiro/(?:hooks/.*|settings/mcp\.json))\Z",
    re.S,
)
_USUAL_GATES = [
    path.split("/")
    for path in ".claude .claude.json .claude/settings.json .claude/settings.local.json .config/phocinae .mcp.json".split()
]
_HOME_PREFIX = re.compile(f"(?:{HOME}|/home/[^/]+|/Users/[^/]+|/root)/")


_HOLDS_GATE = re.compile(r"(?:\.config|\.local(?:/(?:state|share))?|Library(?:/Application Support)?)\Z")


def holds_gate(full: str) -> bool:
    """Return whether a resolved path is a folder of a home, or all that is in it, in which this gate keeps its files."""
    folder, _, last = full.rpartition("/")
    if STAR in last and _GLOB_ALL.match(last):
        full = folder
    home = _HOME_PREFIX.match(full)
    return home is not None and _HOLDS_GATE.match(full, home.end()) is not None


def is_startup(full: str) -> bool:
    """Return whether a resolved path is a file that a shell or a session runs or trusts when it starts."""
    home = _HOME_PREFIX.match(full)
    return home is not None and _STARTUP.match(full, home.end()) is not None


def is_gate(full: str) -> bool:
    """Return whether a resolved path belongs to this gate, or to an agent's hook, MCP and permission settings.

    In a project they count wherever the project lies.
    """
    if STAR in full or ANY in full:
        last = full.split("/")[-3:]
        return any(_may_be(last[-len(usual) :], usual) for usual in _USUAL_GATES)
    return _GATE.search(full) is not None


def _may_be(parts: list[str], usual: list[str]) -> bool:
    """Return whether the last parts of a path with wildcards, each with a letter in it, may name this file."""
    return len(parts) == len(usual) and all(
        part == name or (any(map(str.isalnum, part)) and matches(part, name))
        for part, name in zip(parts, usual, strict=True)
    )
