"""A model service on loopback that asks an agent for given tool calls, one a turn, and then says that it is done.

It plays the wire formats that the agents speak, as far as they need it: the Responses API of OpenAI, the
Generative Language API of Google and the Messages API of Anthropic.  Nothing leaves the machine and no model is
involved.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from attrs import Factory, define, frozen


@frozen
class Wanted:
    """A tool call that the model is to make: the tool's name, and its arguments, or a text for a free-form tool."""

    tool: str
    arguments: Mapping[str, Any] | str


@define
class ModelService:
    """What a running service was asked, and the URL that it is found under."""

    url: str
    script: Sequence[Wanted]
    requests: list[Any] = Factory(list)

    def outputs(self) -> list[str]:
        """Return what the agent reported of each call, from the last request, as JSON texts."""
        return [json.dumps(output) for output in _outputs(self.requests[-1])] if self.requests else []


@contextmanager
def model_service(script: Sequence[Wanted]) -> Iterator[ModelService]:
    """Run a service that plays `script` to every conversation."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    service = ModelService(url=f"http://127.0.0.1:{server.server_address[1]}", script=script)
    server.service = service  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        self._send(b"{}", "application/json")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)) or b"{}")
        service: ModelService = self.server.service  # type: ignore[attr-defined]
        known = isinstance(body, dict) and any(key in body for key in ("input", "contents", "messages"))
        if not known or "countTokens" in self.path or "count_tokens" in self.path:
            self._send(b'{"totalTokens":1}', "application/json")
            return
        if "messages" not in body or body.get("tools"):  # else it is for a title or the like
            service.requests.append(body)
        done = len(_outputs(body))
        wanted = service.script[done] if done < len(service.script) else None
        if "messages" in body:
            events = _anthropic(wanted if body.get("tools") else None, done, body.get("model", ""))
        else:
            events = _openai(wanted, done) if "input" in body else _google(wanted)
        if "generateContent" in self.path:
            self._send(json.dumps(events[0]).encode(), "application/json")
            return
        names = (f"event: {event['type']}\n" if "type" in event else "" for event in events)
        text = "".join(f"{name}data: {json.dumps(event)}\n\n" for name, event in zip(names, events, strict=True))
        self._send(text.encode(), "text/event-stream")

    def _send(self, content: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _outputs(body: Mapping[str, Any]) -> list[Any]:
    if "input" in body:
        given = body["input"] if isinstance(body["input"], list) else []
        return [item for item in given if str(item.get("type", "")).endswith("_call_output")]
    if "messages" in body:
        blocks = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
        return [block for content in blocks for block in content if block.get("type") == "tool_result"]
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    return [part for part in parts if "functionResponse" in part]


def _openai(wanted: Wanted | None, turn: int) -> list[dict[str, Any]]:
    item: dict[str, Any]
    if wanted is None:
        item = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]}
    elif isinstance(wanted.arguments, str):
        item = {"type": "custom_tool_call", "name": wanted.tool, "input": wanted.arguments, "call_id": f"call-{turn}"}
    else:
        arguments = json.dumps(dict(wanted.arguments))
        item = {"type": "function_call", "name": wanted.tool, "arguments": arguments, "call_id": f"call-{turn}"}
    used = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    response = {"id": f"response-{turn}", "usage": used}
    return [
        {"type": "response.created", "response": {"id": f"response-{turn}"}},
        {"type": "response.output_item.done", "item": {"id": f"item-{turn}", **item}},
        {"type": "response.completed", "response": response},
    ]


def _google(wanted: Wanted | None) -> list[dict[str, Any]]:
    part: dict[str, Any] = {"text": "done"}
    if wanted is not None:
        part = {"functionCall": {"name": wanted.tool, "args": wanted.arguments}}
    content = {"role": "model", "parts": [part]}
    counted = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    return [{"candidates": [{"content": content, "finishReason": "STOP", "index": 0}], "usageMetadata": counted}]


def _anthropic(wanted: Wanted | None, turn: int, model: str) -> list[dict[str, Any]]:
    block: dict[str, Any] = {"type": "text", "text": ""}
    delta, stop = {"type": "text_delta", "text": "done"}, "end_turn"
    if wanted is not None:
        block = {"type": "tool_use", "id": f"toolu_{turn}", "name": wanted.tool, "input": {}}
        delta, stop = {"type": "input_json_delta", "partial_json": json.dumps(wanted.arguments)}, "tool_use"
    message = {"id": f"msg_{turn}", "type": "message", "role": "assistant", "model": model, "content": []}
    used = {"input_tokens": 1, "output_tokens": 1}
    return [
        {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": used}},
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": used},
        {"type": "message_stop"},
    ]
