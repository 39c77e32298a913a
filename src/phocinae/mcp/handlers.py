"""Carries operations out against the catalog; knows no era and no connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from attrs import frozen

from ..catalog.resources import ResourceShelf
from ..catalog.tools import Arguments, Failed, NeedsInput, Tool, ToolAnswer, ToolBox, ToolOutcome
from .operations import (
    About,
    CallTool,
    Contents,
    Empty,
    Entries,
    Initialize,
    Level,
    Listed,
    Listing,
    Log,
    NoSuchResource,
    Operation,
    Outcome,
    Query,
    ReadResource,
)
from .paging import page
from .wire import invalid_params, shown

_Answer = TypeVar("_Answer")


@frozen(kw_only=True, eq=False)
class Pending:
    """A call whose answer may have to be waited for; end it with one of the two methods."""

    tool: Tool
    arguments: Arguments
    log: Log

    def finish(self) -> ToolAnswer:
        """Return what the tool answers, however long it takes; never raise."""
        return _unasked(_guarded(self.tool, self.tool.run, self.arguments, self.log))

    def give_up(self) -> ToolAnswer:
        """Return what is answered in the tool's place; never raise."""
        return _guarded(self.tool, self.tool.gave_up, self.arguments, self.log)


@frozen(kw_only=True, eq=False)
class Handlers:
    """What a server does; `log` is told which tool failed, never with what."""

    about: About
    toolbox: ToolBox
    shelf: ResourceShelf
    log: Log

    def begin(self, operation: Operation) -> Outcome | Pending:
        """Return what came of `operation`, or the rest of it when that may take a while."""
        if isinstance(operation, CallTool):
            return self._call(operation)
        if isinstance(operation, ReadResource):
            resource = self.shelf.find(operation.uri)
            return NoSuchResource(operation.uri) if resource is None else Contents(resource, resource.read())
        if isinstance(operation, Initialize) or operation is Query.DISCOVER:
            return self.about
        if isinstance(operation, Listing):
            return self._page(operation) or invalid_params("the cursor is not one that this server gave out")
        return Empty.EMPTY

    def _page(self, listing: Listing) -> Entries | None:
        if listing.of is Listed.TOOLS:
            tools = self.toolbox.tools
            return page(listing.of.value, tools, [tool.name for tool in tools], listing.cursor)
        resources = self.shelf.resources if listing.of is Listed.RESOURCES else ()
        return page(listing.of.value, resources, [resource.uri for resource in resources], listing.cursor)

    def _call(self, call: CallTool) -> Outcome | Pending:
        tool = self.toolbox.find(call.name)
        if tool is None:
            return invalid_params(f"no tool is called {shown(call.name)}")
        misfit = tool.misfit(call.arguments)
        if misfit is not None:
            return invalid_params(f"{tool.name}: {misfit}")
        outcome = _guarded(tool, tool.at_once, call.arguments, self.log)
        return Pending(tool=tool, arguments=call.arguments, log=self.log) if outcome is None else _unasked(outcome)


def _unasked(outcome: ToolOutcome) -> ToolAnswer:
    """Return what is answered to a client that cannot be asked."""
    if not isinstance(outcome, NeedsInput):
        return outcome
    return outcome.unasked or Failed("This tool has to ask the client for something, and cannot.")


def _guarded(tool: Tool, function: Callable[[Arguments], _Answer], arguments: Arguments, log: Log) -> _Answer | Failed:
    """Return what `function` answers; a tool that raises has failed, and says no more than its error's name."""
    try:
        return function(arguments)
    except (Exception, SystemExit) as error:  # a tool of the user's own may raise anything, and must not end the server
        name = type(error).__name__
        log(Level.ERROR, f"the tool {tool.name} failed: {name}")
        return Failed(f"The tool {tool.name} failed ({name}).")
