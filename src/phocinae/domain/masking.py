"""Takes secrets out of text before it is written down.

The text need not be a valid command: the same pass runs over reasons, and over what is
nested in quotes.  It goes from left to right and looks at each character a bounded
number of times, so that its time grows with the length of the text and no faster.

It errs on the side of masking.  What it cannot know is a secret without any sign of
being one, such as a password that is an ordinary operand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

MASK = "REDACTED"
"""What stands for a secret; an ordinary word in every shell, so that a masked command still reads the same way."""

_SIGNS = (
    "pass", "pwd", "pw", "token", "secret", "key", "auth", "cred", "bearer", "cookie", "session", "sig", "://", "-u",
    "mysql", "maria", "redis", "zip", "7z", "ldap", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-",
    "sk-", "sk_", "rk_", "xox", "akia", "asia", "aiza", "eyj", "npm_", "pypi-", "hf_", "dop_v1_", "sg.", "docker",
    "podman", "private", "vault", "twine", "openssl", "--cert", "curl", "login", "mongo", "http", "security", "nmcli",
    "--value", "rar", "--from-literal",
)  # fmt: skip
"""Without one of these (in lower case) nothing is masked: most texts end here, before any pattern is compiled."""

_PIECE = r"[\"';|&\n]|[^\s\"'`;|&()<>,{}]++"
"""A quote, an end of a command, or a chunk: a run in which neither shell nor JSON text has a boundary."""

_KEYWORD = (
    r"pass|pwd|pw|token|secret|key|auth|cred|bearer|cookie|session|sig"
    r"|mysql|maria|redis|zip|7z|ldap|docker|podman|login|vault|twine|openssl|curl|cargo|gh|set"
    r"|mongo|http|security|nmcli|aws|az|rar"
)
"""A chunk without one of these, which is no option, is passed over."""

_NAME = r"(?<![\w.\-])([\w.\-]*+)\+?[=:]"
"""A name and the sign after it, in a chunk; tried where a name can begin, and not again at each of its characters."""

_TOKEN = (
    r"(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|sk-|[sr]k_(?:live|test)_|xox[abeoprs]-|A(?:KI|SI)A|AIza|npm_"
    r"|pypi-|hf_|dop_v1_|SG\.|eyJ)(?=[A-Za-z0-9_\-.=+/]{12})[A-Za-z0-9_\-.=+/]++"
    r"|(?:(?<=hooks\.slack\.com/services/)|(?<=/api/webhooks/)|(?<=api\.telegram\.org/bot))(?=[\w\-/:]{12})[\w\-:]++(?:/[\w\-]{8,}+)*+"
)
"""Tokens that are known by how they begin, or by the address that they are a part of."""

_AUTHORITY = r"://([^\s/?#\"'`<>\\]++)"
"""What stands between ``://`` and the path of an address (RFC 3986 section 3.2)."""

_REFERENCE = r"(?:(?:bearer|basic|token)\s+)?\$(?:\w+|\{\w+\})"
"""A value that is only the name of a variable, and no secret."""

_BARE = r"(?:\\.|[^\s\"'`;|&<>()\\])++"

_TO_VALUE = r"\\?[\"']?,?\s*+"
"""What may stand between an option and its value."""

_TO_MEMBER = r"\\?[\"']?\s*+(?::(?!//)|=(?!=))\s*+"
"""What stands between a name and its value in JSON, YAML and assignments with blanks."""

_PARTS = (
    "password", "passwd", "passphrase", "passwort", "secret", "token", "credential", "authorization", "bearer",
    "cookie", "apikey", "accesskey", "privatekey", "authkey", "sessionid", "sessionkey", "encryptionkey", "signingkey",
    "accountkey", "sharedkey", "masterkey", "clientkey",
)  # fmt: skip
"""A name that holds one of these, its separators left out, sounds secret."""

_LAST = ("auth", "sig", "signature", "creds", "pw", "session")
"""A name whose last part is one of these does too."""

_HARMLESS_LAST = (
    "file", "path", "dir", "folder", "stdin", "prompt", "url", "uri", "endpoint", "id", "name", "type", "length", "len",
    "size", "count", "limit", "ttl", "expiry", "policy", "provider", "store", "helper", "jar", "tokenizer",
)  # fmt: skip
"""A name whose last part is one of these says where a secret is, or how long, and not the secret."""

_PUBLIC_KEYS = ("public", "pub", "sort", "primary", "foreign", "partition", "cache", "host")

_PASSWORD_OPTIONS = {
    "mysql": "-p", "mysqldump": "-p", "mysqladmin": "-p", "mariadb": "-p", "mariadb-dump": "-p", "sshpass": "-p",
    "7z": "-p", "7za": "-p", "docker login": "-p", "podman login": "-p", "redis-cli": "-a", "zip": "-P", "unzip": "-P",
    "ldapsearch": "-w", "ldapmodify": "-w", "ldapadd": "-w", "twine": "-p", "gh secret": "-b --body", "curl": "-b",
    "mongosh": "-p", "mongo": "-p", "mongodump": "-p", "http": "-a", "https": "-a", "security": "-w", "rar": "-hp -p",
    "nmcli": "password", "az": "-p --value", "aws": "--value",
}  # fmt: skip
"""Programs with options whose value, attached or the next word, is a password."""

