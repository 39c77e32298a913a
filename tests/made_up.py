"""Secrets that look like real ones and are made up, and commands that hold them.

They are put together here, so that no file of this repository holds a text that a search for
leaked secrets would find.
"""

from __future__ import annotations

import base64
import json
import random
import re
import string
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

ENTRIES = Path(__file__).parent / "corpus" / "secrets.jsonl"

LOWER, LETTERS = string.ascii_lowercase, string.ascii_letters
MIXED = string.ascii_letters + string.digits
HEX = "0123456789abcdef"


@frozen(kw_only=True)
class Planted:
    """A command, and every text in it that nobody but its owner may read."""

    name: str
    command: str
    secrets: tuple[str, ...]


class Maker:
    """Makes up secrets of every kind; the same ones for the same `seed`."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def of(self, alphabet: str, length: int) -> str:
        return "".join(self.random.choices(alphabet, k=length))

    def mixed(self, length: int) -> str:
        """Return letters of both kinds and digits, as a program makes them."""
        while True:
            word = self.of(MIXED, length)
            if len(set(map(str.isdigit, word))) == 2 and word.lower() != word != word.upper():
                return word

    def base64(self, length: int) -> str:
        return base64.b64encode(self.random.randbytes(length)).decode()

    def word(self) -> str:
        """Return a password of any make, which needs no quotes in a shell."""
        alphabet = self.random.choice([LOWER, LETTERS, MIXED, HEX, LOWER + string.digits, MIXED + "._-+~"])
        return "z" + self.of(alphabet, self.random.randint(8, 32)) + self.of(LOWER, 1)

    def strong(self) -> str:
        """Return a password with signs that mean nothing between double quotes, nor in a form."""
        return "q" + self.of(MIXED + "!#%*^+-_.", 18) + "z"

    def phrase(self) -> str:
        return " ".join(self.of(LOWER, self.random.randint(7, 10)) for _ in range(4))

    def jwt(self) -> str:
        def part(text: str) -> str:
            return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

        return f"{part(json.dumps({'alg': 'HS256'}))}.{part(json.dumps({'sub': self.of(LOWER, 9)}))}.{self.mixed(43)}"

    def make(self, kind: str) -> str:
        """Return a secret of `kind`, one of `SHAPES` or a method of this class."""
        if kind in SHAPES:
            return SHAPES[kind](self)
        made: str = getattr(self, kind)()
        return made


def _behind(*prefix: str, length: int, alphabet: str = "") -> Callable[[Maker], str]:
    """Return a maker of tokens that begin with the parts of `prefix` put together."""
    start = "".join(prefix)
    return lambda maker: start + (maker.of(alphabet, length) if alphabet else maker.mixed(length))


KNOWN: dict[str, Callable[[Maker], str]] = {
    "github": _behind("gh", "p_", length=36),
    "githubfine": _behind("github", "_pat_", length=82),
    "githubapp": _behind("gh", "s_", length=36),
    "gitlab": _behind("gl", "pat-", length=20),
    "gitlabrunner": _behind("gl", "rt-", length=20),
    "slack": _behind("xo", "xb-", "123456789012-1234567890123-", length=24),
    "slackapp": _behind("xa", "pp-1-A012345678-1234567890123-", length=64, alphabet=HEX),
    "awsid": _behind("AK", "IA", length=16, alphabet="ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
    "gcp": _behind("AI", "za", length=35),
    "gcpaccess": _behind("ya", "29.a0", length=120),
    "openai": _behind("sk", "-proj-", length=48),
    "anthropic": _behind("sk", "-ant-", "api03-", length=93),
    "huggingface": _behind("hf", "_", length=34, alphabet=LETTERS),
    "npm": _behind("np", "m_", length=36),
    "pypi": _behind("py", "pi-AgEIcHlwaS5vcmc", length=120),
    "stripe": _behind("sk", "_live_", length=24),
    "stripehook": _behind("wh", "sec_", length=32),
    "twilio": _behind("S", "K", length=32, alphabet=HEX),
    "sendgrid": lambda maker: "S" + f"G.{maker.mixed(22)}.{maker.mixed(43)}",
    "telegram": _behind("123456789", ":AA", length=33),
    "discord": lambda maker: f"MT{maker.mixed(24)}.{maker.mixed(6)}.{maker.mixed(38)}",
    "digitalocean": _behind("do", "p_v1_", length=64, alphabet=HEX),
    "shopify": _behind("sh", "pat_", length=32, alphabet=HEX),
    "square": _behind("sq", "0atp-", length=22),
    "mailgun": _behind("ke", "y-", length=32, alphabet=HEX),
    "vault": _behind("hv", "s.", length=24),
    "dockerpat": _behind("dc", "kr_pat_", length=27),
    "databricks": _behind("da", "pi", length=32, alphabet=HEX),
    "notion": _behind("nt", "n_", length=46),
    "linear": _behind("li", "n_api_", length=40),
    "supabase": _behind("sb", "p_", length=40, alphabet=HEX),
    "age": _behind("AGE-SECRET", "-KEY-1", length=58, alphabet="QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L"),
    "rubygems": _behind("ruby", "gems_", length=48, alphabet=HEX),
    "grafana": _behind("gl", "sa_", length=32),
    "figma": _behind("fi", "gd_", length=40),
    "postman": _behind("PM", "AK-", length=59, alphabet=HEX),
    "newrelic": _behind("NR", "AK-", length=27, alphabet=string.ascii_uppercase + string.digits),
    "groq": _behind("gs", "k_", length=52),
    "tailscale": _behind("ts", "key-auth-", length=32),
    "atlassian": _behind("AT", "ATT3xFfGF0", length=180),
    "doppler": _behind("dp", ".pt.", length=43),
    "terraformcloud": lambda maker: f"{maker.mixed(14)}.atlas" + f"v1.{maker.mixed(67)}",
    "flytoken": _behind("fm", "2_", length=120),
    "pulumi": _behind("pu", "l-", length=40, alphabet=HEX),
    "planetscale": _behind("pscale", "_tkn_", length=43),
    "herokutoken": _behind("HRKU", "-AA", length=58),
    "sentry": _behind("sn", "trys_", length=100),
    "perplexity": _behind("pp", "lx-", length=48),
    "replicate": _behind("r", "8_", length=37),
    "xai": _behind("x", "ai-", length=80),
    "airtable": lambda maker: f"pat{maker.mixed(14)}.{maker.of(HEX, 64)}",
    "facebook": _behind("EA", "AC", length=160),
    "brevo": lambda maker: "xkey" + f"sib-{maker.of(HEX, 64)}-{maker.mixed(16)}",
}  # fmt: skip
"""Tokens of vendors, which are known by how they begin."""

SHAPES: dict[str, Callable[[Maker], str]] = KNOWN | {
    "long": lambda maker: maker.of(LOWER, 24),
    "random": lambda maker: maker.mixed(32),
    "short": lambda maker: "aX4" + maker.mixed(10),
    "hex": lambda maker: maker.of(HEX, 32),
    "digits": lambda maker: maker.of(string.digits, 8),
    "uuid": lambda maker: "-".join(maker.of(HEX, length) for length in (8, 4, 4, 4, 12)),
    "base64": lambda maker: maker.base64(33),
    "basic": lambda maker: base64.b64encode(f"me:{maker.word()}".encode()).decode(),
    "sas": lambda maker: maker.mixed(40) + "%2B" + maker.mixed(6) + "%3D",
    "awssecret": lambda maker: f"{maker.mixed(12)}/{maker.mixed(13)}/{maker.mixed(13)}",
    "awssession": lambda maker: "IQoJb3JpZ2luX2Vj" + maker.base64(300),
    "azurekey": lambda maker: maker.base64(64),
    "azuread": lambda maker: f"{maker.mixed(3)}8Q~{maker.mixed(34)}",
    "cloudflare": lambda maker: maker.mixed(40),
    "pem": lambda maker: "MII" + maker.mixed(61),
    "shadow": lambda maker: f"$6${maker.mixed(8)}${maker.mixed(86)}",
}  # fmt: skip


def planted(seed: int = 1) -> list[Planted]:
    """Return the commands of ``secrets.jsonl`` with a secret of its kind in each place for one."""
    maker = Maker(seed)
    found = []
    for line in ENTRIES.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        secrets: list[str] = []

        def place(kind: re.Match[str], into: list[str] = secrets) -> str:
            into.append(maker.make(kind[1]))
            return into[-1]

        command = re.sub("«([a-z0-9]+)»", place, entry["command"])
        found.append(Planted(name=entry["id"], command=command, secrets=_pieces(secrets)))
    return found


def _pieces(secrets: list[str]) -> tuple[str, ...]:
    """Return the words of which none may be found: each of those of a phrase alone."""
    return tuple(piece for secret in secrets for piece in secret.split())


_NAMES = [
    "TOKEN", "API_TOKEN", "GITHUB_TOKEN", "DB_PASSWORD", "MYSQL_ROOT_PASSWORD", "REDIS_PASS", "SECRET", "JWT_SECRET",
    "SECRET_KEY_BASE", "AWS_SECRET_ACCESS_KEY", "OPENAI_API_KEY", "STRIPE_SECRET_KEY", "CLIENT_SECRET", "ACCESS_TOKEN",
    "REFRESH_TOKEN", "ENCRYPTION_KEY", "SIGNING_KEY", "PRIVATE_KEY", "GPG_PASSPHRASE", "ADMIN_PWD", "SSHPASS",
    "NPM_AUTH_TOKEN", "SMTP_CREDENTIALS", "SESSION_SECRET", "apiKey", "accessToken", "clientSecret", "dbPassword",
    "db.password", "service_account_key", "webhook_secret", "license_key", "AUTH", "HASURA_ADMIN_SECRET", "GH_PAT",
]  # fmt: skip

_HEADERS = [
    "Authorization: Bearer", "Authorization: token", "Authorization: Basic", "X-Api-Key:", "X-Auth-Token:", "api-key:",
    "Proxy-Authorization: Basic", "Private-Token:", "X-Vault-Token:", "Cookie: session=", "X-Amz-Security-Token:",
    "apikey:", "DD-API-KEY:", "x-functions-key:",
]  # fmt: skip


def _assigned(maker: Maker, name: str, secret: str) -> str:
    quote = maker.random.choice(["", "'", '"'])
    form = maker.random.choice(
        ["{0} run", "export {0}", "env {0} run", "docker run -e {0} x", "declare -x {0}", "bash -c \"{0} run\"",
         "x; {0}", "fly deploy --build-arg {0}", "echo {0} >> .env"]
    )  # fmt: skip
    if "bash" in form:
        quote = quote and "'"
    return form.format(f"{name}={quote}{secret}{quote}")


def _flag(maker: Maker, name: str, secret: str) -> str:
    quote, between = maker.random.choice(["", "'", '"']), maker.random.choice([" ", "=", "  ", " \\\n  "])
    option = "--" + name.lower().replace("_", "-") if "_" in name or name.isupper() else "--" + name
    return f"deployer {option}{between}{quote}{secret}{quote} --region eu"


def _header(maker: Maker, _name: str, secret: str) -> str:
    quote, option = maker.random.choice("'\""), maker.random.choice(["-H ", "--header ", "--header=", "-H"])
    header = maker.random.choice(_HEADERS)
    gap = "" if header.endswith("=") else " "
    return f"curl -s {option}{quote}{header}{gap}{secret}{quote} https://example.invalid/v1"


def _address(maker: Maker, name: str, secret: str) -> str:
    form = maker.random.choice(
        ["git clone https://me:{1}@example.invalid/r", "psql 'postgresql://me:{1}@db:5432/x'", "run redis://:{1}@cache/0",
         "curl 'https://example.invalid/v1?a=1&{0}={1}&b=2'", "curl https://example.invalid/?{0}={1}",
         "curl -x http://u:{1}@proxy:3128 https://example.invalid", "pip install git+https://oauth2:{1}@example.invalid/r"]
    )  # fmt: skip
    return form.format(name.lower(), secret)


def _here_document(maker: Maker, name: str, secret: str) -> str:
    end = maker.random.choice(["EOF", "'EOF'", '"EOF"', "-EOF", " EOF"])
    line = maker.random.choice(
        ["{0}={1}", '{0}="{1}"', "export {0}='{1}'", "{0}: {1}", "  {0}: '{1}'", '{{"a": 1, "{0}": "{1}"}}',
         '  "{0}": "{1}",', '{0} = "{1}"', "machine x login me password {1}", "https://me:{1}@example.invalid",
         "-----BEGIN PRIVATE KEY-----\n{1}\n-----END PRIVATE KEY-----", "<{0}>{1}</{0}>"]
    )  # fmt: skip
    program = maker.random.choice(["cat > x", "tee x", "python3 -", "kubectl apply -f -"])
    name = name.replace(".", "_") if "<" in line else name
    return f"{program} <<{end}\nfirst: 1\n{line.format(name, secret)}\nlast: 2\nEOF\n"


PLACES = (_assigned, _flag, _header, _address, _here_document)


def generated(count: int, seed: int = 2) -> list[Planted]:
    """Return `count` commands, each with a random word behind a random prefix in one of the usual places."""
    maker = Maker(seed)
    found = []
    for number in range(count):
        kind = maker.random.choice([*KNOWN, *["word"] * len(KNOWN)])
        secret, place = maker.make(kind), PLACES[number % len(PLACES)]
        if place is _address:
            secret = secret.replace(":", "")
        name = maker.random.choice(_NAMES)
        command = place(maker, name, secret)
        found.append(Planted(name=f"{number} {kind}", command=command, secrets=(secret,)))
    return found
