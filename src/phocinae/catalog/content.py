"""What a handler may answer with: blocks of content, results, the contents of resources, messages of prompts.

The wire forms are those of the newest revision; what an older one lacks is left to the
protocol side.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

Role: TypeAlias = Literal["user", "assistant"]


@frozen
class Text:
    """A text for the model; `annotations` are those of the protocol, as they go out."""

    text: str
    annotations: dict[str, Any] | None = field(default=None, kw_only=True, hash=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the content block."""
        return _annotated({"type": "text", "text": self.text}, self.annotations)


@frozen
class Image:
    """A picture: the bytes of its file, which are sent as Base64, and their type, such as ``image/png``."""

    data: bytes
    mime_type: str
    annotations: dict[str, Any] | None = field(default=None, kw_only=True, hash=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the content block."""
        return _annotated({"type": "image", **_encoded(self.data, self.mime_type)}, self.annotations)


@frozen
class Audio:
    """A sound: the bytes of its file, which are sent as Base64, and their type, such as ``audio/wav``."""

    data: bytes
    mime_type: str
    annotations: dict[str, Any] | None = field(default=None, kw_only=True, hash=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the content block."""
        return _annotated({"type": "audio", **_encoded(self.data, self.mime_type)}, self.annotations)


@frozen
class ResourceContents:
    """What stands at a URI: a text, or bytes, which are sent as Base64."""

    uri: str
    content: str | bytes
    mime_type: str = ""

    def to_wire(self) -> dict[str, Any]:
        """Return the object that the protocol calls resource contents."""
        wire: dict[str, Any] = {"uri": self.uri}
        if self.mime_type:
            wire["mimeType"] = self.mime_type
        if isinstance(self.content, str):
            return wire | {"text": self.content}
        return wire | {"blob": base64.b64encode(self.content).decode("ascii")}


@frozen
class EmbeddedResource:
    """A resource whose contents stand in the answer itself."""

    contents: ResourceContents
    annotations: dict[str, Any] | None = field(default=None, kw_only=True, hash=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the content block."""
        return _annotated({"type": "resource", "resource": self.contents.to_wire()}, self.annotations)


@frozen
class ResourceLink:
    """A resource that the client may read; empty texts are not sent."""

    uri: str
    name: str
    title: str = ""
    description: str = ""
    mime_type: str = ""
    annotations: dict[str, Any] | None = field(default=None, kw_only=True, hash=False)

    def to_wire(self) -> dict[str, Any]:
        """Return the content block."""
        wire = {"type": "resource_link", "uri": self.uri, "name": self.name}
        texts = {"title": self.title, "description": self.description, "mimeType": self.mime_type}
        return _annotated(wire | {key: text for key, text in texts.items() if text}, self.annotations)


Block: TypeAlias = Text | Image | Audio | EmbeddedResource | ResourceLink
"""A content block; a plain text may stand for `Text` wherever a handler returns one."""

BlockLike: TypeAlias = Block | str
Blocks: TypeAlias = BlockLike | Sequence[BlockLike]


def _as_blocks(value: Blocks) -> tuple[Block, ...]:
    return as_blocks(value)


def _as_block(value: BlockLike) -> Block:
    return as_blocks(value)[0]


@frozen(kw_only=True)
class Result:
    """The answer of a tool, block by block.

    `structured` must fit the tool's output schema.  Where no block is a text, one that
    repeats it is put in front (server/tools, structured content).  `failed` says that the
    tool did not do what it was asked for, which the model gets to read.
    """

    content: tuple[Block, ...] = field(default=(), converter=_as_blocks)
    structured: dict[str, Any] | None = field(default=None, hash=False)
    failed: bool = False


@frozen
class Message:
    """One message of a prompt: who says it, and one block."""

    role: Role
    content: Block = field(converter=_as_block)

    def to_wire(self) -> dict[str, Any]:
        """Return the message as the protocol has it."""
        return {"role": self.role, "content": self.content.to_wire()}


def as_blocks(value: Blocks) -> tuple[Block, ...]:
    """Return one block or text, or several, as blocks.

    Raises:
        TypeError: it holds something else; the text names the type, never the value.
    """
    if isinstance(value, str):
        return (Text(value),)
    if isinstance(value, Block):
        return (value,)
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{type(value).__name__} is no content block")
    return tuple(block for one in value for block in _one_block(one))


def _one_block(value: object) -> tuple[Block, ...]:
    if not isinstance(value, str | Block):
        raise TypeError(f"{type(value).__name__} is no content block")
    return as_blocks(value)


def _encoded(data: bytes, mime_type: str) -> dict[str, str]:
    return {"data": base64.b64encode(data).decode("ascii"), "mimeType": mime_type}


def _annotated(wire: dict[str, Any], annotations: dict[str, Any] | None) -> dict[str, Any]:
    return wire if annotations is None else wire | {"annotations": annotations}
