"""Puts together the judge of the files that a tool of an agent is about to write."""

from __future__ import annotations

import contextlib
import os.path
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..adapters import settings_sources
from ..settings import SECRET_FILES, Settings
from .audit import audit_file

if TYPE_CHECKING:
    from ..domain.own_places import OwnPlaces
    from ..domain.verdict import Verdict
    from ..service.gate import FileJudge


def build_file_judge(settings: Settings, policy: str, own: Sequence[str] = ()) -> FileJudge:
    """Return the judge of a hook with these settings, whose verdicts carry the fingerprint `policy`.

    `own` are files of this gate that no setting names, such as the settings file of the command line.
    """

    def judge(files: tuple[str, ...], cwd: str | None) -> Verdict | None:
        from ..adapters import file_paths  # only a tool that writes files needs them
        from ..domain.file_writes import judged

        paths = file_paths.followed(files, cwd)
        return judged(paths, file_paths.surroundings([*own, *own_files(settings)], paths), policy)

    return judge


def own_places(settings: Settings, own: Sequence[str] = ()) -> OwnPlaces | None:
    """Return the files of a gate with these settings that lie elsewhere than by default, or None if there are none.

    `own` are further ones that no setting names.  Relative paths do not count.
    """
    secret = [getattr(settings, name) for name in SECRET_FILES]
    files = [*own, settings.guard, settings.spent_tokens_file]
    if not any((settings.audit_file, *secret, *files)):
        return None
    from ..adapters.logs.audit_files import AuditFiles
    from ..domain.own_places import OwnPlaces

    logs = list(_spelled([settings.audit_file]))
    beside = [AuditFiles(log) for log in logs]
    files += [*logs, *(one.head for one in beside)]
    return OwnPlaces(_spelled(files), _spelled([*secret, *(one.key for one in beside)]), logs)


def _spelled(paths: Iterable[str]) -> Iterator[str]:
    """Yield absolute paths as they are given and as they are resolved, and as values from the account's home on."""
    from ..domain.values import HOME

    home = settings_sources.account_home()
    homes = {home.rstrip("/"), os.path.realpath(home)} if home else set()
    for path in paths:
        if os.path.isabs(path) and "\0" not in path:
            for spelling in dict.fromkeys([os.path.abspath(path), os.path.realpath(path)]):
                yield spelling
                yield from (HOME + spelling[len(one) :] for one in homes if spelling.startswith(one + "/"))


def own_files(settings: Settings) -> list[str]:
    """Return the files that the settings name, and all that belong to the decision log; some may be empty."""
    return [
        *_of_log(audit_file(settings)),
        *(getattr(settings, name) for name in SECRET_FILES),
        *(settings.guard, settings.spent_tokens_file),
    ]


def _of_log(log: str) -> list[str]:
    """Return the files of the decision log `log`, with those of it that were set aside and are there."""
    from ..adapters.logs.audit_files import AuditFiles

    files = AuditFiles(log)
    found = [log, files.head, files.key] if log else []
    with contextlib.suppress(OSError, ValueError):  # a folder that cannot be read, or is not there yet
        found += map(files.aside, files.set_aside() if log else ())
    return found
