"""How each agent is answered, to the byte: a file per agent, with every case from payload to exit status.

To write what the hook says now into the files, which the next diff shows:
PHOCINAE_TEST_UPDATE=1 sh tools/test tests/contract/test_hooks.py; python tools/hook_matrix.py --write
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import hooks
import pytest
from attrs import evolve, frozen
from hooks import DEADLY, HARMLESS, OPEN, PERSONAL
from hypothesis import given
from hypothesis import strategies as st

import hook_matrix
from phocinae.adapters import agents
from phocinae.adapters.agents import terminal
from phocinae.adapters.agents.shape import Reply
from phocinae.cli import hook
from phocinae.cli.deadline import BLOCKED, Deadline, Word

UPDATE = bool(os.environ.get("PHOCINAE_TEST_UPDATE"))  # read once: no test keeps a variable of that prefix
FOLDER = Path(__file__).parent / "hooks"
CONFIG = "$CONFIG"
"""The settings file of a case in the golden files, whose real path differs from run to run."""


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "present", lambda: False)


@frozen(kw_only=True)
class Case:
    """One payload and the options beside it, from an agent that has a terminal where it is `attended`.

    `broken` says that the gate itself fails, `waits` that no payload ends.
    """

    title: str
    payload: Callable[[str], bytes]
    arguments: tuple[str, ...] = ()
    attended: bool = True
    broken: bool = False
    waits: bool = False


def asks(command: str) -> Callable[[str], bytes]:
    return lambda name: hooks.encoded(hooks.sample(name, command))


def alone(command: str) -> Callable[[str], bytes]:
    return lambda name: hooks.encoded(hooks.unattended(name, command))


def writes(path: str) -> Callable[[str], bytes]:
    return lambda name: hooks.encoded(agents.agent(name).sample(hooks.writer(name), path, hooks.NOWHERE))


def raw(text: str) -> Callable[[str], bytes]:
    return lambda _: text.encode()


def without_command(name: str) -> bytes:
    payload = hooks.sample(name)
    return hooks.encoded({**payload, "tool_input": {}})


def doubled(name: str) -> bytes:
    return hooks.encoded(hooks.sample(name, DEADLY))[:-1] + b', "cwd": "/"}'


CASES = (
    Case(title="allow", payload=asks(HARMLESS)),
    Case(title="allow, spoken", payload=asks(HARMLESS), arguments=("--on-allow", "allow")),
    Case(title="deny", payload=asks(DEADLY)),
    Case(title="ask", payload=asks(PERSONAL)),
    Case(title="undecided", payload=asks(OPEN)),
    Case(title="undecided, fail-closed deny", payload=asks(OPEN), arguments=("--fail-closed", "deny")),
    Case(title="unattended", payload=alone(PERSONAL), attended=False),
    Case(title="unattended, undecided", payload=alone(OPEN), attended=False),
    Case(title="unattended, ask", payload=alone(OPEN), attended=False, arguments=("--unattended", "ask")),
    Case(title="unattended, deny", payload=alone(DEADLY), attended=False, arguments=("--unattended", "ask")),
    Case(title="another tool", payload=lambda name: hooks.encoded(hooks.sample(name) | {"tool_name": "think"})),
    Case(title="a file, deny", payload=writes("/etc/passwd")),
    Case(title="a file, nothing to say", payload=writes("notes.txt"), arguments=("--on-allow", "allow")),
    Case(title="internal error", payload=asks(HARMLESS), broken=True),
    Case(title="deadline", payload=asks(HARMLESS), arguments=("--deadline", "0.5"), waits=True),
    Case(title="junk payload", payload=raw('{"tool_name": ')),
    Case(title="junk payload, empty", payload=raw("")),
    Case(title="junk payload, no object", payload=raw("[]")),
    Case(title="junk payload, unknown shape", payload=raw('{"tool": "shell", "cmd": "git status"}')),
    Case(title="junk payload, no command", payload=without_command),
    Case(title="junk payload, a key twice", payload=doubled),
    Case(title="usage", payload=asks(HARMLESS), arguments=("--nope",)),
    Case(title="settings", payload=asks(HARMLESS), arguments=("--config", "/nonexistent/config.toml")),
    Case(title="off", payload=asks(DEADLY), arguments=("--off",)),
    Case(title="observed", payload=asks(DEADLY), arguments=("--observe",)),
    Case(title="observed, undecided", payload=alone(OPEN), attended=False, arguments=("--observe",)),
    Case(title="observed, allow", payload=asks(HARMLESS), arguments=("--observe",)),
    Case(title="observed, internal error", payload=asks(HARMLESS), arguments=("--observe",), broken=True),
    Case(title="observed, deadline", payload=asks(HARMLESS), arguments=("--observe", "--deadline", "0.5"), waits=True),
    Case(title="observed, junk payload", payload=raw('{"tool_name": '), arguments=("--observe",)),
)
REAL = {"allow", "deny", "undecided", "unattended", "deadline", "junk payload", "off", "observed"}
"""The cases that a process of its own is started for as well."""


class Watch(Deadline):
    """A deadline that only remembers what would be said when the time is up."""

    def __init__(self) -> None:
        """Begin without a word, and without a timer."""
        self.last_word: Word = (b"", b"", 0)

    def set(self, seconds: float) -> None:
        """Keep no time."""


def fails(*_: object) -> None:
    raise RuntimeError("secret")


def answer(case: Case, name: str, config: str, monkeypatch: pytest.MonkeyPatch) -> Reply:
    """Return how a case is answered in this process."""
    watch = Watch()
    with monkeypatch.context() as patch:
        patch.setattr(terminal, "present", lambda: case.attended)
        if case.broken:
            patch.setattr(hook, "build", fails)
        reply = hook.respond([name, "--config", config, *case.arguments], lambda: case.payload(name), watch)
    if not case.waits:
        return reply
    stdout, stderr, status = watch.last_word
    return Reply(stdout=stdout.decode(), stderr=stderr.decode(), status=status)


def shown(case: Case, name: str, reply: Reply) -> str:
    """Return one case as it stands in a golden file."""
    how = " (the gate itself fails)" if case.broken else " (no payload ends)" if case.waits else ""
    lines = [
        f"# {case.title}{how}",
        f"$ phocinae hook {' '.join([name, '--config', CONFIG, *case.arguments])}",
        *(f"0| {line}" for line in case.payload(name).decode().split("\n")),
        f"exit {reply.status}",
        *stream("1", reply.stdout),
        *stream("2", reply.stderr),
    ]
    return "\n".join(lines) + "\n"


def stream(number: str, text: str) -> list[str]:
    """Return the lines of an output; a backslash for the bar says that the end of the last one is missing."""
    *lines, last = text.split("\n")
    return [*(f"{number}| {line}" for line in lines), *([f"{number}\\ {last}"] if last else [])]


def golden(name: str) -> Path:
    return FOLDER / f"{name}.txt"


@pytest.mark.parametrize("name", hooks.NAMES)
def test_the_answers_are_the_golden_ones(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = hooks.settings_file(tmp_path)
    now = "\n".join(shown(case, name, answer(case, name, config, monkeypatch)) for case in CASES)
    if UPDATE:
        golden(name).write_text(now, encoding="utf-8")
    assert golden(name).read_text(encoding="utf-8") == now


def test_there_is_a_file_for_each_agent_and_no_other() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(agents.MODULES)


def test_the_table_of_the_documents_is_that_of_the_golden_files() -> None:
    assert hook_matrix.PAGE.read_text(encoding="utf-8") == hook_matrix.page()


@pytest.mark.parametrize("name", hooks.NAMES)
@pytest.mark.parametrize("case", [case for case in CASES if case.title in REAL], ids=lambda case: case.title)
def test_a_process_gives_the_same_answer(
    case: Case, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = hooks.settings_file(tmp_path)
    expected = answer(evolve(case, attended=False), name, config, monkeypatch)
    done = waiting(case, name, config) if case.waits else hooks.run(name, case.payload(name), config, *case.arguments)
    assert (done.stdout, done.stderr, done.returncode) == (
        expected.stdout.encode(),
        expected.stderr.encode(),
        expected.status,
    )


def waiting(case: Case, name: str, config: str) -> subprocess.CompletedProcess[bytes]:
    """Run a case with a payload that never comes to an end."""
    reading, writing = os.pipe()
    try:
        os.write(writing, case.payload(name)[:20])
        return hooks.run(name, b"", config, *case.arguments, stdin=reading)
    finally:
        os.close(reading)
        os.close(writing)


# --- what holds for every agent, whatever it is sent

GOES_ON = "goes on"


def outcome(reply: Reply) -> str:
    """Return what an agent does with a reply that means anything but `GOES_ON`."""
    if reply.status == BLOCKED:
        return "blocked"
    said = json.loads(reply.stdout) if reply.stdout else {}
    inner = said.get("hookSpecificOutput", {})
    word = inner.get("permissionDecision", said.get("decision"))
    return word if word in ("deny", "ask") else GOES_ON


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
DENIED = st.sampled_from([DEADLY, "  rm -rf /", "rm -rf / # 你好", "sudo rm -rf / && echo 🦭", "cd / && rm -rf ."])
MODE = st.sampled_from(["default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions", "yolo", ""]) | JSON
EXTRA = st.dictionaries(
    st.sampled_from(["permission_mode", "mode", "approval", "decision", "allow", "command", "cwd", "model", "x"]), JSON
)


def spelled(draw: st.DrawFn, payload: dict[str, object]) -> bytes:
    """Return a payload in one of the many ways in which JSON may be written."""
    members = draw(st.permutations(list(payload.items())))
    text = json.dumps(
        dict(members), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 0, 2])), allow_nan=False
    )
    if draw(st.booleans()):  # any sign may stand as an escape (RFC 8259, section 7)
        text = text.replace("rm", "\\u0072\\u006d").replace("tool_name", "tool\\u005fname")
    return draw(st.sampled_from([b"", b"\xef\xbb\xbf", b"\n\t "])) + text.encode() + draw(st.sampled_from([b"", b"\n"]))


@st.composite
def payloads(draw: st.DrawFn, name: str) -> bytes:
    """Draw a payload of an agent that holds a denied command, whatever else it holds."""
    payload: dict[str, object] = hooks.sample(name, draw(DENIED))
    given_input = payload["tool_input"]
    assert isinstance(given_input, dict)
    payload["tool_input"] = {**draw(st.dictionaries(st.sampled_from(["a", "timeout", "cwd"]), JSON)), **given_input}
    if draw(st.booleans()):
        payload["permission_mode"] = draw(MODE)
    payload = {**draw(EXTRA), **payload} if draw(st.booleans()) else {**payload, **draw(EXTRA)}
    return spelled(draw, payload)


OPTIONS = st.lists(
    st.sampled_from(
        [
            ("--unattended", "ask"),
            ("--on-allow", "allow"),
            ("--fail-closed", "ask"),
            ("--verbose",),
            ("--deadline", "9"),
        ]
    )
)


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A settings file without a decision log, for very many answers."""
    path = tmp_path_factory.mktemp("settings") / "config.toml"
    path.write_text("[audit]\nenabled = false\n")
    path.chmod(0o600)
    return str(path)


