"""Build tools: their runs of the project's tests, their queries, and everything else as code.

Sources: the GNU make manual, cmake(1), ninja(1), the manuals of Maven, Gradle, dotnet,
swift, mix, rake, bundler, composer, bazel, meson, just and task.  A build runs commands that
nobody sees here, so only what is by its name a test run of the project is its code.
"""

from __future__ import annotations

import re

from attrs import evolve

from .. import effects
from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import Field, Stream
from .outlines import (
    Descriptions,
    Judge,
    does,
    effect,
    only_help,
    options_apart,
    outline,
    phrases,
    project_code,
    runs_project,
)
from .testing import own_files

_SHELL_CALL = re.compile(r"\$[({]shell ([^\n]*)")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*[:?+!]{0,3}=")


def _makefile_text(call: Call, text: Field) -> None:
    """Judge the shell text in a piece of a makefile: recipes behind ``;`` or a tab, and ``$(shell ...)``."""
    content = text.text.replace("$$", "$")
    for inner in _SHELL_CALL.findall(content)[:20]:
        call.shell(text.with_text(inner.rstrip().removesuffix(")").removesuffix("}")))
    for line in content.split("\n")[:50]:
        recipe = line[1:] if line.startswith("\t") else line.partition(";")[2]
        if recipe.strip():
            call.shell(text.with_text(recipe.strip().lstrip("@-+")))


def _make(call: Call, usage: Usage) -> Stream | None:
    """Even ``-n`` runs the lines marked with ``+`` and every ``$(shell ...)``."""
    if only_help(usage) or usage.has("-v"):
        return None
    call.note("runs-code")
    for file in usage.values("-f", "--file", "--makefile") or [call.word.with_text("Makefile")]:
        for content in call.contents(file):
            if content.taint:
                call.feed(content, file, "code")
            _makefile_text(call, file.with_text(content.text or ""))
        if file.text in ("-", "/dev/stdin", "/dev/fd/0"):
            call.feed(call.stdin, file, "code")
            _makefile_text(call, file.with_text(call.stdin.text or ""))
    for text in usage.values("-E", "--eval"):
        _makefile_text(call, text)
    for word in usage.operands:
        _make_setting(call, word)
    return None


def _make_setting(call: Call, word: Field) -> None:
    """Weigh ``NAME=value``: make expands ``$(shell ...)`` in it, and runs what some names hold."""
    setting = _ASSIGNMENT.match(word.text)
    if setting is None:
        return
    value = word.with_text(word.text[setting.end() :])
    _makefile_text(call, value)
    if setting.group().rstrip(":?+!=") in ("SHELL", "MAKE", "CC", "CXX", "LD", "AR", "RM"):
        call.names_program(value)


def _cmake(call: Call, usage: Usage) -> Stream | None:
    """``-N`` shows the cache and configures nothing; topics of help are printed, or written to a file that is named."""
    if only_help(usage) or not call.args:
        return None
    names = usage.names
    if call.args[0].text == "-E":
        _cmake_tool(call, list(call.args[1:]))
    elif not (
        (names <= _CMAKE_VIEW and "-N" in names)
        or names == {"--list-presets"}
        or (len(usage.options) == 1 and usage.options[0][0].name.startswith("--help-") and not usage.operands)
    ):
        call.note("runs-code")
    return None


_CMAKE_VIEW = frozenset(["-N", "-L", "-LA", "-LH", "-LAH"])
_CMAKE_HELP = (
    "--help-full --help-manual-list --help-command-list --help-module-list --help-policy-list --help-property-list "
    "--help-variable-list --help-manual:text --help-command:text --help-module:text --help-policy:text "
    "--help-property:text --help-variable:text"
)


