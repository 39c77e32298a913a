"""Verdicts on commands of the family ``macos``: harmless variations, and traps that must not be allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

ALLOWED = [
    "system_profiler SPHardwareDataType",
    "mdls f",
    "mdfind -name x",
    "plutil -p f.plist",
    "scutil --dns",
    "networksetup -listallhardwareports",
    "pmset -g",
    "ioreg -l",
    "xcode-select -p",
    "defaults read com.apple.dock orientation",
    "defaults read -g AppleInterfaceStyle",
    "lipo -info app",
    "codesign -dv app.app",
    "codesign --verify --verbose app.app",
]
UNDECIDED = [
    "plutil -convert xml1 f.plist",
    "scutil",
    "scutil --set HostName x",
    "networksetup -setdnsservers Wi-Fi 1.1.1.1",
    "pmset sleepnow",
    "xcode-select --install",
    "xcode-select -s /x",
    "pmset sleepnow -g",
    "pmset schedule cancelall -g",
    "defaults write com.apple.dock autohide -bool true",
    "defaults delete com.apple.dock",
    "lipo -create a b -output c",
    "codesign -s me app.app",
    "codesign -f -v -s me app.app",
]


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        *((command, "allow") for command in ALLOWED),
        *((command, "undecided") for command in UNDECIDED),
    ],
)
def test_verdict(judged: Callable[[str], str], command: str, answer: str) -> None:
    assert judged(command) == answer
