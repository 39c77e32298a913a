from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain import masking
from phocinae.domain.masking import MASK, mask
from phocinae.domain.masking_names import sounds_secret
from phocinae.domain.masking_programs import OPERANDS, PASSWORD_OPTIONS
from phocinae.domain.masking_scan import NAME

S = "s3cr3t-Value"

MASKED = {
    # assignments
    f"TOKEN={S} ls": f"TOKEN={MASK} ls",
    f"export AWS_SECRET_ACCESS_KEY='{S} x' && y": f"export AWS_SECRET_ACCESS_KEY='{MASK}' && y",
    f'PGPASSWORD="{S}" psql': f'PGPASSWORD="{MASK}" psql',
    f"env TOKEN=a\\ {S} ls": f"env TOKEN={MASK} ls",
    f"TOKEN=$'{S} a' ls": f"TOKEN={MASK} ls",
    f"A_KEY=abc'{S}'\"{S} b\" ls": f"A_KEY={MASK} ls",
    f"TOKEN+={S}": f"TOKEN+={MASK}",
    f"cmd /c set DB_PASS={S}": f"cmd /c set DB_PASS={MASK}",
    f"$env:TOKEN = '{S}'": f"$env:TOKEN = '{MASK}'",
    f'bash -c "TOKEN={S}" foo "bar"': f'bash -c "TOKEN={MASK}" foo "bar"',
    f"psql password={S} host=x": f"psql password={MASK} host=x",
    f'X_TOKEN="{S}': f"X_TOKEN={MASK}",
    # options
    f"x --token {S} y": f"x --token {MASK} y",
    f"x --token={S} y": f"x --token={MASK} y",
    f"x --token '{S}' y": f"x --token '{MASK}' y",
    f'x --api-key "{S}"': f'x --api-key "{MASK}"',
    f"x -Password {S}": f"x -Password {MASK}",
    f"x --password '{S} {S}' y": f"x --password '{MASK}' y",
    f'["--token", "{S}"': f'["--token", "{MASK}"',
    f"aws --client-secret \t {S}": f"aws --client-secret \t {MASK}",
    # short options whose value is a password
    f"mysql -u root -p{S} db": f"mysql -u root -p{MASK} db",
    f"/usr/bin/mysqldump -p{S}": f"/usr/bin/mysqldump -p{MASK}",
    f"sshpass -p {S} ssh x": f"sshpass -p {MASK} ssh x",
    f"curl -b sid={S} https://x": f"curl -b {MASK} https://x",
    f"mongosh -p {S}": f"mongosh -p {MASK}",
    f"http -a me:{S} x": f"http -a {MASK} x",
    f"security add-generic-password -w {S} -s x": f"security add-generic-password -w {MASK} -s x",
    f"rar a -hp{S} x.rar y": f"rar a -hp{MASK} x.rar y",
    f"nmcli dev wifi connect x password {S}": f"nmcli dev wifi connect x password {MASK}",
    f"az login -u x -p {S}": f"az login -u x -p {MASK}",
    f"aws ssm put-parameter --name x --value {S}": f"aws ssm put-parameter --name x --value {MASK}",
    f"curl https://hooks.slack.com/services/T01234567/B01234567/{S}": f"curl https://hooks.slack.com/services/{MASK}",
    f"curl https://api.telegram.org/bot123456789:{S}/getMe": f"curl https://api.telegram.org/bot{MASK}/getMe",
    f"curl https://discord.com/api/webhooks/12345678901234/{S}": f"curl https://discord.com/api/webhooks/{MASK}",
    f"docker login -u me -p {S} registry": f"docker login -u me -p {MASK} registry",
    f"redis-cli -a {S}": f"redis-cli -a {MASK}",
    f"zip -P '{S} a' x.zip x": f"zip -P '{MASK}' x.zip x",
    f"openssl enc -aes256 -k {S} -in x": f"openssl enc -aes256 -k {MASK} -in x",
    f"twine upload -u me -p {S} dist/x": f"twine upload -u me -p {MASK} dist/x",
    f"gh secret set NAME -b {S} -R o/r": f"gh secret set NAME -b {MASK} -R o/r",
    f"gh secret set NAME -b'{S} {S}'": f"gh secret set NAME -b'{MASK}'",
    f"gh secret set NAME --body {S} -R o/r": f"gh secret set NAME --body {MASK} -R o/r",
    f"gh secret set NAME --body='{S} {S}'": f"gh secret set NAME --body='{MASK}'",
    # subcommands that take a secret as an operand
    f"cargo login {S}": f"cargo login {MASK}",
    f"vault login {S}": f"vault login {MASK}",
    f"vault login '{S} x' && ls": f"vault login '{MASK}' && ls",
    f"aws configure set aws_secret_access_key {S} --profile p": (
        f"aws configure set aws_secret_access_key {MASK} --profile p"
    ),
    f"npm config set //r.example/:_authToken {S}": f"npm config set //r.example/:_authToken {MASK}",
    f'npm config set "//r.example/:_authToken" "{S}"': f'npm config set "//r.example/:_authToken" "{MASK}"',
    f"kubectl create secret generic s --from-literal=a={S} -n x": (
        f"kubectl create secret generic s --from-literal=a={MASK} -n x"
    ),
    f"kubectl create secret generic s --from-literal a={S}": (
        f"kubectl create secret generic s --from-literal a={MASK}"
    ),
    f"kubectl create secret generic s --from-literal='a.b={S} {S}' x": (
        f"kubectl create secret generic s --from-literal='a.b={MASK}' x"
    ),
    # user and password
    f"curl -E c.pem:{S} https://x": f"curl -E c.pem:{MASK} https://x",
    f"curl --cert c.pem:{S} https://x": f"curl --cert c.pem:{MASK} https://x",
    f"curl -u bob:{S} https://x": f"curl -u bob:{MASK} https://x",
    f"curl -ubob:{S}": f"curl -ubob:{MASK}",
    f"curl -u 'bob:{S} {S}' y": f"curl -u 'bob:{MASK}' y",
    f"curl --user=bob:{S}": f"curl --user=bob:{MASK}",
    f"curl --proxy-user bob:{S}": f"curl --proxy-user bob:{MASK}",
    f"smbclient -U bob%{S} x": f"smbclient -U bob%{MASK} x",
    f"curl -u 1000:1000{S} x": f"curl -u 1000:{MASK} x",
    f"curl -u 12:{'3' * 40}{S} x": f"curl -u 12:{MASK} x",
    # headers
    f'curl -H "Authorization: Bearer {S}" https://x': f'curl -H "Authorization: {MASK}" https://x',
    f"curl -H 'authorization: token {S}' x": f"curl -H 'authorization: {MASK}' x",
    f"curl -H X-Api-Key:{S}": f"curl -H X-Api-Key:{MASK}",
    f"curl -H 'Cookie: a={S}; b={S}' x": f"curl -H 'Cookie: {MASK}' x",
    f"the header Bearer {S} was sent": f"the header Bearer {MASK} was sent",
    # addresses and data
    f"git clone https://bob:{S}@host/p": f"git clone https://bob:{MASK}@host/p",
    f"git clone https://{S}{S}@host/p": f"git clone https://{MASK}@host/p",
    f"psql 'postgres://u:{S}@h:5432/db'": f"psql 'postgres://u:{MASK}@h:5432/db'",
    f"curl 'https://x/y?access_token={S}&z=1'": f"curl 'https://x/y?access_token={MASK}&z=1'",
    f"curl -d 'user=me&password={S}' x": f"curl -d 'user=me&password={MASK}' x",
    f"""curl -d '{{"password": "{S}", "b": 1}}' x""": f"""curl -d '{{"password": "{MASK}", "b": 1}}' x""",
    f'curl -d "{{\\"token\\": \\"{S}\\", \\"b\\": 1}}" x': f'curl -d "{{\\"token\\": \\"{MASK}\\", \\"b\\": 1}}" x',
    f"password: {S}\nuser: me": f"password: {MASK}\nuser: me",
    f"openssl enc -pass pass:{S}": f"openssl enc -pass {MASK}",
    f"openssl enc -passin pass:{S}": f"openssl enc -passin pass:{MASK}",
    f"a\n-----BEGIN RSA PRIVATE KEY-----\n{S}\n-----END RSA PRIVATE KEY-----\nb": (
        f"a\n{MASK}-----END RSA PRIVATE KEY-----\nb"
    ),
    f"-----BEGIN PRIVATE KEY-----\n{S}": MASK,
}

