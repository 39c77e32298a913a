"""Secrets that are known by their own look: tokens of vendors, passwords in addresses, private keys, random words."""

from __future__ import annotations

import re
from collections.abc import Iterator

Span = tuple[int, int]

_PREFIXES = (
    "gh[pousr]_|github_pat_|gl(?:pat|rt|dt|ptt|ft|soat|imt|cbt|agent)-|glsa_|sk-|[sr]k_(?:live|test)_|whsec_"
    "|xox[abeoprs]-|xapp-|xoxe\\.|A(?:KI|SI)A|AIza|ya29\\.|npm_|pypi-|hf_|do[opr]_v1_|SG\\.|eyJ|sh(?:pat|pca|pss|ppa)_"
    "|sq0(?:atp|csp|idp)-|hv[sbr]\\.|dckr_(?:o)?(?:pat|at)_|dapi(?=[0-9a-f]{32})|ntn_|lin_(?:api|oauth)_|sb[ps]_|rubygems_"
    "|figd_|PMAK-|NRAK-|gsk_|tskey-|AT[AC]TT3?x|ATBB|dp\\.(?:pt|st|ct|sa)\\.|fm[12]_|fo1_|pul-|pscale_(?:tkn|pw|oauth)_"
    "|HRKU-|sntr[yu]s_|pplx-|r8_|xai-|sgp_|bkua_|CFPAT-|phx_|xkeysib-|AGE-SECRET-KEY-1|EAA[AC]|key-(?=[0-9a-f]{32})"
    "|SK(?=[0-9a-f]{32})|whr_|pat[A-Za-z0-9]{14}\\.|ops_eyJ|secret_(?=[A-Za-z0-9]{40})|fio-u-|duffel_(?:live|test)_"
)
"""How tokens begin, each of which is followed by at least twelve signs."""

_TOKEN = (
    rf"(?<![A-Za-z0-9])(?:{_PREFIXES})(?=[A-Za-z0-9_\-.=+/~]{{12}})[A-Za-z0-9_\-.=+/~]++"
    r"|(?:(?<=hooks\.slack\.com/services/)|(?<=/api/webhooks/)|(?<=api\.telegram\.org/bot))(?=[\w\-/:]{12})[\w\-:]++(?:/[\w\-]{8,}+)*+"
    r"|(?<![A-Za-z0-9])\d{8,10}:AA[A-Za-z0-9_\-]{30,}+"
    r"|(?<=\.atlasv1\.)[A-Za-z0-9_\-]{20,}+"
)
"""Tokens that are known by how they begin, or by the address that they are a part of."""

_AUTHORITY = r"://([^\s/?#\"'`<>\\]++)"
"""What stands between ``://`` and the path of an address (RFC 3986 section 3.2)."""

_RUN = r"(?<![A-Za-z0-9+/_~\-])[A-Za-z0-9+/_~\-]{16,}+"
"""What may be a random word: signs of Base64 in both alphabets, and the few others that generators use."""

_DIGEST = re.compile(r"(?:sha(?:1|256|384|512)[-:]|SHA256:|h1:|md5[-:]|integrity=)\Z", re.IGNORECASE)
"""What stands in front of a digest, which is public."""

_PUBLIC = ("sha1-", "sha256-", "sha384-", "sha512-", "AAAAB3Nza", "AAAAC3Nza", "AAAAE2Vj")
"""How digests of packages begin, and public keys of SSH (RFC 4253 section 6.6)."""

_HEX = re.compile(r"[0-9a-fA-F\-]++\Z")


def spans(text: str) -> Iterator[Span]:
    """Yield where in `text` such a secret is, in no order."""
    yield from _tokens(text)
    yield from _addresses(text)
    yield from _private_keys(text)
    yield from _random_words(text)


def holds_token(text: str) -> bool:
    """Tell whether there is a token of a vendor or a random word in `text`."""
    return next(_tokens(text), None) is not None or next(_random_words(text), None) is not None


def looks_random(word: str) -> bool:
    """Tell whether `word` changes between capitals, small letters and digits as only a random one does.

    In a random word of letters and digits every run of one kind is 1.6 signs long on
    average, in one that a person has made up at least 2.5.  A hexadecimal number is
    taken for a digest, and not for a random word.
    """
    changes, beside_digits, before = 0, 0, ""
    for sign in word:
        kind = "9" if sign.isdigit() else "A" if sign.isupper() else "a" if sign.islower() else ""
        if kind and before and kind != before:
            changes += 1
            beside_digits += "9" in (kind, before)
        before = kind
    if _HEX.match(word) is not None:
        return False
    if word.lower() == word or word.upper() == word:
        return word.isalnum() and len(word) >= 20 and changes >= len(word) * 0.33 and beside_digits >= 5
    if len(word) < 20:
        return changes >= len(word) * 0.45 and beside_digits >= 3
    if len(word) >= 32 and changes >= len(word) * 0.42 and beside_digits >= 2:
        return True
    return (changes >= len(word) * 0.4 and beside_digits >= 4) or (changes >= len(word) * 0.5 and beside_digits >= 1)


def mixes_kinds(word: str) -> bool:
    """Tell whether there are capitals, small letters and digits in `word`, a digit between letters among them."""
    return word.lower() != word != word.upper() and re.search(r"[A-Za-z][0-9]+[A-Za-z]", word) is not None


def _tokens(text: str) -> Iterator[Span]:
    for match in re.finditer(_TOKEN, text):
        yield match.span()


def _addresses(text: str) -> Iterator[Span]:
    for match in re.finditer(_AUTHORITY, text):
        if "@" not in match.group(1):
            continue
        user, at, _ = match.group(1).rpartition("@")
        name, colon, _ = user.partition(":")
        if at and colon:
            yield match.start(1) + len(name) + 1, match.start(1) + len(user)
        elif at and len(name) >= 16:
            yield match.start(1), match.start(1) + len(name)


def _private_keys(text: str) -> Iterator[Span]:
    at = text.find("-----BEGIN")
    while at >= 0:
        end = text.find("-----END", at)
        end = len(text) if end < 0 else end
        if "PRIVATE KEY" in text[at : at + 60]:
            yield at, end
        at = text.find("-----BEGIN", end)


def _random_words(text: str) -> Iterator[Span]:
    for match in re.finditer(_RUN, text):
        word, start = match.group(), match.start()
        if word.startswith(_PUBLIC) or _DIGEST.search(text, max(0, start - 10), start):
            continue
        if looks_random(word):
            yield match.span()
        elif "/" in word:
            for piece in word.split("/"):
                if len(piece) >= 16 and looks_random(piece):
                    yield start, start + len(piece)
                start += len(piece) + 1
