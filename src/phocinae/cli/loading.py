"""Puts the settings of one call together: files, environment and options, with where each came from."""

from __future__ import annotations

from collections.abc import Iterable

from ..adapters.settings_sources import gather
from ..settings import DEFAULTS, Effective, Given, Settings, merge


def load(
    flags: Iterable[Given] = (),
    *,
    config: str | None = None,
    cwd: str | None = None,
    hook: bool = False,
    defaults: Settings = DEFAULTS,
) -> Effective:
    """Return the settings in force.

    `flags` are the options of the call, as `phocinae.cli.options.Parsed.flags` gives
    them; `config` is the file that ``--config`` names.  `cwd` is a claimed working
    directory: its project file counts beside that of the real one, so that a claim can
    add restrictions and take none away.  For a `hook` the environment may only tighten.  `defaults`
    are what no source has said anything about.

    Raises:
        InvalidSettings: a source is there and cannot be used.
    """
    folders = ("",) if cwd is None else ("", cwd)
    return merge(gather(flags, config=config, folders=folders), hook=hook, defaults=defaults)
