"""Test runners of all languages, apart from those that are subcommands of a build tool.

Sources: docs.pytest.org (command-line flags), docs.python.org (unittest, doctest), jestjs.io,
vitest.dev, mochajs.org, playwright.dev, rspec.info, docs.phpunit.de, ctest(1), bats(1),
coverage.readthedocs.io, nox.thea.codes, tox.wiki.

A run of the project's own tests is the project's code; what an option loads from elsewhere,
and tests outside the project, are not.
"""

from __future__ import annotations

import re

from .. import places
from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import CWD, Field, Stream
from .judging import no_lists
from .outlines import (
    Descriptions,
    Judge,
    does,
    effect,
    group,
    only_help,
    options_apart,
    outline,
    project_code,
    runs_project,
)


def own_files(call: Call, words: list[Field]) -> None:
    """Doubt files of code that are not plainly below the directory in which the command runs.

    ``@file`` may stand for all the words in that file (pytest, mypy, the LLVM tools, dotnet and others).
    """
    for word in words:
        path = word.text
        if path.startswith("@"):
            call.note("unclear-word", word)
        if word.static is not None and ".." not in path and path[0:1] not in ("/", "~") and ":/" not in path:
            continue
        full = places.resolve(path, CWD)
        if (
            path.startswith(("/", "~"))
            or (full + "/").startswith(CWD + "/../")
            or not full.startswith(CWD)
            or ":/" in path
        ):
            call.note("runs-code", word)
        elif word.unknown:
            call.note("unclear-word", word)


_SETTINGS = re.compile(
    r"(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini|\.?mypy\.ini|\.?ruff\.toml|\.flake8|\.?pylintrc|\.isort\.cfg|\.coveragerc|\.bandit"
    r"|pyrightconfig\.json|\.sqlfluff|\.(?:yamllint|hadolint|golangci|rubocop|tflint)(?:\.(?:ya?ml|hcl))?"
    r"|\.(?:eslintrc|prettierrc|stylelintrc|mocharc|markdownlint)(?:\.(?:c?js|json|jsonc|ya?ml))?"
    r"|(?:eslint|prettier|jest|vitest|vite|playwright|stylelint)\.config(?:\.[\w-]+)?\.[cm]?[jt]s|jest\.config(?:\.[\w-]+)?\.json"
    r"|biome\.jsonc?|\.oxlintrc\.json|(?:phpunit|\.?phpcs|psalm)\.xml(?:\.dist)?|phpstan\.(?:neon|php)(?:\.dist)?)\Z"
)
"""Files that a project keeps for its tools, and that they find by themselves where they run."""


def settings(call: Call, field: Field) -> None:
    """Doubt settings that are not the project's own by their place and their name."""
    if _SETTINGS.match(field.text.rpartition("/")[2]):
        own_files(call, [field])
    else:
        call.note("not-harmless", field)


def runs_tests(call: Call, usage: Usage) -> None:
    """Keep the hit that the project's code is run, and doubt tests that lie elsewhere."""
    if only_help(usage):
        return
    options_apart(call, usage)
    project_code(call)
    own_files(call, list(usage.operands))


def _tests(call: Call, usage: Usage) -> Stream | None:
    runs_tests(call, usage)
    return None


def _pytest(call: Call, usage: Usage) -> Stream | None:
    runs_tests(call, usage)
    no_lists(call, usage)
    for plugin in usage.values("-p"):
        if not plugin.text.startswith("no:"):
            call.note("runs-code", plugin)
    for report in usage.values("--cov-report"):
        if not report.text.startswith(("term", "skip")) and report.text:
            call.note("writes-file", report, "a report")
    return None


