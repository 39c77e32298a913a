"""Expansions that come to the same words: variables, substitutions, braces, parameter operators.

Rules: POSIX XCU 2.6; bash(1), "EXPANSION".
"""

from __future__ import annotations

from random import Random

from .kinds import Base, Kind
from .words import Plain, single

_NAMES = ("what", "kept", "bit", "entry", "q1", "q2")


def _names(base: Base, rng: Random) -> list[str]:
    free = [name for name in _NAMES if name not in base.text]
    rng.shuffle(free)
    return free


def _certain(found: Plain, *, plain: bool = False) -> list[int]:
    """Return the places of words with a value that an unquoted expansion leaves as it is."""
    return [
        place
        for place, word in enumerate(found.words)
        if word.value and (word.plain or (not plain and "\n" not in word.value))
    ]


def _spelled(found: Plain, spelled: dict[int, str], front: str = "") -> str:
    words = [spelled.get(place, word.raw) for place, word in enumerate(found.words)]
    return front + found.text(words)


def _a_word(base: Base, rng: Random) -> tuple[Plain, int, str] | None:
    """Return a plain word of the command: the command, its place, its value."""
    if base.plain is None:
        return None
    places = _certain(base.plain, plain=True)
    if not places:
        return None
    place = rng.choice(places)
    return base.plain, place, base.plain.words[place].value or ""


def _variable(base: Base, rng: Random) -> str | None:
    """Return the command with one of its words in a variable."""
    found = base.plain
    if found is None or not (places := _certain(found)):
        return None
    place, name = rng.choice(places), _names(base, rng)[0]
    word = found.words[place]
    form = rng.choice([f"${name}", f"${{{name}}}"]) if word.plain and rng.random() < 0.5 else f'"${name}"'
    end = rng.choice(["; ", "\n", " && "])
    return _spelled(found, {place: form}, f"{name}={single(word.value or '') if not word.plain else word.raw}{end}")


def _command_variable(base: Base, rng: Random) -> str | None:
    """Return the command with its name in a variable, or in two that are joined."""
    found = base.plain
    if found is None or not found.words[0].plain or found.assignments:
        return None
    first, second = _names(base, rng)[:2]
    name = found.name
    if len(name) > 1 and rng.random() < 0.5:
        cut = rng.randint(1, len(name) - 1)
        between = rng.choice(["; ", " ", "\n"])
        front = f"{first}={name[:cut]}{between}{second}={name[cut:]}; "
        return _spelled(
            found, {0: rng.choice([f"${first}${second}", f'"${first}${second}"', f"${{{first}}}${{{second}}}"])}, front
        )
    return _spelled(found, {0: rng.choice([f"${first}", f'"${first}"', f"${{{first}}}"])}, f"{first}={name}; ")


def _several_variables(base: Base, rng: Random) -> str | None:
    """Return the command with each of its words in a variable."""
    found = base.plain
    if (
        found is None
        or found.assignments
        or len(found.words) > len(_NAMES) - 2
        or not all(word.value for word in found.words)
    ):
        return None
    names = _names(base, rng)
    if len(names) < len(found.words):
        return None
    front = "; ".join(f"{name}={single(word.value or '')}" for name, word in zip(names, found.words, strict=False))
    return f"{front}; " + " ".join(f'"${name}"' for name, _ in zip(names, found.words, strict=False))


def _split_variable(base: Base, rng: Random) -> str | None:
    """Return the whole command in one variable, whose value the shell divides at blanks."""
    found = base.plain
    if found is None or found.assignments or not all(word.plain for word in found.words):
        return None
    name = _names(base, rng)[0]
    return f"{name}={single(found.text())}; ${name}"


def _copied_variable(base: Base, rng: Random) -> str | None:
    """Return the command with one of its words in a variable that is made of another one."""
    word = _a_word(base, rng)
    if word is None:
        return None
    found, place, value = word
    first, second = _names(base, rng)[:2]
    front = rng.choice(
        [
            f"{first}={value}; {second}=${first}; ",
            f'{first}={value}; {second}="${{{first}}}"; ',
            f"{second}=; {second}={value}; ",
            f"{first}={value[:1]}; {second}=${first}{value[1:]}; "
            if not value[1:2].isalnum()
            else f"{second}={value}; ",
        ]
    )
    return _spelled(found, {place: f'"${second}"'}, front)


