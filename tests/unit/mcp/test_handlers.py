"""Operations against the catalog: what is refused, what is at once, what is waited for, and what fails."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from phocinae.catalog.completions import Completed, Reference, ReferenceKind
from phocinae.catalog.resources import Contents, NoSuchResource, Resource
from phocinae.catalog.tools import Arguments, Done, Failed, Tool, ToolOutcome
from phocinae.composition.server import silent
from phocinae.mcp.calls import Pending
from phocinae.mcp.conversation import Server
from phocinae.mcp.jsonrpc import ErrorCode, Refusal
from phocinae.mcp.operations import (
    CallTool,
    Complete,
    Empty,
    Initialize,
    Listed,
    Listing,
    Query,
    ReadResource,
)
from phocinae.mcp.paging import Page
from phocinae.mcp.revisions import LEGACY

POLICY = "phocinae://policy/gate-approval"


def test_lists_come_in_the_order_of_the_catalog(server: Server) -> None:
    handlers = server.handlers
    tools, resources = handlers.begin(Listing(Listed.TOOLS), silent), handlers.begin(Listing(Listed.RESOURCES), silent)
    assert isinstance(tools, Page)
    built_in = ["gate", "classify", "route", "score"]
    assert [entry.name for entry in tools.entries] == [*built_in, "wait", "fail", "broken", "nan"]
    assert isinstance(resources, Page)
    assert [entry.uri for entry in resources.entries if isinstance(entry, Resource)] == [
        POLICY,
        "phocinae://policy/effective",
        "phocinae://manifest",
        "test://broken",
    ]


@pytest.mark.parametrize("listed", [Listed.TEMPLATES, Listed.PROMPTS])
def test_lists_of_what_there_is_none_of_are_empty(server: Server, listed: Listed) -> None:
    assert server.handlers.begin(Listing(listed), silent) == Page()


@pytest.mark.parametrize("listed", Listed)
def test_a_cursor_that_was_not_given_out_is_refused(server: Server, listed: Listed) -> None:
    refusal = server.handlers.begin(Listing(listed, "x"), silent)
    assert isinstance(refusal, Refusal)
    assert refusal.code is ErrorCode.INVALID_PARAMS


@pytest.mark.parametrize("operation", [Query.DISCOVER, Initialize(LEGACY[0])])
def test_who_asks_for_the_server_gets_it(server: Server, operation: Query | Initialize) -> None:
    assert server.handlers.begin(operation, silent) is server.handlers.about


@pytest.mark.parametrize("query", [Query.PING, Query.SHUTDOWN])
def test_there_is_nothing_to_say_to_the_rest(server: Server, query: Query) -> None:
    assert server.handlers.begin(query, silent) is Empty.EMPTY


def test_nothing_is_completed_where_nothing_is_registered(server: Server) -> None:
    wish = Complete(Reference(ReferenceKind.PROMPT, "x"), "y", "z")
    assert server.handlers.begin(wish, silent) == Completed()


def test_a_resource_is_read_at_its_exact_uri(server: Server) -> None:
    page = server.handlers.begin(ReadResource(POLICY), silent)
    assert isinstance(page, Contents)
    assert str(page.parts[0].content).startswith("# Approval policy")
    assert server.handlers.begin(ReadResource(POLICY + "/"), silent) == NoSuchResource(POLICY + "/")


def test_an_unknown_tool_is_refused_by_its_name_in_printable_letters(server: Server) -> None:
    refusal = server.handlers.begin(CallTool("\x1b[31m" + "x" * 1000, {}), silent)
    assert isinstance(refusal, Refusal)
    assert refusal.code is ErrorCode.INVALID_PARAMS
    assert refusal.message.isprintable()
    assert len(refusal.message) < 150


def test_arguments_that_do_not_fit_are_refused_with_the_place(server: Server) -> None:
    refusal = server.handlers.begin(CallTool("gate", {"command": 5}), silent)
    assert refusal == Refusal(ErrorCode.INVALID_PARAMS, "Invalid params: gate: command must be of type string")


def test_a_quick_tool_is_done_at_once(server: Server) -> None:
    assert isinstance(server.handlers.begin(CallTool("gate", {"command": "ls"}), silent), Done)


def test_a_slow_tool_is_finished_or_given_up_later(server: Server) -> None:
    pending = server.handlers.begin(CallTool("wait", {"for": 2}), silent)
    assert isinstance(pending, Pending)
    assert pending.finish() == Done({"waited": 2})
    assert isinstance(pending.give_up(), Failed)


def test_a_tool_that_raises_has_failed(server: Server) -> None:
    pending = server.handlers.begin(CallTool("broken", {}), silent)
    assert isinstance(pending, Pending)
    assert pending.finish() == Failed("The tool broken failed (LookupError).")


@pytest.mark.parametrize(
    "error",
    [SystemExit(0), RecursionError(), MemoryError(), StopIteration(), GeneratorExit(), asyncio.CancelledError()],
)
def test_a_tool_cannot_end_the_server(
    server_with: Callable[..., Server], tool_called: Callable[..., Tool], error: BaseException
) -> None:
    def raising(_arguments: Arguments) -> ToolOutcome:
        raise error

    quick, slow = tool_called("quick", raising, at_once=raising), tool_called("slow", raising, gave_up=raising)
    handlers = server_with(quick, slow).handlers
    assert isinstance(handlers.begin(CallTool("quick", {}), silent), Failed)
    pending = handlers.begin(CallTool("slow", {}), silent)
    assert isinstance(pending, Pending)
    assert isinstance(pending.finish(), Failed)
    assert isinstance(pending.give_up(), Failed)


def test_an_interruption_of_a_worker_is_a_failure_and_one_of_the_main_thread_ends_the_program(
    server_with: Callable[..., Server], tool_called: Callable[..., Tool]
) -> None:
    def raising(_arguments: Arguments) -> ToolOutcome:
        raise KeyboardInterrupt

    pending = server_with(tool_called("slow", raising)).handlers.begin(CallTool("slow", {}), silent)
    assert isinstance(pending, Pending)
    with ThreadPoolExecutor(1) as pool:
        assert isinstance(pool.submit(pending.finish).result(), Failed)
    with pytest.raises(KeyboardInterrupt):
        pending.finish()
