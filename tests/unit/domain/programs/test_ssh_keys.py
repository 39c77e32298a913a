"""Keys of ssh: ssh-keygen, ssh-add, ssh-copy-id."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "ssh-add -l",
    "ssh-add -L",
    "ssh-keygen -lf ~/.ssh/id_rsa.pub",
    "ssh-keygen -l -f ~/.ssh/id_ed25519.pub",
    "ssh-keygen -l -E md5 -f key.pub",
]
UNDECIDED = [
    "ssh-add",
    "ssh-add -D",
    "ssh-keygen",
    "ssh-keygen -l -R host",
    "ssh-keygen -t ed25519 -f key",
    "ssh-copy-id host",
    "ssh-keygen -R host -l",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Callable[[str], str]) -> None:
    assert judged(command) == "undecided"
