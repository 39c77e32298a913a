"""``phocinae config show``, ``init`` and ``schema``: which settings there are and hold, and a file to write them in."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

from ..adapters.settings_sources import files, gather
from ..composition.configuring import create_settings_file, settings_place
from ..errors import InvalidRequest
from ..settings import HOOK_DEFAULTS, Settings, Source, merge
from ..settings.report import Line, Unused, in_force, unused
from ..settings.schema import settings_schema
from ..settings.template import template
from .helping import helped, helped_or_options_only
from .hook import HOOK
from .options import CONFIG, GATE, HELP, SERVE, VERSION, Command, Option, parse
from .output import json_line, say, visible

_SETTING = tuple(
    {option.names: option for command in (HOOK, GATE, SERVE) for option in command.options() if option.field}.values()
)
"""Every option of any command that sets something."""

SHOW = Command(
    name="config show",
    summary="show each setting, its value and where it came from",
    before="""\
Show each setting that is in force, its value and where it came from, then what does
not count and why. Of files that hold secrets the path is shown, never the contents.
""",
    groups=(
        (
            "Options",
            (
                Option(names=("--json",), text="print one JSON object on one line"),
                Option(names=("--hook",), text="show what holds for a hook, whose environment may only tighten"),
                Option(names=("--cwd",), metavar="DIR", text="count the project file of DIR as well"),
                CONFIG,
                VERSION,
                HELP,
            ),
        ),
        ("What would hold with these options of a command", _SETTING),
    ),
    after="""\
Exit status: 0, or 3 where a setting cannot be used; the message names its place.

Examples:
  phocinae config show
  phocinae config show --hook --fail-closed deny
""",
)

INIT = Command(
    name="config init",
    operand="FILE",
    summary="write a settings file in which every key is explained",
    before="""\
Write a settings file in which every key stands on its default, commented out and
explained; it changes nothing until you edit it. Without FILE it is the user's own,
~/.config/phocinae/config.toml. A file that is there is left as it is.
""",
    groups=(
        ("Options", (Option(names=("--print",), text="print it on standard output, write no file"), VERSION, HELP)),
    ),
)

SCHEMA = Command(
    name="config schema",
    summary="print the JSON Schema of a settings file",
    before="""\
Print the JSON Schema (draft 2020-12) of a settings file, for editors that check TOML.
""",
    groups=(("Options", (VERSION, HELP)),),
)


def show(arguments: Sequence[str]) -> int:
    """Run ``phocinae config show`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call or a setting cannot be used.
    """
    parsed = parse(SHOW, arguments)
    if helped_or_options_only(SHOW, parsed):
        return 0
    config, cwd, hook = parsed.text("--config"), parsed.text("--cwd"), parsed.on("--hook")
    if cwd == "":
        raise InvalidRequest("option --cwd needs a directory")
    given = gather(parsed.flags(), config=config, folders=("",) if cwd is None else ("", cwd))
    effective = merge(given, hook=hook, defaults=HOOK_DEFAULTS if hook else Settings())
    lines, rest = in_force(effective), unused(given, effective, hook=hook)
    places = _places(config, cwd)
    say(json_line(_wire(lines, rest, places, hook=hook)) if parsed.on("--json") else _text(lines, rest, places))
    return 0


def init(arguments: Sequence[str]) -> int:
    """Run ``phocinae config init`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call cannot be used, the file is there already, or it cannot be written.
    """
    parsed = parse(INIT, arguments)
    if helped(INIT, parsed):
        return 0
    if len(parsed.operands) > 1:
        raise InvalidRequest("config init takes one FILE")
    if parsed.on("--print"):
        if parsed.operands:
            raise InvalidRequest("with --print no FILE is written; leave one of them out")
        say(template())
        return 0
    place = os.path.abspath(settings_place(parsed.operands[0] if parsed.operands else None))
    if not create_settings_file(place):
        raise InvalidRequest(f"{place} is there already and was left as it is; for a fresh one to compare, add --print")
    say(f"{visible(place)} is written; it changes nothing until you edit it\n")
    return 0


def schema(arguments: Sequence[str]) -> int:
    """Run ``phocinae config schema`` with `arguments` and return the exit status.

    Raises:
        PhocinaeError: the call cannot be used.
    """
    parsed = parse(SCHEMA, arguments)
    if not helped_or_options_only(SCHEMA, parsed):
        say(json.dumps(settings_schema(), indent=2) + "\n")
    return 0


def _places(config: str | None, cwd: str | None) -> list[tuple[Source, str]]:
    """Return the absolute place of every settings file that counts, whether it is there or not."""
    *own, project = files(config)
    found = [(Source.MANAGED, own[0]), *((Source.USER, os.path.abspath(path)) for path in own[1:])]
    folders = dict.fromkeys(os.path.abspath(folder) for folder in ("", cwd) if folder is not None)
    return found + [(Source.PROJECT, os.path.join(folder, project)) for folder in folders]


def _wire(lines: list[Line], rest: list[Unused], places: list[tuple[Source, str]], *, hook: bool) -> dict[str, Any]:
    return {
        "hook": hook,
        "files": [{"source": source.value, "path": path, "exists": os.path.exists(path)} for source, path in places],
        "settings": [
            {"name": line.name, "value": line.value, "source": line.source.value, "where": line.where} for line in lines
        ],
        "unused": [{"name": one.name, "source": one.source.value, "where": one.where, "why": one.why} for one in rest],
    }


def _text(lines: list[Line], rest: list[Unused], places: list[tuple[Source, str]]) -> str:
    rows = []
    for line in lines:
        value = json.dumps(line.value, ensure_ascii=False)
        rows.append(f"{line.name:<26} {visible(value):<28} {_origin(line.source, line.where)}")
    rows += ["", "Files:"]
    rows += [
        f"  {source.value}: {visible(path)}{'' if os.path.exists(path) else ' (not there)'}" for source, path in places
    ]
    if rest:
        rows += ["", "Does not count:"]
        rows += [f"  {one.name} of {_origin(one.source, one.where)}: {visible(one.why)}" for one in rest]
    return "\n".join(rows) + "\n"


def _origin(source: Source, where: str) -> str:
    """Return a source and a place for people; that of an option or a variable names its source itself."""
    if source in (Source.DEFAULT, Source.FLAG, Source.ENVIRONMENT):
        return visible(where) or source.value
    return f"{source.value} {visible(where)}"
