"""What is known of programs: one module per family, loaded when one of its programs occurs.

`FAMILIES` lists the programs of each family, so that nothing is imported to learn that a
program is unknown.  Each family has a mapping ``PROGRAMS`` from these names to descriptions.
"""

from __future__ import annotations

from importlib import import_module

from ..knowledge import Program

FAMILIES: dict[str, str] = {
    "shells": "sh bash zsh dash ksh mksh ash fish rbash eval source . command builtin exec time coproc",
    "builtins": (
        "echo printf cd chdir pushd popd dirs true false : exit return break continue times caller help test [ "
        "export declare typeset readonly local unset set shift alias unalias trap shopt setopt unsetopt emulate "
        "enable disable hash umask ulimit type let read mapfile readarray wait jobs disown getopts history sleep "
        "clear tput expr"
    ),
    "wrappers": (
        "sudo doas pkexec gosu su-exec su runuser env nice ionice nohup timeout gtimeout stdbuf unbuffer setsid "
        "chrt taskset numactl chroot unshare nsenter setpriv fakeroot strace ltrace script watch flock xargs "
        "parallel busybox toybox caffeinate xvfb-run dbus-run-session systemd-run at batch proxychains "
        "proxychains4 torsocks entr"
    ),
    "deleting": (
        "rm grm srm rmdir unlink trash trash-put shred dd mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs "
        "mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkdosfs mkntfs mkswap newfs newfs_msdos "
        "wipefs fdisk sfdisk cfdisk gdisk sgdisk parted cryptsetup diskutil blkdiscard badblocks hdparm nvme"
    ),
    "system": (
        "chmod chown chgrp chattr setfacl kill pkill killall skill xkill renice shutdown reboot poweroff halt init "
        "telinit systemctl service launchctl initctl rc-service update-rc.d crontab useradd adduser usermod "
        "userdel deluser groupadd groupdel gpasswd passwd chpasswd visudo chsh setenforce ufw iptables ip6tables "
        "iptables-legacy nft firewall-cmd pfctl ebtables sysctl auditctl aa-disable aa-complain aa-teardown "
        "csrutil spctl getenforce sestatus umount insmod rmmod modprobe depmod swapoff swapon losetup hostnamectl "
        "timedatectl localectl loginctl update-grub grub-install efibootmgr ldconfig update-alternatives "
        "dpkg-reconfigure"
    ),
    "network": (
        "curl wget wget2 nc ncat netcat nc.openbsd nc.traditional socat ssh scp sftp rsync telnet ftp tftp mail "
        "mailx mutt sendmail msmtp swaks http https xh httpie aria2c lynx w3m links axel dig host nslookup whois "
        "ping ping6 traceroute tracepath mtr nmap arp-scan ssh-keygen ssh-add ssh-copy-id"
    ),
    "editors": (
        "vi vim nvim ex view gvim vimdiff rvim emacs emacsclient nano pico micro code subl gedit kate ed red hx joe"
    ),
    "windows": (
        "Remove-Item remove-item ri rd del erase powershell powershell.exe pwsh pwsh.exe cmd cmd.exe iex IEX "
        "Invoke-Expression invoke-expression vssadmin vssadmin.exe wbadmin wbadmin.exe wmic wmic.exe bcdedit "
        "bcdedit.exe reg reg.exe netsh netsh.exe Set-MpPreference set-mppreference Add-MpPreference Stop-Computer "
        "stop-computer Restart-Computer restart-computer Format-Volume Clear-Disk Initialize-Disk Remove-Partition "
        "format-volume clear-disk diskpart diskpart.exe format format.com taskkill tasklist schtasks sc net icacls "
        "takeown attrib robocopy xcopy"
    ),
}

_FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names.split()}


def find(name: str) -> Program | None:
    """Return the description of a program by its name without a folder, or None."""
    family = _FAMILY_OF.get(name)
    if family is None:
        return None
    module = import_module(f"{__name__}.{family}")
    found: Program = module.PROGRAMS[name]
    return found
