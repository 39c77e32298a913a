"""``phocinae audit show``, ``verify``, ``head`` and ``stats``: what the decision log says; nothing is changed."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache

from attrs import asdict

from ..adapters.logs.audit_follow import follow
from ..adapters.logs.audit_read import Entry, records
from ..adapters.logs.audit_verify import head as head_of
from ..adapters.logs.audit_verify import verify as check
from ..composition.audit import audit_file
from ..domain.audit_view import Record, Wanted, count, instant, most, programs
from ..errors import InvalidRequest
from .audit_text import Table, bars, report_text, width
from .gate import report
from .helping import helped_or_options_only
from .loading import load
from .options import GENERAL, Command, Option, Parsed, parse
from .output import complain, json_line, say

_DECISIONS = ("allow", "ask", "deny")
_LAYERS = ("L0", "L1", "fail_closed", "human_approval")
_MOST_DIGITS = 9
_PAUSE = 0.2

_JSON = Option(names=("--json",), text="print one JSON object on one line")
_FILE = Option(names=("--file",), metavar="FILE", text="read this log, not the one that the settings name")
_WHEN = (
    Option(names=("--since",), metavar="TIME", text="from TIME on: ISO 8601 in UTC, or how long ago: 30m, 2h, 3d, 1w"),
    Option(names=("--until",), metavar="TIME", text="before TIME"),
)
_FILTERS = (
    Option(names=("--decision",), metavar="WORD", words=_DECISIONS, text="allow, ask or deny"),
    Option(names=("--layer",), metavar="WORD", words=_LAYERS, text="L0, L1, fail_closed or human_approval"),
    Option(names=("--rule",), metavar="ID", text="a rule that a hit names"),
    Option(names=("--agent",), metavar="NAME", text="the agent whose hook asked"),
    Option(names=("--tool",), metavar="NAME", text="the agent's tool"),
    Option(names=("--program",), metavar="NAME", text="a program that the command calls"),
    *_WHEN,
    Option(names=("--grep",), metavar="TEXT", text="TEXT in the command, working directory, files or reason"),
)

SHOW = Command(
    name="audit show",
    summary="show recorded decisions",
    before="""\
Show the last decisions that were recorded, the newest last. Without --file it is
the log that the settings name, with the files that were set aside.
""",
    groups=(
        (
            "Options",
            (
                Option(names=("-n", "--last"), metavar="NUMBER", text="so many records at most (default: 20)"),
                Option(names=("--json",), text="print the records as they are, one a line"),
                Option(names=("--follow",), text="go on with what is recorded from now on, until interrupted"),
                _FILE,
                *GENERAL,
            ),
        ),
        ("Only records with", _FILTERS),
    ),
    after="""\
Exit status: 0, also when there are none; 3 where the log cannot be read.

Examples:
  phocinae audit show --decision deny --since 2h
  phocinae audit show --follow
  phocinae audit show -n 1000 --program git --json
""",
)

VERIFY = Command(
    name="audit verify",
    summary="check that no record was changed, removed or added",
    before="""\
Check the whole log against its key and its head: nothing may be changed, missing,
moved, repeated or made up. A line that a crash tore is told apart.
""",
    groups=(
        (
            "Options",
            (
                Option(
                    names=("--anchor",), metavar="SEQ:MAC", many=True,
                    text="what audit head said earlier must still hold; may be given several times",
                ),
                _JSON,
                _FILE,
                *GENERAL,
            ),
        ),
    ),
    after="""\
Exit status:
  0  the log is whole
  1  it is not; each fault is told with its place
  3  it cannot be read or checked

Examples:
  phocinae audit verify
  phocinae audit verify --anchor "$(cat anchor.txt)"
""",
)  # fmt: skip

HEAD = Command(
    name="audit head",
    summary="tell where the log stands, to be kept elsewhere",
    before="""\
