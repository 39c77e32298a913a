"""Which paths name secrets: keys, credentials, environment files, browser stores.

A path with wildcards names a secret if it could match one of the usual names.
"""

from __future__ import annotations

import re

from .patterns import lazily
from .values import ANY, CWD, HOLE, HOME, NUMBER, SPLIT, STAR

_NAME = lazily(
    r"(?:\.env(?:rc|[._-](?!example\Z|sample\Z|template\Z|dist\Z)[^/]*)?|[^/]*\.env(?:\.local|\.prod[^/]*)?"
    r"|\.flaskenv|env\.(?:local|prod(?:uction)?|staging|development)|\.dev\.vars|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|identity|ssh_host_[a-z0-9]+_key"
    r"|[^/]*\.(?:pem|key|p12|p8|pk8|pfx|jks|keystore|keytab|kdbx?|ppk|asc|gpg|age|ovpn|token|nmconnection)"
    r"|[._]netrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|\.git-credentials|\.pgpass|\.my\.cnf|\.mylogin\.cnf|\.htpasswd|\.dockercfg|\.vault-token|\.boto|\.s3cfg"
    r"|\.databrickscfg|\.terraformrc|\.msmtprc|\.fetchmailrc|[^/]*kubeconfig(?:\.ya?ml)?|(?:[a-z0-9]+[-_.])?deploy[-_]key|k3s\.yaml|\.?vault[-_]pass(?:word)?(?:\.txt)?|oauth_creds\.json|auth\.json|wp-config\.php"
    r"|\.?credentials(?:\.(?:json|db|toml|ya?ml|csv|xml|enc|ya?ml\.enc|tfrc\.json))?|secrets?(?:\.[a-z0-9]+)*\.(?:json|ya?ml|toml|env|txt|ini|enc)|secrets?"
    r"|(?:[a-z0-9]+[-_.])?(?:api[-_]?keys?|access[-_]?keys?|(?:auth|access)[-_]?tokens?|passwords?|passphrases?)(?:\.(?:txt|json|ya?ml|csv))?|tokens?\.(?:txt|json|ya?ml)|token|vault\.ya?ml|appsettings(?:\.[a-z0-9_-]+)+\.json|pip\.(?:conf|ini)"
    r"|[^/]*service[-_]?account[^/]*\.json|client_secret[^/]*\.json|[^/]*firebase-adminsdk[^/]*\.json|(?:gcp|gcloud|gcs|google|sa)[-_](?:key|creds?|credentials?)\.json"
    r"|[^/]*\.tfvars(?:\.json)?|[^/]*\.tfstate(?:\.backup)?|database\.yml|local\.settings\.json|firebase-tools\.json|kaggle\.json|\.claude\.json|\.aider\.conf\.yml"
    r"|g?shadow-?|opasswd|master\.passwd|sudoers|(?:chap|pap)-secrets|wpa_supplicant[^/]*\.conf|krb5cc_[^/]*|wallet\.dat|logins\.json|key[34]\.db"
    r"|cookies(?:\.sqlite|\.binarycookies)?|login data|web data|local state|keychain[^/]*\.db|[^/]*\.keychain(?:-db)?"
    r"|\.[a-z_]*history|fish_history|consolehost_history\.txt|\.lesshst|\.viminfo|environ|ntds\.dit|(?:auto)?unattend\.xml)\Z"
)
"""In small letters, as it is matched with: to ignore case takes a pattern four times as long."""
_BACKUP = lazily(r"(?:~|[._-](?:bak|backup|old|orig|save|copy|swp|swo|tmp|[0-9]{1,8})){1,3}\Z")
_FOLDER = lazily(
    r"(?:^|/)(?:\.(?:ssh|gnupg|age|aws|azure|kube|docker|password-store|vnc|mozilla|thunderbird|fly|oci|netlify|railway|supabase|wrangler|ngrok2|huggingface|kaggle|snowflake)"
    r"|\.config/(?:gcloud|gh|hub|op|doctl|rclone|containers|github-copilot|glab-cli|sops|age|heroku|hcloud|linode-cli|scw|netlify|ngrok|stripe|configstore|\.wrangler"
    r"|google-chrome|chromium|BraveSoftware|microsoft-edge|vivaldi|opera|1Password|Bitwarden[^/]*|solana|goose|phocinae(?!/(?:config|policy)\.toml/\Z))"
    r"|\.local/share/(?:keyrings|com\.vercel\.cli|opencode)|\.(?:ethereum/keystore|electrum/wallets|bitcoin/wallets|monero)|\.cache/huggingface/token"
    r"|Library/(?:Keychains|Cookies|Safari|Application Support/(?:Google/Chrome|Firefox|BraveSoftware|Microsoft Edge|Arc|1Password|Bitwarden[^/]*|com\.vercel\.cli|Claude))"
    r"|AppData/(?:Local/(?:Google/Chrome|Microsoft/(?:Edge|Credentials|Vault)|BraveSoftware)|Roaming/(?:Mozilla|Microsoft/(?:Protect|Credentials|Vault)|gcloud|GitHub CLI))"
    r"|ssl/private|tls/private|Keychains|run/secrets|etc/(?:wireguard|sudoers\.d|openvpn|ppp|letsencrypt|kubernetes/pki)|NetworkManager/system-connections)/"
)
"""Folders that count as secrets with every file in them, but for the names below."""

