"""The tables of the reference pages hold what the code holds."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import reference
import transcripts
from phocinae import CallContext, build_gate, ports
from phocinae.adapters import settings_sources
from phocinae.adapters.backends import breaker
from phocinae.adapters.backends.exchange import BODY_LIMIT
from phocinae.adapters.shell_tree_sitter import TreeSitterReader
from phocinae.adapters.shell_tree_sitter.text import MOST_LEVELS
from phocinae.adapters.shell_tree_sitter.tree import SECONDS
from phocinae.adapters.transports import http_app, http_connection, stdio
from phocinae.catalog.builtin import GATE_INPUT
from phocinae.catalog.inference import inference_tools
from phocinae.cli import commands, deadline, gate
from phocinae.cli import entry as entry_point
from phocinae.cli.commands import COMMANDS
from phocinae.cli.options import GATE, SERVE
from phocinae.composition.audit import audit_file
from phocinae.composition.live import live_of
from phocinae.composition.server import build_server
from phocinae.domain import inference
from phocinae.domain.l1 import Opinion, Thresholds, decide, state_of
from phocinae.domain.questions import Usage
from phocinae.domain.request import COMMAND_LIMIT, GateRequest
from phocinae.domain.strict_json import DEPTH_LIMIT
from phocinae.domain.verdict import Decision
from phocinae.mcp import http_rules, legacy, modern
from phocinae.mcp.asking import OPEN_LIMIT, Channel
from phocinae.mcp.jsonrpc import BATCH_LIMIT, FRAME_LIMIT
from phocinae.mcp.paging import PAGE_SIZE
from phocinae.mcp.revisions import CLIENT_CAPABILITIES, LEGACY, MODERN, PROTOCOL_VERSION
from phocinae.settings import KEYS, WINDOW, Given, Key, Settings, Source, merge

DOCS = transcripts.ROOT / "docs"
CORPUS = transcripts.ROOT / "tests" / "corpus"
CLI, CONFIGURATION, MCP, MIGRATING = (DOCS / f"{name}.md" for name in ("cli", "configuration", "mcp", "migrating"))
SERVICE = DOCS / "decision-service.md"

Json = dict[str, Any]


def names(cell: str) -> list[str]:
    """Return what stands between backquotes in a cell of a table."""
    return re.findall(r"`([^`]+)`", cell)


def prose(path: Path) -> str:
    """Return a page with single blanks between its words."""
    return " ".join(path.read_text(encoding="utf-8").split())


# --- the command line


def test_the_help_of_every_command_is_shown() -> None:
    shown = {step.command for block in transcripts.blocks(CLI, "console") for step in transcripts.steps(block.text)}
    helps = {f"phocinae {command.name} --help" for command in COMMANDS} | {"phocinae --help", "phocinae-mcp --help"}
    assert helps <= shown


def test_the_exit_statuses_are_those_of_the_program() -> None:
    rows = transcripts.table(CLI, "status")
    of_gate = {re.split(r"\W", meaning)[0]: int(status) for status, of, meaning in rows if of == "`gate`"}
    assert of_gate | {"undecided": of_gate["ask"]} == gate.STATUS
    assert (
        {int(status) for status, of, _ in rows if of.startswith("every command")} == {gate.USAGE} == {entry_point.USAGE}
    )
    assert {int(status) for status, of, _ in rows if of == "`serve`"} == {0, commands.FOREIGN_ADDRESS}
    assert {int(status) for status, of, _ in rows if of == "`hook`"} == {0, deadline.BLOCKED}


def test_the_keys_of_a_batch_line_are_those_that_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = [names(key)[0] for key, *_ in transcripts.table(CLI, "key")]
    lines = [dict.fromkeys(keys, "/")] + [{key: "/", "command": "ls"} for key in [*keys, "other"]]
    monkeypatch.setattr(gate, "standard_input", lambda: as_lines(lines))
    assert gate.main(["--batch"]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["error" in answer for answer in answers] == [False] * (len(keys) + 1) + [True]
    assert f"{gate.INPUT_LIMIT >> 20} MiB" in prose(CLI)


def as_lines(lines: list[dict[str, str]]) -> io.BytesIO:
    """Return JSON lines as a file of bytes."""
    return io.BytesIO("".join(json.dumps(line) + "\n" for line in lines).encode())


# --- extending the server

EXTENDING = transcripts.ROOT / "docs" / "extending.md"


def test_the_members_of_a_context_are_these() -> None:
    rows = transcripts.table(EXTENDING, "member of the context")
    listed = {name.partition("(")[0] for first, _ in rows for name in names(first)}
    public = {name for name in dir(CallContext) if not name.startswith("_")} - {"link", "gone_on"}
    assert listed == public


def test_as_many_calls_run_at_once_as_the_page_says() -> None:
    assert f"{stdio.WORKERS} calls run at once" in prose(EXTENDING)
    assert http_app.WORKERS == stdio.WORKERS


# --- settings


SAMPLES: dict[str, tuple[object, ...]] = {
    "mode": ("enforce", "observe"),
    "on_allow": ("silent", "allow"),
    "unattended": ("deny", "ask"),
    "hook_deadline": (6.0, 1.0, 12.0),
    "audit_key_file": ("", "/k"),
    "audit_max_size": (65_536, 99_999_999),
    "audit_keep": (8, 1, 100),
    "fail_closed": ("deny", "ask"),
    "project_code": ("allow", "ask", "deny"),
    "dialect": ("auto", "posix", "powershell", "cmd"),
    "server": ("http://127.0.0.1:8155", "http://127.0.0.1:9"),
    "allowed_servers": ([], ["http://127.0.0.1:9"]),
    "timeout": (5.0, 1.0, 9.0),
    "model": ("a", "b"),
    "backend": ("http", "mock"),
    "token_file": ("", "/a", "/b"),
    "window": (320, 300, 400),
    "l1_ceiling": ("allow", "ask"),
    "guard": ("", "/a", "/b"),
    "score_deny": (7, 6, 8),
    "score_ask": (4, 3, 5),
    "noul_deny": (0.35, 0.3, 0.4),
    "noul_allow": (0.65, 0.6, 0.7),
    "audit_file": ("", "/a"),
    "transport": ("stdio", "http"),
    "host": ("127.0.0.1", "::1"),
    "port": (8255, 0),
    "path": ("/mcp", "/a/b"),
    "allow_host": ([], ["gate.example"]),
    "allow_origin": ([], ["https://tools.example:8443"]),
    "auth_token_file": ("", "/a", "/b"),
    "max_body": (4_194_304, 1024, 67_108_864),
    "session_secret_file": ("", "/a", "/b"),
    "session_ttl": (86_400.0, 1.0, 2_592_000.0),
    "state_key_file": ("", "/a"),
    "human_timeout": (120.0, 60.0),
    "spent_tokens_file": ("", "/a"),
    "log_folder": ("", "/a"),
    "log_level": ("info", "debug"),
    "log_prefix": ("mcp", "gate"),
}
"""Values of each setting that is no switch; the table says which of the changes between them a project may make."""


def may_tighten(key: Key) -> bool:
    """Tell whether a project file may change the setting in any direction."""
    values = [key.check(value) for value in SAMPLES.get(key.field, (True, False))]
    return any(old != new and not key.loosens(old, new) for old in values for new in values)


def test_the_tables_of_the_settings_are_those_of_the_code() -> None:
    page = CONFIGURATION.read_text(encoding="utf-8")
    assert {name for _, name, _ in reference.MARKED.findall(page)} == set(reference.GENERATED)
    assert reference.corrected(page) == page, "run: python tools/reference.py --write"


def test_a_table_that_differs_is_noticed() -> None:
    page = CONFIGURATION.read_text(encoding="utf-8")
    assert reference.corrected(page.replace("seconds from 0.01 to 600", "seconds")) == page
    with pytest.raises(KeyError):
        reference.corrected("<!-- generated: nothing -->\n<!-- end -->")


def test_every_setting_is_in_the_table() -> None:
    rows = transcripts.table(CONFIGURATION, "setting")
    assert [names(setting)[0] for setting, *_ in rows] == [key.toml for key in KEYS]
    assert all(len(row) == 6 for row in rows)
    assert "`--fail-closed`" in next(row[1] for row in rows if row[0] == "`gate.fail_closed`")


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.toml)
def test_who_may_tighten_is_as_the_values_say(key: Key) -> None:
    assert key.can_tighten == may_tighten(key)


def test_the_sources_count_in_the_order_of_the_page() -> None:
    listed = re.findall(r"^\d\. (.+)$", CONFIGURATION.read_text(encoding="utf-8"), re.MULTILINE)
    sources = [Source(name) for name in listed]
    assert set(sources) == set(Source) - {Source.PROJECT}
    ports_given = [
        Given(source, "port", 9000 + place if source in (Source.MANAGED, Source.USER) else str(9000 + place), "x")
        for place, source in enumerate(sources)
        if source is not Source.DEFAULT
    ]
    assert sources[0] is Source.DEFAULT
    for count in range(len(ports_given) + 1):
        found = merge(ports_given[:count])
        assert found.settings.port == (9000 + count if count else Settings().port)
        assert found.source("port") is sources[count]


@pytest.mark.parametrize("source", [source for source in Source if source is not Source.DEFAULT])
def test_who_may_loosen_is_as_the_table_says(source: Source) -> None:
    rows = {who: (tighten, loosen) for who, tighten, loosen in transcripts.table(CONFIGURATION, "source")}
    tighten, loosen = rows[source.value]
    looser = merge([Given(source, "fail_closed", "ask", "x")])
    assert (looser.settings.fail_closed is Decision.ASK) == loosen.startswith("yes")
    assert bool(looser.ignored) == (loosen == "never")
    for_a_hook = merge([Given(source, "fail_closed", "ask", "x")], hook=True)
    assert (for_a_hook.settings.fail_closed is Decision.ASK) == (loosen == "yes")
    stricter = merge([Given(source, "project_code", "deny", "x")])
    assert (stricter.settings.project_code is Decision.DENY) == (tighten == "yes")


def test_the_files_stand_where_the_page_says(account: Path) -> None:
    places = {kind: names(place)[0] for kind, place, _ in transcripts.table(CONFIGURATION, "file")}
    own = places["user"].replace("~", str(account))
    assert own == settings_sources.user_file()
    assert places["project"] == settings_sources.PROJECT_FILE
    log = Path(audit_file(Settings()))
    assert f"`{log.name}`" in prose(CONFIGURATION)
    assert f"`{log.parent}`".replace(str(account), "~") in prose(CONFIGURATION)
    assert f"{settings_sources.SIZE_LIMIT >> 20} MiB" in prose(CONFIGURATION)


# --- the decision service


def test_what_is_sent_is_what_the_page_shows() -> None:
    command, sent = (block.text.removesuffix("\n") for block in transcripts.blocks(SERVICE, "text"))
    request = GateRequest(command, "/home/me/project")
    assert f"`{request.cwd}`" in prose(SERVICE)
    assert state_of(request, TreeSitterReader().read(command)).text == sent


def holds(cell: str, figure: float) -> bool:
    """Tell whether a figure lies in the range that a cell says in words."""
    ways: dict[str, Callable[..., bool]] = {
        r"any": lambda: True,
        r"([\d.]+) or more": lambda low: figure >= low,
        r"([\d.]+) or less": lambda high: figure <= high,
        r"above ([\d.]+)": lambda low: figure > low,
        r"below ([\d.]+)": lambda high: figure < high,
        r"([\d.]+) to ([\d.]+)": lambda low, high: low <= figure <= high,
    }
    found = [
        way(*map(float, match.groups()))
        for part in cell.split(" and ")
        for words, way in ways.items()
        if (match := re.fullmatch(words, part))
    ]
    assert len(found) == cell.count(" and ") + 1, cell
    return all(found)


def test_the_answers_are_those_of_the_thresholds() -> None:
    rows = transcripts.table(SERVICE, "risk")
    for risk in range(2, 11):
        for percent in range(101):
            p = percent / 100
            said = [Decision.of(answer) for risks, ps, answer in rows if holds(risks, risk) and holds(ps, p)]
            assert max(said) is decide(Opinion(p, risk), Thresholds())


def test_the_thresholds_of_the_page_are_those_of_the_settings() -> None:
    limits = Settings()
    assert Thresholds() == Thresholds(
        score_deny=limits.score_deny,
        score_ask=limits.score_ask,
        noul_deny=limits.noul_deny,
        noul_allow=limits.noul_allow,
    )


def test_the_limits_of_the_questions_are_on_the_page() -> None:
    assert [limit for limit, _ in transcripts.table(SERVICE, "limit")] == [
        f"{inference.STATE_LIMIT:,} characters",
        f"{inference.ITEM_LIMIT:,} characters",
        f"1 to {inference.MOST_ITEMS}",
        f"{WINDOW} bytes",
        f"{inference.OPTION_BYTES} and {inference.OPTIONS_BYTES} bytes",
    ]


def test_the_limits_of_http_are_on_the_page() -> None:
    limits, patience = http_app.Limits(), http_connection.Patience()
    assert limits.body == Settings().max_body
    assert [value for _, value in transcripts.table(DOCS / "http.md", "limit")] == [
        f"{limits.body >> 20} MiB, or `--max-body`",
        f"{limits.held >> 20} MiB",
        f"{http_connection.HEAD_BYTES >> 10} KiB, within {patience.head:g} seconds",
        f"within {limits.seconds:g} seconds",
        f"{patience.idle} seconds",
        f"{patience.taking:g} seconds",
        f"{patience.connections}",
        f"{limits.calls}, of which {http_app.WORKERS} run",
    ]


def test_the_statuses_of_http_are_on_the_page() -> None:
    refusals = [value for value in vars(http_rules).values() if isinstance(value, http_rules.HttpRefusal)]
    written = {int(status) for status, _ in transcripts.table(DOCS / "http.md", "status")}
    assert {refusal.status for refusal in refusals} < written
    assert written == {200, 202, 204, 400, 401, 403, 404, 405, 406, 408, 413, 415, 500, 503}


def test_how_a_failing_service_is_treated_is_on_the_page() -> None:
    assert (
        f"After {breaker.FAILURES} failures in a row the service is left alone for {breaker.PAUSE:g} seconds"
        in prose(SERVICE)
    )
    assert f"An answer of more than {BODY_LIMIT >> 10} KiB is not read" in prose(SERVICE)


def test_the_fields_of_a_result_are_those_of_the_table() -> None:
    usage = Usage(1, 0)
    common: Json = {"model": "m", "engine": "http", "confidence": 0.5, "usage": usage}
    results: dict[str, inference.Classification | inference.Routing | inference.Scoring] = {
        "classify": inference.Classification(choice=0, label="a", **common),
        "route": inference.Routing(choice=0, tool="a", **common),
        "score": inference.Scoring(score=2, **common),
    }
    rows = transcripts.table(CLI, "field")
    for command, result in results.items():
        listed = {names(field)[0] for field, of, _ in rows if "all" in of or f"`{command}`" in of}
        assert listed == set(result.to_wire())


# --- MCP


def ask(revision: str, method: str, params: Json | None = None) -> Json:
    """Return the answer of a new server to one request of a revision."""
    settings = Settings(audit=False)
    conversation = build_server(settings, build_gate(settings)).open()
    params = dict(params or {})
    if revision in MODERN:
        params["_meta"] = {PROTOCOL_VERSION: revision, CLIENT_CAPABILITIES: {}}
    else:
        handshake = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": revision}}
        (welcome,) = conversation.receive(json.dumps(handshake).encode()).replies
        if method == "initialize":
            return as_object(welcome)
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    (frame,) = conversation.receive(json.dumps(request).encode()).replies
    return as_object(frame)


def as_object(frame: bytes) -> Json:
    value = json.loads(frame)
    assert isinstance(value, dict)
    return value


REVISIONS = [revision.date for revision in LEGACY] + list(MODERN)


def served(revision: str, method: str) -> bool:
    """Tell whether a method is known, whatever it answers to a request without parameters."""
    answer = ask(revision, method)
    return "error" not in answer or answer["error"]["code"] != -32601


@pytest.mark.parametrize("row", transcripts.table(MCP, "method"), ids=lambda row: names(row[0])[0])
def test_a_method_is_served_where_the_table_says(row: list[str]) -> None:
    method, now, before = names(row[0])[0], row[1], row[2]
    assert {served(revision, method) for revision in MODERN} == {now == "yes"}
    known = {served(revision.date, method) for revision in LEGACY} if method != "server/discover" else {False}
    assert known == {before == "yes"}


def test_no_served_method_is_missing_from_the_table() -> None:
    listed = {names(row[0])[0] for row in transcripts.table(MCP, "method")}
    assert modern._METHODS.keys() | legacy._METHODS.keys() <= listed


def call(revision: str) -> Json:
    result = ask(revision, "tools/call", {"name": "gate", "arguments": {"command": "ls"}})["result"]
    assert isinstance(result, dict)
    return result


def tool(revision: str) -> Json:
    found = ask(revision, "tools/list")["result"]["tools"][0]
    assert isinstance(found, dict)
    return found


def about(revision: str) -> Json:
    if revision in MODERN:
        result = ask(revision, "server/discover")["result"]
        return {"serverInfo": result["_meta"]["io.modelcontextprotocol/serverInfo"], **result}
    result = ask(revision, "initialize")["result"]
    assert isinstance(result, dict)
    return result


def batches(revision: str) -> bool:
    if revision in MODERN:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        message |= {"params": {"_meta": {PROTOCOL_VERSION: revision, CLIENT_CAPABILITIES: {}}}}
        conversation = build_server(Settings(), build_gate(Settings(audit=False))).open()
    else:
        message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
        conversation = build_server(Settings(), build_gate(Settings(audit=False))).open()
        handshake = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": revision}}
        conversation.receive(json.dumps(handshake).encode())
    (frame,) = conversation.receive(json.dumps([message]).encode()).replies
    return isinstance(json.loads(frame), list)


def asks_meanwhile(revision: str) -> bool:
    sent: list[bytes] = []
    server = build_server(
        Settings(fail_closed=Decision.ASK), build_gate(Settings(fail_closed=Decision.ASK, audit=False))
    )
    conversation = server.open(Channel(send=sent.append, later=lambda _seconds, _work: lambda: None))
    params: dict[str, Any] = {"name": "gate", "arguments": {"command": "npm install x"}}
    if revision in MODERN:
        params["_meta"] = {PROTOCOL_VERSION: revision, CLIENT_CAPABILITIES: {"elicitation": {}}}
    else:
        hello = {"protocolVersion": revision, "capabilities": {"elicitation": {}}}
        for message in (
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
        ):
            conversation.receive(json.dumps(message).encode())
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answered = bool(conversation.receive(json.dumps(call).encode()).replies)
    assert answered != bool(sent)
    return bool(sent)


FEATURES: dict[str, Callable[[str], bool]] = {
    "several messages in one array": batches,
    "`annotations` of a tool": lambda revision: "annotations" in tool(revision),
    "`completions` among the capabilities": lambda revision: "completions" in about(revision)["capabilities"],
    "`title` and `outputSchema` of a tool": lambda revision: {"title", "outputSchema"} <= tool(revision).keys(),
    "`structuredContent` of a result": lambda revision: "structuredContent" in call(revision),
    "a person is asked while the call waits": asks_meanwhile,
    "`description` of the server": lambda revision: "description" in about(revision)["serverInfo"],
    "`resultType` of a result": lambda revision: "resultType" in call(revision),
    "`ttlMs` and `cacheScope` of what may be kept": lambda revision: (
        {"ttlMs", "cacheScope"} <= ask(revision, "tools/list")["result"].keys()
    ),
}


def test_what_each_revision_has_is_what_the_table_says() -> None:
    rows = transcripts.table(MCP, "what")
    written = {row[0]: dict(zip(REVISIONS, row[1:], strict=True)) for row in rows}
    assert written == {
        what: {revision: "yes" if has(revision) else "no" for revision in REVISIONS} for what, has in FEATURES.items()
    }


def test_the_arguments_of_the_tool_are_those_of_its_schema() -> None:
    written = {
        names(name)[0]: ("needed" in kind, int(longest.replace(",", "")))
        for name, kind, longest, _ in transcripts.table(MCP, "argument")
    }
    assert written == {
        name: (name in GATE_INPUT["required"], rule["maxLength"]) for name, rule in GATE_INPUT["properties"].items()
    }


def test_the_tools_that_ask_the_service_are_those_of_the_catalog() -> None:
    settings = Settings(audit=False)
    live = live_of(settings, build_gate(settings))
    written = {
        names(tool)[0]: (names(needs), set(names(answers))) for tool, needs, answers in transcripts.table(MCP, "tool")
    }
    tools = {tool.name: tool for tool in inference_tools(lambda: live)}
    assert written.keys() == tools.keys()
    for name, (needs, answers) in written.items():
        output = tools[name].output_schema
        assert output is not None
        assert needs == tools[name].input_schema["required"]
        assert answers == set(output["required"]) - {"model", "engine", "truncated"}
        assert set(output["properties"]) - set(output["required"]) == {"confidence", "usage"}
    page = prose(MCP)
    assert f"at most {inference.STATE_LIMIT:,} characters" in page
    assert f"1 to {inference.MOST_ITEMS} texts of at most {inference.ITEM_LIMIT:,} characters" in page


def test_the_resources_are_those_of_the_server() -> None:
    written = [names(resource)[0] for resource, *_ in transcripts.table(MCP, "resource")]
    assert written == [entry["uri"] for entry in ask(MODERN[0], "resources/list")["result"]["resources"]]


def test_the_limits_of_the_process_are_on_the_page() -> None:
    assert f"at most {FRAME_LIMIT >> 20} MiB long and nested {DEPTH_LIMIT} deep" in prose(MCP)
    assert stdio.GRACE == 2
    assert "get two seconds" in prose(MCP)
    assert f"an array holds at most {BATCH_LIMIT}." in prose(MCP)
    assert f"in pages of {PAGE_SIZE} entries" in prose(MCP)
    assert f"on up to {stdio.WORKERS} threads" in prose(MCP)
    assert f"past {stdio.BACKLOG} such calls" in prose(MCP)


def test_the_limits_of_asking_are_on_the_page() -> None:
    assert f"At most {OPEN_LIMIT} questions are open" in prose(DOCS / "approvals.md")
    assert f"the person has {Settings().human_timeout:g} seconds" in prose(DOCS / "approvals.md")


# --- for those who come from the published packages


def test_every_flag_and_variable_of_the_published_server_is_in_the_table() -> None:
    written = {
        names(flag)[0]: [*names(ours), *names(theirs)] for flag, ours, theirs in transcripts.table(MIGRATING, "flag")
    }
    own = {option.names[-1]: option.field for option in SERVE.options()}
    published = {"server", "timeout", "guard", "l1-enabled", "model", "transport", "host", "port", "version"}
    assert written.keys() == {f"--{name}" for name in published} <= own.keys()
    variables = {key.field: list(key.environment) for key in KEYS}
    assert written == {flag: variables.get(own[flag], []) for flag in written}
    read = {name for key in KEYS for name in key.environment if name.startswith("PHOCINAE_MCP_")}
    assert read == {name for found in written.values() for name in found if name.startswith("PHOCINAE_MCP_")}


def test_what_is_said_of_the_published_gate_s_options_names_options_of_ours() -> None:
    ours = {name for option in GATE.options() for name in option.names}
    settings = {key.toml for key in KEYS}
    tables = {key.toml.partition(".")[0] for key in KEYS}
    for _, here in transcripts.table(MIGRATING, "published"):
        for name in names(here):
            if name.startswith("--"):
                assert name.split()[0] in ours
            elif name.partition(".")[0] in tables:
                assert name.split(" ")[0] in settings


# --- how it is built


def test_every_port_is_on_the_page_and_so_is_what_is_built_in() -> None:
    rows = transcripts.table(DOCS / "architecture.md", "port")
    assert sorted(names(port)[0] for port, *_ in rows) == sorted(ports.__all__)


def test_the_page_on_the_architecture_names_files_that_are_there() -> None:
    package = Path(commands.__file__).parent.parent
    page = prose(DOCS / "architecture.md")
    files = re.findall(r"`([a-z_0-9/]+(?:\.py|/))`", page)
    assert len(files) > 8
    assert [name for name in files if not (package / name).exists() and not (transcripts.ROOT / name).exists()] == []
    modules = [
        name for cell, _ in transcripts.table(DOCS / "architecture.md", "module of `domain`") for name in names(cell)
    ]
    missing = [name for name in modules if not list((package / "domain").glob(f"{name}*"))]
    assert len(modules) > 10
    assert missing == []


def test_the_limits_of_the_reader_are_on_its_page() -> None:
    page = prose(DOCS / "shell-reader.md")
    for limit in (f"more than {COMMAND_LIMIT:,} characters", f"a clock of {SECONDS * 1000:.0f} milliseconds"):
        assert limit in page
    assert MOST_LEVELS == 12
    assert "to a depth of twelve" in page


# --- data


@pytest.mark.parametrize("row", transcripts.table(CORPUS / "README.md", "file"), ids=lambda row: names(row[0])[0])
def test_a_data_file_holds_what_its_page_says(row: list[str]) -> None:
    name, fields, count, _ = row
    lines = (CORPUS / names(name)[0]).read_text(encoding="utf-8").splitlines()
    entries = [json.loads(line) for line in lines]
    assert len(entries) == int(count.replace(",", ""))
    known = set(names(fields))
    needed = known - set(re.findall(r"`(\w+)`\?", fields))
    assert [entry for entry in entries if not needed <= entry.keys() <= known] == []
    assert len({entry.get("id") or (entry["command"], entry.get("cwd")) for entry in entries}) == len(entries)


def test_every_data_file_has_its_row() -> None:
    rows = [names(row[0])[0] for row in transcripts.table(CORPUS / "README.md", "file")]
    assert sorted(rows) == sorted(path.name for path in CORPUS.glob("*.jsonl"))
