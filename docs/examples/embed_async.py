"""The gate inside an asynchronous agent: verdicts for several commands at once.

Run it with ``python docs/examples/embed_async.py``.
"""

from __future__ import annotations

import asyncio

from phocinae import Decision, GateService, Settings, build_gate

COMMANDS = ("git status", "git push --force origin main", "make deploy")


async def allowed(gate: GateService, command: str) -> bool:
    """Return whether `command` may run without a person.

    `adecide` never raises for a command and never holds up the event loop: the offline
    layer answers at once, and only what may wait gets a thread: a service, or the log.
    """
    verdict = await gate.adecide(command, cwd=".")
    return verdict.decision is Decision.ALLOW


async def main() -> None:
    """Judge all commands together and show which of them may run."""
    gate = build_gate(Settings(audit=False))
    answers = await asyncio.gather(*(allowed(gate, command) for command in COMMANDS))
    for command, answer in zip(COMMANDS, answers, strict=True):
        print("may run:    " if answer else "may not run:", command)


if __name__ == "__main__":
    asyncio.run(main())