_NAMED_BELOW = lazily(
    r"(?:^|/)(?:\.cargo|\.gem|gem)/credentials[^/]*\Z|(?:^|/)\.m2/settings[^/]*\.xml\Z|(?:^|/)\.gradle/gradle\.properties\Z|(?:^|/)\.terraform\.d/credentials[^/]*\Z"
    r"|/(?:\.nuget/NuGet|\.config/NuGet)/NuGet\.Config\Z|/\.cursor/mcp\.json\Z|/\.continue/config\.(?:json|ya?ml)\Z|/etc/kubernetes/[^/]*\.conf\Z"
    r"|/proc/[^/]+/(?:task/[^/]+/)?(?:environ|mem)\Z|/proc/kcore\Z|(?:^|/)windows/(?:system32/config|repair)/(?:sam|security|system)\Z"
    r"|/appdata/(?:roaming|local)/microsoft/(?:credentials|protect|vault|crypto)/|/\.subversion/auth/|/\.snowsql/config\Z|/etc/mysql/debian\.cnf\Z|/code-server/config\.yaml\Z|/dev/k?mem\Z"
)
_NOT_SECRET = lazily(r"(?:[^/]*\.pub|known_hosts(?:\.old)?|authorized_keys|[^/]*\.(?:crt|cer))\Z")
_USUAL = (
    ".env .env.local .env.production .envrc id_rsa id_ed25519 server.key cert.pem .netrc .npmrc .pypirc .git-credentials .pgpass "
    "credentials credentials.json secrets.yaml secrets.json shadow service-account.json .vault-token environ prod.env ssh_host_rsa_key"
).split()
_USUAL_BY_END = {end: [name for name in _USUAL if name[-1] == end] for end in {name[-1] for name in _USUAL}}
_USUAL_FOLDERS = ".ssh .gnupg .aws .azure .kube .docker .password-store .vnc".split()
_ANYWHERE = frozenset(["config.json", "hosts.yml", "hosts.json", "settings.xml"])
"""Names of files that are secret in some folders only."""

_LONGEST_NAME = 255
"""No file has a longer name (POSIX NAME_MAX); a pattern of that length may match anything."""

_MOST_PARTS = 64
"""Folders above a file that are looked into one by one."""

_WILD = re.compile(f"[{STAR}{ANY}{HOLE}{SPLIT}]")


def is_secret(path: str) -> bool:
    """Return whether a path, as a value, names a file of secrets or a folder of them, or could match one."""
    bare = path.rstrip("/")
    folder, _, name = bare.rpartition("/")
    if len(name) > _LONGEST_NAME:
        return STAR in name or ANY in name or _FOLDER.search(folder + "/") is not None or _in_open_folder(folder, "")
    if (STAR in name or ANY in name) and any(
        matches(name, usual) for usual in (_USUAL if name[-1] in _OPEN_ENDED else _USUAL_BY_END.get(name[-1], ()))
    ):
        return True
    low = name.casefold()
    found = (
        _NAME.match(low) is not None
        or (folder != CWD and _NAMED_BELOW.search(path) is not None)  # which takes a folder above the file
        or _FOLDER.search(bare + "/") is not None
        or ((backup := _BACKUP.search(low)) is not None and _NAME.match(low[: backup.start()]) is not None)
        or _in_open_folder(folder, name)
    )
    return found and not _NOT_SECRET.match(low)


