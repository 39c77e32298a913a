"""The server that the official conformance suite wants to find: its fixtures, registered as any user would.

    python tests/conformance/server.py --transport http --port 8255

Names, keys, schemas and exact texts are those of the suite; everything else is free.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import secrets
import tempfile
import time
from typing import Any

from phocinae import (
    Audio,
    CallContext,
    CallFailed,
    EmbeddedResource,
    Image,
    InputKind,
    InputRequest,
    Message,
    NeedsInput,
    PromptArgument,
    ResourceContents,
    Server,
    Settings,
    Text,
    build_server,
    serve_http,
    serve_stdio,
)

Json = dict[str, Any]

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
SILENCE = base64.b64decode("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=")
STEP = 0.05
"""Seconds between two reports, so that a client sees them come one by one."""


def text(**properties: Json) -> Json:
    """Return the schema of an object with these properties, all of them needed."""
    return {"type": "object", "properties": properties, "required": list(properties)}


STRING: Json = {"type": "string"}
NAME = text(name=STRING)
ADDRESS_TOOL: Json = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": STRING, "city": STRING},
        }
    },
    "properties": {
        "name": STRING,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": STRING,
        "email": STRING,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
DEFAULTS: Json = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "description": "User name", "default": "John Doe"},
        "age": {"type": "integer", "description": "User age", "default": 30},
        "score": {"type": "number", "description": "User score", "default": 95.5},
        "status": {
            "type": "string",
            "description": "User status",
            "enum": ["active", "inactive", "pending"],
            "default": "active",
        },
        "verified": {"type": "boolean", "description": "Verification status", "default": True},
    },
    "required": [],
}
TITLED = [{"const": f"value{number}", "title": f"{word} Option"} for number, word in enumerate(("First", "Second"), 1)]
ENUMS: Json = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": TITLED},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": TITLED}},
    },
    "required": [],
}


def fixture_server() -> Server:
    """Return a server with every fixture, the tools without arguments first."""
    settings = Settings(audit=False)  # so that the files of this account change nothing
    server = build_server(settings, name="phocinae-conformance", title="Fixtures", builtin=False, changing=True)
    add_content(server)
    add_reports(server)
    add_questions(server)
    add_rounds(server)
    add_resources(server)
    add_prompts(server)
    add_changes(server)
    return server


def add_content(server: Server) -> None:
    """Offer the tools that answer with content of each kind."""
    picture = Image(PIXEL, "image/png")
    embedded = EmbeddedResource(ResourceContents("test://embedded", "An embedded text.", "text/plain"))
    answers: dict[str, Any] = {
        "test_simple_text": "This is a simple text response for testing.",
        "test_image_content": picture,
        "test_audio_content": Audio(SILENCE, "audio/wav"),
        "test_embedded_resource": embedded,
        "test_multiple_content_types": ["Several kinds:", picture, embedded],
    }
    for name, answer in answers.items():
        server.tool(name, description="Answers with content.")(lambda _call, answer=answer: answer)

    @server.tool("test_error_handling", description="Always fails.")
    def fail(_call: CallContext) -> None:
        raise CallFailed("This tool intentionally returns an error for testing")

    server.tool("json_schema_2020_12_tool", description="Has a long schema.", input_schema=ADDRESS_TOOL)(
        lambda call: f"{call.arguments}"
    )
    header: Json = {"type": "string", "x-mcp-header": "Region"}
    server.tool(
        "test_x_mcp_header",
        description="Takes an argument that a header repeats.",
        input_schema={"type": "object", "properties": {"region": header, "query": STRING}},
    )(lambda call: f"region {call.arguments.get('region', 'unknown')}")


def add_reports(server: Server) -> None:
    """Offer the tools that speak before they answer."""

    @server.tool("test_tool_with_progress", description="Reports progress.")
    async def progress(call: CallContext) -> str:
        for done in (0, 50, 100):
            call.progress(done, 100, f"Completed step {done} of 100")
            await asyncio.sleep(STEP)
        return "Done."

    @server.tool("test_tool_with_logging", description="Logs.")
    def logging(call: CallContext) -> str:
        for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
            call.log("info", line)
            time.sleep(STEP)
        return "Done."

    @server.tool("test_logging_tool", description="Logs for those who asked for it.")
    def quiet(call: CallContext) -> str:
        call.log("info", "called")
        return "Done."

    server.tool("test_reconnection", description="Takes its time.")(lambda _call: "Done.")


def asked(call: CallContext, *requests: InputRequest) -> Any:
    """Return the answers as a text once all are there, and ask for them until then."""
    if all(isinstance(call.answers.get(request.key), dict) for request in requests):
        return f"Received: {[call.answers[request.key] for request in requests]}"
    return NeedsInput(requests=requests)


def form(key: str, message: str, schema: Json) -> InputRequest:
    """Return a question with a form."""
    return InputRequest.form(key, message, schema)


def add_questions(server: Server) -> None:
    """Offer the tools that ask a client of a handshake revision during the call, and some that ask every client."""

    @server.tool("test_sampling", description="Asks the model.", input_schema=text(prompt=STRING))
    def sampling(call: CallContext) -> Any:
        return asked(call, InputRequest.sampling("answer", call.arguments["prompt"], max_tokens=100))

    @server.tool("test_elicitation", description="Asks the person.", input_schema=text(message=STRING))
    def elicitation(call: CallContext) -> Any:
        schema = text(username={**STRING, "description": "User name"}, email={**STRING, "description": "Email"})
        return asked(call, form("answer", call.arguments["message"], schema))

    server.tool("test_elicitation_sep1034_defaults", description="Asks with defaults.")(
        lambda call: asked(call, form("answer", "Please review the defaults.", DEFAULTS))
    )
    server.tool("test_elicitation_sep1330_enums", description="Asks with choices.")(
        lambda call: asked(call, form("answer", "Please choose.", ENUMS))
    )
    server.tool("test_streaming_elicitation", description="Asks without a request of its own.")(
        lambda call: asked(call, form("answer", "What is your name?", NAME))
    )
    server.tool("test_missing_capability", description="Cannot do without sampling.")(
        lambda call: asked(call, InputRequest.sampling("answer", "Say something.", max_tokens=10))
    )


def add_rounds(server: Server) -> None:
    """Offer the tools that are interrupted for input."""
    name = form("user_name", "What is your name?", NAME)
    capital = InputRequest.sampling("capital_question", "What is the capital of France?", max_tokens=100)
    roots = InputRequest.roots("client_roots")
    prefix = "test_input_required_result_"
    for ending, requests in {
        "elicitation": (name,),
        "sampling": (capital,),
        "list_roots": (roots,),
        "multiple_inputs": (name, capital, roots),
        "tampered_state": (name,),
    }.items():
        # the suite sends answers to this one that it was never asked for
        server.tool(prefix + ending, description="Is interrupted for input.", unsealed=ending == "elicitation")(
            lambda call, requests=requests: asked(call, *requests)
        )

    add_states(server, prefix)

    @server.tool(prefix + "capabilities", description="Asks for what the client can give.")
    def capabilities(call: CallContext) -> Any:
        kinds = {InputKind.FORM: name, InputKind.SAMPLING: capital, InputKind.ROOTS: roots}
        possible = [request for kind, request in kinds.items() if kind in call.client.inputs]
        return asked(call, *(possible or [name]))


def add_states(server: Server, prefix: str) -> None:
    """Offer the tools that keep a state from round to round."""

    @server.tool(prefix + "request_state", description="Keeps a state.")
    def request_state(call: CallContext) -> Any:
        confirmed = call.form("confirm")
        if confirmed is None:
            schema = text(ok={"type": "boolean"})
            return NeedsInput(requests=(form("confirm", "Please confirm", schema),), state={"kept": "state-ok"})
        return call.state.get("kept", "state-lost")

    @server.tool(prefix + "multi_round", description="Needs two rounds.")
    def multi_round(call: CallContext) -> Any:
        color = form("step2", "Step 2: What is your favorite color?", text(color=STRING))
        first = form("step1", "Step 1: What is your name?", NAME)
        step = call.state.get("step", 0)
        if step == 2 and call.form("step2") is not None:
            return "Both rounds are done."
        if step == 2 or (step == 1 and call.form("step1") is not None):
            return NeedsInput(requests=(color,), state={"step": 2})
        return NeedsInput(requests=(first,), state={"step": 1})


def add_resources(server: Server) -> None:
    """Offer the resources and the template."""
    server.resource("test://static-text", name="static-text", description="A text.")(
        lambda _call: "This is the content of the static text resource."
    )
    server.resource("test://static-binary", name="static-binary", description="A picture.", mime_type="image/png")(
        lambda _call: PIXEL
    )
    server.resource("test://watched-resource", name="watched-resource", description="Changes.", subscribable=True)(
        lambda _call: "Watched."
    )

    @server.template("test://template/{id}/data", name="template", description="Data.", mime_type="application/json")
    def data(call: CallContext) -> str:
        return f'{{"id": "{call.arguments["id"]}", "templateTest": true}}'


def add_prompts(server: Server) -> None:
    """Offer the prompts, and completions for one of them."""
    server.prompt("test_simple_prompt", description="A prompt.")(lambda _call: "This is a simple prompt for testing.")

    @server.prompt(
        "test_prompt_with_arguments",
        description="A prompt with arguments.",
        arguments=[
            PromptArgument("arg1", "The first argument", required=True),
            PromptArgument("arg2", "The second argument", required=True),
        ],
    )
    def arguments(call: CallContext) -> str:
        return f"Prompt with arguments: arg1='{call.arguments['arg1']}', arg2='{call.arguments['arg2']}'"

    server.completion("arg1", prompt="test_prompt_with_arguments")(
        lambda call: [word for word in ("paris", "park", "party") if word.startswith(call.partial)]
    )

    @server.prompt(
        "test_prompt_with_embedded_resource",
        description="A prompt with a resource.",
        arguments=[PromptArgument("resourceUri", "The URI of the resource", required=True)],
    )
    def embedded(call: CallContext) -> list[Message]:
        contents = ResourceContents(call.arguments["resourceUri"], "Embedded resource content.", "text/plain")
        return [
            Message("user", EmbeddedResource(contents)),
            Message("user", Text("Please process the embedded resource above.")),
        ]

    server.prompt("test_prompt_with_image", description="A prompt with a picture.")(
        lambda _call: [Message("user", Image(PIXEL, "image/png")), "Please analyze the image above."]
    )
    server.prompt("test_input_required_result_prompt", description="A prompt that needs input.")(
        lambda call: asked(call, form("user_context", "What context should the prompt use?", text(context=STRING)))
    )


def add_changes(server: Server) -> None:
    """Offer the tools that change the lists while the server runs."""

    @server.tool("test_trigger_tool_change", description="Changes the list of tools.")
    def tools(_call: CallContext) -> str:
        server.tool("test_passing_tool", description="Comes and goes.")(lambda _call: "Here.")
        server.withdraw_tool("test_passing_tool")
        return "Changed."

    @server.tool("test_trigger_prompt_change", description="Changes the list of prompts.")
    def prompts(_call: CallContext) -> str:
        server.prompt("test_passing_prompt", description="Comes and goes.")(lambda _call: "Here.")
        server.withdraw_prompt("test_passing_prompt")
        return "Changed."


def main() -> None:
    """Serve on the transport that the arguments name."""
    parser = argparse.ArgumentParser(description="The fixtures of the official MCP conformance suite.")
    parser.add_argument("--transport", choices=("stdio", "http"), default="stdio")
    parser.add_argument("--port", type=int, default=8255)
    chosen = parser.parse_args()
    if chosen.transport == "stdio":
        serve_stdio(fixture_server())
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".keys") as keys:  # readable by its owner alone
            keys.write(secrets.token_hex(32) + "\n")
            keys.flush()
            serve_http(fixture_server(), Settings(port=chosen.port, session_secret_file=keys.name))


if __name__ == "__main__":
    main()