PYTEST = outline(
    "-h -q --quiet -v -vv -vvv --verbose -x --exitfirst --maxfail:text -k:text -m:text -s -l --showlocals --no-showlocals "
    "--tb:text --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --sw-skip --stepwise-skip "
    "--lfnf:text --last-failed-no-failures:text --no-header --no-summary -r:text --capture:text --runxfail --co "
    "--collect-only -p:text --durations:text --durations-min:text --color:text --disable-warnings "
    "--disable-pytest-warnings --strict-markers --strict-config --strict --import-mode:text --markers --fixtures "
    "--fixtures-per-test --setup-show --setup-only --setup-plan --cache-show?text --cache-clear --doctest-modules "
    "--doctest-glob:text --doctest-continue-on-failure --ignore:path --ignore-glob:text --deselect:text --timeout:text "
    "-n:text --numprocesses:text --dist:text --maxprocesses:text --cov?text --cov-report:text --no-cov --cov-branch "
    "--cov-fail-under:text --cov-append --code-highlight:text --show-capture:text --full-trace --trace-config -V "
    "--log-level:text --log-cli-level:text --asyncio-mode:text --benchmark-only --benchmark-skip --benchmark-disable "
    "--reruns:text --random-order --randomly-seed:text --hypothesis-show-statistics --hypothesis-seed:text -W:text "
    "--pythonwarnings:text --junitxml:write --junit-xml:write --log-file:write --basetemp:delete --pastebin:network "
    "--assert:text --collect-in-virtualenv --continue-on-collection-errors --cov-context:text --cov-precision:text --cov-reset "
    "--disable-plugin-autoload --doctest-ignore-import-errors --doctest-report:text --force-short-summary --funcargs "
    "--hypothesis-explain --hypothesis-profile:text --hypothesis-verbosity:text --keep-duplicates --loadscope-reorder "
    "--no-loadscope-reorder --log-auto-indent:text --log-cli-date-format:text --log-cli-format:text --log-date-format:text "
    "--log-disable:text --log-format:text --max-worker-restart:text --maxschedchunk:text --no-fold-skipped --noconftest "
    "--report-chars:text --session-timeout:text --stepwise-reset --sw-reset --testrunuid:text --timeout-method:text --verbosity:text "
    "--xfail-tb --max-warnings:text --anyio-mode:text --reruns-delay:text --only-rerun:text --count:text --forked "
    "--random-order-seed:text --random-order-bucket:text --no-migrations --nomigrations --reuse-db --create-db --disable-socket "
    "--benchmark-enable --benchmark-sort:text --benchmark-columns:text "
    "--snapshot-details --no-cov-on-fail --pdbcls:risk --rootdir:risk -c:settings --config-file:settings --cov-config:settings -o:risk "
    "--override-ini:risk --confcutdir:risk",
    judge=_pytest,
)


def _unittest(call: Call, usage: Usage) -> Stream | None:
    runs_tests(call, usage)
    own_files(call, usage.values("-s", "--start-directory", "-t", "--top-level-directory"))
    return None


UNITTEST = outline(
    "-h -v --verbose -q --quiet -f --failfast -c --catch -b --buffer -k:text --locals --durations:text -s:text "
    "--start-directory:text -p:text --pattern:text -t:text --top-level-directory:text",
    judge=_unittest,
)

_JEST = (
    "-h --help -v --coverage?text --collectCoverage --ci --runInBand -i --watch --watchAll?text --silent?text --verbose?text "
    "--bail?text -b --passWithNoTests -t:text --testNamePattern:text --testPathPattern:text --testPathPatterns:text "
    "--testPathIgnorePatterns:text --onlyChanged -o --onlyFailures -f --changedSince:text --maxWorkers:text -w:text --listTests "
    "--findRelatedTests --no-cache --detectOpenHandles --forceExit --colors --color --noStackTrace --expand -e --json --no-coverage "
    "--logHeapUsage --runTestsByPath --showConfig --clearMocks --resetMocks --randomize --seed:text --shard:text --testTimeout:text "
    "--selectProjects:text --no-colors --debug --errorOnDeprecated --all -c:settings --config:settings"
)
_VITEST = (
    "-h -v --run --watch --no-watch --coverage?text --coverage.enabled?text --reporter:text -t:text --testNamePattern:text --changed?text "
    "--bail:text --passWithNoTests --silent?text --no-color --color --dom --globals --typecheck --typecheck.only --project:text --shard:text "
    "--retry:text --testTimeout:text --hookTimeout:text --allowOnly --pool:text --no-file-parallelism --logHeapUsage --hideSkippedTests "
    "--expandSnapshotDiff --no-isolate --maxWorkers:text --minWorkers:text --environment:text --exclude:text --dir:path -c:settings --config:settings"
)


def _vitest(call: Call, usage: Usage) -> Stream | None:
    """The first word may be ``run``, ``watch``, ``dev``, ``related``, ``bench`` or ``list``; none of them is a path.

    ``init`` installs; any other pool or environment is a module that is loaded.
    """
    own_files(call, usage.values("--dir"))
    if usage.operands[:1] and usage.operands[0].text == "init":
        call.note("installs")
    for kind in (*usage.values("--pool"), *usage.values("--environment")):
        if kind.text not in _VITEST_KINDS:
            call.note("runs-code", kind)
    for report in usage.values("--reporter"):
        if report.text not in (
            "default",
            "verbose",
            "dot",
            "basic",
            "tap",
            "tap-flat",
            "json",
            "tree",
            "agent",
            "hanging-process",
        ):
            call.note("runs-code", report)
    runs_tests(call, usage)
    return None


