"""Which names of variables, options, headers and fields sound as if their value were a secret."""

from __future__ import annotations

import re
from functools import lru_cache

NAME_LIMIT = 80
"""So much of a longer name is looked at: its end."""

_PARTS = (
    "password", "passwd", "passphrase", "passwort", "secret", "token", "credential", "authorization", "bearer",
    "cookie", "apikey", "accesskey", "privatekey", "authkey", "sessionid", "sessionkey", "encryptionkey", "signingkey",
    "accountkey", "sharedkey", "presharedkey", "masterkey", "clientkey", "accesssignature", "authentication", "jwt",
    "mnemonic", "passkey", "seedphrase",
)  # fmt: skip
"""A name that holds one of these, its separators left out, sounds secret."""

_LAST = (
    "auth",
    "sig",
    "signature",
    "creds",
    "pw",
    "session",
    "pat",
    "otp",
    "psk",
    "authpass",
    "privpass",
    "pin",
    "hmac",
)
"""A name whose last part is one of these does too."""

_HARMLESS_LAST = (
    "file", "path", "dir", "folder", "stdin", "prompt", "url", "uri", "endpoint", "id", "name", "type", "length", "len",
    "size", "count", "limit", "ttl", "expiry", "policy", "provider", "store", "helper", "jar", "tokenizer", "ref",
)  # fmt: skip
"""A name whose last part is one of these says where a secret is, or how long, and not the secret."""

_SECRET_ALL_THE_SAME = ("sessionid", "secretid")
"""Names that are secret although their last part is harmless."""

_PUBLIC_KEYS = ("public", "pub", "sort", "primary", "foreign", "partition", "cache", "host")

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@lru_cache(maxsize=256)
def sounds_secret(name: str) -> bool:
    """Tell whether a variable, an option or a field called `name` is likely to hold a secret."""
    parts = re.split(r"[-_.]", _HUMP.sub("_", name.strip("-_.$")).lower())
    last, joined = parts[-1], "".join(parts)
    if joined.endswith(_SECRET_ALL_THE_SAME):
        return True
    if (
        parts[0] == "no"
        or joined.startswith("nopass")
        or last in _HARMLESS_LAST
        or (last == "tokens" and len(parts) > 1)
    ):
        return False
    if any(part in joined for part in _PARTS) or last in _LAST:
        return True
    if last == "key":
        return len(parts) > 1 and parts[-2] not in _PUBLIC_KEYS
    if last.endswith("pwd"):
        return last != "oldpwd" and (last != "pwd" or len(parts) > 1)
    return last.endswith("pass") and last not in ("bypass", "compass")
