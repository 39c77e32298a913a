"""Python: code in the words, scripts, and modules that are programs of their own.

Sources: docs.python.org, "Command line and environment", and the pages of the modules that
are run with ``-m``.
"""

from __future__ import annotations

from .. import programs
from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Field, Stream, Taint
from .interpreters import run_code, run_script
from .outlines import Descriptions, Outline, by_hand, does, effect, only_help, outline, weigh
from .testing import UNITTEST, runs_tests

_X_OPTIONS = (
    "dev",
    "utf8",
    "utf8=0",
    "utf8=1",
    "importtime",
    "faulthandler",
    "tracemalloc",
    "showrefcount",
    "no_debug_ranges",
)
_FLAGS = outline(
    "-b -bb -B -d -E -h -i -I -O -OO -P -q -s -S -u -v -V -VV -x -X:text -W:text --check-hash-based-pycs:text --help-all "
    "--help-env --help-xoptions",
    style=Style.POSIX,
)
_QUESTIONS = frozenset(["-V", "-VV", "-h", "--version", "--help", "--help-all", "--help-env", "--help-xoptions"])


def _split(words: list[Field]) -> tuple[list[Field], str, list[Field]]:
    """Return the interpreter's own options, ``c`` or ``m`` or nothing, and the words from the code, module or script on.

    ``-c`` and ``-m`` end the options, may stand at the end of a bundle, and may hold their argument.
    """
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            return words[:at], "", words[at + 1 :]
        if not text.startswith("-") or text == "-":
            break
        letters = "" if text.startswith("--") else text[1:]
        place = next((spot for spot, letter in enumerate(letters) if letter in "cmXW"), len(letters))
        letter, rest = letters[place : place + 1], letters[place + 1 :]
        if letter in ("c", "m"):
            flags = words[:at] + ([words[at].with_text("-" + letters[:place])] if place else [])
            behind = words[at + 1 :]
            return flags, letter, [words[at].with_text(rest), *behind] if rest else behind
        takes = (letter != "" and not rest) or text == "--check-hash-based-pycs"
        at += 2 if takes else 1
    return words[:at], "", words[at:]


def _python(call: Call, usage: Usage) -> Stream | None:
    flags, kind, words = _split(list(call.args))
    own = weigh(call, _FLAGS(), flags)
    for setting in own.values("-X"):
        if setting.text not in _X_OPTIONS:
            call.note("not-harmless", setting)
    for warning in own.values("-W"):
        if "." in warning.text:  # the category is imported
            call.note("runs-code", warning)
    if own.has("-i") and kind:  # afterwards it runs what comes in
        run_script(call, [])
    if kind == "c":
        return run_code(call, words[0]) if words else None
    if kind == "m":
        return _module(call, words[0], words[1:]) if words else None
    if words or own.names.isdisjoint(_QUESTIONS):
        run_script(call, words)
    return None


def _module(call: Call, name: Field, words: list[Field]) -> Stream | None:
    """Judge ``-m name``: a module that is a known program is judged as that program."""
    known = name.static or ""
    call.name = f"{call.name} -m {known}"
    if known in _AS_PROGRAMS or known in _MODULES:
        call.project_code()  # the working folder comes first where modules are looked for
    if known in _AS_PROGRAMS:
        described = programs.find(_AS_PROGRAMS[known])
        return call.described(described, words) if described is not None else None
    if known in _MODULES:
        return call.described(_MODULES[known], words)
    call.note("runs-code", name)
    return None


def _timeit(call: Call, usage: Usage) -> Stream | None:
    pieces = [*usage.values("-s", "--setup"), *usage.operands]
    return run_code(call, pieces[0].with_text("\n".join(piece.text for piece in pieces))) if pieces else None


def _interacts(call: Call, usage: Usage) -> Stream | None:
    run_script(call, [])
    return None


def _profiles(call: Call, usage: Usage) -> Stream | None:
    """A debugger or profiler, which runs the script that it is given; what ``pdb -c`` gives may be Python."""
    call.note("runs-code")
    for command in usage.values("-c"):
        run_code(call, command.with_text(command.text.lstrip("! ")))
    if usage.operands:
        run_script(call, list(usage.operands))
    return None


def _archive_list(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-l", "--list", "-t", "--test") and not only_help(usage):
        call.note("changes-files")
    return None


def _decodes(call: Call, usage: Usage) -> Stream | None:
    return Stream(None, call.taint | Taint.DECODED)


def _doctest(call: Call, usage: Usage) -> Stream | None:
    runs_tests(call, usage)
    return None


_SAME = (
    "pytest mypy ruff black isort flake8 pylint pyflakes pycodestyle pydocstyle bandit vulture codespell yamllint coverage tox nox pip pipx "
    "uv poetry pdm hatch twine virtualenv pre_commit ansible sqlfluff pipenv"
).split()
_AS_PROGRAMS = {
    **{name: name for name in _SAME if "_" not in name and name != "ansible"},
    "pre_commit": "pre-commit",
    "phocinae": "phocinae",
    "IPython": "ipython",
}
_MODULES = Descriptions(
    {
        "unittest": UNITTEST,
        "doctest": outline("-v --verbose -f --fail-fast -o:text --option:text -h", judge=_doctest),
        "json.tool": outline(
            "--sort-keys --no-ensure-ascii --json-lines --indent:text --tab --no-indent --compact -h", "read write"
        ),
        "tokenize ast dis": outline(
            "-e --exact -m:text --mode:text -a --include-attributes -i:text --indent:text -h -C -O", "read"
        ),
        "tabnanny": outline("-v -q -h", "scan*"),
        "platform site sysconfig this calendar zoneinfo": outline("--user-base --user-site -h", "text*"),
        "zipfile tarfile": outline(
            "-l:read --list:read -t:scan --test:scan -e:read --extract:read -c:write --create:write -v --verbose -h",
            judge=_archive_list,
        ),
        "base64 quopri uu": outline("-d -e -u -t -h", "read", judge=_decodes),
        "timeit": outline(
            "-n:text --number:text -r:text --repeat:text -s:text --setup:text -p --process -u:text --unit:text -v --verbose -h",
            style=Style.POSIX,
            judge=_timeit,
        ),
        "code asyncio": outline("-q", judge=_interacts),
        "pdb cProfile profile trace": outline(
            "-c:text -o:write -s:text -m:text --trace -t --count --listfuncs -l --report -r --trackcalls -T --missing --summary "
            "--ignore-module:text --ignore-dir:text --timing -g --file:write -C:write",
            style=Style.POSIX,
            judge=_profiles,
        ),
        "gzip": outline("-d --decompress --fast --best -h", judge=does("changes-files")),
        "venv ensurepip": effect(
            "installs", "-h --system-site-packages --clear --upgrade --upgrade-deps --without-pip --prompt:text"
        ),
        "http.server": effect("uses-network", "-b:text --bind:text -d:path --directory:path --cgi -h"),
        "build": effect("runs-code", "-h -s --sdist -w --wheel -o:write --outdir:write -n --no-isolation -x"),
        "py_compile compileall": effect("changes-files", "-q -f -l -h"),
        "sqlite3": effect("uses-database"),
        "webbrowser": effect("uses-network", "-t -n"),
    }
)

_PYTHON: Outline = by_hand(_python)
PROGRAMS = Descriptions(
    {
        "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 pypy pypy3 py": _PYTHON
    }
)
