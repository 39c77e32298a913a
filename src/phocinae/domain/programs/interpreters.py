"""Interpreters of programming languages, apart from Python: code in their words, scripts, and code that comes in.

Sources: node(1), deno(1) and docs.deno.com, perlrun(1), ruby(1), php(1), lua(1), Rscript(1),
julia(1), tclsh(1), expect(1), osascript(1).
"""

from __future__ import annotations

import re

from .. import code as any_code
from .. import effects
from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Field, Stream, Taint, taint_of
from .outlines import (
    Descriptions,
    Judge,
    always,
    does,
    effect,
    only_help,
    options_apart,
    outline,
    project_code,
    runs_project,
)
from .testing import own_files

_WORD = re.compile(r"\w+")
_BARE = re.compile(r"(?<![.\w])\w+")
_RUNS_TEXT = frozenset("system popen loadstring passthru shell_exec".split())
_EVALUATES_TEXT = frozenset(["eval", "instance_eval"])
_EVALUATED = _EVALUATES_TEXT | {"exec"}
"""What evaluates text when it is called by its bare name; JavaScript's ``/x/.exec()`` does not."""
_UNPACKS = frozenset(
    "b64decode decodebytes urlsafe_b64decode a85decode b32decode fromhex unhexlify decode_base64 decode64 urlsafe_decode64 atob "
    "base64_decode hex2bin str_rot13 gzuncompress gzinflate convert_uudecode rot13 rot_13".split()
)
_REWRITES = frozenset(
    "decode unpack pack unpack1 Buffer fromCharCode strrev decompress reverse reversed chr translate maketrans tr".split()
)
_STDIN = ("-", "/dev/stdin", "/dev/fd/0")


def run_code(call: Call, code: Field) -> Stream | None:
    """Weigh code that stands in the command; return what it prints as rewritten text if the code decodes something."""
    call.source_code(code)
    language = any_code.language_of(call.name)
    text = any_code.bare(code.text, language)
    words = frozenset(_WORD.findall(text))
    bare = frozenset(_BARE.findall(text))
    runs_input = bool(bare & _EVALUATED or words & _RUNS_TEXT)
    if language == "python":  # in which all ways of input to what runs it are followed
        pass
    elif (call.stdin.taint & Taint.REMOTE and runs_input) or (bare & _EVALUATES_TEXT and "://" in code.text):
        call.note("remote-code")
    elif (call.stdin.taint & Taint.DECODED and runs_input) or (bare & _EVALUATED and words & _UNPACKS):
        call.note("decoded-code")
    return Stream(None, call.taint | Taint.DECODED) if words & (_UNPACKS | _REWRITES) else None


def run_script(call: Call, words: list[Field]) -> None:
    """Weigh the script that an interpreter is given, or the code that it reads from standard input without one."""
    if not words or words[0].text in _STDIN:
        call.feed(call.stdin, words[0] if words else call.word, "code")
    elif words[0].stream is not None:
        call.feed(words[0].stream, words[0], "code")
    elif words[0].taint & Taint.REMOTE:
        call.note("remote-code")
    elif words[0].unknown and words[0].may_be_option:
        call.note("unclear-word", words[0])
    else:
        call.note("runs-code", words[0])
        call.run_written(words[0], "code")


def _language(code: str, *, shows: str = "", checks: str = "") -> Judge:
    """Return a judge for an interpreter.

    `code` lists the options that take code, `shows` those that only print something about the
    interpreter, `checks` those that only parse the script.
    """
    code_options, show_options, check_options = code.split(), shows.split(), checks.split()

    def judge(call: Call, usage: Usage) -> Stream | None:
        if only_help(usage) or (not usage.operands and usage.names and usage.names <= set(show_options)):
            return None
        output: Stream | None = None
        given = usage.values(*code_options)
        if given:  # several are the lines of one code
            taint = taint_of(given)
            text = "\n".join(value.text for value in given)
            output = run_code(call, Field(text, given[0].start, given[-1].end, taint))
        if usage.has(*check_options) and usage.operands and not given:
            for word in usage.operands:
                call.read(word, prints=False)
        elif not given:
            run_script(call, list(usage.operands))
        return output

    return judge


_NODE_REPORTERS = ("spec", "tap", "dot", "junit", "lcov")


