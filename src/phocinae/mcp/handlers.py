"""Carries operations out against the catalog; knows no era and no connection."""

from __future__ import annotations

from attrs import frozen

from ..catalog.resources import ResourceShelf
from ..catalog.tools import ToolBox
from ..service.rounds import RoundTrips
from .calls import Asking, Pending, ToolCall
from .operations import (
    About,
    CallTool,
    Contents,
    Empty,
    Entries,
    Initialize,
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

LOCAL = "local"
"""The principal of a client that a transport cannot tell from any other on this machine."""


@frozen(kw_only=True, eq=False)
class Handlers:
    """What a server does."""

    about: About
    toolbox: ToolBox
    shelf: ResourceShelf
    rounds: RoundTrips

    def begin(self, operation: Operation, log: Log, principal: str = LOCAL) -> Outcome | Pending | Asking:
        """Return what came of `operation`, or the rest of it when that may take a while or needs the client.

        `log` is told which tool failed, never with what.  `principal` names who asks, as
        far as the transport knows.
        """
        if isinstance(operation, CallTool):
            return self._call(operation, log, principal)
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

    def _call(self, call: CallTool, log: Log, principal: str) -> Outcome | Pending | Asking:
        tool = self.toolbox.find(call.name)
        if tool is None:
            return invalid_params(f"no tool is called {shown(call.name)}")
        misfit = tool.misfit(call.arguments)
        if misfit is not None:
            return invalid_params(f"{tool.name}: {misfit}")
        return ToolCall(
            tool=tool,
            arguments=call.arguments,
            asking=call.rounds,
            principal=principal,
            rounds=self.rounds,
            log=log,
        ).begin()
