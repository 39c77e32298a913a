"""Where paths lead on a real file system, and what the judge of files is told of the machine."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from phocinae import Settings
from phocinae.adapters.file_paths import followed, surroundings
from phocinae.adapters.logs.audit_files import AuditFiles
from phocinae.composition.files import build_file_judge, own_files
from phocinae.domain.file_writes import MOST_FILES

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a home of its own, which is the working directory."""
    home = tmp_path / "home"
    project = home / "project"
    (project / ".git" / "hooks").mkdir(parents=True)
    (project / "src").mkdir()
    (tmp_path / "tools").mkdir()
    (home / ".bashrc").write_text("")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATH", f"{tmp_path / 'tools'}{os.pathsep}/usr/bin{os.pathsep}")
    monkeypatch.chdir(project)
    return project


def said(*files: str, cwd: Path | str | None = None, own: tuple[str, ...] = ()) -> str:
    settings = Settings(audit_file="/srv/log/audit.jsonl")
    found = build_file_judge(settings, "p", own)(files, None if cwd is None else str(cwd))
    return "none" if found is None else f"{found.decision.wire} {found.hits[0].rule if found.hits else found.error}"


LINKS = {
    "rc": "../.bashrc",
    "docs": "../../home",
    "hooks": ".git/hooks",
    "passwd": "/etc/passwd",
    "loop": "loop",
    "gone": "nowhere.txt",
    "gone-rc": "../.zshrc",
    "plain": "src",
    "chain": "rc",
    "tool": "../../tools/x",
    "self": "/proc/self/root/etc/passwd",
}


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("src/a.py", "none"),
        ("plain/a.py", "none"),
        ("new/folder/a.py", "none"),
        ("rc", "deny write-startup"),
        ("chain", "deny write-startup"),
        ("docs/.bashrc", "deny write-startup"),
        ("docs/project/src/a.py", "none"),
        ("docs/project/.git/config", "ask write-git"),
        ("hooks/pre-commit", "ask write-git"),
        ("passwd", "deny write-system"),
        ("self", "deny write-system"),
        ("loop", "ask unclear-path"),
        ("loop/x", "ask unclear-path"),
        ("gone", "ask unclear-path"),
        ("gone-rc", "deny write-startup"),
        ("tool", "ask unclear-path"),
        ("../../tools/y", "ask write-program"),
        ("../.zshrc", "deny write-startup"),
        ("~/.zshrc", "deny write-startup"),
        ("rc/x", "ask unclear-path"),  # a file is no folder
    ],
)
def test_links_are_followed(path: str, answer: str, project: Path) -> None:
    for name, target in LINKS.items():
        (project / name).symlink_to(target)
    assert said(path) == answer
    assert said(str(project / path) if path[0] != "~" else path) == answer


def test_a_claimed_working_directory_only_makes_it_stricter(project: Path) -> None:
    assert said(".bashrc", cwd=project) == "none"
    assert said(".bashrc", cwd=project.parent) == "deny write-startup"
    assert said(".git/config", cwd="/srv/elsewhere") == "ask write-git"
    (project / "x").symlink_to("../.bashrc")
    assert said("x", cwd="/srv/elsewhere") == "deny write-startup"
    for claim in ("", "not/absolute", "/a\0b"):
        assert said("src/a.py", cwd=claim) == "none"


def test_without_a_working_directory_a_relative_path_is_unclear(project: Path) -> None:
    gone = project / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        assert said("src/a.py") == "ask unclear-path"
        assert said("/srv/app/a.py") == "none"
    finally:
        os.chdir(project)


@pytest.mark.usefixtures("project")
def test_what_is_no_path_is_denied() -> None:
    odd: str = 7  # type: ignore[assignment]
    for path in ("", "a\0b", "x" * 5_000, "a\ud800", odd):
        assert said("src/a.py", path).startswith("deny a path")
    assert said("x" * 300) == "ask unclear-path"  # longer than a name can be
    assert said(*["src/a.py"] * (MOST_FILES + 1)) == "deny too many files"


def test_the_files_of_the_gate_count_wherever_they_are(project: Path) -> None:
    import phocinae

    assert said(str(Path(phocinae.__file__).parent / "errors.py")) == "deny write-gate"
    for name in ("audit.jsonl", "audit.head", "audit.key"):
        assert said(f"/srv/log/{name}") == "deny write-gate"
    assert said("/srv/log/other.txt") == "none"
    assert said("gate.toml") == "none"
    assert said("gate.toml", own=(str(project / "gate.toml"),)) == "deny write-gate"
    (project / "link.toml").symlink_to("gate.toml")
    assert said("gate.toml", own=(str(project / "link.toml"),)) == "deny write-gate"
    assert "/srv/key" in own_files(Settings(state_key_file="/srv/key"))


@pytest.mark.parametrize("name", ["audit.jsonl", "decisions", "log.txt"])
def test_logs_that_were_set_aside_count_as_files_of_the_gate(name: str, tmp_path: Path) -> None:
    log = str(tmp_path / name)
    aside, other = AuditFiles(log).aside(1), str(tmp_path / "audit-1.jsonl")
    for path in (aside, other):
        Path(path).touch()
    found = own_files(Settings(audit_file=log))
    assert {log, AuditFiles(log).head, AuditFiles(log).key, aside} <= {*found}
    assert other not in found
    assert own_files(Settings(audit_file=str(tmp_path / "gone" / name)))  # a folder that is not there yet


def test_surroundings_are_absolute_and_never_the_root(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    monkeypatch.setenv("PATH", "relative::/usr/bin:/")
    found = surroundings(["", "relative.toml"])
    assert all(os.path.isabs(path) and path != "/" for path in (*found.homes, *found.programs, *found.own))
    assert str(project / "relative") in found.programs
    assert str(project / "relative.toml") not in found.own


@pytest.mark.usefixtures("project")
def test_a_path_whose_time_is_up_is_unclear(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.0, 9.0])
    monkeypatch.setattr("phocinae.adapters.file_paths.time.monotonic", lambda: next(times))
    assert [path.unclear for path in followed(["a", "b"], None)] == ["", "it takes too long to look"]


@pytest.mark.parametrize("folder", ["bin", "Scripts"])
@pytest.mark.parametrize("name", ["myenv", "tools/deep env", "x"])
def test_a_virtual_environment_is_one_by_its_configuration_and_not_by_its_name(
    name: str, folder: str, project: Path
) -> None:
    place = project / name / folder
    place.mkdir(parents=True)
    path = f"{name}/{folder}/activate"
    assert said(path) == "none"
    (project / name / "pyvenv.cfg").write_text("")
    assert said(path) == "ask write-program"
    assert said(str(place / ".." / folder / "python")) == "ask write-program"
    (project / "way").symlink_to(place)
    assert said("way/activate") == "ask write-program"
