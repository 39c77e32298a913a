"""What ``git push`` does to the history of others, and where git connects to.

Sources: git-push(1), "OPTIONS" on refspecs, and gitremote-helpers(7) on ``transport::address``.
"""

from __future__ import annotations

import re

from ..calls import Call
from ..usage import Usage
from ..values import Field, Stream
from .outlines import Outline, only_help, outline

_LASTING = re.compile(r"(?i)(?:main|master|trunk|develop(?:ment)?|release[^/]*(?:/.*)?|prod(?:uction)?|stable|HEAD)\Z")
"""Branches that others build on; of topic branches a person may want to be rid of."""


def judge_address(call: Call, address: Field) -> None:
    """Weigh a repository's address: ``ext::`` runs its words, and any ``name::`` runs the program git-remote-name."""
    helper, divider, rest = address.text.partition("::")
    if not divider or not helper or "/" in helper or "[" in helper:
        return  # an address of IPv6 stands in brackets
    if helper.lower() == "ext":
        call.names_program(address.with_text(rest))
    else:
        call.note("names-program", address)


def _push(call: Call, usage: Usage) -> Stream | None:
    """Deny what overwrites published history or removes a branch that others build on.

    ``--force-with-lease`` is left to a person: it refuses to overwrite commits that are not
    known here, and is the usual way to publish a topic branch again after a rebase.
    """
    if only_help(usage):
        return None
    call.note("publishes")
    for address in (*usage.operands[:1], *usage.values("--repo")):
        judge_address(call, address)
    if usage.has("-n", "--dry-run"):
        return None
    if usage.has("-f", "--force"):
        call.note("force-push")
    if usage.has("--mirror", "--prune"):
        call.note("deletes-branch")
    deletes = usage.has("-d", "--delete")
    for place, word in enumerate(usage.operands):
        if word.text.startswith("+"):
            call.note("force-push", word)
        elif word.text.startswith(":") or (deletes and (place or usage.has("--repo"))):
            name = word.text.removeprefix(":")
            if _LASTING.match(name.removeprefix("refs/heads/")):
                call.note("deletes-branch", word, name)
    return None


PUSH: Outline = outline(
    "-v --verbose -q --quiet --repo:text --all --branches --mirror -d --delete --tags -n --dry-run --porcelain -f "
    "--force "
    "--force-with-lease?text --force-if-includes --recurse-submodules:text --no-recurse-submodules --thin --no-thin "
    "--receive-pack:program --exec:program -u --set-upstream --progress --no-progress --prune --verify --no-verify "
    "--follow-tags --no-follow-tags --signed?text --no-signed --atomic --no-atomic -o:text --push-option:text -4 "
    "--ipv4 "
    "-6 --ipv6 -h",
    judge=_push,
)
SEND_PACK: Outline = outline(
    "--all --mirror --force -f --dry-run -n --receive-pack:program --exec:program --verbose --quiet --thin --atomic "
    "--stdin --signed?text --push-option:text --remote:text -h",
    judge=_push,
)
