"""The reader of PowerShell: what commands a text is read as, and what is never read to the end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.shell import Command, Node, Part, PartKind, Word
from phocinae.domain.values import MORE, VALUE
from phocinae.domain.verdict import ReadingStatus
from phocinae.domain.windows import powershell
from phocinae.domain.windows.powershell_scan import MOST_NESTED, MOST_WORDS

MARKS = {VALUE: "", MORE: ","}


def part(one: Part) -> str:
    """Return a part as a line shows it: brackets around commands, braces around blocks."""
    if one.kind is PartKind.PARAMETER:
        return "$" + one.text
    if one.kind in (PartKind.COMMAND, PartKind.BLOCK) and one.script is not None:
        inner = line(one.script)
        return f"({inner})" if one.kind is PartKind.COMMAND else f"{{{inner}}}"
    if one.kind is PartKind.OPAQUE:
        return f"?[{' '.join(map(word, one.words))}]"
    return {PartKind.GLOB: one.text, PartKind.TILDE: "~"}.get(one.kind, MARKS.get(one.text, one.text))


def word(one: Word) -> str:
    return "".join(map(part, one.parts))


def line(node: Node) -> str:
    """Return a script on one line: words divided by blanks, compounds by their kinds."""
    targets = [f"{one.descriptor}{one.operator}{word(one.target)}" for one in node.redirections]
    if isinstance(node, Command):
        sets = [f"{one.name}{'=' if one.plain else '?='}{' '.join(map(word, one.words))}" for one in node.assignments]
        return " ".join([*sets, *map(word, node.words), *targets])
    inner = "; ".join(map(line, node.parts))
    return " ".join([f"{node.kind.value}{node.name and ' ' + node.name}[{inner}]", *map(word, node.words), *targets])


def shown(text: str) -> str:
    found = powershell.read(text)
    assert (found.status, found.gaps) == (ReadingStatus.COMPLETE, ())
    assert found.script is not None
    return line(found.script)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # words (about_Parsing, about_Quoting_Rules, about_Special_Characters)
        ("a b  c", "a b c"),
        ("a 'b c' \"d\"", "a b c d"),
        ("a 'it''s' \"q\"\"q\"", "a it's q\"q"),
        ("a 'x'y", "a x y"),
        ('a x"y z"', "a xy z"),
        ("a `$b `'c", "a $b 'c"),
        ("a 'b`c'", "a b`c"),
        ('a "b`"c`$d`tz"', 'a b"c$d\tz'),
        ('a "`u{41}"', "a A"),
        ("a b`\nc", "a b c"),
        ("a `\n  b", "a b"),
        ('a "$b.c"', "a $b.c"),
        ('a "$(b c)d"', "a (b c)d"),
        ("a '$(b)'", "a $(b)"),
        ("a @'\nb $c\n'@", "a b $c"),
        ('a @"\nb $c "q"\n"@', 'a b $c "q"'),
        ("a *.md b?", "a *.md b?"),
        ("a ~/b ~", "a ~/b ~"),
        ("a C:\\b\\", "a C:\\b\\"),
        ("a b#c #d", "a b#c"),
        ("a <# b\n c #> d", "a d"),
        ("a b, c,d", "a b ,c ,d"),
        # variables (about_Variables, about_Environment_Variables, about_Automatic_Variables)
        ("a $B $env:C ${d e} ${env:f} $global:G", "a $b $C $d e $F $g"),
        ("a $null $true", "a  True"),
        ("a $HOME $env:USERPROFILE $PWD", "a $HOME $HOME $PWD"),
        ("a $env:SystemRoot\\b", "a C:/Windows\\b"),
        ("a $b/c", "a $b/c"),
        ("a $", "a $"),
        # parameters (about_Parameters)
        ("a -b -c:d -e:$f -g:(h)", "a -b -c:d -e:$f -g:(h)"),
        ("a @b", "a ?[]"),
        # pipelines, lists, redirections (about_Pipelines, about_Redirection)
        ("a | b|c", "pipeline[a; b; c]"),
        ("a |\nb", "pipeline[a; b]"),
        ("a; b\nc", "list[a; b; c]"),
        ("a && b || c", "or[and[a; b]; c]"),
        ("a > b 2>> c 2>&1 *> d", "a >b 2>>c 2>&1 &>d"),
        ("a > $null", "a >/dev/null"),
        ("a &", "background[a]"),
        ("& 'a b' c", "& a b c"),
        (". ./a", ". ./a"),
        # expressions (about_Operators)
        ("'a'", "Write-Output a"),
        ("1, 2", "Write-Output 1 ,2"),
        ("'a' + 'b' + $c", "Write-Output ab$c"),
        ("$a + 'b'", "Write-Output (-plus $a b)"),
        ("1..3", "Write-Output (-range 1 3)"),
        ("$a -eq 1 -and $b", "Write-Output (-and (-eq $a 1 $b))"),
        ("-not $a", "Write-Output (-not $a)"),
        ("-join ('a','b')", "Write-Output (-join a b)"),
        ("(a b).C", "Write-Output (.c (a b))"),
        ("(a).B('c', $d)", "Write-Output (.b() (a) c $d)"),
        ("[System.IO.File]::Delete('a')", "Write-Output ([io.file]::delete() a)"),
        ("[int]$a", "Write-Output ([int] $a)"),
        ("$a[0]", "Write-Output (.item $a 0)"),
        ("a $b.c[1]", "a (.item (.c $b) 1)"),
        ("@(a; b)", "Write-Output (list[a; b])"),
        ("@{a = 1; b = c d}", "Write-Output ?[a (Write-Output 1) b (c d)]"),
        ("a { b | c }", "a {pipeline[b; c]}"),
        ("% { $_.A }", "% {Write-Output (.a $_)}"),
        ("7z x", "7z x"),
        # assignments (about_Assignment_Operators)
        ("$a = 'b'", "a=b"),
        ("$a = b c", "a=(b c)"),
        ("$a = 1, 2", "a?=?[1 2]"),
        ("$a += 'b'", "a?=b"),
        ("[string]$a = 'b'", "a?=b"),
        ("$env:A = 'b'", "A=b"),
        ("$a, $b = 1", "a?=1 b?=1"),
        ("$a.b = 'c'", "list[Write-Output (.= (.b $a) c); a?=]"),
        ("$a++", "Write-Output (a?=)"),
        # statements (about_Language_Keywords)
        ("if (a) { b } elseif (c) { d } else { e }", "if[a; b; c; d; e]"),
        ("while (a) { b }", "while[a; b]"),
        ("do { a } until (b)", "while[a; b]"),
        ("foreach ($a in b c) { d $a }", "for a[d $a] (b c)"),
        ("for ($i = 0; $i -lt 3; $i++) { a }", "list[i=0; while[i=0; Write-Output (-lt $i 3); Write-Output (i?=); a]]"),
        (
            "switch ($a) { 1 { b } default { c } }",
            "list[Write-Output $a; _?=; while[Write-Output 1; b; Write-Output default; c]]",
        ),
        ("try { a } catch { b } finally { c }", "while[a; _?=; b; _?=; c]"),
        ("function A { b }", "function a[list[_?= args?=; b]]"),
        ("return (a)", "list[Write-Output (a); return]"),
        ("param($a = (b))", "list[Write-Output (b); a?=]"),
    ],
)  # fmt: skip
def test_a_text_is_read_as_these_commands(text: str, wanted: str) -> None:
    assert shown(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "a 'b", 'a "b', 'a "$(b"', "a (b", "a { b", "@'\na", "a )", "a }", "a |", "a &&", "| a", "a < b", "a --% b",
        "&", "a ${b",
        "if (a)", "if a { b }", "foreach (a) { b }", "class A { }", "trap { }", "using module a", "enum a { }",
        "a <# b",
        "[Parameter(a)]$b", "$a.$b", "$a::", "$a ? b : c", '"$a:"', ".a", "[a", "@{a}", "1 +", "$a = ", "-eq 1", "try",
        "(" * (MOST_NESTED + 1) + "a" + ")" * (MOST_NESTED + 1),
        "a " * (MOST_WORDS + 1),
    ],
)  # fmt: skip
def test_what_does_not_parse_is_not_read_to_the_end(text: str) -> None:
    assert powershell.read(text).status is not ReadingStatus.COMPLETE


@pytest.mark.parametrize("sign", "\u2018\u201c\u2013\u2014\u00a0\u200b\u202e\x00\x85")
def test_a_sign_that_looks_like_another_is_taken_for_it_and_doubted(sign: str) -> None:
    found = powershell.read(f"a{sign}b")
    assert found.status is not ReadingStatus.COMPLETE


@pytest.mark.parametrize("text", ["a; class B { }\nrm c", "a\n[B(c)]\nrm c", "a; )\nrm c"])
def test_what_stands_around_an_unread_statement_is_read(text: str) -> None:
    found = powershell.read(text)
    assert found.status is ReadingStatus.UNKNOWN
    assert found.script is not None
    assert line(found.script) == "list[a; rm c]"


TOKENS = st.sampled_from(
    [
        *"$a $env:B $( ( ) { } @( @{ @' '@ ' \" ` | ; & && > 2>&1 # <# #> [int] .A".split(),
        *":: , -B -eq -join = += ++ 1 1..2 if else foreach in function while switch try catch".split(),
        *"param( return % ? rm $_ ${a} @x * ~ \\ -x: --% [ ] !".split(),
        "\n",
        " ",
    ]
)


@given(st.one_of(st.text(max_size=40), st.lists(TOKENS, max_size=15).map(" ".join), st.lists(TOKENS).map("".join)))
def test_any_text_is_read_without_an_error(text: str) -> None:
    found = powershell.read(text)
    assert (found.status is ReadingStatus.COMPLETE) == (not found.gaps)
    assert (found.status is ReadingStatus.REFUSED) == (found.script is None)
    assert all(0 <= gap.start <= gap.end <= len(text) for gap in found.gaps)
