"""Programs that delete files, and programs that write or wipe storage devices."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

UNDECIDED = [
    "rm -rf ''",
    "rm -rf",
    "rm -rf /t*",
    "xargs -a <(echo a) rm",
    "rm notes.txt",
    "rm -f *.pyc",
    "rm *",
    "rm -rf build dist",
    "rm -rf ./build",
    "rm -rf build/*",
    "rm -rf */node_modules",
    "rm -rf node_modules package-lock.json",
    "rm -rf ~/project/build",
    "rm -rf ~/.cache/pip",
    "rm -rf /tmp/x /tmp/*",
    "rm -rf /var/tmp/x",
    "rm -rf /usr/local/lib/node_modules/x",
    "rm -rf .git",
    'rm -rf "$BUILD_DIR"',
    "rm -rf $x/*",
    'rm -rf "${TMPDIR:-/tmp}/x"',
    "rm -- -r",
    "rm -r -- --recursive",
    "rm --frobnicate x",
    "rm ~",
    "rm",
    "cd build && rm -rf *",
    "(cd build; rm -rf *)",
    "mkdir x && cd x && rm -rf *",
    'tmp=$(mktemp -d); rm -rf "$tmp"',
    "rmdir build",
    "rmdir -p a/b",
    "rmdir ~",
    "unlink notes.txt",
    "trash notes.txt",
    "shred -u notes.txt",
    "dd if=/dev/zero of=disk.img bs=1M count=1",
    "dd if=/dev/zero of=disk2.img",
    "mkfs.ext4 disk.img",
    "mke2fs -t ext4 ./disk.img",
    "fdisk -l",
    "fdisk -l /dev/sda",
    "parted /dev/sda print",
    "sfdisk --list /dev/sda",
    "wipefs --help",
    "cryptsetup status x",
    "cryptsetup luksDump /dev/sda1",
    "diskutil list",
    "hdparm -I /dev/sda",
    "badblocks -v /dev/sda",
    "blkdiscard disk.img",
    "nvme list",
]
DENIED = [
    "rm -rf /e*c",
    "rm -rf /u?r",
    "rm -f /*",
    "rm -rf '' /",
    "xargs -a <(echo /) rm -rf",
    *(
        f"rm -rf {path}"
        for path in """
        / // /. /.. /* ~ ~/ ~/* ~/.* ~root
        ~+ $HOME "$HOME" ${HOME}/ "${HOME:?}" /home /home/* /home/ann /Users/ann /root
        . ./ * ./* .* */* ?* x/..
        .. ../ ../* ../.. $PWD "$(pwd)" `pwd`/.. /etc /usr /usr/* /bin /boot /var /var/lib /opt
        /srv/ /dev/sda {/,x} C:/
        """.split()
    ),
    "rm -rf $(echo /)",
    "rm -fr /",
    "rm -r /",
    "rm -R /",
    "rm / -r",
    "rm --recursive /",
    "rm --rec /",
    "rm --r /",
    "rm -r -v -f ~",
    "rm -rf -- /",
    "rm -rf build /",
    "rm -rf / --no-preserve-root",
    "rm -rf --one-file-system --frobnicate /",
    "rm /etc/passwd",
    "rm -f /bin/ls",
    "grm -rf /",
    "srm -r ~",
    "/bin/rm -rf /",
    "shred /dev/sda",
    "shred -u /etc/passwd",
    "dd if=/dev/zero of=/dev/sda",
    "dd of=/dev/nvme0n1 if=x bs=4M",
    "dd if=x of=/etc/passwd",
    "mkfs.ext4 /dev/sda1",
    "mkfs -t xfs /dev/sdb",
    "mkswap /dev/sda2",
    "wipefs -a /dev/sda",
    "fdisk /dev/sda",
    "sgdisk --zap-all /dev/sda",
    "parted /dev/sda mklabel gpt",
    "cryptsetup luksFormat /dev/sda1",
    "cryptsetup erase /dev/sda1",
    "diskutil eraseDisk JHFS+ x disk0",
    "diskutil zeroDisk disk0",
    "blkdiscard /dev/sda",
    "badblocks -w /dev/sda",
    "badblocks -svw /dev/sda",
    "hdparm --security-erase x /dev/sda",
    "nvme format /dev/nvme0n1",
    "nvme sanitize /dev/nvme0",
]


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("trash ~", "deny"),
        ("gio trash ~", "deny"),
        ("gio remove -f /etc/passwd", "deny"),
        ("gio trash build", "undecided"),
        ("gio cat x", "undecided"),
        ("wipe -rf /", "deny"),
        ("wipe -r build", "undecided"),
        ("trash-put /", "deny"),
        ("trash-put /etc", "deny"),
        ("trash-put build", "undecided"),
        ("tar -cf x.tar --remove-files /etc", "deny"),
        ("tar --remove-files -cf x.tar build", "undecided"),
        ("zip -rm x.zip /etc", "deny"),
        ("zip -m x.zip a.txt", "undecided"),
        ("rsync -a --remove-source-files /etc/ x/", "deny"),
        ("rsync -a --remove-source-files a/ b/", "undecided"),
        ("mv / x", "deny"),
        ("mv ~ /tmp/x", "deny"),
        ("mv ~/.config x", "deny"),
        ("mv a b", "undecided"),
        ("find /var/log/app -name '*.gz' -mtime +30 -delete", "undecided"),
        ("find /var/log -name '*.gz' -delete", "deny"),
        ("find /var/log/app -delete", "deny"),
        ("rm -rf /usr/local/go", "undecided"),
        ("rm -rf /usr/local/bin", "deny"),
        ("find . -path './*' -delete", "deny"),
        ("find . -type l ! -exec test -e {} \\; -delete", "undecided"),
    ],
)
def test_what_takes_files_away_by_another_name(judged: Callable[[str], str], text: str, verdict: str) -> None:
    assert judged(text).startswith(verdict)
