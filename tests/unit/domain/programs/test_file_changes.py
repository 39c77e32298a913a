"""Verdicts on commands of the family ``file_changes``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

UNDECIDED = [
    "split f",
    "csplit f 1",
    "dos2unix f",
    "cp a b",
    "mv a b",
    "ln -s a b",
    "mkdir x",
    "mkdir -p /etc/foo",
    "touch x",
    "truncate -s 0 f",
    "mktemp",
    "mktemp -d",
    "patch -p1",
    "sponge f",
    "rename s/a/b/ *",
    "cp -r src/. backup/",
    "cp -r dist/* /usr/local/bin/",
    "cp app /usr/local/bin/app",
    "cp app /opt",
    "cp -a . /backup",
    "mv * ../backup",
    "mv src/a.py src/b.py",
    "ln -s ../lib lib",
    "ln -s a",
    "install -d /opt/x",
    "install -m 755 x ~/bin/x",
    "mkdir -p ~/.config/systemd/user",
    "touch ~/.bashrc",
    "touch a b c",
    "truncate -s 10M x.img",
    "split -b 1M big.bin part_",
]
ASKED = [
    "cp ~/.ssh/id_rsa /tmp/x",
    "ln -s ~/.ssh/id_rsa x",
]
DENIED = [
    "split --filter='rm -rf /' f",
    "cp a /etc/passwd",
    "cp evil /usr/bin/ls",
    "cp x /",
    "cp bashrc ~/.bashrc",
    "cp .bashrc ~",
    "cp config ~/.ssh/",
    "cp authorized_keys ~/.ssh",
    "cp x -t /etc",
    "cp a /dev/sda",
    "mv /etc/passwd /tmp",
    "mv ~ /dev/null",
    "mv / /dev/null",
    "mv x /bin/sh",
    "ln -sf /tmp/x /etc/ld.so.preload",
    "ln -s /tmp/x -t /etc",
    "install -m 4755 x y",
    "install -m u+s x y",
    "install x /usr/bin/y",
    "touch /etc/x",
    "truncate -s 0 /etc/passwd",
    "truncate -s 0 ~/.bashrc",
    "patch /etc/passwd x",
    "cp a b c /etc/",
    "cp -t ~/.ssh authorized_keys",
    "cp x ~/.claude/settings.json",
    "cp x .claude/settings.json",
    "mv ~/* /dev/null",
    "mv -t /etc x",
    "ln -sf ~/dotfiles/.bashrc ~/.bashrc",
    "install -Dm644 x /etc/x",
    "truncate -s 0 /dev/sda",
    "split big /etc/x",
    "csplit -f /etc/x f 1",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
        *((command, "deny") for command in DENIED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
