"""Verdicts on commands of the family ``archives``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "tar tf x.tar",
    "tar -tvf x.tar.gz",
    "tar -tzf x.tgz | head",
    "tar tvzf x.tgz",
    "tar --list -f x.tar",
    "tar -xOf x.tar file.txt",
    "unzip -l x.zip",
    "unzip -p x.zip file.txt",
    "zipinfo x.zip",
    "gzip -l x.gz",
    "gunzip -c x.gz | head",
    "gzip -dc x.gz",
    "xz -l x.xz",
    "zstd -dc x.zst | head",
    "7z l x.7z",
    "ar t lib.a",
    "jar tf x.jar",
    "tar -tvjf x.tar.bz2",
    "tar --list --verbose --file=x.tar",
    "tar tJf x.tar.xz",
    "unzip -lv x.zip",
    "gunzip -t f.gz",
    "tar -tf <(cat x.tar)",
    "gzip -c f",
    "gzip -t f.gz",
    "bzip2 -dc f.bz2 | head",
    "xz -dc f.xz | tar tf -",
    "lz4 -dc f.lz4",
    "tar -cf - src | wc -c",
    "tar czf - src | base64",
    "tar -xf x.tar -O",
    "tar -df x.tar",
    "tar tf a.tar --occurrence=1 f",
    "tar -tvf x.tar --wildcards '*.py'",
    "tar",
    "tar --help",
    "unzip -Z1 x.zip",
    "unzip -t x.zip",
    "unrar l x.rar",
    "cpio -it < x.cpio",
    "ar p lib.a x.o",
]
UNDECIDED = [
    "tar xf x",
    "tar tf host:x",
    "tar tf x -T list",
    'tar tf "$x"',
    "tar --delete -f x y",
    "unzip x.zip",
    "zip x.zip a",
    "gzip f",
    "gunzip f.gz",
    "xz f",
    "zstd f",
    "7z x a.7z",
    "7z a x.7z y",
    "ar x lib.a",
    "ar rcs lib.a x.o",
    "cpio -id < x",
    "jar xf x",
    "gzip -k f",
    "zstd --rm f",
    "tar --create --file=x.tar src",
    "tar xf x -C build",
    "tar -C /usr/local -xzf go.tgz",
    "tar -xPf x",
    "tar -Axf x",
    "unzip -o x -d ~/x",
    "unrar x x.rar",
]
ASKED = [
    "tar czf x .",
    "tar cf - ~",
    "tar cf - .",
    "tar cf - ~/.ssh",
    "tar tf x --to-command=id",
    "tar tf x -I ./x",
    "tar tf x --use-compress-program=./x",
    "tar tf x --rsh-command=./x",
    "tar tf x --rmt-command=./x -f h:x",
    "tar tFf ./x x",
]
DENIED = [
    "tar -xzf x.tgz -C /",
    "tar tf x --checkpoint=1 --checkpoint-action=exec='rm -rf /'",
    "unzip x.zip -d /etc",
    "zip x.zip a -TT 'rm -rf /' -T",
    "zstd -o /etc/x f",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
        *((command, "undecided-ask") for command in ASKED),
        *((command, "deny") for command in DENIED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