def _in_open_folder(folder: str, name: str) -> bool:
    """Return whether a folder may be one of secrets where a part of its path is not known."""
    if not _WILD.search(folder):
        return False
    parts = folder.split("/")
    if len(parts) > _MOST_PARTS:
        return True
    for place, part in enumerate(parts):
        if not _WILD.search(part):
            continue
        if parts[max(place - 1, 0)] == ".config" or len(part) > _LONGEST_NAME:
            return True
        if part[0] == "." and any(matches(part, usual) for usual in _USUAL_FOLDERS):
            return True
    return name in _ANYWHERE and any(HOLE in part or SPLIT in part for part in parts)


_HOUSE = lazily(f"\\A(?:{HOME}|/root|/(?:home|Users)/[^/]+)(?=/)")
_WELL_KNOWN = [
    path.replace("~", HOME).split("/")
    for path in (
        "/etc/shadow /etc/gshadow /etc/sudoers /etc/sudoers.d/x /etc/ssh/ssh_host_rsa_key /etc/krb5.keytab /etc/wireguard/x "
        "/proc/self/environ /proc/1/environ /proc/self/task/1/environ /dev/mem /run/secrets/x "
        "~/.ssh/id_rsa ~/.aws/credentials ~/.aws/config ~/.kube/config ~/.docker/config.json ~/.gnupg/x ~/.config/gh/hosts.yml"
    ).split()
]


def meets_well_known(pattern: str, *, below: bool) -> bool:
    """Return whether a pattern may match a usual secret of a machine or a home, as a whole path from the root on.

    With `below` it counts, too, that such a secret lies in a folder that may match.
    """
    parts = _HOUSE.sub(HOME, pattern.replace(NUMBER, "1"), 1).split("/")
    if parts[0] not in ("", HOME) or max(map(len, parts)) > _LONGEST_NAME:
        return parts[0] in ("", HOME)
    return any(
        (len(parts) == len(known) or (below and len(parts) < len(known))) and all(map(matches, parts, known))
        for known in _WELL_KNOWN
    )


def ends_harmlessly(path: str) -> bool:
    """Return whether the literal end of a path that is unknown in front names a kind of file without secrets."""
    name = path.rpartition("/")[2]
    dot = name.rfind(".")
    return dot >= 0 and name[dot + 1 :].isalnum() and not is_secret(STAR + name[dot:])


def harmless_ending(path: str) -> str:
    """Return the literal end, with its dot, that makes a path name a kind of file without secrets, or nothing."""
    return path[path.rfind(".") :] if ends_harmlessly(path) else ""


_OPEN_ENDED = (STAR, ANY, HOLE, SPLIT)


def matches(pattern: str, name: str) -> bool:
    """Return whether a file name matches a value with wildcards, in time proportional to their product.

    A leading dot is matched by no asterisk (POSIX XCU 2.13.3), but programs other than shells, and shells that are
    told so, match it with one of the other wildcards; unknown stretches match anything.
    """
    if name.startswith(".") and pattern[:1] == STAR:
        return False
    if pattern[-1:] not in _OPEN_ENDED and pattern[-1:] != name[-1:]:  # most patterns end in a literal
        return False
    if pattern[:1] not in _OPEN_ENDED and pattern[:1] != name[:1]:
        return False
    at = [True] + [False] * len(name)
    many = False
    for char in pattern:
        again, many = many, char in (STAR, HOLE, SPLIT)
        if again and many:
            continue
        if True not in at:  # so that a pattern costs no more than its name is long
            return False
        after = [many and at[0]]
        for place, wanted in enumerate(name):
            step = at[place] and (char in (ANY, wanted))
            after.append(after[place] or at[place + 1] if many else step)
        at = after
    return at[-1]
