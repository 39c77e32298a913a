from __future__ import annotations

import gc
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
import tree_sitter
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import tree
from phocinae.adapters.shell_tree_sitter.tree import Budget, OverBudget, SyntaxNode, parse

HOSTILE = b"a=(" * 1_500
"""A text whose parse takes long when nothing stops it."""
CORPUS = Path(__file__).resolve().parents[3] / "corpus" / "corpus.jsonl"


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still in place of the machine's."""
    found = Clock()
    monkeypatch.setattr(tree, "perf_counter", found)
    return found


def outline(node: SyntaxNode) -> list[object]:
    """Return a node as its kind, its bytes and its children."""
    return [node.kind, node.start, node.end, *(outline(child) for child in node.children)]


def test_the_whole_tree() -> None:
    root = parse(b"ls -l;\n", Budget())
    assert root is not None
    command = ["command", 0, 5, ["command_name", 0, 2, ["word", 0, 2]], ["word", 3, 5]]
    assert outline(root) == ["program", 0, 7, command, [";", 5, 6]]
    assert [child.named for child in root.children] == [True, False]
    assert root.first("command") is root.children[0]
    assert root.first("pipeline") is None


def theirs(node: tree_sitter.Node) -> list[object]:
    """Return a node of the parser as `outline` does one of ours."""
    return [node.type, node.start_byte, node.end_byte, *(theirs(child) for child in node.children)]


def test_the_tree_is_the_one_of_a_parse_of_plain_bytes(clock: Clock) -> None:
    parsed = 0
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        data = json.loads(line)["command"].encode()
        plain = tree_sitter.Parser(tree.LANGUAGE).parse(data).root_node
        ours = parse(data, Budget())
        assert (ours is None) == plain.has_error
        if ours:
            assert outline(ours) == theirs(plain)
            parsed += 1
    assert parsed > 800
    assert clock.now == 0


def test_leaves_come_from_left_to_right() -> None:
    root = parse(b'a "b $c" | (d; e)', Budget())
    assert root is not None
    starts = [leaf.start for leaf in root.leaves()]
    assert starts == sorted(starts)
    assert not any(leaf.children for leaf in root.leaves())


@pytest.mark.parametrize(
    "text",
    [
        "echo 'a",  # an ERROR node
        "if true",
        "(ls",  # only a MISSING node
        "a=(b",
        'echo "a',
        "ls )",
        "for x in",
        "case x in",
        "$(",
        "`",
    ],
)
def test_neither_errors_nor_missing_tokens_count_as_parsed(text: str) -> None:
    assert parse(text.encode(), Budget()) is None


def test_callbacks_alone_end_a_parse(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree, "MOST_CALLBACKS", 40)
    budget = Budget()
    with pytest.raises(OverBudget):
        parse(HOSTILE, budget)
    assert clock.now == 0
    assert budget.callbacks == 0


def test_the_count_of_callbacks_is_the_same_every_time(clock: Clock) -> None:
    used = []
    for _ in range(3):
        budget = Budget()
        parse(b"f() { ls | cat; }\n" * 50, budget)
        used.append(budget.callbacks)
    assert clock.now == 0
    assert 0 < used[0] < tree.MOST_CALLBACKS
    assert len(set(used)) == 1


