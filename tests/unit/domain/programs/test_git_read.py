"""Subcommands of git that show something: what is harmless, what prints secrets, writes or runs a program."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
git grep -c ''
git grep -l ''
git grep '' -- src/a.py
git status --porcelain=v2 --branch
git status -uno
git -C src/app status -s
git diff --cached --stat
git diff HEAD~3..HEAD -- src tests
git diff -U10 --word-diff=color main
git diff --name-status --diff-filter=AM origin/main...HEAD
git log -p -2 src/main.py
git log --pretty=format:'%h %an %s' --date=short -20
git log --pretty='%H' -n 1
git log -n5 --oneline main..HEAD
git log -L10,20:src/main.py
git log --follow -- src/old.py
git log -S'password' --oneline
git log --all --source -- .env
git show -s --format=%ci HEAD
git show HEAD~2:README.md
git show --name-only abc1234
git show :/fix
git show --stat HEAD:README.md
git show --stat HEAD -- src
git diff --stat -- ':(top)docs'
git blame -L 10,40 src/main.py
git blame -w -C -C src/x.py
git grep -n TODO -- '*.py'
git grep -lE 'foo|bar' HEAD -- src
git grep -e foo --and -e bar
git reflog
git reflog -10 --date=iso
git reflog show main
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref --symbolic-full-name @{u}
git rev-list --count main..HEAD
git rev-list --all --max-count=5
git shortlog -sne --all
git describe --tags --always --dirty
git describe --abbrev=0
git ls-files -m
git ls-files --others --exclude-standard
git ls-tree -r --name-only HEAD
git cat-file -t HEAD
git cat-file blob HEAD:src/x.py
git merge-base main HEAD
git merge-base --is-ancestor a b
git for-each-ref --format='%(refname)' refs/heads
git show-ref --heads
git name-rev HEAD
git count-objects -vH
git fsck
git check-ignore -v node_modules
git check-attr -a README.md
git var GIT_EDITOR
git help push
git log --help
git version
git diff --no-index a.txt b.txt
git cherry -v main
git range-diff main~3..main topic
git show-branch --all
git diff-tree --no-commit-id --name-only -r HEAD
git format-patch --stdout -1 HEAD
git --no-pager log -5
git -P diff
git --git-dir=.git --work-tree=. status
git log --oneline --since=yesterday --until='1 hour ago' --no-merges
git diff main -- ':!package-lock.json'
git diff -- ':(exclude).env' src
git ls-files | wc -l
git interpret-trailers --parse msg.txt
git hash-object README.md
git log --graph --decorate --all --oneline -30
git log --author='A B' --format='%h %s' main
git log "HEAD~5..HEAD"
git archive --list
git status -- "$x"
git log --since=2.weeks --author="Jane" --pretty=short -- docs
git diff --stat HEAD~1 HEAD
git diff --check
git diff -w --ignore-blank-lines
git diff stash@{0}
git show HEAD^
git show -U0 abc123
git show v1.2.0:package.json
git log -1 --format=%cd --date=iso
git log main --not origin/main
git log -p --follow src/x.py
git log --diff-filter=D --summary
git log --merges -5
git log --shortstat
git log -G 'regex' --oneline
git log HEAD..origin/main
git blame HEAD~3 -- src/x.py
git blame --date=short -e src/x.py
git status --ignored
git status -s -uall
git rev-parse --is-inside-work-tree
git rev-parse --git-dir
git rev-parse --short=8 HEAD
git rev-list HEAD --count
git rev-list --left-right --count main...HEAD
git ls-files --stage
git ls-files --error-unmatch src/x.py
git ls-tree -r HEAD --name-only
git ls-tree -l HEAD src/
git cat-file -s HEAD:README.md
git grep -i 'todo' -- src
git grep --count foo
git grep -n --heading --break foo
git describe
git describe --long --match 'v*'
git shortlog -s -n --since=1.month
git reflog show --date=iso HEAD
git diff-index --quiet HEAD --
git diff-files --name-only
git merge-base --all a b
git check-ignore .env
git help
git help -a
git log -- .env.example
git rev-parse --verify HEAD
git diff --no-color --no-ext-diff
git diff --submodule=log
git --no-optional-locks status
git show --pretty=fuller --no-patch
git verify-tag v1
git -C "$x" status
echo HEAD:README.md | git cat-file --batch
git cat-file --batch-check --batch-all-objects
""",
    "undecided": r"""
git log --author -L1,9:.env
git log --author --output=x
git shortlog -n --output=x
git blame -n --output=x
git format-patch --stdout -v --author --output=x
git log -- --output
git range-diff --author --output=x a b
git rev-list -L --output=x HEAD
git --exec-path=/tmp/x status
git --config-env=core.pager=X log
git diff --ext-diff
git diff --textconv
git cat-file --textconv HEAD:x
git grep --ext-grep foo
git archive HEAD -o x.tar
git status "$x"
git reflog expire --all
git reflog delete HEAD@{1}
git fsck --lost-found
git hash-object -w x
git help -w push
git -C $x status
git log -n $n
git log --author=$x
""",
    "undecided-ask": r"""
git grep ''
git grep -e '' .
git grep -n -v foo
git grep . -- ./
git grep -O
git grep --open-files-in-pager foo
git show "$x"
git show -s HEAD:.env
git show --stat HEAD:config/.env.local
git show --name-only :id_rsa
git var -l
git archive --remote=ext::./x HEAD
git show HEAD:.env
git show HEAD:"$f"
git cat-file -p HEAD:config/secrets.yml
git log -p -- .env
git log -p --all .env.production
git diff .env
git blame .env
git grep -n . -- .env
git grep --no-index -n . ~/.ssh/id_rsa
git diff --no-index /dev/null ~/.ssh/id_rsa
git -C ~/.ssh diff --no-index a config
git archive HEAD .env
git archive HEAD:.aws
git format-patch --stdout -1 HEAD -- .env
git log -L1,5:.env
git archive --remote=x --exec=./y HEAD
echo HEAD:.env | git cat-file --batch
git cat-file --batch < names.txt
""",
    "deny": r"""
git archive HEAD -o /etc/x.tar
git archive --remote='ext::rm -rf /' HEAD
git diff --output=/etc/passwd
git diff --output ~/.bashrc
git format-patch -1 -o /etc
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict


@pytest.mark.parametrize(
    "enter", ["git -C ~/.aws {}", "cd ~/.ssh && git {}", "env -C ~/.gnupg git {}", "cd /run/secrets && git {}"]
)
@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        *(
            (shown, "undecided-ask")
            for shown in ("log -p", "diff", "diff --cached", "show", "show HEAD", "grep x", "diff-tree -p")
        ),
        *(
            (shown, "undecided-ask")
            for shown in ("stash show -p", "reflog -p", "whatchanged -p", "diff-files", "archive HEAD")
        ),
        *(
            (shown, "allow")
            for shown in ("log", "log --oneline", "status", "diff --stat", "show --stat", "reflog", "shortlog")
        ),
    ],
)
def test_what_files_of_a_folder_of_secrets_hold(
    judged: Callable[[str], str], enter: str, shown: str, verdict: str
) -> None:
    assert judged(enter.format(shown)) == verdict
    assert judged("cd src && git " + shown) == "allow"
