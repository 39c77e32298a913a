"""The one shape of all settings, and who may set what; reading files is an adapter's work.

Every field of `Settings` has a row in `KEYS`; a test fails for one without.  `merge`
puts the values of all sources together.  A source that the judged agent can write to
may only make the gate stricter; what such a source asks for beyond that is ignored
and reported, so that a checked-out project cannot loosen the gate.  One whose file
cannot be used stops it: nothing is decided then, and so nothing is allowed.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any

from attrs import field, frozen

from .domain.verdict import Decision
from .errors import InvalidSettings

VERSION = "0.1.0"
"""The version of the package, which stands here because importlib.metadata takes 20 ms to find it."""

LOOPBACK_HOSTS = ("127.0.0.1", "localhost", "::1")
"""The only addresses that the server listens on."""

BACKENDS = ("http", "mock")
"""What can answer questions: the service at an address, or a mock whose answers are made up."""

WINDOW = 320
"""How many bytes of a state the served model is sure to read: its `context_length` less `head_max_len`, in tokens."""

DIALECTS = ("auto", "posix", "powershell", "cmd")
"""The languages that a command may be said to be in; ``auto`` judges every one that it may plausibly be in."""


GUARD_BESIDE = "auto"
"""The value of ``l1.guard`` that has a guard program looked for beside the installed package."""


@frozen(kw_only=True)
class Settings:
    """What a gate and its server do; every field has a safe default.

    `timeout` is in seconds and covers a whole call of the decision service.  Scores
    are risks from 2 to 10, `noul_*` are probabilities from 0 to 1 that a command may
    run without a person, `l1_ceiling` is the mildest verdict that L1 gives, and `window`
    the number of bytes that the model is sure to read.  An empty `audit_file` stands for
    the platform's own place, an empty `token_file` for none.
    """

    fail_closed: Decision = Decision.DENY
    project_code: Decision = Decision.ALLOW
    dialect: str = "auto"
    l1_enabled: bool = False
    server: str = "http://127.0.0.1:8155"
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
    are the values that would have loosened the gate and came from a source that may not.
    """

    settings: Settings
    origins: tuple[Given, ...] = ()
    ignored: tuple[Given, ...] = ()

    def source(self, field: str) -> Source:
        """Return where the value of `field` came from."""
        return next((one.source for one in self.origins if one.field == field), Source.DEFAULT)


def _as_is(text: str) -> object:
    return text


def _read_switch(text: str) -> object:
    word = text.lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError


def _read_whole(text: str) -> object:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise ValueError


def _read_number(text: str) -> object:
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20:
        return float(text)
    raise ValueError


def _switch(value: object) -> bool:
    if type(value) is bool:
        return value
    raise ValueError


def _whole(low: int, high: int) -> Callable[[object], int]:
    def check(value: object) -> int:
        if type(value) is int and low <= value <= high:
            return value
        raise ValueError

    return check


def _number(low: float, high: float) -> Callable[[object], float]:
    def check(value: object) -> float:
        # NaN fails both comparisons, so it needs no test of its own
        if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
            return float(value)
        raise ValueError

    return check


def _word(*words: str) -> Callable[[object], str]:
    def check(value: object) -> str:
        if type(value) is str and value in words:
            return value
        raise ValueError

    return check


def _decision(*allowed: Decision) -> Callable[[object], Decision]:
    def check(value: object) -> Decision:
        decision = Decision.of(value) if type(value) is str else value
        if isinstance(decision, Decision) and decision in allowed:
            return decision
        raise ValueError

    return check


def _name(value: object) -> str:
    if type(value) is str and 0 < len(value) <= 200 and value.isprintable():
        return value
    raise ValueError


def _path(value: object) -> str:
    if type(value) is str and len(value) <= 4096 and "\0" not in value and (not value or os.path.isabs(value)):
        return value
    raise ValueError


def _guard(value: object) -> str:
    return value if value == GUARD_BESIDE and type(value) is str else _path(value)


def _url(value: object) -> str:
    """Accept an http or https address without user, query and fragment: those can hold secrets."""
    if type(value) is not str or len(value) > 2048 or not value.isascii() or not value.isprintable():
        raise ValueError
    scheme, separator, rest = value.partition("://")
    authority = rest.partition("/")[0]
    host, port = _host_and_port(authority)
    if scheme not in ("http", "https") or not separator or not host or set(value) & set(" @?#\\\"'<>"):
        raise ValueError
    if port is not None and not (port.isdigit() and len(port) < 6 and 0 < int(port) < 65536):
        raise ValueError
    return value