def _node(call: Call, usage: Usage) -> Stream | None:
    if usage.has("--test"):
        project_code(call)
        options_apart(call, usage)
        own_files(call, list(usage.operands))
        for reporter in usage.values("--test-reporter"):
            if reporter.text not in _NODE_REPORTERS:
                call.note("runs-code", reporter)
        return None
    names = usage.values("--run")
    if names:
        if all(name.text == "test" for name in names) and not usage.operands:
            project_code(call)
        else:
            call.note("runs-code", names[0])
        return None
    bare_print = usage.has("-p", "--print") and not usage.values("-p", "--print", "-e", "--eval", "-pe")
    if bare_print and usage.operands:
        return run_code(call, usage.operands[0])
    return _language("-e --eval -p --print -pe", shows="-v --v8-options --completion-bash", checks="-c --check")(
        call, usage
    )


def _perl(call: Call, usage: Usage) -> Stream | None:
    """``-c`` still runs the blocks that run while a program is compiled, so it is a run like any other."""
    _edits(call, usage, ("-e", "-E"))
    return _language("-e -E", shows="-v -V")(call, usage)


def _edits(call: Call, usage: Usage, code_options: tuple[str, ...]) -> None:
    """Weigh that ``-i`` changes the files that are named behind the code."""
    if not usage.has("-i") or only_help(usage):
        return
    call.note("changes-files")
    for word in usage.operands[0 if usage.has(*code_options) else 1 :]:
        effects.write(call.walker, word, call.state)


def _ruby(call: Call, usage: Usage) -> Stream | None:
    """A library behind ``-r``, or in a folder behind ``-I``, is run even where the program is only checked."""
    for library in usage.values("-r", "-I"):
        call.note("runs-code", library)
    _edits(call, usage, ("-e",))
    return _language("-e", shows="-v --copyright", checks="-c")(call, usage)


