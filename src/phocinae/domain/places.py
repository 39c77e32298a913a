"""Which place of a file system a path names, as far as it matters for a verdict.

Paths are values (`phocinae.domain.values`), so that the home directory and the working
directory are places even where their names are not known.  Case is of no account, since it
is of none on the usual file systems of macOS and Windows.
"""

from __future__ import annotations

import re
from enum import Enum

from .patterns import lazily
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

    __hash__ = object.__hash__  # each is the only one of its value; an Enum's own hash is a function in Python


_ORDINARY = Place.ORDINARY  # the way through the class takes longer


_SYSTEM_TREES = frozenset(
    "bin boot dev etc lib lib32 lib64 libx32 proc sbin sys usr system library private nix".split()
)
"""Folders of the root that belong to the system with all that is in them."""

_SYSTEM_TOPS = frozenset(
    ["opt", "var", "srv", "run", "mnt", "media", "home", "users", "volumes", "applications", "snap", "root"]
)
"""Folders of the root that belong to the system themselves, while what is deep in them may not."""

_OWN_BELOW = lazily(
    f"(?i)/usr/local/(?!(?:bin|etc|games|include|lib(?:32|64|exec)?|man|opt|sbin|share|src|var|cellar|homebrew)\\Z)[^/{STAR}{ANY}]+\\Z|"
    r"/usr/(?:local|src)/[^/]+/.+|/usr/local/(?:src|tmp)/.+|/dev/shm/.+|/private/(?:tmp|var/folders)/.+\Z"
)
"""Places below a system tree that people use as their own."""

_VAR_SYSTEM = lazily(
    r"(?i)/var/(?:(?:lib|log|cache|db|run|lock|mail|backups|opt|local)(?:/[^/]*)?|spool(?:/[^/]*|/(?:cron|at)/.*)?)\Z"
)
_HOUSE = re.compile(r"(?i)/(?:home|users)/[^/]+\Z|/root\Z|/var/root\Z")
_WSL = lazily(r"(?i)(?:/(?:mnt|cygdrive)/([a-z])(?=/|\Z)|/([a-z])(?=/(?:windows|users|program files|programdata)))")
"""A drive of Windows as WSL, Cygwin and MSYS write it."""

_MAC_DISK = re.compile(r"(?i)/volumes/macintosh hd(?=/|\Z)")
_HARMLESS_DEVICES = lazily(r"/dev/(?:null|zero|full|tty|stdin|stdout|stderr|fd/\d+|random|urandom|shm/.+|pts/\d+)\Z")
_GLOB_ALL = re.compile(f"[{STAR}{ANY}.]+\\Z")


def resolve(path: str, cwd: str) -> str:
    """Return `path` as an absolute value without ``.``, ``..`` and doubled slashes, as far as that is known.

    `cwd` is the value of the working directory.  A ``..`` behind an unknown component is kept.
    """
    if "\\" in path or ":" in (path[1:2], cwd[1:2]):
        from .windows import places as windows

        return windows.resolve(path, cwd)
    if path.isascii() and "//" not in path and "/." not in path:  # nothing in it to be resolved
        if path[:1] == "/":
            return path.rstrip("/") or path
        if cwd == CWD and path[:1].isalnum():
            return f"{cwd}/{path.rstrip('/')}"
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
    return _place(resolve(path.rstrip(SPLIT) if STAR in path else path, cwd))


def located(path: str, cwd: str) -> tuple[str, Place]:
    """Return what `resolve` and `place` say of a path, for the price of one where it is a plain one."""
    full = resolve(path, cwd)
    if STAR in path or "\\" in path or ":" in (path[1:2], cwd[1:2]):
        return full, place(path, cwd)
    return full, _place(full)


def _place(full: str) -> Place:
    if full[:1] == "/":
        full = _MAC_DISK.sub("", full) or "/"
        if drive := _WSL.match(full):
            return place(f"{drive[1] or drive[2]}:/{full[drive.end() + 1 :]}")
    folder, _, last = full.rpartition("/")
    while STAR in last and _GLOB_ALL.match(last):
        full = folder or "/"  # what leads to a resolved path is resolved
        folder, _, last = full.rpartition("/")
    return _absolute(full) if full[:1] == "/" else _relative(full)


