"""Settings of git: which keys name programs, which are harmless, and ``git config`` itself.

Sources: git-config(1); the keys that git runs are gathered from gitattributes(5),
githooks(5), git-difftool(1), git-mergetool(1), gitcredentials(7), git-interpret-trailers(1),
git-archive(1), git-submodule(1), git-send-email(1) and git-remote(1).  Keys of a
repository's own configuration are out of sight.
"""

from __future__ import annotations

from ..calls import Call
from ..knowledge import Role
from ..usage import Usage
from ..values import Field, Stream
from .outlines import Outline, only_help, outline

_PROGRAM_SECTIONS = frozenset(["alias", "pager", "hook"])
"""Sections all of whose keys hold a command."""
_PROGRAM_KEYS = frozenset(
    "core.pager core.editor core.fsmonitor core.sshcommand core.askpass core.gitproxy core.hookspath "
    "core.alternaterefscommand sequence.editor interactive.difffilter diff.external diff.textconv diff.command "
    "difftool.cmd difftool.path mergetool.cmd mergetool.path guitool.cmd man.cmd man.path browser.cmd browser.path "
    "web.browser merge.driver filter.clean filter.smudge filter.process gpg.program gpg.defaultkeycommand "
    "credential.helper trailer.command trailer.cmd tar.command remote.uploadpack remote.receivepack remote.vcs "
    "submodule.update uploadpack.packobjectshook imap.tunnel sendemail.smtpserver sendemail.sendmailcmd sendemail.tocmd "
    "sendemail.cccmd sendemail.headercmd instaweb.httpd instaweb.browser gc.recentobjectshook".split()
)
_HARMLESS_SECTIONS = frozenset(
    "color column advice status versionsort i18n pack index feature stash rerere notes".split()
)
_HARMLESS_NAMES = {
    "core": "quotepath precomposeunicode autocrlf eol safecrlf ignorecase filemode abbrev bigfilethreshold symlinks compression "
    "loosecompression preloadindex trustctime checkstat longpaths warnambiguousrefs whitespace commentchar logallrefupdates "
    "untrackedcache packedgitlimit multipackindex commitgraph sparsecheckout",
    "blame": "blankboundary coloring date showemail showroot",
    "diff": "algorithm renames renamelimit context colormoved colormovedws mnemonicprefix noprefix wserrorhighlight submodule "
    "ignoresubmodules indentheuristic interhunkcontext statgraphwidth statnamewidth suppressblankempty wordregex dirstat "
    "relative autorefreshindex srcprefix dstprefix",
    "log": "date decorate abbrevcommit follow showroot showsignature mailmap graphcolors excludedecoration initialdecorationset",
    "grep": "linenumber column patterntype extendedregexp threads fullname fallbacktonoindex",
    "gc": "auto autodetach autopacklimit pruneexpire reflogexpire",
    "format": "pretty",
    "branch": "sort",
    "tag": "sort gpgsign",
    "user": "name email useconfigonly",
    "author": "name email",
    "committer": "name email",
    "http": "proxy postbuffer lowspeedlimit lowspeedtime version maxrequests useragent",
    "protocol": "version",
    "fetch": "parallel prune prunetags writecommitgraph fsckobjects",
    "pull": "rebase ff",
    "push": "default autosetupremote",
    "init": "defaultbranch",
    "merge": "conflictstyle ff renames renamelimit log stat",
    "commit": "gpgsign verbose status",
    "rebase": "autostash autosquash stat updaterefs",
    "checkout": "defaultremote guess workers",
    "worktree": "guessremote",
    "receive": "fsckobjects",
    "transfer": "fsckobjects",
}
_NO_PROGRAM = frozenset(["", "less -F", "less -R", "less -FR", "less -FRX"]) | frozenset(
    "cat less more true false yes no on off 0 1 builtin never always auto".split()
)
_SWITCHED_OFF = {
    "core.hookspath": frozenset(["/dev/null"]),
    "core.fsmonitor": frozenset(["", "false", "no", "off", "0"]),
}
"""Keys of which other values name no program: a folder of hooks, and a daemon that git starts."""
_SECRET = ("token", "passw", "secret", "extraheader", "oauth", "apikey", "api-key", "cookie", "sslkey", "insteadof")