TOKENS = [
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2" * 9,
    "glpat-" + "a1B2" * 5,
    "sk-proj-" + "a1B2" * 9,
    "sk_live_" + "a1B2" * 6,
    "xoxb-123456789012-" + "a1B2" * 4,
    "AKIA" + "ABCD2345" * 2,
    "AIza" + "a1B2" * 9,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "npm_" + "a1B2" * 9,
    "pypi-" + "a1B2" * 9,
    "hf_" + "a1B2" * 8,
]

KEPT = [
    "git status",
    "git push -u origin main",
    "grep -E 'a:b' token.txt && sed -E s/a:b/c:d/ keys",
    "curl --cert c.pem --cacert x:y --cert-type PEM -s https://host/x",
    "openssl req -key x -keyout y -in z",
    "gh pr create -b body && gh secret list",
    "gh secret set NAME < file",
    "vault login -method=github && vault read x",
    "set -o pipefail; npm config set registry https://host/ && aws configure set region eu",
    "vault login && ls",
    "cargo login --registry x",
    "cargo test login",
    "gh pr create --body text && gh secret list",
    "gh secret set NAME --body-x y",
    "kubectl create secret generic s --from-file=a=b",
    "docker run -p 80:80 -u 1000:1000 nginx",
    "docker run -u 1000:1000",
    "sh -c 'docker run -u 1000:1000'",
    "docker run -u1000:1000|cat",
    "mkdir -p a/b && sort -k 2 --key=3",
    "ssh -p 2222 host",
    "x --token $TOKEN y",
    'x --token "$TOKEN" y',
    "x --token=${TOKEN}",
    'curl -H "Authorization: Bearer $TOKEN" https://host:80/a@b',
    "git clone ssh://git@github.com/a/b",
    "git config credential.helper store",
    "aws --password-stdin x --token-file f --no-password z",
    "PWD=/x OLDPWD=/y git commit --author='A B <a@b>'",
    "llm --max-tokens=100 --tokenizer gpt2",
    "ls bypass=1 compass=2",
    "AWS_ACCESS_KEY_ID_FILE=x TOKEN_URL=https://h/ SECRET_NAME=prod",
    "npm run build -- task-force-of-one-hundred",
    "cat ssh_host_key.pub; sort-key=1",
    "test $a == $password",
    "",
]


