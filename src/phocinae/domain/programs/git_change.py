"""Subcommands of git that change a repository, its working tree or what others have of it.

Sources: the manual pages of the subcommands.
"""

from __future__ import annotations

from .. import effects, places
from ..calls import Call
from ..knowledge import Style
from ..places import Place
from ..usage import Usage
from ..values import Stream
from .git_push import PUSH, SEND_PACK, judge_address
from .outlines import Descriptions, effect, only_help, outline

_CHANGES = "changes-repository"
_MESSAGE = (
    "-m:text --message:text -F:scan --file:scan -e --edit --no-edit --cleanup:text -s --signoff --no-signoff -S?text "
    "--gpg-sign?text --no-gpg-sign -q --quiet -v --verbose -n --no-verify --verify -h "
)
_SEQUENCE = (
    "--continue --abort --skip --quit --strategy:text -X:text --strategy-option:text --rerere-autoupdate "
    "--no-rerere-autoupdate --allow-empty --ff --no-ff --ff-only --autostash --no-autostash --stat --no-stat "
    "--progress "
    "--no-progress --allow-unrelated-histories --verify-signatures "
)
_PATHS = "--pathspec-from-file:scan --pathspec-file-nul "


def _dry_runs(call: Call, usage: Usage) -> Stream | None:
    """Keep a hit unless the call only says what it would do."""
    if not usage.has("-n", "--dry-run") and not only_help(usage):
        call.note(_CHANGES)
    return None


def _of_gate(call: Call, usage: Usage) -> None:
    """Weigh files of the working tree that are changed by name."""
    for word in usage.operands:
        if effects.of_gate(call.walker, places.resolve(word.text, call.state.cwd)):
            call.note("write-gate", word)


