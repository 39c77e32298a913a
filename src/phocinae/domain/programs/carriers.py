"""Programs that watch files, keep jobs or set up a place, and run the commands that their words carry.

Sources: the manuals of nodemon, watchexec(1), chokidar-cli, onchange, concurrently, pm2, rimraf, shx, cross-env,
nix-shell(1), just and cargo-watch.
"""

from __future__ import annotations

from .. import effects
from ..calls import Call, joined
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .outlines import Descriptions, Judge, outline


def _together(call: Call, usage: Usage) -> Stream | None:
    """The operands are one text for a shell."""
    call.note("runs-code")
    if usage.operands:
        call.shell(joined(list(usage.operands), call.word))
    return None


def _only_version(call: Call, usage: Usage) -> Stream | None:
    if [word.text for word in call.args] != ["--version"]:
        call.note("runs-code")
    return None


def _assigned(call: Call, usage: Usage) -> Stream | None:
    """``NAME=value`` words, and then a command."""
    call.note("runs-code")
    words = call.without_assignments(list(usage.operands))
    if call.name == "cross-env-shell" and words:
        return call.shell(joined(words, call.word))
    return call.run(words) if words else None


def _rimraf(call: Call, usage: Usage) -> Stream | None:
    """Delete like ``rm -rf``; what it names may be patterns of its own."""
    for word in usage.operands:
        effects.delete(call.walker, word, call.state, recursive=True)
    if not usage.operands:
        call.note("changes-files")
    return None


def _pm2(call: Call, usage: Usage) -> Stream | None:
    """``start`` takes a file, or a command in one word."""
    call.note("runs-code")
    for word in usage.operands[1:2]:
        if usage.operands[0].text == "start" and " " in word.text:
            call.shell(word)
    return None


def behind(*marks: str) -> Judge:
    """Return a judge that runs the words behind the first of the words `marks` that is there."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        call.note("runs-code")
        texts = [word.text for word in call.args]
        mark = next((mark for mark in marks if mark in texts), None)
        return None if mark is None else call.run(call.args[texts.index(mark) + 1 :])

    return judge


def watches(call: Call, usage: Usage) -> Stream | None:
    """``cargo watch``: ``-s`` is a shell's text, ``-x`` a command of cargo, and behind ``--`` stands a command."""
    call.note("runs-code")
    for place, word in enumerate(call.args):
        following = call.args[place + 1 : place + 2]
        if word.text in ("-s", "--shell"):
            for text in following:
                call.shell(text)
        elif word.text.startswith(("--shell=", "-s=")):
            call.shell(word.with_text(word.text.partition("=")[2]))
        elif word.text in ("-x", "--exec"):
            for text in following:
                call.shell(text.with_text("cargo " + text.text))
        elif word.text == "--":
            return call.run(call.args[place + 1 :])
    return None


_WATCHEXEC = (
    "-e:text --exts:text -w:text --watch:text -W:text --watch-non-recursive:text -i:text --ignore:text -f:text --filter:text "
    "-d:text --debounce:text -s:text --signal:text --stop-signal:text --stop-timeout:text -o:text --on-busy-update:text "
    "--shell:text -n -E:text --env:text --project-origin:text --workdir:text --delay-run:text --fs-events:text "
    "--emit-events-to:text -r --restart -c?text --clear?text -p --postpone -q --quiet -N --notify -1 --only-emit-events"
)
_CONCURRENTLY = (
    "-n:text --names:text -c:text --prefix-colors:text -p:text --prefix:text -l:text --prefix-length:text -m:text "
    "--max-processes:text -s:text --success:text --kill-signal:text --restart-tries:text --restart-after:text -k "
    "--kill-others --kill-others-on-fail -r --raw --no-color -i --handle-input -t:text --timings --teardown:shell "
    "-P --passthrough-arguments"
)

PROGRAMS = Descriptions(
    {
        "nodemon": outline(
            "-x:shell --exec:shell -w:text --watch:text -e:text --ext:text -i:text --ignore:text -d:text --delay:text "
            "-q --quiet -V -L -v -h",
            "text*",
            judge=_only_version,
        ),
        "watchexec": outline(_WATCHEXEC, style=Style.POSIX, judge=_together),
        "chokidar chokidar-cli": outline(
            "-c:shell --command:shell -d:text --debounce:text -t:text --throttle:text -i:text --ignore:text --initial "
            "-p --polling -s --silent --verbose",
            "text*",
            judge=_only_version,
        ),
        "onchange": outline(style=Style.NONE, judge=behind("--")),
        "concurrently conc": outline(_CONCURRENTLY, "shell*", judge=_only_version),
        "cross-env cross-env-shell": outline(style=Style.POSIX, judge=_assigned),
        "shx": outline(style=Style.POSIX, judge=_assigned),
        "rimraf": outline("-g --glob?text -v --verbose --preserve-root --no-preserve-root", judge=_rimraf),
        "pm2": outline("-h -v -V", style=Style.LONG, judge=_pm2),
        "nix-shell": outline(
            "-p:text --packages:text --pure --impure -i:script -A:text --attr:text -I:text --keep:text --argstr:text "
            "--run:shell --command:shell -E:risk --expr:risk",
            "text*",
            rule="installs",
        ),
    }
)
