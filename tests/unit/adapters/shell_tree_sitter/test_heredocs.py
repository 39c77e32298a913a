from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.adapters.shell_tree_sitter import heredocs
from phocinae.adapters.shell_tree_sitter.heredocs import Unclear, take_out

TAKEN_OUT = {
    # text: (text without here-documents, {offset of the operator: (quoted, body, offset of the body)}, other operators)
    "cat <<A\nx\nA\n": ("cat <__\n \n \n", {4: (False, "x\n", 8)}, {}),
    "cat <<A\nA": ("cat <__\n ", {4: (False, "", 8)}, {}),
    "cat << A\nx\nA\nls": ("cat <___\n \n \nls", {4: (False, "x\n", 9)}, {}),
    "cat <<-A\n\tx\n\t\tA\n": ("cat <___\n  \n   \n", {4: (False, "x\n", 9)}, {}),
    "cat <<'A B'\nA\nA B\n": ("cat <______\n \n   \n", {4: (True, "A\n", 12)}, {}),
    'cat <<"A"\nx\nA\n': ("cat <____\n \n \n", {4: (True, "x\n", 10)}, {}),
    "cat <<\\A\nx\nA\n": ("cat <___\n \n \n", {4: (True, "x\n", 9)}, {}),
    "cat <<A'B'\nx\nAB\n": ("cat <_____\n \n  \n", {4: (True, "x\n", 11)}, {}),
    "cat <<''\nx\n\nls": ("cat <___\n \n\nls", {4: (True, "x\n", 9)}, {}),
    "cat <<é\né文\né\n": ("cat <__\n  \n \n", {4: (False, "é文\n", 8)}, {}),
    "a <<A <<B\n1\nA\n2\nB\n": ("a <__ <__\n \n \n \n \n", {2: (False, "1\n", 10), 6: (False, "2\n", 14)}, {}),
    "a <<A; b\nx\nA\n": ("a <__; b\n \n \n", {2: (False, "x\n", 9)}, {}),
    "a <<A | b\n |\nA\n": ("a <__ | b\n  \n \n", {2: (False, " |\n", 10)}, {}),
    "a <<A\n A\nA \nAA\nA\n": ("a <__\n  \n  \n  \n \n", {2: (False, " A\nA \nAA\n", 6)}, {}),
    '"$(a <<A\n")\nA\n)"': ('"$(a <__\n  \n \n)"', {5: (False, '")\n', 9)}, {}),
    "(a <<A)\nx\nA\n": ("(a <__)\n \n \n", {3: (False, "x\n", 8)}, {}),
    "f() { a <<A\nx\nA\n}": ("f() { a <__\n \n \n}", {8: (False, "x\n", 12)}, {}),
    "a <<A 'b\nc'\nx\nA\n": ("a <__ 'b\nc'\n \n \n", {2: (False, "x\n", 12)}, {}),
    'a <<A "b\nc"\nx\nA\n': ('a <__ "b\nc"\n \n \n', {2: (False, "x\n", 12)}, {}),
    "a <<A\nx\\\\\nA\nls": ("a <__\n   \n \nls", {2: (False, "x\\\\\n", 6)}, {}),
    "a <<'A'\nx\\\nA\nls": ("a <____\n  \n \nls", {2: (True, "x\\\n", 8)}, {}),
    "a <<A\n\\\nA\n": ("a <__\n \n \n", {2: (False, "\\\n", 6)}, {}),
    "case x in a) b <<A;; esac\nx\nA\n": ("case x in a) b <__;; esac\n \n \n", {15: (False, "x\n", 26)}, {}),
    "$(case x in a) b <<A\nx\nA\n;; (c|d) esac)": (
        "$(case x in a) b <__\n \n \n;; (c|d) esac)",
        {17: (False, "x\n", 21)},
        {},
    ),
    "echo case x; b <<A\nx\nA\n": ("echo case x; b <__\n \n \n", {15: (False, "x\n", 19)}, {}),
    "a <<<b 3<>c": ("a <  b 3>|c", {}, {2: "<<<", 8: "<>"}),
    "a <<<b <<A\nx\nA\n": ("a <  b <__\n \n \n", {7: (False, "x\n", 11)}, {2: "<<<"}),
}

LEFT_ALONE = [
    "cat <a >b",
    "echo '<<A'",
    'echo "<<A" "<>"',
    "echo \\<<'A'",
    "echo $'\\'<<A'",
    "ls # <<A",
    "ls # it's <<A",
    "echo $((1 << 2)) $((1<<A))",
    "((1<<A))",
    "echo ${x#<<A}",
    'echo "${x:-<<A}"',
    'echo "`echo "a"`"',
]

