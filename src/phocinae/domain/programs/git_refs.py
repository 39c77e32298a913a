"""Subcommands of git that list or change, as their words say: branches, tags, remotes, stashes and their like.

Sources: the manual pages of the subcommands.
"""

from __future__ import annotations

from ..calls import Call, joined
from ..knowledge import Role, Style
from ..usage import Usage
from ..values import Stream
from . import git_config
from .git_options import LOG
from .git_output import ONE_WORD
from .git_push import judge_address
from .git_read import shows, shows_contents
from .outlines import Descriptions, Judge, effect, group, only_help, outline

_CHANGES = "changes-repository"
_CONNECTION = (
    "--upload-pack:program --depth:text --shallow-since:text --shallow-exclude:text --filter:text "
    "--server-option:text --template:risk --reference:text --reference-if-able:text --dissociate -v --verbose -q "
    "--quiet "
    "--progress --no-progress -4 --ipv4 -6 --ipv6 -j:text --jobs:text --tags -t --no-tags -n --all -p --prune -f "
    "--force "
    "--recurse-submodules?text --no-recurse-submodules -h "
)


def _branch(call: Call, usage: Usage) -> Stream | None:
    lists = "--list -l --contains --no-contains --merged --no-merged --points-at --show-current".split()
    deletes = usage.has("-d", "--delete")
    if only_help(usage):
        return None
    if usage.has("-D") or (deletes and usage.has("-f", "--force")):
        call.note("discards-changes")
    elif (
        deletes
        or usage.has(*"-m -M --move -c -C --copy -f --force -t --track --no-track -u --set-upstream-to".split())
        or usage.has("--unset-upstream", "--edit-description", "--create-reflog", "--recurse-submodules")
        or (usage.operands and not usage.has(*lists))
    ):
        call.note(_CHANGES)
    return Stream(ONE_WORD, call.taint) if usage.has("--show-current") else None


def _tag(call: Call, usage: Usage) -> Stream | None:
    lists = "--list -l -n --contains --no-contains --merged --no-merged --points-at -v --verify".split()
    writes = "-a --annotate -s --sign -u --local-user -f --force -d --delete -m --message -F --file -e --edit".split()
    if only_help(usage):
        return None
    if usage.has(*writes) or (usage.operands and not usage.has(*lists)):
        call.note(_CHANGES)
    return None


def _symbolic_ref(call: Call, usage: Usage) -> Stream | None:
    if len(usage.operands) > 1 or usage.has("-d", "--delete"):
        call.note(_CHANGES)
    return Stream(ONE_WORD, call.taint)


def _stash_paths(call: Call, usage: Usage) -> Stream | None:
    """``git stash -- path`` is a push of that path."""
    call.note(_CHANGES, shown="git stash")
    return None


def _remote_show(call: Call, usage: Usage) -> Stream | None:
    if usage.operands and not usage.has("-n"):
        call.note("uses-network")
    return None


def _remote_add(call: Call, usage: Usage) -> Stream | None:
    if only_help(usage):
        return None
    call.note(_CHANGES)
    for address in usage.operands[1:]:
        judge_address(call, address)
    return None


