"""Editors, which write files and run commands that are given to them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]


@pytest.mark.parametrize("name", "vi vim nvim ex view emacs nano code ed kate".split())
def test_an_editor_is_never_vouched_for(name: str, judged: Judged) -> None:
    assert judged(f"{name} notes.txt") == "undecided"
    assert judged(name) == "undecided"
    assert judged(f"{name} --version") == judged(f"{name} --help") == "allow"


@pytest.mark.parametrize("name", "vi view emacs nano code ed".split())
def test_a_person_must_say_that_an_editor_opens_secrets(name: str, judged: Judged) -> None:
    assert judged(f"{name} .env") == judged(f"{name} ~/.ssh/id_rsa") == "undecided-ask"


@pytest.mark.parametrize(
    "command",
    [
        "vim -c ':q' notes.txt",
        "vim '+%s/a/b/' notes.txt",
        "vim +12 notes.txt",
        "vim -S script.vim",
        "emacs --batch --eval '(message \"hello\")'",
        "emacs --batch -l script.el",
        "vim -c '!make'",
    ],
)
def test_commands_of_editors(command: str, judged: Judged) -> None:
    assert judged(command) in ("undecided", "undecided-ask")


@pytest.mark.parametrize(
    "command",
    [
        "vim -c '!rm -rf /'",
        "vim -c ':!rm -rf /' -c ':q'",
        "vim -c ':silent !rm -rf /'",
        "vim '+!rm -rf /' notes.txt",
        "ex -c '!rm -rf /'",
        "vim --cmd '!rm -rf /'",
        "vim -w /etc/passwd",
        "emacs --batch --eval '(shell-command \"rm -rf /\")'",
        'emacs --batch --eval \'(call-process "rm" nil nil nil "-rf" "/")\'',
    ],
)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


CODE_DENIED = [
    "vim -c ':!rm -rf /' -c ':q'",
    "vim -c '!rm -rf ~' f",
    "vim -c 'silent !rm -rf /' f",
    "vim -c ':call system(\"rm -rf /\")' f",
    "vim -c ':r !rm -rf /' f",
    "vim -c ':w! /etc/passwd' f",
    "vim -es -c ':!rm -rf /' -c ':qa' f",
    "vim -es -u NONE -c \"call delete('/etc','rf')\" -c q",
    "vim -c 'py3 import os; os.system(\"rm -rf /\")' f",
    "vim -c 'lua os.execute(\"rm -rf /\")' f",
    "vim -c 'term rm -rf /' f",
    "nvim --headless -c '!rm -rf /' -c q",
    "nvim -es +'!rm -rf ~' +q",
    "nvim --headless +'lua os.execute(\"rm -rf /\")' +q",
    "ex -s f <<'E'\n!rm -rf /\nq\nE",
    "ex -sc '!rm -rf /|q' f",
    "printf '!rm -rf /\\nq\\n' | ed",
    "ed -s f <<< '!rm -rf /'",
    "ed -s f <<'E'\nw /etc/passwd\nq\nE",
    "echo 'r !rm -rf ~' | ed -s f",
    "vi -c ':%!sh -c \"rm -rf /\"' f",
]
CODE_DOUBTED = [
    "vim -c 'echo \"rm -rf /\"' f",
    "vim -c '%s/rm -rf/x/' -c wq f",
    "vim +10 f",
    "vim -es -c '%s/a/b/g' -c 'wq' f",
    "nvim --headless -c 'echo \"!rm -rf /\"' -c q",
]


@pytest.mark.parametrize("command", CODE_DENIED)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", CODE_DOUBTED)
def test_other_code_is_not_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) != "deny"