def _cmake_tool(call: Call, words: list[Field]) -> None:
    """``cmake -E``: a set of commands on files that are the same on every platform."""
    name = words[0].text if words else ""
    rest = [word for word in words[1:] if not word.text.startswith("-")]
    if name in ("echo", "echo_append", "capabilities", "true", "false", "sleep", "compare_files", ""):
        return
    if name in ("cat", "sha256sum", "md5sum", "sha1sum", "sha512sum", "sha224sum", "sha384sum"):
        for word in rest:
            call.read(word, prints=name == "cat")
    elif name == "environment":
        call.note("prints-secret")
    elif name in ("rm", "remove", "remove_directory"):
        options = {word.text for word in words[1:]} - {word.text for word in rest}
        recursive = name == "remove_directory" or any("r" in option.lower() for option in options)
        for word in rest:
            effects.delete(call.walker, word, call.state, recursive=recursive)
    elif name in ("copy", "copy_directory", "copy_if_different", "rename", "touch", "make_directory", "create_symlink"):
        if name.startswith("copy"):
            for word in rest[:-1]:
                call.read(word)
        call.note("changes-files")
        for word in rest[-1:]:
            call.take(Role.WRITE, word)
    elif name in ("env", "time", "chdir"):
        call.note("runs-code")
        command = [word for word in words[1 if name != "chdir" else 2 :] if "=" not in word.text and word.text != "--"]
        call.run(command)
    else:
        call.note("not-harmless", words[0])


def _tasks(harmless: str, *, quiet: str = "") -> Judge:
    """Return a judge for a tool whose operands are tasks: `harmless` ones run the project's tests, `quiet` ones only print."""
    tests, prints = frozenset(harmless.split()), frozenset(quiet.split())

    def judge(call: Call, usage: Usage) -> Stream | None:
        if only_help(usage) or usage.has("-v"):
            return None
        options_apart(call, usage)
        project_code(call)
        if not usage.operands:
            call.note("runs-code")
        for word in usage.operands:
            task = word.text.rpartition(":")[2] if word.text.startswith(":") else word.text
            if task not in tests | prints:
                call.note("runs-code", word, f"{call.name} {word.text}")
        return None

    return judge


_MAVEN_PROPERTIES = frozenset(
    "test it.test skipITs skipUTs skipTests failIfNoTests surefire.failIfNoSpecifiedTests surefire.useFile surefire.printSummary "
    "surefire.rerunFailingTestsCount maven.test.skip maven.test.failure.ignore trimStackTrace groups excludedGroups style.color "
    "checkstyle.skip spotbugs.skip pmd.skip enforcer.skip jacoco.skip spotless.check.skip rat.skip verbose includes excludes "
    "org.slf4j.simpleLogger.defaultLogLevel".split()
)


def _maven(call: Call, usage: Usage) -> Stream | None:
    own_files(call, usage.values("-f", "--file"))
    for setting in usage.values("-D", "--define"):
        if setting.text.partition("=")[0] not in _MAVEN_PROPERTIES:
            call.note("not-harmless", setting)
    return _tasks(
        "test surefire:test checkstyle:check spotless:check",
        quiet="dependency:tree dependency:list help:effective-pom help:active-profiles",
    )(call, usage)


_GRADLE_TESTS = "test check unitTest testDebugUnitTest testReleaseUnitTest lint ktlintCheck detekt spotlessCheck"
_GRADLE_QUERIES = "tasks projects dependencies help components buildEnvironment dependencyInsight outgoingVariants resolvableConfigurations javaToolchains"


def _gradle(call: Call, usage: Usage) -> Stream | None:
    """``properties`` prints those of the user's own settings as well, passwords among them."""
    own_files(call, usage.values("-p", "--project-dir"))
    for word in usage.operands:
        if word.text.rpartition(":")[2] == "properties":
            call.note("prints-secret", word)
    return _tasks(_GRADLE_TESTS, quiet=_GRADLE_QUERIES)(call, usage)


_SBT_TEST = re.compile(r"(?:[\w-]+/)?(?:test|testOnly|testQuick)(?: +[\w.*$][\w.*$-]*)*\Z")


def _sbt(call: Call, usage: Usage) -> Stream | None:
    """A word is a whole command, such as ``testOnly *Spec``; what follows ``--`` goes to the test framework."""
    if only_help(usage):
        return None
    project_code(call)
    if not usage.operands:
        call.note("runs-code")
    for word in usage.operands:
        if word.static is None or not _SBT_TEST.match(word.static):
            call.note("runs-code", word, f"{call.name} {word.text}")
    return None


