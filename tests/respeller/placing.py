"""Other places for the same command: lists, compounds, functions, substitutions, text for a shell.

Rules: POSIX XCU 2.6, 2.7 and 2.9; bash(1) for what POSIX has not.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .kinds import Base, Kind, Make
from .words import single


def _one_of(*forms: Callable[[Base], str]) -> Make:
    """Return a way to use one of these forms."""
    return lambda base, rng: rng.choice(forms)(base)


def _forms(*templates: str, grouped: bool = False) -> Make:
    """Return a way to fill a template: ``@`` is the command, and `@;` the command with what must end it."""

    def make(base: Base, rng: Random) -> str | None:
        command = base.grouped if grouped else base.text
        name = base.unused(rng)
        template = rng.choice(templates).replace("NAME", name)
        return template.replace("@;", "\0" + base.end).replace("@", "\0").replace("\0", command)

    return make


def _backquotes(base: Base, rng: Random) -> str | None:
    """Return the command between backquotes, where it needs no backslash of its own."""
    if any(char in base.text for char in "`\\") or "#" in base.text or "<<" in base.text:
        return None
    form = rng.choice(["echo `{}`", ": `{}`", "NAME=`{}`", "true; echo `{}` done"])
    return form.replace("NAME", base.unused(rng)).replace("{}", base.text)


def _fed_text(base: Base, rng: Random) -> str | None:
    """Return the command as text that a shell reads from its input."""
    quoted = single(base.text)
    shell = rng.choice(["bash", "/bin/bash", "bash -s", "env bash", "bash -", "bash -x"])
    forms = [
        f"printf '%s\\n' {quoted} | {shell}",
        f"printf %s {quoted} | {shell}",
        f"{shell} <<< {quoted}",
        f"{shell} <<'FEED'\n{base.text}\nFEED",
        f"cat <<'FEED' | {shell}\n{base.text}\nFEED",
        f"bash <(printf '%s\\n' {quoted})",
        f"source <(printf '%s\\n' {quoted})",
        f". /dev/stdin <<'FEED'\n{base.text}\nFEED",
        f"bash /dev/stdin <<< {quoted}",
        f"eval \"$(cat <<'FEED'\n{base.text}\nFEED\n)\"",
    ]
    if "\\" not in base.text:
        forms += [f"echo {quoted} | {shell}", f'bash -c "$(echo {quoted})"', f'eval "$(echo {quoted})"']
    return rng.choice(forms)


def _here_document(base: Base, rng: Random) -> str | None:
    """Return the command in a substitution within the body of a here-document."""
    if "FEED" in base.text:
        return None
    start = rng.choice(["cat <<FEED", "cat <<-FEED", "cat > /dev/null << FEED", "wc -l <<FEED"])
    return f"{start}\nbefore\n$( {base.text}\n)\nFEED"


def _here_string(base: Base, rng: Random) -> str | None:
    return f'cat <<< "$( {base.text}\n)"'


KINDS = (
    Kind(
        name="list",
        make=_forms(
            "true; @", "@;true", "pwd; @", "@;echo done", "true\n@", "@\npwd", "\n\n@\n\n", "echo a; echo b\n@"
        ),
    ),
    Kind(
        name="and",
        make=_forms("true && @", "@ && true", "true && true && @", "[ 1 = 1 ] && @", "true&&@", grouped=True),
    ),
    Kind(name="or", make=_forms("false || @", "@ || true", "false || false || @", "false||@", grouped=True)),
    Kind(name="background", make=_forms("@ &", "@ & wait", "true & @", "@ & echo started", grouped=True)),
    Kind(name="pipe-out", make=_forms("@ | cat", "@ 2>&1 | cat", "@ |& cat", "@ | cat | cat", "@|cat", grouped=True)),
    Kind(name="pipe-in", make=_forms("true | @", "true|@", "true | true | @", grouped=True)),
    Kind(name="negated", make=_forms("! @", "! true || @", "! @ || true", grouped=True)),
    Kind(name="negated-twice", make=_forms("! ! @", grouped=True), ends="dash and zsh do not read a second negation"),
    Kind(name="subshell", make=_forms("( @;)", "(\n@;)", "( ( @;) )", "true; ( @;)")),
    Kind(name="group", make=_forms("{ @;}", "{ true; @;}", "{ { @;} }", "{\n@\n}")),
    Kind(
        name="if",
        make=_forms(
            "if true; then @;fi",
            "if false; then true; else @;fi",
            "if @;then true; fi",
            "if false; then true; elif true; then @;fi",
            "if true\nthen\n  @\nfi",
            "if [ 1 = 1 ]; then @;fi",
        ),
    ),
    Kind(
        name="for",
        make=_forms(
            "for NAME in 1; do @;done",
            "for NAME in a b; do @;break; done",
            "for NAME in 1\ndo\n@\ndone",
            "for NAME in x; do for NAME in y; do @;done; done",
        ),
    ),
    Kind(
        name="while",
        make=_forms(
            "while true; do @;break; done",
            "until false; do @;break; done",
            "while @;do break; done",
            "while ! false; do @;break; done",
        ),
    ),
    Kind(
        name="case",
        make=_forms(
            "case x in x) @\n;; esac",
            "case x in y) true;; *) @\n;; esac",
            "case NAME in\n(NAME)\n@\n;;\nesac",
            "case x in a|x) @\n;; esac",
        ),
    ),
    Kind(
        name="function",
        make=_forms(
            "NAME() { @;}; NAME",
            "function NAME { @;}; NAME",
            "NAME() ( @;)\nNAME",
            "NAME()\n{\n@\n}\nNAME",
            "function NAME() { @;}; NAME && true",
        ),
        ends="the shell may live on, and a function changes what its later commands mean",
    ),
    Kind(
        name="trap",
        make=lambda base, rng: f"trap {single(base.text)} {rng.choice(['EXIT', '0', 'EXIT INT'])}",
        ends="the shell may live on, and a trap changes what it does later",
    ),
    Kind(name="coproc", make=_forms("coproc @", "coproc { @;}", grouped=True), ends="only bash and zsh have it"),
    Kind(
        name="substitution",
        make=_forms(
            "echo $( @\n)", "echo $( @;)", ": $( @\n)", "NAME=$( @\n)", "echo a$( @\n)b", "true $( @\n)", "ls $( @\n)"
        ),
    ),
    Kind(
        name="quoted-substitution",
        make=_forms(
            'echo "$( @\n)"',
            'echo "a $( @\n) b"',
            ': "$( @\n)"',
            'NAME="$( @\n)"',
            '[ -n "$( @\n)" ]',
            'echo "$(echo "$( @\n)")"',
        ),
    ),
    Kind(name="backquotes", make=_backquotes),
    Kind(
        name="process-substitution",
        make=_forms("cat <( @\n)", "wc -l <( @\n)", "diff <( @\n) <(true)", "true > >( @\n)", "cat < <( @\n)"),
    ),
    Kind(
        name="default-value",
        make=_forms(
            ": ${NAME:=$( @\n)}",
            'echo "${NAME:-$( @\n)}"',
            "echo ${NAME-$( @\n)}",
            'NAME=1; echo "${NAME:+$( @\n)}"',
            ': "${NAME:=$( @\n)}"',
        ),
    ),
    Kind(name="here-document", make=_here_document),
    Kind(name="here-string", make=_here_string),
    Kind(
        name="arithmetic",
        make=_forms("echo $(( $( @\n) + 0 ))"),
        ends="what an expression's expansion yields is evaluated",
    ),
    Kind(name="text-for-a-shell", make=_fed_text, denied_only=True),
    Kind(
        name="carried-twice",
        make=_one_of(
            lambda base: f"bash -c {single(f'eval {single(base.text)}')}",
            lambda base: f"eval {single(f'bash -c {single(base.text)}')}",
            lambda base: f"bash -c {single(f'true && {base.grouped}')}",
            lambda base: f"( eval {single(base.text)} )",
            lambda base: f"if true; then bash -c {single(base.text)}; fi",
            lambda base: f"echo $(bash -c {single(base.text)})",
        ),
    ),
)