_VITEST_KINDS = frozenset("threads forks vmThreads vmForks node jsdom happy-dom edge-runtime".split())
_PLAYWRIGHT_REPORTERS = ("list", "line", "dot", "json", "junit", "github", "null")


def _playwright(call: Call, usage: Usage) -> Stream | None:
    """Any other reporter is a module that is loaded, or a report that is written and opened."""
    for reporter in usage.values("--reporter"):
        if reporter.text not in _PLAYWRIGHT_REPORTERS:
            call.note("runs-code", reporter)
    runs_tests(call, usage)
    return None


def _ctest(call: Call, usage: Usage) -> Stream | None:
    own_files(call, usage.values("--test-dir"))
    if usage.has("-V"):  # it makes ctest verbose
        project_code(call)
    runs_tests(call, usage)
    return None


def _rspec(call: Call, usage: Usage) -> Stream | None:
    """Any other format is a class that is loaded."""
    for word in usage.values("-f", "--format"):
        if word.text not in ("d", "doc", "documentation", "p", "progress", "j", "json", "h", "html", "f", "failures"):
            call.note("runs-code", word)
    own_files(call, usage.values("-P", "--pattern"))
    runs_tests(call, usage)
    return None


_MOCHA = (
    "-h -V --bail -b --reporter:text -R:text --grep:text -g:text --fgrep:text -f:text --invert -i --timeout:text -t:text --slow:text -s:text "
    "--recursive --colors --color -c --no-color --exit --forbid-only --forbid-pending --check-leaks --full-trace --parallel -p -j:text --jobs:text "
    "--retries:text --dry-run --list-reporters --list-interfaces --allow-uncaught --inline-diffs --diff --no-diff -C -u:text --ui:text --spec:text "
    "--ignore:text --extension:text --pass-on-failing-test-suite --config:settings"
)
_REPORTERS = frozenset("spec dot nyan tap landing list progress json json-stream min doc markdown html".split())


def _subcommand(*names: str) -> Judge:
    """Return a judge for a runner of tests that does something else if its first word is one of `names`."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if usage.operands[:1] and usage.operands[0].text in names:
            call.note("runs-code", usage.operands[0])
        return _tests(call, usage)

    return judge


def _mocha(call: Call, usage: Usage) -> Stream | None:
    """Any other reporter or interface is a module that is loaded; ``init`` writes, ``inspect`` opens a debugger."""
    for word in (*usage.values("-R", "--reporter"), *usage.values("-u", "--ui")):
        if word.text not in _REPORTERS | {"bdd", "tdd", "exports", "qunit"}:
            call.note("runs-code", word)
    own_files(call, usage.values("--spec"))
    return _subcommand("init", "inspect", "debug")(call, usage)


def _coverage_debug(call: Call, usage: Usage) -> Stream | None:
    """``coverage debug sys`` prints variables of the environment as well."""
    if any(word.text == "sys" for word in usage.operands):
        call.note("prints-secret")
    return None


def _coverage_run(call: Call, usage: Usage) -> Stream | None:
    """``coverage run -m pytest`` runs the project's tests; any other module or script is code."""
    words = list(usage.operands)
    if usage.has("-m", "--module") and words and words[0].text in ("pytest", "unittest"):
        known = PYTEST if words[0].text == "pytest" else UNITTEST
        return call.described(known(), words[1:])
    return does("runs-code")(call, usage)


_COVERAGE = Descriptions(
    {
        "run": outline(
            "-h -m --module --branch --source:text --source-pkgs:text --include:text --omit:text -p --parallel-mode -a --append -L --pylib "
            "--timid --concurrency:text --context:text --save-signal:text --rcfile:settings",
            judge=_coverage_run,
            style=Style.POSIX,
        ),
        "report": outline(
            "-h -m --show-missing --skip-covered --no-skip-covered --skip-empty --fail-under:text -i --ignore-errors --include:text "
            "--omit:text --sort:text --precision:text --format:text -q --quiet --contexts:text --data-file:scan --keep-combined --rcfile:settings",
            "path*",
        ),
        "debug": outline("-h", judge=_coverage_debug),
        "help": outline("-h", "text"),
        "html xml json lcov annotate combine erase": effect(
            "changes-files", "-h -d:write --directory:write -o:write -q"
        ),
    }
)