@pytest.mark.parametrize(("text", "masked"), list(MASKED.items()))
def test_secrets_are_masked(text: str, masked: str) -> None:
    assert S in text
    assert mask(text) == masked


@pytest.mark.parametrize("token", TOKENS)
def test_known_tokens_are_masked_wherever_they_stand(token: str) -> None:
    assert mask(f"echo {token} | x '{token}'") == f"echo {MASK} | x '{MASK}'"


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_secret_stays(text: str) -> None:
    assert mask(text) == text


@pytest.mark.parametrize("text", [text for text in MASKED if "\n" not in text and '"' not in text])
def test_a_quoted_command_is_masked_as_well(text: str) -> None:
    assert S not in mask(f'bash -c "{text}"')


@pytest.mark.parametrize("name", ["token", "GITHUB_TOKEN", "--api-key", "X-Auth", "db.password", "apikey", "MYSQL_PWD"])
def test_names_that_sound_secret(name: str) -> None:
    assert sounds_secret(name)


@pytest.mark.parametrize(
    "name", ["", "key", "user", "PWD", "token_file", "author", "--no-token", "max-tokens", "pub_key"]
)
def test_names_that_do_not(name: str) -> None:
    assert not sounds_secret(name)


ALPHABET = [*"=:\"'\\ \na@;", "TOKEN", "-u", "-p", "mysql", "--token", "://", "bearer", "$a"]


@given(st.lists(st.sampled_from(ALPHABET), max_size=30))
def test_any_text_is_masked_without_an_error_and_only_by_replacing(pieces: list[str]) -> None:
    text = "".join(pieces)
    masked = mask(text)
    pattern = ".*".join(re.escape(part) for part in masked.split(MASK))
    assert re.fullmatch(pattern, text, re.DOTALL)