_SUBCOMMANDS = {"docker": "login", "podman": "login", "gh": "secret", "vault": "login", "cargo": "login"}
"""Programs that take a secret after one of their subcommands only."""

_KNOWN_PROGRAMS = {*_PASSWORD_OPTIONS, *_SUBCOMMANDS, "openssl", "curl"}

_LITERAL = "--from-literal"
"""The option of ``kubectl create secret`` with a name and a secret value behind it."""

_USER_OPTIONS = ("-u", "-U", "--user", "--proxy-user", "--cert")
"""Options whose value may be ``user:password``, or ``user%password``."""

_USER = r"([\"']?)=?[^:%\s\"']{1,64}[:%]"

_NUMBERS = r"\d{1,10}:\d{0,10}"
"""A user and a group, as ``docker run -u`` takes them."""

_NAME_LIMIT = 80

Span = tuple[int, int]


def may_hold_secret(text: str) -> bool:
    """Return whether `mask` could find anything in `text`, or in any piece of it; cheap, and seldom wrong."""
    lowered = text.lower()
    for sign in _SIGNS:  # noqa: SIM110  # a generator takes half as long again, on the way of every decision
        if sign in lowered:
            return True
    return False


def mask(text: str) -> str:
    """Return `text` with `MASK` in the place of everything in it that looks like a secret.

    Masked are values of names that sound secret (``NAME=value``, ``"name": "value"``,
    header lines), values of options with such names in both forms, the password in
    ``-u user:password``, the password in an address, private keys, and tokens whose
    beginning is known.  A variable in the place of a secret stays.
    """
    if not may_hold_secret(text):
        return text
    pieces, done = [], 0
    for start, end in sorted([*_tokens(text), *_addresses(text), *_private_keys(text), *_Scan(text).spans()]):
        if start >= done and end > start:
            pieces += [text[done:start], MASK]
        done = max(done, end)
    return "".join(pieces) + text[done:]


@lru_cache(maxsize=256)
def sounds_secret(name: str) -> bool:
    """Tell whether a variable, an option or a field called `name` is likely to hold a secret."""
    parts = re.split(r"[-_.]", name.lower().strip("-_."))
    last = parts[-1]
    if parts[0] == "no" or last in _HARMLESS_LAST or (last == "tokens" and len(parts) > 1):
        return False
    if any(part in "".join(parts) for part in _PARTS) or last in _LAST:
        return True
    if last == "key":
        return len(parts) > 1 and parts[-2] not in _PUBLIC_KEYS
    if last.endswith("pwd"):
        return last != "oldpwd" and (last != "pwd" or len(parts) > 1)
    return last.endswith("pass") and last not in ("bypass", "compass")


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


