"""Tools of single languages that build, test and fetch packages: dotnet, swift, mix, bundler, composer and their like.

Sources: learn.microsoft.com (dotnet CLI), the Swift package manager, hexdocs.pm (mix),
bundler.io, getcomposer.org, dart.dev, docs.flutter.dev, docs.haskellstack.org, cabal.readthedocs.io.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .outlines import Descriptions, always, effect, group, only_help, options_apart, outline, project_code, runs_project
from .testing import own_files


def _dotnet_test(call: Call, usage: Usage) -> Stream | None:
    runs_project(call, usage)
    options_apart(call, usage)
    own_files(call, list(usage.operands))
    for logger in usage.values("-l", "--logger"):
        if not logger.text.startswith("console"):
            call.note("writes-file", logger, "a report")
    for word in usage.operands:
        if "=" in word.text:  # a run setting, which may name adapters to load
            call.note("not-harmless", word)
    return None


def _dotnet_help(call: Call, usage: Usage) -> Stream | None:
    """With a command named it opens a browser."""
    if usage.operands:
        call.note("runs-code")
    return None


def _dotnet_format(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--verify-no-changes") and not only_help(usage):
        call.note("changes-files")
    own_files(call, [word for word in usage.operands if word.text not in ("whitespace", "style", "analyzers")])
    return runs_project(call, usage)


def _nuget_locals(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-l", "--list") or usage.has("-c", "--clear"):
        call.note("changes-files")
    return None


def _tests(call: Call, usage: Usage) -> Stream | None:
    runs_project(call, usage)
    options_apart(call, usage)
    own_files(call, list(usage.operands))
    return None


def _mix_format(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--check-formatted", "--dry-run") and not only_help(usage):
        call.note("changes-files")
    return None


def _dart_format(call: Call, usage: Usage) -> Stream | None:
    outputs = [value.text in ("none", "show", "json") for value in usage.values("-o", "--output")]
    if not (outputs and all(outputs)) and not only_help(usage):
        call.note("changes-files")
    return None


def _mix_credo(call: Call, usage: Usage) -> Stream | None:
    if usage.operands and usage.operands[0].text.startswith("gen."):
        call.note("changes-files")
    return runs_project(call, usage)


def _mix_xref(call: Call, usage: Usage) -> Stream | None:
    """The format ``dot`` is written to a file (hexdocs.pm, mix xref)."""
    for kind in usage.values("--format"):
        if kind.text not in ("plain", "pretty", "stats", "cycles"):
            call.note("writes-file", shown="a file of that format")
    return runs_project(call, usage)


def _bundle_get(call: Call, usage: Usage) -> Stream | None:
    """Credentials are settings whose names are addresses or hosts (bundle-config(1))."""
    for word in usage.operands:
        if word.text.lower() not in _BUNDLE_SETTINGS:
            call.note("prints-secret", word)
    return None


_BUNDLE_SETTINGS = frozenset(
    "path without with jobs retry bin frozen deployment clean specific_platform force_ruby_platform".split()
)


def _bundle(call: Call, usage: Usage) -> Stream | None:
    """``bundle`` without words installs."""
    if not usage.operands and not usage.names:
        call.note("installs")
    return None


def _bundle_config(call: Call, usage: Usage) -> Stream | None:
    """Without words it lists all settings, credentials among them."""
    if not usage.operands and not only_help(usage):
        call.note("prints-secret")
    return None


def _bundle_exec(call: Call, usage: Usage) -> Stream | None:
    return call.run(list(usage.operands)) if usage.operands else None


def _composer_test(call: Call, usage: Usage) -> Stream | None:
    runs_project(call, usage)
    for word in usage.operands:
        call.note("unclear-word", word)
    return None


def _composer_run(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands:
        return None
    if usage.operands[0].text == "test" and len(usage.operands) == 1:
        project_code(call)
    else:
        call.note("runs-code")
    return None


_COMPOSER = "-h -q -v -vv -vvv --quiet --verbose -n --no-interaction --ansi --no-ansi --no-plugins --no-scripts "
_BUNDLE = "-h --no-color --verbose "
_DOTNET = "-h -v:text --verbosity:text --nologo "

PROGRAMS = Descriptions(
    {
        "dotnet": outline(
            "-h --info --list-sdks --list-runtimes -d --diagnostics",
            subcommands=Descriptions(
                {
                    "test": outline(
                        _DOTNET
                        + "--no-build --no-restore -c:text --configuration:text -f:text --framework:text --filter:text -l:text --logger:text "
                        "-t --list-tests -r:text --runtime:text -a:text --arch:text --os:text --tl?text",
                        judge=_dotnet_test,
                    ),
                    "list": outline(_DOTNET + "--include-transitive --format:text", "text text"),
                    "sln solution": group({"list": outline(_DOTNET)}, "-h", otherwise=effect("changes-files")),
                    "help": outline(_DOTNET, judge=_dotnet_help),
                    "build run publish pack msbuild watch exec fsi script vstest": effect(
                        "runs-code", _DOTNET + "--no-restore -c:text -o:write"
                    ),
                    "tool": group(
                        {"list": outline(_DOTNET + "-g --global --local --tool-path:path --format:text", "text")},
                        "-h",
                        otherwise=effect("installs", _DOTNET),
                    ),
                    "workload": group(
                        {"list": outline(_DOTNET)}, "-h --version", otherwise=effect("installs", _DOTNET)
                    ),
                    "new": group(
                        {
                            "list": outline(
                                _DOTNET + "--language:text -lang:text --type:text --tag:text --author:text", "text"
                            )
                        },
                        "-h",
                        otherwise=effect("installs", _DOTNET),
                    ),
                    "nuget": group(
                        {
                            "locals": outline(
                                _DOTNET + "-l --list -c --clear --force-english-output", "text", judge=_nuget_locals
                            )
                        },
                        "-h",
                        otherwise=effect("installs", _DOTNET),
                    ),
                    "restore add remove sdk": effect("installs", _DOTNET),
                    "format": outline(
                        _DOTNET
                        + "--verify-no-changes --no-restore --include:text --exclude:text --severity:text --diagnostics:text "
                        "--exclude-diagnostics:text --include-generated",
                        judge=_dotnet_format,
                    ),
                    "clean store": effect("changes-files", _DOTNET),
                },
                always("runs-code"),
            ),
        ),
        "swift": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h -v --verbose --filter:text --skip:text --parallel --list-tests -l --enable-code-coverage -c:text --configuration:text -q --quiet",
                        judge=runs_project,
                    ),
                    "package": group(
                        {
                            "describe": outline("-h --type:text", judge=runs_project),
                            "show-dependencies": outline("-h --format:text", judge=runs_project),
                            "dump-package": outline("-h", judge=runs_project),
                        },
                        "-h",
                        otherwise=effect("installs"),
                    ),
                    "build run repl": effect("runs-code"),
                },
                always("runs-code"),
            ),
        ),
        "mix": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h --only:text --exclude:text --include:text --failed --stale --trace --seed:text --max-failures:text --cover --color --no-color --slowest:text --warnings-as-errors --max-cases:text",
                        judge=_tests,
                    ),
                    "format": outline("-h --check-formatted --check-equivalent --dry-run", "scan*", judge=_mix_format),
                    "help": outline("-h", "text", judge=runs_project),
                    "credo": outline("-h --strict --format:text --all -a", "text*", judge=_mix_credo),
                    "dialyzer": outline("-h --format:text --quiet", judge=runs_project),
                    "xref": outline(
                        "-h --format:text --label:text --source:text --sink:text", "text*", judge=_mix_xref
                    ),
                    "deps.tree app.tree": outline("-h --only:text", "text", judge=runs_project),
                    "deps": outline("-h --all", judge=runs_project),
                    "deps.get deps.update deps.clean local.hex archive.install": effect("installs"),
                },
                always("runs-code"),
            ),
        ),
        "bundle bundler": outline(
            _BUNDLE + "-v",
            subcommands=Descriptions(
                {
                    "exec": outline(_BUNDLE, style=Style.POSIX, judge=_bundle_exec),
                    "list": outline(
                        _BUNDLE + "--name-only --paths --without-group:text --only-group:text", judge=runs_project
                    ),
                    "show info": outline(_BUNDLE + "--paths --path --version", "text", judge=runs_project),
                    "check": outline(_BUNDLE + "--dry-run", judge=runs_project),
                    "config": group(
                        {"list": effect("prints-secret", _BUNDLE), "get": outline(_BUNDLE, judge=_bundle_get)},
                        _BUNDLE,
                        otherwise=effect("changes-files"),
                        judge=_bundle_config,
                    ),
                    "env": effect("prints-secret", _BUNDLE),
                    "platform version help": outline(_BUNDLE + "--ruby", "text", judge=runs_project),
                    "outdated": effect("uses-network", _BUNDLE),
                    "install update add remove lock init gem cache package clean": effect("installs", _BUNDLE),
                    "open console doctor": effect("runs-code", _BUNDLE),
                },
            ),
            judge=_bundle,
        ),
        "composer": outline(
            _COMPOSER + "-V -d:risk --working-dir:risk",
            subcommands=Descriptions(
                {
                    "show info": outline(
                        _COMPOSER
                        + "-i --installed --tree -t -s --self -D --direct -N --name-only -P --path -p --platform --format:text -f:text",
                        "text text",
                        judge=runs_project,
                    ),
                    "validate": outline(
                        _COMPOSER + "--strict --no-check-all --no-check-publish --no-check-lock",
                        "scan",
                        judge=runs_project,
                    ),
                    "licenses check-platform-reqs status depends why prohibits why-not about fund help list": outline(
                        _COMPOSER + "--format:text -t --tree -r --recursive", "text*", judge=runs_project
                    ),
                    "test": outline(_COMPOSER, judge=_composer_test),
                    "run-script run": outline(_COMPOSER + "-l --list --timeout:text", judge=_composer_run),
                    "outdated audit search browse home diagnose": effect("uses-network", _COMPOSER),
                    "install i update u upgrade require r remove rm create-project init global self-update dump-autoload dumpautoload reinstall bump": effect(
                        "installs", _COMPOSER + "--no-dev --dev"
                    ),
                    "exec": outline(_COMPOSER, style=Style.POSIX, judge=_bundle_exec),
                    "config archive clear-cache clearcache": effect("changes-files", _COMPOSER),
                },
                always("runs-code"),
            ),
        ),
        "flutter": outline(
            "-h -v --verbose",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h --coverage --name:text --plain-name:text -r:text --reporter:text --no-pub -j:text",
                        judge=_tests,
                    ),
                    "analyze": outline("-h --no-pub --fatal-infos --no-fatal-infos --fatal-warnings", judge=_tests),
                    "pub": effect("installs"),
                    "build run create clean compile fix doc upgrade doctor devices config": effect("runs-code", "-h"),
                },
                always("runs-code"),
            ),
        ),
        "dart": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h -n:text --name:text -N:text --plain-name:text -r:text --reporter:text -t:text -x:text -j:text",
                        judge=_tests,
                    ),
                    "analyze": outline("-h --fatal-infos --fatal-warnings --no-fatal-warnings", judge=_tests),
                    "format": outline(
                        "-h -o:text --output:text --set-exit-if-changed -l:text --line-length:text",
                        "scan*",
                        judge=_dart_format,
                    ),
                    "pub": effect("installs"),
                    "build run create clean compile fix doc upgrade doctor devices config": effect("runs-code", "-h"),
                },
                always("runs-code"),
            ),
        ),
        "stack cabal": outline(
            "-h -V --numeric-version",
            subcommands=Descriptions(
                {
                    "test": outline("-h --fast", judge=_tests),
                    "path": outline("-h", "text"),
                    "build install run exec clean init new list update": effect("runs-code", "-h"),
                },
                always("runs-code"),
            ),
        ),
    }
)