def _assigned_otherwise(base: Base, rng: Random) -> str | None:
    """Return the command with a word in a variable that a built-in, or a program in front, gives its value."""
    word = _a_word(base, rng)
    if word is None or word[0].assignments:
        return None
    found, place, value = word
    first, second = _names(base, rng)[:2]
    carried = found.text([f'"${first}"' if at == place else word.raw for at, word in enumerate(found.words)])
    front, form = rng.choice(
        [
            (f"read -r {first} <<< {value}; ", f'"${first}"'),
            (f"read {first} {second} <<< '{value} more'; ", f"${first}"),
            (f"printf -v {first} %s {value}; ", f'"${first}"'),
            (f"declare {first}={value}; ", f'"${first}"'),
            (f"typeset {first}={value}; ", f"${first}"),
            (f"{second}={first}; {first}={value}; ", f"${{!{second}}}"),
            (f"export {first}={value}; bash -c {single(carried)}", ""),
            (f"{first}={value} bash -c {single(carried)}", ""),
            (f"env {first}={value} bash -c {single(carried)}", ""),
        ]
    )
    return _spelled(found, {place: form}, front) if form else front


def _array(base: Base, rng: Random) -> str | None:
    """Return the command as the elements of an array."""
    found = base.plain
    if found is None or found.assignments:
        return None
    name = _names(base, rng)[0]
    return f'{name}=({" ".join(word.raw for word in found.words)}); "${{{name}[@]}}"'


def _positional(base: Base, rng: Random) -> str | None:
    """Return the command as positional parameters."""
    found = base.plain
    if found is None or found.assignments:
        return None
    front = f"set -- {' '.join(word.raw for word in found.words)}; "
    return front + rng.choice(['"$@"', '"${@}"'])


def _shell_positional(base: Base, rng: Random) -> str | None:
    """Return the command as words for a shell's text."""
    found = base.plain
    if found is None or found.assignments:
        return None
    words = [word.raw for word in found.words]
    several = any(word.value is None and not word.raw.startswith('"') for word in found.words)
    if rng.random() < 0.5 or len(words) > 9 or several:
        return f"bash -c '\"$@\"' name {' '.join(words)}"
    places = " ".join(f'"${at}"' for at in range(1, len(words) + 1))
    return f"sh -c '{places}' name {' '.join(words)}"


def _loop_variable(base: Base, rng: Random) -> str | None:
    """Return the command with one of its words as the word of a loop."""
    word = _a_word(base, rng)
    if word is None:
        return None
    found, place, value = word
    name = _names(base, rng)[0]
    form = rng.choice([f"${name}", f'"${name}"', f"${{{name}}}"])
    return f"for {name} in {value}; do {_spelled(found, {place: form})}; done"


def _printed(base: Base, rng: Random) -> str | None:
    """Return the command with one operand as the output of another command."""
    word = _a_word(base, rng)
    if word is None or word[1] == 0 or word[2].startswith("-"):
        return None
    found, place, value = word
    return _spelled(found, {place: _output(value, rng)})


def _printed_name(base: Base, rng: Random) -> str | None:
    found = base.plain
    if found is None or not found.words[0].plain or found.assignments:
        return None
    return _spelled(found, {0: _output(found.name, rng)})


def _output(value: str, rng: Random) -> str:
    return rng.choice(
        [
            f"$(echo {value})",
            f'"$(echo {value})"',
            f"`echo {value}`",
            f"$(printf %s {value})",
            f"\"$(printf '%s' '{value}')\"",
            f"$(printf '%s\\n' {value})",
            f"$(echo -n {value})",
            f"$(echo {value} | cat)",
        ]
    )


def _braces(base: Base, rng: Random) -> str | None:
    """Return the command with a brace expansion that comes to its words."""
    found = base.plain
    if found is None or found.assignments:
        return None
    plain = [
        place for place, word in enumerate(found.words) if word.plain and "," not in word.raw and ".." not in word.raw
    ]
    if len(found.words) > 1 and len(plain) == len(found.words) and rng.random() < 0.6:
        return "{" + ",".join(word.raw for word in found.words) + "}"
    pairs = [
        place for place in plain if place + 1 in plain and found.words[place].raw[0] == found.words[place + 1].raw[0]
    ]
    if not pairs:
        return None
    place = rng.choice(pairs)
    left, right = found.words[place].raw, found.words[place + 1].raw
    words = [word.raw for word in found.words]
    words[place : place + 2] = [f"{left[0]}{{{left[1:]},{right[1:]}}}"]
    return found.text(words)


