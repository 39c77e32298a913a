"""Proves that an installed hook blocks: its command is run as the agent runs it, with known payloads.

No command of a payload is ever run; the payload is a text on the standard input of the hook.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import tempfile
from collections.abc import Generator, Iterator, Mapping

from attrs import evolve, frozen

from ..adapters.agents.shape import Agent
from ..adapters.proving.run import Run, run
from ..adapters.proving.surroundings import STARTUP_FILE, Surroundings, hostile
from ..domain.findings import Finding, right, warning, wrong
from ..domain.tool_calls import Answer, ToolKind
from ..domain.visible import visible

BAD_COMMAND = "rm -rf /"
"""What every gate denies, in each language of a shell that it may be read in; nobody runs it here."""

BAD_FILE = "/etc/passwd"
"""A file that no tool for files has any business with."""

HARMLESS = "git status"
"""A command that the rules vouch for."""

GONE = "/nonexistent/python"
"""An interpreter that is not there, as after the removal of an environment."""

_BLOCKED = 2


@frozen(kw_only=True)
class Hook:
    """An installed hook: the agent, the words that it starts, and whether it blocks where they do not start."""

    agent: Agent
    words: tuple[str, ...]
    fails_closed: bool = False


def prove(hook: Hook) -> Generator[Finding]:
    """Yield whether the hook blocks and lets pass what it must, in quiet and in hostile surroundings."""
    with tempfile.TemporaryDirectory(prefix="phocinae-doctor-") as folder:
        quiet = os.path.join(folder, "quiet")
        os.mkdir(quiet)
        yield from _in_quiet(hook, quiet)
        yield _broken(hook, quiet)
        yield from _in_hostile(hook, os.path.join(folder, "hostile"))


def _in_quiet(hook: Hook, folder: str) -> Iterator[Finding]:
    for tool in hook.agent.tools:
        done = _run(hook, _bad(hook.agent, tool, folder), folder)
        fault = _not_blocked(done)
        if fault:
            yield wrong(f"{tool}", f"a known-bad call is not blocked: {fault}", "do not rely on this hook")
        else:
            yield right(f"{tool}", f"a known-bad call is blocked, in {done.seconds:.2f} s")
    done = _run(hook, _payload(hook.agent, _shell(hook.agent), HARMLESS, folder), folder)
    fault = _not_passed(hook.agent, done)
    if fault:
        yield wrong("harmless call", f"it does not pass: {fault}", "every command is held up until that is mended")
    else:
        yield right("harmless call", f"it passes, in {done.seconds:.2f} s of {hook.agent.timeout:g} s")
    if done.seconds > hook.agent.timeout / 5:
        yield warning("speed", f"an answer takes more than a fifth of the {hook.agent.timeout:g} s that it has")
    done = _run(hook, b'{"tool_name": ', folder)
    fault = _not_blocked(done)
    yield wrong("broken payload", f"it is not blocked: {fault}") if fault else right("broken payload", "it is blocked")


def _in_hostile(hook: Hook, folder: str) -> Iterator[Finding]:
    os.mkdir(folder)
    around = hostile(folder, os.environ)
    shell = _shell(hook.agent)
    bad, good = _bad(hook.agent, shell, folder), _payload(hook.agent, shell, HARMLESS, folder)
    for name, variables in _trials(around):
        done = _run(hook, bad, folder, variables)
        loaded = around.marks()
        fault = f"it loads {', '.join(map(visible, loaded))}" if loaded else _not_blocked(done)
        if fault:
            yield wrong(f"hostile {name}", f"a known-bad call gets through: {fault}", "do not rely on this hook")
            return
        yield right(f"hostile {name}", "nothing of it is loaded, and a known-bad call is blocked")
    fault = _not_passed(hook.agent, _run(hook, good, folder, around.variables))
    if fault:
        yield warning("hostile surroundings", f"a harmless call is held up in them: {fault}")
    _run(hook, bad, folder, {**os.environ, STARTUP_FILE: around.startup_file()})
    if around.marks():
        text = f"{hook.agent.title} has the hook run by bash, which runs the file that this variable names first"
        yield warning(STARTUP_FILE, text, "let nobody set it for the agent; no hook can stand against it")


def _trials(around: Surroundings) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield each hostile thing by its name, alone, and then all of them at once."""
    yield "working directory", os.environ
    for name, value in around.variables.items():
        if value != os.environ.get(name):
            yield name, {**os.environ, name: value}
    yield "surroundings, all at once", around.variables


def _broken(hook: Hook, folder: str) -> Finding:
    """Return what happens when the interpreter of the hook is gone."""
    about, words = "removed interpreter", hook.words
    if len(words) == 3 and words[1] == "-c":  # a text for a shell
        interpreter = shlex.quote(shlex.split(words[-1])[0])
        gone = evolve(hook, words=(*words[:-1], words[-1].replace(interpreter, GONE, 1)))
        done = _run(gone, b"{}", folder)
        return right(about, "calls are blocked") if done.status == _BLOCKED else wrong(about, "calls would pass")
    if hook.fails_closed:
        return right(about, "the agent blocks calls where a hook does not start, by its own switch")
    return wrong(about, "calls would pass: the agent's switch that blocks them is not set")


def _run(hook: Hook, payload: bytes, folder: str, variables: Mapping[str, str] | None = None) -> Run:
    # the agent finds its shell in surroundings of its own, not in those that are tried here
    program = shutil.which(hook.words[0]) or hook.words[0]
    words = (program, *hook.words[1:])
    return run(words, payload, cwd=folder, environment=variables, timeout=hook.agent.timeout)


def _payload(agent: Agent, tool: str, text: str, folder: str) -> bytes:
    return json.dumps(agent.sample(tool, text, folder)).encode()


def _bad(agent: Agent, tool: str, folder: str) -> bytes:
    call = agent.read(agent.sample(tool, BAD_FILE, folder))
    files = call is not None and call.kind is ToolKind.FILES
    return _payload(agent, tool, BAD_FILE if files else BAD_COMMAND, folder)


def _shell(agent: Agent) -> str:
    """Return the first tool of an agent that runs a command."""
    for tool in agent.tools:
        call = agent.read(agent.sample(tool, HARMLESS, "/"))
        if call is not None and call.kind is ToolKind.SHELL:
            return tool
    raise LookupError(f"{agent.name} has no tool that runs commands")


def _not_blocked(done: Run) -> str:
    """Return what is wrong with a call that had to be blocked by its exit status and in words, or nothing."""
    if done.failure:
        return done.failure
    if done.status != _BLOCKED:
        return f"exit status {done.status}{_last_line(done)}"
    return "" if done.stdout.strip() and done.stderr.strip() else "a reason is missing in one of the two outputs"


def _not_passed(agent: Agent, done: Run) -> str:
    """Return what is wrong with a harmless call that was not let through, or nothing."""
    if done.failure:
        return done.failure
    passes = [agent.write(answer, "").stdout.encode() for answer in (Answer.NO_OPINION, Answer.ALLOW)]
    if done.status == 0 and (done.stdout in passes or b'"allow"' in done.stdout):
        return ""
    return f"exit status {done.status}{_last_line(done)}"


def _last_line(done: Run) -> str:
    """Return the last line on standard error behind a colon, or nothing where there is none."""
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return f": {visible(said[-1])[:300]}" if said else ""