def test_the_clock_is_the_second_fuse(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    budget = Budget()
    clock.now = tree.SECONDS * 1.01
    with pytest.raises(OverBudget):
        parse(HOSTILE, budget)
    assert budget.callbacks >= tree.MOST_CALLBACKS - 2
    monkeypatch.setattr(tree, "MOST_CALLBACKS", 10**9)
    budget = Budget()
    clock.now += tree.SECONDS * 0.99
    assert budget.spent() is False
    clock.now += tree.SECONDS
    assert budget.spent() is True


def test_a_text_may_have_so_many_nodes_and_no_more(clock: Clock) -> None:
    budget = Budget()
    budget.nodes = 6  # program, command, command_name, word, word, and one left
    assert parse(b"ls -l", budget) is not None
    assert budget.nodes == 1
    budget.nodes = 5
    with pytest.raises(OverBudget):
        parse(b"ls -l", budget)
    with pytest.raises(OverBudget):
        parse(b"ls;" * tree.MOST_NODES, Budget())
    assert clock.now == 0


@pytest.mark.parametrize(
    ("opening", "closing", "levels"),
    [("(", ")", 1), ("$(", ")", 3), ("{ ", ";}", 1), ("if ls;then ", ";fi", 1)],
)
def test_a_tree_may_be_so_deep_and_no_deeper(opening: str, closing: str, levels: int) -> None:
    def nested(depth: int) -> bytes:
        return (opening * depth + "ls" + closing * depth).encode()

    assert parse(nested(20), Budget()) is not None
    with pytest.raises(OverBudget):
        parse(nested(tree.MOST_DEPTH // levels + 1), Budget())


@pytest.mark.parametrize("text", [b"ls", b"echo $(cat x)", b"for i in a b; do c $i; done"])
def test_a_cancelled_parse_never_influences_the_next(text: bytes, clock: Clock) -> None:
    fresh = parse(text, Budget())
    assert fresh is not None
    for callbacks in (1, 2, 3, 9):
        spent = Budget()
        spent.callbacks = callbacks
        with pytest.raises(OverBudget):
            parse(HOSTILE, spent)
        again = parse(text, Budget())
        assert again is not None
        assert outline(again) == outline(fresh)
    assert clock.now == 0


def test_a_budget_is_spent_by_all_texts_within_a_text(clock: Clock) -> None:
    budget = Budget()
    parse(b"ls", budget)
    first = budget.nodes
    parse(b"ls", budget)
    assert (tree.MOST_NODES - budget.nodes) == 2 * (tree.MOST_NODES - first)
    assert clock.now == 0


# --- what the parser is shown

LOOP = b"for i in a b; do c $i; done; " * 60
SHOWN = [b"ls -l | wc", b"", b"e '\xc3\xa9' $x", LOOP, LOOP[:900], b"echo $(cat x)" * 99, b"a 'b", b"x=$y " * 500]


class Interrupted(Budget):
    """A budget during whose callbacks another text is parsed, as by another thread or a signal's handler."""

    __slots__ = ("found", "text")

    def __init__(self, text: bytes) -> None:
        super().__init__()
        self.text = text
        self.found: list[SyntaxNode | None] = []

    def spent(self, _offset: int = 0, _has_error: bool = False) -> bool:
        self.found.append(parse(self.text, Budget()))
        return super().spent()


def outlines(data: bytes) -> list[object] | None:
    root = parse(data, Budget())
    return outline(root) if root else None


@pytest.mark.parametrize("text", SHOWN)
def test_a_parse_within_a_parse_sees_its_own_text(text: bytes, clock: Clock) -> None:
    expected, whole = outlines(text), outlines(LOOP)
    budget = Interrupted(text)
    root = parse(LOOP, budget)
    assert root is not None
    assert outline(root) == whole
    assert len(budget.found) > 10
    for found in budget.found:
        assert (outline(found) if found else None) == expected
    assert clock.now == 0


def test_parses_of_several_threads_see_their_own_texts(clock: Clock) -> None:
    expected = [outlines(text) for text in SHOWN]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(outlines, SHOWN * 12))
    finally:
        sys.setswitchinterval(interval)
    assert found == expected * 12
    assert clock.now == 0


@pytest.mark.parametrize("callbacks", [1, 2, 5])
def test_a_cancelled_parse_gives_back_an_empty_buffer(callbacks: int, clock: Clock) -> None:
    budget = Budget()
    budget.callbacks = callbacks
    with pytest.raises(OverBudget):
        parse(HOSTILE, budget)
    assert tree._WINDOWS
    assert not any(tree._WINDOWS)
    assert clock.now == 0


def test_a_buffer_that_the_parser_still_holds_is_given_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[memoryview] = []

    class Holding:
        """A parser whose binding would not let go of the buffer when the parse ends."""

        def __init__(self, _language: tree_sitter.Language) -> None:
            pass

        def parse(self, read: Callable[[int, object], bytearray], progress_callback: Callable[..., bool]) -> None:
            assert not progress_callback()
            held.append(memoryview(read(0, None)))
            raise ValueError

    free: list[bytearray] = []
    monkeypatch.setattr(tree, "_WINDOWS", free)
    monkeypatch.setattr(tree_sitter, "Parser", Holding)
    with pytest.raises(BufferError):
        parse(b"ls | wc", Budget())
    assert not free
    assert bytes(held[0]) == b"ls | wc"


# --- what stays behind


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ('git log | grep "$x" ; ls some/folder/{}', 1_000),
        ("ls '{}' ".ljust(5_000, "x"), 100),
        ("ls {} 'a", 500),
        ("#{}\n" + "a=(" * 500, 5),
    ],
)
def test_a_parse_leaves_no_memory_behind(text: str, times: int) -> None:
    def run(first: int) -> None:
        for number in range(first, first + times):
            with suppress(OverBudget):
                parse(text.format(number).encode(), Budget())

    def kept() -> int:
        gc.collect()
        traces = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, tree.__file__)])
        return sum(trace.size for trace in traces.traces)

    run(10_000)
    tracemalloc.start()
    try:
        before = kept()
        run(20_000)
        assert kept() - before < 2_000
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells the memory of a process in this way")
def test_a_process_that_reads_for_long_does_not_grow() -> None:
    code = """if True:
        import resource
        from phocinae.adapters.shell_tree_sitter import TreeSitterReader
        read = TreeSitterReader().read
        def run(first):
            for number in range(first, first + 1_500):
                read(f"git log | grep '{number}' ".ljust(5_000, "x"))
                if number % 300 == 0:
                    read(f"#{number}\\n" + "a=(" * 1_500)
            with open("/proc/self/statm") as pages:
                return int(pages.read().split()[1]) * resource.getpagesize()
        before = run(10_000)
        print(run(20_000) - before)
    """
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 4_000_000


# --- whatever the text


def walk(node: SyntaxNode, check: Callable[[SyntaxNode], None]) -> None:
    check(node)
    for child in node.children:
        walk(child, check)


@given(st.text(alphabet="ab \n;|&()<>$`\"'\\{}[]=*é", max_size=40))
def test_children_lie_in_order_within_their_node(text: str) -> None:
    data = text.encode()
    root = parse(data, Budget())
    if root is None:
        return

    def check(node: SyntaxNode) -> None:
        edges = [edge for child in node.children for edge in (child.start, child.end)]
        assert edges == sorted(edges)
        assert not edges or (node.start <= edges[0] and edges[-1] <= node.end)
        assert 0 <= node.start <= node.end <= len(data)
        data[node.start : node.end].decode()

    walk(root, check)
