"""Rust's tools: cargo, rustc, rustup.

Sources: doc.rust-lang.org/cargo (commands), rustc and rustup books.  ``--config`` and
``-Z`` can name programs to run and are not listed.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import Stream
from .carriers import watches
from .outlines import (
    Descriptions,
    always,
    does,
    effect,
    group,
    no_project,
    only_help,
    options_apart,
    outline,
    project_code,
)
from .testing import own_files

_GENERAL = "-h -v -vv --verbose -q --quiet --color:text --frozen --locked --offline "
_PACKAGES = "-p:text --package:text --workspace --all --exclude:text --features:text -F:text --all-features --no-default-features "
_TARGETS = (
    "--lib --bin:text --bins --example:text --examples --test:text --tests --bench:text --benches --all-targets --doc -j:text --jobs:text "
    "-r --release --profile:text --target:text --keep-going --message-format:text --timings?text --ignore-rust-version --future-incompat-report "
)
_BUILD = _GENERAL + _PACKAGES + _TARGETS + "--target-dir:write --manifest-path:text --artifact-dir:write "
_TEST_FLAGS = frozenset(
    "--nocapture --no-capture --ignored --include-ignored --exact --list --show-output -q --quiet --test --bench --force-run-in-process".split()
)
_TEST_VALUES = ("--test-threads", "--skip", "--color", "--format", "--report-time", "--shuffle-seed")


def _project(call: Call, usage: Usage) -> None:
    """Weigh that the project's code is run; a target description may name a linker."""
    options_apart(call, usage)
    project_code(call)
    own_files(call, usage.values("--manifest-path"))
    for target in usage.values("--target"):
        if "/" in target.text or target.text.endswith(".json") or target.unknown:
            call.note("runs-code", target)


_TOOLCHAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")
"""The name of a toolchain; a path stands for programs in some folder (rustup book, "Toolchains")."""


def _toolchain(call: Call, usage: Usage) -> Stream | None:
    """``cargo +nightly ...``: a toolchain may stand in front, and is fetched where it is missing (rustup book)."""
    word = call.name.rpartition(" ")[2]
    if not word.startswith("+"):
        call.note("unknown-subcommand", shown=word)
    elif not _TOOLCHAIN.match(word[1:]):
        call.note("names-program", shown=word)
    else:
        call.note("not-harmless", shown=word)
    return None


def _test(call: Call, usage: Usage) -> Stream | None:
    """What follows ``--`` goes to the test binary; the flags of the standard harness are known."""
    if only_help(usage):
        return None
    _project(call, usage)
    for word in usage.operands:
        name, equals, _ = word.text.partition("=")
        known = word.text in _TEST_FLAGS or (name in _TEST_VALUES and (equals or len(usage.operands) > 1))
        if word.text.startswith("-") and not known:
            call.note("unknown-option", word)
    return None


def _check(call: Call, usage: Usage) -> Stream | None:
    """Lint levels (``-D warnings``) may follow ``--``; other options of the compiler may write or run."""
    if only_help(usage):
        return None
    _project(call, usage)
    words = list(usage.operands)
    while words:
        word = words.pop(0)
        if word.text in ("-D", "-W", "-A", "-F", "--deny", "--warn", "--allow", "--forbid") and words:
            words.pop(0)
        elif not (word.text[:2] in ("-D", "-W", "-A", "-F") and len(word.text) > 2):
            call.note("unknown-option", word)
    return None


def _clippy(call: Call, usage: Usage) -> Stream | None:
    if usage.has("--fix") and not only_help(usage):
        call.note("changes-files")
    return _check(call, usage)


def _fmt(call: Call, usage: Usage) -> Stream | None:
    if only_help(usage):
        return None
    passed = [word.text for word in usage.operands]
    if not usage.has("--check") and "--check" not in passed:
        call.note("changes-files")
    for before, word in zip([None, *passed], usage.operands, strict=False):
        if before in ("--color", "--edition") and not word.text.startswith("-"):
            continue
        if word.text not in ("--check", "-l", "--files-with-diff", "-q", "-v") and not word.text.startswith(
            ("--edition", "--color")
        ):
            call.note("unknown-option", word)
    return None


def _query(call: Call, usage: Usage) -> Stream | None:
    """It asks the compiler, which the settings of the folder may name."""
    no_project(call)
    return None


def _rustup_run(call: Call, usage: Usage) -> Stream | None:
    for name in usage.operands[:1]:
        if not _TOOLCHAIN.match(name.text):
            call.note("names-program", name)
    if usage.has("--install"):
        call.note("installs")
    return call.run(list(usage.operands[1:]))


