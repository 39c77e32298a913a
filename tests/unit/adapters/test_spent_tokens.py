"""The memories of used tokens, in what each has of its own; what they share is a contract."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from phocinae.adapters.spent_tokens import MemorySpentTokens, SqliteSpentTokens
from phocinae.errors import InvalidSettings, StateRejected

NOW = 1000.0


def spend(store: SqliteSpentTokens | MemorySpentTokens, nonce: bytes = b"n", issued: float = NOW + 1) -> bool:
    return store.spend(nonce, issued, issued + 600)


class Slow(bytes):
    """A nonce that waits for another thread while it is looked up."""

    both = threading.Barrier(2)

    def __hash__(self) -> int:
        with contextlib.suppress(threading.BrokenBarrierError):
            self.both.wait(0.2)
        return hash(bytes(self))


def test_no_thread_looks_while_another_writes() -> None:
    memory = MemorySpentTokens(lambda: NOW)
    answers: list[bool] = []
    threads = [threading.Thread(target=lambda: answers.append(spend(memory, Slow(b"n")))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(answers) == [False, True]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "phocinae" / "spent_tokens.sqlite"


@pytest.fixture
def store(path: Path) -> SqliteSpentTokens:
    return SqliteSpentTokens(str(path), lambda: NOW)


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
def test_the_file_is_its_owners_alone(store: SqliteSpentTokens, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    assert spend(store)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
@pytest.mark.parametrize("which", ["the folder", "one above it"])
def test_a_folder_that_others_can_write_to_is_refused(store: SqliteSpentTokens, path: Path, which: str) -> None:
    folder = path.parent if which == "the folder" else path.parent.parent
    assert spend(store)
    for mode in (0o777, 0o720):
        folder.chmod(mode)
        with pytest.raises(InvalidSettings, match=f"can be written by others; run: chmod go-w {folder}"):
            SqliteSpentTokens(str(path), lambda: NOW)
        with pytest.raises(StateRejected, match="can be written by others"):
            spend(store, b"m")
    folder.chmod(0o1777)  # sticky: others cannot replace what is not theirs
    assert spend(SqliteSpentTokens(str(path), lambda: NOW), b"m")


def test_a_file_that_is_opened_again_remembers(store: SqliteSpentTokens, path: Path) -> None:
    assert spend(store)
    assert not spend(SqliteSpentTokens(str(path), lambda: NOW + 5))


def test_nothing_of_a_token_but_its_nonce_is_written(store: SqliteSpentTokens, path: Path) -> None:
    spend(store, b"n" * 16)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT nonce, expires FROM spent").fetchall() == [(b"n" * 16, NOW + 601)]
    connection.close()


def link(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.symlink_to(path.parent / "elsewhere")


def folder(path: Path) -> None:
    path.mkdir(parents=True)


def pipe(path: Path) -> None:
    path.parent.mkdir(parents=True)
    os.mkfifo(path)


def rubbish(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no database" * 100)


def other_tables(path: Path) -> None:
    path.parent.mkdir(parents=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE memory (other TEXT)")
    connection.commit()
    connection.close()


def wrong_row(path: Path) -> None:
    SqliteSpentTokens(str(path), lambda: NOW)
    change(path, "UPDATE memory SET began = 'never'")


def change(path: Path, statement: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.mark.parametrize("spoil", [link, folder, pipe, rubbish, other_tables])
def test_a_file_that_cannot_be_used_stops_the_start(path: Path, spoil: object) -> None:
    assert callable(spoil)
    spoil(path)
    with pytest.raises(InvalidSettings, match="move it away, or name another one") as caught:
        SqliteSpentTokens(str(path), lambda: NOW)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("spoil", [link, folder, pipe, rubbish, other_tables, wrong_row])
def test_a_file_that_is_spoiled_later_refuses_every_token(path: Path, store: SqliteSpentTokens, spoil: object) -> None:
    for leftover in path.parent.iterdir():
        leftover.unlink()
    path.parent.rmdir()
    assert callable(spoil)
    spoil(path)
    with pytest.raises(StateRejected):
        spend(store)


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM memory",
        "UPDATE memory SET began = NULL",
        "UPDATE memory SET forgotten = x'00'",
        "DROP TABLE memory",
    ],
)
def test_a_memory_that_lost_its_beginning_refuses_every_token(
    path: Path, store: SqliteSpentTokens, statement: str
) -> None:
    change(path, statement)
    with pytest.raises(StateRejected):
        spend(store, issued=NOW)
    with pytest.raises((StateRejected, InvalidSettings)):
        spend(SqliteSpentTokens(str(path), lambda: NOW + 50), issued=NOW)


def test_who_holds_the_file_for_too_long_makes_it_unusable(
    path: Path, store: SqliteSpentTokens, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phocinae.adapters.spent_tokens.LOCK_SECONDS", 0.01)
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StateRejected, match="locked"):
        spend(store)
    holder.execute("ROLLBACK")
    holder.close()
    assert spend(store)


TAKE = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None).execute('BEGIN IMMEDIATE')"


def test_one_thread_gives_no_lock_of_another_up(path: Path) -> None:
    held, go = threading.Event(), threading.Event()

    def clock() -> float:
        if threading.current_thread().name == "holder":  # it is asked for the time while the file is locked
            held.set()
            go.wait(30)
        return NOW

    store = SqliteSpentTokens(str(path), clock)
    threads = [threading.Thread(target=spend, args=(store,), name=name) for name in ("holder", "other")]
    threads[0].start()
    assert held.wait(30)
    threads[1].start()
    threads[1].join(0.2)
    taken = subprocess.run([sys.executable, "-c", TAKE, str(path)], capture_output=True, text=True, check=False)
    go.set()
    for thread in threads:
        thread.join(30)
    assert "database is locked" in taken.stderr


def forgets_ahead(path: Path) -> None:
    SqliteSpentTokens(str(path), lambda: NOW)
    change(path, f"UPDATE memory SET forgotten = {NOW + 600 + 5000}")


def begins_ahead(path: Path) -> None:
    SqliteSpentTokens(str(path), lambda: NOW + 5000)


@pytest.mark.parametrize("write", [begins_ahead, forgets_ahead])
def test_a_file_of_a_clock_that_was_ahead_is_said_and_stays_strict(path: Path, write: Callable[[Path], None]) -> None:
    write(path)
    said: list[str] = []
    ahead = SqliteSpentTokens(str(path), lambda: NOW, warn=said.append)
    (line,) = said
    assert str(path) in line
    assert "for the next 5000 seconds; move the file away" in line
    with pytest.raises(StateRejected):
        spend(ahead, issued=NOW + 4999)
    assert len(said) == 1
    later = SqliteSpentTokens(str(path), lambda: NOW + 5001, warn=said.append)
    assert spend(later, issued=NOW + 5001)
    path.unlink()
    assert spend(SqliteSpentTokens(str(path), lambda: NOW, warn=said.append))
    assert len(said) == 1
