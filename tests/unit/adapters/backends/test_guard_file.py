"""Which guard programs may be used, and what becomes of what they say."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import guards
import pytest

from phocinae.adapters.backends import guard_file
from phocinae.adapters.backends.guard_file import GuardJudge, GuardProgram, read_guard
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Hit, Layer, Undecided, Verdict, Weight
from phocinae.errors import GuardFailed, InvalidSettings

REQUEST = GateRequest("ls", "/srv")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that only its owner can change."""
    made = tmp_path / "guard"
    made.mkdir(mode=0o700)
    return made


def refusal(path: str) -> str:
    """Return why a program may not be used."""
    with pytest.raises(InvalidSettings) as failure:
        read_guard(path)
    text = str(failure.value)
    assert text.startswith("l1.guard (--guard): the guard program cannot be used: ")
    assert text.isprintable()
    return text


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a file another user's, or this process another user where it may not give files away."""
    if os.geteuid() == 0:
        os.chown(path, 12345, -1, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 12345)


# --- where it may stand


def test_a_program_of_ones_own_is_read(folder: Path) -> None:
    program = read_guard(guards.write(folder))
    assert (program.path, program.source) == (f"{folder}/guard.py", guards.PLAIN.encode())
    assert "deny" not in repr(program)


def test_links_are_followed_to_what_is_theirs(folder: Path, tmp_path: Path) -> None:
    path = guards.write(folder)
    (folder / "sub").mkdir(mode=0o700)
    (tmp_path / "relative").symlink_to("guard/sub")
    (folder / "sub" / "one").symlink_to("../guard.py")
    (tmp_path / "absolute").symlink_to(tmp_path / "relative" / "one")
    for way in ("absolute", "relative/one", "relative/../guard.py", "relative/./one", "relative//one"):
        assert read_guard(f"{tmp_path}/{way}").path == path


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none.py", "none.py does not exist"),
        ("none/guard.py", "none does not exist"),
        ("guard.py/x", "guard.py/x does not exist"),
        (".", "is not a regular file"),
        ("pipe", "is not a regular file"),
        ("loop", "leads over too many links"),
        ("dangling", "nowhere does not exist"),
        ("big.py", "is larger than 1048576 bytes"),
        ("\x1b[31m\u202e", "\\x1b[31m\\u202e does not exist"),
        ("x" * 300, "cannot be reached: File name too long"),
    ],
)
def test_what_is_no_program_is_refused(name: str, why: str, folder: Path) -> None:
    guards.write(folder)
    os.mkfifo(folder / "pipe", 0o600)
    (folder / "loop").symlink_to("loop")
    (folder / "dangling").symlink_to("nowhere")
    (folder / "big.py").write_bytes(b"#" * ((1 << 20) + 1))
    (folder / "big.py").chmod(0o600)
    assert why in refusal(f"{folder}/{name}")


def test_the_largest_program_is_read(folder: Path) -> None:
    path = guards.write(folder, "#" * (1 << 20))
    assert len(read_guard(path).source) == 1 << 20


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_one_that_cannot_be_read_is_refused(folder: Path) -> None:
    path = guards.write(folder)
    os.chmod(path, 0o200)
    assert "cannot be read: Permission denied" in refusal(path)


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
@pytest.mark.parametrize("what", ["guard/guard.py", "guard", "", "guard/l0_table.json"])
def test_what_others_can_write_is_refused(mode: int, what: str, folder: Path, tmp_path: Path) -> None:
    path = guards.write(folder)
    guards.write(folder, "{}", "l0_table.json")
    (tmp_path / what).chmod(mode | 0o100)
    try:
        assert refusal(path).endswith(f"can be written by others; run: chmod go-w {tmp_path / what}")
    finally:
        (tmp_path / what).chmod(0o700)


@pytest.mark.parametrize("what", ["guard/guard.py", "guard", "link", "guard/l0_table.json"])
def test_what_is_anothers_is_refused(what: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guards.write(folder)
    guards.write(folder, "{}", "l0_table.json")
    (tmp_path / "link").symlink_to("guard/guard.py")
    give_away(tmp_path / what, monkeypatch)
    assert "must belong to you or root; it belongs to user id " in refusal(f"{tmp_path}/link")


def test_a_table_that_is_a_link_is_refused(folder: Path) -> None:
    path = guards.write(folder)
    (folder / "l0_table.json").symlink_to(path)
    assert "l0_table.json cannot be read: it is a symbolic link" in refusal(path)


def test_a_folder_on_the_way_to_a_link_counts(folder: Path, tmp_path: Path) -> None:
    path = guards.write(folder)
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / "link").symlink_to(path)
    assert f"{tmp_path}/open can be written by others" in refusal(f"{tmp_path}/open/link")