def _environments(*listing: str) -> Judge:
    """Return a judge for a runner that makes environments, which installs, unless it only lists them."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        listed = usage.has(*listing) or [word.text for word in usage.operands] == ["list"]  # of tox
        return runs_project(call, usage) if listed else does("runs-code")(call, usage)

    return judge


PROGRAMS = Descriptions(
    {
        "pytest": PYTEST,
        "py.test": PYTEST,
        "jest": outline(_JEST, judge=_tests),
        "vitest": outline(_VITEST, judge=_vitest),
        "mocha": outline(_MOCHA, judge=_mocha),
        "ava": outline(
            "-h -v --verbose -m:text --match:text -c:text --concurrency:text -T:text --timeout:text -s --serial -t --tap --fail-fast --no-color --color",
            judge=_subcommand("debug", "reset-cache"),
        ),
        "rspec": outline(
            "-h -v --fail-fast?text --no-fail-fast -b --backtrace --color --no-color --force-color -p?text --profile?text --no-profile --dry-run "
            "-e:text --example:text -E:text --example-matches:text -t:text --tag:text -P:text --pattern:text --exclude-pattern:text "
            "--next-failure --only-failures -n --order:text --seed:text -w --warnings -f:text --format:text",
            judge=_rspec,
        ),
        "phpunit": outline(
            "-h --testdox --filter:text --group:text --exclude-group:text --testsuite:text --list-suites --list-tests --list-groups "
            "--stop-on-failure --stop-on-error --stop-on-defect --colors?text --no-progress --no-output --no-coverage --display-deprecations "
            "--display-warnings --display-notices --display-errors -v --verbose --debug --fail-on-warning --fail-on-risky --order-by:text "
            "--random-order --no-logging --strict-coverage --testdox-summary --coverage-text -c:settings --configuration:settings",
            judge=_tests,
        ),
        "pest": outline(
            "-h --filter:text --group:text --testsuite:text --bail --parallel --compact --ci --colors?text --list-tests",
            judge=_tests,
        ),
        "ctest": outline(
            "-h -N --show-only -V -VV --verbose --extra-verbose --output-on-failure --stop-on-failure -j?text --parallel?text -R:text "
            "--tests-regex:text -E:text --exclude-regex:text -L:text --label-regex:text -LE:text -I:text -Q --quiet --progress -F "
            "--rerun-failed --repeat:text --timeout:text --test-dir:text -C:text --build-config:text --print-labels --no-tests:text "
            "--schedule-random --resource-spec-file:scan",
            judge=_ctest,
        ),
        "bats": outline(
            "-h -v -c --count -f:text --filter:text -j:text --jobs:text -p --pretty -r --recursive -t --tap -T --timing --print-output-on-failure",
            judge=_tests,
        ),
        "coverage": outline("-h", subcommands=_COVERAGE),
        "coverage3": outline("-h", subcommands=_COVERAGE),
        "tox": outline(
            "-h -l --listenvs -a --listenvs-all -e:text -r --recreate -p?text --parallel?text -q -v -vv --notest --skip-pkg-install -x:risk",
            judge=_environments("-l", "--listenvs", "-a", "--listenvs-all"),
        ),
        "nox": outline(
            "-h -l --list --list-sessions -s:text --sessions:text -e:text -r -R --reuse-existing-virtualenvs -f:risk -k:text -t:text -p:text --python:text -v",
            judge=_environments("-l", "--list", "--list-sessions"),
        ),
        "playwright": outline(
            "-h -V",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h --grep:text -g:text --grep-invert:text --headed --project:text --workers:text -j:text --reporter:text --retries:text "
                        "--list -x --max-failures:text --last-failed --quiet --timeout:text --pass-with-no-tests --forbid-only --repeat-each:text "
                        "--shard:text -c:settings --config:settings",
                        judge=_playwright,
                    ),
                },
                effect("runs-code", "-h"),
            ),
        ),
        "cypress": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "verify info version help": outline("-h"),
                    "cache": group({"list path": outline("-h --size")}, "-h", otherwise=effect("changes-files")),
                },
                effect("runs-code"),
            ),
        ),
    }
)
