"""Checks the lines of a decision log against its key, its head and anchors, in one pass and bounded memory.

A line is in its place when its MAC follows from that of the record before it.  One that is
not is named by what is likely to have happened: the fault is certain, its name is not,
because without the record before it nobody can tell a line that was changed from one that
was made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from .audit_chain import START, Head, digest_of, key_name
from .audit_links import IN_FLIGHT, SEQ_LIMIT, Link, follows, link_of, opens
from .strict_json import Unreadable, read

FAULT_LIMIT = 100
"""How many faults a report holds; the rest are counted."""

_UNPLACED_LIMIT = 64


@frozen(kw_only=True)
class Fault:
    """One thing that is wrong with a log, by the first line that shows it; `line` is 0 where no line does.

    `kind` is one of ``changed``, ``missing``, ``moved``, ``repeated``, ``inserted``, ``shortened``,
    ``restarted``, ``key``, ``head`` and ``anchor``; `seq` the sequence number that is concerned, 0 for none.
    """

    kind: str
    text: str
    file: str = ""
    line: int = 0
    seq: int = 0


@frozen(kw_only=True)
class Report:
    """What a check has found; the log is intact when there is no fault.

    `first` and `last` are the sequence numbers of the first record and of the last one that was
    in its place, `mac` the last one's MAC in hexadecimal digits; 0 and empty for none.
    `more` counts the faults that are not listed; `notes` are what is in order and worth saying.
    """

    records: int = 0
    files: int = 0
    first: int = 0
    last: int = 0
    mac: str = ""
    faults: tuple[Fault, ...] = ()
    more: int = 0
    notes: tuple[str, ...] = ()

    @property
    def intact(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


class _Strays:
    """Lines in a row that are no records: where they begin, and a digest of all of them."""

    def __init__(self, file: str, line: int, key: bytes) -> None:
        self.file, self.line = file, line
        self.bytes, self.digest = 0, digest_of(key)
        self.lines = 0
        """How many of them have an end."""

    def add(self, raw: bytes) -> None:
        self.bytes += len(raw)
        self.lines += raw.endswith(b"\n")
        self.digest.update(raw)


class ChainCheck:
    """Takes the lines of a log in their order, and then says what is wrong with them.

    `anchors` are MACs by sequence number that the log must hold.  Without a `head` the
    caller says what became of it: see `fault`.
    """

    def __init__(self, key: bytes, head: Head | None = None, anchors: Mapping[int, bytes] | None = None) -> None:
        self._key, self._name, self._head = key, key_name(key), head
        self._anchors = dict(anchors or {})
        self._faults: list[Fault] = []
        self._more = 0
        self._notes: list[str] = []
        self._records = self._files = self._first = self._last = 0
        self._mac = START
        self._claim: Link | None = None
        """The line before this one, where that was none to be believed."""
        self._unplaced: dict[int, bytes] = {}
        self._gaps: list[tuple[int, int, int]] = []
        """The index of a fault, and the first and last number that are missing by it."""
        self._strays: _Strays | None = None
        self._other_key = False
        self._file, self._line = "", 0

    def feed(self, file: str, number: int, raw: bytes) -> None:
        """Take the line `number` of `file`, with its end."""
        if file != self._file:
            self._files += 1
        self._file, self._line = file, number
        link = link_of(raw)
        if link is None:
            if not self._other_key:
                self._stray(raw)
        elif not self._other_key and self._in_place(link):
            if not self._records and b'"event":"restarted"' in link.content[:400]:  # of a log that is gone as a whole
                self._restarted(link, _object(raw))
            self._accept(link, raw)
        elif link.seq > self._last and opens(self._key, link):
            self._opened(link, raw)
        elif link.opening and link.key != self._name:
            self._of_other_key(link)
        elif not self._other_key:
            self._misplaced(link)

    def fault(self, kind: str, text: str, *, seq: int = 0, here: bool = False) -> None:
        """Add a fault; `here` is for one that the line shows which was taken last."""
        file, line = (self._file, self._line) if here else ("", 0)
        self._add(Fault(kind=kind, text=text, file=file, line=line, seq=seq))

    def note(self, text: str) -> None:
        """Add what is in order and worth saying."""
        if len(self._notes) < FAULT_LIMIT:
            self._notes.append(text)

    def finish(self) -> Report:
        """Return the report on all lines that were taken."""
        if self._strays and not self._strays.lines:
            self.note(f"{self._strays.file}, line {self._strays.line}: torn, as a crash leaves the record in flight")
            self._strays = None
        self._end_of_strays()
        if self._head is not None:
            self._check_head(self._head)
        for seq in sorted(self._anchors):
            self.fault("anchor", self._why_not(seq), seq=seq)
        return Report(
            records=self._records,
            files=self._files,
            first=self._first,
            last=self._last,
            mac=self._mac.hex() if self._records else "",
            faults=tuple(self._faults),
            more=self._more,
            notes=tuple(self._notes),
        )

    def _in_place(self, link: Link) -> bool:
        if link.seq == self._last + 1 and follows(self._key, self._mac, link):
            return True
        claim = self._claim
        if link.seq <= self._last:
            return False
        if claim and claim.seq + 1 == link.seq and follows(self._key, claim.mac, link):
            return True
        before = self._unplaced.get(link.seq - 1)
        return before is not None and follows(self._key, before, link)

    def _accept(self, link: Link, raw: bytes) -> None:
        if b'"event":"recovered"' in link.content[:200]:
            self._recovered(_object(raw))
        elif self._strays:
            self._end_of_strays()
        self._moved_out_of_gap(link.seq)
        self._first = self._first or link.seq
        self._last, self._mac, self._claim = link.seq, link.mac, None
        self._records += 1
        if self._anchors.get(link.seq) == link.mac:
            del self._anchors[link.seq]
        if self._head and link.seq == self._head.seq and link.mac != self._head.mac:
            self.fault("head", f"the head vouches for another record {link.seq} than this one", seq=link.seq, here=True)

    def _opened(self, link: Link, raw: bytes) -> None:
        """Take a record that can be checked by itself, and does not stand where it was written."""
        self._other_key = False
        self._end_of_strays()
        if link.opening == "chain":
            self._restarted(link, _object(raw))
        elif self._records:
            self._jumped(link)
        self._accept(link, raw)

    def _restarted(self, link: Link, record: dict[str, Any]) -> None:
        why = record.get("why") if isinstance(record.get("why"), str) else "nobody says why"
        after = record.get("after")
        lost = after.get("seq", 0) - self._last if isinstance(after, dict) else 0
        cut = f"; {lost} records before it are missing" if lost > 0 else ""
        self.fault("restarted", f"a new chain begins with record {link.seq}: {why}{cut}", seq=link.seq, here=True)

    def _of_other_key(self, link: Link) -> None:
        if not self._other_key:
            text = f"from record {link.seq} on the log was written with another key ({link.key})"
            self.fault("key", text, seq=link.seq, here=True)
        self._first = self._first or link.seq
        self._other_key, self._strays, self._claim = True, None, None

    def _misplaced(self, link: Link) -> None:
        self._jumped(link)
        self._claim = link
        if link.seq > self._last:
            if len(self._unplaced) >= _UNPLACED_LIMIT:
                del self._unplaced[next(iter(self._unplaced))]
            self._unplaced[link.seq] = link.mac

    def _jumped(self, link: Link) -> None:
        """Say what is wrong with the place of a record."""
        moved = self._moved_out_of_gap(link.seq)
        last = max(self._last, self._claim.seq if self._claim and self._claim.seq < link.seq else 0)
        if not self._first:  # what is too old to be kept is not missing
            last = max(last, self._head.oldest - 1 if self._head else 0)
            self._first = min(last + 1, link.seq)
        strays, self._strays = self._strays, None
        if link.seq <= self._last:
            if not moved:
                self.fault("repeated", f"record {link.seq} stands after record {self._last}", seq=link.seq, here=True)
        elif link.seq == last + 1:
            text = f"record {link.seq} is not as it was written, or what stands before it is not"
            self.fault("changed", text, seq=link.seq, here=True)
        elif strays:
            text = (
                f"the lines before record {link.seq} are no records, where {_range(last + 1, link.seq - 1)} should be"
            )
            self._add(Fault(kind="changed", text=text, file=strays.file, line=strays.line, seq=last + 1))
        else:
            text = f"{_range(last + 1, link.seq - 1)} should stand before record {link.seq}"
            self.fault("missing", text, seq=last + 1, here=True)
            if not self._more:
                self._gaps.append((len(self._faults) - 1, last + 1, link.seq - 1))

    def _moved_out_of_gap(self, seq: int) -> bool:
        """Tell whether `seq` was said to be missing; it has only been moved then."""
        found = False
        for index, first, last in self._gaps:
            if first <= seq <= last:
                found = True
                text = f"record {seq} stands after a record that was written later"
                if self._faults[index].kind == "missing":
                    self._faults[index] = evolve(self._faults[index], kind="moved", text=text)
        return found

    def _stray(self, raw: bytes) -> None:
        if self._strays is None:
            self._strays = _Strays(self._file, self._line, self._key)
        self._strays.add(raw)

    def _recovered(self, record: dict[str, Any]) -> None:
        """Compare what an event says that was found with what stands before it."""
        strays, self._strays = self._strays, None
        torn, ahead = record.get("torn"), record.get("ahead")
        if isinstance(ahead, int):
            self.fault("head", f"the head was {ahead} records behind the log before this one", here=True)
        if not isinstance(torn, dict):
            self._strays = strays
            self._end_of_strays()
        elif not strays or (torn.get("bytes"), torn.get("digest")) != (strays.bytes, strays.digest.hexdigest()):
            self.fault("changed", "what a crash had left before this record is no longer as it was", here=True)
        elif torn.get("lines"):
            self._inserted(strays)
        else:
            self.note(f"{strays.file}, line {strays.line}: torn by a crash; at most the record in flight was lost")

    def _end_of_strays(self) -> None:
        strays, self._strays = self._strays, None
        if strays:
            self._inserted(strays)

    def _inserted(self, strays: _Strays) -> None:
        text = "a line that is no record of this log"
        self._add(Fault(kind="inserted", text=text, file=strays.file, line=strays.line))

    def _check_head(self, head: Head) -> None:
        claimed = self._claim is not None and (self._claim.seq, self._claim.mac) == (head.seq, head.mac)
        if head.seq > self._last and not claimed:
            text = f"{_range(self._last + 1, head.seq)} should stand at the end: the head knows them"
            self.fault("shortened", text, seq=self._last + 1)
        ahead = self._last - head.seq
        if ahead > IN_FLIGHT:
            self.fault("head", f"the head is {ahead} records behind the log", seq=head.seq)
        elif ahead > 0:
            self.note(f"the head is behind by {_range(head.seq + 1, self._last)}, as a crash leaves it")
        if self._first and self._first > head.oldest:
            text = f"{_range(head.oldest, self._first - 1)} should be kept: the head knows them"
            self.fault("missing", text, seq=head.oldest)
        elif self._first and self._first < head.oldest:
            self.note(f"records before {head.oldest} are still there, and will be removed")
        if head.oldest > 1:
            self.note(f"records before {head.oldest} are no longer kept")

    def _why_not(self, seq: int) -> str:
        if seq < self._first:
            return f"record {seq} is no longer kept, so the anchor cannot be checked"
        if seq > self._last:
            return f"record {seq} of the anchor is missing: the log ends before it"
        return f"record {seq} is not the one of the anchor: the log was written anew, or is another"

    def _add(self, fault: Fault) -> None:
        if len(self._faults) < FAULT_LIMIT:
            self._faults.append(fault)
        else:
            self._more += 1


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = read(raw)
    except Unreadable:
        return {}
    return value if isinstance(value, dict) else {}


def _range(first: int, last: int) -> str:
    return f"record {first}" if first >= last else f"records {first} to {min(last, SEQ_LIMIT)}"
