"""Places: what a path names, in every spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain import places
from phocinae.domain.places import Place
from phocinae.domain.values import ANY, CWD, HOLE, HOME, SPLIT, STAR


@pytest.mark.parametrize(
    ("path", "cwd", "full"),
    [
        ("a", CWD, f"{CWD}/a"),
        ("./a//b/.", CWD, f"{CWD}/a/b"),
        ("a/..", CWD, CWD),
        ("..", CWD, f"{CWD}/.."),
        ("../../a", CWD, f"{CWD}/../../a"),
        ("/", CWD, "/"),
        ("//", CWD, "/"),
        ("/..", CWD, "/"),
        ("/a/../../b", CWD, "/b"),
        ("..", "/etc", "/"),
        ("../..", "/a/b/c", "/a"),
        ("", CWD, CWD),
        (HOME, CWD, HOME),
        (f"{HOME}/x/..", CWD, HOME),
        (f"{HOLE}/..", CWD, f"{CWD}/{HOLE}/.."),
        ("x", HOLE, f"{HOLE}/x"),
    ],
)
def test_paths_are_resolved_as_far_as_they_are_known(path: str, cwd: str, full: str) -> None:
    assert places.resolve(path, cwd) == full


PLACES = {
    Place.ROOT: [
        *"/mnt/c /mnt/c/*".split(),
        "/Volumes/Macintosh HD",
        "/",
        "//",
        "/.",
        "/..",
        "/*",
        "/?",
        "/./*",
        "/tmp/..",
        "/Volumes/Macintosh HD",
        "/mnt/c",
        "/mnt/c/*",
        "/*/*",
        "C:\\",
    ],
    Place.HOME: [
        "~",
        "~/",
        "~/.",
        "~/*",
        "~/.*",
        "/home/ann",
        "/home/ann/*",
        "/home",
        "/home/*",
        "/root",
        "/Users/ann",
        "/users/ann/*",
        "/HOME/ann",
        "/mnt/c/Users/ann",
        "/Volumes/Macintosh HD/Users/ann",
    ],
    Place.SYSTEM: """
    /usr/local /usr/local/bin /usr/local/lib/ /usr/local/b* /Applications
    /ETC /Etc/passwd /SYSTEM /library/Extensions /applications/* /Volumes /nix/store /h* /r?? /bi?/rm
    /e*/passwd /mnt/c/Windows
    /cygdrive/c/windows/x /c/Windows/x /var/spool/cron/crontabs/ann /var/spool/cron/ann
    /etc /etc/ /etc/passwd /usr /usr/bin/x /bin /boot/x /var /var/lib /var/log/x /proc/1 /opt /srv
    c:/Windows/x /usr/* /*/x
