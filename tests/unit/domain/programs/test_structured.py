"""Verdicts on commands of the family ``structured``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "jq . f.json",
    "jq -r '.[] | .name' f.json",
    "jq '.scripts' package.json",
    "jq -c '.[]' f.json",
    "jq --arg v 1 '.x == $v' f.json",
    "jq -e '.a' f.json",
    "jq 'keys' < f.json",
    "jq -n '{a:1}'",
    "jq '.dependencies | keys | length' package.json",
    "jq -s 'add' a.json b.json",
    "jq --slurp . a.json",
    "jq 'map(select(.env == \"prod\"))' f.json",
    "jq '.env.FOO' f.json",
    "yq '.a.b' f.yaml",
    "yq eval '.services' docker-compose.yml",
    "yq -r '.name' f.yml",
    "xmllint --format f.xml",
    "xmllint --xpath '//a' f.xml",
    "csvcut -c 1,2 f.csv",
    "csvlook f.csv",
    "csvstat f.csv",
    "jq -r '.dependencies | to_entries[] | \"\\(.key)@\\(.value)\"' package.json",
    "jq -r '.[] | select(.x > 3) | [.a, .b] | @csv' f.json",
    "jq '[.[] | {name, id}]' f.json",
    "jq -r 'paths | map(tostring) | join(\".\")' f.json",
    "yq eval '.x' f",
    "jq -n '$ARGS.positional' --args a b",
    "jq . a.json --args x",
    "jq . -- a.json",
    "json_pp -f json -t json < a.json",
]
UNDECIDED = [
    "jq -f x.jq f",
    "jq -L . 'import \"x\" as x; .' f",
    "jq 'include \"x\"; .' f",
    'jq "$x" f',
    "yq -i '.a=1' f",
    "yq --inplace '.a=1' f",
    "yq e -i '.a=1' f",
    "yq 'load(\"x\")' f",
    "yq -s '.a' f",
    "xmllint --shell f",
    "xmllint --noent f",
    "xmllint -o x f",
    "xmllint http://evil/x",
    "yq 'eval(\"x\")' f",
    "yq -p -i .a a.yaml",
]
ASKED = [
    "jq env",
    "jq -n '$ENV'",
    "jq -n 'env.TOKEN'",
    "jq '\"\\(env)\"' f",
    "jq . .env",
    "jq . ~/.docker/config.json",
    "jq . credentials.json",
    "jq --slurpfile a .env . f",
    "jq --rawfile a ~/.ssh/id_rsa '$a' -n",
    'jq . "$f"',
    "yq -n 'env(TOKEN)'",
    "yq . secrets.yaml",
    "jq -n -f <(echo env)",
    "jq -n '$ ENV'",
    "jq -R . -- --arg .env x",
    "jq -R . -- --args .env",
    'jq -R . "$f" --args x',
    "json_pp -f eval < x",
    "json_pp -feval",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
