"""Settings of git on the command line and in files: which of them name a program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git config -l --name-only
git config user.email
git config get user.name
git config --global --get core.editor
git -c color.ui=false status
git -c core.quotepath=off ls-files
git -c core.pager=cat log -3
git -c core.fsmonitor=false status
git -c log.showSignature=false log -1
git -c core.hooksPath=/dev/null status
git -c blame.coloring=none blame a.py
git config get --regexp --all --name-only remote
git config --get remote.origin.url
git config core.editor
""",
    "undecided": r"""
git config --unset user.name
git config user.name me
git config --global user.name me
git config -e
git -c safe.directory=* status
git -c include.path=./evil status
git -c blame.ignoreRevsFile=.env blame a.py
git -c core.excludesFile=.env check-ignore -v x
""",
    "undecided-ask": r"""
git config --local --list
git config --get-regexp '^remote'
git config -l
git config --list --show-origin
git config --get-regexp .
git config --get-urlmatch http https://x
git config list
git config core.pager ./x
git config --global core.hooksPath ./hooks
git config alias.zz '!id'
git config set alias.zz '!id'
git config --get http.https://github.com/.extraheader
git config get --regexp --all .
git config get --all --show-names --regexp '^remote'
git config get --url=https://example.com http
git -c core.hooksPath=cat status
git -c core.fsmonitor=true status
git config --file ~/.aws/credentials --list
git -c alias.st='!./x' st
git -c alias.st=status st
git -c core.sshCommand=./x fetch
git -c credential.helper='!./x' fetch
git -c diff.foo.textconv=./x diff
git -c filter.lfs.clean=./x status
git -c gpg.program=./x log --show-signature
git -c sequence.editor=./x rebase -i HEAD~2
""",
    "deny": r"""
git config alias.zz '!rm -rf /'
git -c alias.p='push --force' p
git -c alias.p=push p --force
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
