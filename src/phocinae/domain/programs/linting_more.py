"""Linters and formatters of Ruby, PHP, Go, Rust, C and other languages, in the modes that only report.

Sources: docs.rubocop.org, phpstan.org, the wiki of PHP_CodeSniffer, psalm.dev,
golangci-lint.run, staticcheck.dev, gofmt(1), rustfmt(1), clang-format(1), clang-tidy(1),
cppcheck(1) and their like, and the rules of `phocinae.domain.programs.linting`.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .judging import no_lists
from .linting import check, check_own, checks, sole_formats
from .outlines import Descriptions, effect, group, outline
from .testing import own_files, settings

_KTLINT_WRITES = frozenset(
    "installGitPreCommitHook installGitPrePushHook generateEditorConfig applyToIDEA applyToIDEAProject".split()
)
_PHPCS_STANDARDS = frozenset("PSR1 PSR2 PSR12 PEAR Squiz Zend Generic MySource".split())
_PHPCS_REPORTS = frozenset("full summary source json xml csv junit checkstyle emacs info code diff".split())
_VALE_ACTS = frozenset("sync fix install host-install host-uninstall compile run tag transform test".split())


_rubocop_formats = sole_formats(
    *"p progress s simple c clang e emacs j json h html fi files o offenses q quiet w worst t tap github g junit ju fu fuubar m markdown".split()
)


def _rubocop(call: Call, usage: Usage) -> Stream | None:
    """The settings beside a file name code, also where the file is only named."""
    own_files(call, usage.values("-s", "--stdin"))
    return _rubocop_formats(call, usage)


def _ktlint(call: Call, usage: Usage) -> Stream | None:
    for word in usage.operands:
        if word.text in _KTLINT_WRITES:
            call.note("changes-files", word)
    return check(call, usage)


def _phpcs(call: Call, usage: Usage) -> Stream | None:
    """Any other standard or report may be a file of code."""
    for names, known in ((("--standard",), _PHPCS_STANDARDS), (("--report",), _PHPCS_REPORTS)):
        for value in usage.values(*names):
            if names == ("--standard",) and value.text.endswith((".xml", ".xml.dist")):
                settings(call, value)
            elif not known.issuperset(value.text.split(",")):
                call.note("runs-code", value)
    return check(call, usage)


def _vale(call: Call, usage: Usage) -> Stream | None:
    for word in usage.operands[:1]:
        if word.text in _VALE_ACTS:
            call.note("installs", word)
    for style in usage.values("--output"):
        if style.text not in ("CLI", "line", "JSON"):  # a template, which can print the environment
            call.note("not-harmless", style)
    return None


def _clang_format(call: Call, usage: Usage) -> Stream | None:
    """A style may be a file, whose faults are shown."""
    for style in usage.values("--style", "-style"):
        kind, _, path = style.text.partition(":")
        if kind == "file" and path:
            call.read(style.with_text(path))
    no_lists(call, usage)
    return None


def _clang_tidy(call: Call, usage: Usage) -> Stream | None:
    """The folder behind ``-p`` says how the files are compiled."""
    own_files(call, usage.values("-p"))
    return check(call, usage)


def _swiftlint(call: Call, usage: Usage) -> Stream | None:
    """Without a subcommand it lints."""
    return None if usage.operands else check(call, usage)


PROGRAMS = Descriptions(
    {
        "rubocop": outline(
            "-h -v -V --only:text --except:text --format:text -f:text -D --display-cop-names -E --extra-details -S --display-style-guide -L "
            "--list-target-files -l --lint --fail-level:text -F --fail-fast -P --parallel --no-parallel --color --no-color -d --debug --cache:text "
            "--force-exclusion --ignore-parent-exclusion --show-cops?text --disable-pending-cops --enable-pending-cops -s:text --stdin:text -c:settings --config:settings",
            "scan*",
            judge=_rubocop,
        ),
        "standardrb": outline("-h -v --format:text", "scan*", judge=sole_formats("progress", "simple", "json")),
        "reek": outline("-h -v --sort-by:text -s --single-line --no-color", "scan*", judge=check),
        "brakeman": outline("-h -v -q --quiet -A -w:text --no-pager --summary --no-summary", "scan", judge=check_own),
        "phpstan": outline(
            "-h -V -n -q -v --ansi --no-ansi",
            subcommands=Descriptions(
                {
                    "analyse analyze": outline(
                        "-h -l:text --level:text --no-progress --debug --error-format:text --memory-limit:text -n -q -v -vv -vvv --ansi --no-ansi --xdebug -c:settings --configuration:settings",
                        "scan*",
                        judge=check,
                    )
                }
            ),
        ),
        "phpcs": outline(
            "-h -s -n -p -v -q -i -e --colors --no-colors --extensions:text --ignore:text --severity:text --tab-width:text --parallel:text "
            "--standard?text --report?text --warning-severity:text --error-severity:text",
            "scan*",
            judge=_phpcs,
        ),
        "psalm": outline(
            "-h -v --no-cache --show-info?text --stats --threads:text --no-progress --output-format:text --monochrome -c:settings --config:settings",
            "scan*",
            judge=check,
        ),
        "golangci-lint": outline(
            "-h -v --color:text",
            subcommands=Descriptions(
                {
                    "run": outline(
                        "-h -v --verbose --timeout:text --enable:text -E:text --disable:text -D:text --enable-all --disable-all --fast --tests --new --new-from-rev:text --issues-exit-code:text --max-issues-per-linter:text --max-same-issues:text --concurrency:text -j:text --color:text --allow-parallel-runners --build-tags:text --default:text --show-stats -c:settings --config:settings",
                        "scan*",
                        judge=check_own,
                    ),
                    "linters version help": outline("-h -v --short", "text"),
                    "config": group({"path": outline("-h")}, "-h", otherwise=effect("uses-network")),
                },
                effect("changes-files"),
            ),
        ),
        "staticcheck": outline(
            "-h -checks:text -tests -f:text -go:text -tags:text -explain:text -show-ignored -version",
            "scan*",
            style=Style.LONG,
            judge=check,
        ),
        "gofmt": outline("-l -d -e -s -h -r:text", "read*", style=Style.LONG),
        "goimports": outline("-l -d -e -v -h -local:text", "read*", style=Style.LONG),
        "gofumpt": outline("-l -d -e -extra -h -lang:text", "read*", style=Style.LONG),
        "rustfmt": outline(
            "-h -V --check -l --files-with-diff --edition:text --color:text -v -q --quiet --verbose --skip-children",
            "scan*",
            judge=checks(only_with=("--check",)),
        ),
        "clang-format": outline(
            "-h -n --dry-run -Werror --Werror --style:text -style:text --fallback-style:text --lines:text --offset:text --length:text --verbose --dump-config --sort-includes --assume-filename:text --ferror-limit:text -list-ignored",
            "read*",
            judge=_clang_format,
        ),
        "clang-tidy": outline(
            "-h -p:text --checks:text -checks:text --header-filter:text --warnings-as-errors:text --quiet --list-checks --explain-config --dump-config --use-color --system-headers",
            "scan*",
            judge=_clang_tidy,
        ),
        "cppcheck": outline(
            "-h -q --quiet -v --verbose --enable:text --disable:text --suppress:text --std:text --language:text -x:text --platform:text --inline-suppr --force -f --error-exitcode:text -j:text -I:text -D:text -U:text --max-configs:text --template:text --inconclusive --check-level:text --errorlist --doc --xml",
            "scan*",
            judge=check,
        ),
        "cpplint": outline(
            "-h --filter:text --linelength:text --extensions:text --recursive --quiet --verbose:text --counting:text --exclude:text --root:text --output:text",
            "scan*",
        ),
        "hlint": outline("-h -V -j?text --ignore:text --color?text --json -s --show -q", "scan*", judge=check),
        "ktlint": outline("-h -V --color --relative --limit:text -l:text", "scan*", judge=_ktlint),
        "swiftlint": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "lint": outline("-h --strict --quiet --reporter:text --lenient", "scan*", judge=check),
                    "rules version": outline("-h", "text"),
                },
                effect("changes-files"),
            ),
            judge=_swiftlint,
        ),
        "tflint": outline(
            "-h -v --format:text -f:text --recursive --minimum-failure-severity:text --no-color -c:settings --config:settings",
            judge=check,
        ),
        "vale": outline(
            "-h -v --minAlertLevel:text --output:text --glob:text --ext:text --no-wrap --no-exit", "scan*", judge=_vale
        ),
        "jsonlint": outline("-h -v -q --quiet -c --compact -s --sort-keys", "read*"),
        "taplo": outline(
            "-h -V --colors:text",
            subcommands=Descriptions(
                {
                    "lint check": outline("-h", "scan*"),
                    "format fmt": outline("-h --check --diff", "scan*", judge=checks(only_with=("--check",))),
                },
                effect("changes-files"),
            ),
        ),
        "luacheck": outline(
            "-h -v -q -qq --std:text --globals:text --ignore:text --only:text --no-color --codes --no-max-line-length --max-line-length:text",
            "scan*",
            judge=check,
        ),
    }
)
