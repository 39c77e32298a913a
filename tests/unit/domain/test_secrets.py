"""Secrets: which paths name them, in every spelling."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.secrets import ends_harmlessly, is_secret, matches
from phocinae.domain.values import ANY, HOLE, HOME, STAR

SECRETS = """
    .env .env.local .env.production .env.bak .env~ .env_backup .envrc prod.env .dev.vars id_rsa id_ed25519
    id_rsa.bak id_rsa~ server.key cert.pem store.p12 keys.kdbx .netrc .npmrc .pypirc .git-credentials
    .pgpass .htpasswd credentials credentials.json secrets.yaml secrets.prod.json api_key.txt passwords.txt
    token.txt terraform.tfvars terraform.tfstate app-service-account.json client_secret_1.json kubeconfig
    dev.kubeconfig .vault_pass auth.json wp-config.php config/master.key .bash_history .zsh_history
    .python_history /etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /etc/sudoers.d/x
    /etc/ssh/ssh_host_rsa_key /etc/krb5.keytab /etc/wireguard/wg0.conf /run/secrets/db
    /var/run/secrets/kubernetes.io/serviceaccount/token /proc/self/environ /proc/1/mem /dev/mem ~/.ssh
    ~/.ssh/config ~/.ssh/x ~/.aws/config ~/.kube/config ~/.docker/config.json ~/.gnupg/x
    ~/.config/gh/hosts.yml ~/.claude/.credentials.json ~/.codex/auth.json ~/.cargo/credentials.toml
    ~/.m2/settings.xml ~/.gradle/gradle.properties .ENV ID_RSA Server.KEY .en* .e?v *.pem .??v *
    ~/.ss*/config ~/.aw?/config .*/config ~/.config/*/hosts.yml
""".split()

OTHERS = """
    README.md main.py package.json .env.example .env.sample .env.template .env-example environment.yml
    env.py src/secrets.py password.py tokens.py tokenizer.json known_hosts authorized_keys ~/.ssh/id_rsa.pub
    ~/.ssh/known_hosts cert.crt keys.py keyboard.txt /etc/passwd /etc/hosts ~/.cargo/config.toml
    ~/.cargo/registry/src/x/lib.rs ~/.config/app/config.toml /proc/cpuinfo /proc/self/status
    docker-compose.yml .dockerignore .gitignore .github/workflows/ci.yml *.py *.md src/*/main.py a?c *.txt
""".split()


def value(path: str) -> str:
    return path.replace("~/", f"{HOME}/").replace("*", STAR).replace("?", ANY)


@pytest.mark.parametrize("path", SECRETS)
def test_secrets(path: str) -> None:
    assert is_secret(value(path))
    assert is_secret("/srv/app/" + value(path)) or path.startswith(("/", "~"))


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
