"""What users of the library offer on a server of theirs: tools, resources, templates, prompts and completions.

Each of the decorators takes a function with one parameter, the context of a call, sync or
async.  What is registered is listed in that order, and found by its exact name.  What
cannot be offered is refused at once, with what to change.
"""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from attrs import frozen

from ..errors import InvalidRegistration
from .changes import Change, ChangeKind, Changes
from .completions import Completions, Reference, ReferenceKind
from .handling import Function, adapted, completed, contents, messages, tool_answers
from .listeners import Listener, Listeners
from .prompts import Prompt, PromptArgument, PromptBox
from .resources import Freshness, Resource, ResourceShelf, ResourceTemplate
from .schema_rules import check_schema
from .schemas import Schema, SchemaCheck
from .tools import Annotations, OnBadState, Tool, ToolBox
from .uri_templates import UriTemplate

FRESH = Freshness(milliseconds=0, shared=False)
"""For what a client asks for again each time."""

NO_ARGUMENTS: Schema = {"type": "object", "properties": {}, "additionalProperties": False}

_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!#-;=?-Z_a-z~%\[\]]+")  # RFC 3986, by its characters
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")

_Function = TypeVar("_Function", bound=Function)


@frozen(kw_only=True, eq=False)
class Catalog:
    """All that a server offers, and who is told of its calls."""

    toolbox: ToolBox
    shelf: ResourceShelf
    prompts: PromptBox
    completions: Completions
    listeners: Listeners
    changes: Changes