def _parts(key: str) -> tuple[str, str]:
    """Return the section and the name of a key, which differ in nothing but case (git-config(1), "Syntax")."""
    lower = key.lower()
    return lower.partition(".")[0], lower.rpartition(".")[2]


def names_program(key: str) -> bool:
    """Return whether git runs what the setting `key` holds."""
    section, name = _parts(key)
    return section in _PROGRAM_SECTIONS or f"{section}.{name}" in _PROGRAM_KEYS


def _is_harmless(key: str) -> bool:
    section, name = _parts(key)
    return section in _HARMLESS_SECTIONS or name in _HARMLESS_NAMES.get(section, "").split()


def judge_value(call: Call, key: str, value: Field) -> None:
    """Weigh the value of a setting that names a program; an alias without ``!`` is a command of git."""
    if value.static is not None and value.static.strip() in _SWITCHED_OFF.get(".".join(_parts(key)), _NO_PROGRAM):
        return
    if key.lower().startswith("alias.") and value.static and not value.static.startswith("!"):
        call.note("names-program", value)
        call.shell(value.with_text("git " + value.static))
    else:
        call.names_program(value)


def judge_setting(call: Call, setting: Field) -> None:
    """Weigh ``key=value`` as it stands behind ``-c`` of git and of ``git clone``."""
    key, equals, text = setting.text.partition("=")
    value = setting.with_text(text if equals else "true")
    if setting.with_text(key).static is None:
        call.note("not-harmless", setting)
    elif names_program(key):
        judge_value(call, key, value)
    elif not _is_harmless(key):
        call.note("not-harmless", setting)


_WRITES = ("--replace-all", "--add", "--unset", "--unset-all", "--rename-section", "--remove-section", "-e", "--edit")
_READS = ("--get", "--get-all", "--get-regexp", "--get-urlmatch", "-l", "--list", "--get-color", "--get-colorbool")
_READ_VERBS = frozenset(["list", "get", "get-color", "get-colorbool"])
_WRITE_VERBS = frozenset(["set", "unset", "rename-section", "remove-section", "edit"])


def _config(call: Call, usage: Usage) -> Stream | None:
    if only_help(usage):
        return None
    operands = list(usage.operands)
    verb = operands[0].text if operands else ""
    if not usage.has(*_WRITES, "--append") and (
        usage.has(*_READS) or verb in _READ_VERBS or (len(operands) < 2 and verb not in _WRITE_VERBS)
    ):
        _reads(call, usage)
    else:
        _writes(call, usage, operands[1:] if verb in _WRITE_VERBS else operands)
    return None


def _reads(call: Call, usage: Usage) -> None:
    for file in usage.values("-f", "--file"):
        call.read(file)
    for blob in usage.values("--blob"):
        call.read(blob.with_text(blob.text.partition(":")[2] or "HEAD"))
    listed = usage.operands[:1] and usage.operands[0].text == "list"
    several = usage.has("-l", "--list", "--get-regexp", "--get-urlmatch", "--regexp", "--url")
    if (listed or several) and not usage.has("--name-only"):
        call.note("prints-secret")  # addresses and headers may hold tokens
    for word in usage.operands:
        if any(part in word.text.lower() for part in _SECRET):
            call.note("prints-secret", word)


def _writes(call: Call, usage: Usage, operands: list[Field]) -> None:
    call.note("changes-system" if usage.has("--system") else "changes-repository")
    for file in usage.values("-f", "--file"):
        call.take(Role.WRITE, file)
    if len(operands) > 1 and names_program(operands[0].text):
        judge_value(call, operands[0].text, operands[1])


CONFIG: Outline = outline(
    "--global --system --local --worktree -f:text --file:text --blob:text --get --get-all --get-regexp --get-urlmatch "
    "--replace-all --add --unset --unset-all --rename-section --remove-section -l --list --fixed-value -e --edit "
    "--get-color --get-colorbool -t:text --type:text --no-type --bool --int --bool-or-int --bool-or-str --path "
    "--expiry-date -z --null --name-only --includes --no-includes --show-origin --show-scope --show-names "
    "--no-show-names --default:text --all --regexp --value:text --url:text --append --comment:text -h",
    judge=_config,
)
