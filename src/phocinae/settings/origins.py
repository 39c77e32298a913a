"""What tells one service from another: scheme, host and port of its address (RFC 6454)."""

from __future__ import annotations

from typing import TypeAlias

_DEFAULT_PORTS = {"http": 80, "https": 443}

Origin: TypeAlias = tuple[str, str, int]


def origin(url: str) -> Origin | None:
    """Return scheme, host and port of an HTTP URL, or None for a text that is none or hides something."""
    if not url.isascii() or any(char <= " " or char in "\\\x7f" for char in url):
        return None  # urlsplit would drop or mend some of these
    from urllib.parse import urlsplit  # most gates ask no service, or the one that they stand with

    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    default = _DEFAULT_PORTS.get(parts.scheme)
    if default is None or not parts.hostname or "@" in parts.netloc:
        return None
    return parts.scheme, parts.hostname, default if port is None else port