@pytest.mark.parametrize("name", hooks.NAMES)
def test_a_denied_command_never_goes_on(name: str, config: str) -> None:
    @given(st.data(), OPTIONS)
    def holds(data: st.DataObject, options: list[tuple[str, ...]]) -> None:
        payload = data.draw(payloads(name))
        arguments = [name, "--config", config, *(word for option in options for word in option)]
        reply = hook.respond(arguments, lambda: payload)
        assert outcome(reply) == "blocked", (payload, reply)
        assert reply.stderr

    holds()


@pytest.mark.parametrize("name", hooks.NAMES)
def test_a_payload_that_is_cut_off_anywhere_never_goes_on(name: str, config: str) -> None:
    payload = hooks.encoded(hooks.sample(name, DEADLY))
    for end in range(len(payload)):
        assert outcome(hook.respond([name, "--config", config], lambda end=end: payload[:end])) == "blocked"  # type: ignore[misc]


@pytest.mark.parametrize("name", hooks.NAMES)
@pytest.mark.parametrize("wrong", [None, 7, [], {}, "", " ", True], ids=repr)
def test_a_member_of_another_type_never_lets_a_denied_command_go_on(name: str, wrong: object, config: str) -> None:
    payload = hooks.sample(name, DEADLY)
    for key in payload:
        changed = hooks.encoded(payload | {key: wrong})
        assert outcome(hook.respond([name, "--config", config], lambda changed=changed: changed)) == "blocked"  # type: ignore[misc]


@pytest.mark.parametrize("name", hooks.NAMES)
def test_whatever_the_payload_is_there_is_an_answer(name: str, config: str) -> None:
    @given(
        st.binary(max_size=60) | JSON.map(hooks.encoded) | st.dictionaries(st.text(max_size=8), JSON).map(hooks.encoded)
    )
    def holds(payload: bytes) -> None:
        reply = hook.respond([name, "--config", config], lambda: payload)
        assert reply.status == BLOCKED
        assert reply.stderr.startswith("phocinae: ")

    holds()


@pytest.mark.parametrize("name", hooks.NAMES)
@pytest.mark.parametrize(("unattended", "expected"), [("deny", "blocked"), ("ask", GOES_ON)])
def test_where_nobody_can_be_asked_the_setting_decides(name: str, unattended: str, expected: str, config: str) -> None:
    payload = hooks.encoded(hooks.unattended(name, OPEN))
    reply = hook.respond([name, "--config", config, "--unattended", unattended], lambda: payload)
    assert outcome(reply) == expected