def test_a_sticky_folder_like_that_of_temporary_files_is_fine(folder: Path, tmp_path: Path) -> None:
    path = guards.write(folder)
    tmp_path.chmod(0o1777)
    assert read_guard(path).path == path


@pytest.mark.parametrize("place", ["guard", ".", "link"])
def test_one_below_the_working_directory_is_refused(
    place: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = guards.write(folder)
    (tmp_path / "link").symlink_to("guard")
    monkeypatch.chdir(tmp_path / place)
    for way in (path, f"{tmp_path}/link/guard.py"):
        assert "is below the working directory" in refusal(way)


def test_a_link_out_of_the_working_directory_is_fine_and_one_into_it_is_not(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = guards.write(folder)
    (tmp_path / "work").mkdir(mode=0o700)
    (tmp_path / "work" / "out").symlink_to(path)
    (tmp_path / "guards").mkdir(mode=0o700)
    (tmp_path / "guards" / "in").symlink_to(guards.write(tmp_path / "work"))
    monkeypatch.chdir(tmp_path / "work")
    assert read_guard(f"{tmp_path}/work/out").path == path
    assert "is below the working directory" in refusal(f"{tmp_path}/guards/in")


def test_the_root_and_a_folder_of_a_like_name_and_one_that_is_gone_hold_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = guards.write(folder)
    monkeypatch.chdir("/")
    assert read_guard(path).path == path
    (tmp_path / "gua").mkdir()
    monkeypatch.chdir(tmp_path / "gua")
    assert read_guard(path).path == path
    (tmp_path / "gua").rmdir()
    assert read_guard(path).path == path


def test_where_files_have_no_owners_there_is_no_guard(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = guards.write(folder)
    monkeypatch.setattr(sys, "platform", "win32")
    assert "cannot be used on Windows" in refusal(path)


def test_the_fingerprint_is_of_the_place_the_program_and_its_table(folder: Path, tmp_path: Path) -> None:
    def fingerprint() -> str:
        return read_guard(f"{folder}/guard.py").fingerprint

    guards.write(folder)
    first = fingerprint()
    guards.write(folder, guards.PLAIN + "#")
    found = [first, fingerprint()]
    for table in ("{}", "[]"):
        guards.write(folder, table, "l0_table.json")
        found.append(fingerprint())
    assert len(set(found)) == 4
    guards.write(folder)
    (folder / "l0_table.json").unlink()
    assert fingerprint() == first
    assert read_guard(guards.write(tmp_path)).fingerprint not in found


# --- beside the installed package


def test_it_is_looked_for_where_published_servers_do_and_where_pip_puts_it() -> None:
    parent = Path(guard_file.__file__).parents[3]
    assert parent.name in ("src", "site-packages")
    assert guard_file.beside() == (
        f"{parent.parent}/phocinae-guard/guard.py",
        f"{parent}/phocinae-guard/guard.py",
        f"{parent}/phocinae_guard/guard.py",
    )


def test_the_first_that_is_there_is_taken(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = (str(tmp_path / "none.py"), guards.write(folder), guards.write(tmp_path))
    monkeypatch.setattr(guard_file, "beside", lambda: paths)
    assert read_guard("auto").path == paths[1]


def test_one_that_is_there_and_cannot_be_used_is_not_passed_over(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dangling").symlink_to("nowhere")
    monkeypatch.setattr(guard_file, "beside", lambda: (str(tmp_path / "dangling"), guards.write(folder)))
    assert "nowhere does not exist" in refusal("auto")


def test_none_beside_the_package_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard_file, "beside", lambda: (f"{tmp_path}/a", f"{tmp_path}/b"))
    assert refusal("auto").endswith(
        f"there is none beside the installed package, in {tmp_path}/a, {tmp_path}/b; name its path"
    )


# --- what becomes of its answers

Judge = Callable[[str], GuardJudge]


@pytest.fixture
def judge(folder: Path) -> Iterator[Judge]:
    made: list[GuardJudge] = []

    def of(source: str) -> GuardJudge:
        made.append(GuardJudge(read_guard(guards.write(folder, source)), 30.0, "p1"))
        return made[-1]

    yield of
    for one in made:
        one.close()


def answering(answer: str) -> str:
    """Return a program that answers every command so."""
    return guards.hurting(f"return {answer}").replace(f"if {guards.HURT!r} in command:", "if True:")


@pytest.mark.parametrize(("word", "weight"), [("allow", None), ("ask", Weight.PERSON), ("deny", Weight.DENY)])
def test_a_decision_is_a_verdict_of_the_engine_guard(word: str, weight: Weight | None, judge: Judge) -> None:
    reason = f"The guard program says {word}: because"
    hits = () if weight is None else (Hit(rule="guard", weight=weight, reason=reason),)
    assert judge(answering(f"{{'decision': {word!r}, 'layer': 'L0', 'reason': 'because'}}"))(REQUEST) == Verdict(
        decision=Decision.of(word),
        layer=Layer.L0,
        reason=reason,
        hits=hits,
        ceiling=Decision.of(word),
        policy="p1",
        engine="guard",
    )


@pytest.mark.parametrize("word", ["allow", "ask", "deny"])
def test_one_that_fell_closed_has_no_opinion(word: str, judge: Judge) -> None:
    found = judge(answering(f"{{'decision': {word!r}, 'layer': 'fail_closed', 'reason': 'x'}}"))(REQUEST)
    assert found == Undecided(reason="The guard program has no opinion.", ceiling=Decision.ALLOW, policy="p1")


@pytest.mark.parametrize("more", ["", "'layer': 'L1'", "'layer': 'anything'", "'error': 'x'", "'noul': float('nan')"])
def test_what_else_an_answer_holds_does_not_matter(more: str, judge: Judge) -> None:
    found = judge(answering(f"{{'decision': 'deny', {more}}}"))(REQUEST)
    assert isinstance(found, Verdict)
    assert (found.decision, found.reason) == (Decision.DENY, "The guard program says deny: ")


@pytest.mark.parametrize(
    "answer",
    [
        *(f"{{'decision': {value}}}" for value in ("None", "True", "1", "'ALLOW'", "'ask '", "''", "['deny']", "{}")),
        *(f"{{'decision': 'allow', 'layer': {value}}}" for value in ("None", "0", "['fail_closed']")),
        "{'decision': 'undecided', 'layer': 'fail_closed'}",
        "{'decision': None, 'layer': 'L0'}",
    ],
)
def test_an_answer_that_is_none_is_a_failure(answer: str, judge: Judge) -> None:
    with pytest.raises(GuardFailed, match="no decision that is allow, ask or deny"):
        judge(answering(answer))(REQUEST)


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("'x' * 200", "x" * 200),
        ("'x' * 5000", "x" * 199 + "…"),
        ("'\\x1b[2J\\n\\r\\u202e\\ud800'", "\\x1b[2J\\n\\r\\u202e\\ud800"),
        ("'\\n' * 150", "\\n" * 99 + "\\…"),
        ("'斑海豹'", "斑海豹"),
        ("7", "no text"),
        ("None", "no text"),
    ],
)
def test_what_it_writes_is_shown_cut_and_harmless(reason: str, shown: str, judge: Judge) -> None:
    found = judge(answering(f"{{'decision': 'ask', 'reason': {reason}}}"))(REQUEST)
    assert isinstance(found, Verdict)
    assert found.reason == found.hits[0].reason == f"The guard program says ask: {shown}"
    assert found.reason.isprintable()


def test_it_is_told_the_command_and_where_it_will_run(judge: Judge) -> None:
    source = answering("{'decision': 'ask', 'reason': repr((command, cwd))}")
    found: Any = [judge(source)(GateRequest("a\tb", cwd)) for cwd in ("/srv", None)]
    assert [one.reason.partition(": ")[2] for one in found] == ["('a\\tb', '/srv')", "('a\\tb', '')"]


def test_the_time_is_that_of_the_settings(folder: Path) -> None:
    hangs = read_guard(guards.write(folder, guards.hurting("time.sleep(600)")))
    judge = GuardJudge(hangs, 0.5)
    try:
        with pytest.raises(GuardFailed, match=r"within 0\.5 s"):
            judge(GateRequest(guards.HURT))
    finally:
        judge.close()


def test_no_process_is_there_before_it_is_asked() -> None:
    before = guards.children()
    judge = GuardJudge(GuardProgram("/nowhere", b"", ""), 1.0)
    judge.close()
    assert guards.children() == before
