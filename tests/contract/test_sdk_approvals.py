"""The official SDK's client asks a person: what they did counts in every era, and a token is good once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import isolation

COMMAND = {"command": "cat .env"}
MODES = ("2026-07-28", "legacy", "auto")
KEY = "gate_confirmation"
APPROVED = types.ElicitResult(action="accept", content={"decision": "approve"})

Talk = Callable[[Client], Awaitable[None]]


class Person:
    """Answers every form in one way, and remembers what was shown."""

    def __init__(self, answer: types.ElicitResult) -> None:
        self.answer = answer
        self.shown: list[str] = []

    async def __call__(self, context: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert context is not None
        assert isinstance(params, types.ElicitRequestFormParams)
        self.shown.append(params.message)
        return self.answer


@pytest.fixture
def talk(tmp_path: Path) -> Callable[[str, Person, Talk], None]:
    """Returns a way to let a conversation be held with a server that asks wherever nobody vouches."""
    arguments = ["serve", "--fail-closed", "ask"]
    environment = {"PHOCINAE_AUDIT_FILE": str(tmp_path / "audit.jsonl")}

    def talk(mode: str, person: Person, conversation: Talk) -> None:
        async def session() -> None:
            parameters = StdioServerParameters(command=isolation.PROGRAM, args=arguments, env=environment)
            async with Client(stdio_client(parameters), mode=mode, elicitation_callback=person) as client:
                await conversation(client)

        anyio.run(session)

    return talk


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("answer", "decision", "action"),
    [
        (APPROVED, "allow", "approve"),
        (types.ElicitResult(action="accept", content={"decision": "reject"}), "deny", "reject"),
        (types.ElicitResult(action="decline"), "deny", "decline"),
        (types.ElicitResult(action="cancel"), "deny", "cancel"),
    ],
)
def test_a_person_decides(
    talk: Callable[[str, Person, Talk], None], mode: str, answer: types.ElicitResult, decision: str, action: str
) -> None:
    person = Person(answer)

    async def conversation(client: Client) -> None:
        result = await client.call_tool("gate", COMMAND)  # the client checks it against the output schema
        assert result.structured_content is not None
        told = result.structured_content
        assert (told["decision"], told["human_action"], told["layer"]) == (decision, action, "human_approval")

    talk(mode, person, conversation)
    (shown,) = person.shown
    assert "    cat .env" in shown


def test_a_token_is_good_once_and_only_as_it_came(talk: Callable[[str, Person, Talk], None]) -> None:
    async def conversation(client: Client) -> None:
        first = await client.session.call_tool("gate", COMMAND, allow_input_required=True)
        assert isinstance(first, types.InputRequiredResult)
        token = first.request_state
        assert token is not None

        async def answer(state: str, arguments: dict[str, str]) -> types.CallToolResult | types.InputRequiredResult:
            result = await client.session.call_tool(
                "gate", arguments, input_responses={KEY: APPROVED}, request_state=state, allow_input_required=True
            )
            assert isinstance(result, types.CallToolResult | types.InputRequiredResult)
            return result

        for state, arguments in ((token + "A", COMMAND), (token[:-1], COMMAND), (token, {"command": "cat .env.local"})):
            assert isinstance(await answer(state, arguments), types.InputRequiredResult)
        settled = await answer(token, COMMAND)
        assert isinstance(settled, types.CallToolResult)
        assert settled.structured_content is not None
        assert settled.structured_content["decision"] == "allow"
        assert isinstance(await answer(token, COMMAND), types.InputRequiredResult)

    talk("2026-07-28", Person(APPROVED), conversation)
