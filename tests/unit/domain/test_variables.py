"""The shell's state: copied where a shell forks, joined where paths meet."""

from __future__ import annotations

import pytest

from phocinae.domain.shell import Command
from phocinae.domain.values import CWD, HOLE, HOME, LONGEST, NUMBER, Field, Taint
from phocinae.domain.variables import SECRET_NAME, Variables

BODY = Command((), (), (), 0, 0)
OTHER = Command((), (), (), 1, 1)


def test_what_is_known_at_the_start() -> None:
    state = Variables()
    assert state.get("HOME") == (HOME, Taint.NONE)
    assert state.get("PWD") == (CWD, Taint.NONE)
    assert state.get("x") is None
    assert Variables("/etc").get("PWD") == ("/etc", Taint.NONE)


def test_a_copy_is_a_state_of_its_own() -> None:
    state = Variables()
    state.functions["f"] = (BODY,)
    copy = state.copy()
    copy.set("x", ("1", Taint.NONE))
    copy.functions["g"] = (BODY,)
    copy.cwd = "/"
    assert state.get("x") is None
    assert state.functions == {"f": (BODY,)}
    assert state.cwd == CWD
    assert not state.same(copy)
    assert state.same(state.copy())


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        (("a", Taint.NONE), ("a", Taint.NONE), ("a", Taint.NONE)),
        (("a", Taint.NONE), ("b", Taint.NONE), (HOLE, Taint.NONE)),
        (("a", Taint.REMOTE), ("a", Taint.SECRET), (HOLE, Taint.REMOTE | Taint.SECRET)),
        (("1", Taint.NONE), ("2", Taint.NONE), (NUMBER, Taint.NONE)),
        (("1", Taint.NONE), (NUMBER, Taint.NONE), (NUMBER, Taint.NONE)),
        (("1", Taint.NONE), ("x", Taint.NONE), (HOLE, Taint.NONE)),
        (("1", Taint.REMOTE), None, (HOLE, Taint.REMOTE)),
        (None, ("1", Taint.REMOTE), (HOLE, Taint.REMOTE)),
    ],
)
def test_a_joined_variable_is_what_both_agree_on(
    left: tuple[str, int] | None, right: tuple[str, int] | None, joined: tuple[str, int]
) -> None:
    one, two = Variables(), Variables()
    if left is not None:
        one.set("x", left)
    if right is not None:
        two.set("x", right)
    one.join(two)
    assert one.get("x") == joined


def test_joining_keeps_every_body_of_a_function_once() -> None:
    one, two = Variables(), Variables()
    one.functions["f"] = (BODY,)
    two.functions["f"] = (OTHER, BODY)
    one.join(two)
    one.join(two)
    assert one.functions["f"] == (BODY, OTHER)


def test_joining_forgets_parameters_and_directory_that_differ() -> None:
    one, two = Variables(), Variables("/x")
    one.positional = [Field("a")]
    two.exported, two.sockets = frozenset({"A"}), frozenset({"5"})
    one.join(two)
    assert one.positional is None
    assert (one.cwd, one.exported, one.sockets) == (HOLE, frozenset({"A"}), frozenset({"5"}))


def test_a_value_that_is_too_long_is_unknown() -> None:
    state = Variables()
    state.set("x", ("a" * (LONGEST + 1), Taint.REMOTE))
    assert state.get("x") == (HOLE, Taint.REMOTE)


def test_a_change_of_ifs_is_remembered() -> None:
    state, other = Variables(), Variables()
    other.set("IFS", (":", Taint.NONE))
    state.join(other)
    assert state.ifs_changed


def test_forgetting_all_keeps_where_values_came_from() -> None:
    state = Variables("/x")
    state.set("x", ("a", Taint.REMOTE))
    state.positional = []
    state.forget_all()
    assert state.get("x") == (HOLE, Taint.REMOTE)
    assert state.positional is None
    assert (state.cwd, state.ifs_changed) == (HOLE, True)


def test_another_shell_knows_its_environment_alone() -> None:
    state = Variables("/x")
    state.set("a", ("1", Taint.NONE))
    state.set("b", ("2", Taint.NONE))
    state.set("IFS", (":", Taint.NONE))
    state.functions["f"] = (BODY,)
    state.positional = [Field("p")]
    state.exported = frozenset({"b"})
    child = state.child()
    assert (child.get("a"), child.get("b")) == (None, ("2", Taint.NONE))
    assert (child.functions, child.positional, child.cwd, child.ifs_changed) == ({}, None, "/x", False)


HOLDS_SECRETS = """
    GITHUB_TOKEN DB_PASSWORD API_KEY AWS_SECRET_ACCESS_KEY MY_PAT AUTH DB_PASS DATABASE_URL REDIS_URL MONGODB_URI
    SLACK_WEBHOOK_URL STRIPE_KEY SIGNING_KEY SENTRY_DSN JWT BEARER COOKIE DOCKER_AUTH_CONFIG AUTH_SOCKET
""".split()
HOLDS_NONE = """
    PATH HOME PATTERN COMPASS KEYMAP BYPASSED SSH_AUTH_SOCK PASSWORD_STORE_DIR TOKEN_FILE AUTH_HOST PUBLIC_KEY
    KEYBOARD BASE_URL MONKEY
""".split()


@pytest.mark.parametrize("name", HOLDS_SECRETS)
def test_names_of_secrets(name: str) -> None:
    assert SECRET_NAME.search(name)


@pytest.mark.parametrize("name", HOLDS_NONE)
def test_other_names(name: str) -> None:
    assert not SECRET_NAME.search(name)


@pytest.mark.parametrize(
    ("left", "right", "kept"),
    [
        ("x", "/", "/"),
        ("/etc", "x", "/etc"),
        (HOME, "x", HOME),
        ("x", "y", HOLE),
        (None, "/usr", "/usr"),
        (None, "x", HOLE),
    ],
)
def test_a_second_look_keeps_the_worse_of_two(left: str | None, right: str, kept: str) -> None:
    state, other = Variables(guesses=True), Variables(guesses=True)
    if left is not None:
        state.set("x", (left, Taint.NONE))
    other.set("x", (right, Taint.NONE))
    state.join(other)
    assert state.get("x") == (kept, Taint.NONE)
    assert state.merged


def test_a_second_look_keeps_the_worse_of_two_folders() -> None:
    state, other = Variables(guesses=True), Variables("/etc", guesses=True)
    state.join(other)
    assert (state.cwd, state.copy().guesses, state.child().guesses) == ("/etc", True, True)


@pytest.mark.parametrize(
    ("one", "other", "met"),
    [
        ("/a", "/b", HOLE),
        (CWD, f"{HOME}/.ssh", f"{HOME}/.ssh"),
        (f"{HOME}/.aws", "/b", f"{HOME}/.aws"),
        (HOLE, "/run/secrets", "/run/secrets"),
        (HOLE, HOME, HOLE),
    ],
)
def test_where_ways_meet_the_folder_may_be_one_of_secrets(one: str, other: str, met: str) -> None:
    left, right = Variables(one), Variables(other)
    left.join(right)
    assert left.cwd == met
