"""The reader of cmd: which commands a text runs, and what it cannot see through."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.shell import Command, Node, Part, PartKind, Reading, Word
from phocinae.domain.verdict import ReadingStatus
from phocinae.domain.windows import cmd


def shown_part(part: Part) -> str:
    if part.kind is PartKind.LITERAL:
        return part.text
    if part.kind is PartKind.COMMAND:
        assert part.script is not None
        return f"$({shown(part.script)})"
    if part.kind is PartKind.OPAQUE:
        return f"?({''.join(map(shown_word, part.words))})"
    return {PartKind.GLOB: part.text, PartKind.TILDE: "~"}.get(part.kind, f"${part.text}")


def shown_word(word: Word) -> str:
    return "".join(map(shown_part, word.parts))


def shown(node: Node) -> str:
    """Return a script on one line: words divided by bars, compounds by their kinds."""
    targets = "".join(f" {one.descriptor}{one.operator}{shown_word(one.target)}" for one in node.redirections)
    words = "|".join(map(shown_word, node.words))
    if isinstance(node, Command):
        return words + targets
    inner = "; ".join(map(shown, node.parts))
    if node.kind.value == "list" and len(node.parts) == 1 and not targets:
        return inner
    return f"{node.kind.value}{f' {node.name} {words}' if words else ''}[{inner}]{targets}"


def commands(text: str) -> str:
    found = cmd.read(text)
    assert found.script is not None
    return shown(found.script)


READ = [
    ("", "list[]"),
    ("dir", "dir"),
    ("rd /s /q C:\\", "rd|/s|/q|C:\\"),
    ("RD/S/Q C:\\", "rd|/S|/Q|C:\\"),
    ("rd C:\\data/s/q", "rd|C:\\data|/s|/q"),
    (",;= rd /s", "rd|/s"),
    ("rd,/s;/q=x", "rd|/s|/q|x"),
    ('r^d /s "C:\\"', "rd|/s|C:\\"),
    ('"rd" x', "rd|x"),
    ("cd..\\..", "cd|..\\.."),
    ("call:part", "call|:part"),
    ("echo/a.b", "echo|a.b"),
    ("rem. a.bat", "list[]"),
    ("cd\\", "cd|\\"),
    ("cd..", "cd|.."),
    ("cd /d C:\\Program Files", "cd|/d|C:\\Program Files"),
    ("@echo off", "echo|off"),
    ("echo.", "echo"),
    ("echo(a", "echo|a"),
    ('echo "a & b", c', 'echo|"a & b", c'),
    ("echo a ^& b ^^", "echo|a & b ^"),
    ('set "x=a b"', 'set|"x=a b"'),
    ("ipconfig/all", "ipconfig|/all"),
    ("git log --format=%h -n 1", "git|log|--format=%h|-n|1"),
    ('find "a b" x.txt', "find|a b|x.txt"),
    ('powershell -c "a \\"b\\"c"', 'powershell|-c|a "b"c'),
    ('x "a\\\\" b', "x|a\\|b"),
    ('x ""', "x|"),
    ("a & b\nc", "list[a; b; c]"),
    ("a && b || c | d", "or[and[a; b]; pipeline[c; d]]"),
    ("a || b && c", "or[a; and[b; c]]"),
    ("a & (b & c) > x", "list[a; group[list[b; c]] >x]"),
    ("(\na\nb\n)", "group[list[a; b]]"),
    ("echo a)b", "echo|a)b"),
    ("(x a)", "group[x|a]"),
    ("a ^\nb", "a|b"),
    ("> nul 2>&1 a b", "a|b >/dev/null 2>&1"),
    ("a2>x", "a2 >x"),
    ("a 2>>x<y", "a 2>>x <y"),
    ('a >"b c"', "a >b c"),
    ("rem a b", "list[]"),
    (":: a", "list[]"),
    (":label\nx", "list[list[]; x]"),
    ("call x y", "x|y"),
    ("call :label", "call|:label"),
    ("if exist x del y & z", "if[test  x[]; list[del|y; z]]"),
    ('if /i not "a b"=="c" (x) else y', "if[test  a b|c[]; group[x]; y]"),
    ("if errorlevel 1 x", "if[test  1[]; x]"),
    ("if a equ b (x) else if defined c y", "if[test  a|b[]; group[x]; if[test  c[]; y]]"),
    ("for %i in (a,b) do x %i & y", "for for_i a|b[list[x|$for_i; y]]"),
    ("for %%i in (*.txt) do (x %%~i)", "for for_i *.txt[group[x|$for_i]]"),
    ("for /l %i in (1,1,5) do x", "for for_i $[x]"),
    ("for /r C:\\a %i in (b) do x", "for for_i C:\\a\\b[x]"),
    ("for /d %i in (a) do x %ib", "for for_i a[x|$for_ib]"),
    ("for /f %i in ('a ^| b') do x %i", "for for_i $(pipeline[a; b])[x|$for_i]"),
    ('for /f "tokens=2" %i in (\'a\') do x %i', "for for_i ?($(a))[x|$for_i]"),
    ("for /f \"usebackq delims=\" %i in (`a`) do x", "for for_i $(a)[x]"),
    ("for /f %i in (a.txt) do x", "for for_i $(type|a.txt)[x]"),
    ('for /f %i in ("a b") do x', "for for_i a b[x]"),
    ("dir %userprofile%\\x %windir%", "dir|~\\x|C:\\Windows"),
    ("cd %HOMEDRIVE%%HOMEPATH%", "cd|~"),
    ("%ComSpec% /c x", "C:\\Windows\\System32\\cmd.exe|/c|x"),
    ("echo %PATH% 100%", "echo|$PATH 100%"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "script"), READ)
def test_commands(text: str, script: str) -> None:
    assert commands(text) == script
    assert cmd.read(text).status is ReadingStatus.COMPLETE


GUESSED = [
    ("set x=rd& %x% /s", "list[set|x=rd; rd|/s]"),
    ("set a=r\nset b=^d\n%a%%b% /s", "list[set|a=r; set|b=d; rd|/s]"),
    ("set x=rd /s & y\n%x%", "list[set|x=rd /s; y; rd|/s]"),
    ("set x=a & b\n%x%", "list[set|x=a; b; a]"),
    ("%COMSPEC:~0,1%md /c x", "Cmd|/c|x"),
    ("%COMSPEC:~-7,3% /c x", "cmd|/c|x"),
    ("set x=rxd\n%x:x=% y", "list[set|x=rxd; rd|y]"),
    ("set x=rd\n!x! /s", "list[set|x=rd; rd|/s]"),
    ("echo %NAME%", "echo|$NAME"),
    ("echo %1 %~dp0", "echo|$1 $1"),
    ("echo %CD%", "echo|$PWD"),
    ("call echo %PATH%", "echo|$PATH"),
]


@pytest.mark.parametrize(("text", "script"), GUESSED)
def test_a_value_is_guessed_and_never_relied_upon(text: str, script: str) -> None:
    assert commands(text) == script
    assert cmd.read(text).status is ReadingStatus.UNKNOWN


AS_FILES = """
del.\\x
dir.bat
echo.bat x
echo.a
echo:a
echo+x.bat
type..\\x
"vol.vbs"
"dir/x.bat"
dir\\x.bat
cd\\x.exe
echo\\..\\evil.exe
echo:\\..\\evil.exe
rd\\windows /s /q
exit.cmd
goto.bat
""".strip().splitlines()


@pytest.mark.parametrize("text", AS_FILES)
def test_a_built_in_command_may_be_the_name_of_a_file(text: str) -> None:
    assert cmd.read(text).status is ReadingStatus.UNKNOWN


UNREAD = """
echo "a
(a
a &&
a |
| a
a ||
) a
a > & b
a >
a ^
if x
if exist x
if a==b
for %i in (a)
for %i in (a do x
for x in (a) do b
for %i in (a) do
rem a & b
:: a | b
echo %a b%
x "C:\\" b
echo !a!
call x ^^ y
"""


@pytest.mark.parametrize("text", UNREAD.strip().split("\n"))
def test_what_is_not_complete_is_a_gap(text: str) -> None:
    assert cmd.read(text).status is not ReadingStatus.COMPLETE


@pytest.mark.parametrize(
    "text",
    [
        "x " * 5_000,
        "(" * 60 + ")" * 60,
        "set x=" + "y" * 9_000,
        "set a=" + "%a%" * 400 + "x\n" + ("%a%" * 90 + "\n") * 200,
    ],
)
def test_what_is_too_much_is_refused_or_bounded(text: str) -> None:
    assert cmd.read(text).status is not ReadingStatus.COMPLETE


def test_values_do_not_grow_without_end() -> None:
    text = "set a=" + "x" * 1_000 + "\n" + "set a=%a%%a%\n" * 30
    assert cmd.read(text).status is ReadingStatus.REFUSED


PLAUSIBLE = """
rd /s /q C:\\
rd/s/q x
RMDIR /S x
@echo off
del build\\out.log
del *.log
cd\\
cd /d C:\\work
dir /b
dir C:\\work
dir 2>nul
type C:\\x.txt
copy a b
for %i in (a b) do echo %i
for /f "tokens=1" %a in ('dir') do echo %a
if exist x del x
if "%A%"=="b" echo c
set x=rd& %x% /s
%COMSPEC:~0,1%md /c dir
echo %USERPROFILE%
echo %CD%
r^d /s x
echo hi & rd /s x
taskkill /im node.exe /f
net user x y /add
""".strip().split("\n")
IMPLAUSIBLE = """
ls -la
git log --format=%h%x09%an
date +%Y%m%d
find . -name x
echo hello
echo a^b
sort -u x
cd src
rm -rf /
if [ -f x ]; then echo y; fi
for i in a b; do echo $i; done
cat a\\ b
grep -E '^a/b$' x
git show HEAD^
git diff HEAD^ HEAD
npm run build
""".strip().split("\n")


@pytest.mark.parametrize("text", PLAUSIBLE)
def test_signs_of_cmd(text: str) -> None:
    assert cmd.plausible(text)


@pytest.mark.parametrize("text", IMPLAUSIBLE)
def test_no_signs_of_cmd(text: str) -> None:
    assert not cmd.plausible(text)


PIECES = st.sampled_from(
    [
        *"""rd del echo for %i %%i in ( ) do if exist not else == "a" " ' ` & && | || > >> < 2>&1 nul ^ %""".split(),
        *"""! %x% !x! %a:~0,1% %USERPROFILE% set x=y call rem :: : @ /s /q /f C:\\ \\ , ; =""".split(),
        *""""tokens=*" usebackq 'dir' type cmd /c (x)""".split(),
        " ",
        "\n",
        "\t",
        "\r\n",
    ]
)
TEXTS = st.one_of(
    st.text(max_size=60), st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=25).map(" ".join)
)


