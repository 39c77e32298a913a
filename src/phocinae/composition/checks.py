"""What `doctor` looks at beside the agents: package, settings, files that hold secrets, decision log, backend."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator

from attrs import evolve

from ..adapters import settings_sources
from ..domain.findings import Finding, right, warning, wrong
from ..domain.trusted_paths import UntrustedPath, resolved
from ..domain.visible import visible
from ..errors import BackendError, InvalidSettings
from ..settings import SECRET_FILES, VERSION, Effective, Settings, key_of
from .audit import audit_file
from .gate import build_gate

PROBE = "Is this a question?"
"""What a decision service is asked about, to see whether it answers."""


def general(effective: Effective) -> Iterator[Finding]:
    """Yield what is found of everything but the agents, with the settings that are in force for a hook."""
    yield from package()
    yield from of_settings(effective)


def of_settings(effective: Effective) -> Iterator[Finding]:
    """Yield what is found of settings, and of all that they name."""
    yield from _settings(effective)
    yield from _secrets(effective.settings)
    yield from audit_log(effective.settings)
    yield from _backend(effective.settings)


def package() -> Iterator[Finding]:
    """Yield whether somebody else could change the interpreter or the package, and so the gate."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for about, path in (("interpreter", sys.executable), ("package", folder)):
        if not path:
            yield wrong(about, "this Python does not know where it stands", "run it by its absolute path")
        elif sys.platform == "win32":
            yield warning(about, f"{visible(path)}; who may change it is not looked at on Windows")
        else:
            yield _trusted(about, path)


def _trusted(about: str, path: str) -> Finding:
    try:
        resolved(path, os.getuid(), os.lstat, os.readlink)
    except UntrustedPath as error:
        return wrong(about, str(error), "whoever can change that can change the gate")
    except OSError as error:
        return wrong(about, f"{visible(path)} cannot be reached: {error.strerror}")
    return right(about, f"{visible(path)}, phocinae {VERSION}" if about == "package" else visible(path))


def _settings(effective: Effective) -> Iterator[Finding]:
    settings, used = effective.settings, [one for one in effective.origins if one.field in ("enabled", "mode")]
    for text in effective.warnings():
        yield warning("settings", text)
    where = visible(used[-1].where) if used else ""
    if not settings.enabled:
        yield wrong("settings", f"the gate is off, by {where}: hooks stop nothing", "set gate.enabled = true")
    elif settings.mode == "observe":
        yield wrong("settings", f"the gate observes, by {where}: hooks stop nothing", 'set gate.mode = "enforce"')
    policy = build_gate(settings).policy
    files = [visible(path) for path in settings_sources.files() if os.path.exists(path)]
    yield right("settings", f"policy {policy}, from {', '.join(files) or 'defaults alone'}")


def _secrets(settings: Settings) -> Iterator[Finding]:
    for field in SECRET_FILES:
        path = getattr(settings, field)
        if not path:
            continue
        name = key_of(field).toml
        try:
            settings_sources.secret_file(path)
            settings_sources.check_way(path)
        except InvalidSettings as error:
            yield wrong(name, str(error))
        else:
            yield right(name, f"{visible(path)} is readable by you alone")


def audit_log(settings: Settings) -> Iterator[Finding]:
    """Yield whether decisions can be recorded, and whether only this user can read and write the record."""
    if not settings.audit:
        yield warning("decision log", "it is switched off", "set audit.enabled = true")
        return
    path = audit_file(settings)
    if not path:
        yield wrong("decision log", "this account has no home in the password database", "name a file with audit.file")
        return
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        yield right("decision log", f"{visible(path)} will be made with the first decision")
        return
    faults = list(_faults(folder))
    yield from faults
    if not faults:
        yield right("decision log", f"{visible(path)} is yours alone")


def _faults(folder: str) -> Iterator[Finding]:
    """Yield what is wrong with the folder of the decision log and the files in it."""
    about = "decision log"
    if not os.access(folder, os.W_OK | os.X_OK):
        yield wrong(about, f"{visible(folder)} cannot be written to", f"run: chmod u+wx {visible(folder)}")
    if os.path.islink(folder):
        yield wrong(about, f"{visible(folder)} is a symbolic link, which is not followed", "make it a folder")
    if sys.platform == "win32":
        return
    for path in (folder, *(os.path.join(folder, name) for name in sorted(os.listdir(folder)) if "audit" in name)):
        status = os.lstat(path)
        if status.st_uid not in (0, os.getuid()):
            yield wrong(about, f"{visible(path)} belongs to user id {status.st_uid}", "move it away")
        elif stat.S_ISLNK(status.st_mode):
            yield wrong(about, f"{visible(path)} is a symbolic link, which is not followed", "make it a file")
        elif _is_open(status):
            yield wrong(about, f"{visible(path)} is open to others", f"run: chmod go-rwx {visible(path)}")


def _is_open(status: os.stat_result) -> bool:
    """Tell whether others can read a file, or put another one in the place of one in a folder."""
    if stat.S_ISDIR(status.st_mode):
        return bool(status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)) and not status.st_mode & stat.S_ISVTX
    return bool(status.st_mode & (stat.S_IRWXG | stat.S_IRWXO))


def _backend(settings: Settings) -> Iterator[Finding]:
    if settings.guard:
        yield _guard(settings)
    if not settings.l1_enabled:
        yield right("decision service", "it is not asked (l1.enabled = false)")
        return
    if settings.backend == "mock":
        yield warning("decision service", "answers are made up by a mock, which allows nothing")
        return
    from .inference import build_inference  # only where there is a service to ask

    try:
        build_inference(settings).classify(PROBE, ("yes", "no"))
    except (BackendError, InvalidSettings) as error:
        yield wrong("decision service", str(error), "what the rules leave open is denied until it answers")
        return
    yield right("decision service", f"{visible(settings.server)} answers")


def _guard(settings: Settings) -> Finding:
    """Return whether the guard program answers on a harmless command."""
    asked = evolve(settings, l1_enabled=False, audit=False, enabled=True)
    try:
        verdict = build_gate(asked).decide("git status")
    except InvalidSettings as error:
        return wrong("guard program", str(error))
    if verdict.engine == "guard" and verdict.error:
        return wrong("guard program", verdict.reason, "every command is denied until it answers")
    return right("guard program", f"{visible(settings.guard)} answers")