Print the sequence number and the MAC of the last record, SEQ:MAC. Kept where an agent
cannot write, it proves later that nothing up to there was taken away (audit verify).
""",
    groups=(("Options", (_JSON, _FILE, *GENERAL)),),
    after="""\
Exit status: 0, or 3 where the log cannot be read.

Example:
  phocinae audit head > /media/stick/anchor.txt
""",
)

STATS = Command(
    name="audit stats",
    summary="count decisions, layers, rules, programs and agents",
    before="""\
Count the recorded decisions by verdict, layer, rule, program and agent.
""",
    groups=(
        (
            "Options",
            (
                Option(names=("--top",), metavar="NUMBER", text="so many of each at most (default: 10)"),
                _JSON,
                _FILE,
                *GENERAL,
            ),
        ),
        ("Only records with", _FILTERS),
    ),
    after="""\
Exit status: 0, also when there are none; 3 where the log cannot be read.

Examples:
  phocinae audit stats --since 1w
  phocinae audit stats --decision deny --top 5 --json
""",
)


def show(arguments: Sequence[str]) -> int:
    """Run ``phocinae audit show`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used, or the log cannot be read.
    """
    parsed = parse(SHOW, arguments)
    if helped_or_options_only(SHOW, parsed):
        return 0
    (path, _), wanted, last = _log(parsed), _wanted(parsed), _number(parsed, "--last", 20)
    if parsed.on("--follow"):
        return _follow(path, wanted, last, as_json=parsed.on("--json"))
    with _readable(path):
        kept = deque((entry for entry in _entries(path) if _fits(entry, wanted)), maxlen=last)
    if not kept:
        complain(f"no record is there to show: {path}")
    _print(kept, None if parsed.on("--json") else Table.of(kept, width()))
    return 0


def verify(arguments: Sequence[str]) -> int:
    """Run ``phocinae audit verify`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used, or the log cannot be read.
    """
    parsed = parse(VERIFY, arguments)
    if helped_or_options_only(VERIFY, parsed):
        return 0
    anchors = dict(map(_anchor, parsed.texts("--anchor")))
    path, key_file = _log(parsed)
    found = check(path, key_file=key_file, anchors=anchors)
    if parsed.on("--json"):
        say(json_line({"intact": found.intact} | asdict(found)))
    else:
        say(report_text(found))
    return 0 if found.intact else 1


def head(arguments: Sequence[str]) -> int:
    """Run ``phocinae audit head`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used, or the log cannot be read.
    """
    parsed = parse(HEAD, arguments)
    if helped_or_options_only(HEAD, parsed):
        return 0
    path, key_file = _log(parsed)
    found = head_of(path, key_file=key_file)
    anchor = f"{found.seq}:{found.mac.hex()}"
    wire = {"seq": found.seq, "mac": found.mac.hex(), "anchor": anchor}
    say(json_line(wire) if parsed.on("--json") else anchor + "\n")
    return 0


def stats(arguments: Sequence[str]) -> int:
    """Run ``phocinae audit stats`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used, or the log cannot be read.
    """
    parsed = parse(STATS, arguments)
    if helped_or_options_only(STATS, parsed):
        return 0
    (path, _), wanted, top = _log(parsed), _wanted(parsed), _number(parsed, "--top", 10)
    unreadable = 0

    def found() -> Iterator[Record]:
        nonlocal unreadable
        for entry in _entries(path):
            if entry.record is None:
                unreadable += 1
            elif wanted(entry.record):
                yield entry.record

    with _readable(path):
        counts = count(found(), wanted.programs)
    if parsed.on("--json"):
        by = {name: dict(most(counter, top)) for name, counter in counts.by.items()}
        say(json_line({"records": counts.records, "unreadable": unreadable} | by))
        return 0
    if not counts.records:
        complain(f"no record is there to count: {path}")
    if unreadable:
        complain(f"{unreadable} lines are no records; phocinae audit show tells where they stand")
    say(bars(counts, top, width()))
    return 0


def _log(parsed: Parsed) -> tuple[str, str]:
    """Return the log to read and the key that the settings name; one named in the call has its own key beside it."""
    named = parsed.text("--file")
    if named == "":
        raise InvalidRequest("option --file needs a FILE")
    effective = load(config=parsed.text("--config"))
    report(effective, verbose=parsed.on("--verbose"))
    path = named or audit_file(effective.settings)
    if not path:
        raise InvalidRequest("this account has no home in the password database; name a log with --file")
    return path, "" if named else effective.settings.audit_key_file


def _wanted(parsed: Parsed) -> Wanted:
    now = time.time()

    def at(name: str) -> str:
        text = parsed.text(name)
        try:
            return "" if text is None else instant(text, now)
        except ValueError as error:
            raise InvalidRequest(f"option {name}: {error}") from None

    names = ("decision", "layer", "rule", "agent", "tool", "program")
    texts = {name: parsed.text(f"--{name}") or "" for name in names}
    return Wanted(
        **texts, since=at("--since"), until=at("--until"), text=parsed.text("--grep") or "", programs=_programs()
    )


def _number(parsed: Parsed, name: str, default: int) -> int:
    text = parsed.text(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS and int(text)):
        raise InvalidRequest(f"option {name} must be a number from 1 on")
    return int(text)


def _anchor(text: str) -> tuple[int, bytes]:
    seq, _, mac = text.strip().partition(":")
    try:
        if not (seq.isascii() and seq.isdigit()) or len(bytes.fromhex(mac)) < 16:
            raise ValueError
        return int(seq), bytes.fromhex(mac)
    except ValueError:
        raise InvalidRequest("option --anchor must be SEQ:MAC, as phocinae audit head prints it") from None


def _programs() -> Callable[[str], list[str]]:
    """Return a function that tells the programs of a command."""
    from ..adapters.shell_tree_sitter import TreeSitterReader

    reader = TreeSitterReader()

    @lru_cache(maxsize=1024)
    def of(command: str) -> list[str]:
        return programs(reader.read(command).script)

    return of


@contextmanager
def _readable(path: str) -> Iterator[None]:
    """Turn what the system says against reading into an error of the call."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise InvalidRequest(f"{path}: {getattr(error, 'strerror', None) or error}") from None


