"""What can be registered looks in every revision as the official models and schemas want it."""

from __future__ import annotations

import json
from typing import Any

import official
import pytest

from conformance import load
from phocinae.mcp.asking import Channel

Json = dict[str, Any]

CAPABLE: Json = {"elicitation": {}, "sampling": {}, "roots": {}}
ACCEPTED: Json = {"action": "accept", "content": {"name": "Ada"}}
ANSWERS: dict[str, Json] = {
    "elicitation/create": ACCEPTED,
    "sampling/createMessage": {"role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "none"},
    "roots/list": {"roots": [{"uri": "file:///srv"}]},
}
ARGUMENTS: dict[str, Json] = {"test_sampling": {"prompt": "Hi"}, "test_elicitation": {"message": "Hi"}}
PROMPTS: dict[str, Json] = {
    "test_prompt_with_arguments": {"arg1": "a", "arg2": "b"},
    "test_prompt_with_embedded_resource": {"resourceUri": "test://x"},
}


SEVERAL = ("2025-06-18", "test_elicitation_sep1330_enums")


class Peer:
    """A client of one revision that answers whatever it is asked, and has every frame checked."""

    def __init__(self, revision: str) -> None:
        self.revision = revision
        self.asked: list[Json] = []
        self._watch = official.Watch()
        self._conversation = (
            load()
            .fixture_server()
            .open(Channel(send=lambda frame: self._came(frame), later=lambda _seconds, _work: lambda: None))
        )
        self._results: dict[int, Json] = {}
        self._open: list[Json] = []
        self._asked = 0
        if revision != official.MODERN:
            about = {"name": "t", "version": "1"}
            self.ask("initialize", protocolVersion=revision, capabilities=CAPABLE, clientInfo=about)
            self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            self.ask("logging/setLevel", level="debug")

    def ask(self, method: str, **params: Any) -> Json:
        """Return the result of a request, or the error."""
        self._asked += 1
        meta: Json = {"progressToken": self._asked}
        if self.revision == official.MODERN:
            prefix = official.PREFIX
            meta |= {f"{prefix}protocolVersion": self.revision, f"{prefix}clientCapabilities": CAPABLE}
        self._send({"jsonrpc": "2.0", "id": self._asked, "method": method, "params": params | {"_meta": meta}})
        while self._open:
            question = self._open.pop(0)
            self._send({"jsonrpc": "2.0", "id": question["id"], "result": ANSWERS[question["method"]]})
        return self._results.pop(self._asked, {})

    def hang_up(self) -> None:
        """Have the server end what is open."""
        for frame in self._conversation.hang_up():
            self._came(frame)

    def _send(self, message: Json) -> None:
        line = json.dumps(message).encode()
        self._watch.sent(line)
        step = self._conversation.receive(line)
        for frame in (*step.replies, *(call.run() for call in step.calls)):
            if frame is not None:
                self._came(frame)

    def _came(self, frame: bytes) -> None:
        message = self._watch.came(frame + b"\n")
        if "method" in message:
            self.asked.append(message)
            if "id" in message:
                self._open.append(message)
        else:
            self._results[message["id"]] = message["result"] if "result" in message else message["error"]


def answered(peer: Peer, method: str, **params: Any) -> Json:
    """Return the result of a call that is sent again with answers until it is complete."""
    result = peer.ask(method, **params)
    while result.get("resultType") == "input_required":
        answers = {key: ANSWERS[one["method"]] for key, one in result["inputRequests"].items()}
        state = {"requestState": result["requestState"]} if "requestState" in result else {}
        result = peer.ask(method, **params, inputResponses=answers, **state)
    return result


@pytest.mark.requirement("M-103", "M-107")
@pytest.mark.parametrize("revision", [*official.LEGACY, official.MODERN])
def test_every_frame_is_as_the_revision_wants_it(revision: str) -> None:
    peer = Peer(revision)
    tools = [tool["name"] for tool in peer.ask("tools/list")["tools"]]
    assert len(tools) == 28
    for name in tools:
        result = answered(peer, "tools/call", name=name, arguments=ARGUMENTS.get(name, {}))
        assert "code" in result or result["content"]
        failed = "code" in result or result["isError"]
        # the first two revisions have no forms, and the third has no choice of several in one
        asks_too_early = revision in official.LEGACY[:2] or (revision, name) == SEVERAL
        assert not failed or asks_too_early or name in ("test_error_handling", "json_schema_2020_12_tool")
    for resource in peer.ask("resources/list")["resources"]:
        assert peer.ask("resources/read", uri=resource["uri"])["contents"]
    assert peer.ask("resources/templates/list")["resourceTemplates"]
    assert peer.ask("resources/read", uri="test://template/5/data")["contents"]
    for prompt in peer.ask("prompts/list")["prompts"]:
        result = answered(peer, "prompts/get", name=prompt["name"], arguments=PROMPTS.get(prompt["name"], {}))
        assert "code" in result or result["messages"]
    reference = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
    wish = {"ref": reference, "argument": {"name": "arg1", "value": "p"}}
    assert peer.ask("completion/complete", **wish)["completion"]["values"]
    if revision == official.MODERN:
        peer.ask("subscriptions/listen", notifications={"toolsListChanged": True})
        peer.ask("tools/call", name="test_trigger_tool_change")
        peer.hang_up()
    else:
        assert peer.ask("resources/subscribe", uri="test://watched-resource") == {}
    told = {message["method"] for message in peer.asked}
    assert "notifications/progress" in told
    assert "notifications/tools/list_changed" in told
    assert ("notifications/message" in told) == (revision != official.MODERN)
