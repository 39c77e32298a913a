"""Takes secrets out of text before it is written down.

The text need not be a valid command: the same pass runs over reasons, and over what is
nested in quotes.  Every pass goes from left to right and looks at each character a
bounded number of times, so that the time grows with the length of the text and no faster.

It errs on the side of masking.  What it cannot know is a secret without any sign of
being one, such as a password that is an ordinary operand.

Names are judged in `masking_names`, tokens and random words found in `masking_tokens`,
commands read in `masking_scan`, what they are fed with in `masking_feeds`, and lines of
files and of code in `masking_forms`.  None of these is loaded for a text without a sign.
"""

from __future__ import annotations

MASK = "REDACTED"
"""What stands for a secret; an ordinary word in every shell, so that a masked command still reads the same way."""

_SIGNS = (
    ("p", ("pass", "podman", "pat ", "otp", "-pat", "snmp", "ipmi", "rdp", "ftp", "pdftot", "-pin")),
    ("k", ("token", "key", "cookie", "docker", "psk", "kinit", "snyk", "rdesk", "swaks", "schtasks", "pkcs")),
    ("u", ("auth", "-u", "curl", "unseal", "useradd", "usermod", "sudo", "net use", "superuser", "consul", "defaults")),
    ("b", ("bearer", "bcp ", "obscure", "gitlab-r", "rabbit", "beeline", "chamber", "smbclient")),
    ("g", ("sig", "login", "mongo", "securestring", "age-", "pragma", "steghide", "reg add")),
    ("w", ("pw", "twine", "bw ", "winrm", "twilio", "swift", "wandb")),
    ("y", ("security", "crypt", "poetry", "yt-dlp", "cypher", "mycli", "hydra")),
    ("x", ("expect", "psexec", "mapexec", "influx", "xh ", "xmlsec", "reg.exe")),
    ("n", ("session", "mnemonic", "identified", "sendem", "transmission-r", "dotnet")),
    ("l", ("ldap", "openssl", "nmcli", "--from-literal", "doctl", "doppler")),
    ("v", ("private", "vault", "--value", "vercel", "vera", "codecov")),
    ("d", ("cred", "redis", "radtest", "seed")),
    (":", ("://", "pat:", "config:set", "env:")),
    ("c", ("secret", "--cert", "mc ")),
    ("q", ("sql", "mosquitto", "cqlsh")),
    ("h", ("http", "choco", "hmac")),
    ("_", ("_pat", "wpa_", "create_user")),
    ("z", ("zip", "az ")),
    ("=", ("pat=", "pin=")),
    ("maria", ("maria",)),
    ("7z", ("7z",)),
    ("rar", ("rar",)),
    ('pat"', ('pat"',)),
    ("jwt", ("jwt",)),
    ("base64", ("base64",)),
    ("neo4j", ("neo4j",)),
    ("b2 ", ("b2 ",)),
    ("cf ", ("cf ",)),
    ("@", ("@",)),
)
"""Without one of these words (in lower case) nothing is masked but long words: most texts end here.

All words of a group hold its letter, the one of theirs that commands have least, so that few groups are gone through.
"""

_LONG = 16
"""No shorter word is a token, or taken for a random one."""

_SHORT = 6

_DIGITS = frozenset("0123456789")


def may_hold_secret(text: str) -> bool:
    """Return whether `mask` could find anything in `text`, or in any piece of it; cheap, and seldom wrong."""
    lowered = text.lower()
    for letter, signs in _SIGNS:  # a generator takes half as long again, on the way of every decision
        if letter in lowered:
            for sign in signs:
                if sign in lowered:
                    return True
    return len(text) >= _LONG and any(len(word) >= _LONG and _may_be_token(word) for word in text.split())


def mask(text: str) -> str:
    """Return `text` with `MASK` in the place of everything in it that looks like a secret.

    Masked are values of names that sound secret (``NAME=value``, ``"name": "value"``,
    header lines), values of options with such names in both forms, the password in
    ``-u user:password``, the password in an address, what is fed to a program that reads
    a password, private keys, tokens whose beginning is known, and words that look random.
    A variable in the place of a secret stays.
    """
    pieces, done = [], 0
    for start, end in _spans(text):
        if start >= done and end > start:
            pieces += [text[done:start], MASK]
        done = max(done, end)
    return "".join(pieces) + text[done:]


def secrets_in(text: str) -> list[str]:
    """Return what `mask` takes out of `text`, the longest first, without what is too short to be told from a word."""
    return sorted({text[start:end] for start, end in _spans(text) if end - start >= _SHORT}, key=len, reverse=True)


def _spans(text: str) -> list[tuple[int, int]]:
    if not may_hold_secret(text):
        return []
    from . import masking_feeds, masking_forms, masking_scan, masking_tokens  # most texts do without them

    return sorted(
        (
            *masking_tokens.spans(text),
            *masking_scan.spans(text),
            *masking_feeds.spans(text),
            *masking_forms.spans(text),
        )
    )


def _may_be_token(word: str) -> bool:
    if word == word.lower() and _DIGITS.isdisjoint(word):
        return False  # as most paths
    from .masking_tokens import holds_token

    return holds_token(word)
