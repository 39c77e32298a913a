"""Programs that keep, decrypt or copy secrets: password stores, keyrings, ciphers, clipboards.

What comes out of them is one secret most of the time, and it may be there to sign in with.

Sources: gpg(1), openssl(1), age(1), the manuals of sops, pass, gopass, op, bw, keepassxc-cli, lpass, vault, doppler
and chamber, security(1), secret-tool(1), keytool(1), ansible-vault, wg(8), xclip(1), xsel(1), wl-paste(1), pbpaste(1).
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream, Taint
from . import sending
from .judging import shows_secret
from .outlines import Descriptions, Judge, effect, only_help, outline


def _store(harmless: str = "version") -> Judge:
    """Return a judge for a store whose words all may print secrets, but for a few that stand alone."""
    alone = frozenset(harmless.split())

    def judge(call: Call, usage: Usage) -> Stream | None:
        asked = len(call.args) == 1 and call.args[0].text in alone
        return None if asked or only_help(usage) else shows_secret(call)

    return judge


def _prints(rule: str, words: str) -> Judge:
    """Return a judge for a program that prints secrets where one of `words` is among its own, and else does `rule`."""
    telling = tuple(words.split())

    def judge(call: Call, usage: Usage) -> Stream | None:
        texts = [word.text for word in call.args]
        if texts in (["--version"], ["--help"]) or (texts == ["version"] and call.name in ("vault", "chamber")):
            return None
        call.note(rule)
        for word in call.args:
            call.read(word.with_text(word.text.lstrip("<")), prints=False)
        told = any(text.startswith(telling) for text in texts)
        return shows_secret(call) if told else Stream(None, call.taint)

    return judge


def _openssl_decodes(call: Call, usage: Usage) -> Stream | None:
    for file in (*usage.values("-in"), *usage.operands):
        call.read(file)
    return Stream(None, call.taint | Taint.DECODED)


def _openssl_key(call: Call, usage: Usage) -> Stream | None:
    """A private key comes out, unless only its public half is asked for."""
    call.note("not-harmless")
    texts = {word.text for word in call.args}
    if "-in" in texts and not texts & {"-pubout", "-pubin", "-out"}:
        return shows_secret(call)
    return None


def _openssl_client(call: Call, usage: Usage) -> Stream | None:
    call.note("uses-network")
    sending.from_stdin(call)
    sending.hands_over(call)
    return Stream(None, call.taint | Taint.REMOTE)


_OPENSSL = {
    "version": outline("-a -v -b -d -e -f -m -o -p -r -c"),
    "list": outline("-commands -digest-commands -cipher-commands -providers -1"),
    "help": outline("", "text"),
    "ciphers": outline("-v -V -s -tls1_2 -tls1_3 -stdname", "text"),
    "dgst sha256 sha512 sha1 md5": outline("-sha256 -sha512 -sha1 -md5 -hex -r -c -binary", "scan*"),
    "x509": outline(
        "-in:scan -noout -text -subject -issuer -dates -enddate -startdate -fingerprint -serial -sha256 -pubkey -ext:text -checkend:text "
        "-nameopt:text -inform:text -email -hash -purpose -out:write"
    ),
    "rand": outline("-hex -base64", "text"),
    "base64 enc": outline(
        "-d -a -A -base64 -in:text -out:write -k:text -pass:text -salt -nosalt -p -pbkdf2 -iter:text -e -aes-256-cbc -K:text -iv:text -md:text",
        judge=_openssl_decodes,
    ),
    "s_client": outline(
        "-connect:network -servername:text -showcerts -brief -quiet -tls1_2 -tls1_3 -CAfile:scan -cert:scan -key:scan",
        judge=_openssl_client,
    ),
    "rsa pkey ec dsa pkcs8 pkcs12": outline("-in:scan -out:write -text -check", judge=_openssl_key),
}

PROGRAMS = Descriptions(
    {
        "op bw sops": outline("-v", judge=_store("version -v")),
        "pass gopass keepassxc-cli lpass security secret-tool": outline("", judge=_store()),
        "pbpaste wl-paste": outline(style=Style.NONE, judge=shows_secret),
        "xclip xsel": outline(style=Style.NONE, judge=_prints("not-harmless", "-o --output -out -b -p -s")),
        "age": outline(style=Style.NONE, judge=_prints("changes-files", "-d --decrypt")),
        "gpg gpg2": outline(style=Style.NONE, judge=_prints("not-harmless", "-d --decrypt --export-secret --dearmor")),
        "keytool": outline(style=Style.NONE, judge=_prints("not-harmless", "-exportkeys -importkeystore")),
        "doppler": outline(style=Style.NONE, judge=_prints("uses-network", "secrets configure run")),
        "chamber": outline(style=Style.NONE, judge=_prints("uses-network", "read export env exec list")),
        "vault": outline(style=Style.NONE, judge=_prints("uses-cloud", "read get print login create unwrap write")),
        "ansible-vault": outline(style=Style.NONE, judge=_prints("changes-files", "view decrypt edit")),
        "wg": outline(style=Style.NONE, judge=_prints("changes-system", "show showconf genkey genpsk")),
        "openssl": outline("", subcommands=Descriptions(_OPENSSL, effect("not-harmless"))),
    }
)
