"""Pools, volumes and arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

UNDECIDED = [
    "zpool status",
    "zpool list",
    "zpool create tank ./disk.img",
    "zpool create -n tank sdb",
    "zpool scrub tank",
    "zfs list",
    "zfs destroy tank/data",
    "zfs destroy tank/data@monday",
    "zfs destroy -r tank/data@monday",
    "zfs destroy -rn tank",
    "pvcreate /dev/sdb",
    "pvs",
    "lvremove vg/data",
    "vgremove --help",
    "lvm vgs",
    "mdadm --detail /dev/md0",
    "mdadm --stop /dev/md0",
    "btrfs subvolume delete ./snapshot",
    "bcachefs format ./disk.img",
    "dmsetup remove x",
    "xfs_repair -n /dev/sda1",
    "sg_format /dev/sg1",
    "dcfldd if=a of=b",
    "echo p | fdisk /dev/sda",
    "printf 'p\\nq\\n' | fdisk /dev/sda",
    "echo print | parted /dev/sda",
]
DENIED = [
    "zpool destroy tank",
    "sudo zpool destroy -f tank",
    "zpool labelclear -f /dev/sdb",
    "zpool create -f tank sdb",
    "zpool create tank mirror /dev/sdb /dev/sdc",
    "zfs destroy -r tank",
    "zfs destroy -fR tank/data",
    "pvcreate -ff /dev/sdb",
    "pvcreate -f -f /dev/sdb",
    "pvcreate -y /dev/sdb",
    "pvremove /dev/sdb",
    "vgremove vg0",
    "lvremove -f vg0/root",
    "lvremove --yes vg0/root",
    "lvm lvremove -fy vg0/root",
    "mdadm --zero-superblock /dev/sda1",
    "bcachefs format /dev/sdb",
    "dmsetup remove_all",
    "xfs_repair -L /dev/sda1",
    "sg_format --format /dev/sg1",
    "sg_sanitize --crypto /dev/sg1",
    "dcfldd if=/dev/zero of=/dev/sda",
    "printf 'd\\nw\\n' | fdisk /dev/sda",
    "echo 'mklabel gpt' | parted /dev/sda",
]


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"
