"""Lisps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

RUINOUS = [
    'clj -e \'(clojure.java.shell/sh "rm" "-rf" "/")\'',
    'clojure -e "(use \'[clojure.java.shell]) (sh \\"rm\\" \\"-rf\\" \\"/\\")"',
    "racket -e '(system \"rm -rf /\")'",
    "racket -e '(delete-directory/files \"/\")'",
    "guile -c '(system \"rm -rf /\")'",
    "guile -c '(delete-file \"/etc/passwd\")'",
    "sbcl --eval '(uiop:run-program \"rm -rf /\")'",
    "emacs --batch --eval '(delete-directory \"/\" t)'",
    "emacs --batch --eval '(shell-command \"rm -rf /\")'",
    'emacs --batch --eval \'(call-process "rm" nil nil nil "-rf" "/")\'',
    "emacs --batch --eval '(delete-file \"/etc/passwd\")'",
    'emacs --batch --eval \'(write-region "x" nil "/etc/passwd")\'',
    "emacs -Q --batch --eval '(delete-directory (getenv \"HOME\") t)'",
    "emacs -Q --batch --eval '(delete-directory \"~\" t)'",
    'emacs --batch --eval \'(start-process "x" nil "rm" "-rf" "/")\'',
    "emacsclient --eval '(delete-directory \"~/\" t)'",
]
HARMLESS = [
    "clojure -e '(println \"rm -rf /\")'",
    "racket -e '(display \"rm -rf /\")'",
    "guile -c '(display \"rm -rf /\")'",
    "sbcl --eval '(print \"rm -rf /\")'",
    "emacs --batch --eval '(message \"rm -rf /\")'",
    'emacs --batch --eval \'(message "(delete-directory \\"/\\" t)")\'',
    "emacs --batch --eval '(print (directory-files \"/\"))'",
    "emacs --batch -l x.el",
]


@pytest.mark.parametrize("command", RUINOUS)
def test_ruinous_code_is_denied(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize("command", HARMLESS)
def test_other_code_is_a_matter_for_a_person(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) in ("undecided", "undecided-ask")
