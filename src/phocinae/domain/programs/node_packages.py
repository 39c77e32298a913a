"""Package managers of Node: npm, pnpm, yarn, bun and their runners.

Sources: docs.npmjs.com (npm CLI), pnpm.io, classic.yarnpkg.com and yarnpkg.com, bun.sh/docs.
``test`` and ``test:unit`` are the scripts whose names say what they do; every other script
is code that nobody vouches for.  A folder or a settings file from elsewhere makes it other code.
npm takes options behind a script's name for its own, up to ``--``; the others pass them to the script.
"""

from __future__ import annotations

import re

from ..calls import Call, joined
from ..knowledge import Style
from ..usage import Usage
from ..values import Field, Stream
from .outlines import (
    Descriptions,
    Judge,
    always,
    effect,
    gets_setting,
    group,
    no_project,
    only_help,
    options_apart,
    outline,
    project_code,
)

_QUIET = (
    "-h -s --silent --if-present --ignore-scripts --no-audit --no-fund --no-color --color?text --loglevel?text -d -dd "
    "--verbose -q --quiet --json --long -l -p --parseable --no-update-notifier --progress?text --no-progress "
)
_LIST = _QUIET + "--depth:text -a --all -g --global --prod --production --dev --omit:text --include:text --link "
"--only:text -r -P -D -O "
_TEST_WORD = re.compile(
    r"(?:--(?:coverage|watch=false|watchAll=false|no-watch|runInBand|silent|verbose|bail|run|ci|no-coverage|passWithNoTests"
    r"|coverage=(?:true|false)|reporter=(?:dot|spec|default|verbose|line)|browsers=ChromeHeadless|testNamePattern=.*|testPathPattern=.*|grep=.*|maxWorkers=\w+)"
    r"|-[itbgh]|--help|--|[^-].*)\Z",
    re.S,
)
_TESTS = frozenset(["test", "test:unit"])
_ACTS = frozenset(["init", "inspect", "debug"])
"""Words that some test runners take for a subcommand which is no test run."""
_SECRET_KEY = re.compile(r"(?i).*(?:auth|token|passw|secret|cert|key)")


def _is_test_word(word: Field) -> bool:
    """Return whether a word that is passed on to the project's test script is known to be harmless."""
    text = word.static
    if text is None or text in _ACTS or text.startswith(("/", "~", "..", "@")):
        return False
    return _TEST_WORD.match(text) is not None


def _test_script(call: Call, words: list[Field]) -> None:
    project_code(call)
    for word in words:
        if not _is_test_word(word):
            call.note("unknown-option" if word.text.startswith("-") else "unclear-word", word)


def _test(call: Call, usage: Usage) -> Stream | None:
    if not only_help(usage):
        _test_script(call, list(usage.operands))
    return None


def _run(call: Call, usage: Usage) -> Stream | None:
    """``run`` lists the scripts, or runs the one that is named."""
    if not usage.operands or only_help(usage):
        return None
    _script(call, list(usage.operands))
    return None


def _script(call: Call, words: list[Field]) -> None:
    """Weigh the run of the script that the first word names, with the other words."""
    if words[0].text in _TESTS:
        _test_script(call, words[1:])
    else:
        call.note("runs-code", words[0], f"{call.name} {words[0].text}")


def _in_workspace(call: Call, usage: Usage) -> Stream | None:
    """``yarn workspace name script`` and ``yarn workspace name run script``."""
    words = [word for word in usage.operands[1:] if word.text != "run"]
    if words:
        _script(call, words)
    return None