def _relative(full: str) -> Place:
    """Return what a path below the working directory or the home directory names."""
    if full == HOME:
        return Place.HOME
    if full == CWD:
        return Place.WORKING
    if full[:4] in (CWD + "/..", HOME + "/..") and full[1:].replace("/..", "") == "":
        return Place.PARENT
    return _ORDINARY


def _absolute(full: str) -> Place:
    if full == "/":
        return Place.ROOT
    if _HOUSE.match(full):
        return Place.HOME
    if full.startswith("/dev/") and not _HARMLESS_DEVICES.match(full):
        return Place.DEVICE
    top, _, below = full[1:].partition("/")
    if re.fullmatch(f"[{STAR}{ANY}]+", top):
        return Place.ROOT if not below else Place.SYSTEM
    top = top.lower()
    if STAR in top or ANY in top:
        names = _SYSTEM_TREES if below else _SYSTEM_TREES | _SYSTEM_TOPS
        return Place.SYSTEM if any(matches(top, name) for name in names) else Place.ORDINARY
    if top in _SYSTEM_TREES:
        return Place.ORDINARY if _OWN_BELOW.match(full) or _HARMLESS_DEVICES.match(full) else Place.SYSTEM
    if top in _SYSTEM_TOPS and (not below or (top == "var" and _VAR_SYSTEM.match(full))):
        return Place.HOME if top in ("home", "users") else Place.SYSTEM
    return _ORDINARY


_NULL = re.compile(r"/dev/(?:null|stdout|stderr|tty|fd/\d+)\Z")


def is_null(path: str) -> bool:
    """Return whether writing to `path` is no write at all: the null device, a terminal, a descriptor."""
    return path[:5] == "/dev/" and _NULL.match(path) is not None


_DESCRIPTOR = re.compile(r"(?:/dev/fd|/proc/[^/]+/(?:task/[^/]+/)?fd)/(?![012]\Z)")


def is_descriptor(path: str) -> bool:
    """Return whether reading `path` reads an open file that is none of the three standard streams."""
    return path[:1] == "/" and _DESCRIPTOR.match(path) is not None


def is_repository_config(path: str) -> bool:
    """Return whether `path` is, or may be, the configuration of a git repository, which holds addresses."""
    if ".git" not in path:
        return False
    folder, _, name = path.rpartition("/")
    inside = folder == ".git" or folder.endswith("/.git") or "/.git/modules/" in f"/{folder}/"
    return inside and (matches(name, "config") or matches(name, "config.worktree"))


