"""What the judge of files says of a path, of other spellings of it, and beside what a shell may do to it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.file_writes import LONGEST_PATH, MOST_FILES, Surroundings, judged
from phocinae.domain.followed_paths import FollowedPath, plainly
from phocinae.domain.rules import RULES
from phocinae.domain.verdict import Decision, Layer, Verdict, Weight

HERE = Path(__file__).parent
CWD = "/srv/app/project"
AROUND = Surroundings(
    homes=("/home/me", "/data/me"), programs=("/srv/tools", "/home/me/.local/bin"), own=("/srv/gate", "/srv/log.jsonl")
)
STRICTNESS = ["none", "ask", "deny"]
SHELL = {"allow": "none", "undecided": "none", "undecided-ask": "ask", "deny": "deny"}
ROW = re.compile(r"(none|ask|deny) (\S+) (.+)")


def rows(name: str) -> list[tuple[str, str, str]]:
    """Return answer, rule and path of each row of a table."""
    lines = (HERE / name).read_text(encoding="utf-8").split("\n")
    found = [ROW.fullmatch(line) for line in lines if line and not line.startswith("#")]
    return [(one[1], one[2], one[3]) for one in found if one is not None]


PLAIN = rows("file_writes.txt")
ODD = [
    (
        answer,
        rule,
        re.sub(r"\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|n|\\)", lambda one: one[0].encode().decode("unicode_escape"), path),
    )
    for answer, rule, path in rows("file_spellings.txt")
]
JUDGED = [row for row in PLAIN if row[0] != "none"]


def path_of(named: str, ways: tuple[str, ...] = ()) -> FollowedPath:
    absolute = named if named.startswith("/") else f"{CWD}/{named}"
    return FollowedPath(named=named, ways=(plainly(absolute), *ways))


def verdict(*named: str) -> Verdict | None:
    return judged([path_of(name) for name in named], AROUND, "p")


def word(found: Verdict | None) -> str:
    return "none" if found is None else found.decision.wire


@pytest.mark.parametrize(("answer", "rule", "path"), [*PLAIN, *ODD], ids=lambda part: ascii(part)[1:-1])
def test_the_table(answer: str, rule: str, path: str) -> None:
    found = verdict(path)
    assert word(found) == answer
    if found is not None:
        assert rule in [hit.rule for hit in found.hits if hit.weight is found.hits[0].weight]
        assert found.reason.isprintable()


def test_the_table_has_enough_of_each_kind() -> None:
    assert len(PLAIN) == sum(
        1 for line in (HERE / "file_writes.txt").read_text().split("\n") if line[:1] not in ("", "#")
    )
    assert {rule for _, rule, _ in [*PLAIN, *ODD]} - {"-"} <= set(RULES)
    assert [sum(row[0] == answer for row in PLAIN) > 50 for answer in STRICTNESS] == [True] * 3


@pytest.mark.parametrize(("answer", "rule", "path"), JUDGED, ids=lambda part: ascii(part)[1:-1])
@pytest.mark.parametrize("form", ["cat > {}", "cp x {}", "echo x | tee {}", "sed -i s/a/b/ {}"])
def test_a_command_that_writes_is_judged_no_milder(
    answer: str, rule: str, path: str, form: str, judged: Callable[..., str]
) -> None:
    if path.startswith(("%", "$env:")):
        pytest.skip("what a POSIX shell makes of it is another path")
    path = path.replace("/data/me", "/home/me").replace("/DATA/ME", "/home/me")  # a home that only the machine knows
    home = path.startswith(("~", "$HOME", "${HOME}"))
    command = form.format(path if home else shlex.quote(path))
    assert STRICTNESS.index(SHELL[judged(command, CWD)]) >= STRICTNESS.index(answer), (command, rule)


@given(row=st.sampled_from(JUDGED), data=st.data())
def test_another_spelling_is_never_milder(row: tuple[str, str, str], data: st.DataObject) -> None:
    answer, _, path = row
    head, *parts = path.split("/")
    spelled = head
    for part in parts:
        spelled += data.draw(st.sampled_from(["/", "//", "/./", "/x/../", "/.//x/y/../../"])) + part
    if not head or "\\" in path or head[:1] in "~$%" or head.endswith(":"):
        way = path_of(spelled)
    else:
        way = path_of(data.draw(st.sampled_from(["", "./", ".//", "../project/"])) + spelled)
    found = judged([way], AROUND)
    assert STRICTNESS.index(word(found)) >= STRICTNESS.index(answer)


@given(row=st.sampled_from(JUDGED), upper=st.booleans())
def test_case_is_of_no_account(row: tuple[str, str, str], upper: bool) -> None:
    answer, _, path = row
    if path.startswith("~") and path[1:2].isalpha():
        return  # the name of an account
    found = verdict(path.upper() if upper else path.lower())
    assert STRICTNESS.index(word(found)) >= STRICTNESS.index(answer)


@given(rows=st.lists(st.sampled_from(PLAIN), min_size=1, max_size=6))
def test_the_strictest_of_several_files_counts(rows: list[tuple[str, str, str]]) -> None:
    found = verdict(*(path for _, _, path in rows))
    assert word(found) == max((answer for answer, _, _ in rows), key=STRICTNESS.index)


@given(row=st.sampled_from(JUDGED))
def test_a_link_is_judged_by_each_path_on_its_way(row: tuple[str, str, str]) -> None:
    answer, _, path = row
    if not path.startswith("/"):
        path = f"{CWD}/{path}"
    if path.startswith(f"{CWD}/") and path[len(CWD) + 1 :][:1] in "~$%C":
        return
    plain = plainly(path)
    over = judged([path_of("docs/x.md", (plain, "/srv/elsewhere.md"))], AROUND)
    end = judged([path_of("docs/x.md", (plain,))], AROUND)
    assert word(over) == word(end) == answer
    assert end is not None
    assert "docs/x.md" in end.reason


def test_an_end_that_is_not_known_is_for_a_person() -> None:
    found = judged([evolve(path_of("docs/x.md"), unclear="it is a link to something that does not exist")], AROUND)
    assert word(found) == "ask"
    assert found is not None
    assert found.reason == "It cannot be told where docs/x.md (it is a link to something that does not exist) leads."


@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("/srv/tools/x", "write-program"),
        ("/SRV/TOOLS/x", "write-program"),
        ("/srv/gate/x/y.py", "write-gate"),
        ("/srv/gate", "write-gate"),
        ("/srv/log.jsonl", "write-gate"),
        ("/data/me/bin/x", "write-program"),
    ],
)
def test_what_the_machine_adds_is_judged(path: str, rule: str) -> None:
    found = verdict(path)
    assert found is not None
    assert found.hits[0].rule == rule


@pytest.mark.parametrize("path", ["/srv/tools/sub/x", "/srv/toolsx/x", "/srv/gateway/x", "/srv/log.jsonl.txt"])
def test_what_only_looks_like_it_is_not(path: str) -> None:
    assert verdict(path) is None


@pytest.mark.parametrize("path", ["", " ", "\t", "a\0b", "x" * (LONGEST_PATH + 1), "a\ud800b", 7, None, b"x", ["x"]])
def test_what_is_no_path_is_denied(path: object) -> None:
    odd: str = path  # type: ignore[assignment]
    found = judged([FollowedPath(named="README.md", ways=(f"{CWD}/README.md",)), FollowedPath(named=odd)], AROUND, "p")
    assert found is not None
    assert (found.decision, found.layer, found.policy) == (Decision.DENY, Layer.FAIL_CLOSED, "p")
    assert found.error


def test_no_more_files_are_judged_than_is_said() -> None:
    assert judged([path_of("a")] * MOST_FILES, AROUND) is None
    assert word(judged([path_of("a")] * (MOST_FILES + 1), AROUND)) == "deny"


def test_a_verdict_says_all_that_speaks_against_it() -> None:
    found = verdict("README.md", ".npmrc", "/etc/hosts", ".env")
    assert found is not None
    assert [hit.rule for hit in found.hits] == ["write-system", "write-runs", "write-secret"]
    assert (found.ceiling, found.layer, found.policy) == (Decision.DENY, Layer.L0, "p")
    assert [bool(hit.remedy) for hit in found.hits] == [hit.weight is Weight.DENY for hit in found.hits]


def test_a_secret_in_a_path_is_not_repeated() -> None:
    found = verdict("API_TOKEN=Zx81kkQwertyUiop/.npmrc")
    assert found is not None
    assert "Zx81" not in found.reason


@given(st.text(max_size=80))
def test_any_text_gets_an_answer(text: str) -> None:
    found = judged([path_of(text)], AROUND)
    assert word(found) in STRICTNESS
    assert found is None or found.reason.isprintable()
