"""Windows paths: what they name, in every spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain import places
from phocinae.domain.places import Place
from phocinae.domain.secrets import is_secret
from phocinae.domain.values import ANY, CWD, HOME, STAR

RESOLVED = [
    ("C:\\", CWD, "c:/"),
    ("C:", CWD, "c:/"),
    ("C:/Temp/../Windows", CWD, "c:/windows"),
    ("C:\\..\\..\\x", CWD, "c:/x"),
    ("\\\\?\\C:\\Windows", CWD, "c:/windows"),
    ("\\\\server\\C$\\Windows", CWD, "c:/windows"),
    ("\\\\?\\UNC\\server\\share\\x", CWD, "//server/share/x"),
    ("C:\\PROGRA~1\\App", CWD, "c:/program files/app"),
    ("C:\\Windows.\\x", CWD, "c:/windows/x"),
    ("C:\\Windows::$INDEX_ALLOCATION", CWD, "c:/windows"),
    ("C:\\Users\\Ann\\x", CWD, f"{HOME}/x"),
    (f"{HOME}\\.ssh\\id_rsa", CWD, f"{HOME}/.ssh/id_rsa"),
    ("FileSystem::C:\\x", CWD, "c:/x"),
    (".\\build", CWD, f"{CWD}/build"),
    ("a\\..\\..", CWD, f"{CWD}/.."),
    ("C:build", CWD, f"{CWD}/build"),
    ("build", "D:/work", "d:/work/build"),
    ("..", "D:/work", "d:/"),
    ("\\x", "D:/work", "d:/x"),
    (f"{CWD}\\x", "D:/work", f"{CWD}/x"),
]

PLACES = {
    Place.ROOT: [
        "C:\\",
        "c:",
        "C:/",
        "C:\\*",
        "C:\\*.*",
        "C:*",
        "\\",
        "\\\\?\\C:\\",
        "\\\\host\\share",
        "\\\\host\\C$",
        "D:\\.",
    ],
    Place.SYSTEM: [
        "C:\\Windows",
        "C:\\WINDOWS\\System32\\x",
        "D:\\windows\\*",
        "C:\\Program Files",
        "C:\\Program Files (x86)\\App",
        "C:\\PROGRA~2",
        "C:\\ProgramData",
        "C:\\ProgramData\\Microsoft\\x",
        "C:\\bootmgr",
        "C:\\Win*",
        "\\Windows",
        "C:\\Users\\..\\Windows",
        "C:\\pagefile.sys",
        "C:\\P*s",
    ],
    Place.HOME: [
        "C:\\Users",
        "C:\\Users\\*",
        "C:\\Users\\ann",
        "C:\\Users\\ann\\*.*",
        f"{HOME}\\",
        f"{HOME}\\*",
        "C:\\Users\\Public",
        "C:\\Users\\ann\\AppData\\Roaming",
        "C:\\Documents and Settings\\ann",
    ],
    Place.WORKING: [".\\", ".\\*", ".\\*.*", "x\\.."],
    Place.PARENT: ["..\\", "..\\..", "..\\*"],
    Place.DEVICE: ["\\\\.\\PhysicalDrive0", "\\\\.\\C:"],
    Place.ORDINARY: [
        "C:\\data",
        "C:\\Users\\ann\\work\\build",
        "build\\out.log",
        ".\\build",
        "..\\other",
        "D:\\work",
        f"{HOME}\\work",
        "\\\\host\\share\\x",
        "C:\\ProgramData\\App",
        "\\\\.\\pipe\\x",
        "C:\\Windowsapp",
        "C:build",
        f"{HOME}\\AppData\\Local\\Temp\\*",
    ],
}


@pytest.mark.parametrize(("path", "cwd", "full"), RESOLVED)
def test_paths_are_resolved(path: str, cwd: str, full: str) -> None:
    assert places.resolve(path, cwd) == full


@pytest.mark.parametrize(("kind", "path"), [(kind, path) for kind, paths in PLACES.items() for path in paths])
def test_places(kind: Place, path: str) -> None:
    assert places.place(path) is kind
    assert places.place(path.replace("*", STAR).replace("?", ANY)) is kind


@pytest.mark.parametrize(("path", "kind"), [(".", Place.ROOT), ("windows", Place.SYSTEM), ("x", Place.ORDINARY)])
def test_a_path_is_taken_from_the_folder(path: str, kind: Place) -> None:
    assert places.place(path, "C:/") is kind


def test_files_of_a_home_are_known_by_their_windows_names() -> None:
    startup = "C:\\Users\\ann\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\x.bat"
    assert places.is_startup(places.resolve(startup, CWD))
    assert places.is_startup(places.resolve("C:\\Users\\ann\\Documents\\PowerShell\\profile.ps1", CWD))
    assert places.is_gate(places.resolve("C:\\Users\\ann\\.claude\\settings.json", CWD))
    assert places.is_gate(places.resolve("C:\\Users\\ann\\AppData\\Local\\phocinae\\x", CWD))
    assert is_secret(places.resolve("C:\\Users\\ann\\.SSH\\ID_RSA", CWD))


@given(
    st.text(st.sampled_from("\\/:.*?~$cC a%" + HOME + CWD + STAR), max_size=20),
    st.sampled_from([CWD, "C:/", "D:/a", "/x"]),
)
def test_any_path_is_some_place(path: str, cwd: str) -> None:
    assert isinstance(places.place(path, cwd), Place)
    assert isinstance(places.resolve(path, cwd), str)
