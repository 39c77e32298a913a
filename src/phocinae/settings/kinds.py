"""The kinds of values that settings have: texts read as values, and values checked.

Every function that is named here, or returned, raises ValueError for what it cannot use.
What is returned is a `functools.partial` of a function with its limits, from which `schema`
reads what the check takes.
"""

from __future__ import annotations

import os.path
import re
from collections.abc import Callable
from functools import partial

from ..domain.verdict import Decision

HOST = r"[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\]"
"""A regular expression for a host in lower case."""

MOST_URLS = 100
"""The most addresses in one list."""


def as_is(text: str) -> object:
    """Return the text itself."""
    return text


def read_list(text: str) -> object:
    """Return the parts between commas."""
    return [part.strip() for part in text.split(",")]


def read_switch(text: str) -> object:
    """Return the truth value that a word stands for."""
    word = text.lower()
    if word in ("1", "true", "yes", "on"):
        return True
    if word in ("0", "false", "no", "off"):
        return False
    raise ValueError


def read_whole(text: str) -> object:
    """Return the whole number that decimal digits stand for."""
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise ValueError


def read_number(text: str) -> object:
    """Return the number that decimal digits, with or without a point, stand for."""
    if text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20:
        return float(text)
    raise ValueError


def switch(value: object) -> bool:
    """Return a truth value, which no number is."""
    if type(value) is bool:
        return value
    raise ValueError


def whole(low: int, high: int) -> Callable[[object], int]:
    """Return a check for a whole number from `low` to `high`."""
    return partial(is_whole, low, high)


def is_whole(low: int, high: int, value: object) -> int:
    """Return a whole number from `low` to `high`."""
    if type(value) is int and low <= value <= high:
        return value
    raise ValueError


def number(low: float, high: float) -> Callable[[object], float]:
    """Return a check for a number from `low` to `high`."""
    return partial(is_number, low, high)


def is_number(low: float, high: float, value: object) -> float:
    """Return a number from `low` to `high`."""
    # NaN fails both comparisons, so it needs no test of its own
    if isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high:
        return float(value)
    raise ValueError


def word(*words: str) -> Callable[[object], str]:
    """Return a check for one of `words`."""
    return partial(is_word, words)


def is_word(words: tuple[str, ...], value: object) -> str:
    """Return one of `words`."""
    if type(value) is str and value in words:
        return value
    raise ValueError


def decision(*allowed: Decision) -> Callable[[object], Decision]:
    """Return a check for one of the decisions `allowed`, or the word for one."""
    return partial(is_decision, allowed)


def is_decision(allowed: tuple[Decision, ...], value: object) -> Decision:
    """Return one of the decisions `allowed`, which may be given as its word."""
    decision = Decision.of(value) if type(value) is str else value
    if isinstance(decision, Decision) and decision in allowed:
        return decision
    raise ValueError


def path_or(word: str) -> Callable[[object], str]:
    """Return a check for an absolute path, the empty text, or `word`."""
    return partial(is_path_or, word)


def is_path_or(word: str, value: object) -> str:
    """Return an absolute path, the empty text, or `word`."""
    return value if type(value) is str and value == word else path(value)


def name(value: object) -> str:
    """Return a name: short, and printable."""
    if type(value) is str and 0 < len(value) <= 200 and value.isprintable():
        return value
    raise ValueError


def path(value: object) -> str:
    """Return an absolute path, or the empty text for none."""
    if type(value) is str and len(value) <= 4096 and "\0" not in value and (not value or os.path.isabs(value)):
        return value
    raise ValueError


def url(value: object) -> str:
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


def urls(value: object) -> tuple[str, ...]:
    """Return a list of addresses, each of them as `url` takes it."""
    if not isinstance(value, list | tuple) or len(value) > MOST_URLS:
        raise ValueError
    return tuple(map(url, value))


def url_path(value: object) -> str:
    """Return the path of an address that no proxy rewrites: plain characters, and no slash at its end."""
    if type(value) is str and len(value) <= 200 and re.fullmatch(r"(/[A-Za-z0-9_-][A-Za-z0-9._~-]*)+", value):
        return value
    raise ValueError


def host_names(value: object) -> tuple[str, ...]:
    """Return a list of names or addresses of hosts, in lower case, without a port."""
    return _each(value, re.compile(HOST), str.lower)


def origins(value: object) -> tuple[str, ...]:
    """Return a list of web origins as browsers write them: scheme, host in lower case, a port if it is unusual."""
    return _each(value, re.compile(rf"https?://(?:{HOST})(?::[0-9]{{1,5}})?"), str)


def _each(value: object, form: re.Pattern[str], change: Callable[[str], str]) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or len(value) > MOST_URLS:
        raise ValueError
    # not in lower case before it is known to be ASCII: there are foreign signs whose small letter is an ASCII one
    texts = tuple(change(one) if type(one) is str and one.isascii() and len(one) <= 300 else "" for one in value)
    if not all(map(form.fullmatch, texts)):
        raise ValueError
    return texts


def file_prefix(value: object) -> str:
    """Return how a file's name may begin, without any part that would lead to another folder or hide the file."""
    if type(value) is not str or not 0 < len(value) <= 32 or not value.isascii() or not value[0].isalnum():
        raise ValueError
    if not all(sign.isalnum() or sign in "._-" for sign in value):
        raise ValueError
    return value


def _host_and_port(authority: str) -> tuple[str, str | None]:
    """Return both as they stand in an authority (RFC 3986, 3.2), an IPv6 address without its brackets."""
    if not authority.startswith("["):
        host, separator, port = authority.partition(":")
        if not host.replace("-", "").replace("_", "").replace(".", "").isalnum():
            raise ValueError
        return host, port if separator else None
    host, closing, rest = authority[1:].partition("]")
    if not closing or (rest and not rest.startswith(":")):
        raise ValueError
    from ipaddress import IPv6Address  # takes a while, and few services have such an address

    IPv6Address(host)
    return host, rest[1:] if rest else None