HOSTILE = {
    "(": "(" * 9_998 + "<<<" + ")" * 9_998,
    "$(": "$(" * 6_664 + "<<<" + ")" * 6_664,
    "(`": "(" * 10_000 + "`" * 9_996 + "<<<a",
    '"`': '"`' * 9_998 + "<<<a",
    "{": "${" * 6_664 + "<>" + "}" * 6_664,
    "case": "case x in x)" * 1_665 + "<<<a",
}

UNCLEAR = {
    "cat <<A": "without its end",
    "cat <<A\nx\n": "without its end",
    "cat <<A\nA ": "without its end",
    "cat <<${A}\nx\n${A}": "not plain",
    "cat <<$(a)\nx\n$(a)": "not plain",
    "cat <<$'A'\nx\nA": "not plain",
    "cat <<A$x\nx\nA": "without its end",
    "cat <<A#b\nx\nA": "not plain",
    "cat <<`a`\nx\nA": "not plain",
    'cat <<"A$x"\nx\nA': "not plain",
    "cat <<A\\\nB\nx\nAB": "not plain",
    "cat <<A<(b)\nx\nA": "not plain",
    "cat <<'A'>(b)c\nx\nA": "not plain",
    "cat <<\nA": "not plain",
    "echo `cat <<A\nx\nA\n`": "not plain",
    "x=$(cat <<A)\nx\nA\n": "goes on behind it",
    "cat <(cat <<A)\nx\nA\n": "goes on behind it",
    "x=(<<A)\nx\nA\n": "goes on behind it",
    "cat <<A $(b\nA\n)\nA\n": "several lines",
    "cat <<A ${x:-\nA\n}\nA\n": "several lines",
    "cat <<A; x=(\nA\n)\nA\n": "several lines",
    "cat <<A `b\nA\n`\nA\n": "several lines",
    "$(case x in a) b <<A;; esac)\nx\nA\n": "goes on behind it",
    "a) b <<A\nx\nA\n": "do not pair",
    "(b <<A\nx\nA\n": "do not pair",
    "a; case x in b) c <<A\nx\nA\n": "do not pair",
    "cat <<AB\nA\\\nB\nls\nAB\n": "continued",
    "cat <<A\nx\\\nA\nls\nA\n": "continued",
    "cat" + " <<A" * (heredocs.MOST_WAITING + 1): "too many",
}


@pytest.mark.parametrize("text", TAKEN_OUT)
def test_documents_are_taken_out(text: str) -> None:
    assert take_out(text) == TAKEN_OUT[text]


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_is_no_here_document_is_left_alone(text: str) -> None:
    assert take_out(text) == (text, {}, {})


@pytest.mark.parametrize("text", UNCLEAR)
def test_what_shells_may_read_differently_is_unclear(text: str) -> None:
    with pytest.raises(Unclear, match=UNCLEAR[text]):
        take_out(text)


@given(st.text(alphabet="<-A'\"\\\n$(){}`# x;é", max_size=40))
def test_no_offset_moves(text: str) -> None:
    try:
        rewritten, documents, operators = take_out(text)
    except Unclear:
        return
    assert len(rewritten) == len(text)
    kept = [place for place in range(len(text)) if rewritten[place] == text[place]]
    assert all(text[place] == "\n" or place in kept for place in range(len(text)) if rewritten[place] == "\n")
    for place, (_quoted, _body, start) in documents.items():
        assert text.startswith("<<", place)
        assert rewritten.startswith("<_", place)
        assert text[start - 1] == "\n"
    for place, operator in operators.items():
        assert text.startswith(operator, place)


@given(st.text(alphabet="xyA \n'\"$`\\(){}", max_size=40), st.sampled_from(["EOF", "'EOF'", "\\EOF", '"EOF"']))
def test_a_document_is_given_back_as_it_was_written(body: str, delimiter: str) -> None:
    text = f"cat <<{delimiter}; ls\n{body}x\nEOF\npwd"
    rewritten, documents, _ = take_out(text)
    assert documents == {4: (delimiter != "EOF", f"{body}x\n", 10 + len(delimiter) + 1)}
    assert rewritten.startswith("cat <")
    assert rewritten.endswith("\n   \npwd")


@pytest.mark.parametrize("shape", HOSTILE)
def test_a_bracket_costs_the_same_at_every_depth(shape: str) -> None:
    text = HOSTILE[shape]
    assert len(text) <= 20_000
    looked_at = 0

    class Counting(list[str]):
        def __iter__(self) -> Iterator[str]:
            nonlocal looked_at
            looked_at += len(self)
            return super().__iter__()

        def __contains__(self, item: object) -> bool:
            return any(item == found for found in self)

        def count(self, item: str) -> int:
            return sum(found == item for found in self)

    scan = heredocs._Scan(text)
    scan.inside = Counting()
    scan.run()
    assert looked_at == 0
