"""Verdicts on the programs of `phocinae.domain.programs.linting_web`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
eslint src --ext .js,.jsx --quiet
eslint .
prettier --check "src/**/*.{ts,tsx}"
prettier . --check
tsc --noEmit --pretty false
tsc --noEmit --watch
stylelint "**/*.css"
markdownlint README.md
biome lint .
biome ci
eslint . --ext .ts,.tsx
eslint src --max-warnings=0
prettier --check .
prettier -c 'src/**/*.ts'
prettier -l src
tsc --noEmit
tsc -p tsconfig.json --noEmit
tsc --noEmit -p .
tsc --noEmit --skipLibCheck src/a.ts --strict
tsc --version
tsc -v
biome check src
stylelint 'src/**/*.css'
prettier --parser=babel --check x
prettier --config .prettierrc --check .
eslint -c .eslintrc.json src
eslint --config eslint.config.mjs .
prettier --find-config-path src/a.ts
eslint --print-config src/a.ts
""",
    "undecided": r"""
eslint . --fix
eslint -f ./evil.js .
eslint --rulesdir x .
eslint -o report.txt src
prettier --write .
prettier --plugin=./x --check .
tsc
tsc -p .
tsc --outDir lib
tsc --noEmit false
tsc --noEmit a.ts --generateTrace x
biome check --write src
biome check /tmp/x
oxlint /tmp/x
svelte-check --workspace /tmp/x
stylelint --fix x
eslint --inspect-config
eslint --print-config /tmp/x/a.js
eslint --stdin --stdin-filename ../x/a.js
prettier --parser ./evil.js a.ts
prettier --parser evil a.ts
prettier --config ./evil.js --check .
eslint -c /tmp/x/eslint.config.js .
prettier --file-info /tmp/x/a.js
prettier --stdin-filepath /tmp/x/a.js
tsc --noEmit @args.txt
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
