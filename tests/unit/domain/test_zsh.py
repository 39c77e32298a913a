"""Texts in which zsh runs a program called ``cnry`` although bash and dash may see data, or cannot read them at all.

Each was tried by hand in zsh 5.9 (``zsh -f -c``) in an empty folder with a ``cnry`` that only leaves a mark; nothing
is run here.  Sources: zshmisc(1), zshexpn(1), zshbuiltins(1), zshparam(1).
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from phocinae.domain.verdict import Weight

Judged = Callable[..., str]

RUN = {
    "process substitutions": [
        "echo =(cnry)",
        ": <<<=(cnry)",
        ": < =(cnry)",
        "echo a =(cnry) b",
        "echo <(cnry) >(cnry)",
    ],
    "glob qualifiers": [
        "echo *(e:cnry:)",
        "echo *(+cnry)",
        "echo *(e:'cnry':)",
        "echo .*(oe:cnry:)",
        "echo {*(e:cnry:),b}",
        "x=(*(e:cnry:))",
        ": > *(e:cnry:)",
        "[[ -f *(e:cnry:) ]]",
        "for x in *(e:cnry:); do :; done",
    ],
    "expansion flags": [
        "x='$(cnry)'; echo ${(e)x}",
        "x='$(cnry)'; echo \"${(e)x}\"",
        "echo ${(e):-'$(cnry)'}",
        'echo "${(e):-\\$(cnry)}"',
        "echo ${(e)$(echo '$(cnry)')}",
        "echo ${${(e):-\\$(cnry)}}",
        "cat <<E\n${(e):-\\$(cnry)}\nE",
        "echo ${:-$(cnry)}",
        "echo ${#$(cnry)}",
        "setopt promptsubst; echo ${(%):-'$(cnry)'}",
    ],
    "subscripts": [
        "x=1; echo $x[$(cnry)]",
        "echo ${x[$(cnry)]}",
        "echo ${x[(e)$(cnry)]}",
        "cat <<E\n$x[$(cnry)]\nE",
        "a[$(cnry)]=x",
        "export 'a[$(cnry)]=1'",
        "read 'a[$(cnry)]' <<< x",
        "read -t 'a[$(cnry)]' x <<< x",
        "set -A 'a[$(cnry)]' b",
        "getopts a 'x[$(cnry)]' -a",
        "printf -v 'a[$(cnry)0]' x",
        "x=1; printf %d 'x[$(cnry)0]'",
        "x=1; printf \"%'d\" 'x[$(cnry)0]'",
        "printf %n 'a[$(cnry)]'",
        "x='a[$(cnry)]'; echo $((x))",
    ],
    "words in front of a command": [
        "nocorrect cnry",
        "noglob cnry",
        "- cnry",
        "repeat 3 cnry",
        "repeat 3; do cnry; done",
        "! ! cnry",
        "coproc cnry",
        "emulate zsh -c cnry",
    ],
    "short loops and conditions": [
        "for x (a b) cnry",
        "for x in a b; cnry",
        "for x in a b; { cnry }",
        "foreach x (a b) cnry; end",
        "foreach x in a b\ncnry\nend",
        "select x (a b) cnry",
        "if [[ a ]] { cnry }",
        "if [[ a ]] cnry",
        "if (true) cnry",
        "if (( 1 )) cnry",
        "while [[ a ]] { cnry; break }",
        "while ((i++<2)) cnry",
        "until [[ -z a ]] { cnry; break }",
        "case x { x) cnry ;; }",
        "{ cnry }",
        "{ echo a } && cnry",
        "{ echo a } always { cnry }",
        "{ cnry } always { echo a }",
    ],
    "functions": [
        "() { cnry }",
        "() cnry",
        "() { echo $1 } `cnry`",
        "function { cnry }",
        "function { cnry } a b",
        "function () { cnry }",
        "function a b { cnry }; b",
        "function f() cnry; f",
        "f() cnry; f",
        "f () { cnry }; f",
        "echo x | () { cnry }",
    ],
    "commands of redirections alone": [
        "NULLCMD=cnry; > x",
        "NULLCMD=cnry; > /dev/null",
        "READNULLCMD=cnry; < /dev/null",
        "export READNULLCMD=cnry; < x",
    ],
    "jobs": ["echo a &! cnry", "echo a &| cnry", "%cnry", "fg %cnry"],
    "text that is read or kept for later": [
        "print -z cnry",
        "print -P '%{$(cnry)%}'",
        "setopt promptsubst; print -P '$(cnry)'",
        "zmodload zsh/sched; sched +00:00 cnry",
        "zmodload zsh/zpty; zpty x cnry",
        "autoload -Uz cnry; cnry",
        "vared x",
        "zcompile x",
        "zstyle -e a b cnry",
        "periodic() { cnry }",
        "TRAPEXIT() { cnry }",
        "preexec_functions=(cnry)",
        "functions[f]=cnry; f",
        "aliases[ls]=cnry",
        "fc -s cnry",
        "r cnry",
        "history -c",
    ],
    "paths in place of words": ["=cnry", "x=1 =cnry", "echo =cnry", ": ''=cnry"],
}

DATA = {
    "quoted": ["echo '*(e:cnry:)'", 'echo "=(cnry)"', "echo \\=cnry", "echo '${(e)x}'", "echo '() { cnry }'"],
    "values": ["x='*(e:cnry:)'; echo $x", "x='=cnry'; echo $x", "x='$(cnry)'; echo $x", "echo ${x:-=cnry}"],
    "words that mean nothing here": ["echo repeat 3 cnry", "echo noglob cnry", "echo nocorrect", "echo foreach"],
    "wildcards of EXTENDED_GLOB, which is off": ["echo a^b a~b a#b a##b"],
    "history, which is off": ["echo 'a!cnry'", 'echo "a!cnry"', "echo !cnry"],
    "braces of BRACE_CCL, which is off": ["echo {cnry}", "echo {a-c}"],
    "named folders": ["echo ~cnry", "echo ~[cnry]"],
    "comments": ["echo a # ; cnry", "# cnry", "echo a #b; cnry"],
    "modifiers": ["x=abc; echo $x:s/a/b/ $x:e $x:h"],
    "text behind directives for text": ["x=1; printf '%s %b %q' 'x[$(cnry)0]' 'x[$(cnry)0]' '$(cnry)'"],
}


@pytest.mark.parametrize("text", [text for texts in RUN.values() for text in texts])
def test_nothing_is_allowed_in_which_zsh_runs_what_is_not_seen(judged: Judged, text: str) -> None:
    assert judged(text) != "allow"


@pytest.mark.parametrize("text", [text for texts in DATA.values() for text in texts])
def test_what_is_data_for_zsh_too_holds_nobody_up(judged: Judged, text: str) -> None:
    assert judged(text) == "allow"


@pytest.mark.parametrize(
    "text", ["noglob ls", "nocorrect ls", "repeat 3 ls", "echo =ls", "ls &> /dev/null -l", "coproc ls", "echo $HOME[1]"]
)
def test_a_difference_is_for_a_person(
    judged: Judged, hits: Callable[[str], tuple[object, ...]], rules: Callable[[str], set[str]], text: str
) -> None:
    assert judged(text) == "undecided-ask"
    assert "other-reading" in rules(text)
    assert getattr(hits(text)[0], "weight", None) is Weight.PERSON


def test_the_differences_of_carried_text_count_where_it_is_carried(
    judged: Judged, rules: Callable[[str], set[str]]
) -> None:
    assert judged("sh -c 'echo =ls'") == "undecided-ask"
    assert "other-reading" in rules("sh -c 'echo =ls'")
    assert "other-reading" in rules('echo "$(echo =ls)"')


def test_a_difference_does_not_lift_a_denial(judged: Judged) -> None:
    for text in (
        "noglob ls; rm -rf /",
        "coproc rm -rf /",
        "time { rm -rf /; }",
        "rm -rf / {fd}>x",
        "! while rm -rf ~; do :; done",
    ):
        assert judged(text) == "deny"
