"""What a prompt is, and the box that a server takes its prompts from."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from ..errors import InvalidRegistration
from .content import Message

if TYPE_CHECKING:
    from .context import CallContext, Parked
    from .tools import Failed, NeedsInput, Rejected


@frozen
class PromptArgument:
    """One argument of a prompt, always a text; empty texts are not sent."""

    name: str
    description: str = ""
    required: bool = field(default=False, kw_only=True)
    title: str = field(default="", kw_only=True)


@frozen(kw_only=True)
class Messages:
    """What came of a prompt."""

    messages: tuple[Message, ...]
    description: str = ""


@frozen(kw_only=True, eq=False)
class Prompt:
    """One prompt: what a client sees of it, and what answers a call."""

    name: str
    title: str = ""
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()
    handler: Callable[[CallContext], Messages | NeedsInput | Failed | Rejected | Parked]

    def misfit(self, arguments: dict[str, Any]) -> str | None:
        """Return None when `arguments` can be used, and a sentence about the first misfit otherwise."""
        known = {one.name for one in self.arguments}
        missing = next((one.name for one in self.arguments if one.required and one.name not in arguments), None)
        if missing is not None:
            return f"{missing} is missing"
        if not arguments.keys() <= known:
            return "an argument is not known"
        wrong = next((name for name, value in arguments.items() if not isinstance(value, str)), None)
        return None if wrong is None else f"{wrong} must be a string"


class PromptBox:
    """The prompts of a server, in the order in which they came, found by name."""

    def __init__(self) -> None:
        """Start without any."""
        self.prompts: tuple[Prompt, ...] = ()

    def add(self, prompt: Prompt) -> None:
        """Take `prompt` in; raise InvalidRegistration when its name is taken."""
        if self.find(prompt.name) is not None:
            raise InvalidRegistration(f"two prompts have the same name {prompt.name!r}; give one of them another")
        self.prompts = (*self.prompts, prompt)

    def remove(self, name: str) -> None:
        """Take the prompt called `name` out; raise InvalidRegistration when there is none."""
        if self.find(name) is None:
            raise InvalidRegistration(f"there is no prompt {name!r} to withdraw")
        self.prompts = tuple(prompt for prompt in self.prompts if prompt.name != name)

    def find(self, name: str) -> Prompt | None:
        """Return the prompt called exactly `name`, or None."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)
