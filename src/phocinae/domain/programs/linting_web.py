"""Linters, type checkers and formatters of the web's languages, in the modes that only report.

Sources: eslint.org, prettier.io, typescriptlang.org (tsc), stylelint.io, biomejs.dev,
oxc.rs, jshint.com, standardjs.com, and the rules of `phocinae.domain.programs.linting`.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .linting import check, check_own, sole_formats
from .outlines import Descriptions, effect, mixed, only_help, outline
from .testing import own_files

_PARSERS = frozenset(
    "babel babel-flow babel-ts flow typescript espree meriyah acorn css less scss json json5 jsonc json-stringify graphql markdown mdx "
    "vue yaml html angular lwc glimmer".split()
)


def _eslint(call: Call, usage: Usage) -> Stream | None:
    """The settings beside a file hold code, also where the file is only named."""
    own_files(call, usage.values("--print-config", "--stdin-filename"))
    return sole_formats(*_ESLINT_FORMATS)(call, usage)


def _prettier(call: Call, usage: Usage) -> Stream | None:
    """Any other parser is a module that is loaded; the settings beside a file hold code."""
    for parser in usage.values("--parser"):
        if parser.text not in _PARSERS:
            call.note("runs-code", parser)
    own_files(call, usage.values("--file-info", "--find-config-path", "--stdin-filepath"))
    return check_own(call, usage)


def _svelte(call: Call, usage: Usage) -> Stream | None:
    own_files(call, usage.values("--workspace"))
    return check(call, usage)


def _tsc(call: Call, usage: Usage) -> Stream | None:
    """Without ``--noEmit`` the compiler writes; ``--showConfig`` and ``--all`` only print.

    A boolean option takes a word behind it that reads ``false``, so ``--noEmit false`` does write.
    """
    whole = mixed(call, _TSC_OPTIONS(), list(call.args))
    if only_help(whole) or whole.has("-v", "-showConfig", "-all"):
        return None
    pairs = zip(call.args, call.args[1:], strict=False)
    negated = [word for option, word in pairs if option.text.lstrip("-") == "noEmit" and word.text in ("false", "null")]
    values = [value for option, value in whole.options if option.name == "-noEmit" and value is not None]
    if not whole.has("-noEmit") or negated or any(value.text != "true" for value in values):
        call.note("changes-files")
        return None
    return check(call, whole)


_ESLINT = (
    "-h -v --ext:text --quiet --max-warnings:text --no-error-on-unmatched-pattern --color --no-color -f:text --format:text --debug "
    "--report-unused-disable-directives --report-unused-disable-directives-severity:text --no-inline-config --no-ignore "
    "--ignore-pattern:text --rule:text --global:text --env:text --env-info --print-config:text --no-warn-ignored --stdin "
    "--stdin-filename:text --cache --cache-strategy:text --exit-on-fatal-error --pass-on-no-patterns --no-eslintrc --stats "
    "-o:write --output-file:write --cache-location:write -c:settings --config:settings"
)
_PRETTIER = (
    "-h -v -c --check -l --list-different --no-color --color --log-level:text --loglevel:text --ignore-unknown -u --no-config "
    "--no-editorconfig --parser:text --print-width:text --tab-width:text --use-tabs --no-semi --single-quote --jsx-single-quote "
    "--quote-props:text --trailing-comma:text --no-bracket-spacing --bracket-same-line --arrow-parens:text --prose-wrap:text "
    "--end-of-line:text --file-info:text --support-info --find-config-path:text --no-error-on-unmatched-pattern "
    "--stdin-filepath:text --ignore-path:scan --with-node-modules --html-whitespace-sensitivity:text --check-ignore-pragma "
    "--config:settings --config-precedence:text"
)
_TSC = (
    "-h -v -noEmit?text -p:text -project:text -strict?text -skipLibCheck?text -pretty?text -watch -w -listFiles -listFilesOnly -showConfig "
    "-all -target:text -t:text -module:text -m:text -moduleResolution:text -jsx:text -lib:text -esModuleInterop?text -allowJs?text "
    "-checkJs?text -noUnusedLocals?text -noUnusedParameters?text -noImplicitAny?text -resolveJsonModule?text -isolatedModules?text "
    "-diagnostics -extendedDiagnostics -explainFiles -traceResolution -noErrorTruncation -types:text "
    "-outDir:write -outFile:write -declarationDir:write -tsBuildInfoFile:write -generateTrace:write -generateCpuProfile:write"
)
_ESLINT_FORMATS = (
    "stylish",
    "json",
    "compact",
    "unix",
    "html",
    "checkstyle",
    "junit",
    "tap",
    "visualstudio",
    "jslint-xml",
    "json-with-metadata",
)

_TSC_OPTIONS = outline(_TSC, style=Style.LONG)

PROGRAMS = Descriptions(
    {
        "eslint": outline(_ESLINT, "scan*", judge=_eslint),
        "prettier": outline(_PRETTIER, "read*", judge=_prettier),
        "tsc vue-tsc": outline(_TSC, style=Style.LONG, judge=_tsc),
        "svelte-check": outline(
            "-h --output:text --fail-on-warnings --threshold:text --no-tsconfig --compiler-warnings:text --workspace:path",
            judge=_svelte,
        ),
        "stylelint": outline(
            "-h -v -f:text --formatter:text --quiet -q --color --no-color --max-warnings:text --mw:text --allow-empty-input --aei --ignore-pattern:text --report-needless-disables --rd --print-config --config:settings -c:settings",
            "scan*",
            judge=sole_formats("compact", "github", "json", "string", "tap", "unix", "verbose"),
        ),
        "biome": outline(
            "-h -V",
            subcommands=Descriptions(
                {
                    "check lint ci": outline(
                        "-h --colors:text --verbose --max-diagnostics:text --diagnostic-level:text --reporter:text --changed --staged --since:text --skip-errors --error-on-warnings --no-errors-on-unmatched --only:text --skip:text",
                        "scan*",
                        judge=check_own,
                    ),
                    "format": outline("-h --colors:text --verbose", "scan*", judge=check),
                    "version explain rage": outline("-h", "text"),
                },
                effect("changes-files"),
            ),
        ),
        "oxlint": outline(
            "-h -V -q --quiet -D:text -W:text -A:text --deny:text --warn:text --allow:text --max-warnings:text --deny-warnings -f:text --format:text --import-plugin --react-plugin --ignore-pattern:text --silent -c:settings --config:settings",
            "scan*",
            judge=check_own,
        ),
        "markdownlint": outline(
            "-h -V --ignore:text -i:text --disable:text --enable:text --dot -j --json -q --quiet -c:settings --config:settings",
            "scan*",
            judge=check_own,
        ),
        "jshint": outline("-h --verbose --show-non-errors --exclude:text --extract:text", "scan*", judge=check_own),
        "standard": outline("-h -v --verbose --env:text --global:text", "scan*", judge=check_own),
    }
)
