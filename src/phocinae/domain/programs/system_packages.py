"""Package managers of operating systems: what they say about packages, and what they change.

Sources: apt(8), apt-get(8), apt-cache(8), dpkg(1), dpkg-query(1), rpm(8), dnf(8), pacman(8),
apk(8), zypper(8), docs.brew.sh, port(1), nix(1), snap(8), flatpak(1), gem(1), cpan(1),
luarocks(1).  apt's ``-o`` and ``-c`` can name programs to run and are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..calls import Call
from ..knowledge import Style
from ..usage import Usage
from ..values import Field, Stream
from .carriers import behind
from .outlines import Descriptions, Judge, effect, group, only_help, outline

_APT = "-h -v -q -qq --quiet -a --all-versions --installed --upgradable -t:text --target-release:text "
_RPM_QUERY = (
    "-q --query -a --all -i --info -l --list -f:path --file:path -c --configfiles -d --docfiles -R --requires --provides --whatprovides:text "
    "--whatrequires:text --changelog --scripts --qf:text --queryformat:text --last --state -s -v --verbose -V --verify -p:path --package:path "
    "-g:text --group:text --eval:risk -E:risk -h --triggers --recommends --suggests --conflicts --obsoletes --nosignature --nodigest"
)
_DPKG_ACTIONS = "-i --install -r --remove -P --purge --unpack --configure -A --record-avail --set-selections --clear-selections".split()


def _dpkg(call: Call, usage: Usage) -> Stream | None:
    if usage.has(*_DPKG_ACTIONS, "--add-architecture", "--remove-architecture"):
        call.note("installs")
    return None


def _rpm(call: Call, usage: Usage) -> Stream | None:
    """Without a query or a verification rpm installs, erases or imports; a package file may be one of another machine.

    To verify a package file runs the script for that in it.
    """
    if call.name != "rpmquery" and not usage.has("-q", "--query", "-V", "--verify") and not only_help(usage):
        call.note("installs")
    if usage.has("-p", "--package"):
        _fetched(call, [*usage.operands, *usage.values("-p", "--package")])
        if usage.has("-V", "--verify"):
            call.note("runs-code")
    return None


def _fetched(call: Call, files: Iterable[Field]) -> None:
    for file in files:
        if "://" in file.text or file.unknown:
            call.note("uses-network", file)


def _pacman(call: Call, usage: Usage) -> Stream | None:
    """Only ``-Q`` without ``-y`` stays local; ``-S`` with ``-s`` or ``-i`` alone reads the local copy of the lists."""
    queries = usage.has("-Q", "--query") or (
        usage.has("-S") and usage.has("-s", "-i") and not usage.has("-y", "-u", "-c", "-w")
    )
    if not queries and not only_help(usage):
        call.note("installs")
    if usage.has("-p"):
        _fetched(call, usage.operands)
    return None


def _dnf_query(call: Call, usage: Usage) -> Stream | None:
    """A query may fetch the lists first, unless it is of what is installed or of the local copy."""
    installed = call.name.endswith((" list", " info")) and [word.text for word in usage.operands[:1]] == ["installed"]
    local = usage.has("-C", "--cacheonly", "--installed") or installed
    if not local and not only_help(usage):
        call.note("uses-network")
    return None


def _zypper_query(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-i", "--installed-only", "--no-refresh") and not only_help(usage):
        call.note("uses-network")
    return None


def _brew_query(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("--installed") and not only_help(usage):
        call.note("uses-network")
    return _brew_names(call, usage)


def _brew_names(call: Call, usage: Usage) -> Stream | None:
    """A formula that is named by its file is code that is run."""
    for word in usage.operands:
        if word.text.endswith(".rb") or word.text.startswith((".", "/", "~")) or word.unknown:
            call.note("runs-code", word)
    return None


def _port_names(call: Call, usage: Usage) -> Stream | None:
    """Without a port's name, or with an address, the Portfile of a folder is run."""
    plain = bool(usage.operands) and all(_PORT.match(word.text) for word in usage.operands)
    if not plain and not only_help(usage):
        call.note("runs-code")
    return None


_PORT = re.compile(r"[A-Za-z0-9][\w.+-]*\Z")


