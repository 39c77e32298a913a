"""One row for each setting: how it is named, read and checked, and what makes the gate milder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import frozen

from ..domain.verdict import Decision
from . import kinds

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
"""The only addresses that the server listens on."""

BACKENDS = ("http", "mock")
"""What can answer questions: the service at an address, or a mock whose answers are made up."""

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""How grave a line of the log is, mildest first: the words of MCP (server/utilities/logging)."""

DIALECTS = ("auto", "posix", "powershell", "cmd")
"""The languages that a command may be said to be in; ``auto`` judges every one that it may plausibly be in."""

GUARD_BESIDE = "auto"
"""The value of ``l1.guard`` that has a guard program looked for beside the installed package."""


@frozen(eq=False, repr=False)
class Key:
    """One row of `KEYS`: how a field of `Settings` is named, read, checked and loosened.

    `toml` is ``table.key``.  The first of the variables in `environment` that is set
    counts.  `read` turns text into a raw value, `check` a raw value into the field's
    value; both raise ValueError for what they cannot use, and `expects` says in words
    what would be right.  `loosens(old, new)` tells whether the change makes the gate
    milder, or reaches for something that a project has no business with.
    """

    field: str
    toml: str
    environment: tuple[str, ...]
    expects: str
    read: Callable[[str], object]
    check: Callable[[object], Any]
    loosens: Callable[[Any, Any], bool]

    @property
    def table(self) -> str:
        """The table of a settings file that the key stands in."""
        return self.toml.partition(".")[0]

    @property
    def name(self) -> str:
        """The name of the key in its table."""
        return self.toml.partition(".")[2]

    @property
    def can_tighten(self) -> bool:
        """Whether there is a change that is no loosening."""
        return self.loosens is not _moved


def _moved(old: object, new: object) -> bool:
    return old != new


def _observes(_old: str, new: str) -> bool:
    return new == "observe"


def _speaks(_old: str, new: str) -> bool:
    return new == "allow"


def _milder(old: Decision, new: Decision) -> bool:
    return new < old


def _switched_off(old: bool, new: bool) -> bool:
    return old and not new


def _row(
    field: str,
    toml: str,
    expects: str,
    read: Callable[[str], object],
    check: Callable[[object], Any],
    loosens: Callable[[Any, Any], bool] = _moved,
    *,
    alias: str = "",
    variable: bool = True,
) -> Key:
    own = ("PHOCINAE_" + field.upper(),) if variable else ()
    return Key(field, toml, (*own, "PHOCINAE_MCP_" + alias) if alias else own, expects, read, check, loosens)


_RISK = kinds.whole(2, 10)
_PROBABILITY = kinds.number(0.0, 1.0)
_SWITCH = "true or false"
_RISK_WORDS = "a whole number from 2 to 10"
_PROBABILITY_WORDS = "a number from 0 to 1"
_SIZE_WORDS = "bytes from 65536 to 999999999"
_PATH_WORDS = "an absolute path"
_URLS_WORDS = "a list of addresses such as http://127.0.0.1:8155"
_TTL_WORDS = "seconds from 1 to 2592000"
_HOSTS_WORDS = "a list of names such as gate.example"
_ORIGINS_WORDS = "a list of origins such as https://tools.example:8443"
_LEVEL_WORDS = "one of " + ", ".join(LOG_LEVELS)
_PREFIX_WORDS = "1 to 32 of A-Z a-z 0-9 . _ -, the first a letter or digit"
_DENY_OR_ASK = kinds.decision(Decision.DENY, Decision.ASK)
_ALLOW_OR_ASK = kinds.decision(Decision.ALLOW, Decision.ASK)
_ANY = kinds.decision(*Decision)

