"""Verdicts on the programs of `phocinae.domain.programs.system_packages`: harmless uses, effects, and traps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

VERDICTS = {
    "allow": r"""
gem list --local
rpm -qlp x.rpm
aptitude search vim
port info vim
brew list --formula
dpkg --list
dpkg -l 'lib*'
apt-cache policy bash
rpm -q bash
apt list --installed
apt show jq
apt policy jq
apt-cache search jq
dpkg -l
dpkg -L bash
dpkg -s bash
dpkg -S /bin/ls
dpkg-query -W -f='${Version}' bash
rpm -qa
rpm -qi bash
rpm -ql bash
rpm -qf /bin/ls
dnf list installed
dnf history list
dnf repolist
zypper se -i x
brew deps --tree --installed
brew list
brew list --versions
brew leaves
brew --version
brew --prefix
gem list
gem env
pacman -Q
pacman -Qi bash
apk info
snap list
pyenv versions
rbenv version
""",
    "undecided": r"""
brew info jq
dnf search x
dnf history undo 3
fnm default 20
brew deps --tree x
apt update
sudo apt-get install -y jq
apt-get -o APT::Update::Pre-Invoke::=./x update
dpkg -i x.deb
dpkg -x x.deb y
rpm -i x.rpm
rpm --eval '%(id)'
brew install x
brew info x
gem install rails
pacman -Syu
dnf install x
pyenv local 3.11
rpm -qp https://example.com/x.rpm
rpm -Vp ./x.rpm
rpmquery -p https://example.com/x.rpm
pacman -Qp https://example.com/x.pkg
dnf search installed
yum provides installed
aptitude
brew list ./x.rb
brew deps --installed ./x.rb
port info
port contents file:///tmp/x
""",
}
CASES = [(command, verdict) for verdict, table in VERDICTS.items() for command in table.strip().splitlines()]


@pytest.mark.parametrize(("command", "verdict"), CASES)
def test_the_verdict(judged: Callable[[str], str], command: str, verdict: str) -> None:
    assert judged(command) == verdict
