"""What every command does before anything else: show its help or the version where that is asked for."""

from __future__ import annotations

from ..errors import InvalidRequest
from ..settings import VERSION
from .options import Command, Parsed, help_text
from .output import say


def helped(command: Command, parsed: Parsed) -> bool:
    """Show the help or the version, where that is asked for, and tell whether it was."""
    if parsed.on("--help"):
        say(help_text(command))
        return True
    if parsed.on("--version"):
        say(f"phocinae {VERSION}\n")
        return True
    return False


def helped_or_options_only(command: Command, parsed: Parsed) -> bool:
    """Do what `helped` does, for a command that takes no operands.

    Raises:
        InvalidRequest: there is an operand.
    """
    if helped(command, parsed):
        return True
    if parsed.operands:
        raise InvalidRequest(f"{command.name} takes options only")
    return False
