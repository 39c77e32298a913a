"""No secret of any usual shape is left on disk, and what is no secret stays."""

from __future__ import annotations

import json
import re
from pathlib import Path

import made_up
import pytest

from phocinae import build_gate
from phocinae.adapters.logs.audit_jsonl import JsonLinesAudit
from phocinae.domain.masking import MASK, mask, may_hold_secret
from phocinae.domain.masking_tokens import looks_random
from phocinae.service.gate import GateService
from phocinae.settings import Settings

CORPUS = made_up.ENTRIES.parent
GENERATED = 2_000

SAID = 3
"""So many answers may repeat an operand as what it would be for another program; none of that is written down."""


def harmless() -> list[str]:
    """Return commands of other tests, none of which holds a secret."""
    files = {"corpus": "command", "valid": "command", "neighbours": "command", "markers": "statement"}
    return [
        json.loads(line)[field]
        for name, field in files.items()
        for line in (CORPUS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def left(planted: made_up.Planted, text: str) -> list[str]:
    return [secret for secret in planted.secrets if secret in text]


def test_there_are_enough_of_them_and_each_has_a_place_for_a_secret() -> None:
    planted = made_up.planted()
    assert len(planted) >= 60
    assert [one.name for one in planted if not one.secrets or left(one, one.command) != list(one.secrets)] == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_secret_of_any_shape_stays(seed: int) -> None:
    assert {one.name: mask(one.command) for one in made_up.planted(seed) if left(one, mask(one.command))} == {}


@pytest.mark.parametrize("kind", sorted(made_up.KNOWN))
def test_a_token_is_known_by_its_look_wherever_it_stands(kind: str) -> None:
    for seed in range(20):
        token = made_up.Maker(seed).make(kind)
        for text in (f"run {token}", f"run '{token}' x", f"x\n{token}\ny", f'["{token}"]', f"cat <<< {token}"):
            assert token[8:] not in mask(text)


def test_nothing_of_a_secret_is_on_disk_nor_said(tmp_path: Path) -> None:
    path = tmp_path / "audit.jsonl"
    warned: list[str] = []
    built = build_gate(Settings(audit=False))
    gate = GateService(
        offline=built.offline, audit=JsonLinesAudit(str(path)), clock=lambda: 1.0, policy="p", warn=warned.append
    )
    all_planted = [*made_up.planted(), *made_up.generated(GENERATED)]
    said: list[str] = []
    for one in all_planted:
        verdict = gate.decide(one.command, cwd=f"/srv/{len(said)}")
        said.append(json.dumps(verdict.to_wire(), ensure_ascii=False))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(all_planted)
    on_disk = "".join(file.read_bytes().decode("latin-1") for file in tmp_path.rglob("*") if file.is_file())
    pieces = {secret: one.name for one in all_planted for secret in one.secrets}
    assert sorted(name for secret, name in pieces.items() if secret in on_disk) == []
    # an answer goes to whoever gave the command; where it names a word, only that word's neighbours tell what it is
    assert len([one.name for one, text in zip(all_planted, said, strict=True) if left(one, text)]) <= SAID
    assert warned == []


def test_what_is_masked_stays_masked_within_quotes() -> None:
    generated = [one for one in made_up.generated(400, seed=5) if "\n" not in one.command and '"' not in one.command]
    assert len(generated) > 100
    assert [one.command for one in generated if left(one, mask(f'bash -c "{one.command}"'))] == []


def test_harmless_commands_stay_as_they_are() -> None:
    commands = harmless()
    assert len(commands) > 3_500
    assert {command: mask(command) for command in commands if mask(command) != command} == {}


KEPT = [
    "git show 3f786850e387550fdab836ed7e6dc881de23001b",
    "git cherry-pick da39a3ee5e6b4b0d3255bfef95601890afd80709..2c26b46b68ffc68ff99b453c1d30413413422d70",
    "git checkout feature/PROJ-1234-add-OAuth2-support",
    "curl https://example.invalid/v1/items/123e4567-e89b-12d3-a456-426614174000?page=2&size=10",
    "docker pull x@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "docker run -p 8080:80 -v /srv/Data2/App:/app -t org/image:1.2.3-alpine3.19",
    "docker build -t myapp:20240131-3f78685 .",
    "pip install 'Django==5.0.1' numpy==1.26.4 --hash=sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15",
    "npm ci # sha512-Xk3v0P2y9sZQ8mJtYq1hVb7cR5nLd4eW6uTgA0oI9fHxNrKpSjMzB+Ev/Cw2Dq7GlFaU3y8iT5oRk1hXbZ9nQ==",
    "echo 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGx3b0p9Qk7vYc2mRz8WtJ5hXn4aLd6sUe1fKo0iBvNq me@host' >> keys.pub",
    "ssh-keygen -lf key.pub # SHA256:Xk3v0P2y9sZQ8mJtYq1hVb7cR5nLd4eW6uTgA0oI9fH",
    "cat go.sum # h1:Xk3v0P2y9sZQ8mJtYq1hVb7cR5nLd4eW6uTgA0oI9fHx=",
    "ls /usr/lib/x86_64-linux-gnu/libstdc++.so.6.0.30 /opt/MyApp2/Contents/MacOS/Helper3",
    "cd /home/me/Projects/WebApp2023/src/components/UserProfileCard2 && ls",
    "pytest tests/test_http2.py::TestServer2Client3::test_handles_2_streams -k 'TestHTTP2 and not Slow'",
    "python3.12 -m venv .venv-py312-linux-x86_64",
    "go get example.invalid/x@v0.0.0-20240131120000-3f786850e387",
    "apt-get install linux-headers-6.5.0-41-generic libssl3t64=3.0.13-0ubuntu3.4",
    "kubectl get pod web-7d4b9c6f5d-x2x9z -n team-a",
    "aws ec2 describe-instances --instance-ids i-0abcd1234efab5678 --region eu-west-1",
    "rustup toolchain install nightly-2024-01-31-x86_64-unknown-linux-gnu",
    "gcc -O2 -DNDEBUG -std=c++20 -march=x86-64-v3 -o Build2Release main.cpp",
    "sed -n '10,20p' src/VeryLongClassName2WithDigits3.java",
    "echo hello | base64",
    "echo password | wc -c",
    "grep -rn login src | sort",
    "printf 'a\\nb\\n' | sort | uniq",
    "sudo -u postgres psql -l",
    "mkdir -p a/b/c && tar -p -xzf Release2Build3.tar.gz",
    "git commit -m 'Handle login | logout in PasswordForm'",
    "TOKEN=$(cat token.txt) run",
    "export API_KEY=$(pass show api) && run",
    "docker login -u me --password-stdin < file",
    "cat file | docker login -u me --password-stdin",
    'echo "$TOKEN" | docker login -u me --password-stdin',
    "docker login --password-stdin <<< $TOKEN",
    "htpasswd -c .htpasswd me",
    "net user",
    "vault kv get secret/x",
    "xargs cat <<< /etc/passwd",
    "NOPASSWD: ALL",
    "kubectl create -f - <<EOF\nkind: ConfigMap\ndata:\n  anything: value\nEOF",
    "mysql -e \"select 1\" && psql -c 'select password from users'",
    "find . -name '*.test.tsx' -newer 2024-01-31T10:00:00Z",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_looks_like_a_secret_and_is_none_stays(text: str) -> None:
    assert mask(text) == text


def test_random_words_are_told_from_names() -> None:
    maker = made_up.Maker(7)
    random_words = [maker.mixed(32) for _ in range(1_000)]
    assert sum(map(looks_random, random_words)) >= 980
    names = {word for command in harmless() for word in re.findall(r"[\w\-/+]{12,}", command)}
    assert len(names) > 200
    assert {name for name in names if looks_random(name)} == set()


def test_most_commands_are_seen_to_hold_none_without_a_pattern() -> None:
    commands = harmless()
    assert sum(map(may_hold_secret, commands)) < len(commands) / 3


def test_a_masked_command_is_still_one_line_of_words() -> None:
    for one in made_up.planted():
        assert MASK in mask(one.command)
        assert mask(one.command).count("\n") >= one.command.count("\n") - 3