def _rake_tests(call: Call, usage: Usage) -> Stream | None:
    """``TEST=file`` and ``SPEC=file`` choose one file of tests."""
    chosen = [word for word in usage.operands if word.text.startswith(("TEST=", "SPEC="))]
    own_files(call, [word.with_text(word.text.partition("=")[2]) for word in chosen])
    rest = tuple(word for word in usage.operands if word not in chosen)
    return _tasks("test spec")(call, evolve(usage, operands=rest))


def _rake(call: Call, usage: Usage) -> Stream | None:
    """To list tasks it reads the Rakefile, which is code."""
    if usage.has("-T", "--tasks", "-P", "--prereqs", "-D", "--describe", "-W", "--where") and not usage.operands:
        return runs_project(call, usage)
    return _rake_tests(call, usage)


def _ninja(call: Call, usage: Usage) -> Stream | None:
    """Of the tools behind ``-t``, some only print; they are run before anything is built."""
    tools = [tool.text for tool in usage.values("-t")]
    if only_help(usage) or (len(tools) == 1 and tools[0] in _NINJA_PRINTS):
        return None
    return does("runs-code")(call, usage)


_NINJA_PRINTS = frozenset("list targets query graph commands inputs multi-inputs deps missingdeps compdb rules".split())


def _meson_test(call: Call, usage: Usage) -> Stream | None:
    own_files(call, usage.values("-C"))
    return runs_project(call, usage)


def _bazel_query(call: Call, usage: Usage) -> Stream | None:
    """``info client-env`` prints the environment."""
    if any(word.text == "client-env" for word in usage.operands):
        call.note("prints-secret")
    return runs_project(call, usage)


def _zig(call: Call, usage: Usage) -> Stream | None:
    """``build test`` runs the project's tests, and ``test`` those in one file."""
    words = [word.text for word in usage.operands]
    if words == ["build", "test"] or (words[:1] == ["test"] and len(words) == 2):
        own_files(call, list(usage.operands))
        return runs_project(call, usage)
    if words[:1] == ["fmt"] and usage.has("--check"):
        return None
    if words not in (["version"], ["env"], ["targets"], ["zen"], ["help"]):
        call.note("runs-code")
    return None


def _xcrun(call: Call, usage: Usage) -> Stream | None:
    """It says where a tool or an SDK is, or runs its words."""
    if usage.operands:
        call.run(list(usage.operands))
    return None


def _only_version(call: Call, usage: Usage) -> Stream | None:
    """Judge what even for its help reads a build file, which is code, or takes ``-V`` for something else."""
    if [word.text for word in call.args] != ["--version"]:
        call.note("runs-code")
    return None


