"""``phocinae gate``: one verdict, or one for each line of a batch.

Imports are late on purpose: a call for help or with a wrong option needs no gate, and
this program runs once per command of an agent.
"""

from __future__ import annotations

import os.path
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NoReturn

from ..errors import InvalidRequest, PhocinaeError
from .options import GATE, Parsed, help_text, parse

if TYPE_CHECKING:
    from ..domain.parts import PartVerdict
    from ..domain.verdict import Undecided, Verdict
    from ..service.gate import GateService
    from ..settings import Effective

USAGE = 3
"""The exit status of a call or a settings file that cannot be used."""

STATUS = {"allow": 0, "deny": 1, "ask": 2, "undecided": 2}
"""The exit status of each answer."""

INPUT_LIMIT = 4 << 20
"""The longest text and the longest line of a batch that are read from standard input, in bytes."""

TOO_LONG = f"it is longer than {INPUT_LIMIT} bytes"
"""What is wrong with a line that is longer."""

DIGIT_LIMIT = 4300
"""The most characters of an integer in a batch line: Python's own limit, which an environment variable could lift."""


def main(arguments: Sequence[str]) -> int:
    """Run ``phocinae gate`` with `arguments` and return the exit status.

    An interruption is left to the caller; any other failure of the program itself is a denial.

    Raises:
        InvalidRequest: not even that could be written.
    """
    try:
        return _run(arguments)
    except PhocinaeError as error:
        return refuse(str(error))
    except Exception as error:  # the last resort: a gate that fails denies
        return _failed(arguments, error)


def refuse(message: str) -> int:
    """Say in one line why the call cannot be used, and return the exit status for that."""
    from .output import complain

    complain(message)
    return USAGE


def _run(arguments: Sequence[str]) -> int:
    parsed = parse(GATE, arguments)
    if sys.stdout is None:
        raise InvalidRequest("standard output is closed, so nobody could read the answer")
    if parsed.on("--help"):
        return _say(help_text(GATE))
    if parsed.on("--version"):
        from ..settings import VERSION

        return _say(f"phocinae {VERSION}\n")
    _check(parsed)
    gate = _gate(parsed)
    if parsed.on("--batch"):
        return _batch(gate, parsed, standard_input())
    command = parsed.operands[0] if parsed.operands else read_text(standard_input())
    if not command.strip():
        raise InvalidRequest("the command is empty; give it as one argument, or on standard input")
    return _show(gate, parsed, command)


def _check(parsed: Parsed) -> None:
    """Refuse what contradicts itself."""
    if len(parsed.operands) > 1:
        raise InvalidRequest("COMMAND must be one argument; put quotes around it: phocinae gate 'git status'")
    if parsed.text("--cwd") == "":
        raise InvalidRequest("option --cwd needs a directory")
    for one, other in (("--batch", "--confirm"), ("--batch", "--explain"), ("--layer", "--confirm")):
        if parsed.on(one) and parsed.on(other):
            raise InvalidRequest(f"{one} and {other} do not go together")
    if parsed.on("--batch") and parsed.operands:
        raise InvalidRequest("with --batch the commands come from standard input, not as an argument")


def _gate(parsed: Parsed) -> GateService:
    from ..composition.gate import build_gate
    from .loading import load

    effective = load(parsed.flags(), config=parsed.text("--config"), cwd=parsed.text("--cwd"))
    own = [os.path.abspath(given)] if (given := parsed.text("--config")) else []
    gate = build_gate(effective.settings, own=own)
    report(effective, verbose=parsed.on("--verbose"), policy=gate.policy)
    return gate


