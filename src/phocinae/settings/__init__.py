"""The one shape of all settings, and who may set what; reading files is an adapter's work.

Every field of `Settings` has a row in `KEYS`; a test fails for one without.  `merge`
puts the values of all sources together.  A source that the judged agent can write to
may only make the gate stricter; what such a source asks for beyond that is ignored
and reported, so that a checked-out project cannot loosen the gate.  One whose file
cannot be used stops it: nothing is decided then, and so nothing is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Any

from attrs import evolve, field, frozen

from ..domain.verdict import Decision
from ..errors import InvalidSettings
from .keys import BACKENDS, DIALECTS, GUARD_BESIDE, KEYS, LOG_LEVELS, LOOPBACK_HOSTS, Key, key_of
from .origins import origin

__all__ = [
    "BACKENDS",
    "DEFAULTS",
    "DIALECTS",
    "GUARD_BESIDE",
    "HOOK_DEFAULTS",
    "KEYS",
    "LOG_LEVELS",
    "LOOPBACK_HOSTS",
    "SECRET_FILES",
    "VERSION",
    "WINDOW",
    "Effective",
    "Given",
    "Key",
    "Settings",
    "Source",
    "check",
    "key_of",
    "merge",
]

VERSION = "0.1.0"
"""The version of the package, which stands here because importlib.metadata takes 20 ms to find it."""

WINDOW = 320
"""How many bytes of a state the served model is sure to read: its `context_length` less `head_max_len`, in tokens."""


@frozen(kw_only=True, slots=False)  # a class with slots is made twice
class Settings:
    """What a gate and its server do; every field has a safe default.

    A hook that is not `enabled` has no opinion on anything; in the `mode` "observe" it records
    what it would have answered, and has none either.  `on_allow` says whether it leaves what is
    allowed to the agent's own rules ("silent") or says allow; `unattended` is its answer where a
    person would have to be asked and there is none.  It has `hook_deadline` seconds in all.
    `timeout` is in seconds and covers a whole call of the decision service; a person who is
    asked in the middle of a call of the server has `human_timeout` seconds.  Scores
    are risks from 2 to 10, `noul_*` are probabilities from 0 to 1 that a command may
    run without a person, `l1_ceiling` is the mildest verdict that L1 gives, and `window`
    the number of bytes that the model is sure to read.  An empty `audit_file` stands for
    the platform's own place, as does an empty `log_folder` or `spent_tokens_file`, an empty
    `token_file` or `state_key_file` for none, and an empty `audit_key_file` for a key beside the log.
    A log of `audit_max_size` bytes is set aside, and `audit_keep` of those are kept.
    `allowed_servers` are decision services that a caller over MCP may name beside `server`.
    Over HTTP, `allow_host` are names that a proxy has for the server, `allow_origin`
    the web origins whose pages may call it, and `max_body` is in bytes.
    """

    enabled: bool = True
    mode: str = "enforce"
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
    on_allow: str = "silent"
    unattended: Decision = Decision.DENY
    hook_deadline: float = 6.0
    audit: bool = True
    audit_file: str = ""
    audit_key_file: str = field(default="", repr=False)
    audit_strict: bool = False
    audit_max_size: int = 16 * 1024 * 1024
    audit_keep: int = 8
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

    @property
    def hooks(self) -> str:
        """What hooks do with a denial: ``enforce`` blocks, ``observe`` and ``off`` let everything run."""
        return self.mode if self.enabled else "off"


class Source(Enum):
    """Where a value can come from, in the order of the table of who may loosen."""

    DEFAULT = "default"
    MANAGED = "managed file"
    USER = "user file"
    FLAG = "option"
    ENVIRONMENT = "environment"
    PROJECT = "project file"


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

    def standing_down(self) -> str:
        """Return a sentence that says that hooks block nothing, and where that comes from; empty where they do."""
        if self.settings.hooks == "enforce":
            return ""
        field = "enabled" if self.settings.hooks == "off" else "mode"
        where = next((one.where for one in self.origins if one.field == field), "its defaults")
        if field == "enabled":
            return f"the gate is OFF for hooks, by {where}: they judge nothing and block nothing"
        return f"the gate only OBSERVES, by {where}: hooks record what they would have denied and block nothing"

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


DEFAULTS = Settings()
"""What is so where no source says anything."""

HOOK_DEFAULTS = Settings(fail_closed=Decision.ASK)
"""What holds for a hook where no source says otherwise: a person sits at the agent, and can be asked."""

SECRET_FILES = ("token_file", "auth_token_file", "session_secret_file", "state_key_file", "audit_key_file")
"""The settings that name a file of secrets."""

_LATER_OVER_EARLIER = (Source.MANAGED, Source.USER, Source.ENVIRONMENT, Source.FLAG)
_FILES = (Source.MANAGED, Source.USER)
_TEXT_SOURCES = (Source.FLAG, Source.ENVIRONMENT)


def merge(given: Iterable[Given], *, hook: bool = False, defaults: Settings = DEFAULTS) -> Effective:
    """Return the settings that all of `given` make together.

    Sources that may loosen are applied first, the later over the earlier: managed file,
    user file, environment, options.  Then those that may only tighten: the project file,
    and for a `hook` the environment, which there belongs to the agent.  A `hook` runs no
    guard program but one that is named.  The token file that a settings file names is
    for the service of the settings files, and is given up where another one is asked.
    `defaults` are what no source has said anything about.

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
            current = chosen.get(one.field, getattr(defaults, one.field))
            if source in bound and key.loosens(current, value):
                ignored.append(one)
            elif source not in bound or value != current:
                chosen[one.field], origins[one.field] = value, one
    withheld = _withheld(values, origins)
    for one in withheld:
        del chosen[one.field], origins[one.field]
    settings = evolve(defaults, **chosen)
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
    meant: object = DEFAULTS.server
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
        value, default = getattr(settings, key.field), getattr(DEFAULTS, key.field)
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