def _moves(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-n", "--dry-run"):
        _of_gate(call, usage)
    return _dry_runs(call, usage)


_INTERACTIVE = ("-i", "--interactive", "-p", "--patch", "-e", "--edit")
"""Options of ``git add`` and ``git commit`` that change the index whatever else is asked for."""


def _add(call: Call, usage: Usage) -> Stream | None:
    if usage.has(*_INTERACTIVE):
        call.note(_CHANGES)
    return _dry_runs(call, usage)


def _commit(call: Call, usage: Usage) -> Stream | None:
    """``-i`` of ``git commit`` adds the files that are named."""
    if (not usage.has("--dry-run") or usage.has("-p", "--patch", "--interactive")) and not only_help(usage):
        call.note(_CHANGES)
    return None


def _reset(call: Call, usage: Usage) -> Stream | None:
    if not only_help(usage):
        call.note("discards-changes" if usage.has("--hard", "--merge", "--keep") else _CHANGES)
    return None


def _checkout(call: Call, usage: Usage) -> Stream | None:
    """Checking out paths overwrites them; so does any checkout that is forced."""
    if only_help(usage):
        return None
    paths = any(word.text == "--" for word in call.args) or any(
        word.text in (".", "..") or word.text.startswith(":") or word.text.endswith("/") for word in usage.operands
    )
    forced = usage.has("-f", "--force", "-B", "-C", "--force-create", "--discard-changes", "--ours", "--theirs")
    call.note("discards-changes" if paths or forced or len(usage.operands) > 1 else _CHANGES)
    _of_gate(call, usage)
    return None


def _restore(call: Call, usage: Usage) -> Stream | None:
    if not only_help(usage):
        index = usage.has("-S", "--staged") and not usage.has("-W", "--worktree")
        call.note(_CHANGES if index else "discards-changes")
        if not index:
            _of_gate(call, usage)
    return None


def _clean(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-n", "--dry-run") and not only_help(usage):
        call.note("discards-changes")
        here = call.word.with_text(".")
        if usage.has("-f", "--force") and places.place(".", call.state.cwd) in (Place.ROOT, Place.HOME, Place.SYSTEM):
            effects.delete(call.walker, here, call.state, recursive=True)
    return None


def _apply(call: Call, usage: Usage) -> Stream | None:
    """``--stat`` and its like show what a patch does, unless ``--apply`` is given as well."""
    shows = usage.has("--stat", "--numstat", "--summary", "--check")
    if (not shows or usage.has("--apply", "--build-fake-ancestor")) and not only_help(usage):
        call.note(_CHANGES)
    return None


def _for_each_repo(call: Call, usage: Usage) -> Stream | None:
    if usage.operands:
        call.run([call.word, *usage.operands])
    return None


def _request_pull(call: Call, usage: Usage) -> Stream | None:
    """It asks the other repository what it holds."""
    if not only_help(usage):
        call.note("uses-network")
    for address in usage.operands[1:2]:
        judge_address(call, address)
    return None


def _merge_file(call: Call, usage: Usage) -> Stream | None:
    if not usage.has("-p", "--stdout") and not only_help(usage):
        call.note("changes-files")
    return None


_CHECKOUT = (
    "-b:text -B:text -c:text --create:text -C:text --force-create:text -l --guess --no-guess --overlay --no-overlay -q "
    "--quiet --recurse-submodules?text --progress --no-progress -m --merge --conflict:text -d --detach -t?text "
    "--track?text --no-track -f --force --orphan:text --discard-changes --overwrite-ignore --ignore-other-worktrees -2 "
    "--ours -3 --theirs -p --patch --ignore-skip-worktree-bits -h " + _PATHS
)
_AM = (
    "-i --interactive -3 --3way -u --utf8 -k --keep --keep-cr --no-keep-cr -c --scissors --whitespace:text "
    "--ignore-space-change --ignore-whitespace --directory:text --exclude:text --include:text -C:text -p:text "
    "--patch-format:text --reject --resolved --show-current-patch?text --committer-date-is-author-date --ignore-date "
)

PARTS = Descriptions(
    {
        "push": PUSH,
        "send-pack": SEND_PACK,
        "commit": outline(
            _MESSAGE + _PATHS + "-a --all -p --patch --interactive -i --include -o --only --amend --dry-run --short "
            "--branch "
            "--porcelain --long -z --null -u?text --untracked-files?text -c:text --reedit-message:text -C:text "
            "--reuse-message:text --fixup:text --squash:text --reset-author --author:text --date:text --trailer:text "
            "-t:scan --template:scan --allow-empty --allow-empty-message --no-post-rewrite --status --no-status",
            judge=_commit,
        ),
        "add stage": outline(
            _PATHS + "-n --dry-run -v --verbose -i --interactive -p --patch -e --edit -f --force -u --update "
            "--renormalize -N "
            "--intent-to-add -A --all --no-all --ignore-removal --refresh --ignore-errors --ignore-missing --sparse "
            "--chmod:text -h",
            judge=_add,
        ),
        "rm": outline(
            _PATHS + "-n --dry-run -q --quiet --cached -f --force -r --ignore-unmatch --sparse -h", judge=_moves
        ),
        "mv": outline("-v --verbose -n --dry-run -f --force -k --sparse -h", judge=_moves),
        "reset": outline(
            _PATHS + "-q --quiet --mixed --soft --hard --merge --keep --no-refresh --recurse-submodules?text -p "
            "--patch -N "
            "--intent-to-add -h",
            judge=_reset,
        ),
        "checkout switch": outline(_CHECKOUT, judge=_checkout),
        "restore": outline(
            _CHECKOUT + "-s:text --source:text -S --staged -W --worktree --ignore-unmerged", judge=_restore
        ),
        "clean": outline(
            "-q --quiet -n --dry-run -f --force -i --interactive -d -e:text --exclude:text -x -X -h",
            "path*",
            judge=_clean,
        ),
        "merge": effect(
            _CHANGES, _MESSAGE + _SEQUENCE + "--squash --commit --no-commit --log?text --no-log --into-name:text"
        ),
        "rebase": effect(
            _CHANGES,
            _MESSAGE + _SEQUENCE + "--onto:text --keep-base --root -i --interactive -x:program --exec:program -p "
            "--rebase-merges?text -r?text --autosquash --no-autosquash --update-refs --fork-point --no-fork-point "
            "--edit-todo --show-current-patch --apply -f --force-rebase --reapply-cherry-picks --empty:text "
            "--committer-date-is-author-date --reset-author-date --ignore-whitespace --whitespace:text",
        ),
        "cherry-pick revert": effect(
            _CHANGES,
            _MESSAGE + _SEQUENCE + "-x -m:text --mainline:text --no-commit --keep-redundant-commits --reference",
        ),
        "apply": outline(
            "--exclude:text --include:text -p:text --no-add --stat --numstat --summary --check --index -N "
            "--intent-to-add --cached --unsafe-paths --apply -3 --3way --build-fake-ancestor:write -z -C:text "
            "--whitespace:text --ignore-space-change --ignore-whitespace -R --reverse --unidiff-zero --reject --binary --allow-binary-replacement "
            "--allow-overlap -v --verbose -q --quiet --inaccurate-eof --recount --directory:text --allow-empty -h",
            "scan*",
            judge=_apply,
        ),
        "am": effect(_CHANGES, _MESSAGE + _SEQUENCE + _AM),
        "gc repack pack-refs maintenance update-server-info commit-graph multi-pack-index": effect(
            _CHANGES, "--aggressive --auto --quiet -q --force --all -a -d -A -l -f --no-prune --cruft --prune?text -h"
        ),
        "prune prune-packed": outline("-n --dry-run -v --verbose --progress --expire:text -h", judge=_dry_runs),
        "update-index update-ref read-tree write-tree commit-tree mktree mktag merge-index": effect(
            _CHANGES, "--refresh -q -h"
        ),
        "checkout-index replace fast-import unpack-objects index-pack pack-objects filter-repo": effect(
            _CHANGES, "-q -h"
        ),
        "subtree svn p4 quiltimport flow cvsimport": effect(_CHANGES),
        "merge-tree": effect(
            _CHANGES, "--write-tree --trivial-merge --messages --name-only -z --stdin --merge-base:text -h"
        ),
        "merge-file": outline(
            "-p --stdout -q --quiet --ours --theirs --union --diff3 --zdiff3 -L:text -h",
            "read*",
            judge=_merge_file,
        ),
        "filter-branch": effect(
            "discards-changes",
            "--setup:program --env-filter:program --tree-filter:program --index-filter:program --parent-filter:program "
            "--msg-filter:program --commit-filter:program --tag-name-filter:program --subdirectory-filter:text "
            "--prune-empty --original:text -d:text -f --force --state-branch:text",
            style=Style.POSIX,
        ),
        "difftool mergetool": effect(
            "runs-code",
            "-x:program --extcmd:program -t:text --tool:text --tool-help -y --no-prompt --prompt -d --dir-diff -g "
            "--gui",
        ),
        "citool gui instaweb hook daemon": effect("runs-code"),
        "send-email": effect(
            "publishes",
            "--to-cmd:program --cc-cmd:program --header-cmd:program --sendmail-cmd:program",
        ),
        "for-each-repo": outline("--config:text --keep-going", style=Style.POSIX, judge=_for_each_repo),
        "bugreport diagnose": effect(
            "changes-files",
            "-o:write --output-directory:write -s:text --suffix:text --mode:text",
        ),
        "fast-export": effect("not-harmless", "--all --export-marks:write --import-marks:scan"),
        "request-pull": outline("-p -h", judge=_request_pull),
    }
)
