"""Which paths name secrets: keys, credentials, environment files, browser stores.

A path with wildcards names a secret if it could match one of the usual names.
"""

from __future__ import annotations

import re

from .values import ANY, HOLE, SPLIT, STAR

_NAME = re.compile(
    r"(?i)(?:\.env(?:\.(?!example\Z|sample\Z|template\Z|dist\Z|defaults?\Z|schema\Z|test\Z)[^/]*)?|[^/]*\.env(?:\.local|\.prod[^/]*)?"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|identity|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|asc|gpg|ovpn)"
    r"|[._]netrc|\.npmrc|\.yarnrc\.yml|\.pypirc|\.git-credentials|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.dockercfg|\.vault-token|\.boto|\.s3cfg"
    r"|credentials(?:\.(?:json|db|toml|ya?ml|csv|xml|tfrc\.json))?|secrets?(?:\.[a-z0-9]+)*\.(?:json|ya?ml|toml|env|txt|ini|enc)|secrets?"
    r"|[^/]*service[-_]?account[^/]*\.json|client_secret[^/]*\.json|terraform\.tfvars|[^/]*\.auto\.tfvars|[^/]*\.tfstate(?:\.backup)?"
    r"|g?shadow-?|master\.passwd|sudoers|wallet\.dat|logins\.json|key[34]\.db|cookies(?:\.sqlite)?|login data|web data|keychain[^/]*|[^/]*\.keychain(?:-db)?"
    r"|\.(?:bash|zsh|sh|psql|mysql|python|node_repl|rediscli)_history|\.lesshst|environ)\Z"
)
_FOLDER = re.compile(
    r"(?:^|/)(?:\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|\.config/(?:gcloud|gh|hub|op|doctl|rclone|containers)"
    r"|\.local/share/keyrings|\.mozilla|\.config/google-chrome|\.terraform\.d|\.cargo|\.gem|\.m2|\.gradle|ssl/private|Keychains)(?:/|\Z)"
)
_NOT_SECRET = re.compile(
    r"(?i)(?:[^/]*\.pub|known_hosts(?:\.old)?|authorized_keys|[^/]*\.(?:crt|cer)|registry|config\.toml|env|settings\.xml|gradle\.properties|bin|rustup|git)\Z"
)
_SECRET_FOLDERS = ("/.ssh", "/.gnupg", "/.aws", "/.azure", "/.kube", "/.docker", "/.password-store")
_USUAL = (
    ".env .env.local .env.production id_rsa id_ed25519 server.key cert.pem .netrc .npmrc .pypirc .git-credentials .pgpass "
    "credentials credentials.json secrets.yaml secrets.json shadow service-account.json .vault-token"
).split()


_LONGEST_NAME = 255
"""No file has a longer name (POSIX NAME_MAX); a pattern of that length may match anything."""


def is_secret(path: str) -> bool:
    """Return whether a path, as a value, names a file of secrets or a folder of them, or could match one."""
    trimmed = path.rstrip("/")
    name = trimmed.rpartition("/")[2]
    if len(name) > _LONGEST_NAME:
        return STAR in name or ANY in name or _in_folder(trimmed, "")
    if STAR in name or ANY in name:
        return any(matches(name, usual) for usual in _USUAL) or _in_folder(trimmed, name)
    if _NAME.match(name) and not _NOT_SECRET.match(name):
        return True
    return _in_folder(trimmed, name)


def _in_folder(path: str, name: str) -> bool:
    found = _FOLDER.search(path)
    if found is None or _NOT_SECRET.match(name):
        return False
    if any(folder in "/" + path for folder in _SECRET_FOLDERS):
        return True
    return name.startswith("credentials") or found.end() < len(path)


def matches(pattern: str, name: str) -> bool:
    """Return whether a file name matches a value with wildcards, in time proportional to their product.

    A leading dot is matched only by a dot (POSIX XCU 2.13.3); unknown stretches match anything.
    """
    if name.startswith(".") and pattern[:1] in (STAR, ANY):
        return False
    at = [True] + [False] * len(name)
    for char in pattern:
        many = char in (STAR, HOLE, SPLIT)
        after = [many and at[0]]
        for place, wanted in enumerate(name):
            step = at[place] and (char in (ANY, wanted))
            after.append(after[place] or at[place + 1] if many else step)
        at = after
    return at[-1]