def _execute(rule: str) -> Judge:
    """Return a judge for what fetches a package and runs it; the words are judged as a command for its denials."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if only_help(usage):
            return None
        call.note(rule)
        texts = usage.values("-c", "--call")
        for text in texts:
            call.shell(text)
        if usage.has("-c", "--shell-mode") and not texts:  # pnpm's flag
            call.shell(joined(list(usage.operands), call.word))
        elif usage.operands:
            call.run(list(usage.operands))
        return None

    return judge


_WHERE = frozenset(
    "-s --silent -q --quiet -w --workspace --workspaces -ws --include-workspace-root -r --recursive --filter -F --parallel "
    "--if-present".split()
)


def _execute_installed(*unless: str) -> Judge:
    """Return a judge for what runs a program of an installed package, and fetches none if it has an option of `unless`.

    Without any `unless` it never fetches (pnpm.io, "exec").  With ``--no``, which ``--no-install`` stands for,
    npm gives up where a package is missing (npm-exec(1), npx(1) "Compatibility with Older npx Versions").
    """
    fetches = _execute("runs-code")

    def judge(call: Call, usage: Usage) -> Stream | None:
        name = usage.operands[0].text if usage.operands else ""
        if not _BINARY.match(name) or not usage.names <= _WHERE.union(unless) or (unless and not usage.has(*unless)):
            return fetches(call, usage)
        project_code(call)  # a package of the project may have the name of any program
        return call.run(list(usage.operands))

    return judge


_BINARY = re.compile(r"[a-zA-Z][\w.-]*\Z", re.A)
"""The name of a program, and no folder, address or version of a package."""


def _fund(call: Call, usage: Usage) -> Stream | None:
    """With a package named it opens a browser."""
    if usage.operands or usage.has("--which"):
        call.note("runs-code")
    return None


def _version(call: Call, usage: Usage) -> Stream | None:
    if usage.operands:
        call.note("changes-repository")
    return None


def _audit(call: Call, usage: Usage) -> Stream | None:
    call.note("installs" if usage.operands[:1] and usage.operands[0].text == "fix" else "uses-network")
    return None


_CONFIG = {
    "get": outline(_QUIET, judge=gets_setting(_SECRET_KEY)),
    "set delete unset edit fix": effect("changes-files", "-g --global --location:text -h"),
}
_NPM_CONFIG = group({**_CONFIG, "list ls": outline(_QUIET)}, _QUIET)
_PNPM_CONFIG = group({**_CONFIG, "list ls": effect("prints-secret", _QUIET)}, _QUIET)
"""npm leaves tokens out of its list; not all versions of the others do."""
_installs = effect(
    "installs",
    _QUIET + "-D --save-dev -S --save -O --save-optional -E --save-exact --no-save -g --global --legacy-peer-deps "
    "--force -f "
    "--omit:text --include:text --frozen-lockfile --no-frozen-lockfile --prefer-offline --offline --production --prod "
    "-P "
    "--dev --exact --registry:network --tag:text -w:text --workspace:text --workspaces -W "
    "--ignore-workspace-root-check "
    "--fix-lockfile --prefix:risk --package-lock-only --no-package-lock --immutable --latest -L -i --interactive -r "
    "--recursive --access:text --otp:text --dry-run",
)
_online = effect(
    "uses-network", _QUIET + "--registry:network -g --global --depth:text --audit-level:text --omit:text --prod"
)
_runs = effect("runs-code", _QUIET)
_OTHER_SCRIPT = always("runs-code")
_workspace = "-w?text --workspace?text --workspaces -ws --include-workspace-root -r --recursive --filter?text -F?text "
_test_outline = outline(_QUIET + _workspace, judge=_test)
_passing_test = outline(style=Style.NONE, judge=_test)
_passing_run = outline(
    _QUIET + "-r --recursive --filter:text -F:text -w --workspace-root --parallel --stream --bun",
    style=Style.POSIX,
    judge=_run,
)

_NPM = {
    "test t tst": _test_outline,
    "run run-script rum urn": outline(_QUIET + _workspace, judge=_run),
    "ls list la ll": outline(_LIST + _workspace, "text*"),
    "explain why": outline(_QUIET + _workspace, "text*"),
    "query": outline(_QUIET + _workspace, "text"),
    "root bin prefix": outline(_QUIET + "-g --global"),
    "help": outline(_QUIET, "text*"),
    "help-search": outline(_QUIET, "text*"),
    "version": outline("-h", judge=_version),
    "config c": _NPM_CONFIG,
    "get": outline(_QUIET, judge=gets_setting(_SECRET_KEY)),
    "pkg": group({"get": outline(_QUIET + _workspace, "text*")}, _QUIET, otherwise=effect("changes-files")),
    "fund": outline(_QUIET + _workspace + "--which:text --no-browser --unicode", judge=_fund),
    "pack": effect("changes-files", "--dry-run --pack-destination:write"),
    "cache": group({"verify ls": _online}, otherwise=effect("changes-files")),
    "completion": outline("-h"),
    "install i in ins inst add isntall ci clean-install ic install-test it install-ci-test cit uninstall un rm r "
    "remove "
    "unlink update up upgrade udpate dedupe ddp prune link ln rebuild rb init create innit shrinkwrap set": _installs,
    "audit": outline(_QUIET + "--audit-level:text --omit:text --production --fix --package-lock-only", judge=_audit),
    "view info show v outdated search find s se ping whoami doctor access owner team token org hook profile star stars "
    "unstar docs repo bugs home issues diff sbom login logout adduser": _online,
    "publish unpublish deprecate undeprecate dist-tag": effect(
        "publishes", _QUIET + "--access:text --tag:text --otp:text --dry-run"
    ),
    "exec x": outline(
        _QUIET + _workspace + "-y --yes --no --no-install -c:text --call:text --package:text",
        judge=_execute_installed("--no"),
    ),
    "start stop restart edit explore": _runs,
}
_NPM_ONLY = ("test t tst", "run run-script rum urn", "explain why", "query", "fund", "help-search", "exec x")
"""What npm does by these names; pnpm runs a script or a program of the project by a name that it does not know."""
_PNPM = {
    **{names: described for names, described in _NPM.items() if names not in _NPM_ONLY},
    "test t tst test:unit": _passing_test,
    "run run-script": _passing_run,
    "config c": _PNPM_CONFIG,
    "ls list la ll": outline(_LIST + _workspace + "--lockfile-only --only-projects", "text*"),
    "why": outline(_LIST + _workspace, "text*"),
    "licenses": group({"list ls": outline(_QUIET + "--prod -P --dev -D")}),
    "install i add import fetch remove rm uninstall un update up upgrade link ln unlink rebuild rb prune dedupe "
    "create init "
    "setup patch patch-commit patch-remove deploy self-update env approve-builds": _installs,
    "start stop restart": _OTHER_SCRIPT,
    "dlx": outline(_QUIET + "--package:text -c --shell-mode", style=Style.POSIX, judge=_execute("runs-code")),
    "exec": outline(_QUIET + _workspace + "-c --shell-mode --parallel", style=Style.POSIX, judge=_execute_installed()),
    "store": group({"path status": outline(_QUIET)}, otherwise=effect("changes-files")),
}
_YARN = {
    "test test:unit": _passing_test,
    "run": _passing_run,
    "list": outline(_LIST + "--pattern:text", "text*"),
    "why": outline(_QUIET + "-R --recursive --peers", "text*"),
    "bin": outline(_QUIET + "-v --verbose", "text"),
    "versions help": outline(_QUIET, "text*"),
    "workspace": outline(_QUIET, style=Style.POSIX, judge=_in_workspace),
    "workspaces": group({"info list": outline(_QUIET + "-v -R --recursive"), "run": _passing_run}, otherwise=_runs),
    "config": group(
        {"list": effect("prints-secret", _QUIET), "get": outline(_QUIET, judge=gets_setting(_SECRET_KEY))},
        _QUIET,
        otherwise=effect("changes-files"),
    ),
    "check": outline(_QUIET + "--integrity --verify-tree"),
    "info": _online,
    "outdated audit licenses search login logout npm owner team tag": _online,
    "install add remove upgrade up upgrade-interactive link unlink global import create init dedupe autoclean set "
    "plugin cache "
    "rebuild policies patch patch-commit unplug": _installs,
    "publish": effect("publishes", _QUIET),
    "dlx exec": outline(_QUIET + "-p:text --package:text", style=Style.POSIX, judge=_execute("runs-code")),
    "start pack build node": _OTHER_SCRIPT,
}


def _yarn(call: Call, usage: Usage) -> Stream | None:
    """``yarn`` without words installs; which yarn it is may be set beside the project."""
    no_project(call)
    if not usage.operands and not only_help(usage) and not usage.has("-v"):
        call.note("installs")
    return None


def _bun(call: Call, usage: Usage) -> Stream | None:
    for code in usage.values("-e", "--eval", "-p", "--print"):
        call.source_code(code)
    if [word.text for word in usage.operands if word.text != "run"][:1] == ["-"]:
        call.feed(call.stdin, call.word, "code")
    return None


def _pnpm(call: Call, usage: Usage) -> Stream | None:
    options_apart(call, usage)
    return None


_BUN = {
    "test": outline(
        "-h -t:text --test-name-pattern:text --timeout:text --bail?text --coverage --only --todo --rerun-each:text",
        judge=_test,
    ),
    "test:unit": _passing_test,
    "run": _passing_run,
    "pm": group(
        {
            "ls bin cache hash version": outline("-h -g --global --all -a"),
            "pkg": group({"get": outline("-h", "text*")}, "-h", otherwise=effect("changes-files")),
            "whoami": _online,
        },
        "-h",
        otherwise=_installs,
    ),
    "install i add a remove rm update link unlink create c init upgrade patch": _installs,
    "outdated info audit why": _online,
    "publish": effect("publishes", "-h"),
    "x": outline("-h --bun --silent -p:text --package:text", style=Style.POSIX, judge=_execute("runs-code")),
    "build repl exec": effect("runs-code", "-h"),
}


_TOP = "-v -h --silent -s -q --quiet --no-color --color?text "

PROGRAMS = Descriptions(
    {
        "npm": outline(
            _TOP + "--prefix:risk -C:risk -g --global -w:text --workspace:text --workspaces -ws --if-present",
            subcommands=Descriptions(_NPM),
        ),
        "pnpm": outline(
            _TOP
            + "-C:risk --dir:risk -r --recursive --filter:text -F:text -w --workspace-root --parallel --stream --if-present "
            "--no-bail --reporter:text --workspace-concurrency:text",
            subcommands=Descriptions(_PNPM, _OTHER_SCRIPT),
            judge=_pnpm,
        ),
        "yarn": outline(_TOP + "--cwd:risk", subcommands=Descriptions(_YARN, _OTHER_SCRIPT), judge=_yarn),
        "yarnpkg": outline(_TOP + "--cwd:risk", subcommands=Descriptions(_YARN, _OTHER_SCRIPT), judge=_yarn),
        "npx": outline(
            "-h -v -y --yes --no --no-install -q --quiet -p:text --package:text -c:text --call:text --ignore-existing",
            style=Style.POSIX,
            judge=_execute_installed("--no", "--no-install"),
        ),
        "pnpx": outline("-h -v --package:text", style=Style.POSIX, judge=_execute("runs-code")),
        "bunx": outline("-h -v --bun -p:text --package:text", style=Style.POSIX, judge=_execute("runs-code")),
        "bun": outline(
            "-v -h --revision --filter:text -F:text -e:text --eval:text -p:text --print:text --silent",
            subcommands=Descriptions(_BUN, _OTHER_SCRIPT),
            judge=_bun,
        ),
        "corepack": outline("-h -v", judge=_execute("installs")),
    }
)
