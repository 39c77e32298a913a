"""Secrets: which paths name them, in every spelling."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.secrets import ends_harmlessly, is_secret, matches, meets_well_known
from phocinae.domain.values import ANY, HOLE, HOME, STAR, active

SECRETS = """
    .env .env.local .env.production .env.bak .env~ .env_backup .envrc prod.env .dev.vars id_rsa id_ed25519
    id_rsa.bak id_rsa~ server.key cert.pem store.p12 keys.kdbx .netrc .npmrc .pypirc .git-credentials
    .pgpass .htpasswd credentials credentials.json secrets.yaml secrets.prod.json api_key.txt passwords.txt
    token.txt terraform.tfvars terraform.tfstate app-service-account.json client_secret_1.json kubeconfig
    dev.kubeconfig .vault_pass auth.json wp-config.php config/master.key .bash_history .zsh_history
    .python_history /etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /etc/sudoers.d/x
    .env.test .env.defaults .env.schema token tokens.json vault.yml appsettings.Production.json ~/.viminfo ?env
    appsettings.Production.Local.json ~/.pip/pip.conf ~/.config/pip/pip.conf /etc/pip.conf ~/AppData/Roaming/pip/pip.ini
    ~/.snowflake/config.toml ~/.snowflake/connections.toml ~/.snowsql/config
    kubeconfig.yaml deploy_key /etc/mysql/debian.cnf /home/u/.subversion/auth/svn.simple/x
    /home/u/.config/code-server/config.yaml
    /etc/ssh/ssh_host_rsa_key /etc/krb5.keytab /etc/wireguard/wg0.conf /run/secrets/db
    /var/run/secrets/kubernetes.io/serviceaccount/token /proc/self/environ /proc/1/mem /dev/mem ~/.ssh
    ~/.ssh/config ~/.ssh/x ~/.aws/config ~/.kube/config ~/.docker/config.json ~/.gnupg/x
    ~/.config/gh/hosts.yml ~/.claude/.credentials.json ~/.codex/auth.json ~/.cargo/credentials.toml
    ~/.m2/settings.xml ~/.gradle/gradle.properties .ENV ID_RSA Server.KEY .en* .e?v *.pem .??v *
    ~/.ss*/config ~/.aw?/config .*/config ~/.config/*/hosts.yml
    .flaskenv env.production AuthKey_1.p8 prod.tfvars x.tfvars.json gcp-key.json a-firebase-adminsdk-1.json
    config/database.yml local.settings.json ~/.yarnrc ~/.claude.json ~/.cursor/mcp.json ~/.config/hub
    ~/.local/share/gem/credentials ~/.nuget/NuGet/NuGet.Config ~/.cache/huggingface/token ~/.fly/config.yml
    ~/.config/heroku/config ~/.config/age/keys.txt ~/.oci/config ~/.ethereum/keystore/UTC--1 ~/.mozilla
    ~/.config/phocinae ~/.config/phocinae/state.key ~/.config/phocinae/x
    ~/.config/gcloud ~/.config/BraveSoftware/Brave-Browser/Default/History ~/.config/microsoft-edge/x
    /etc/kubernetes/admin.conf /etc/kubernetes/pki/x /etc/rancher/k3s/k3s.yaml /etc/security/opasswd
    /etc/pki/tls/private/x /etc/wpa_supplicant/wpa_supplicant-wlan0.conf /tmp/krb5cc_1000
    ~/Library/Cookies/x ~/Library/Keychains login.keychain-db ConsoleHost_history.txt
""".split()

BROWSERS = [
    f"{HOME}/Library/Application Support/Google/Chrome/Default/Local State",
    f"{HOME}/Library/Application Support/Firefox/Profiles/x/prefs.js",
    f"{HOME}/.config/Bitwarden CLI/data.json",
    "/mnt/c/Users/me/AppData/Local/Google/Chrome/User Data/Default/History",
    "/mnt/c/Users/me/AppData/Roaming/Microsoft/Protect/x",
]

OTHERS = """
    README.md main.py package.json .env.example .env.sample .env.template .env.dist .env-example
    ~/.config/phocinae/config.toml ~/.config/phocinae/policy.toml
    appsettings.json appsettings.cs token.go environment.yml ~/.pip/pip.log pip.conf.md ~/.snowsql/log
    env.py src/secrets.py password.py tokens.py tokenizer.json known_hosts authorized_keys ~/.ssh/id_rsa.pub
    ~/.ssh/known_hosts cert.crt keys.py keyboard.txt /etc/passwd /etc/hosts ~/.cargo/config.toml
    ~/.cargo/registry/src/x/lib.rs ~/.config/app/config.toml /proc/cpuinfo /proc/self/status
    keychain.go keychain.swift database.py src/database.ts env.ts environments/prod.ts history.md cookies.ts
    /etc/kubernetes/pki/ca.crt ~/.gem/specs x.tf NuGet.Config .config/mise.toml
    docker-compose.yml .dockerignore .gitignore .github/workflows/ci.yml *.py *.md src/*/main.py a?c *.txt
