"""Branches, tags, remotes, stashes and their like: listing them is harmless, changing them is not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git branch --show-current
git branch --merged main
git branch --merged
git branch -r --contains HEAD
git branch --list 'feature/*'
git branch --sort=-committerdate --format='%(refname:short)'
git tag --sort=-v:refname
git tag -n3 -l
git tag --contains abc123
git tag --points-at HEAD
git remote -v
git remote get-url origin
git stash list
git stash show -p stash@{1}
git stash show --stat
git symbolic-ref HEAD
git symbolic-ref --short HEAD
git worktree list --porcelain
git submodule
git submodule status --recursive
git notes list
git bisect log
git sparse-checkout list
git lfs ls-files
git submodule foreach 'git status -s'
git ls-remote --get-url origin
git stash list --date=relative
git branch -v
git branch --no-merged
git branch --remotes
git branch -l
git tag -l --sort=-creatordate
git tag -n
git remote get-url --all origin
git remote add --help
""",
    "undecided": r"""
git branch -vv newbranch
git branch -a newbranch
git branch --sort=x foo
git branch --contains main -d x
git branch --edit-description
git tag --sort=x v1
git stash
git stash -u
git stash -- src/a.py
git stash clear
git stash push -m x
git remote add x https://h/x.git
git remote show origin
git remote update
git submodule foreach --recursive git reset --hard
git bundle create x.bundle HEAD
git fetch
git pull --rebase
git ls-remote origin
git notes add -m x
git symbolic-ref HEAD refs/heads/x
git worktree add ../x
git branch --show-current extra -d x
""",
    "undecided-ask": r"""
git remote add x ext::./x
git clone ext::./x
git clone 'ext::sh -c id' d
git credential fill
git bisect run ./x
git fetch --upload-pack ./x origin
git remote-ext x sh -c id
""",
    "deny": r"""
git clone "ext::sh -c 'rm -rf /' x"
git bisect run rm -rf /
git submodule foreach 'rm -rf /'
git bundle create /etc/x HEAD
git worktree add /etc/x
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
