"""The one place where the log of a server is put together from the places that its lines go to."""

from __future__ import annotations

from ..adapters import settings_sources
from ..adapters.logs.daily_file import DailyFile
from ..adapters.logs.stderr_log import StderrLog
from ..domain.levels import Level
from ..errors import InvalidSettings
from ..ports import LogSink
from ..service.log import Logs
from ..settings import Settings


def build_logs(settings: Settings, *, verbose: bool = False, stderr: bool = True) -> Logs:
    """Return the log that `settings` ask for: on standard error, if it is open, and in files of one day each.

    A `verbose` one tells every handshake and every call on standard error too.

    Raises:
        InvalidSettings: the files have no folder.
    """
    sinks: list[LogSink] = [StderrLog(Level.INFO if verbose else Level.NOTICE)] if stderr else []
    if settings.log:
        sinks.append(DailyFile(_folder(settings), prefix=settings.log_prefix, level=Level.of(settings.log_level)))
    return Logs(*sinks)


def _folder(settings: Settings) -> str:
    folder = settings.log_folder or settings_sources.state_folder()
    if not folder:
        raise InvalidSettings("this account has no home in the password database for the log; name a log.folder")
    return folder