def _lists(*listing: str) -> Judge:
    """Return a judge for a runner of tasks that is harmless when one of the options `listing` says to list them."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        given = ("-c", "--command")  # of just; behind it stands a command
        place = next((at for at, word in enumerate(call.args) if call.name == "just" and word.text in given), -1)
        if place >= 0:
            call.note("runs-code")
            call.run(call.args[place + 1 :])
        elif not only_help(usage) and not usage.has(*listing):
            call.note("runs-code")
        return None

    return judge


PROGRAMS = Descriptions(
    {
        "make gmake": outline(
            "-h -v -n --just-print --dry-run --recon -q --question -p --print-data-base -s --silent --quiet -k --keep-going -j?text --jobs?text "
            "-B --always-make -C:text --directory:text -f:text --file:text --makefile:text -i --ignore-errors -l?text -o:text -r "
            "--no-builtin-rules -R -S -t --touch -w --print-directory --no-print-directory -W:text -E:text --eval:text --trace -O?text -e -d",
            judge=_make,
        ),
        "cmake": outline(
            "-h -version -E -P:text -S:text -B:text -G:text -D:text -U:text --build:text --install:text --preset:text -L -LA -LH -LAH -N "
            + _CMAKE_HELP
            + " --list-presets?text --target:text -t:text -j?text --parallel?text --config:text -v --verbose",
            judge=_cmake,
        ),
        "ninja": outline("-h -v -n -C:text -f:text -j:text -k:text -l:text -t:text -d:text", judge=_ninja),
        "mvn mvnd": outline(
            "-h -help -v -version -V -q --quiet -B --batch-mode -o --offline -e --errors -X --debug -U -fae -ff -fn --fail-at-end --fail-fast --fail-never -ntp "
            "--no-transfer-progress -pl:text --projects:text -am --also-make -amd -rf:text -T:text --threads:text -D:text --define:text -N "
            "--non-recursive -P:text --activate-profiles:text --also-make-dependents --builder:text -b:text --color:text -f:text --file:text "
            "--update-snapshots -nsu --no-snapshot-updates --resume-from:text --show-version -C --strict-checksums -c --lax-checksums",
            judge=_maven,
        ),
        "gradle": outline(
            "-h -v -q --quiet -i --info -w --warn -d --debug -s --stacktrace -S --full-stacktrace --offline --continue --no-daemon --daemon "
            "--parallel --no-parallel --console:text --warning-mode:text --rerun-tasks --tests:text --build-cache --no-build-cache -m --dry-run "
            "--no-scan --max-workers:text --configuration-cache --no-configuration-cache -x:text --exclude-task:text --all "
            "--configuration:text --dependency:text --rerun --fail-fast -p:text --project-dir:text",
            judge=_gradle,
        ),
        "bazel bazelisk": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h --test_output:text --test_filter:text --config:text -k --keep_going -j:text --jobs:text --test_tag_filters:text --nocache_test_results --cache_test_results:text",
                        judge=runs_project,
                    ),
                    "query cquery aquery info": outline(
                        "-h --output:text --noimplicit_deps --keep_going", "text*", judge=_bazel_query
                    ),
                    "version help": outline("-h", "text*"),
                    "build run coverage clean fetch sync mod shutdown": effect("runs-code"),
                }
            ),
        ),
        "meson": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "test": outline(
                        "-h -v --verbose -q --list --suite:text --no-suite:text --print-errorlogs --no-rebuild --repeat:text -t:text -C:text -j:text",
                        judge=_meson_test,
                    ),
                    "introspect": outline(
                        "-h -a --all --targets --tests --buildoptions --projectinfo --dependencies -i --indent",
                        "path",
                        judge=runs_project,
                    ),
                },
                effect("runs-code"),
            ),
        ),
        "just": outline(
            "-h -V -l --list --summary --show:text -s:text --dump --variables --unsorted --groups -n --dry-run",
            judge=_lists("-l", "--list", "--summary", "--show", "-s", "--dump", "--variables", "--groups"),
        ),
        "task": outline(
            "-h -l --list -a --list-all --summary -n --dry", judge=_lists("-l", "--list", "-a", "--list-all")
        ),
        "sbt": outline("-h -V -batch -no-colors", judge=_sbt),
        "ant": outline("-version", judge=does("runs-code")),
        "lein": outline("-h", judge=_tasks("test check", quiet="version help")),
        "rake": outline(
            "-h -V -T?text --tasks?text -P --prereqs -D?text --describe?text -W?text --where?text -A --all -q --quiet -s --silent -t?text "
            "--trace?text -n --dry-run -m --multitask -j?text --jobs?text",
            judge=_rake,
        ),
        "zig": outline("-h --check --summary:text", judge=_zig),
        "scons waf grunt": outline("-v -V -h", judge=_only_version),
        "buck buck2 pants nx turbo lerna rush gulp webpack vite rollup esbuild parcel next nuxt tsup "
        "swc babel autoconf automake configure invoke fab earthly dagger skaffold tilt hugo jekyll mkdocs sphinx-build "
        "doxygen tsx ts-node storybook expo react-native ghc nim conan vcpkg": outline(
            "-h -v -V", judge=does("runs-code")
        ),
        "ng": outline(
            "-h --watch?text --no-watch",
            judge=phrases(
                "runs-code", project=("test", "test --watch=false", "test --no-watch"), harmless=("version", "v")
            ),
        ),
        "crystal": outline(
            "-h -v --check",
            judge=phrases("runs-code", project=("spec", "tool format --check"), harmless=("-v", "version", "env")),
        ),
        "xcodebuild": outline(
            "-h -help -version -list -json -showsdks -usage",
            judge=phrases(
                "runs-code", harmless=("-version", "-list", "-list -json", "-showsdks", "-showsdks -json", "-usage")
            ),
        ),
        "xcrun": outline(
            "-h --find:text -f:text --show-sdk-path --show-sdk-version --show-sdk-build-version --show-sdk-platform-path --sdk:text",
            style=Style.POSIX,
            judge=_xcrun,
        ),
    }
)