class _Scan:
    """One pass over the chunks of a text, which knows the quote that it is in and the program that it saw last."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.quote = ""
        self.program = ""
        self.setting = False

    def spans(self) -> Iterator[Span]:
        done = 0
        for match in re.finditer(_PIECE, self.text):
            start, end = match.span()
            sign = self.text[start]
            if sign in "\"'":
                self._see_quote(start, sign)
            elif sign in ";|&\n":
                self.program, self.setting = "", False
            elif start >= done:
                chunk = self.text[start:end]
                named = re.search(_KEYWORD, chunk, re.IGNORECASE) is not None
                found = self._secret(start, end, chunk, named=named) if named or sign == "-" else None
                self.setting = chunk == "set"
                if found is not None:
                    yield found
                    done = found[1]

    def _see_quote(self, at: int, sign: str) -> None:
        escaped = self.quote != "'" and at > 0 and self.text[at - 1] == "\\"
        if not escaped and self.quote in ("", sign):
            self.quote = "" if self.quote else sign

    def _secret(self, start: int, end: int, chunk: str, *, named: bool) -> Span | None:
        """Return the span of the secret that the chunk names or holds, or None."""
        return (
            (self._assigned(start, chunk) if named else None)
            or self._literal(start, end, chunk)
            or self._user(start, end, chunk)
            or self._program_password(start, end, chunk)
            or (self._named(end, chunk) if named else None)
        )

    def _assigned(self, start: int, chunk: str) -> Span | None:
        """``NAME=value``, ``--name=value``, ``?name=value``, ``name:value``, and ``Name: …`` to the line's end."""
        for match in re.finditer(_NAME, chunk):
            at = match.end() - 1
            if not sounds_secret(match.group(1)[-_NAME_LIMIT:]):
                continue
            if chunk.startswith(("==", "://"), at):
                continue
            if chunk[at] == ":" and at + 1 == len(chunk):
                return self._line(start + at + 1)
            return self._value(start + at + 1, self.quote)
        return None

    def _named(self, end: int, chunk: str) -> Span | None:
        """``--name value``, ``"name": "value"`` and ``Bearer value``."""
        name = chunk.rstrip("\\")
        if name.lower() != "bearer" and not (name.strip("-") and sounds_secret(name)):
            return None
        bare = name.startswith("-") or name.lower() == "bearer" or self.setting  # as in: npm config set NAME VALUE
        pattern = _TO_VALUE if bare else _TO_MEMBER
        gap = re.compile(pattern).match(self.text, end)
        if gap is None or gap.end() == end or self.text.startswith("--", gap.end()):
            return None
        return self._value(gap.end(), "" if self.quote and self.quote in gap.group() else self.quote)

    def _literal(self, start: int, end: int, chunk: str) -> Span | None:
        """``--from-literal=name=value`` and ``--from-literal name=value``."""
        if not chunk.startswith(_LITERAL):
            return None
        at = start + len(_LITERAL) + 1 if chunk != _LITERAL else self._after(end)
        name = re.compile(r"([\"']?)[\w.\-]{1,80}+=").match(self.text, at)
        if name is None:
            return None
        stop = self._value_end(at, self.quote)
        closed = name.group(1) and self.text[stop - 1] == name.group(1) and stop > name.end()
        return self._unless_reference(name.end(), stop - 1 if closed else stop)

    def _user(self, start: int, end: int, chunk: str) -> Span | None:
        options = (*_USER_OPTIONS, "-E") if self.program == "curl" else _USER_OPTIONS
        option = next((option for option in options if chunk.startswith(option)), None)
        if option is None:
            return None
        at = start + len(option) if chunk != option else self._after(end)
        pair = re.compile(_USER).match(self.text, at)  # before the end is sought: what is not masked is read again
        if pair is None:
            return None
        numbers = re.compile(_NUMBERS).match(self.text, at)
        if numbers is not None and self._value_end(numbers.end(), self.quote) == numbers.end():
            return None
        stop = self._value_end(at, self.quote)
        if stop <= pair.end():
            return None
        closing = pair.group(1) if self.text[stop - 1] == pair.group(1) else ""
        return pair.end(), stop - len(closing)

    def _program_password(self, start: int, end: int, chunk: str) -> Span | None:
        name = chunk.rpartition("/")[2]
        if name in _KNOWN_PROGRAMS:
            self.program = name
        elif name == _SUBCOMMANDS.get(self.program):
            self.program += " " + name
        if chunk == "login" and self.program in ("vault login", "cargo login"):
            at = self._after(end)
            return None if self.text.startswith("-", at) else self._value(at, self.quote)
        if self.program == "openssl" and chunk in ("-k", "-K"):
            return self._value(self._after(end), self.quote)
        for option in _PASSWORD_OPTIONS.get(self.program, "").split():
            equals = "=" if option.startswith("--") else ""
            if chunk == option:
                return self._value(self._after(end), self.quote)
            if chunk.startswith(option + equals):
                return self._value(start + len(option + equals), self.quote)
        return None

    def _after(self, end: int) -> int:
        gap = re.compile(r"\s*+").match(self.text, end)
        return gap.end() if gap else end

    def _line(self, at: int) -> Span | None:
        """Return the rest of a header line: up to the quote that it stands in, or the end of the line."""
        start = self._after(at)
        stop = r"\n" if not self.quote else r"\n|" + self.quote
        found = re.compile(stop if self.quote else r"[\n\"']").search(self.text, start)
        return self._unless_reference(start, found.start() if found else len(self.text))

    def _value(self, at: int, quote: str) -> Span | None:
        return self._unless_reference(at, self._value_end(at, quote))

    def _unless_reference(self, start: int, end: int) -> Span | None:
        value = self.text[start:end]
        for mark in ('\\"', "\\'", '"', "'"):
            if value.startswith(mark) and value.endswith(mark) and value.count(mark[-1]) == 2:
                start, end, value = start + len(mark), end - len(mark), value[len(mark) : -len(mark)]
                break
        if not value or (len(value) < 200 and re.fullmatch(_REFERENCE, value, re.IGNORECASE)):
            return None
        return start, end

    def _value_end(self, at: int, quote: str) -> int:
        """Return where the word that begins at `at` ends; `quote` is the quote that it stands in."""
        text = self.text
        while at < len(text):
            escaped = text[at] == "\\" and text[at + 1 : at + 2] in ('"', "'")
            sign = text[at + escaped]
            if sign in "\"'" and (escaped or sign != quote):
                closing = re.compile(r"(?:\\.|[^\"\\])*+" if sign == '"' and not (escaped or quote) else f"[^{sign}]*+")
                inside = closing.match(text, at + escaped + 1)
                at = (inside.end() if inside else at) + 1
                if quote or escaped:
                    break  # in a text within a text, such as JSON, nothing is glued to a closing quote
                continue
            bare = re.compile(_BARE, re.DOTALL).match(text, at)
            if bare is None:
                break
            at = bare.end()
        return min(at, len(text))