def _with_operands(rule: str, *options: str) -> Judge:
    """Return a judge for what only prints unless it is given operands or one of `options`."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if usage.operands or usage.has(*options):
            call.note(rule)
        return None

    return judge


def _alone(call: Call, usage: Usage) -> Stream | None:
    """Doubt a call without words, which starts a session."""
    if not usage.operands and not only_help(usage):
        call.note("installs")
    return None


_apt = outline(
    _APT,
    subcommands=Descriptions(
        {
            "list search show showsrc policy madison depends rdepends showpkg pkgnames stats dump dumpavail unmet dotty xvcg help version moo": outline(
                _APT + "--names-only -n --full -f --recurse --no-recommends --no-suggests -i --important", "text*"
            ),
            "changelog": effect("uses-network", _APT),
            "download source": effect("uses-network", _APT + "-d --download-only"),
            "check": outline(_APT),
            "install remove purge autoremove update upgrade full-upgrade dist-upgrade dselect-upgrade edit-sources reinstall satisfy "
            "build-dep clean autoclean autopurge distclean": effect(
                "installs",
                _APT
                + "-y --yes --assume-yes --no-install-recommends --purge --reinstall --allow-downgrades --fix-broken -f -d "
                "--download-only -s --simulate --dry-run -m --fix-missing -u --only-upgrade",
            ),
        }
    ),
)
_aptitude = outline(
    _APT,
    subcommands=Descriptions(
        {
            "search show versions why why-not help": outline(_APT + "-F:text -w:text --disable-columns", "text*"),
            "changelog": effect("uses-network", _APT),
        },
        effect("installs", _APT + "-y --assume-yes -s --simulate -d --download-only"),
    ),
    judge=_alone,
)
_dnf = outline(
    "-h -q --quiet -v --verbose -C --cacheonly -y --assumeyes",
    subcommands=Descriptions(
        {
            "list info search provides whatprovides repoquery grouplist groupinfo deplist": outline(
                "-h -q -v -C --cacheonly --installed --available --all --upgrades --showduplicates -l --list --requires --whatrequires:text",
                "text*",
                judge=_dnf_query,
            ),
            "repolist help check": outline("-h -q -v --all --enabled --disabled", "text*"),
            "history": group(
                {"list info userinstalled": outline("-h -q -v", "text*")}, "-h", otherwise=effect("installs")
            ),
            "alias": group({"list": outline("-h", "text*")}, "-h", otherwise=effect("changes-system")),
            "check-update updateinfo makecache": effect("uses-network"),
        },
        effect("installs", "-y --assumeyes --nogpgcheck -q"),
    ),
)
_BREW = "-h -q --quiet -v --verbose -d --debug --formula --formulae --cask --casks "

PROGRAMS = Descriptions(
    {
        "apt apt-get": _apt,
        "aptitude": _aptitude,
        "apt-cache": _apt,
        "apt-mark": outline(
            "-h",
            subcommands=Descriptions(
                {"showmanual showauto showhold showinstall": outline("-h", "text*")}, effect("installs")
            ),
        ),
        "apt-key": outline("-h", subcommands=Descriptions({"list finger": outline("-h")}, effect("changes-system"))),
        "apt-file": outline(
            "-h",
            subcommands=Descriptions(
                {"search find list show": outline("-h -x -F -l", "text*")}, effect("uses-network")
            ),
        ),
        "add-apt-repository": effect("installs", "-y --yes -r --remove -h"),
        "dpkg": outline(
            "-l -L -s -S -p -c:read --contents:read -I:read --info:read -f:read --field:read -C --audit --list --listfiles --status --search "
            "--print-avail --get-selections --print-architecture --print-foreign-architectures --compare-versions --verify -V --no-pager -h "
            + " ".join(_DPKG_ACTIONS)
            + " --add-architecture:text --remove-architecture:text --force-all",
            "text*",
            judge=_dpkg,
        ),
        "dpkg-query": outline(
            "-l -L -s -S -p -W --list --listfiles --status --search --print-avail --show -f:text --showformat:text -c --control-path "
            "--control-list --control-show --no-pager --load-avail -h",
            "text*",
        ),
        "dpkg-deb": outline("-c --contents -I --info -f --field -W --show -h", "read text*"),
        "rpm": outline(
            _RPM_QUERY + " -U --upgrade --install -F --freshen -e --erase --import:scan --rebuilddb",
            "text*",
            judge=_rpm,
        ),
        "rpmquery": outline(_RPM_QUERY, "text*", judge=_rpm),
        "dnf yum microdnf dnf5": _dnf,
        "zypper": outline(
            "-h -q -v -n --non-interactive --no-refresh",
            subcommands=Descriptions(
                {
                    "search se info if packages pa patterns pt products what-provides wp": outline(
                        "-h -i --installed-only -u -s --details -n --match-exact --no-refresh",
                        "text*",
                        judge=_zypper_query,
                    ),
                    "repos lr locks ll services ls": outline("-h -u -d -P", "text*"),
                    "list-updates lu list-patches lp refresh ref": effect("uses-network"),
                },
                effect("installs"),
            ),
        ),
        "pacman": outline(
            "-Q --query -S -R -U -D -F -T -s -i -l -o -q -e -d -t -n -m -k -c -g -u -y -w -p --info --list --search --owns --quiet --explicit --deps "
            "--foreign --native --check --groups --unrequired --noconfirm --needed --color:text -h -V",
            "text*",
            judge=_pacman,
        ),
        "yay paru": effect("installs", "-h -V -Q -S -s -i -q"),
        "apk": outline(
            "-h -q -v -V",
            subcommands=Descriptions(
                {
                    "info list search policy dot stats version manifest": outline(
                        "-h -a --all -d -e --installed -I -L --contents -P -r --depends -R --rdepends -s --size -w --webpage -W -v -q -x --exact -u "
                        "--upgradable --available --description --provides --origin",
                        "text*",
                    ),
                },
                effect("installs", "--no-cache -U --update -t:text --virtual:text"),
            ),
        ),
        "brew": outline(
            _BREW + "--prefix --cellar --cache --repository --repo --caskroom --env --config",
            subcommands=Descriptions(
                {
                    "list ls": outline(
                        _BREW + "--versions --full-name --pinned --multiple -1 -l -r -t", "text*", judge=_brew_names
                    ),
                    "leaves": outline(_BREW + "-r --installed-on-request -p --installed-as-dependency"),
                    "deps uses": outline(
                        _BREW
                        + "--tree --installed --include-build --include-optional --include-test --recursive --topological --direct -1 "
                        "--union --full-name --graph --declared --for-each --missing",
                        "text*",
                        judge=_brew_query,
                    ),
                    "config doctor dr missing commands help tap-info": outline(
                        _BREW + "--installed --json?text --include-aliases", "text*"
                    ),
                    "tap": outline(_BREW, judge=_with_operands("installs")),
                    "services": group(
                        {"list info": outline("-h --json --all", "text")}, "-h", otherwise=effect("changes-system")
                    ),
                    "info abv desc outdated search livecheck home homepage cat log": effect(
                        "uses-network", _BREW + "--json?text --greedy -v"
                    ),
                },
                effect("installs", _BREW + "--HEAD --force -f --dry-run -n --greedy"),
            ),
        ),
        "port": outline(
            "-h -q -v",
            subcommands=Descriptions(
                {
                    "installed list outdated echo version": outline("-h", "text*"),
                    "info contents deps dependents variants": outline("-h", "text*", judge=_port_names),
                },
                effect("installs"),
            ),
        ),
        "snap": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "list version services connections changes interfaces help": outline("-h --all", "text*"),
                    "info find": effect("uses-network"),
                },
                effect("installs"),
            ),
        ),
        "flatpak": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "list info remotes history": outline(
                        "-h -d --app --runtime --columns:text --user --system -a", "text*"
                    ),
                    "search remote-ls remote-info": effect("uses-network"),
                    "run": effect("runs-code"),
                },
                effect("installs"),
            ),
        ),
        "nix": outline(
            "-h",
            subcommands=Descriptions(
                {
                    "flake": group(
                        {"show metadata info": effect("uses-network"), "check": effect("runs-code")},
                        "-h",
                        otherwise=effect("changes-files"),
                    ),
                    "develop shell run": outline(style=Style.NONE, judge=behind("-c", "--command")),
                },
                effect("runs-code"),
            ),
        ),
        "nix-env nix-build nix-channel nix-store nixos-rebuild home-manager guix": effect("installs", "-h"),
        "gem": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "list contents specification which dependency environment env help stale": outline(
                        "-h -l --local -i --installed -a --all -d --details --versions --no-versions -q --quiet -V --verbose -e --exact -v:text "
                        "--version:text --no-verbose -R --reverse-dependencies --pipe",
                        "text*",
                    ),
                    "outdated search query info fetch owner signin signout": effect(
                        "uses-network", "-h -r --remote -l -a -e"
                    ),
                    "push yank": effect("publishes"),
                    "exec": effect("runs-code"),
                },
                effect("installs", "-h -v:text --version:text --user-install --no-document -N -f --force"),
            ),
        ),
        "cpan cpanm luarocks": effect("installs", "-h -v"),
        "asdf mise rtx": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "current list ls where which version plugin-list doctor help info": outline(
                        "-h -i --installed -c --current --json -g", "text*"
                    ),
                    "latest ls-remote list-all outdated": effect("uses-network"),
                    "exec x": outline(style=Style.NONE, judge=behind("--", "exec", "x")),
                    "run r shell env activate trust": effect("runs-code"),
                },
                effect("installs"),
            ),
        ),
        "pyenv rbenv nodenv goenv jenv tfenv": outline(
            "-h -v",
            subcommands=Descriptions(
                {
                    "version versions which whence root shims commands help version-name version-file version-origin prefix": outline(
                        "-h --bare --skip-aliases", "text*"
                    ),
                    "exec init shell": effect("runs-code"),
                    "local global": outline("-h --unset", judge=_with_operands("changes-files", "--unset")),
                },
                effect("installs"),
            ),
        ),
        "fnm volta": outline(
            "-h -v -V",
            subcommands=Descriptions(
                {"list ls current which": outline("-h", "text*"), "run exec env": effect("runs-code")},
                effect("installs"),
            ),
        ),
    }
)
