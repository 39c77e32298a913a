"""Linters, type checkers and formatters that only report: Python, shells and data files.

Sources: docs.astral.sh/ruff, mypy.readthedocs.io, black.readthedocs.io, pycqa.github.io/isort,
flake8.pycqa.org, pylint.readthedocs.io, microsoft.github.io/pyright, shellcheck(1), shfmt(1),
yamllint.readthedocs.io and their like.

Most load plugins and settings of the project, so a plain run counts as the project's code;
an option that names plugins, formatters or files to write is not listed, or carries a role,
and so does one that names settings.  A formatter is harmless only in the mode that reports.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .judging import no_lists
from .outlines import Descriptions, Judge, does, effect, group, only_help, options_apart, outline, project_code
from .testing import own_files


def checks(*, only_with: tuple[str, ...] = ()) -> Judge:
    """Return a judge for what reports on files of the project, if one of the options `only_with` says so."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if only_help(usage):
            return None
        options_apart(call, usage)
        no_lists(call, usage)
        for word in usage.operands:
            if word.text.startswith("-") and word.text != "-":
                call.note("unclear-word", word)
        project_code(call)
        if only_with and not usage.has(*only_with):
            call.note("changes-files")
        return None

    return judge


check = checks()


def check_own(call: Call, usage: Usage) -> Stream | None:
    """Judge a linter that loads the code in the settings beside the files that it is given."""
    own_files(call, list(usage.operands))
    return check(call, usage)


