"""The one shape of all settings, and who may set what; reading files is an adapter's work.

Every field of `Settings` has a row in `KEYS`; a test fails for one without.  `merge`
puts the values of all sources together.  A source that the judged agent can write to
may only make the gate stricter; what such a source asks for beyond that is ignored
and reported, so that a checked-out project cannot loosen the gate.  One whose file
cannot be used stops it: nothing is decided then, and so nothing is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from attrs import field, frozen

from ..domain.verdict import Decision
from ..errors import InvalidSettings
from . import kinds
from .origins import origin

VERSION = "0.1.0"
"""The version of the package, which stands here because importlib.metadata takes 20 ms to find it."""

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
"""The only addresses that the server listens on."""

BACKENDS = ("http", "mock")
"""What can answer questions: the service at an address, or a mock whose answers are made up."""

WINDOW = 320
"""How many bytes of a state the served model is sure to read: its `context_length` less `head_max_len`, in tokens."""

LOG_LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
"""How grave a line of the log is, mildest first: the words of MCP (server/utilities/logging)."""

DIALECTS = ("auto", "posix", "powershell", "cmd")
"""The languages that a command may be said to be in; ``auto`` judges every one that it may plausibly be in."""


GUARD_BESIDE = "auto"
"""The value of ``l1.guard`` that has a guard program looked for beside the installed package."""


@frozen(kw_only=True)
class Settings:
    """What a gate and its server do; every field has a safe default.

    `timeout` is in seconds and covers a whole call of the decision service; a person who is
    asked in the middle of a call of the server has `human_timeout` seconds.  Scores
    are risks from 2 to 10, `noul_*` are probabilities from 0 to 1 that a command may
    run without a person, `l1_ceiling` is the mildest verdict that L1 gives, and `window`
    the number of bytes that the model is sure to read.  An empty `audit_file` stands for
    the platform's own place, as does an empty `log_folder` or `spent_tokens_file`, an empty
    `token_file` or `state_key_file` for none.
    `allowed_servers` are decision services that a caller over MCP may name beside `server`.
    Over HTTP, `allow_host` are names that a proxy has for the server, `allow_origin`
    the web origins whose pages may call it, and `max_body` is in bytes.
    """

    fail_closed: Decision = Decision.DENY
    project_code: Decision = Decision.ALLOW
    dialect: str = "auto"
    l1_enabled: bool = False
    server: str = "http://127.0.0.1:8155"
    allowed_servers: tuple[str, ...] = ()
    timeout: float = 5.0
    model: str = "Phocinae-Largha-150M-v1"
    backend: str = "http"
    token_file: str = field(default="", repr=False)
    window: int = WINDOW
    l1_ceiling: Decision = Decision.ALLOW
    guard: str = ""
    score_deny: int = 7
    score_ask: int = 4
    noul_deny: float = 0.35
    noul_allow: float = 0.65
    audit: bool = True
    audit_file: str = ""
    audit_strict: bool = False
    transport: str = "stdio"
    host: str = "127.0.0.1"
    port: int = 8255
    path: str = "/mcp"
    allow_host: tuple[str, ...] = ()
    allow_origin: tuple[str, ...] = ()
    auth_token_file: str = field(default="", repr=False)
    max_body: int = 4 * 1024 * 1024
    session_secret_file: str = field(default="", repr=False)
    session_ttl: float = 86_400.0
    require_session: bool = False
    state_key_file: str = field(default="", repr=False)
    spent_tokens_file: str = field(default="", repr=False)
    human_timeout: float = 120.0
    log: bool = False
    log_folder: str = ""
    log_level: str = "info"
    log_prefix: str = "mcp"


class Source(Enum):
    """Where a value can come from, in the order of the table of who may loosen."""

    DEFAULT = "default"
    MANAGED = "managed file"
    USER = "user file"
    FLAG = "option"
    ENVIRONMENT = "environment"
    PROJECT = "project file"


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


@frozen(eq=False, repr=False)
class Given:
    """One value from one source: text from options and the environment, a TOML value from files.

    `where` names the place in words for a message, such as ``option --timeout``.
    """

    source: Source
    field: str
    value: object
    where: str


@frozen(eq=False, repr=False)
class Effective:
    """What `merge` returns: the settings, where each came from, and what was not followed.

    `origins` has one entry per field that does not stand on its default.  `ignored`
    are the values that would have loosened the gate and came from a source that may not,
    `withheld` the file of a token that was meant for another service than the one in force.
    """

    settings: Settings
    origins: tuple[Given, ...] = ()
    ignored: tuple[Given, ...] = ()
    withheld: tuple[Given, ...] = ()

    def source(self, field: str) -> Source:
        """Return where the value of `field` came from."""
        return next((one.source for one in self.origins if one.field == field), Source.DEFAULT)

    def warnings(self) -> list[str]:
        """Return a sentence for each value that was not followed, which says why."""
        found = [
            f"{one.where} is ignored: the {one.source.value} may only make the gate stricter" for one in self.ignored
        ]
        named = next((one.where for one in self.origins if one.field == "server"), "")
        return found + [
            f"{one.where}: that token is not sent, because {named} names another service than the settings files; "
            "put the token for that one into PHOCINAE_TOKEN, or its address into the settings file"
            for one in self.withheld
        ]


def _guard(value: object) -> str:
    return value if value == GUARD_BESIDE and type(value) is str else kinds.path(value)


def _moved(old: object, new: object) -> bool:
    return old != new


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
    alias: str = "",
) -> Key:
    own = "PHOCINAE_" + field.upper()
    return Key(field, toml, (own, "PHOCINAE_MCP_" + alias) if alias else (own,), expects, read, check, loosens)


_RISK = kinds.whole(2, 10)
_PROBABILITY = kinds.number(0.0, 1.0)
_SWITCH = "true or false"
_RISK_WORDS = "a whole number from 2 to 10"
_PROBABILITY_WORDS = "a number from 0 to 1"
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
    _row("guard", "l1.guard", '"auto" or an absolute path', kinds.as_is, _guard, alias="GUARD_PATH"),
    _row("score_deny", "l1.score_deny", _RISK_WORDS, kinds.read_whole, _RISK),
    _row("score_ask", "l1.score_ask", _RISK_WORDS, kinds.read_whole, _RISK),
    _row("noul_deny", "l1.noul_deny", _PROBABILITY_WORDS, kinds.read_number, _PROBABILITY),
    _row("noul_allow", "l1.noul_allow", _PROBABILITY_WORDS, kinds.read_number, _PROBABILITY),
    _row("audit", "audit.enabled", _SWITCH, kinds.read_switch, kinds.switch, _switched_off),
    _row("audit_file", "audit.file", _PATH_WORDS, kinds.as_is, kinds.path),
    _row("audit_strict", "audit.strict", _SWITCH, kinds.read_switch, kinds.switch, _switched_off),
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
"""One row per field of `Settings`.

