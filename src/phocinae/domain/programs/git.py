"""git: its global options, and which of the families of subcommands a call belongs to.

Source: git(1).
"""

from __future__ import annotations

from importlib import import_module

from .. import places
from ..calls import Call
from ..knowledge import Program, program
from ..usage import Usage
from ..values import Field, Stream
from . import git_config
from .outlines import Descriptions, Outline

_MODULES = {
    "git_read": (
        "status diff log show whatchanged shortlog blame annotate grep ls-files ls-tree cat-file rev-parse rev-list "
        "describe "
        "name-rev show-ref for-each-ref merge-base show-branch range-diff cherry diff-tree diff-index diff-files "
        "archive "
        "format-patch var version help count-objects fsck check-ignore check-attr check-mailmap check-ref-format "
        "reflog "
        "verify-commit verify-tag verify-pack stripspace patch-id column get-tar-commit-id hash-object "
        "interpret-trailers "
        "fmt-merge-msg"
    ),
    "git_refs": (
        "branch tag remote stash config worktree notes symbolic-ref bisect submodule sparse-checkout rerere bundle lfs "
        "credential credential-store credential-cache ls-remote fetch pull clone init remote-ext"
    ),
    "git_change": (
        "push send-pack commit add stage rm mv reset checkout switch restore clean merge rebase cherry-pick revert "
        "apply am "
        "gc prune repack pack-refs maintenance update-index update-ref read-tree write-tree commit-tree mktree mktag "
        "merge-file merge-tree merge-index checkout-index replace filter-branch filter-repo difftool mergetool citool "
        "gui "
        "send-email for-each-repo hook daemon instaweb bugreport diagnose fast-import fast-export unpack-objects "
        "index-pack pack-objects subtree svn p4 quiltimport request-pull flow update-server-info commit-graph "
        "multi-pack-index prune-packed cvsimport"
    ),
}


def _part(module: str, name: str) -> Outline:
    def make() -> Program:
        parts: Descriptions = import_module(f"{__package__}.{module}").PARTS
        return parts[name]

    return make


_MOST_GLOBALS = 20
"""Folders and settings of one call that are followed; a call with more is not harmless."""


def _globals(call: Call, usage: Usage) -> Stream | None:
    """Weigh the settings on the command line, run an alias that is made there, and follow ``-C``.

    A repository folder that lies elsewhere may have come with a checkout, and its settings name
    programs that git runs.
    """
    if not usage.options:
        return None
    folders = usage.values("-C", "--work-tree")
    if folders:
        call.state = call.state.copy()
        for folder in folders[:_MOST_GLOBALS]:
            call.state.cwd = places.resolve(folder.text, call.state.cwd)
    for folder in usage.values("--git-dir"):
        if folder.text not in (".git", "./.git"):
            call.note("names-program", folder)
    if usage.has("--bare"):
        call.note("names-program")
    settings = usage.values("-c")
    if len(folders) > _MOST_GLOBALS or len(settings) > _MOST_GLOBALS:
        call.note("not-harmless")
    aliases: dict[str, Field] = {}
    for setting in settings[:_MOST_GLOBALS]:
        git_config.judge_setting(call, setting)
        key, equals, value = setting.text.partition("=")
        if equals and key.lower().startswith("alias."):
            aliases[key[len("alias.") :]] = setting.with_text(value)
    if usage.operands and usage.operands[0].text in aliases:
        _alias(call, aliases[usage.operands[0].text], list(usage.operands[1:]))
    return None


def _alias(call: Call, value: Field, rest: list[Field]) -> None:
    if value.text.startswith("!"):
        words = "".join(" " + word.text for word in rest)
        call.shell(value.with_text(value.text[1:] + words))
    else:
        call.run([call.word, *(value.with_text(word) for word in value.text.split()), *rest])


_SUBCOMMANDS = Descriptions(
    {name: _part(module, name) for module, names in _MODULES.items() for name in names.split()},
)

PROGRAMS: dict[str, Program] = {
    "git": program(
        "-C:text -c:text --git-dir:text --work-tree:text --namespace:text --attr-source:text --no-pager -P -p "
        "--paginate "
        "--bare --no-replace-objects --no-optional-locks --no-lazy-fetch --no-advice --literal-pathspecs "
        "--glob-pathspecs "
        "--noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path --list-cmds?text --exec-path?risk -v "
        "-h",
        subcommands=_SUBCOMMANDS,
        judge=_globals,
    ),
}