def _entries(path: str) -> Iterator[Entry]:
    """Yield the lines of the log; none where there is no log."""
    try:
        yield from records(path)
    except FileNotFoundError:
        return


def _fits(entry: Entry, wanted: Wanted) -> bool:
    return wanted.anything() if entry.record is None else wanted(entry.record)


def _print(entries: Sequence[Entry] | deque[Entry], table: Table | None) -> None:
    if table is None:
        for entry in entries:
            if entry.record is None:
                complain(f"{entry.file}, line {entry.line}: {entry.fault}")
            else:
                plain = entry.raw.isascii() and b"\x7f" not in entry.raw  # as ours are, and nothing drives a terminal
                say(entry.raw.decode("ascii") + "\n" if plain else json_line(entry.record).replace("\x7f", "\\u007f"))
    elif entries:
        say(table.head() + "".join(map(table.row, entries)))


def _follow(path: str, wanted: Wanted, last: int, *, as_json: bool) -> int:
    """Show the last records and then each that is added; return 0 once a person interrupts it."""
    kept: deque[Entry] = deque(maxlen=last)
    table = None if as_json else Table.of((), width(), open_end=True)
    caught_up = False
    try:
        with _readable(path):
            for entry in follow(path, lambda: time.sleep(_PAUSE)):
                if entry is None:
                    caught_up = True
                    if table is not None:
                        say(table.head())
                    for one in kept:
                        _show_one(one, table)
                elif not _fits(entry, wanted):
                    continue
                elif caught_up:
                    _show_one(entry, table)
                else:
                    kept.append(entry)
    except KeyboardInterrupt:
        pass
    return 0


def _show_one(entry: Entry, table: Table | None) -> None:
    if table is None:
        _print((entry,), None)
    else:
        say(table.row(entry))