""".split()


def value(path: str) -> str:
    return path.replace("~/", f"{HOME}/").replace("*", STAR).replace("?", ANY)


@pytest.mark.parametrize("path", SECRETS)
def test_secrets(path: str) -> None:
    assert is_secret(value(path))
    assert is_secret("/srv/app/" + value(path)) or path.startswith(("/", "~"))


@pytest.mark.parametrize("path", BROWSERS)
def test_stores_of_browsers_in_folders_with_blanks(path: str) -> None:
    assert is_secret(path)


@pytest.mark.parametrize(
    ("pattern", "itself", "below"),
    [
        ("/etc/s*", True, True),
        ("/etc/*", True, True),
        ("/proc/*/*", True, True),
        ("/home/*/.*/config", True, True),
        ("/root/.a*/*", True, True),
        ("~/.*/config", True, True),
        ("/etc", False, True),
        ("/etc/ss*", False, True),
        ("~/.c*", False, True),
        ("/etc/*.conf", False, False),
        ("/etc/nginx", False, False),
        ("/etc/nginx/*", False, False),
        ("/proc/*/status", False, False),
        ("~/*/*", False, False),
        ("*/*", False, False),
        ("/" + "*" * 300, True, True),
    ],
)
def test_a_pattern_meets_secrets_that_lie_in_one_place(pattern: str, itself: bool, below: bool) -> None:
    found = (meets_well_known(value(pattern), below=False), meets_well_known(value(pattern), below=True))
    assert found == (itself, below)


@pytest.mark.parametrize("path", OTHERS)
def test_other_files(path: str) -> None:
    assert not is_secret(value(path))


@pytest.mark.parametrize(
    ("path", "harmless"),
    [
        (f"{HOLE}.py", True),
        (f"{HOLE}/a.md", True),
        (f"{HOLE}.json", False),
        (f"{HOLE}.pem", False),
        (f"{HOLE}.env", False),
        (HOLE, False),
        (f"a.{HOLE}", False),
        (f"{HOLE}/config", False),
        (f"{HOLE}.p{HOLE}", False),
    ],
)
def test_an_ending_may_tell_that_it_is_no_secret(path: str, harmless: bool) -> None:
    assert ends_harmlessly(path) is harmless


def test_a_name_longer_than_any_file_s_is_one_if_it_may_match_anything() -> None:
    assert is_secret("a" * 300 + STAR)
    assert not is_secret("a" * 300)
    assert is_secret(f"{HOME}/.ssh/" + "a" * 300)


alphabet = st.sampled_from(["a", "b", ".", STAR, ANY])


@given(st.text(alphabet, max_size=8), st.text(st.sampled_from("ab."), max_size=8))
def test_matching_agrees_with_a_regular_expression(pattern: str, name: str) -> None:
    regex = "".join({STAR: ".*", ANY: "."}.get(char, re.escape(char)) for char in pattern)
    expected = re.fullmatch(regex, name) is not None and not (name[:1] == "." and pattern[:1] in (STAR, ANY))
    assert matches(pattern, name) is expected


@given(st.text(max_size=40))
def test_any_text_is_a_secret_or_not(text: str) -> None:
    assert is_secret(text) in (True, False)


@pytest.mark.parametrize(
    ("pattern", "name", "answer"),
    [
        ("**", "a", True),
        ("*" * 20_000, "id_rsa", True),
        ("*a" * 10_000, "aaa", False),
        ("?" * 20_000, "aaa", False),
        ("*a*a*a", "aaa", True),
        ("*a**", "ba", True),
    ],
)
def test_a_pattern_is_as_long_as_it_likes(pattern: str, name: str, answer: bool) -> None:
    assert matches(active(pattern), name) is answer