def report(
    effective: Effective,
    *,
    verbose: bool,
    policy: str = "",
    warn: Callable[[str], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> None:
    """Say which settings were not followed (`warn`), and with `verbose` which are in force (`tell`).

    Without these two it is said on standard error.
    """
    from .output import complain

    warn, tell = warn or complain, tell or complain
    for warning in filter(None, (effective.standing_down(), *effective.warnings())):
        warn(warning)
    if verbose:
        for one in effective.origins:
            value = getattr(effective.settings, one.field)
            tell(f"{one.field} = {getattr(value, 'wire', value)} from {one.where}")
        tell(f"all other settings stand on their defaults{f'; policy {policy}' if policy else ''}")


def standard_input(what: str = "COMMAND") -> BinaryIO:
    """Return standard input as bytes.

    Raises:
        InvalidRequest: it is closed; `what` names what was to come from there.
    """
    if sys.stdin is None:
        raise InvalidRequest(f"there is no {what}, and standard input is closed")
    return sys.stdin.buffer


def read_text(source: BinaryIO, what: str = "command") -> str:
    """Return the text on standard input, less one line end; `what` names it for a person at a terminal.

    Bytes that are not UTF-8 become half surrogates, for which the gate denies (PEP 383).

    Raises:
        InvalidRequest: it cannot be read, or is too long.
    """
    if source.isatty():
        from .output import complain

        complain(f"reading the {what} from standard input; end it with Ctrl-D")
    try:
        raw = source.read(INPUT_LIMIT + 1)
    except OSError as error:
        raise InvalidRequest(f"standard input cannot be read: {error.strerror}") from None
    if len(raw) > INPUT_LIMIT:
        raise InvalidRequest(f"standard input is longer than {INPUT_LIMIT} bytes")
    return raw.decode("utf-8", "surrogateescape").removesuffix("\n")


def _answer(gate: GateService, parsed: Parsed, command: Any, cwd: Any) -> Verdict | Undecided:
    if parsed.on("--layer"):
        return gate.judge_offline(command, cwd)
    return gate.decide(command, cwd, confirm=parsed.on("--confirm"))


def _show(gate: GateService, parsed: Parsed, command: str) -> int:
    from .output import explained, human, json_line, word

    answer = _answer(gate, parsed, command, parsed.text("--cwd"))

    parts = _parts(gate, command, answer) if parsed.on("--explain") else ()
    if parsed.on("--json"):
        wire = answer.to_wire()
        if parsed.on("--explain"):
            wire["parts"] = [{"start": part.start, "end": part.end, "decision": part.word} for part in parts]
        text = json_line(wire)
    else:
        text = explained(command, answer, parts) if parsed.on("--explain") else human(answer)
    _say(text)
    return STATUS[word(answer)]


def _parts(gate: GateService, command: str, answer: Verdict | Undecided) -> tuple[PartVerdict, ...]:
    """Return what each part of the command came to; a command that could not be read has none."""
    from ..composition.gate import read_as
    from ..domain.parts import parts

    return parts(read_as(gate, command).script, answer.hits)


def _say(text: str) -> int:
    from .output import say

    say(text)
    return 0


def _batch(gate: GateService, parsed: Parsed, source: BinaryIO) -> int:
    """Answer each line of `source` with one line, at once, so that a program can hold a conversation."""
    import gc

    from .output import json_line

    gc.enable()  # a batch may be long; `entry` switched it off for the single verdict
    for line in lines(source):
        if line is None:
            answer: Verdict | Undecided = _unusable(TOO_LONG, gate.policy)
        else:
            answer = _answer_line(gate, parsed, line)
        _say(json_line(answer.to_wire()))
    return 0


def lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a batch as they come, and None for one that is longer than `INPUT_LIMIT`."""
    while line := source.readline(INPUT_LIMIT):
        if len(line) == INPUT_LIMIT and not line.endswith(b"\n"):
            while (line := source.readline(INPUT_LIMIT)) and not line.endswith(b"\n"):
                pass
            yield None
        else:
            yield line


def _answer_line(gate: GateService, parsed: Parsed, line: bytes) -> Verdict | Undecided:
    try:
        entry = decode(line, ("command",), ("cwd",))
    except ValueError as error:
        return _unusable(str(error), gate.policy)
    cwd = entry.get("cwd")
    return _answer(gate, parsed, entry["command"], parsed.text("--cwd") if cwd is None else cwd)


def decode(line: bytes, needed: Sequence[str], other: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object of a batch line, which has the `needed` keys and perhaps `other` ones, and none twice.

    Raises:
        ValueError: it is no such object; the text says why.
    """
    import json

    try:
        entry = json.loads(
            line.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_no_constant, parse_int=_integer
        )
    except UnicodeDecodeError:
        raise ValueError("it is not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at column {error.colno}") from None
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(entry, dict) or not entry.keys() >= set(needed):
        raise ValueError(f"it is not an object with a {_quoted(needed)}")
    if not entry.keys() <= {*needed, *other}:
        raise ValueError(f"it has keys beside {_quoted([*needed, *other])}")
    return entry


def _quoted(names: Sequence[str]) -> str:
    return " and ".join(f'"{name}"' for name in names)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"it is not JSON: {name}")


def _integer(digits: str) -> int:
    if len(digits) > DIGIT_LIMIT:
        raise ValueError("an integer in it is too long")
    return int(digits)


def _unusable(why: str, policy: str) -> Verdict:
    """Return the denial of a batch line that holds no command that could be judged."""
    from ..domain.verdict import Decision, Layer, Verdict

    return Verdict(
        decision=Decision.DENY,
        layer=Layer.FAIL_CLOSED,
        reason=f"The input line cannot be used: {why}.",
        ceiling=Decision.DENY,
        policy=policy,
        error=f"unusable line: {why}",
    )


def _failed(arguments: Sequence[str], error: Exception) -> int:
    """Deny because the program itself failed; the text of the error stays out, it may hold what it worked on."""
    from ..domain.verdict import Decision, Layer, Verdict
    from .output import human, json_line

    name = type(error).__name__
    verdict = Verdict(
        decision=Decision.DENY,
        layer=Layer.FAIL_CLOSED,
        reason=f"The gate failed ({name}), so it denies.",
        ceiling=Decision.DENY,
        error=f"internal error: {name}",
    )
    as_json = "--json" in arguments or "--batch" in arguments
    _say(json_line(verdict.to_wire()) if as_json else human(verdict))
    return STATUS["deny"]
