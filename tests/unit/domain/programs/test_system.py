"""Programs that act on the whole system."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Judged = Callable[[str], str]

ALLOWED = [
    "kill -0 1234",
    "kill -l",
    "passwd -S",
    'kill -0 "$pid"',
    "kill -s 0 1234",
    "kill -0 1 2 3",
]
UNDECIDED = [
    "chmod +x build.sh",
    "chmod 755 build.sh",
    "chmod -R 777 .",
    "chmod g+s shared",
    "chmod 2775 shared",
    "chmod u-s x",
    "chmod 0755 x",
    "chmod --reference=a b",
    "chmod 600 ~/.ssh/config",
    "chown me:me notes.txt",
    "chown -R me .",
    "chgrp staff x",
    "chattr +i x",
    "kill 1234",
    "kill -9 1234",
    "kill -9 $pid",
    "kill %1",
    "kill -1 1234",
    "kill -TERM -1234",
    "kill -s HUP 1",
    "pkill node",
    "killall python",
    "useradd bob",
    "adduser bob",
    "usermod -s /bin/zsh bob",
    "passwd",
    "passwd root",
    "usermod -aG docker bob",
    "gpasswd -a bob docker",
    "gpasswd -d bob sudo",
    "userdel -r bob",
    "deluser bob root",
    "adduser bob docker",
    "adduser sudo",
    "setcap cap_net_bind_service=+ep ./server",
    "setcap -r ./server",
    "setcap cap_setuid= ./x",
    "chmod -R 755 /home/bob/x",
    "chown -R bob ~",
    "modprobe x",
    "umount /mnt/x",
    "kill -0 $a $b",
    "kill -0 $pid",
    "kill -0 -9 1",
    "setfacl -x u:bob notes.txt",
    "chattr -i notes.txt",
]
DENIED = [
    "chmod -R 777 /",
    "chmod 777 /etc/shadow",
    "chmod a+rwx /usr/bin",
    "chmod +s x",
    "chmod u+s x",
    "chmod a+s x",
    "chmod u+rwxs x",
    "chmod g+x,u+s x",
    "chmod u=rws x",
    "chmod 4755 x",
    "chmod 04755 x",
    "chmod 6755 x",
    "chmod -v u+s x",
    "chown me /etc/passwd",
    "chown -R me:me /",
    "chgrp -R staff /usr",
    "chown --reference=a /etc/passwd",
    "setfacl -m u:me:rwx /etc/shadow",
    "kill -9 -1",
    "kill -- -1",
    "kill -s KILL -1",
    "kill -1 -1",
    "useradd -o -u 0 bob",
    "usermod -aG sudo bob",
    "usermod -aG docker,sudo bob",
    "usermod -aGwheel bob",
    "useradd --groups=admin bob",
    "adduser bob sudo",
    "userdel -rf root",
    "deluser --remove-home root",
    "addgroup bob wheel",
    "adduser --ingroup root bob",
    "gpasswd -a bob wheel",
    "gpasswd --add bob sudo",
    "gpasswd -M bob,eve sudo",
    "setcap cap_setuid+ep ./x",
    "setcap cap_net_raw,cap_setgid=eip /usr/bin/x",
    "setcap 'cap_kill+ep cap_dac_override+ep' ./x",
    "setcap all=ep ./x",
    "setcap =ep ./x",
    "chmod -R 777 /home",
    "chmod 777 /home/*",
    "chown -R me ~/..",
    "passwd -d root",
    "echo 'root:x' | chpasswd",
    "pkill phocinae",
    "chattr -i /etc/passwd",
    "setfacl -b /etc",
    "setfacl -R -m o::rwx /etc",
    "killall5 -9",
]


@pytest.mark.parametrize("command", ALLOWED)
def test_allowed(command: str, judged: Judged) -> None:
    assert judged(command) == "allow"


@pytest.mark.parametrize("command", UNDECIDED)
def test_undecided(command: str, judged: Judged) -> None:
    assert judged(command) == "undecided"


@pytest.mark.parametrize("command", DENIED)
def test_denied(command: str, judged: Judged) -> None:
    assert judged(command) == "deny"
