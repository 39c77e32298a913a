"""Secrets in the lines of files and of code: what a here-document writes, or a quoted text holds.

Each form has a word without which its pattern is not tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from .masking_names import sounds_secret

Span = tuple[int, int]

_QUOTED = r"\\?[\"']([^\"'\n\\]{1,4096})"
"""A text in quotes up to their end, which may be escaped."""

_NAME_PARAMETER = r"\\?[\"']?([\w.\-]{1,80})\\?[\"']?"


@frozen
class _Form:
    """`pattern` has the secret as its last group; a name in front of it, if it has two, must sound secret.

    `signs` are words in small letters; the text holds one of them wherever the pattern matches.
    """

    signs: tuple[str, ...]
    pattern: str
    flags: int = re.IGNORECASE


_BY = r"identified\s{1,9}(?:with\s{1,9}\S{1,80}\s{1,9})?by(?:\s{1,9}password)?"
_ORACLE = r"(?:\b(?:sqlplus|impdp|expdp)(?:\s{1,9}-\S{1,20}){0,5}\s{1,9}[\"']?|thin:)"
_VALUE = r"[\s,]{1,200}\\?[\"']?value\\?[\"']?\s{0,9}[:=]\s{0,9}\\?[\"']?"
_FIRST = r"\(\s{0,9}\\?[\"'][^\"'\n]{0,200}[\"']\s{0,9},\s{0,9}"
_SECURE = r"ConvertTo-SecureString(?:\s{1,9}-(?:String|AsPlainText|Force)){0,3}\s{1,9}"

_OPERAND = (
    r"(?:\\?[\"'](?=[^\"'\n]))?"
    r"((?<=\")[^\"\n\\]{1,4096}|(?<=')[^'\n\\]{1,4096}|[^\s\"'$|;&<>()\-][^\s\"'|;&<>()]{0,4096})"
)
"""A word that is no option and no variable, in quotes or not."""

_FORMS = (
    # ~/.netrc (ftp and curl), on one line or several
    _Form(
        ("machine", "login"),
        r"(?<![\w\-])login\s+[^\s\"']{1,200}\s+(?:account\s+\S{1,200}\s+)?password\s+([^\s\"'\\]{1,4096})",
    ),
    _Form(("machine",), r"^[ \t]*+password[ \t]++([^\s\"']{1,4096})[ \t]*+$", re.IGNORECASE | re.MULTILINE),
    _Form(("ftp",), r"^[ \t]*+user[ \t]++\S{1,200}[ \t]++([^\s\"']{1,4096})[ \t]*+$", re.IGNORECASE | re.MULTILINE),
    # ~/.pgpass: host:port:database:user:password
    _Form(
        ("pass",),
        r"(?<![\w.*:\-])[\w.*\-]{1,200}:(?:\d{1,5}|\*):[\w*\-]{1,200}:[\w*.\-]{1,200}:([^\s\"']{1,4096})",
    ),
    # SQL
    _Form(("password", "identified"), rf"\b(?:password|{_BY})\s{{0,9}}=?\s{{0,9}}\\?'([^'\n\\]{{1,4096}})"),
    _Form(("password",), r"\bpassword\s{0,9}\(\s{0,9}\\?'([^'\n\\]{1,4096})'"),
    _Form(("password for",), r"\bpassword\s{1,9}for\s{1,9}\S{1,200}\s{0,9}=\s{0,9}\\?'([^'\n\\]{1,4096})'"),
    _Form(("pragma",), r"\bpragma\s{1,9}(?:re)?key\s{0,9}=\s{0,9}\\?[\"']([^\"'\n\\]{1,4096})"),
    _Form(("lftp",), r"\blftp\s{1,9}(?:-\S{1,20}\s{1,9}){0,5}?-u\s{0,9}[\"']?[^\s,]{1,80},([^\s\"']{1,4096})"),
    # connection strings of ODBC; `PWD=/folder` is the shell's own
    _Form(("pwd",), r"[;\"'][ \t]{0,9}pwd[ \t]{0,9}=[ \t]{0,9}([^;\"'/\s][^;\"'\n]{0,4096})"),
    # user/password@host of Oracle's programs
    _Form(("sqlplus", "thin:", "impdp", "expdp"), rf"{_ORACLE}[\w$#]{{1,80}}/([^\s@\"'/]{{1,200}})(?=@|[\"'\s]|$)"),
    # XML: elements, and attributes behind a name
    _Form(("</",), r"<([\w.\-]{1,80})>([^<\n]{1,4096})</"),
    _Form(("value",), rf"\b(?:name|key)\\?[\"']?\s{{0,9}}[:=]\s{{0,9}}{_NAME_PARAMETER}{_VALUE}([^\"'\n\\]{{1,4096}})"),
    # calls: setenv("NAME", "value") and auth=("user", "password")
    _Form(("(",), rf"\(\s{{0,9}}\\?[\"']([\w.\-]{{1,80}})\\?[\"']\s{{0,9}},\s{{0,9}}{_QUOTED}"),
    _Form(
        ("auth=(", "auth = (", "credential(", "basicauth(", "login("),
        rf"(?:auth\s?=\s?|credential|basicauth|login){_FIRST}{_QUOTED}",
    ),
    _Form(
        ("superuser(", "create_user("),
        rf"create_(?:super)?user\([^()\n]{{0,400}},\s{{0,9}}{_QUOTED}\\?[\"']\s{{0,9}}\)",
    ),
    # hashes of passwords
    _Form(("mkpasswd",), r"\bmkpasswd(?:\s{1,9}(?:-[mSPR]\s{0,9}[^\s\-]\S{0,200}|-\S{1,80})){0,9}+\s{1,9}" + _OPERAND),
    _Form(
        ("openssl",),
        r"\bopenssl\s{1,9}passwd(?:\s{1,9}(?:-(?:salt|in|rand)\s{1,9}\S{1,200}|-\S{1,80})){0,9}+\s{1,9}" + _OPERAND,
    ),
    # settings of macOS and Windows
    _Form(
        ("defaults",),
        rf"\bdefaults\s{{1,9}}write\s{{1,9}}\S{{1,200}}\s{{1,9}}{_NAME_PARAMETER}\s{{1,9}}(?:-string\s{{1,9}})?{_OPERAND}",
    ),
    _Form(
        ("reg add", "reg.exe"),
        rf"\breg(?:\.exe)?\s{{1,9}}add\s(?=[^|&\n]{{0,400}}?/v\s{{1,9}}{_NAME_PARAMETER}(?![\w.\-]))[^|&\n]{{0,400}}?\s/d\s{{1,9}}{_OPERAND}",
    ),
    # user:password@host without a scheme: of a machine's number, or for the programs of impacket
    _Form(("@",), r"(?:^|(?<=[\s\"'/=]))[\w.$\-]{1,80}:([^\s\"'@:/]{1,200})@(?:localhost\b|\d{1,3}(?:\.\d{1,3}){3}\b)"),
    _Form(
        ("@",),
        r"(?:\bimpacket-[\w\-]{1,40}|[\w\-]{1,40}\.py)\s(?:[^|;&\n]{0,200}?[\s\"'])?"
        r"(?:[\w.\-]{1,80}[/\\])?[\w.$\-]{1,80}:([^\s\"'@]{1,200})@[\w.\-]",
    ),
    # PowerShell
    _Form(
        ("env:",),
        rf"\b(?:Set|New)-(?:Item|Content)\s{{1,9}}(?:-\w{{1,20}}\s{{1,9}})?[\"']?Env:\\?([\w.\-]{{1,80}})[\"']?\s{{1,9}}(?:-Value\s{{1,9}})?{_OPERAND}",
    ),
    _Form(("env:",), rf"\bEnv:\\?([\w.\-]{{1,80}})[\"']?\s{{1,9}}(?:-Value\s{{1,9}})?{_QUOTED}"),
    _Form(("convertto-securestring",), _SECURE + _QUOTED),
    _Form(("convertto-securestring",), _SECURE + r"([^\s\"'$\-(][^\s\"')]{0,4096})"),
    _Form(("convertto-securestring",), r"[\"']([^\"'\n]{1,4096})[\"']\s{0,9}\|\s{0,9}ConvertTo-SecureString"),
    # expect
    _Form(("expect", "spawn"), r"\bsend(?:_user)?\s{1,9}(?:--\s{1,9})?\\?\"([^\"\n\\]{1,4096})"),
)

_SECRET_MANIFEST = re.compile(r"\bkind\\?[\"']?:\s{0,9}\\?[\"']?Secret\b")
_DATA = re.compile(r"^([ \t]*+)(?:stringData|data):[ \t]*+$", re.MULTILINE)
_ITEM = re.compile(r"([ \t]*+)[\"']?[\w.\-]{1,253}[\"']?:[ \t]++(?=\S)")


def spans(text: str) -> Iterator[Span]:
    """Yield the secrets in `text` that one of the forms holds."""
    lowered = text.lower()
    for form in _FORMS:
        if any(sign in lowered for sign in form.signs):
            yield from _matches(form, text)
    if "Secret" in text and _SECRET_MANIFEST.search(text) is not None:
        yield from _data_of_manifest(text)


def _matches(form: _Form, text: str) -> Iterator[Span]:
    pattern = re.compile(form.pattern, form.flags)
    accepts: Callable[[re.Match[str]], bool] = _named if pattern.groups == 2 else _always
    for match in pattern.finditer(text):
        last = pattern.groups
        if accepts(match) and not match.group(last).startswith("$"):
            yield match.span(last)


def _named(match: re.Match[str]) -> bool:
    return sounds_secret(match.group(1))


def _always(_match: re.Match[str]) -> bool:
    return True


def _data_of_manifest(text: str) -> Iterator[Span]:
    """Yield the values of a Secret of Kubernetes, whatever they are called."""
    for data in _DATA.finditer(text):
        at = data.end() + 1
        while at < len(text):
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            item = _ITEM.match(text, at, end)
            if item is None or len(item.group(1)) <= len(data.group(1)):
                break
            start = item.end()
            quoted = text[start] in "\"'" and end - start > 1 and text[end - 1] == text[start]
            yield (start + 1, end - 1) if quoted else (start, end)
            at = end + 1
