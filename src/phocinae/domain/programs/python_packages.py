"""Package managers of Python: pip, uv, poetry, pipenv, pdm, hatch, conda and their like.

Sources: pip.pypa.io (pip reference), docs.astral.sh/uv, python-poetry.org/docs/cli,
pipenv.pypa.io, pdm-project.org, hatch.pypa.io, docs.conda.io, pipx.pypa.io.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Stream
from .outlines import Descriptions, Judge, always, does, effect, gets_setting, group, only_help, outline, project_code

_GENERAL = (
    "-h -v -vv -vvv --verbose -q -qq --quiet --no-color --no-input --isolated --disable-pip-version-check "
    "--no-python-version-warning "
    "--require-virtualenv --no-cache-dir "
)
_SECRET_KEY = re.compile(r"(?i).*(?:index-url|token|passw|secret|auth)")


def _pip_list(call: Call, usage: Usage) -> Stream | None:
    """``--outdated`` and ``--uptodate`` ask the index."""
    if usage.has("-o", "--outdated", "-u", "--uptodate"):
        call.note("uses-network")
    return None


def _carries(rule: str, *, unless: str = "", adds: tuple[str, ...] = ()) -> Judge:
    """Return a judge for what prepares an environment and runs its words in it.

    Nothing is prepared without a rule, or with the option `unless` and none of those that `adds` names.
    """

    def judge(call: Call, usage: Usage) -> Stream | None:
        if only_help(usage):
            return None
        project_code(call)  # a script of the project may have the name of any program
        if rule and (usage.has(*adds) or not (unless and usage.has(unless))):
            call.note(rule)
        return call.run(list(usage.operands)) if usage.operands else None

    return judge


def _changes_packages(call: Call, usage: Usage) -> Stream | None:
    """Keep a hit that packages are changed; taking this gate away is denied."""
    if only_help(usage):
        return None
    call.note("installs")
    if call.name.endswith((" uninstall", " remove")):
        for word in call.args:
            if word.text.lower() == "phocinae":
                call.note("write-gate", word)
    return None


_installs = outline(
    _GENERAL + "-r:scan --requirement:scan -e:text --editable:text -U --upgrade --user -t:text --target:text "
    "--no-deps --pre -i:network "
    "--index-url:network --extra-index-url:network -c:scan --constraint:scan -y --yes --force-reinstall "
    "--no-cache-dir -f:text "
    "--find-links:text --break-system-packages -d:text --dev --group:text --extra:text --all-extras --frozen --locked "
    "-p:text "
    "--python:text -n:text --name:text --only:text --with:text --without:text --sync --no-root --system --dry-run",
    judge=_changes_packages,
)
_online = effect("uses-network", _GENERAL)
_LIST = _GENERAL + (
    "-o --outdated -u --uptodate -e --editable -l --local --user --path:path --pre --format:text --not-required "
    "--exclude-editable --include-editable --exclude:text --no-index"
)

_PIP = Descriptions(
    {
        "list": outline(_LIST, judge=_pip_list),
        "show": outline(_GENERAL + "-f --files", "text*"),
        "freeze": outline(
            _GENERAL + "-r:read --requirement:read -l --local --user --path:path --all "
            "--exclude-editable --exclude:text"
        ),
        "check": outline(_GENERAL),
        "inspect": outline(_GENERAL + "--local --user --path:path"),
        "debug": outline(_GENERAL),
        "help": outline(_GENERAL, "text"),
        "hash": outline(_GENERAL + "-a:text --algorithm:text", "scan*"),
        "completion": outline(_GENERAL + "--bash --zsh --fish"),
        "config": group(
            {
                "list debug": effect("prints-secret", _GENERAL),
                "get": outline(_GENERAL, judge=gets_setting(_SECRET_KEY)),
                "set unset edit": effect("changes-files"),
            },
            _GENERAL + "--user --global --site",
        ),
        "cache": group({"dir info list": outline(_GENERAL, "text")}, _GENERAL, otherwise=effect("changes-files")),
        "install uninstall wheel download lock": _installs,
        "index search": _online,
    }
)


def _uv_tree(call: Call, usage: Usage) -> Stream | None:
    """Unless the lock file is taken as it is, packages are looked up and it is brought up to date."""
    if (not usage.has("--frozen") or usage.has("--outdated")) and not only_help(usage):
        call.note("uses-network")
    return None


_UV_ENV = _GENERAL + "-p:risk --python:risk --system --color:text --no-progress --offline --directory:risk "
"--project:risk "
_UV = Descriptions(
    {
        "pip": group(
            {
                "list": outline(
                    _UV_ENV + "--outdated -e --editable --exclude-editable --exclude:text --format:text --strict",
                    judge=_pip_list,
                ),
                "show": outline(_UV_ENV + "-f --files --strict", "text*"),
                "freeze": outline(_UV_ENV + "--exclude-editable --strict"),
                "check": outline(_UV_ENV),
                "tree": outline(
                    _UV_ENV + "--depth:text -d:text --prune:text --package:text --no-dedupe --invert --outdated "
                    "--strict "
                    "--show-version-specifiers",
                    judge=_pip_list,
                ),
                "install uninstall sync compile": _installs,
            },
            _UV_ENV,
        ),
        "version": outline(
            _UV_ENV + "--short --output-format:text", judge=lambda call, usage: _changes(call, bool(usage.operands))
        ),
        "self": group({"version": outline(_UV_ENV + "--short --output-format:text")}, "-h", otherwise=_installs),
        "help": outline("-h --no-pager", "text*"),
        "python": group(
            {
                "find": effect("runs-code", "-h"),
                "list dir": outline(_UV_ENV + "--only-installed --all-versions", "text"),
            },
            "-h",
            otherwise=_installs,
        ),
        "tool": group(
            {
                "list dir": outline(_UV_ENV + "--show-paths"),
                "run": outline(style=Style.POSIX, judge=_carries("runs-code")),
            },
            "-h",
            otherwise=_installs,
        ),
        "cache": group({"dir": outline(_UV_ENV)}, "-h", otherwise=effect("changes-files")),
        "run": outline(
            _UV_ENV + "--with:text --extra:text --group:text --dev --no-dev --no-sync --frozen --locked --isolated "
            "--no-project "
            "--all-extras --env-file:risk -m --module",
            style=Style.POSIX,
            judge=_carries("installs", unless="--no-sync", adds=("--with", "--isolated", "-m", "--module")),
        ),
        "tree": outline(
            _UV_ENV
            + "--depth:text -d:text --frozen --locked --no-dev --invert --no-dedupe --prune:text --package:text --outdated "
            "--universal --all-groups --group:text --only-group:text",
            judge=_uv_tree,
        ),
        "add remove sync lock init venv build export": _installs,
        "publish": effect("publishes"),
        "auth": effect("prints-secret"),
    }
)


def _changes(call: Call, changes: bool) -> Stream | None:
    if changes:
        call.note("changes-files")
    return None


def _poetry_show(call: Call, usage: Usage) -> Stream | None:
    if usage.has("-l", "--latest", "-o", "--outdated"):
        call.note("uses-network")
    return None


def _poetry_version(call: Call, usage: Usage) -> Stream | None:
    return _changes(call, bool(usage.operands))


_QUIET = "-h -q --quiet -v -vv -vvv --verbose -n --no-interaction --ansi --no-ansi --no-plugins --no-cache "
_POETRY = Descriptions(
    {
        "show": outline(
            _QUIET + "-t --tree -w --why -l --latest -o --outdated -a --all -T --top-level --without:text --with:text "
            "--only:text --no-dev --no-truncate --format:text",
            "text*",
            judge=_poetry_show,
        ),
        "check": outline(_QUIET + "--lock --strict"),
        "version": outline(_QUIET + "-s --short", judge=_poetry_version),
        "env": group(
            {"info": outline(_QUIET + "-p --path -e --executable"), "list": outline(_QUIET + "--full-path")},
            _QUIET,
            otherwise=effect("changes-files"),
        ),
        "about list help": outline(_QUIET, "text"),
        "run": outline(_QUIET, style=Style.POSIX, judge=_carries("")),
        "install add remove update lock init new self sync build export": _installs,
        "search": _online,
        "publish": effect("publishes"),
        "config shell cache": effect("changes-files"),
    }
)
_PIPENV = Descriptions(
    {
        "graph": outline("-h --bare --json --json-tree --reverse"),
        "verify": outline("-h"),
        "run": outline("-h", style=Style.POSIX, judge=_carries("")),
        "install uninstall update upgrade lock sync clean check audit requirements": _installs,
        "shell scripts open": effect("runs-code"),
    }
)


def _pdm_show(call: Call, usage: Usage) -> Stream | None:
    """Of a package the index is asked; without one, the project is shown."""
    if usage.operands:
        call.note("uses-network")
    return None


_version = outline("-h", judge=_poetry_version)
_PDM = Descriptions(
    {
        "run": outline("-h", style=Style.POSIX, judge=_carries("")),
        "list": outline(
            "-h -v -q --json --graph --tree --freeze --csv --markdown --reverse -r --fields:text --sort:text", "text*"
        ),
        "info": outline("-h -v -q --python --where --packages --env --json"),
        "show": outline("-h -v -q --name --version --summary --license --platform --keywords", judge=_pdm_show),
        "search": _online,
        "add remove update install sync lock init new build publish use cache config venv self plugin python export import fix "
        "outdated completion": _installs,
    },
    always("runs-code"),  # a script of the project, by its name alone
)


def _hatch_version(call: Call, usage: Usage) -> Stream | None:
    """The version may come out of code of the project."""
    project_code(call)
    return _poetry_version(call, usage)


_HATCH = Descriptions(
    {
        "run": outline("-h", style=Style.POSIX, judge=_carries("installs")),
        "version": outline("-h", judge=_hatch_version),
        "env": group(
            {"show": outline("-h --ascii --json -i --internal", "text*"), "find": outline("-h", "text")},
            "-h",
            otherwise=_installs,
        ),
        "status": outline("-h"),
    },
    _installs,
)
_RYE = Descriptions(
    {
        "run": outline("-h", style=Style.POSIX, judge=_carries("installs")),
        "list show": outline("-h -v --installed-deps"),
        "version": _version,
    },
    _installs,
)


def _conda_config(call: Call, usage: Usage) -> Stream | None:
    """Addresses of channels and proxies may hold tokens; a setting may be named behind the option."""
    if usage.has("--show-sources", "--get") or (usage.has("--show") and not usage.operands):
        call.note("prints-secret")
    return _changes(call, bool(usage.operands) and not usage.has("--show", "--describe"))


_CONDA = Descriptions(
    {
        "list": outline(
            "-h -n:text --name:text -p:text --prefix:text --json -v -q -e --export -f --full-name "
            "--explicit -r --revisions",
            "text",
        ),
        "info": outline("-h -a --all -e --envs --base -s --system --json -v -q"),
        "env": group({"list": outline("-h --json -v")}, "-h", otherwise=_installs),
        "config": outline(
            "-h --show?text --show-sources --get?text --json --describe?text",
            judge=_conda_config,
        ),
        "run": outline(
            "-h -n:text --name:text -p:text --prefix:text --no-capture-output --live-stream",
            style=Style.POSIX,
            judge=_carries("runs-code"),
        ),
        "search": _online,
        "install create update upgrade remove uninstall clean init activate deactivate build package": _installs,
    }
)
_PIPX = Descriptions(
    {
        "list": outline("-h --short --json --include-injected"),
        "environment": outline("-h -V:text --value:text"),
        "run": outline("-h --spec:text --pip-args:text", style=Style.POSIX, judge=_carries("runs-code")),
    },
    _installs,
)

_pip = outline(_GENERAL + "-V", subcommands=_PIP)
_conda = outline("-h -V", subcommands=_CONDA)

PROGRAMS = Descriptions(
    {
        "pip pip3 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14": _pip,
        "uv": outline(_UV_ENV + "-V", subcommands=_UV),
        "uvx": outline(
            "-h -V --from:text --with:text -p:text --python:text", style=Style.POSIX, judge=_carries("runs-code")
        ),
        "poetry": outline(_QUIET + "-V -C:risk --directory:risk -P:risk --project:risk", subcommands=_POETRY),
        "pipenv": outline("-h --venv --where --py --envs --man", subcommands=_PIPENV),
        "pdm": outline("-h -V -q -v", subcommands=_PDM),
        "hatch": outline("-h -V -q -v", subcommands=_HATCH),
        "rye": outline("-h -V -q -v", subcommands=_RYE),
        "pipx": outline("-h", subcommands=_PIPX),
        "conda mamba micromamba": _conda,
        "twine": outline(
            "-h", subcommands=Descriptions({"check": outline("-h --strict", "scan*")}, effect("publishes"))
        ),
        "virtualenv": outline("-h", judge=does("installs")),
    }
)