def _rustc(call: Call, usage: Usage) -> Stream | None:
    """Only its queries are harmless: a compilation writes."""
    queries = usage.has("-V", "-vV", "--version", "--print", "--explain", "-v")
    for wanted in usage.values("--print"):
        _, equals, path = wanted.text.partition("=")
        if equals:  # ``--print kind=path`` prints into that file
            call.take(Role.WRITE, wanted.with_text(path))
    if not only_help(usage) and (usage.operands or not queries):
        call.note("writes-file", shown="what it compiles")
    return None


_CARGO = {
    "test t": outline(_BUILD + "--no-run --no-fail-fast", judge=_test),
    "nextest": group(
        {
            "run r": outline(
                _BUILD
                + "--no-run --no-fail-fast --retries:text -E:text --filter-expr:text --failure-output:text --success-output:text --status-level:text --partition:text --run-ignored:text --no-capture --test-threads:text",
                judge=_test,
            ),
            "list": outline(_BUILD + "-E:text --filter-expr:text -T:text", judge=_test),
        },
        "-h",
    ),
    "check c": outline(_BUILD, judge=_check),
    "clippy": outline(_BUILD + "--no-deps --fix --allow-dirty --allow-staged --explain:text -V", judge=_clippy),
    "fmt": outline(_GENERAL + _PACKAGES + "--check --message-format:text", judge=_fmt),
    "tree": outline(
        _GENERAL
        + _PACKAGES
        + "--target:text -e:text --edges:text -i?text --invert?text --prune:text --depth:text --no-dedupe -d --duplicates "
        "--prefix:text --charset:text -f:text --format:text --manifest-path:scan",
        "text",
        judge=_query,
    ),
    "metadata": outline(
        _GENERAL + _PACKAGES + "--no-deps --format-version:text --filter-platform:text --manifest-path:scan",
        judge=_query,
    ),
    "pkgid": outline(_GENERAL + "-p:text --package:text --manifest-path:scan", "text"),
    "locate-project": outline(_GENERAL + "--workspace --message-format:text --manifest-path:scan"),
    "read-manifest verify-project": outline(_GENERAL + "--manifest-path:scan"),
    "version": outline("-h -v --verbose"),
    "help": outline("-h", "text"),
    "config": group({"get": outline("-h --format:text --show-origin", "text")}, "-h"),
    "build b rustc run r bench doc d rustdoc": effect(
        "runs-code", _BUILD + "--open --no-deps --document-private-items --no-run"
    ),
    "install uninstall add remove rm update u fetch init new generate-lockfile vendor upgrade binstall": effect(
        "installs",
        _GENERAL + _PACKAGES + "--dev --build --git:text --path:text --force -f --version:text --root:write --dry-run",
    ),
    "publish yank owner login logout": effect(
        "publishes", _GENERAL + "--dry-run --allow-dirty --no-verify -p:text --token:text"
    ),
    "search info audit outdated": effect("uses-network", _GENERAL + "--limit:text"),
    "package fix clean": effect("changes-files", _BUILD + "--list --allow-dirty --no-verify"),
    "watch": outline(style=Style.NONE, judge=watches),
    "expand miri flamegraph make xtask llvm-cov tarpaulin mutants fuzz deny": always("runs-code"),
}
_AFTER_TOOLCHAIN = outline(_GENERAL + "-V", subcommands=Descriptions(_CARGO), judge=_toolchain)


PROGRAMS = Descriptions(
    {
        "cargo": outline(_GENERAL + "-V --list --explain:text", subcommands=Descriptions(_CARGO, _AFTER_TOOLCHAIN)),
        "rustc": outline(
            "-h -V -v -vV --verbose --print:text --explain:text --target:text --edition:text -o:write --out-dir:write --emit:text",
            judge=_rustc,
        ),
        "rustdoc": outline("-h -V", judge=does("changes-files")),
        "rustup": outline(
            "-h -V -v -q",
            subcommands=Descriptions(
                {
                    "show": outline("-h -v --verbose", "text"),
                    "which": outline("-h --toolchain:text", "text"),
                    "doc man": effect("runs-code", "-h"),
                    "toolchain": group({"list": outline("-h -v --verbose")}, "-h", otherwise=effect("installs")),
                    "target component": group(
                        {"list": outline("-h --installed --toolchain:text -q --quiet")},
                        "-h",
                        otherwise=effect("installs"),
                    ),
                    "override": group({"list": outline("-h")}, "-h", otherwise=effect("changes-files")),
                    "run": outline("-h --install", style=Style.POSIX, judge=_rustup_run),
                    "completions": outline("-h", "text text"),
                    "check": effect("uses-network"),
                },
                effect("installs"),
            ),
        ),
    }
)
