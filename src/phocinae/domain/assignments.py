"""Which variables may be set without a question, and which ones run what they hold.

A list of harmful names could never be complete, because any program may read any variable,
so only names that are listed as harmless are passed.
"""

from __future__ import annotations

import re

from .patterns import lazily
from .values import Field

_HARMLESS = lazily(
    r"(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|COLUMNS|LINES|TERM|COLORTERM|CI|DEBIAN_FRONTEND"
    r"|RUST_BACKTRACE|RUST_LOG|CARGO_TERM_COLOR|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|PYTHONUTF8|PYTHONHASHSEED"
    r"|NODE_ENV|RAILS_ENV|RACK_ENV|APP_ENV|GIT_OPTIONAL_LOCKS|GIT_TERMINAL_PROMPT|BLOCK_SIZE|GREP_COLORS?|LS_COLORS|DEBUG"
    r"|VERBOSE|QUIET|PY_COLORS|CGO_ENABLED|GOOS|GOARCH|GO111MODULE|HISTCONTROL|EPOCH|SOURCE_DATE_EPOCH|TEST|TESTS|LOG_LEVEL|LOGLEVEL)\Z"
)
_SHELL_OWN = re.compile(r"(?:_|[a-z]|[A-Za-z_]*[a-z][A-Za-z0-9_]*)\Z")
_ZSH_OWN = frozenset(
    "path fpath cdpath manpath mailpath module_path fignore watch psvar prompt histchars argv status aliases functions commands "
    "options parameters builtins galiases saliases dis_aliases nameddirs userdirs signals hash_path zsh_eval_context precmd_functions "
    "preexec_functions chpwd_functions periodic_functions zshexit_functions zle_bracketed_paste keymaps widgets prompt2 prompt3 prompt4 "
    "dirstack mapfile dis_functions functions_source terminfo termcap sysparams history".split()
)
_NUMBERS = frozenset(
    "COLUMNS LINES OPTIND SECONDS RANDOM SHLVL HISTSIZE SAVEHIST TMOUT KEYTIMEOUT LISTMAX LOGCHECK MAILCHECK BAUD REPORTTIME REPORTMEMORY "
    "FUNCNEST DIRSTACKSIZE HISTCMD TTYIDLE LINENO UID EUID GID EGID ERRNO PERIOD EPOCHSECONDS".split()
)
"""Variables whose value some shell evaluates as an expression when it is assigned (zshparam, integer parameters)."""
_SCRIPT_NAMES = frozenset(
    "FILE FILES DIR DIRS NAME NAMES BRANCH BRANCHES COMMIT COMMITS SHA TAG COUNT TOTAL RESULT RESULTS LINE N I J K X Y Z A B C D F "
    "OUT OUTPUT SRC DST BASE VERSION PATTERN QUERY MSG MESSAGE TITLE ROOT PKG MODULE START END NOW TODAY DATE SIZE KEY_COUNT".split()
)
_RUNS = lazily(
    r"(?:PAGER|GIT_PAGER|MANPAGER|SYSTEMD_PAGER|DELTA_PAGER|BAT_PAGER|GH_PAGER|AWS_PAGER|PSQL_PAGER|EDITOR|VISUAL|FCEDIT|GIT_EDITOR|GIT_SEQUENCE_EDITOR"
    r"|GIT_SSH_COMMAND|GIT_SSH|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|GIT_PROXY_COMMAND|PROMPT_COMMAND|LESSOPEN|LESSCLOSE|BROWSER|RSYNC_RSH"
    r"|CVS_RSH|SHELL|PS0|PS1|PS2|PS4|SUDO_EDITOR|SYSTEMD_EDITOR|KUBE_EDITOR|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|RUSTC|CC|CXX|MAKE"
    r"|FZF_DEFAULT_COMMAND|GIT_CONFIG_VALUE_[0-9]+|NPM_CONFIG_SCRIPT_SHELL)\Z"
)


_PAGERS = frozenset(
    "PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER DELTA_PAGER BAT_PAGER GH_PAGER AWS_PAGER PSQL_PAGER".split()
)


def matters(name: str, argv: list[Field]) -> bool:
    """Return whether setting `name`, in front of the call `argv` or on its own, ends an allow.

    On its own a name in lower case is the script's; one in upper case may be exported already.
    """
    if _HARMLESS.match(name):
        return False
    if argv:
        return not (name == "IFS" and argv[0].text == "read")
    return not (name in _SCRIPT_NAMES or (_SHELL_OWN.match(name) and name not in _ZSH_OWN))


_LIVES_ON = lazily(
    r"(?:PATH|path|CDPATH|cdpath|FPATH|fpath|ENV|BASH_ENV|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS[0-4]|ZDOTDIR|HOME|SHELL|LD_[A-Z_]+|DYLD_[A-Z_]+)\Z"
)


OWN_NAMES = frozenset(["phocinae", "phocinae-mcp"])
"""The names of this gate's programs."""


_PATTERN = re.compile(r"[.*+?^$\\()|\[\]]+")


def names_gate(pattern: str) -> bool:
    """Return whether a pattern of a process's name is that of this gate, or one of four letters in it."""
    plain = _PATTERN.sub("", pattern)
    return "phocinae" in plain or (len(plain) > 3 and plain in "phocinae-mcp")


def lives_on(name: str) -> bool:
    """Return whether a variable decides which code the shell runs for later commands."""
    return _LIVES_ON.match(name) is not None


def of_gate(name: str) -> bool:
    """Return whether this gate reads its settings from a variable."""
    return name.startswith("PHOCINAE_")


_OF_AGENTS = frozenset(
    "CLAUDE_CONFIG_DIR CODEX_HOME GEMINI_CLI_HOME GEMINI_CONFIG_DIR GEMINI_CLI_SYSTEM_SETTINGS_PATH GEMINI_CLI_SYSTEM_DEFAULTS_PATH "
    "GEMINI_CLI_TRUST_WORKSPACE GEMINI_CLI_TRUSTED_FOLDERS_PATH DISABLE_ALL_HOOKS".split()
)
"""Variables from which an agent learns where its settings and hooks are."""


def rule_of(name: str) -> str:
    """Return the rule about a variable whose setting matters."""
    if of_gate(name):
        return "moves-gate"
    return "changes-agent" if name in _OF_AGENTS else "sets-variable"


def is_number(name: str) -> bool:
    """Return whether a value that is assigned to this variable is evaluated as an expression."""
    return name in _NUMBERS


def prints_plainly(name: str, value: str | None) -> bool:
    """Return whether a value takes away a pager, or sets ``cat`` in its place."""
    return value in ("", "cat") and name in _PAGERS


def runs_value(name: str) -> bool:
    """Return whether some program runs what this variable holds as a command."""
    return _RUNS.match(name) is not None
