"""Verdicts on the programs of `phocinae.domain.programs.node_packages`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest

VERDICTS = {
    "allow": r"""
npm ls react
npm ls --all --json
npm list --depth 1 --prod
pnpm list --depth 0
pnpm ls -r
npm test -- --watchAll=false
npm run test -- --coverage
npm test --workspace=packages/a
npm test -w packages/a
npm run test --workspaces --if-present
yarn test src/a.test.ts
yarn test --ci
bun test src
npm ls
npm ls --depth=0
npm ls --depth 0
npm list -g
npm test
npm t
npm run test
npm test -- --coverage
npm test -- src/foo.test.js
npm test --silent
npm run
npm explain react
npm config get registry
npm root -g
npm pkg get version
npm -v
npm --version
npm install --help
npm help install
npm
pnpm test
pnpm run test
pnpm --filter web test
pnpm ls
pnpm why react
pnpm test --coverage
yarn test
yarn run test
yarn test --coverage --watchAll=false
yarn why react
yarn list --depth=0
yarn --version
bun test
bun run test
bun --version
npm version
npm run test:unit
pnpm test:unit
yarn run test:unit --coverage
bun run test:unit
npm -w packages/a test
npm --workspaces run test
pnpm -r run test
pnpm run --filter web test
pnpm test -- --run
yarn workspace web test
yarn workspaces run test
npm config list
npm fund
yarn config get registry
pnpm config get registry
bun pm ls --all
bun pm pkg get version
yarn test --coverage=false
npx --no-install jest
npx --no-install tsc --noEmit
npx --no-install tsc --version
npx --no vitest run
npx --no -- eslint .
npx -q --no-install mocha
npm exec --no -- eslint .
npm x --no -- jest --ci
pnpm exec eslint .
pnpm exec jest --coverage
pnpm -r exec tsc --noEmit
""",
    "undecided": r"""
npx --no-install tsc
npx --no-install eslint --fix .
npx --no-install eslint@8 .
npx --no-install frobnicate
npx --no-install
npx --no -y eslint .
npx --no --ignore-existing eslint .
npx --no -p evil eslint .
npx --no -c 'eslint .'
npx jest --no-install
npm exec --no-install eslint .
npm exec --no eslint --yes
npm exec --no --package evil -- eslint .
pnpm exec -c 'eslint .'
pnpm exec node x.js
bunx --no-install eslint .
yarn run -T eslint .
yarn eslint .
yarn info react
npm outdated
npm install
npm i left-pad
npm ci
npm run build
npm run reboot-tests
npm run test:e2e
npm view react version
npm audit
npm audit fix
npm publish
npm --prefix /tmp/x test
npm test --prefix /tmp/x
npm test --script-shell ./x
npm test --loglevel --script-shell=./x
npm test -- --config evil.js
npm test -- "$x"
npm config set registry http://x
npm version patch
npm exec eslint .
npx eslint .
yarn
yarn build
yarn add x
pnpm add x
pnpm dlx x
bun install
bun index.ts
npm fund react
npm test -- init
npm run test inspect
yarn test -r ./evil.js
yarn run test -r ./evil.js
pnpm test -r ./evil.js
pnpm run test -r ./evil.js
bun run test -r ./evil.js
bun test -u
pnpm query x
pnpm explain react
pnpm fund
pnpm rum test
yarn workspace web build
bun pm version patch
bun pm whoami
yarn deploy --help
yarn start -h
cd /tmp/x && yarn list
pnpm deploy-prod --help
pnpm start --help
bun evil.ts --help
bun outdated
yarn --frozen-lockfile
""",
    "undecided-ask": r"""
npm config get //registry.example.org/:_authToken
npm config get "$x"
yarn config list
npx --no-install ./eslint
npx --no-install @scope/eslint
pnpm config list
bun -e 'x'
""",
    "deny": r"""
npx -c 'rm -rf /'
npm exec -- rm -rf /
pnpm exec rm -rf /
pnpm dlx rm -rf /
pnpm dlx -c 'rm -rf /'
yarn exec rm -rf /
yarn dlx rm -rf /
bun x rm -rf /
bunx rm -rf /
bun -e "require('fs').rmSync('/',{recursive:true})"
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("npm run build", "npm run build"),
        ("yarn build", "yarn build"),
        ("yarn workspace web build", "yarn workspace build"),
        ("pnpm run --filter web dev", "pnpm run dev"),
    ],
)
def test_the_reason_names_the_script(command: str, named: str) -> None:
    found = OfflineJudge(TreeSitterReader())(GateRequest(command))
    assert found.reason == f"{named} runs code that is not judged here."


@pytest.mark.parametrize(
    "twins",
    """
    npm ls --depth=0 | pnpm ls --depth=0 | yarn list --depth=0 | bun pm ls
    npm test | pnpm test | yarn test | bun test
    npm run test | pnpm run test | yarn run test | bun run test
    npm test -- --coverage | pnpm test -- --coverage | yarn test --coverage | bun run test --coverage
    npm -w a test | pnpm --filter a test | yarn workspace a test | bun --filter a test
    npm test -ws | pnpm -r test | yarn workspaces run test
    npm run build | pnpm build | yarn build | bun run build
    npm start | pnpm start | yarn start | bun start
    npm ci | pnpm i --frozen-lockfile | yarn install --immutable | bun install --frozen-lockfile
    npm i x | pnpm add x | yarn add x | bun add x
    npx x | pnpm dlx x | yarn dlx x | bunx x
    npm exec x | pnpm exec x | yarn exec x | bun x y
    npm view x | pnpm view x | yarn info x | bun info x
    npm publish | pnpm publish | yarn publish | bun publish
    npm version patch | pnpm version patch | yarn version --patch | bun pm version patch
    npm config get registry | pnpm config get registry | yarn config get registry
    npm config get _authToken | pnpm config get _authToken | yarn config get npmAuthToken
    npm install --help | pnpm install --help | yarn add --help | bun add --help
""".strip().splitlines(),
)
def test_twins_have_one_verdict(judged: Callable[[str], str], twins: str) -> None:
    assert len({judged(command.strip()) for command in twins.split("|")}) == 1