def _host_and_port(authority: str) -> tuple[str, str | None]:
    if authority.startswith("["):
        host, closing, rest = authority[1:].partition("]")
        return host if closing else "", rest.removeprefix(":") if rest else None
    host, separator, port = authority.partition(":")
    return host, port if separator else None


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


_RISK = _whole(2, 10)
_PROBABILITY = _number(0.0, 1.0)
_SWITCH = "true or false"
_RISK_WORDS = "a whole number from 2 to 10"
_PROBABILITY_WORDS = "a number from 0 to 1"
_PATH_WORDS = "an absolute path"
_DENY_OR_ASK = _decision(Decision.DENY, Decision.ASK)
_ALLOW_OR_ASK = _decision(Decision.ALLOW, Decision.ASK)
_ANY = _decision(*Decision)

KEYS: tuple[Key, ...] = (
    _row("fail_closed", "gate.fail_closed", '"deny" or "ask"', _as_is, _DENY_OR_ASK, _milder),
    _row("project_code", "gate.project_code", '"allow", "ask" or "deny"', _as_is, _ANY, _milder),
    _row("dialect", "gate.dialect", '"auto", "posix", "powershell" or "cmd"', _as_is, _word(*DIALECTS)),
    _row("l1_enabled", "l1.enabled", _SWITCH, _read_switch, _switch, alias="L1_ENABLED"),
    _row("server", "l1.server", "an address such as http://127.0.0.1:8155", _as_is, _url, alias="SERVER"),
    _row("timeout", "l1.timeout", "seconds from 0.01 to 600", _read_number, _number(0.01, 600.0), alias="TIMEOUT"),
    _row("model", "l1.model", "the name of a model", _as_is, _name, alias="MODEL"),
    _row("backend", "l1.backend", '"http" or "mock"', _as_is, _word(*BACKENDS)),
    _row("token_file", "l1.token_file", _PATH_WORDS, _as_is, _path),
    _row("window", "l1.window", "bytes from 64 to 1000000", _read_whole, _whole(64, 1_000_000)),
    _row("l1_ceiling", "l1.ceiling", '"allow" or "ask"', _as_is, _ALLOW_OR_ASK, _milder),
    _row("guard", "l1.guard", '"auto" or an absolute path', _as_is, _guard, alias="GUARD_PATH"),
    _row("score_deny", "l1.score_deny", _RISK_WORDS, _read_whole, _RISK),
    _row("score_ask", "l1.score_ask", _RISK_WORDS, _read_whole, _RISK),
    _row("noul_deny", "l1.noul_deny", _PROBABILITY_WORDS, _read_number, _PROBABILITY),
    _row("noul_allow", "l1.noul_allow", _PROBABILITY_WORDS, _read_number, _PROBABILITY),
    _row("audit", "audit.enabled", _SWITCH, _read_switch, _switch, _switched_off),
    _row("audit_file", "audit.file", _PATH_WORDS, _as_is, _path),
    _row("audit_strict", "audit.strict", _SWITCH, _read_switch, _switch, _switched_off),
    _row("transport", "serve.transport", '"stdio" or "http"', _as_is, _word("stdio", "http"), alias="TRANSPORT"),
    _row("host", "serve.host", "one of " + ", ".join(LOOPBACK_HOSTS), _as_is, _word(*LOOPBACK_HOSTS)),
    _row("port", "serve.port", "a port from 0 to 65535", _read_whole, _whole(0, 65535), alias="HTTP_PORT"),
)
"""One row per field of `Settings`.

What L1 is, asks and trusts, where the server listens and where the log goes is never
for a project to set, so any change of those counts as loosening.
"""

_DEFAULTS = Settings()
_LATER_OVER_EARLIER = (Source.MANAGED, Source.USER, Source.ENVIRONMENT, Source.FLAG)
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
    guard program but one that is named.

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
    settings = Settings(**chosen)
    _consistent(settings, origins)
    if hook and settings.guard == GUARD_BESIDE:
        raise InvalidSettings(f"{origins['guard'].where}: a hook looks for no guard program; give its absolute path")
    return Effective(settings, tuple(origins.values()), tuple(ignored))


def check(settings: Settings) -> Settings:
    """Return `settings` if every value in it can be used.

    For settings that a program built itself; what `merge` returns is checked already.

    Raises:
        InvalidSettings: names the field and what would be right.
    """
    if not isinstance(settings, Settings):
        raise InvalidSettings("the settings are none; give phocinae.Settings(...)")
    for key in KEYS:
        value, decides = getattr(settings, key.field), isinstance(getattr(_DEFAULTS, key.field), Decision)
        try:
            if decides and not isinstance(value, Decision):  # the word for one is for files and options
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
