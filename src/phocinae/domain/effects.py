"""What happens to the files that a command names: read, written, deleted, opened to others."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from . import places, secrets, sensitive_files
from .patterns import lazily
from .places import Place
from .values import ANY, HOLE, HOME, LISTED, SPLIT, STAR, Field
from .variables import Variables

if TYPE_CHECKING:
    from .walk import Walker

_DEVICE, _SYSTEM, _ROOT = Place.DEVICE, Place.SYSTEM, Place.ROOT  # the way through the class takes longer


def read(walker: Walker, field: Field, state: Variables, *, prints: bool = True) -> bool:
    """Judge that a file is read; return whether it holds secrets.

    `prints` says that its contents may come out, so that an unknown file may be a secret.
    """
    text = field.text
    if field.stream is not None or text == "-":
        return False
    full = places.resolve(text, state.cwd)
    if full[:2] == "//":
        walker.note("uses-network", field, text)
    if secrets.is_secret(full) or (walker.own is not None and walker.own.is_secret(full)):
        walker.note("may-read-secret" if field.globbed else "reads-secret", field, text)
        return True
    if full[:1] == "/" and places.place(text, state.cwd) is _DEVICE:
        walker.note("reads-device", field, text)
    if not prints:
        return False
    if places.is_descriptor(text):
        walker.note("may-read-secret", field, text)
    if places.is_repository_config(text):
        walker.note("may-hold-secret", field, text)
    if field.unknown and not secrets.ends_harmlessly(text):
        walker.note("may-read-secret", field, text)
    return False


def of_gate(walker: Walker, full: str) -> bool:
    """Return whether a resolved path belongs to this gate, by its name or because a setting puts it there."""
    return places.is_gate(full) or (walker.own is not None and full in walker.own)


def holds_gate(walker: Walker, full: str) -> bool:
    """Return whether a resolved path is a folder that is not this gate's, with files of it somewhere inside."""
    return places.holds_gate(full) or (walker.own is not None and walker.own.below(full))


def visit(walker: Walker, field: Field, state: Variables) -> None:
    """Judge that a folder is entered or listed: a share of Windows lies on another machine."""
    if places.resolve(field.text, state.cwd).startswith("//"):
        walker.note("uses-network", field, field.text)


def write(walker: Walker, field: Field, state: Variables) -> None:
    """Judge that a file is created or changed."""
    if places.is_null(field.text) or field.text in ("-", "/dev/null") or field.stream is not None:
        return
    full, kind = places.located(field.text, state.cwd)
    if of_gate(walker, full):
        walker.note("write-gate", field, field.text)
    elif places.is_startup(full):
        walker.note("write-startup", field, field.text)
    elif kind is _DEVICE:
        walker.note("write-device", field, field.text)
    elif full.startswith("/proc/sys/") and full.isascii() and not _GUARDS_KERNEL.match(full):
        walker.note("writes-file", field, field.text)
    elif kind is _SYSTEM or (kind is _ROOT and full[1:2] not in (":", "/")):  # people use drives and shares
        walker.note("write-system", field, field.text)
    else:
        walker.note(_rule_of_place(full), field, field.text)


def _rule_of_place(full: str) -> str:
    """Return the rule about a write to a place that is not the system's, not the gate's and not run at a start."""
    if found := sensitive_files.rule(full):
        return found
    # a pattern may mean any file; which ones it matches is not known here
    return "write-secret" if STAR not in full and ANY not in full and secrets.is_secret(full) else "writes-file"


_GUARDS_KERNEL = lazily(
    r"(?i)/proc/sys/(?:kernel/(?:randomize_va_space|yama/|kptr_restrict|dmesg_restrict|perf_event_paranoid|core_pattern|modprobe|hotplug"
    r"|poweroff_cmd|usermodehelper/|unprivileged_|kexec_|modules_disabled|sysrq\Z)|fs/(?:protected_|binfmt_misc|suid_dumpable)"
    r"|vm/mmap_min_addr)"
)
"""Settings of the kernel that are protections, or name a program that it runs; others are everyday (proc_sys(5))."""


_DELETES = {
    Place.ROOT: "delete-root",
    Place.HOME: "delete-home",
    Place.SYSTEM: "delete-system",
    Place.WORKING: "delete-working-folder",
    Place.PARENT: "delete-parent",
    Place.DEVICE: "delete-system",
}


def delete(walker: Walker, field: Field, state: Variables, *, recursive: bool) -> None:
    """Judge that a file or, if `recursive`, a folder with all in it is deleted."""
    if LISTED in field.text:
        field = _listed(walker, field, state)
    full, kind = places.located(field.text, state.cwd)
    if of_gate(walker, full) or (recursive and places.holds_gate(full)):
        walker.note("write-gate", field, field.text)
    elif kind in _DELETES and (recursive or kind in (_SYSTEM, _DEVICE) or (kind is _ROOT and STAR in field.text)):
        walker.note(_DELETES[kind], field, field.text)
    elif recursive and holds_gate(walker, full):
        walker.note("write-gate", field, field.text)
    else:
        walker.note("deletes-file", field, field.text)


def delete_below(walker: Walker, folders: list[Field], names: tuple[str, ...], state: Variables) -> None:
    """Judge that files with names that one of these patterns matches are deleted, somewhere below the folders."""
    if walker.own is None:
        return
    for folder in folders:
        if walker.own.below_by_name(places.resolve(folder.text, state.cwd), names):
            walker.note("write-gate", folder, folder.text)


_LISTED_NAME = re.compile(f"[{HOLE}{SPLIT}]{LISTED}[{HOLE}{SPLIT}]*\\Z")


def _listed(walker: Walker, field: Field, state: Variables) -> Field:
    """Return a path that ends in any name listed in its own folder as the pattern for all names in it."""
    found = _LISTED_NAME.search(field.text)
    if found is None:
        return field
    folder = field.text[: found.start()] or "."
    if not folder.endswith(("/", "\\", ".")) or places.resolve(folder, state.cwd) not in walker.listed:
        return field
    return field.with_text(field.text[: found.start()] + STAR)


def _holds_homes(full: str) -> bool:
    """Return whether a resolved path is the folder of all homes, which is the system's, or all that is in it."""
    return full.rstrip(f"{STAR}/").lower() in ("/home", "/users") or full == f"{HOME}/.."


def open_up(walker: Walker, field: Field, state: Variables) -> None:
    """Judge that the rights or the owner of a file are changed."""
    if LISTED in field.text:
        field = _listed(walker, field, state)
    full, kind = places.located(field.text, state.cwd)
    if of_gate(walker, full):
        walker.note("write-gate", field, field.text)
    elif kind in (_SYSTEM, _ROOT, _DEVICE) or _holds_homes(full):
        walker.note("opens-permissions", field, field.text)
    else:
        walker.note("changes-rights", field, field.text)
