"""Many processes write one decision log, and some are killed in the middle: is every record there, and the chain whole?

usage: python tools/audit_stress.py [--processes N] [--records N] [--size N] [--max-size N] [--kills N]

First all processes write their records at once, and each must be there, once and whole.
Then one process after the other is killed (SIGKILL) while it writes, each at another moment;
a record that it knew to be written must be there, and at most the one in flight may be
torn.  Both times the log must verify.  Everything is in a folder of its own, which is removed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import signal
import tempfile
from pathlib import Path
from time import perf_counter, sleep

from phocinae.adapters.logs.audit_jsonl import MAX_SIZE, JsonLinesAudit
from phocinae.adapters.logs.audit_read import records
from phocinae.adapters.logs.audit_verify import verify
from phocinae.domain.request import GateRequest
from phocinae.domain.verdict import Decision, Layer, Verdict

VERDICT = Verdict(decision=Decision.ALLOW, layer=Layer.L0, reason="fine")
CONTEXT = multiprocessing.get_context("fork")


def write(path: str, name: str, count: int, size: int, max_size: int, told: str = "") -> None:
    """Write `count` records, and after each its number into the file `told`, if there is one."""
    log = JsonLinesAudit(path, max_size=max_size, keep=1000)
    descriptor = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600) if told else -1
    for number in range(count):
        log.record(float(number), GateRequest(f"{name} {number} ".ljust(size, "x")), VERDICT)
        if descriptor >= 0:
            os.write(descriptor, f"{name} {number}\n".encode())


def at_once(path: str, options: argparse.Namespace) -> list[str]:
    """Let all processes write; return what is wrong afterwards."""
    start = perf_counter()
    workers = [
        CONTEXT.Process(target=write, args=(path, str(name), options.records, options.size, options.max_size))
        for name in range(options.processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    took = perf_counter() - start
    wrong = [f"a process ended with status {worker.exitcode}" for worker in workers if worker.exitcode]
    expected = [f"{name} {number}" for name in range(options.processes) for number in range(options.records)]
    found, torn = commands(path)
    if sorted(found) != sorted(expected):
        wrong.append(f"{len(expected)} records were written, {len(found)} are there")
    if torn:
        wrong.append(f"{torn} lines are no records")
    report = verify(path)
    wrong += [fault.text for fault in report.faults]
    print(f"at once: {len(expected)} records in {took:.1f} s, {report.records} in {report.files} files verified")
    return wrong


def killed(path: str, options: argparse.Namespace) -> list[str]:
    """Kill one writer after the other; return what is wrong afterwards."""
    told, wrong = path + ".told", []
    for name in range(options.kills):
        worker = CONTEXT.Process(target=write, args=(path, f"k{name}", 10**6, options.size, options.max_size, told))
        worker.start()
        sleep(random.uniform(0.02, 0.1))
        os.kill(worker.pid or 0, signal.SIGKILL)
        worker.join()
        report = verify(path)
        wrong += [f"after kill {name + 1}: {fault.text}" for fault in report.faults]
    write(path, "last", 1, options.size, options.max_size, told)
    found, torn = commands(path)
    lost = set(Path(told).read_text(encoding="ascii").splitlines()) - set(found)
    if lost:
        wrong.append(f"{len(lost)} records are lost that were said to be written")
    if len(found) != len(set(found)):
        wrong.append("a record is there twice")
    if torn > options.kills:
        wrong.append(f"{torn} lines are torn by {options.kills} kills")
    report = verify(path)
    wrong += [fault.text for fault in report.faults]
    print(f"{options.kills} kills: {len(found)} records, {len(lost)} lost that a writer knew of, {torn} lines torn")
    return wrong


def commands(path: str) -> tuple[list[str], int]:
    """Return the first two words of each record's command, and how many lines are no records."""
    found, torn = [], 0
    for entry in records(path):
        if entry.record is None:
            torn += 1
        elif "event" not in entry.record:
            found.append(" ".join(entry.record["command"].split()[:2]))
    return found, torn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=16, metavar="N")
    parser.add_argument("--records", type=int, default=500, metavar="N", help="of each process (default 500)")
    parser.add_argument("--size", type=int, default=20_000, metavar="N", help="of a command (default 20000)")
    parser.add_argument("--max-size", type=int, default=MAX_SIZE, metavar="N", help="of a file (default 16 MiB)")
    parser.add_argument("--kills", type=int, default=50, metavar="N", help="how many writers are killed (default 50)")
    options = parser.parse_args()
    wrong = []
    for part in (at_once, killed):
        with tempfile.TemporaryDirectory() as folder:
            wrong += part(str(Path(folder, "audit.jsonl")), options)
    for line in wrong:
        print(f"WRONG: {line}")
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