""".split(),
    Place.WORKING: [".", "./", "*", "./*", ".*", "?*", "*/*", "x/..", "**", "[a-z]*"],
    Place.PARENT: ["..", "../", "../*", "../..", "../.."],
    Place.DEVICE: ["/dev/sda", "/dev/nvme0n1", "/dev/../dev/sda"],
    Place.ORDINARY: """
    build ./build src/* a* */build ~/x ~/.cache/* /tmp /tmp/* /tmp/x /opt/app/x /srv/app/x /var/www/x
    /usr/local/go /usr/local/go/bin /Applications/X.app
    /Volumes/Stick/x /c/x /t*/x /build* /mnt/c/Users/ann/x /var/lib/app/x /home/ann/x /dev/null /dev/stdout
    /dev/shm/x /usr/local/lib/x ../x /mnt/disk/x
    """.split(),
}


@pytest.mark.parametrize(("place", "path"), [(place, path) for place, paths in PLACES.items() for path in paths])
def test_what_a_path_names(place: Place, path: str) -> None:
    value = path.replace("[a-z]", ANY).replace("~", HOME).replace("*", STAR).replace("?", ANY)
    assert places.place(value) is place


@pytest.mark.parametrize(
    ("cwd", "place"), [("/", Place.ROOT), (HOME, Place.HOME), ("/etc", Place.SYSTEM), ("/tmp/x", Place.ORDINARY)]
)
def test_all_that_is_in_a_folder_is_the_folder(cwd: str, place: Place) -> None:
    assert places.place(STAR, cwd) is place
    assert places.place(STAR + SPLIT, cwd) is place


@pytest.mark.parametrize("path", ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/3"])
def test_writing_there_is_no_write(path: str) -> None:
    assert places.is_null(path)


@pytest.mark.parametrize("path", ["/dev/sda", "/dev/null/x", "/dev/fd/x", "null", "/dev/zero"])
def test_writing_there_is_a_write(path: str) -> None:
    assert not places.is_null(path)


@pytest.mark.parametrize(
    "path",
    """
    ~/.bashrc ~/.zshrc ~/.profile ~/.ssh/authorized_keys ~/.ssh/config ~/.gitconfig /root/.bashrc
    /home/ann/.profile /Users/ann/.zshenv ~/.config/fish/config.fish ~/.config/autostart/x.desktop
    ~/Library/LaunchAgents/x.plist ~/.BASHRC ~/.bash* ~/.zsh?nv ~/.s?h/authorized_keys ~/.config/fish/*
    ~/.mkshrc ~/.rhosts
    ~/.config/git/config ~/.config/environment.d/x.conf ~/.local/share/dbus-1/services/x.service ~/.bashrc.d/x.sh
    """.split(),
)
def test_files_that_a_session_trusts(path: str) -> None:
    assert places.is_startup(path.replace("~", HOME).replace("*", STAR).replace("?", ANY))


@pytest.mark.parametrize(
    "path", "~/notes ~/.config/app/x ~/.bashrc.bak ~/x/.bashrc /tmp/.bashrc ~/.vimrc ~/.config/git/ignore".split()
)
def test_other_files_at_home(path: str) -> None:
    assert not places.is_startup(path.replace("~", HOME))


@pytest.mark.parametrize(
    "path",
    """
    ~/.config/phocinae ~/.config/phocinae/policy.toml /etc/phocinae/policy.toml ./.phocinae/policy.toml
    ~/.claude/settings.json ./.claude/settings.local.json ./sub/.claude/hooks/x.sh /srv/app/.mcp.json
    ~/.codex/rules/x.rules ~/.gemini/policies/x.toml ~/.CLAUDE/Settings.json ./.copilot/settings.json
    ~/.agents/plugins/x/hooks/hooks.json
    ~/.config/Claude/claude_desktop_config.json ./.continue/permissions.yaml ./.junie/mcp/mcp.json
    ~/.local/share/uv/tools/phocinae
    ~/.codex/config.toml ./.cursor/mcp.json ~/.claude.json ./.vscode/mcp.json ./.github/hooks/x.json
    ~/.config/opencode/x.json ./opencode.json ~/.config/ph* ./.claude/set*.json ./.cl*
    """.split(),
)
def test_the_gate_and_the_settings_of_agents(path: str) -> None:
    assert places.is_gate(path.replace("~", HOME).replace("./", f"{CWD}/", 1).replace("*", STAR))


@pytest.mark.parametrize(
    "path",
    """
    ~/.config/app ./.claude/agents/x.md ./.claude/commands/x.md ./claude.json ./xopencode.json ~/.config/*
    ./* ./.vscode/settings.json
    """.split(),
)
def test_what_an_agent_may_change(path: str) -> None:
    assert not places.is_gate(path.replace("~", HOME).replace("./", f"{CWD}/", 1).replace("*", STAR))


segments = st.sampled_from(["a", "..", ".", "", STAR, HOLE, "etc", "home"])


@given(st.lists(segments, max_size=8).map("/".join), st.sampled_from([CWD, "/", "/etc", HOME]))
def test_resolving_twice_is_resolving_once(path: str, cwd: str) -> None:
    full = places.resolve(path, cwd)
    assert places.resolve(full, cwd) == full
    assert places.place(path, cwd) in Place
