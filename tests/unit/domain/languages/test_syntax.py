"""Code that is cut into tokens."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.languages.syntax import MOST_TOKENS, SYNTAXES, bare, tokens, unescaped


@pytest.mark.parametrize(
    ("language", "code", "kept"),
    [
        ("python", "f(1) # system(1)", "f(1)"),
        ("python", 'x = "system(1)"', 'x = ""'),
        ("python", '"""system(1)"""', '""'),
        ("javascript", "f() // g()\n/* h() */", "f()"),
        ("javascript", "/exec(1)/.test(x)", '"".test(x)'),
        ("javascript", "`a ${f(1)} b`", '""f(1)'),
        ("ruby", "%q(system 1)", '""'),
        ("perl", "q{system 1}", '""'),
        ("lua", "f() --[[ g() ]] h() -- i()", "f() h()"),
        ("php", "f(); # g()", "f();"),
    ],
)
def test_strings_and_comments_are_left_out(language: str, code: str, kept: str) -> None:
    assert "".join(bare(code, language).split()) == "".join(kept.split())


@pytest.mark.parametrize(
    ("language", "code", "kinds"),
    [
        ("perl", "qx(ls)", ["command"]),
        ("ruby", "`ls`", ["command"]),
        ("ruby", "%x[ls]", ["command"]),
        ("julia", "`ls`", ["string"]),
        ("perl", "</etc/*>", ["globbed"]),
        ("ruby", ":name", ["string"]),
        ("javascript", "a / b", ["name", "op", "name"]),
        ("javascript", "= /a/", ["op", "pattern"]),
    ],
)
def test_the_kinds_of_tokens(language: str, code: str, kinds: list[str]) -> None:
    assert [token.kind for token in tokens(code, SYNTAXES[language])] == kinds


@pytest.mark.parametrize(
    ("written", "meant"), [(r"\x72\155", "rm"), (r"a\nb", "a\nb"), (r"\u0041", "A"), (r"\"", '"'), ("a", "a")]
)
def test_what_escapes_mean(written: str, meant: str) -> None:
    assert unescaped(written) == meant


@pytest.mark.parametrize("language", SYNTAXES)
def test_only_the_beginning_of_long_code_is_cut(language: str) -> None:
    assert len(tokens("(" * 3 * MOST_TOKENS, SYNTAXES[language])) == MOST_TOKENS


@pytest.mark.parametrize("program", "python3 node perl ruby php lua julia groovy tclsh guile octave".split())
@pytest.mark.parametrize(
    "unit", ["(", "[", "a[", "f(", '"a"+', "`", 'f"{', "system ", "x+=x;", "f(x) for x in ", "/", "q{"]
)
def test_hostile_code_is_gone_through(program: str, unit: str, judged: Callable[[str], str]) -> None:
    """How long that takes is measured by benchmarks/judge_hostile.py."""
    assert judged(f"{program} <<'END'\n{(unit * 19_000)[:19_000]}\nEND") != "allow"