What L1 is, asks and trusts, where the server listens and where the log goes is never
for a project to set, so any change of those counts as loosening.
"""

_DEFAULTS = Settings()
_LATER_OVER_EARLIER = (Source.MANAGED, Source.USER, Source.ENVIRONMENT, Source.FLAG)
_FILES = (Source.MANAGED, Source.USER)
_TEXT_SOURCES = (Source.FLAG, Source.ENVIRONMENT)


def key_of(field: str) -> Key:
    """Return the row of `field`; raise KeyError for a name that is no field of `Settings`."""
    for key in KEYS:
        if key.field == field:
            return key
    raise KeyError(field)


def merge(given: Iterable[Given], *, hook: bool = False) -> Effective:
    """Return the settings that all of `given` make together.

    Sources that may loosen are applied first, the later over the earlier: managed file,
    user file, environment, options.  Then those that may only tighten: the project file,
    and for a `hook` the environment, which there belongs to the agent.  A `hook` runs no
    guard program but one that is named.  The token file that a settings file names is
    for the service of the settings files, and is given up where another one is asked.

    Raises:
        InvalidSettings: a value cannot be used, or two values contradict each other.
    """
    bound = (Source.ENVIRONMENT, Source.PROJECT) if hook else (Source.PROJECT,)
    free = [source for source in _LATER_OVER_EARLIER if source not in bound]
    values = tuple(given)
    chosen: dict[str, Any] = {}
    origins: dict[str, Given] = {}
    ignored: list[Given] = []
    for source in (*free, *bound):
        for one in (value for value in values if value.source is source):
            key, value = key_of(one.field), _usable(one)
            current = chosen.get(one.field, getattr(_DEFAULTS, one.field))
            if source in bound and key.loosens(current, value):
                ignored.append(one)
            elif source not in bound or value != current:
                chosen[one.field], origins[one.field] = value, one
    withheld = _withheld(values, origins)
    for one in withheld:
        del chosen[one.field], origins[one.field]
    settings = Settings(**chosen)
    _consistent(settings, origins)
    if hook and settings.guard == GUARD_BESIDE:
        raise InvalidSettings(f"{origins['guard'].where}: a hook looks for no guard program; give its absolute path")
    return Effective(settings, tuple(origins.values()), tuple(ignored), withheld)


def _withheld(values: tuple[Given, ...], origins: dict[str, Given]) -> tuple[Given, ...]:
    """Return the token file that settings files name, where the service in force is not the one that they mean.

    A token belongs to an origin (RFC 6454): scheme, host and port.  Whoever sets the
    environment or the options chooses the token as well, but must not send away that of the files.
    """
    token, server = origins.get("token_file"), origins.get("server")
    if token is None or token.source not in _FILES or not token.value or server is None or server.source in _FILES:
        return ()
    meant: object = _DEFAULTS.server
    for source in _FILES:
        meant = next((_usable(one) for one in reversed(values) if (one.source, one.field) == (source, "server")), meant)
    return () if origin(str(server.value)) == origin(str(meant)) else (token,)


def check(settings: Settings) -> Settings:
    """Return `settings` if every value in it can be used.

    For settings that a program built itself; what `merge` returns is checked already.

    Raises:
        InvalidSettings: names the field and what would be right.
    """
    if not isinstance(settings, Settings):
        raise InvalidSettings("the settings are none; give phocinae.Settings(...)")
    for key in KEYS:
        value, default = getattr(settings, key.field), getattr(_DEFAULTS, key.field)
        decides = isinstance(default, Decision)
        try:
            # the word for a decision, and a list that can change, are for files and options
            if isinstance(default, Decision | tuple) and not isinstance(value, type(default)):
                raise ValueError
            key.check(value)
        except ValueError:
            expects = f"the phocinae.Decision for {key.expects}" if decides else key.expects
            raise InvalidSettings(f"Settings.{key.field} cannot be used; give {expects}") from None
    _consistent(settings, {})
    return settings


def _usable(given: Given) -> object:
    key = key_of(given.field)
    try:
        raw = given.value
        if given.source in _TEXT_SOURCES:
            raw = key.read(str(raw))
        return key.check(raw)
    except ValueError:
        # the value itself is not repeated: it may be a secret in the wrong place
        raise InvalidSettings(f"{given.where} cannot be used; give {key.expects}") from None


def _consistent(settings: Settings, origins: dict[str, Given]) -> None:
    """Refuse thresholds that leave no room for the answer between them."""
    pairs = (("score_ask", "score_deny"), ("noul_deny", "noul_allow"))
    for low, high in pairs:
        if getattr(settings, low) > getattr(settings, high):
            places = [origins[name].where if name in origins else f"{name} (default)" for name in (low, high)]
            raise InvalidSettings(f"{places[0]} and {places[1]} contradict each other; {low} must not be above {high}")