class Registering:
    """The methods of a server with which users offer something on it."""

    __slots__ = ()

    @property
    def catalog(self) -> Catalog:
        """What the server offers."""
        raise NotImplementedError

    def tool(
        self,
        name: str | None = None,
        *,
        title: str = "",
        description: str | None = None,
        input_schema: Schema | None = None,
        output_schema: Schema | None = None,
        annotations: Annotations | None = None,
        on_bad_state: OnBadState = OnBadState.REFUSE,
        unsealed: bool = False,
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that offers a function as a tool.

        Name and description are those of the function unless they are given.  The schemas
        go out as they are given (JSON Schema 2020-12); without `input_schema` the tool
        takes no arguments.  With `output_schema` each result must have a structured value
        that fits it.  `on_bad_state` says what becomes of a call whose state was changed.
        Answers to an `unsealed` tool that keeps no state count whenever they are sent, from
        anybody and as often as they like: never let anything hang on them that must be
        agreed to.

        The function returns a text, a content block, a list of these, a dictionary (the
        structured value), a `Result`, `Failed`, `Rejected`, `NeedsInput`, or None.

        Raises:
            InvalidRegistration: from the decorator; says what to change.
        """

        def register(function: _Function) -> _Function:
            called = name or _name(function)
            if output_schema is not None:
                check_schema(output_schema, f"the output schema of tool {called!r}")
            taken = NO_ARGUMENTS if input_schema is None else input_schema
            check_schema(taken, f"the input schema of tool {called!r}")
            promised = copy.deepcopy(output_schema)
            handler = adapted(function, tool_answers(None if promised is None else SchemaCheck(promised)))
            self.catalog.toolbox.add(
                Tool(
                    name=called,
                    title=title,
                    description=_described(function, description),
                    input_schema=copy.deepcopy(taken),
                    output_schema=promised,
                    annotations=annotations,
                    handler=handler,
                    on_bad_state=on_bad_state,
                    unsealed=unsealed,
                )
            )
            self.catalog.changes.tell(Change(ChangeKind.TOOLS))
            return function

        return register

    def resource(
        self,
        uri: str,
        *,
        name: str | None = None,
        title: str = "",
        description: str | None = None,
        mime_type: str = "text/plain",
        freshness: Freshness = FRESH,
        subscribable: bool = False,
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that offers what a function returns as the resource at `uri`.

        The function returns a text, bytes, a `ResourceContents`, several of these in a
        list, `NeedsInput`, or None where nothing is there.  `freshness` says how long a
        client may keep it.  Of a `subscribable` one, `resource_changed` tells those who
        subscribed.

        Raises:
            InvalidRegistration: from the decorator; says what to change.
        """

        def register(function: _Function) -> _Function:
            if not _URI.fullmatch(uri):
                raise InvalidRegistration(f"{uri[:80]!r} is no URI; write a scheme first, such as notes:today")
            self.catalog.shelf.add(
                Resource(
                    uri=uri,
                    name=name or _name(function),
                    title=title,
                    description=_described(function, description),
                    mime_type=mime_type,
                    handler=adapted(function, contents(mime_type, freshness)),
                    freshness=freshness,
                    subscribable=subscribable,
                )
            )
            self.catalog.changes.tell(Change(ChangeKind.RESOURCES))
            return function

        return register

    def withdraw_tool(self, name: str) -> None:
        """Offer the tool called `name` no more; calls that run go on.

        Raises:
            InvalidRegistration: there is none.
        """
        self.catalog.toolbox.remove(name)
        self.catalog.changes.tell(Change(ChangeKind.TOOLS))

    def withdraw_prompt(self, name: str) -> None:
        """Offer the prompt called `name` no more, and complete none of its arguments.

        Raises:
            InvalidRegistration: there is none.
        """
        self.catalog.prompts.remove(name)
        self.catalog.completions.remove(Reference(ReferenceKind.PROMPT, name))
        self.catalog.changes.tell(Change(ChangeKind.PROMPTS))

    def resource_changed(self, uri: str) -> None:
        """Tell those who subscribed to the resource at `uri` that it says something else now; for any thread."""
        self.catalog.changes.tell(Change(ChangeKind.RESOURCE, uri))

    def template(
        self,
        template: str,
        *,
        name: str | None = None,
        title: str = "",
        description: str | None = None,
        mime_type: str = "text/plain",
        freshness: Freshness = FRESH,
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that offers resources whose URIs fit a template of RFC 6570, level 1.

        The function finds the variables in the `arguments` of its context, and returns what
        one for `resource` does.

        Raises:
            InvalidRegistration: from the decorator; says what to change.
        """

        def register(function: _Function) -> _Function:
            self.catalog.shelf.add_template(
                ResourceTemplate(
                    template=UriTemplate(template),
                    name=name or _name(function),
                    title=title,
                    description=_described(function, description),
                    mime_type=mime_type,
                    handler=adapted(function, contents(mime_type, freshness)),
                    freshness=freshness,
                )
            )
            self.catalog.changes.tell(Change(ChangeKind.RESOURCES))
            return function

        return register

    def prompt(
        self,
        name: str | None = None,
        *,
        title: str = "",
        description: str | None = None,
        arguments: Iterable[PromptArgument] = (),
    ) -> Callable[[_Function], _Function]:
        """Return a decorator that offers a function as a prompt.

        The function returns a text, a content block, a `Message`, several of these in a
        list, or `NeedsInput`.

        Raises:
            InvalidRegistration: from the decorator; says what to change.
        """

        def register(function: _Function) -> _Function:
            called, taken = name or _name(function), tuple(arguments)
            if not _NAME.fullmatch(called):
                raise InvalidRegistration(
                    f"a prompt cannot be called {called[:80]!r}; a name is 1 to 64 of A-Z a-z 0-9 _ . and -"
                )
            if len({one.name for one in taken}) < len(taken):
                raise InvalidRegistration(f"two arguments of the prompt {called} have the same name; change one")
            text = _described(function, description)
            handler = adapted(function, messages(text))
            self.catalog.prompts.add(
                Prompt(name=called, title=title, description=text, arguments=taken, handler=handler)
            )
            self.catalog.changes.tell(Change(ChangeKind.PROMPTS))
            return function

        return register

    def completion(
        self, argument: str, *, prompt: str | None = None, template: str | None = None
    ) -> Callable[[_Function], _Function]:
        """Return a decorator for a function that completes one argument of a prompt, or one variable of a template.

        The function finds what was written so far in the `partial` of its context, and the
        arguments that are settled in its `arguments`; it returns texts, the best one first.

        Raises:
            InvalidRegistration: from the decorator; says what to change.
        """

        def register(function: _Function) -> _Function:
            self.catalog.completions.add(
                self._referred(argument, prompt, template), argument, adapted(function, completed)
            )
            return function

        return register

    def on_call(self, listener: Listener) -> Listener:
        """Have `listener` told of each call of a tool once its result is settled; return it.

        It is called on the thread that settled the result, before that is sent, and must
        not wait.  Where it raises, that is logged and changes nothing.
        """
        self.catalog.listeners.add(listener)
        return listener

    def _referred(self, argument: str, prompt: str | None, template: str | None) -> Reference:
        """Return what `argument` belongs to, which must be registered before."""
        if (prompt is None) == (template is None):
            raise InvalidRegistration("a completion belongs to a prompt or to a template; name one of them")
        if prompt is not None:
            owner = self.catalog.prompts.find(prompt)
            known = None if owner is None else [one.name for one in owner.arguments]
            reference = Reference(ReferenceKind.PROMPT, prompt)
        else:
            assert template is not None
            found = self.catalog.shelf.template(template)
            known = None if found is None else list(found.template.variables)
            reference = Reference(ReferenceKind.TEMPLATE, template)
        if known is None:
            raise InvalidRegistration(f"{reference.name!r} is not registered; register it before its completions")
        if argument not in known:
            raise InvalidRegistration(f"{reference.name!r} has no argument {argument!r}; it has {', '.join(known)}")
        return reference


def _name(function: Function) -> str:
    found = getattr(function, "__name__", None)
    if not isinstance(found, str):
        raise InvalidRegistration("the function has no name of its own; give one with name=")
    return found


def _described(function: Function, description: str | None) -> str:
    return (inspect.getdoc(function) or "") if description is None else description