_STARTUP = lazily(
    r"(?i)(?:\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|bashrc\.d/.*|profile|zshrc|zshenv|zprofile|zlogin|zlogout|m?kshrc"
    r"|t?cshrc|login|xonshrc|xinitrc|xsession(?:rc)?|xprofile|inputrc|pam_environment|[rs]hosts|k5login|zsh/.*|oh-my-zsh/.*)"
    r"|\.config/(?:(?:fish|bash|zsh|nushell|elvish|xonsh|autostart|autostart-scripts|systemd|environment\.d|powershell"
    r"|plasma-workspace/(?:env|shutdown))/.*)"
    r"|\.ssh/(?:authorized_keys2?|config|rc|environment)|\.gnupg/.*|\.gitconfig|\.config/git/config"
    r"|Library/Launch(?:Agents|Daemons)/.*|\.local/share/(?:systemd|dbus-1/services)/.*|\.mozilla/.*"
    r"|appdata/roaming/microsoft/windows/start menu/programs/startup(?:/.*)?|documents/(?:windows)?powershell/[^/]*profile\.ps1)\Z"
)
_USUAL_STARTUPS = (
    ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .inputrc "
    ".gitconfig .ssh/authorized_keys .ssh/config .config/fish/config.fish"
).split()
_GATE = lazily(
    f"[{HOLE}{SPLIT}]/phocinae/(?:config\\.toml|policy\\.toml|audit\\.(?:jsonl|head|key)|audit-[0-9]+\\.jsonl)\\Z|"
    r"(?i:/(?:\.config/phocinae(?:/.*)?|\.local/(?:state|share)/phocinae(?:/.*)?|\.cache/phocinae(?:/.*)?|\.phocinae(?:/.*)?"
    r"|Library/(?:Application Support|Logs|Caches|Preferences)/phocinae(?:/.*)?|AppData/(?:Local|Roaming)/phocinae(?:/.*)?|etc/phocinae(?:/.*)?"
    r"|s?bin/phocinae(?:-mcp)?|(?:site|dist)-packages/phocinae(?:-[^/]*)?(?:/.*)?|(?:pipx/venvs|uv/tools)/phocinae(?:/.*)?"
    r"|\.claude(?:\.json|/settings(?:\.local)?\.json|/hooks(?:/.*)?|/plugins/.*)?|\.mcp\.json|\.agents/plugins/.*"
    r"|\.codex(?:/(?:config\.toml|hooks\.json|requirements\.toml|rules/.*|plugins/.*))?"
    r"|\.gemini(?:/(?:settings\.json|trustedFolders\.json|policies/.*|hooks/.*|extensions/.*))?"
    r"|\.qwen(?:/settings\.json)?|\.cursor(?:/(?:hooks|mcp|permissions|cli)(?:-config)?\.json)?|\.vscode/mcp\.json|\.config/Code/User/mcp\.json"
    r"|\.github/(?:hooks/.*|copilot/settings(?:\.local)?\.json)|\.copilot(?:/(?:hooks/.*|config\.json|settings\.json|mcp-config\.json))?"
    r"|\.windsurf/hooks\.json|\.codeium/windsurf/[^/]*\.json|\.clinerules/hooks/.*|Documents/Cline/Hooks/.*"
    r"|\.kimi(?:-code)?/config\.toml|\.?crush\.json|opencode\.jsonc?|\.opencode/plugins?/.*|\.openhands/hooks\.json"
    r"|\.config/(?:opencode|crush|goose|amp|Claude)/.*|Library/Application Support/Claude/.*|claude_desktop_config\.json"
    r"|\.continue/(?:settings(?:\.local)?\.json|permissions\.yaml)|\.kiro/(?:hooks/.*|settings/mcp\.json)|\.junie/mcp/mcp\.json)\Z)",
    re.S,
)
_USUAL_GATES = [
    path.split("/")
    for path in (
        ".claude .claude.json .claude/settings.json .claude/settings.local.json .config/phocinae .mcp.json .codex "
        ".codex/config.toml .codex/hooks.json .gemini/settings.json .cursor/hooks.json .cursor/mcp.json .phocinae"
    ).split()
]
_HOME_PREFIX = re.compile(f"(?i)(?:{HOME}|/home/[^/]+|/users/[^/]+|/root|/var/root)/")


_HOLDS_GATE = lazily(
    r"(?i)(?:\.config|\.local(?:/(?:state|share))?|Library(?:/Application Support)?|\.cursor|\.kiro|\.copilot|\.config/Code(?:/User)?)\Z"
)


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
    if home is None:
        return False
    rest = full[home.end() :]
    return _STARTUP.match(rest) is not None or (
        (STAR in rest or ANY in rest) and any(_may_be(rest.split("/"), usual.split("/")) for usual in _USUAL_STARTUPS)
    )


def is_gate(full: str) -> bool:
    """Return whether a resolved path belongs to this gate, or to an agent's hook, MCP and permission settings.

    In a project they count wherever the project lies.
    """
    if STAR in full or ANY in full:
        folder, _, name = full.rpartition("/")
        if _GATE.search(folder if _GLOB_ALL.match(name) else full.rstrip(STAR)):
            return True
        last = full.split("/")[-3:]
        return any(_may_be(last[-len(usual) :], usual) for usual in _USUAL_GATES)
    return _GATE.search(full.replace("\\", "/")) is not None


def _may_be(parts: list[str], usual: list[str]) -> bool:
    """Return whether the last parts of a path with wildcards, each with a letter in it, may name this file."""
    return len(parts) == len(usual) and all(
        part == name or (any(map(str.isalnum, part)) and matches(part, name))
        for part, name in zip(parts, usual, strict=True)
    )