def within(node: Node, most: int) -> bool:
    inner = () if isinstance(node, Command) else node.parts
    return 0 <= node.start <= node.end <= most and all(within(part, most) for part in inner)


@given(TEXTS)
def test_any_text_is_read(text: str) -> None:
    found = cmd.read(text)
    assert isinstance(found, Reading)
    assert (found.script is None) is (found.status is ReadingStatus.REFUSED)
    assert bool(found.gaps) is (found.status is not ReadingStatus.COMPLETE)
    assert all(0 <= gap.start <= gap.end <= len(text) for gap in found.gaps)
    assert found.script is None or within(found.script, len(text))
    assert cmd.plausible(text) in (True, False)


@given(TEXTS, st.sampled_from(['"', "(", "^", "&&", "||", "|", ">", "if x", "for %i in (", "if a==", "2>"]))
def test_an_unclosed_construct_is_never_complete(text: str, opening: str) -> None:
    if '"' not in text and "^" not in text and not text.lstrip(" \t\r\n@,;=").lower().startswith(("rem", ":")):
        line = text.replace("\n", " ").replace(":", "").replace("rem", "")
        assert (
            cmd.read(f"{line} & x {opening}" if opening in '"^>2>|||&&' else f"{line} & {opening}").status
            is not ReadingStatus.COMPLETE
        )