KEYS: tuple[Key, ...] = (
    # no variable: a process that starts the gate must not be able to switch it off
    _row("enabled", "gate.enabled", _SWITCH, kinds.read_switch, kinds.switch, _switched_off, variable=False),
    _row("mode", "gate.mode", '"enforce" or "observe"', kinds.as_is, kinds.word("enforce", "observe"), _observes),
    _row("fail_closed", "gate.fail_closed", '"deny" or "ask"', kinds.as_is, _DENY_OR_ASK, _milder),
    _row("project_code", "gate.project_code", '"allow", "ask" or "deny"', kinds.as_is, _ANY, _milder),
    _row("dialect", "gate.dialect", '"auto", "posix", "powershell" or "cmd"', kinds.as_is, kinds.word(*DIALECTS)),
    _row("l1_enabled", "l1.enabled", _SWITCH, kinds.read_switch, kinds.switch, alias="L1_ENABLED"),
    _row("server", "l1.server", "an address such as http://127.0.0.1:8155", kinds.as_is, kinds.url, alias="SERVER"),
    _row("allowed_servers", "l1.allowed_servers", _URLS_WORDS, kinds.read_list, kinds.urls),
    _row(
        "timeout",
        "l1.timeout",
        "seconds from 0.01 to 600",
        kinds.read_number,
        kinds.number(0.01, 600.0),
        alias="TIMEOUT",
    ),
    _row("model", "l1.model", "the name of a model", kinds.as_is, kinds.name, alias="MODEL"),
    _row("backend", "l1.backend", '"http" or "mock"', kinds.as_is, kinds.word(*BACKENDS)),
    _row("token_file", "l1.token_file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("window", "l1.window", "bytes from 64 to 1000000", kinds.read_whole, kinds.whole(64, 1_000_000)),
    _row("l1_ceiling", "l1.ceiling", '"allow" or "ask"', kinds.as_is, _ALLOW_OR_ASK, _milder),
    _row(
        "guard", "l1.guard", '"auto" or an absolute path', kinds.as_is, kinds.path_or(GUARD_BESIDE), alias="GUARD_PATH"
    ),
    _row("score_deny", "l1.score_deny", _RISK_WORDS, kinds.read_whole, _RISK),
    _row("score_ask", "l1.score_ask", _RISK_WORDS, kinds.read_whole, _RISK),
    _row("noul_deny", "l1.noul_deny", _PROBABILITY_WORDS, kinds.read_number, _PROBABILITY),
    _row("noul_allow", "l1.noul_allow", _PROBABILITY_WORDS, kinds.read_number, _PROBABILITY),
    _row("on_allow", "hook.on_allow", '"silent" or "allow"', kinds.as_is, kinds.word("silent", "allow"), _speaks),
    _row("unattended", "hook.unattended", '"deny" or "ask"', kinds.as_is, _DENY_OR_ASK, _milder),
    _row("hook_deadline", "hook.deadline", "seconds from 0.5 to 12", kinds.read_number, kinds.number(0.5, 12.0)),
    _row("audit", "audit.enabled", _SWITCH, kinds.read_switch, kinds.switch, _switched_off),
    _row("audit_file", "audit.file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("audit_key_file", "audit.key_file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("audit_strict", "audit.strict", _SWITCH, kinds.read_switch, kinds.switch, _switched_off),
    _row("audit_max_size", "audit.max_size", _SIZE_WORDS, kinds.read_whole, kinds.whole(65_536, 999_999_999)),
    _row("audit_keep", "audit.keep", "a whole number from 1 to 1000", kinds.read_whole, kinds.whole(1, 1000)),
    _row(
        "transport", "serve.transport", '"stdio" or "http"', kinds.as_is, kinds.word("stdio", "http"), alias="TRANSPORT"
    ),
    _row("host", "serve.host", "one of " + ", ".join(LOOPBACK_HOSTS), kinds.as_is, kinds.word(*LOOPBACK_HOSTS)),
    _row("port", "serve.port", "a port from 0 to 65535", kinds.read_whole, kinds.whole(0, 65535), alias="HTTP_PORT"),
    _row("path", "serve.path", "a path such as /mcp", kinds.as_is, kinds.url_path),
    _row("allow_host", "serve.allow_host", _HOSTS_WORDS, kinds.read_list, kinds.host_names),
    _row("allow_origin", "serve.allow_origin", _ORIGINS_WORDS, kinds.read_list, kinds.origins),
    _row("auth_token_file", "serve.auth_token_file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("max_body", "serve.max_body", "bytes from 1024 to 67108864", kinds.read_whole, kinds.whole(1024, 67_108_864)),
    _row("session_secret_file", "serve.session_secret_file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("session_ttl", "serve.session_ttl", _TTL_WORDS, kinds.read_number, kinds.number(1.0, 2_592_000.0)),
    _row("require_session", "serve.require_session", _SWITCH, kinds.read_switch, kinds.switch),
    _row("state_key_file", "serve.state_key_file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("spent_tokens_file", "serve.spent_tokens_file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row(
        "human_timeout",
        "serve.human_timeout",
        "seconds from 0.01 to 3600",
        kinds.read_number,
        kinds.number(0.01, 3600.0),
    ),
    _row("log", "log.enabled", _SWITCH, kinds.read_switch, kinds.switch),
    _row("log_folder", "log.folder", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("log_level", "log.level", _LEVEL_WORDS, kinds.as_is, kinds.word(*LOG_LEVELS)),
    _row("log_prefix", "log.prefix", _PREFIX_WORDS, kinds.as_is, kinds.file_prefix),
)
"""One row per field of `phocinae.settings.Settings`.

What L1 is, asks and trusts, where the server listens, where logs go and how long a hook has
is never for a project to set, so any change of those counts as loosening.
"""


def key_of(field: str) -> Key:
    """Return the row of `field`; raise KeyError for a name that is no field of `Settings`."""
    for key in KEYS:
        if key.field == field:
            return key
    raise KeyError(field)
