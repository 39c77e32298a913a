"""Carries operations out against the catalog; knows no era and no connection."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from attrs import evolve, field, frozen

from ..catalog.completions import Completed, Completions, ReferenceKind
from ..catalog.context import CallContext
from ..catalog.prompts import PromptBox
from ..catalog.resources import Contents, NoSuchResource, Resource, ResourceShelf
from ..catalog.tools import ToolBox
from ..catalog.work import Work, of_handler, of_tool
from ..service.rounds import RoundTrips
from .calls import Asking, Pending, WorkCall
from .jsonrpc import Refusal
from .operations import (
    About,
    CallTool,
    Complete,
    Empty,
    Entries,
    GetPrompt,
    Initialize,
    Listed,
    Listing,
    Log,
    Operation,
    Outcome,
    Query,
    ReadResource,
    Watch,
)
from .paging import page
from .wire import invalid_params, shown

LOCAL = "local"
"""The principal of a client of which a transport says nothing, such as the one on standard input and output."""

Context: TypeAlias = Callable[[dict[str, Any]], CallContext]
"""Returns the context of the call at hand, with these arguments."""


def _alone(arguments: dict[str, Any]) -> CallContext:
    return CallContext(arguments=arguments)


@frozen(kw_only=True, eq=False)
class Handlers:
    """What a server does."""

    about: About
    toolbox: ToolBox
    shelf: ResourceShelf
    prompts: PromptBox = field(factory=PromptBox)
    completions: Completions = field(factory=Completions)
    rounds: RoundTrips

    def begin(
        self, operation: Operation, log: Log, principal: str = LOCAL, context: Context = _alone
    ) -> Outcome | Pending | Asking:
        """Return what came of `operation`, or the rest of it when that may take a while or needs the client.

        `log` is told which tool failed, never with what.  `principal` names who asks, as
        far as the transport knows, and `context` makes what a handler is given.
        """
        if isinstance(operation, (CallTool, GetPrompt, ReadResource, Complete)):
            work = self._work(operation, context)
            if not isinstance(work, Work):
                return work
            return WorkCall(
                work=work,
                method=operation.method,
                target=operation.name,
                arguments=operation.arguments,
                asking=operation.rounds,
                principal=principal,
                rounds=self.rounds,
                log=log,
            ).begin()
        if isinstance(operation, Initialize) or operation is Query.DISCOVER:
            return self.about
        if isinstance(operation, Listing):
            return self._page(operation) or invalid_params("the cursor is not one that this server gave out")
        if isinstance(operation, Watch):
            return Empty.EMPTY if self.is_subscribable(operation.uri) else NoSuchResource(operation.uri)
        return Empty.EMPTY

    def is_subscribable(self, uri: str) -> bool:
        """Whether clients can be told of changes of the resource at `uri`."""
        resource = self.shelf.find(uri)
        return resource is not None and resource.subscribable

    def _work(
        self, operation: CallTool | GetPrompt | ReadResource | Complete, context: Context
    ) -> Work | Refusal | Contents | NoSuchResource | Completed:
        """Return how a call is answered, or the answer where that needs nobody."""
        if isinstance(operation, CallTool):
            return self._tool(operation, context)
        if isinstance(operation, ReadResource):
            return self._resource(operation.name, context)
        if isinstance(operation, Complete):
            return self._completion(operation, context)
        prompt = self.prompts.find(operation.name)
        if prompt is None:
            return invalid_params("no such prompt")
        misfit = prompt.misfit(operation.arguments)
        if misfit is not None:
            return invalid_params(f"{prompt.name}: {misfit}")
        return of_handler(f"prompt {prompt.name}", prompt.handler, context(operation.arguments))

    def _tool(self, call: CallTool, context: Context) -> Work | Refusal:
        tool = self.toolbox.find(call.name)
        if tool is None:
            return invalid_params(f"no tool is called {shown(call.name)}")
        misfit = tool.misfit(call.arguments)
        if misfit is not None:
            return invalid_params(f"{tool.name}: {misfit}")
        return of_tool(tool, call.arguments, context)

    def _resource(self, uri: str, context: Context) -> Work | Contents | NoSuchResource:
        resource = self.shelf.find(uri)
        if resource is not None:
            return _read(resource, context)
        found = self.shelf.match(uri)
        if found is None:
            return NoSuchResource(uri)
        template, variables = found
        return of_handler(f"template {template.name}", template.handler, evolve(context(dict(variables)), uri=uri))

    def _completion(self, wish: Complete, context: Context) -> Work | Refusal | Completed:
        handler = self.completions.find(wish.reference, wish.argument)
        if handler is not None:
            return of_handler("completion", handler, evolve(context(wish.arguments), partial=wish.value))
        name = wish.reference.name
        is_prompt = wish.reference.kind is ReferenceKind.PROMPT
        known = self.prompts.find(name) if is_prompt else self.shelf.find(name) or self.shelf.template(name)
        if known is None and self.completions:
            return invalid_params("nothing of that name can be completed")
        return Completed()

    def _page(self, listing: Listing) -> Entries | None:
        kind, cursor = listing.of, listing.cursor
        if kind is Listed.TOOLS:
            tools = self.toolbox.tools
            return page(kind.value, tools, [tool.name for tool in tools], cursor)
        if kind is Listed.PROMPTS:
            prompts = self.prompts.prompts
            return page(kind.value, prompts, [prompt.name for prompt in prompts], cursor)
        if kind is Listed.TEMPLATES:
            templates = self.shelf.templates
            return page(kind.value, templates, [one.template.text for one in templates], cursor)
        resources = self.shelf.resources
        return page(kind.value, resources, [resource.uri for resource in resources], cursor)


def _read(resource: Resource, context: Context) -> Work | Contents:
    if resource.handler is None:
        return resource.contents()
    return of_handler(f"resource {resource.name}", resource.handler, evolve(context({}), uri=resource.uri))
