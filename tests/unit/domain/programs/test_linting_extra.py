"""Verdicts on the programs of `phocinae.domain.programs.linting_extra`: reports, and what writes or loads."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
yapf --diff -r src
autopep8 --diff a.py
autoflake --check -r src
docformatter --check src
interrogate -v src
deptry .
lint-imports
doc8 docs
djlint --check templates
mdformat --check README.md
pymarkdown scan docs
sqlfmt --check .
cmake-format --check CMakeLists.txt
cspell --no-progress "**/*.md"
commitlint --from HEAD~1 --verbose
knip --production
depcheck
madge --circular src
stylua --check .
typos
php-cs-fixer fix --dry-run --diff
php-cs-fixer check src
pint --test
rector process --dry-run
scalafmt --check
ormolu --mode check src/A.hs
elm-format --validate src
nixfmt --check a.nix
alejandra --check .
statix check
deadnix .
swift-format lint -r Sources
swiftformat --lint .
google-java-format --dry-run A.java
buildifier --mode=check BUILD
buildifier -mode=diff -lint=warn BUILD
editorconfig-checker
luac -p a.lua
erb_lint --lint-all
haml-lint app
""",
    "undecided": r"""
yapf -i a.py
autopep8 --in-place a.py
autoflake -i a.py
docformatter --in-place a.py
interrogate --generate-badge x src
djlint --reformat .
mdformat README.md
pymarkdown fix docs
sqlfmt .
cmake-format -i CMakeLists.txt
cspell init
cspell link add x
cspell -c ./evil.js src
commitlint -x ./evil
knip --fix
madge --image x.svg src
stylua .
typos -w
php-cs-fixer fix
php-cs-fixer fix --dry-run --config=./evil.php
pint
rector process
scalafmt
ormolu --mode inplace src/A.hs
ormolu -m inplace src/A.hs
elm-format src
nixfmt a.nix
alejandra .
statix fix
deadnix -e .
swift-format format -i Sources
swiftformat .
google-java-format -i A.java
google-java-format -n @args.txt
buildifier BUILD
buildifier --mode=check --lint=fix BUILD
buildifier --mode=check --mode=fix BUILD
luac a.lua
luac -v a.lua
erb_lint --autocorrect
haml-lint /tmp/x
""",
    "undecided-ask": r"""
yapf --diff .env
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
