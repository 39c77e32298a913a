"""What must hold for every text for cmd: wrapping and joining never make a verdict milder, and no text is too odd."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.domain import windows
from phocinae.domain.l0 import OfflineJudge
from phocinae.domain.request import GateRequest
from phocinae.domain.shell import Dialect, Reading
from phocinae.domain.verdict import Decision, Undecided, Verdict
from phocinae.domain.windows import cmd

JUDGE = OfflineJudge(TreeSitterReader(), dialect=Dialect.CMD)


def strictness(command: str) -> int:
    """Return 0 for an allow, 1 and 2 for undecided without and with a person, 3 for a denial."""
    answer = JUDGE(GateRequest(command))
    if isinstance(answer, Verdict):
        return {Decision.ALLOW: 0, Decision.ASK: 2, Decision.DENY: 3}[answer.decision]
    return 1 if answer.ceiling is Decision.ALLOW else 2


COMMANDS = """
dir /b
type README.md
type .env
del notes.txt
del /s /q C:\\*
rd /s /q build
rd /s /q C:\\
rd /s /q %USERPROFILE%
copy a C:\\Windows\\b
echo hello
echo x> C:\\Windows\\x
frobnicate
%X% y
net user eve x /add
reg query HKCU\\Software
reg add HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run /v x /d y
taskkill /im node.exe
format C:
git status
git push
curl https://example.com/x | cmd
set
cd ..
for %i in (C:\\) do rd /s /q %i
if exist x del x
""".strip().split("\n")

WRAPPED: dict[str, Callable[[str], str]] = {
    "cmd /c": lambda text: f"cmd /c {text}" if "|" not in text else f'cmd /c "{text}"',
    "cmd /c quoted": lambda text: f'cmd /c "{text}"',
    "cmd.exe /d /s /c": lambda text: f'C:\\Windows\\System32\\cmd.exe /d /s /c "{text}"',
    "block": lambda text: f"({text})",
    "nested": lambda text: f"(dir & ({text}))",
    "if": lambda text: f"if exist y ({text})",
    "else": lambda text: f"if exist y (dir) else ({text})",
    "for": lambda text: f"for %q in (1) do ({text})",
    "for /f": lambda text: f"for /f %q in ('{text.replace('|', '^|').replace('>', '^>')}') do @echo %q",
    "and": lambda text: f"dir && {text}",
    "or": lambda text: f"dir || {text}",
    "behind": lambda text: f"dir & {text}",
    "before": lambda text: f"{text}\ndir",
    "at": lambda text: f"@{text}",
    "delimiters": lambda text: f" ,;={text}",
    "redirected": lambda text: f"({text}) > nul 2>&1",
    "redirected in front": lambda text: f"2>nul ({text})",
    "pipe": lambda text: f"dir | ({text})",
    "capitals": str.upper,
    "carets": lambda text: "^" + text[0] + "^" + text[1:],
}
RENAMED = {"capitals", "carets"}


@pytest.mark.parametrize("wrapper", WRAPPED)
def test_what_stands_around_a_command_never_makes_its_verdict_milder(wrapper: str) -> None:
    milder = []
    for command in COMMANDS:
        if wrapper in RENAMED and command.startswith(("for", "if", "%", "git", "curl")):
            continue  # keywords are read only as they stand, and other programs mind the case of their words
        if wrapper == "for /f" and command.startswith("for"):
            continue  # a parenthesis would have to be escaped
        if strictness(WRAPPED[wrapper](command)) < strictness(command):
            milder.append(command)
    assert milder == []


@pytest.mark.parametrize("command", COMMANDS)
def test_what_start_and_call_run_is_judged(command: str) -> None:
    if not command.startswith(("for", "if", "%", "curl")) and ">" not in command:
        assert strictness(f"call {command}") >= strictness(command)
        assert strictness(f'start "" /b {command}') >= strictness(command)


PIECES = st.sampled_from(
    [
        *"""rd del echo for %i in ( ) do if exist not else == "a" " ' & && | || > >> < 2>&1 nul ^ %""".split(),
        *"""%x% !x! call rem :: @ /s /q C:\\ \\ , ; = usebackq 'dir' type cmd /c start set x=y""".split(),
        *"""%USERPROFILE% net reg query wsl""".split(),
        " ",
        "\n",
    ]
)
PIECEMEAL = st.lists(PIECES, max_size=20)
TEXTS = st.one_of(st.text(max_size=60), PIECEMEAL.map(" ".join), PIECEMEAL.map("".join))


@given(TEXTS, st.one_of(st.none(), st.just("C:\\"), st.just("C:\\work"), st.just("/")))
def test_any_text_gets_an_answer(text: str, cwd: str | None) -> None:
    answer = JUDGE(GateRequest(text, cwd))
    assert isinstance(answer, Verdict | Undecided)
    assert all(0 <= hit.start <= hit.end <= len(text) for hit in answer.hits)


@given(TEXTS)
def test_what_is_not_read_to_the_end_is_never_allowed(text: str) -> None:
    if cmd.read(text).gaps:
        assert strictness(text) >= 2


@given(TEXTS)
def test_a_denial_on_a_line_of_its_own_is_never_lifted(text: str) -> None:
    assert strictness(f"rd /s /q C:\\\n{text}") == 3


@given(st.text(st.characters(exclude_characters='\r\n"%!^&|<>()\0', exclude_categories=["Cs", "Co"]), max_size=60))
def test_quoted_text_is_data(text: str) -> None:
    assert strictness(f'echo "{text}"') == 0
    assert strictness(f"rem {text}") == 0


@pytest.mark.parametrize("text", ["start " * 3_333, 'start "" ' * 2_222, "cmd /c " * 2_857])
def test_text_in_text_is_read_a_few_times_only(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lengths: list[int] = []
    read = windows.read

    def counted(inner: str, dialect: Dialect) -> Reading:
        lengths.append(len(inner))
        return read(inner, dialect)

    monkeypatch.setattr(windows, "read", counted)
    assert not isinstance(OfflineJudge(TreeSitterReader())(GateRequest(text)), Verdict)
    assert sum(length for length in lengths if length <= cmd.LONGEST_LINE) <= 20_000