def _php(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-i"):
        call.note("prints-secret")
        return None
    if usage.has("-S"):
        return None
    if usage.has("-s", "-w"):
        for word in usage.operands:
            call.read(word)
        return None
    return _language("-r -B -R -E", shows="-v -m --ini --rf --rc --re --ri", checks="-l")(call, usage)


def _deno_run(call: Call, usage: Usage) -> Stream | None:
    """A script's address is downloaded and run."""
    if only_help(usage):
        return None
    for word in usage.operands[:1]:
        if word.text.lower().startswith(("http://", "https://")):
            call.note("remote-code")
    run_script(call, list(usage.operands))
    return None


def _deno_eval(call: Call, usage: Usage) -> Stream | None:
    return run_code(call, usage.operands[0]) if usage.operands else None


def _deno_asks(call: Call, usage: Usage) -> Stream | None:
    """What a module imports is downloaded to be described."""
    for word in usage.operands:
        call.note("uses-network", word)
    return None


def _deno_tests(call: Call, usage: Usage) -> Stream | None:
    runs_project(call, usage)
    for word in usage.operands:
        if "://" in word.text:
            call.note("remote-code")
    own_files(call, list(usage.operands))
    return None


def _deno_format(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--check") and not only_help(usage):
        call.note("changes-files")
    return None


def _deno(call: Call, usage: Usage) -> Stream | None:
    if not usage.operands and not usage.names:
        call.feed(call.stdin, call.word, "code")
    return None


_DENO_FLAGS = (
    "-h -q --quiet -A --allow-all --allow-net?text --allow-read?text --allow-write?text --allow-env?text --allow-run?text --allow-ffi?text "
    "--allow-sys?text --no-prompt -r?text --reload?text --no-remote --no-npm --no-lock --cached-only -L:text --log-level:text --unstable "
    "--check?text --no-check?text --watch?text "
)
_DENO = {
    "run": outline(_DENO_FLAGS, style=Style.POSIX, judge=_deno_run),
    "eval": outline(_DENO_FLAGS + "-p --print --ext:text", style=Style.POSIX, judge=_deno_eval),
    "test": outline(
        _DENO_FLAGS
        + "--filter:text --coverage?text --doc --fail-fast?text --parallel --no-run --ignore?text --shuffle?text --trace-leaks --reporter:text",
        judge=_deno_tests,
    ),
    "check": outline(_DENO_FLAGS + "--all --doc", judge=_deno_tests),
    "lint": outline("-h -q --quiet --rules --json --compact --ignore?text", "scan*", judge=runs_project),
    "fmt": outline("-h -q --quiet --check --ext:text --ignore?text --line-width:text", "scan*", judge=_deno_format),
    "info types doc": outline("-h -q --quiet --json", "scan*", judge=_deno_asks),
    "help": outline("-h", "text"),
    "install add remove cache upgrade uninstall outdated init vendor": effect("installs", _DENO_FLAGS),
    "publish deploy": effect("publishes"),
    "task compile bench repl serve x jupyter lsp bundle": effect("runs-code", _DENO_FLAGS),
}

_NODE = (
    "-v -h -e:text --eval:text -p?text --print?text -pe:text -c --check -i --interactive -r:risk --require:risk --import:risk --loader:risk "
    "--experimental-loader:risk --env-file:risk --input-type:text --test --test-only --test-name-pattern:text --test-reporter:text "
    "--test-concurrency:text --test-timeout:text --experimental-test-coverage --experimental-strip-types --no-warnings --trace-warnings "
    "--trace-uncaught --run:text --v8-options --completion-bash --enable-source-maps --max-old-space-size?text --unhandled-rejections?text "
    "--trace-deprecation --no-deprecation --throw-deprecation --experimental-vm-modules --watch --inspect?risk --inspect-brk?risk"
)
_PERL = (
    "-v -V?text -e:text -E:text -n -p -i?text -l -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -F?text -w -W -X -c -d -I:text -M?text -m?text -s -S -t -T "
    "-u -U -x?text -C?text -h"
)
_RUBY = (
    "-v -e:text -n -p -a -F:text -i?text -l -0 -w -W?text -s -S -x?text -c -C:text -I:text -r:text -E:text -K?text -y -h --copyright "
    "--disable?text --enable?text --encoding:text --yjit --jit --verbose"
)
_PHP = (
    "-v -m -i --ini -r:text -f:script -l -n -c:risk -d:risk -s -w -a -B:text -R:text -F:script -E:text -S:network -t:path -z:risk -q -C -h "
    "--rf:text --rc:text --re:text --ri:text"
)
_EVALUATOR = (
    "-e:text --eval:text --execute:text -E:text -v -V -version -h -q --quiet --no-save --slave --vanilla --print"
)


def _repl(call: Call, usage: Usage) -> Stream | None:
    return _language("-e --eval --execute -E", shows="-v -V -version")(call, usage)


def _ipython(call: Call, usage: Usage) -> Stream | None:
    """Lines that start with an exclamation mark are commands of the shell."""
    if only_help(usage):
        return None
    call.note("runs-code")
    for value in usage.values("-c"):
        if value.text.startswith("!"):
            call.shell(value.with_text(value.text[1:]))
        else:
            run_code(call, value)
    run_script(call, list(usage.operands))
    return None


PROGRAMS = Descriptions(
    {
        "node nodejs": outline(_NODE, style=Style.POSIX, judge=_node),
        "deno": outline("-h -V -q --quiet -L:text", subcommands=Descriptions(_DENO, always("runs-code")), judge=_deno),
        "perl perl5": outline(_PERL, style=Style.POSIX, judge=_perl),
        "ruby jruby": outline(_RUBY, style=Style.POSIX, judge=_ruby),
        "php php8 php7": outline(_PHP, style=Style.POSIX, judge=_php),
        "lua lua5.1 lua5.2 lua5.3 lua5.4 luajit": outline(
            "-e:text -l:text -v -i -W -E -h", style=Style.POSIX, judge=_language("-e", shows="-v")
        ),
        "Rscript R julia groovy scala clojure clj elixir racket ocaml octave": outline(
            _EVALUATOR, style=Style.POSIX, judge=_repl
        ),
        "erl": outline(
            "-eval:text -noshell -noinput -s:risk -run:risk -sname:text -name:text -pa:path -pz:path -version",
            style=Style.LONG,
            judge=_language("-eval", shows="-version"),
        ),
        "swipl": outline(
            "-g:text -t:text -q -f:script -s:script --version",
            style=Style.POSIX,
            judge=_language("-g -t", shows="--version"),
        ),
        "osascript": outline("-e:text -l:text -s:text", style=Style.POSIX, judge=_language("-e")),
        "tclsh wish guile sbcl": outline("-c:text --eval:text", style=Style.POSIX, judge=_language("-c --eval")),
        "expect": outline("-c:text -f:script -v -d -n -N", style=Style.POSIX, judge=_language("-c", shows="-v")),
        "ipython bpython": outline("-h -v -V -c:text -i -q --no-banner", style=Style.POSIX, judge=_ipython),
        "irb pry jupyter ghci": outline("-h -v -V", judge=does("runs-code")),
    }
)
