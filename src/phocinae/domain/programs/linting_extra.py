"""Linters and formatters of texts, templates and smaller languages, in the modes that only report.

Sources: the manuals of yapf, autopep8, autoflake, docformatter, interrogate, deptry, import-linter,
doc8, djlint, mdformat, pymarkdown, sqlfmt, cmakelang, cspell, htmlhint, commitlint, knip, depcheck,
madge, textlint, StyLua, typos, PHP-CS-Fixer, Pint, Rector, scalafmt, ormolu, elm-format, nixfmt,
alejandra, statix, deadnix, swift-format, SwiftFormat, google-java-format, ktfmt, buildifier,
checkmake, editorconfig-checker, luac, erb_lint, haml-lint and slim-lint, and the rules of
`phocinae.domain.programs.linting`.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .linting import check, check_own, checks
from .outlines import Descriptions, Judge, effect, only_help, outline


def _values(option_names: tuple[str, ...], harmless: str, *, needed: bool) -> Judge:
    """Return a judge for a formatter that writes unless the last of these options has a harmless value."""
    allowed = frozenset(harmless.split())

    def judge(call: Call, usage: Usage) -> Stream | None:
        given = [value.text for value in usage.values(*option_names)]
        if (needed and not given and not only_help(usage)) or not allowed.issuperset(given):
            call.note("changes-files")
        return check(call, usage)

    return judge


def _buildifier(call: Call, usage: Usage) -> Stream | None:
    """It rewrites its files unless the mode says otherwise, and so does a lint that fixes."""
    if any(value.text not in ("warn", "off") for value in usage.values("-lint")):
        call.note("changes-files")
    return _values(("-mode",), "check diff print_if_changed", needed=True)(call, usage)


def _cspell(call: Call, usage: Usage) -> Stream | None:
    if usage.operands[:1] and usage.operands[0].text in ("init", "link"):
        call.note("changes-files")
    return check_own(call, usage)


def _php_fixer(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--dry-run") and not only_help(usage):
        call.note("changes-files")
    return check_own(call, usage)


_PHP = "-h -n -q -v -vv -vvv --ansi --no-ansi --no-interaction --no-progress-bar "
_FIXER = _PHP + (
    "--dry-run --diff --format:text --show-progress:text --stop-on-violation --using-cache:text --rules:text "
    "--allow-risky:text --sequential --path-mode:text"
)

PROGRAMS = Descriptions(
    {
        "yapf": outline(
            "-h -v -d --diff -q --quiet -r --recursive -p --parallel -m --print-modified -vv --verbose -e:text --exclude:text -l:text "
            "--lines:text --no-local-style",
            "read*",
            judge=check,
        ),
        "autopep8": outline(
            "-h -d --diff -r --recursive -a --aggressive -v --verbose --exit-code --max-line-length:text --select:text --ignore:text "
            "--exclude:text -j:text --jobs:text --list-fixes --experimental --indent-size:text --hang-closing",
            "read*",
            judge=check,
        ),
        "autoflake": outline(
            "-h -c --check --check-diff -cd -r --recursive -j:text --jobs:text --exclude:text --imports:text --remove-all-unused-imports "
            "--remove-unused-variables --remove-duplicate-keys --ignore-init-module-imports -q --quiet -v --verbose",
            "scan*",
            judge=checks(only_with=("-c", "--check", "--check-diff", "-cd")),
        ),
        "docformatter": outline(
            "-h -c --check -d --diff -r --recursive -e:text --exclude:text --black --wrap-summaries:text --wrap-descriptions:text --blank",
            "scan*",
            judge=checks(only_with=("-c", "--check")),
        ),
        "interrogate": outline(
            "-h -v -vv --verbose -q --quiet -f:text --fail-under:text -e:path --exclude:path -i --ignore-init-method -I "
            "--ignore-init-module -m --ignore-magic -M -n --ignore-nested-functions -p --ignore-private -s --ignore-semiprivate "
            "--no-color -o:write --output:write",
            "scan*",
            judge=check,
        ),
        "deptry": outline(
            "-h -v --verbose --no-ansi --ignore:text -i:text --per-rule-ignores:text -ee:text --extend-exclude:text --exclude:text "
            "--known-first-party:text -o:write --json-output:write",
            "path*",
            judge=check_own,
        ),
        "lint-imports": outline("-h --verbose -v --no-cache --show-timings --debug --contract:text", judge=check),
        "doc8": outline(
            "-h -q --quiet -v --verbose --max-line-length:text --ignore:text --ignore-path:text --no-sphinx --extension:text",
            "scan*",
        ),
        "sphinx-lint": outline(
            "-h -v --verbose -e:text --enable:text -d:text --disable:text -i:text --ignore:text --list", "scan*"
        ),
        "djlint": outline(
            "-h --check --lint --quiet -e:text --extension:text --profile:text --ignore:text --include:text --exclude:text "
            "--extend-exclude:text --statistics --use-gitignore",
            "scan*",
            judge=check,
        ),
        "mdformat": outline(
            "-h --check --number --wrap:text --end-of-line:text --exclude:text",
            "scan*",
            judge=checks(only_with=("--check",)),
        ),
        "pymarkdown": outline(
            "-h -d:text --disable-rules:text -e:text --enable-rules:text",
            subcommands=Descriptions(
                {"scan": outline("-h -r --recurse -l --list-files", "scan*", judge=check), "version": outline()},
                effect("changes-files"),
            ),
        ),
        "sqlfmt": outline(
            "-h --check --diff -q --quiet -v --verbose -l:text --line-length:text --no-color --exclude:text --fast --safe --no-progressbar",
            "scan*",
            judge=checks(only_with=("--check", "--diff")),
        ),
        "cmake-format cmake-lint": outline(
            "-h -v --check --suppress-decorations --line-width:text --tab-size:text --disabled-codes:text",
            "read*",
            judge=check_own,
        ),
        "cspell": outline(
            "-h -V -v --verbose --no-progress --no-summary --quiet --words-only -u --unique --no-color --color -e:text --exclude:text "
            "--locale:text --language-id:text --dot --gitignore --no-gitignore --show-context --show-suggestions --fail-fast --no-fail-fast "
            "--no-must-find-files --issues --no-issues -c:settings --config:settings",
            "scan*",
            judge=_cspell,
        ),
        "htmlhint": outline("-h -V -l --list --nocolor -w --warn -i:text --ignore:text", "scan*", judge=check_own),
        "commitlint": outline(
            "-h -v -f:text --from:text -t:text --to:text -V --verbose -l --last -q --quiet -c --color -s --strict --from-last-tag "
            "--git-log-args:risk",
            judge=check,
        ),
        "knip": outline(
            "-h --production --strict --include:text --exclude:text --dependencies --exports --files -W:text --workspace:text --no-progress "
            "-n --no-exit-code --max-issues:text --no-gitignore --include-entry-exports --cache --debug -d",
            judge=check,
        ),
        "depcheck": outline(
            "-h --json --oneline --skip-missing?text --ignore-bin-package?text --ignores:text --ignore-dirs:text --ignore-patterns:text -q "
            "--quiet",
            "path",
            judge=check_own,
        ),
        "madge": outline(
            "-h -V -c --circular -l --leaves --orphans -s --summary -j --json -d:text --depends:text -x:text --exclude:text "
            "--extensions:text --no-color --no-spinner --warning --debug",
            "scan*",
            judge=check_own,
        ),
        "textlint": outline(
            "-h -v --quiet --no-color --color --dry-run --stdin --cache --debug", "scan*", judge=check_own
        ),
        "stylua": outline(
            "-h -V -c --check -g:text --glob:text --color:text --verify -s --search-parent-directories -a --allow-hidden --output-format:text",
            "scan*",
            judge=checks(only_with=("-c", "--check")),
        ),
        "typos": outline(
            "-h -V -v --verbose -q --quiet --diff --format:text --exclude:text --hidden --no-ignore --sort --color:text --force-exclude "
            "--files --type-list -j:text --threads:text --locale:text",
            "scan*",
            judge=check,
        ),
        "php-cs-fixer": outline(
            _PHP + "-V",
            subcommands=Descriptions(
                {
                    "fix": outline(_FIXER, "scan*", judge=_php_fixer),
                    "check": outline(_FIXER, "scan*", judge=check_own),
                    "describe list help list-files": outline(_PHP, "text*"),
                },
                effect("changes-files"),
            ),
        ),
        "pint": outline(
            _PHP + "--test --dirty --diff?text --preset:text", "scan*", judge=checks(only_with=("--test",))
        ),
        "rector": outline(
            _PHP + "-V",
            subcommands=Descriptions(
                {
                    "process": outline(
                        _PHP + "--dry-run --clear-cache --no-diffs --debug --only:text --output-format:text",
                        "scan*",
                        judge=_php_fixer,
                    ),
                    "list-rules list help": outline(_PHP, "text*", judge=check),
                },
                effect("changes-files"),
            ),
        ),
        "scalafmt": outline(
            "-h -v --check --test --list -l --quiet --non-interactive --exclude:text --mode:text --diff --diff-branch:text --git:text",
            "scan*",
            judge=checks(only_with=("--check", "--test", "--list", "-l")),
        ),
        "ormolu fourmolu": outline(
            "-h -v -m:text --mode:text --no-cabal --quiet -q -u --unsafe -c --check-idempotence --color:text",
            "read*",
            judge=_values(("-m", "--mode"), "check stdout", needed=False),
        ),
        "elm-format": outline(
            "-h --validate --elm-version:text --stdin", "scan*", judge=checks(only_with=("--validate", "--stdin"))
        ),
        "nixfmt": outline(
            "-h -V -v -c --check -q --quiet -w:text --width:text -s --strict",
            "scan*",
            judge=checks(only_with=("-c", "--check")),
        ),
        "alejandra": outline(
            "-h -V -c --check -q --quiet -e:path --exclude:path", "scan*", judge=checks(only_with=("-c", "--check"))
        ),
        "statix": outline(
            "-h -V",
            subcommands=Descriptions(
                {
                    "check": outline("-h -o:text --format:text -i:text --ignore:text -u --unrestricted", "scan*"),
                    "list dump": outline("-h"),
                },
                effect("changes-files"),
            ),
        ),
        "deadnix": outline("-h -V -f --fail -l -L -_ -q --quiet -o:text --output-format:text --exclude:path", "scan*"),
        "swift-format": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "lint": outline(
                        "-h -r --recursive -p --parallel -s --strict --color-diagnostics --no-color-diagnostics",
                        "scan*",
                        judge=check,
                    ),
                    "dump-configuration": outline("-h"),
                },
                effect("changes-files"),
            ),
        ),
        "swiftformat": outline(
            "-h -v --lint --dryrun --verbose --quiet --strict --lenient --swiftversion:text --rules:text --disable:text --enable:text "
            "--exclude:text --reporter:text",
            "scan*",
            judge=checks(only_with=("--lint", "--dryrun")),
        ),
        "google-java-format ktfmt": outline(
            "-h -v -n --dry-run --set-exit-if-changed -a --aosp --skip-sorting-imports --skip-removing-unused-imports --kotlinlang-style "
            "--google-style --meta-style",
            "scan*",
            judge=checks(only_with=("-n", "--dry-run")),
        ),
        "buildifier": outline(
            "-h -help -v -mode:text -lint:text -warnings:text -type:text -r -d",
            "scan*",
            style=Style.LONG,
            judge=_buildifier,
        ),
        "checkmake": outline("-h --debug --list-rules --format:text", "scan*"),
        "editorconfig-checker ec": outline(
            "-h -help -v -verbose -version -no-color -color -dry-run -exclude:text -format:text -disable-indentation -disable-trim-trailing-whitespace",
            "scan*",
            style=Style.LONG,
        ),
        "luac": outline("-p -l -v", "scan*", judge=checks(only_with=("-p",))),
        "erb_lint erblint": outline(
            "-h -v --lint-all --format:text --enable-linters:text --enable-all-linters --show-linter-names",
            "scan*",
            judge=check_own,
        ),
        "haml-lint slim-lint": outline(
            "-h -v -V -i:text --include-linter:text -x:text --exclude-linter:text -e:text --exclude:text --show-linters --show-reporters "
            "--no-color --color --fail-level:text",
            "scan*",
            judge=check_own,
        ),
    }
)