@given(st.text(), st.text())
def test_surroundings_do_not_uncover_an_assignment(before: str, after: str) -> None:
    assert "hunter2hunter2" not in mask(f"{before}\nTOKEN=hunter2hunter2\n{after}".replace("`", ""))


LONG = 400_000
"""So long that a pass which grows with the square of the length would outlast the limit of every test."""

UNITS = [
    "TOKEN=", "a=", "=:", "key=", '-u"', "-u'", "-ua:", "-a ", "--token ", "mysql -p", "bearer ",
    "auth: ", "token ", "token:", 'token\\"', 'token"', 'token="', "token=$a ", "token\t\t\t\t",
    "token\\\\", '\\"', '"\'', "A", "eyJ", "://", "://a:b@", "-----BEGIN", "-----BEGIN PRIVATE KEY",
    "x.key", "key-", "key_", "x-key+", ".key", "-token", "--key-a", "x.pass.", "key+", "auth-sig.", "login.",
    "-u1:" + "1" * 28 + ",", "-u 1:1 ", "-u 1:" + "1" * 28 + ",", "-Ua%", "--user=a:", "sk-", "ghp_.", "SG.", "eyJ.",
    "set token ", "set x.key", "vault login ", "openssl -k ", "gh secret -b ", "curl -E ", "curl -Ea:", "--cert ",
    "--from-literal=", "--from-literal a=", "--from-literal=a",
    "echo a | docker login ", "echo a|", "docker login <<A\n", "sudo -S <<< a ", "x <<< 'a' login\n", "login password ",
    "machine\npassword a\n", "a:1:b:c:", "password '", "identified by '", ";pwd=", "sqlplus a/", "<token>", "<a>b</a>",
    "name: token\nvalue: ",
    "('token', '", "auth=('", "ConvertTo-SecureString ", "expect send \"", "kind: Secret\ndata:\n a: b\n",
    "aB3", "aB3/", "a1-", "token: |\n a\n", "token: [", "token=$(echo ", "htpasswd -b a ", "vault put a=", "net user ",
    "secrets set a=", "token \\\n", "12345678:AA", ".atlasv1.", "config:set a ", "pass:1:", "sudo ",
    "key(", "key,", "<key>", "\\", "token\\", "token='", "token:\n",
    "x.py a@ ", "x.py a:b@", "a:b@1.1.1 ", "reg add /v token ", "reg add /d ", "mkpasswd -a ", "mkpasswd -m ",
    "openssl passwd -1 ", "defaults write a ", "<(echo a) key-file ", "passwd <(",
    "(echo a; passwd |", "{ echo a|passwd } ",
    "( passwd|", "(echo a)|passwd;", "Set-Item env:token ",
]  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_text_of_any_kind_is_masked_in_one_pass(unit: str) -> None:
    masked = mask("TOKEN=hunter2 " + (unit * LONG)[:LONG] + f"\n' \"\nTOKEN={S}")
    assert S not in masked
    assert "hunter2" not in masked


@given(st.lists(st.sampled_from([".", "-", "key", "_", "x", "token", "+", "=", ":", "é", " "]), max_size=12))
def test_a_name_is_found_where_it_begins_as_if_every_place_were_tried(pieces: list[str]) -> None:
    text = "".join(pieces)
    everywhere = re.compile(r"([\w.\-]*)\+?[=:]")
    assert [found.span() for found in re.finditer(NAME, text)] == [found.span() for found in everywhere.finditer(text)]


def test_an_option_that_holds_a_secret_is_known_without_its_command() -> None:
    assert mask(f"--from-literal=a={S} is not known") == f"--from-literal=a={MASK} is not known"


_OPTIONS = [(program, option) for program, options in PASSWORD_OPTIONS.items() for option in options.split()]


@pytest.mark.parametrize(("program", "option"), _OPTIONS)
def test_every_option_that_is_listed_for_a_program_is_masked(program: str, option: str) -> None:
    assert "hunter2zebra" not in mask(f"{program} {option} hunter2zebra")
    assert "hunter2zebra" not in mask(f"{program} {option}{'=' if option.startswith('--') else ''}hunter2zebra")


@pytest.mark.parametrize(("program", "operand"), OPERANDS.items())
def test_every_operand_that_is_listed_for_a_program_is_masked(program: str, operand: int) -> None:
    assert "hunter2zebra" not in mask(f"{program} {'x ' * (operand - 1)}hunter2zebra")


