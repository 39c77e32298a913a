"""A server that runs follows its files: soon, never looser than they say, and without a look per call."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import guards
import pytest
from attrs import define, evolve, field

from phocinae.adapters.settings_sources import files, gather
from phocinae.catalog.services import named
from phocinae.composition import reload
from phocinae.composition.live import build_live
from phocinae.composition.reload import FIXED, PAUSE, UNSETTLED, Reloading
from phocinae.domain.verdict import Decision, Layer
from phocinae.errors import BackendError, InvalidSettings
from phocinae.mcp.operations import Level
from phocinae.settings import KEYS, Effective, Settings, merge

DEFAULT = "npm install x"
"""A command about which nobody decides, so that `fail_closed` answers."""


@define
class Bench:
    """A user file, a clock that stands, and what becomes of both."""

    config: Path
    said: list[tuple[Level, str]] = field(factory=list)
    time: float = 0.0
    built: int = 0
    read: int = 0

    def write(self, text: str) -> None:
        """Write the user file so that its time is long ago, as if it had been left alone since."""
        before = self.config.stat().st_mtime if self.config.exists() else 1_000_000.0
        self.config.write_text(text, encoding="utf-8")
        self.config.chmod(0o600)
        os.utime(self.config, (before + 10, before + 10))

    def load(self) -> Effective:
        self.read += 1
        return merge(gather(config=str(self.config), folders=(), environment={"PHOCINAE_AUDIT": "off"}))

    def build(self, settings: Settings) -> Any:
        self.built += 1
        return build_live(settings)

    def log(self, level: Level, message: str, threshold: Level | None = None, /) -> None:
        assert threshold is None
        self.said.append((level, message))

    def start(self) -> Reloading:
        return Reloading(
            self.load,
            self.build,
            files(str(self.config)),
            start=self.load(),
            log=self.log,
            clock=lambda: self.time,
            now=lambda: 9e9,  # long after every change
        )

    def later(self, seconds: float = PAUSE) -> None:
        self.time += seconds


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    made = Bench(tmp_path / "config.toml")
    made.write("")
    return made


def decide(live: Reloading, command: str = DEFAULT) -> Decision:
    return live().gate.decide(command).decision


def test_a_change_is_followed_within_a_second(bench: Bench) -> None:
    live = bench.start()
    before = live().gate.policy
    assert decide(live) is Decision.DENY
    bench.write('[gate]\nfail_closed = "ask"\n')
    bench.later(PAUSE * 0.99)
    assert decide(live) is Decision.DENY
    bench.later(PAUSE * 0.01)
    assert decide(live) is Decision.ASK
    after = live().gate.policy
    assert after != before
    assert live().gate.decide(DEFAULT).policy == after
    assert bench.said == [(Level.NOTICE, f"the settings were read again; the policy was {before} and is {after}")]
    assert live().settings.fail_closed is Decision.ASK


def test_without_a_change_nothing_is_read_and_nothing_is_built(bench: Bench) -> None:
    live = bench.start()
    bench.later()
    live()
    assert bench.read == 2  # at the start, and once more for what may have changed since
    for _ in range(50):
        bench.later()
        live()
    assert (bench.read, bench.built, bench.said) == (2, 1, [])


def test_between_two_looks_the_file_system_is_left_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    live = bench.start()
    bench.later()
    live()
    monkeypatch.setattr(reload, "_mark", lambda path: pytest.fail(f"looked at {path}"))
    bench.later(PAUSE * 0.9)
    for _ in range(100):
        live()


def test_a_file_that_is_touched_changes_nothing(bench: Bench) -> None:
    live = bench.start()
    first = live()
    for _ in range(3):
        bench.write("")
        bench.later()
        assert live() is first
    assert (bench.built, bench.said) == (1, [])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[gate\n", "is not TOML"),
        ("[gate]\nfail_close = 1\n", "line 2: unknown key gate.fail_close"),
        ('[gate]\nfail_closed = "allow"\n', 'line 2: gate.fail_closed cannot be used; give "deny" or "ask"'),
        ('[l1]\nguard = "/nowhere/guard.py"\n', "l1.guard (--guard): the guard program cannot be used"),
        ('[l1]\ntoken_file = "/nowhere/token"\n', "/nowhere/token does not exist"),
    ],
)
def test_files_that_cannot_be_used_deny_until_they_are_mended(bench: Bench, text: str, error: str) -> None:
    live = bench.start()
    good = live()
    bench.write(text)
    bench.later()
    verdict = live().gate.decide("git status")
    assert (verdict.decision, verdict.layer, verdict.ceiling) == (Decision.DENY, Layer.FAIL_CLOSED, Decision.DENY)
    assert error in verdict.error
    assert error in verdict.reason
    assert verdict.policy == live().gate.policy != good.gate.policy
    assert not live().usable
    with pytest.raises(BackendError, match="the settings cannot be used"):
        live().inference.classify("text", ["a"])
    bench.later()
    assert decide(live, "git status") is Decision.DENY
    assert [level for level, _ in bench.said] == [Level.ERROR]
    assert error in bench.said[0][1]
    bench.write("")
    bench.later()
    assert live() is good
    assert decide(live, "git status") is Decision.ALLOW
    assert [level for level, _ in bench.said] == [Level.ERROR, Level.NOTICE]


def test_a_file_that_is_required_and_goes_away_denies(bench: Bench) -> None:
    live = bench.start()
    bench.config.unlink()
    bench.later()
    assert decide(live, "git status") is Decision.DENY
    bench.write("")
    bench.later()
    assert decide(live, "git status") is Decision.ALLOW


def test_an_error_of_any_kind_denies(bench: Bench) -> None:
    live = bench.start()
    live._load = lambda: (_ for _ in ()).throw(RuntimeError("hunter2"))
    bench.later()
    verdict = live().gate.decide("git status")
    assert (verdict.decision, verdict.error) == (Decision.DENY, "they could not be read again (RuntimeError)")


def test_what_failed_for_a_reason_outside_of_the_files_is_tried_again_and_told_once(bench: Bench) -> None:
    live = bench.start()
    live._load = lambda: (_ for _ in ()).throw(InvalidSettings("too many open files"))
    for _ in range(3):
        bench.later()
        assert decide(live, "git status") is Decision.DENY
    live._load = bench.load
    bench.later()
    assert decide(live, "git status") is Decision.ALLOW
    assert [level for level, _ in bench.said] == [Level.ERROR, Level.NOTICE]


def test_a_project_that_asks_for_less_is_not_followed_and_that_is_said(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    project = tmp_path / ".phocinae"
    project.mkdir()
    bench.write('[gate]\nproject_code = "ask"\n')
    live = Reloading(
        lambda: merge(gather(config=str(bench.config), environment={"PHOCINAE_AUDIT": "off"})),
        bench.build,
        files(str(bench.config)),
        start=bench.load(),
        log=bench.log,
        clock=lambda: bench.time,
    )
    (project / "policy.toml").write_text('[gate]\nfail_closed = "ask"\nproject_code = "deny"\n', encoding="utf-8")
    bench.later()
    assert decide(live) is Decision.DENY
    assert decide(live, "pytest") is Decision.DENY
    assert [level for level, _ in bench.said] == [Level.NOTICE, Level.WARNING]
    assert "gate.fail_closed is ignored: the project file may only make the gate stricter" in bench.said[1][1]


def test_a_token_that_goes_to_nobody_any_more_is_told(bench: Bench) -> None:
    environment = {"PHOCINAE_AUDIT": "off", "PHOCINAE_SERVER": "http://127.0.0.1:8155"}
    live = Reloading(
        lambda: merge(gather(config=str(bench.config), folders=(), environment=environment)),
        bench.build,
        files(str(bench.config)),
        start=bench.load(),
        log=bench.log,
        clock=lambda: bench.time,
    )
    token = bench.config.with_name("token")
    token.write_text("s3cret", encoding="utf-8")
    token.chmod(0o600)
    bench.write(f'[l1]\ntoken_file = "{token}"\n')
    bench.later()
    assert live().settings.token_file == str(token)
    bench.write(f'[l1]\ntoken_file = "{token}"\nserver = "http://127.0.0.1:9"\n')
    bench.later()
    assert live().settings.token_file == ""
    warning = bench.said[-1]
    assert warning[0] is Level.WARNING
    assert "that token is not sent, because environment variable PHOCINAE_SERVER names another service" in warning[1]


def test_what_cannot_change_stays_and_is_said_once(bench: Bench) -> None:
    live = bench.start()
    first = live()
    bench.write("[serve]\nport = 1\n[log]\nenabled = true\n")
    bench.later()
    assert live() is first
    assert bench.said == [
        (Level.WARNING, f"{name} has changed, which counts when the server is started again")
        for name in ("serve.port", "log.enabled")
    ]
    bench.later()
    live()
    assert len(bench.said) == 2
    bench.write('[serve]\nport = 1\n[gate]\nfail_closed = "ask"\n')
    bench.later()
    assert (live().settings.port, live().settings.fail_closed) == (Settings().port, Decision.ASK)


def test_a_change_within_the_tick_of_the_last_one_is_seen(bench: Bench) -> None:
    now = 2_000_000.0
    live = Reloading(
        bench.load,
        bench.build,
        files(str(bench.config)),
        start=bench.load(),
        log=bench.log,
        clock=lambda: bench.time,
        now=lambda: now,
    )

    def write(decision: str) -> None:
        with bench.config.open("r+", encoding="utf-8") as file:
            file.write(f"[gate]\nfail_closed = {decision!r}\n")

    def same_mark(path: str, *, real: Callable[[str], tuple[int, ...]] = reload._mark) -> tuple[int, ...]:
        tick = int((now - UNSETTLED / 2) * 1e9)
        return (tick, tick) if path == str(bench.config) else real(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reload, "_mark", same_mark)
        bench.write("[gate]\nfail_closed = 'deny'  \n")
        bench.later()
        assert decide(live) is Decision.DENY
        bench.write("[gate]\nfail_closed = 'ask'   \n")
        bench.later()
        assert decide(live) is Decision.ASK


@pytest.mark.parametrize("name", ["guard.py", "l0_table.json"])
def test_a_guard_program_that_changes_is_read_again(
    bench: Bench, tmp_path_factory: pytest.TempPathFactory, name: str
) -> None:
    folder = tmp_path_factory.mktemp("guard")
    guard = guards.write(folder)
    bench.write(f"[l1]\nguard = {guard!r}\n")
    live = bench.start()
    assert decide(live, "echo bad") is Decision.DENY
    first = live()
    (folder / name).write_text(guards.PLAIN.replace('"bad"', '"worse"'), encoding="utf-8")
    (folder / name).chmod(0o600)
    bench.later()
    assert live().gate.policy != first.gate.policy
    assert decide(live, "echo bad") is (Decision.ALLOW if name == "guard.py" else Decision.DENY)
    for one in (first, live()):
        for judge in one.gate.tightening:
            judge.close()  # type: ignore[attr-defined]  # the judge of a guard program has it


def test_the_child_of_a_guard_ends_once_nobody_holds_it(bench: Bench, tmp_path_factory: pytest.TempPathFactory) -> None:
    guard = guards.write(tmp_path_factory.mktemp("guard"))
    bench.write(f"[l1]\nguard = {guard!r}\n")
    before = guards.children()
    live = bench.start()
    held = live().gate
    assert decide(live, "echo bad") is Decision.DENY
    (child,) = guards.children() - before
    bench.write("")
    bench.later()
    assert decide(live, "echo bad") is Decision.ALLOW
    assert held.decide("echo bad").decision is Decision.DENY  # a call that had begun keeps its parts
    assert guards.runs(child)
    del held
    gc.collect()
    assert guards.eventually(lambda: not guards.runs(child))


def test_parts_that_nobody_holds_are_given_up_without_a_collection(bench: Bench) -> None:
    bench.write('[l1]\nenabled = true\nallowed_servers = ["http://127.0.0.1:9"]\n')
    live = bench.start()
    named(live(), {"server": "http://127.0.0.1:9"})
    old = weakref.ref(live().inference.backend)
    bench.write("")
    bench.later()
    gc.disable()
    try:
        live()
        assert old() is None
    finally:
        gc.enable()


def test_threads_never_wait_for_a_look_of_another(bench: Bench) -> None:
    live = bench.start()
    entered, go_on = threading.Event(), threading.Event()
    load = bench.load

    def slow() -> Effective:
        entered.set()
        assert go_on.wait(10)
        return load()

    live._load = slow
    bench.write('[gate]\nfail_closed = "ask"\n')
    bench.later()
    looker = threading.Thread(target=live)
    looker.start()
    try:
        assert entered.wait(10)
        bench.later()
        assert decide(live) is Decision.DENY
    finally:
        go_on.set()
        looker.join(10)
    assert decide(live) is Decision.ASK


def test_a_link_that_is_turned_elsewhere_is_a_change(bench: Bench, tmp_path: Path) -> None:
    for name, text in (("a", ""), ("b", '[gate]\nfail_closed = "ask"\n')):
        (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / name).chmod(0o600)
    bench.config.unlink()
    bench.config.symlink_to(tmp_path / "a")
    live = bench.start()
    assert decide(live) is Decision.DENY
    bench.config.unlink()
    bench.config.symlink_to(tmp_path / "b")
    bench.later()
    assert decide(live) is Decision.ASK
    (tmp_path / "b").unlink()
    bench.later()
    assert "is a link to a file that does not exist" in live().gate.decide("ls").error


def test_a_start_that_cannot_be_built_is_an_error(bench: Bench) -> None:
    with pytest.raises(InvalidSettings):
        Reloading(
            bench.load,
            bench.build,
            (),
            start=evolve(bench.load(), settings=Settings(guard="/nowhere/guard.py")),
            log=bench.log,
        )


def test_what_is_about_the_server_itself_is_fixed_and_nothing_else() -> None:
    assert {key.field for key in KEYS if key.toml.partition(".")[0] in ("serve", "log")} == set(FIXED)