def _default(rule: str) -> Judge:
    """Return a judge for a subcommand that acts when no subcommand of its own is named."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if not usage.operands and not only_help(usage):
            call.note(rule)
        return None

    return judge


def _dry(rule: str) -> Judge:
    """Return a judge that keeps a hit unless the call only says what it would do."""

    def judge(call: Call, usage: Usage) -> Stream | None:
        if not usage.has("-n", "--dry-run") and not only_help(usage):
            call.note(rule)
        return None

    return judge


def _connects(call: Call, usage: Usage) -> Stream | None:
    """Weigh a transfer to or from another repository."""
    if only_help(usage):
        return None
    call.note("uses-network")
    for address in usage.operands[:1]:
        judge_address(call, address)
    for setting in usage.values("-c", "--config"):
        git_config.judge_setting(call, setting)
    return None


def _ls_remote(call: Call, usage: Usage) -> Stream | None:
    return None if usage.has("--get-url") else _connects(call, usage)


def _clone(call: Call, usage: Usage) -> Stream | None:
    for folder in usage.operands[1:2]:
        call.take(Role.WRITE, folder)
    return _connects(call, usage)


def _creates(call: Call, usage: Usage) -> Stream | None:
    if not only_help(usage):
        call.note(_CHANGES)
        for folder in usage.operands[:1]:
            call.take(Role.WRITE, folder)
    return None


def _foreach(call: Call, usage: Usage) -> Stream | None:
    """Run one word as shell text in every submodule, or several as a command."""
    if len(usage.operands) == 1:
        call.shell(usage.operands[0])
    elif usage.operands:
        call.run(list(usage.operands))
    return None


def _bisect_run(call: Call, usage: Usage) -> Stream | None:
    call.note(_CHANGES)
    call.run(list(usage.operands))
    return None


def _bundle_create(call: Call, usage: Usage) -> Stream | None:
    for file in usage.operands[:1]:
        call.take(Role.WRITE, file)
    return None


def _lfs_track(call: Call, usage: Usage) -> Stream | None:
    if usage.operands:
        call.note(_CHANGES)
    return None


def _submodule_add(call: Call, usage: Usage) -> Stream | None:
    call.note(_CHANGES)
    return _connects(call, usage)


def _ext(call: Call, usage: Usage) -> Stream | None:
    """``git remote-ext`` runs the words of an address, as ``ext::`` does."""
    if len(usage.operands) > 1:
        call.names_program(joined(list(usage.operands[1:]), call.word))
    return None


_STASH_PUSH = (
    "-p --patch -S --staged -k --keep-index --no-keep-index -q --quiet -u --include-untracked -a --all -m:text "
    "--message:text --pathspec-from-file:scan --pathspec-file-nul --index -h"
)
_REF_LISTS = (
    "--contains?text --no-contains?text --merged?text --no-merged?text --points-at?text --sort:text --format:text "
    "--column?text --no-column --color?text --no-color -i --ignore-case --omit-empty -l --list -h "
)

PARTS = Descriptions(
    {
        "branch": outline(
            _REF_LISTS + "-a --all -r --remotes -v --verbose -q --quiet --show-current --abbrev?text --no-abbrev -d -D "
            "--delete -m -M --move -c -C --copy -f --force -t?text --track?text --no-track -u:text "
            "--set-upstream-to:text "
            "--unset-upstream --edit-description --create-reflog --recurse-submodules",
            judge=_branch,
        ),
        "tag": outline(
            _REF_LISTS + "-n?text -v --verify -a --annotate -s --sign --no-sign -u:text --local-user:text -f --force "
            "-d "
            "--delete -m:text --message:text -F:scan --file:scan -e --edit --cleanup:text --create-reflog "
            "--trailer:text",
            judge=_tag,
        ),
        "remote": group(
            {
                "show": outline("-n -v --verbose -h", judge=_remote_show),
                "get-url": outline("--push --all -h", "text"),
                "add": outline("-t:text -m:text -f --tags --no-tags --mirror?text -h", judge=_remote_add),
                "set-url": outline("--push --add --delete -h", judge=_remote_add),
                "rename remove rm set-head set-branches": effect(_CHANGES, "-a --auto -d --delete --add -h"),
                "prune update": effect("uses-network", "-n --dry-run -p --prune -h"),
            },
            "-v --verbose -h",
        ),
        "stash": group(
            {
                "list": shows(LOG, judge=shows_contents(patch=False)),
                "show": shows(LOG + "--include-untracked --only-untracked", judge=shows_contents(patch=True)),
                "drop clear": effect("discards-changes", "-q --quiet -h"),
                "pop apply branch push save create store": effect(_CHANGES, _STASH_PUSH),
            },
            _STASH_PUSH,
            otherwise=outline(_STASH_PUSH, judge=_stash_paths),
            judge=_default(_CHANGES),
        ),
        "config": git_config.CONFIG,
        "worktree": group(
            {
                "list": outline("-v --verbose --porcelain -z --expire:text -h"),
                "add": outline(
                    "-f --force -d --detach --checkout --no-checkout --lock --reason:text -b:text -B:text --orphan -q "
                    "--quiet --track --no-track --guess-remote --no-guess-remote -h",
                    judge=_creates,
                ),
                "lock move repair unlock": effect(_CHANGES, "-f --force --reason:text -h"),
                "remove": effect("discards-changes", "-f --force -h"),
                "prune": outline("-n --dry-run -v --verbose --expire:text -h", judge=_dry(_CHANGES)),
            },
        ),
        "notes": group(
            {
                "list show": outline("-h", "text"),
                "get-ref": outline("-h"),
                "add copy append edit merge remove": effect(
                    _CHANGES, "-f --force -m:text -F:scan -c:text -C:text --allow-empty --stdin -h"
                ),
                "prune": outline("-n --dry-run -v --verbose -h", judge=_dry(_CHANGES)),
            },
            "--ref:text -h",
        ),
        "symbolic-ref": outline(
            "-q --quiet -d --delete --short --recurse --no-recurse -m:text -h",
            judge=_symbolic_ref,
        ),
        "bisect": group(
            {
                "log terms help": outline("--term-good --term-bad --term-old --term-new -h"),
                "run": outline(style=Style.POSIX, judge=_bisect_run),
                "start bad good new old skip next reset replay": effect(
                    _CHANGES,
                    "--no-checkout --first-parent --term-new:text --term-old:text --term-bad:text --term-good:text",
                ),
                "visualize view": effect("runs-code"),
            },
            "-h",
        ),
        "submodule": group(
            {
                "status": outline("--cached --recursive -q --quiet -h", "path*"),
                "summary": outline("--cached --files -n:text --summary-limit:text --for-status -h", "text*"),
                "foreach": outline("--recursive -q --quiet", style=Style.POSIX, judge=_foreach),
                "add": outline(
                    "-b:text --branch:text -f --force --name:text --reference:text --depth:text -q --quiet",
                    judge=_submodule_add,
                ),
                "init deinit update set-branch set-url sync absorbgitdirs": effect(
                    _CHANGES,
                    "--init --remote -N --no-fetch -f --force --checkout --merge --rebase --reference:text --recursive "
                    "--depth:text -j:text --jobs:text --all --single-branch --no-single-branch --branch:text -b:text "
                    "--default -d --filter:text --recommend-shallow --no-recommend-shallow --progress -q --quiet -h",
                ),
            },
            "-q --quiet --cached -h",
        ),
        "sparse-checkout": group(
            {
                "list": outline("-h"),
                "check-rules": outline("-z --cone --no-cone --rules-file:scan -h"),
                "init set add reapply disable": effect(_CHANGES, "--cone --no-cone --sparse-index --stdin -h"),
            },
            "-h",
        ),
        "rerere": group(
            {
                "status diff remaining": outline("-h"),
                "clear forget gc": effect("discards-changes"),
            },
            "--rerere-autoupdate -h",
            judge=_default(_CHANGES),
        ),
        "bundle": group(
            {
                "verify": outline("-q --quiet -h", "scan"),
                "list-heads": outline("-h", "scan text*"),
                "create": outline(
                    "-q --quiet --progress --all-progress --version:text --all --branches?text --tags?text -h",
                    judge=_bundle_create,
                ),
                "unbundle": effect(_CHANGES),
            },
            "-h",
        ),
        "lfs": group(
            {
                "ls-files": outline(
                    "-l --long -s --size -d --debug -a --all --deleted -I:text --include:text -X:text --exclude:text "
                    "-n "
                    "--name-only --json -j",
                    "text*",
                ),
                "status": outline("-p --porcelain -j --json"),
                "env version": outline(),
                "track": outline("-v --verbose -d --dry-run --json", judge=_lfs_track),
                "untrack install uninstall migrate prune checkout update": effect(_CHANGES),
                "fetch pull push locks lock unlock clone": effect("uses-network"),
            },
            "-h",
        ),
        "credential": group({"fill": effect("prints-secret"), "approve reject capability": effect(_CHANGES)}, "-h"),
        "credential-store credential-cache": effect("prints-secret", "--file:text --timeout:text --socket:text"),
        "ls-remote": outline(
            "--branches --heads -h --tags -t --refs --upload-pack:program --exec:program -q --quiet --exit-code "
            "--get-url "
            "--sort:text --symref -o:text --server-option:text",
            judge=_ls_remote,
        ),
        "fetch pull": outline(
            _CONNECTION + "-u --update-head-ok --set-upstream -a --append --atomic -m --multiple -P --prune-tags "
            "--prefetch --dry-run "
            "--no-write-fetch-head -k --keep --deepen:text --unshallow --refetch --update-shallow --refmap:text "
            "-o:text "
            "--negotiation-tip:text --negotiate-only --auto-maintenance --no-auto-maintenance --auto-gc --no-auto-gc "
            "--show-forced-updates --no-show-forced-updates --stdin -r?text --rebase?text --no-rebase --ff --no-ff "
            "--ff-only --autostash --no-autostash --squash --commit --no-commit --edit --no-edit -s:text "
            "--strategy:text "
            "-X:text --strategy-option:text --stat --no-stat --verify-signatures --allow-unrelated-histories --signoff",
            judge=_connects,
        ),
        "clone": outline(
            _CONNECTION + "-u:program -l --local --no-local --no-hardlinks -s --shared --bare --mirror -o:text "
            "--origin:text -b:text "
            "--branch:text --no-checkout --single-branch --no-single-branch --recursive?text --shallow-submodules "
            "--no-shallow-submodules --remote-submodules --sparse --separate-git-dir:write --reject-shallow -c:text "
            "--config:text --also-filter-submodules --bundle-uri:network --revision:text",
            judge=_clone,
        ),
        "init": outline(
            "-q --quiet --bare --template:risk --separate-git-dir:write --object-format:text --ref-format:text -b:text "
            "--initial-branch:text --shared?text -h",
            judge=_creates,
        ),
        "remote-ext": outline(judge=_ext),
    }
)
