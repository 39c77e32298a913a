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
    "cp app /opt",
    "cp -a . /backup",
    "mv * ../backup",
    "mv src/a.py src/b.py",
    "ln -s ../lib lib",
    "ln -s a",
    "install -d /opt/x",
    "mkdir -p ~/.config/systemd/user",
    "touch ~/.bashrc",
    "touch a b c",
    "truncate -s 10M x.img",
    "split -b 1M big.bin part_",
]
ASKED = [
    "cp ~/.ssh/id_rsa /tmp/x",
    "ln -s ~/.ssh/id_rsa x",
    "cp -r dist/* /usr/local/bin/",
    "cp app /usr/local/bin/app",
    "install -m 755 x ~/bin/x",
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


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("mkdir -p ~/.ssh", "undecided"),
        ("mkdir -p .claude/commands", "undecided"),
        ("mkdir -p /usr/local/share/x", "undecided"),
        ("rename s/x/y/ /etc/*", "deny"),
        ("rename s/x/y/ *.txt", "undecided"),
        ("cd / && tar xf x.tar", "deny"),
        ("cd /etc && unzip x.zip", "deny"),
        ("patch -d / -p1 < x", "deny"),
        ("cd /usr && patch -p0 < x", "deny"),
        ("cd /tmp && tar xf x.tar", "undecided"),
        ("tar xf x.tar -C ~/.claude", "deny"),
        ("patch -d src -p1 < x", "undecided"),
        ("perl -pi -e s/a/b/ /etc/passwd", "deny"),
        ("ruby -i -pe '$_.upcase!' /etc/hosts", "deny"),
        ("perl -pi -e s/a/b/ a.c", "undecided"),
        ("ssh-keygen -f ~/.ssh/authorized_keys", "deny"),
        ("ssh-keygen -t ed25519 -f ~/.ssh/id_x", "undecided"),
        ("ssh-keygen -l -f /etc/ssh/x.pub", "allow"),
        ("ed -s /etc/hosts <<< w", "deny"),
        ("vim -es -c wq /etc/hosts", "deny"),
        ("cd /etc/cron.d && curl -O http://localhost/x", "deny"),
        ("wget -P ~/.ssh http://localhost/authorized_keys", "deny"),
        ("wget http://localhost/x", "undecided"),
        ("curl -O http://localhost/x", "undecided"),
        ("chattr -i /etc/passwd", "deny"),
    ],
)
def test_what_makes_and_changes_files_by_other_names(judged: Callable[[str], str], text: str, verdict: str) -> None:
    assert judged(text).startswith(verdict)