@pytest.mark.parametrize(
    "command",
    [
        "curl -sSLu me:{} https://h.invalid", "curl -fsSu'me:{}' https://h.invalid", "export MY_PIN={}", "PIN={} x",
        "x --hmac {}", 'x --seed-phrase "{} word"', "pkcs11-tool --so-pin={}", "doppler secrets set X={}",
        "echo {} | openconnect --passwd-on-stdin h.invalid", "keyring set s u <<< {}", "yes {} | passwd u",
        "smbclient //h/share {}", "smbclient '//h/share' '{}' -U u", "mkpasswd {}", "mkpasswd -m sha-512 {}",
        "mkpasswd --method=sha-512 '{}'", "mkpasswd -m sha-512 -S saltsalt {}", "openssl passwd {}",
        "openssl passwd -6 {}",
        "openssl passwd -1 -salt abcd '{}'", 'sh -c "openssl passwd -6 {}"', "defaults write com.x.y password {}",
        "defaults write com.x.y apiToken -string '{}'", "defaults write 'com.x' password \"{}\"",
        "reg add HKCU\\S /v Password /t REG_SZ /d {} /f", 'reg.exe add "HKCU\\S" /d "{}" /v ApiToken',
        "cryptsetup luksOpen --key-file <(echo {}) /dev/x y",
        "openssl enc -aes-256-cbc -pass file:<(printf '%s' {}) -in a",
        "kinit me < <(echo {})", "ansible-playbook --vault-password-file <(echo '{}') s.yml",
        "(echo {}; echo {}) | passwd", "{ echo {}; echo {}; } | passwd u", "(echo {} ; echo other) | sudo passwd u",
        "(echo old; echo {}; echo {}) | smbpasswd -s", "secretsdump.py corp/admin:{}@dc.invalid", "psexec.py 'a:{}@h'",
        "impacket-wmiexec -k corp/admin:{}@dc.invalid", "ssh-thing root:{}@10.1.2.3", "x admin:{}@localhost",
        "Set-Item env:API_TOKEN {}", "Set-Item -Path Env:DB_PASSWORD -Value {}", "New-Item Env:\\MY_SECRET -Value '{}'",
    ],
)  # fmt: skip
def test_more_shapes_are_masked(command: str) -> None:
    assert "hunter2zebra" not in mask(command.replace("{}", "hunter2zebra"))


@pytest.mark.parametrize(
    "command",
    [
        "curl -sSLo up.txt https://h.invalid/a:b", "curl -sSLu me https://h.invalid", "ping -c 3 pinned.invalid",
        "cf push -p dist", "mc ls m/bucket", "dotnet build -c Release", "yes | ./configure", "az group list -o table",
        "swift build -c release", "vercel deploy --prod", "doppler run -- npm start",
        "smbclient -L //h -U bob", "smbclient //h/share -N -c 'ls'", "mkpasswd -m help", "mkpasswd --help",
        "openssl passwd -help", "openssl passwd -6 -in words.txt", "openssl passwd -stdin", 'openssl passwd "$PW"',
        "defaults write com.apple.dock autohide -bool true", "defaults read com.x password",
        "reg query HKCU /v Password",
        "reg add HKCU\\S /v Volume /t REG_SZ /d loud", "diff <(echo one) <(echo two)", "comm -12 <(sort a) <(sort b)",
        "(echo one; echo two) | sort", "(cd passwords; echo done) | tee log", "git clone git@github.com:o/r.git",
        "docker pull img:tag@sha256:abcdef", "npm install a@npm:react@18.2.0", "scp f me@10.1.2.3:/x",
        "x user:me@h.invalid",
        "python3 x.py --to me@h.invalid", "npm i left-pad@1.2.3", "Get-Item env:API_TOKEN", "Set-Item env:EDITOR vim",
        "Set-Item env:API_TOKEN $other",
    ],
)  # fmt: skip
def test_what_is_near_those_stays_readable(command: str) -> None:
    assert mask(command) == command


def test_every_sign_is_looked_for() -> None:
    assert [sign for letter, signs in masking._SIGNS for sign in signs if letter not in sign] == []