def _operators(base: Base, rng: Random) -> str | None:
    """Return the command with a word that a parameter operator yields for certain."""
    word = _a_word(base, rng)
    if word is None:
        return None
    found, place, value = word
    name = _names(base, rng)[0]
    front, form = rng.choice(
        [
            (f"{name}=; ", f"${{{name}:-{value}}}"),
            (f"{name}=1; ", f"${{{name}:+{value}}}"),
            (f"{name}=1; ", f"${{{name}+{value}}}"),
            (f"{name}={value}; ", f"${{{name}:-other}}"),
            (f"{name}={value}; ", f"${{{name}-other}}"),
            (f"{name}={value}; ", f"${{{name}:?missing}}"),
            (f"{name}=; ", f"${{{name}:={value}}}"),
        ]
    )
    return _spelled(found, {place: f'"{form}"' if rng.random() < 0.4 else form}, front)


def _cut(base: Base, rng: Random) -> str | None:
    """Return the command with a word that is cut out of a variable's value."""
    word = _a_word(base, rng)
    if word is None:
        return None
    found, place, value = word
    name = _names(base, rng)[0]
    front, form = rng.choice(
        [
            (f"{name}=QQ{value}; ", f"${{{name}#QQ}}"),
            (f"{name}=QQ{value}; ", f"${{{name}##QQ}}"),
            (f"{name}={value}QQ; ", f"${{{name}%QQ}}"),
            (f"{name}={value}QQ; ", f"${{{name}%%QQ}}"),
            (f"{name}=QQ{value}; ", f"${{{name}:2}}"),
            (f"{name}=Q{value}Q; ", f"${{{name}:1:{len(value)}}}"),
            (f"{name}=QQ{value}; ", f"${{{name}/QQ/}}"),
            (f"{name}={value}QQ; ", f"${{{name}//Q/}}"),
        ]
    )
    return _spelled(found, {place: f'"{form}"'}, front)


def _default(base: Base, rng: Random) -> str | None:
    """Return the command with a word that stands for a variable which nobody has set."""
    word = _a_word(base, rng)
    if word is None:
        return None
    found, place, value = word
    name = _names(base, rng)[0]
    forms = [f"${{{name}:-{value}}}", f'"${{{name}:-{value}}}"', f"${{{name}-{value}}}", f"${{{name}:={value}}}"]
    return _spelled(found, {place: rng.choice(forms)}, rng.choice(["", f"unset {name}; "]))


def _empty_expansion(base: Base, rng: Random) -> str | None:
    """Return the command with expansions in a word that come to nothing."""
    word = _a_word(base, rng)
    if word is None:
        return None
    found, place, value = word
    name = _names(base, rng)[0]
    cut = rng.randint(0, len(value))
    front, nothing = rng.choice(
        [(f"{name}=; ", f"${{{name}}}"), ("", "$(true)"), ("", "`true`"), (f"{name}=''; ", f'"${name}"'), ("", "$(:)")]
    )
    if place == 0 and cut == 0 and front == "":
        cut = len(value)
    return _spelled(found, {place: value[:cut] + nothing + value[cut:]}, front)


_UNKNOWN = "whether the variable is set is not known before the command runs"

KINDS = (
    Kind(name="variable", make=_variable),
    Kind(name="name-in-variable", make=_command_variable),
    Kind(name="words-in-variables", make=_several_variables),
    Kind(name="copied-variable", make=_copied_variable),
    Kind(name="loop-variable", make=_loop_variable),
    Kind(
        name="split-variable",
        make=_split_variable,
        ends="zsh does not divide the value, and looks for a program of that name",
    ),
    Kind(
        name="assigned-otherwise",
        make=_assigned_otherwise,
        ends="only a plain assignment makes a value known, and one that other programs see may change what they do",
    ),
    Kind(name="array", make=_array, ends="dash has no arrays, and zsh and bash count their elements differently"),
    Kind(name="positional", make=_positional, ends="the shell may live on with other parameters"),
    Kind(name="shell-positional", make=_shell_positional),
    Kind(name="operand-printed", make=_printed),
    Kind(name="name-printed", make=_printed_name),
    Kind(name="braces", make=_braces),
    Kind(name="parameter-operators", make=_operators),
    Kind(
        name="parameter-cut", make=_cut, ends="no more than a variable's whole value is known, and dash cannot cut some"
    ),
    Kind(name="parameter-default", make=_default, ends=_UNKNOWN),
    Kind(name="empty-expansion", make=_empty_expansion),
)