def sole_formats(*harmless: str) -> Judge:
    """Return a judge for a linter whose other output formats are modules that are loaded."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        for word in usage.values("-f", "--format", "--formatter", "--output-format"):
            if word.text not in harmless:
                call.note("runs-code", word)
        return check_own(call, usage)

    return judge


_RUFF = (
    "-h -q --quiet -s --silent -v --verbose --select:text --ignore:text --extend-select:text --extend-ignore:text --exclude:text "
    "--extend-exclude:text --line-length:text --target-version:text --preview --no-preview --output-format:text --statistics -e "
    "--exit-zero --exit-non-zero-on-fix --no-cache -n --no-fix --show-files --show-settings --respect-gitignore --force-exclude "
    "--per-file-ignores:text --extend-per-file-ignores:text --fixable:text --unfixable:text --extend-fixable:text --extension:text "
    "--cache-dir:write --config:settings --ignore-noqa --isolated --color:text --stdin-filename:text --diff --no-unsafe-fixes -w --watch --show-source --show-fixes --unsafe-fixes -o:write --output-file:write"
)
_BLACK = (
    "-h --check --diff --color --no-color -l:text --line-length:text -t:text --target-version:text --pyi --ipynb -S "
    "--skip-string-normalization -C --skip-magic-trailing-comma --preview --unstable --fast --safe -q --quiet -v --verbose "
    "--include:text --exclude:text --extend-exclude:text --force-exclude:text --workers:text -W:text --no-cache --line-ranges:text "
    "--stdin-filename:text --required-version:text --config:settings"
)
_ISORT = (
    "-h -c --check --check-only --diff -d --profile:text -q --quiet -v --verbose -l:text --line-length:text --color --sl --fss "
    "--float-to-top --skip:text -s:text --skip-glob:text --sg:text --gitignore --skip-gitignore --py:text --python-version:text -p:text "
    "--project:text --src:text -j:text --jobs:text --filter-files -m:text --multi-line:text --tc --trailing-comma --settings-file:settings --settings-path:settings --sp:settings"
)
_FLAKE8 = (
    "-h -v -q --quiet --count --exclude:text --extend-exclude:text --filename:text --select:text --extend-select:text --ignore:text "
    "--extend-ignore:text --per-file-ignores:text --max-line-length:text --max-doc-length:text --max-complexity:text --statistics "
    "--show-source --no-show-source --format:text -j:text --jobs:text --exit-zero --color:text --benchmark --disable-noqa --hang-closing "
    "--indent-size:text --doctests --isolated --bug-report --require-plugins:text --stdin-display-name:text --config:settings --append-config:settings"
)
_PYLINT = (
    "-h -E --errors-only -d:text --disable:text -e:text --enable:text -f:text --output-format:text -r:text --reports:text -s:text "
    "--score:text -j:text --jobs:text --max-line-length:text --ignore:text --ignore-patterns:text --ignore-paths:text --fail-under:text "
    "--fail-on:text --list-msgs --list-msgs-enabled --help-msg:text --py-version:text -v --verbose --recursive:text --msg-template:text "
    "--min-similarity-lines:text --max-args:text --persistent:text --list-groups --list-extensions --list-conf-levels --confidence:text --rcfile:settings"
)
_MYPY = (
    "-h -v --verbose --strict --no-strict-optional --ignore-missing-imports --no-incremental --show-error-codes --hide-error-codes "
    "--pretty --no-pretty --show-column-numbers --show-error-context --show-error-end --show-absolute-path --no-error-summary "
    "--error-summary --no-color-output --color-output --disallow-untyped-defs --disallow-incomplete-defs --check-untyped-defs "
    "--disallow-any-generics --disallow-untyped-calls --disallow-subclassing-any --warn-unused-ignores --warn-redundant-casts "
    "--warn-return-any --warn-unreachable --warn-unused-configs --no-implicit-optional --no-implicit-reexport --strict-equality "
    "--exclude:text --exclude-gitignore --follow-imports:text --python-version:text --platform:text --explicit-package-bases "
    "--namespace-packages --no-namespace-packages --no-site-packages --scripts-are-modules --skip-version-check --show-traceback "
    "--tb -p:text --package:text -m:text --module:text --disable-error-code:text --enable-error-code:text --always-true:text "
    "--always-false:text --sqlite-cache --strict-bytes --extra-checks --local-partial-types --allow-redefinition --fast-exit "
    "--soft-error-limit:text --output:text -O:text --stats --no-warn-no-return --disallow-any-expr --disallow-any-explicit "
    "--disallow-any-unimported --disallow-any-decorated --disallow-untyped-decorators --follow-untyped-imports "
    "--allow-redefinition-new --allow-redefinition-old --allow-untyped-globals --deprecated-calls-exclude:text "
    "--enable-incomplete-feature:text --implicit-optional --implicit-reexport --no-silence-site-packages --no-strict-bytes "
    "--num-workers:text -n:text --report-deprecated-as-note --show-error-code-links --hide-error-code-links "
    "--skip-cache-mtime-checks --strict-equality-for-none --untyped-calls-exclude:text --warn-incomplete-stub "
    "--cache-fine-grained --no-fixed-format-cache --find-occurrences:text --cache-dir:write --allow-untyped-defs "
    "--allow-incomplete-defs --allow-untyped-calls --allow-any-generics --allow-subclassing-any --no-check-untyped-defs "
    "--no-warn-unused-ignores --no-warn-redundant-casts --no-warn-return-any --no-warn-unreachable --no-strict-equality "
    "--show-error-code --hide-column-numbers --hide-error-context --incremental --config-file:settings"
)


def _yamllint(call: Call, usage: Usage) -> Stream | None:
    """``-d`` holds settings, which may extend those of another file, or names a set of its own."""
    for settings in usage.values("-d"):
        if settings.text not in ("relaxed", "default"):
            call.note("not-harmless", settings)
    return check(call, usage)


def _ansible_lint(call: Call, usage: Usage) -> Stream | None:
    """It installs what the project requires first, unless it is told to stay offline."""
    if not usage.has("--offline") and not only_help(usage):
        call.note("installs")
    return check_own(call, usage)


_ruff = Descriptions(
    {
        "check": outline(_RUFF, "scan*", judge=check),
        "format": outline(
            _RUFF + " --check --range:text --exit-non-zero-on-format",
            "scan*",
            judge=checks(only_with=("--check", "--diff")),
        ),
        "rule config linter version help": outline("-h --all --output-format:text", "text"),
        "clean server": effect("changes-files"),
        "analyze": group({"graph": outline("-h --direction:text --preview", "scan*", judge=check)}),
    },
    outline(_RUFF, "scan*", judge=check),
)

PROGRAMS = Descriptions(
    {
        "ruff": outline("-h -q --quiet -v --verbose -s --silent --isolated --color:text -V", subcommands=_ruff),
        "black": outline(_BLACK, "scan*", judge=checks(only_with=("--check", "--diff"))),
        "isort": outline(_ISORT, "scan*", judge=checks(only_with=("-c", "--check", "--check-only", "--diff", "-d"))),
        "flake8": outline(_FLAKE8, "scan*", judge=check),
        "pylint": outline(
            _PYLINT, "scan*", judge=sole_formats("text", "colorized", "parseable", "json", "json2", "msvs", "github")
        ),
        "mypy": outline(_MYPY + " -V", "scan*", judge=check),
        "dmypy": outline(
            "-h",
            subcommands=Descriptions({"status check": outline("-h", "scan*", judge=check)}, effect("changes-system")),
        ),
        "pyright": outline(
            "-h -v --version --outputjson --stats --verbose --warnings --level:text --pythonversion:text --pythonplatform:text --dependencies "
            "--skipunannotated --threads?text -p:settings --project:settings",
            "scan*",
            judge=check,
        ),
        "basedpyright": outline(
            "-h -v --outputjson --stats --verbose --warnings --level:text --pythonversion:text", "scan*", judge=check
        ),
        "ty": outline(
            "-h -V",
            subcommands=Descriptions(
                {
                    "check": outline(
                        "-h -v -q --output-format:text --error-on-warning --exit-zero", "scan*", judge=check
                    ),
                    "version": outline(),
                }
            ),
        ),
        "pyflakes": outline("-h", "scan*"),
        "pycodestyle": outline(
            "-h -v -q --first --exclude:text --filename:text --select:text --ignore:text --show-source --statistics --count --max-line-length:text --max-doc-length:text",
            "scan*",
        ),
        "pydocstyle": outline(
            "-h -v -d -s -e --explain --source --count --convention:text --select:text --ignore:text --match:text --match-dir:text",
            "scan*",
        ),
        "vulture": outline(
            "-h --exclude:text --ignore-names:text --ignore-decorators:text --min-confidence:text --sort-by-size -v",
            "scan*",
        ),
        "bandit": outline(
            "-h -r --recursive -l -ll -lll -i -ii -iii -q --quiet -v -n:text -s:text --skip:text -t:text --tests:text -x:text --exclude:text -f:text --format:text -a:text --severity-level:text --confidence-level:text --exit-zero -c:settings --configfile:settings",
            "scan*",
        ),
        "codespell": outline(
            "-h -s --summary -S:text --skip:text -L:text --ignore-words-list:text -q:text --quiet-level:text -f --check-filenames -H --check-hidden -c --count -d --disable-colors",
            "scan*",
        ),
        "yamllint": outline(
            "-h -f:text --format:text -s --strict --no-warnings --list-files -v -d:text -c:settings --config-file:settings",
            "scan*",
            judge=_yamllint,
        ),
        "radon": outline(
            "-h -v",
            subcommands=Descriptions(
                {"cc mi raw hal": outline("-h -a -s -n:text -x:text -e:text --exclude:text -i:text --json -j", "scan*")}
            ),
        ),
        "pre-commit": outline(
            "-h -V",
            subcommands=Descriptions(
                {"validate-config validate-manifest": outline("-h", "scan*"), "help": outline("-h", "text")},
                effect("runs-code", "-a --all-files --files --hook-stage:text -v"),
            ),
        ),
        "lint-staged": outline("-h -v", judge=does("runs-code")),
        "ansible-lint": outline(
            "-h -q -v -p --parseable -x:text --exclude:text --offline --strict -L -T -f:text",
            "scan*",
            judge=_ansible_lint,
        ),
        "sqlfluff": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "lint": outline(
                        "-h --dialect:text -d:text -v --nocolor --format:text -f:text --rules:text --exclude-rules:text --config:settings",
                        "scan*",
                        judge=check_own,
                    ),
                    "rules dialects version": outline("-h"),
                },
                effect("changes-files"),
            ),
        ),
        "shellcheck": outline(
            "-a --check-sourced -C?text --color?text -i:text --include:text -e:text --exclude:text --extended-analysis:text -f:text --format:text --list-optional --norc -o:text --enable:text -P:text --source-path:text -s:text --shell:text -S:text --severity:text -V -W:text --wiki-link-count:text -x --external-sources -h",
            "scan*",
            safe_options=True,
        ),
        "shfmt": outline(
            "-h -d --diff -l --list -s --simplify -i:text --indent:text -bn -ci -sr -kp -fn -ln:text --language-dialect:text -p --posix -f --find -tojson --to-json",
            "read*",
        ),
        "hadolint": outline(
            "-h -v -V -f:text --format:text --ignore:text -t:text --failure-threshold:text --no-fail --no-color --error:text --warning:text --info:text --style:text -c:settings --config:settings",
            "scan*",
            judge=check,
        ),
        "actionlint": outline(
            "-color -no-color -oneline -verbose -debug -ignore:text -version", "scan*", style=Style.LONG, judge=check
        ),
    }
)
