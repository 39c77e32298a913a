from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.shell import Command, Node, Reading
from phocinae.domain.verdict import ReadingStatus

Script = Callable[[str], Node]
Whys = Callable[[str], set[str]]

SUBSCRIPTS = [
    "A=([ b) # ] ); c",
    "A=(b [c) # ] ); d",
    "A+=(b\n[ c)",
    "A=([b]=c)",
    "A=([$b]=c)",
    "A=(['b']=c)",
    "A=([b+1]+=c)",
    "declare -a A=([ b) # ] ); c",
]
IN_SUBSTITUTIONS = [
    *("$(A=(b \\;))", "$(A=(\\'))", 'B="$(A=(\\"))"', "c <(A=(b \\$\\(c\\)))", "$(A+=(b\\ c))", "$(A=1 B=(\\a) c)"),
    *("$(declare -a A=(\\;))", "$( (A=(\\;)) )", "$(c $(d; A=(\\;)))", "cat <<E\n$(A=(\\;))\nE", "`$(A=(\\;))`"),
]


@pytest.mark.parametrize("text", SUBSCRIPTS)
def test_a_bracket_whose_partner_bash_looks_for_is_a_gap(whys: Whys, text: str) -> None:
    assert "a subscript that bash evaluates, or looks for the end of" in whys(text)


@pytest.mark.parametrize("text", IN_SUBSTITUTIONS)
def test_a_backslash_that_bash_loses_in_a_substitution_is_a_gap(read: Callable[[str], Reading], text: str) -> None:
    reading = read(text)
    assert "a backslash in an array, which bash loses in a substitution" in {gap.why for gap in reading.gaps}
    assert reading.status is ReadingStatus.UNKNOWN


@pytest.mark.parametrize("text", ["A=([1]=b [2]+=c)", "A=(b[1] '[' [c]*)", "A=(\\[ ']')", "A=([b] c)", "A=(b=[ c])"])
def test_brackets_in_an_array_that_mean_the_same_everywhere(script: Script, text: str) -> None:
    assert isinstance(script(text), Command)


@pytest.mark.parametrize("text", ["A=(b \\; \\')", "A=($(b \\;))", "A=(\\; $(b))", "A=($(c)) B=(\\;)", "$(A=(b ';'))"])
def test_a_backslash_in_an_array_that_bash_keeps(script: Script, text: str) -> None:
    assert isinstance(script(text), Command)
