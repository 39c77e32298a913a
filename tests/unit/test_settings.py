from __future__ import annotations

import re
import socket
from typing import Any

import pytest
from attrs import evolve, fields
from hypothesis import example, given
from hypothesis import strategies as st
from loosening import LOOSER, STRICTER

from phocinae.adapters.backends.endpoint import endpoint_of
from phocinae.domain.questions import RISK_HIGH, RISK_LOW
from phocinae.domain.verdict import Decision
from phocinae.errors import InvalidSettings
from phocinae.settings import KEYS, Given, Settings, Source, check, key_of, merge
from phocinae.settings.origins import origin

ALIASES = {
    "server": "PHOCINAE_MCP_SERVER",
    "timeout": "PHOCINAE_MCP_TIMEOUT",
    "guard": "PHOCINAE_MCP_GUARD_PATH",
    "l1_enabled": "PHOCINAE_MCP_L1_ENABLED",
    "model": "PHOCINAE_MCP_MODEL",
    "transport": "PHOCINAE_MCP_TRANSPORT",
    "port": "PHOCINAE_MCP_HTTP_PORT",
}


def one(source: Source, field: str, value: object) -> Given:
    return Given(source, field, value, f"{source.value}: {field}")


def as_text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def spelled(source: Source, field: str, value: object) -> Given:
    """Return the value as that source would give it: text from options and variables."""
    return one(source, field, as_text(value) if source in (Source.FLAG, Source.ENVIRONMENT) else value)


def settled(field: str, value: object) -> object:
    return key_of(field).check(value)


def test_every_field_has_one_row_and_every_row_a_field() -> None:
    assert [key.field for key in KEYS] == [attribute.name for attribute in fields(Settings)]
    assert set(LOOSER) == {key.field for key in KEYS}
    assert len({key.toml for key in KEYS}) == len(KEYS)


def test_a_name_that_is_no_field_has_no_row() -> None:
    with pytest.raises(KeyError):
        key_of("fail_close")


def test_variables_are_ours_first_and_then_the_published_ones() -> None:
    for key in KEYS:
        if key.field == "enabled":  # who starts a gate must not be able to switch it off
            assert key.environment == ()
            continue
        alias = ALIASES.get(key.field)
        assert key.environment == (f"PHOCINAE_{key.field.upper()}", *([alias] if alias else []))


def test_the_defaults_can_be_used() -> None:
    assert check(Settings()) == Settings()
    assert merge(()).settings == Settings()


def test_risks_have_the_range_of_the_answers() -> None:
    for field in ("score_deny", "score_ask"):
        key = key_of(field)
        assert key.check(RISK_LOW) == RISK_LOW
        assert key.check(RISK_HIGH) == RISK_HIGH
        for wrong in (RISK_LOW - 1, RISK_HIGH + 1):
            with pytest.raises(ValueError):  # noqa: PT011  # the caller says what is right, so it has no text
                key.check(wrong)


@pytest.mark.parametrize("source", [Source.MANAGED, Source.USER, Source.FLAG, Source.ENVIRONMENT])
@pytest.mark.parametrize("field", list(LOOSER))
def test_a_trusted_source_may_loosen_and_tighten(source: Source, field: str) -> None:
    for value in [LOOSER[field], *([STRICTER[field]] if field in STRICTER else [])]:
        merged = merge([spelled(source, field, value)])
        assert getattr(merged.settings, field) == settled(field, value)
        assert merged.source(field) is source
        assert merged.ignored == ()


@pytest.mark.parametrize(
    ("source", "hook"), [(Source.PROJECT, False), (Source.PROJECT, True), (Source.ENVIRONMENT, True)]
)
@pytest.mark.parametrize("field", list(LOOSER))
def test_a_source_of_the_agent_never_loosens(source: Source, hook: bool, field: str) -> None:
    start = [one(Source.USER, field, STRICTER[field])] if field in STRICTER else []
    before = merge(start, hook=hook).settings
    attempt = spelled(source, field, LOOSER[field])
    merged = merge([attempt, *start], hook=hook)
    assert merged.settings == before
    assert merged.ignored == (attempt,)
    assert merged.source(field) is (Source.USER if start else Source.DEFAULT)


@pytest.mark.parametrize(
    ("source", "hook"), [(Source.PROJECT, False), (Source.PROJECT, True), (Source.ENVIRONMENT, True)]
)
@pytest.mark.parametrize("field", list(STRICTER))
@pytest.mark.parametrize("trusted", [Source.MANAGED, Source.USER, Source.FLAG])
def test_a_source_of_the_agent_may_tighten_what_anyone_set(
    source: Source, hook: bool, field: str, trusted: Source
) -> None:
    loose = spelled(trusted, field, LOOSER[field])
    merged = merge([spelled(source, field, STRICTER[field]), loose], hook=hook)
    assert getattr(merged.settings, field) == settled(field, STRICTER[field])
    assert merged.source(field) is source
    assert merged.ignored == ()


def test_the_nearer_source_wins() -> None:
    rising = [
        one(Source.MANAGED, "port", 1),
        one(Source.USER, "port", 2),
        one(Source.ENVIRONMENT, "port", "3"),
        one(Source.FLAG, "port", "4"),
    ]
    for count in range(1, 5):
        assert merge(rising[:count]).settings.port == count
        assert merge(reversed(rising[:count])).settings.port == count


def test_of_two_options_the_last_counts() -> None:
    assert merge([one(Source.FLAG, "port", "1"), one(Source.FLAG, "port", "2")]).settings.port == 2


def test_two_project_files_add_up() -> None:
    merged = merge([one(Source.PROJECT, "project_code", "deny"), one(Source.PROJECT, "project_code", "ask")])
    assert merged.settings.project_code is Decision.DENY
    assert len(merged.ignored) == 1


def test_a_project_that_says_what_holds_anyway_changes_no_origin() -> None:
    merged = merge([one(Source.PROJECT, "project_code", "allow"), one(Source.PROJECT, "port", 8255)])
    assert merged.origins == ()
    assert merged.ignored == ()


@pytest.mark.parametrize(
    ("field", "text", "value"),
    [
        ("l1_enabled", "1", True),
        ("l1_enabled", "TRUE", True),
        ("l1_enabled", "off", False),
        ("timeout", "5", 5.0),
        ("timeout", "0.5", 0.5),
        ("port", "0", 0),
        ("fail_closed", "ask", Decision.ASK),
        ("server", "https://[::1]:8443/base", "https://[::1]:8443/base"),
        ("server", "http://localhost", "http://localhost"),
        ("guard", "", ""),
        ("guard", "auto", "auto"),
        ("allowed_servers", "http://a", ("http://a",)),
        ("allowed_servers", "http://a , https://b:1/x", ("http://a", "https://b:1/x")),
    ],
)
def test_text_becomes_a_value(field: str, text: str, value: object) -> None:
    found = getattr(merge([one(Source.FLAG, field, text)]).settings, field)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *[("l1_enabled", text) for text in ("", "2", "maybe", "tru", " true")],
        *[("timeout", text) for text in ("", "0", "-1", "nan", "inf", "1e3", "601", "1_0", "٣", "1.2.3", "9" * 50)],
        *[("port", text) for text in ("", "-1", "65536", "80.0", "0x50", "٨", "1_0", "9" * 5000)],
        *[("fail_closed", text) for text in ("allow", "DENY", "", "deny ", "2")],
        *[("project_code", text) for text in ("undecided", "")],
        *[("transport", text) for text in ("sse", "", "HTTP")],
        *[("host", text) for text in ("0.0.0.0", "", "127.0.0.2", "::")],
        *[("model", text) for text in ("", "a\nb", "\u202e", "x" * 201)],
        *[("token_file", text) for text in ("token", "~/token", "/a\0b", "ghp_secret")],
        *[("backend", text) for text in ("", "MOCK", "https")],
        *[("l1_ceiling", text) for text in ("", "deny", "Ask")],
        *[("window", text) for text in ("", "63", "1000001", "320.0")],
        *[("guard", text) for text in ("guard.py", "~/guard.py", "/a\0b", "Auto", "auto ")],
        *[("audit_file", text) for text in ("audit.jsonl", "./a", "/" + "x" * 4097)],
        *[("score_deny", text) for text in ("1", "11", "7.0")],
        *[("allowed_servers", text) for text in ("", ",", "http://a,", "a", "http://a http://b", "http://u:p@a")],
        *[("allowed_servers", text) for text in (",".join(["http://a"] * 101),)],
        *[("log_level", text) for text in ("", "INFO", "trace", "6")],
        *[("log_prefix", text) for text in ("", ".hidden", "-x", "a/b", "..", "a b", "a\0", "é", "x" * 33, "%Y")],
        *[("log_folder", text) for text in ("logs", "~/logs", "/a\0b")],
        *[("noul_deny", text) for text in ("1.1", "-0.1", "nan")],
        *[
            ("server", text)
            for text in (
                "", "127.0.0.1:8155", "ftp://h", "http://", "http://:80", "http://u:p@h", "http://h:0", "http://h:99999",
                "http://h:x", "http://h/?q=1", "http://h/#f", "http://h h", "http://h\n", "http://ħ", "http:/h",
                "http://[::1]80", "http://[::1]:", "http://[]:80", "http://[h]", "http://[1]", "http://h]",
                "http://a,b", "http://%68",
                "http://[::1", "http://[::1]x", "http://h\\x", "http://" + "h" * 2048,
            )
        ],
    ],
)  # fmt: skip
def test_text_that_cannot_be_used_is_refused(field: str, text: str) -> None:
    with pytest.raises(InvalidSettings) as caught:
        merge([one(Source.ENVIRONMENT, field, text)])
    message = str(caught.value)
    assert f"environment: {field}" in message
    assert key_of(field).expects in message
    assert "ghp_secret" not in message


@pytest.mark.parametrize("field", list(LOOSER))
@pytest.mark.parametrize("value", [None, [], {}, "5", 5, True, 0.5, float("nan"), b"deny", object()])
def test_a_file_must_have_exact_types(field: str, value: object) -> None:
    right = {bool: (bool,), int: (int,), float: (int, float), str: (str,), tuple: (list,)}[
        type(getattr(Settings(), field)) if not isinstance(getattr(Settings(), field), Decision) else str
    ]
    given_value = one(Source.USER, field, value)
    if type(value) in right:
        try:
            found = getattr(merge([given_value]).settings, field)
        except InvalidSettings:
            return
        assert (list(found) if isinstance(found, tuple) else found) == value
        return
    with pytest.raises(InvalidSettings):
        merge([given_value])


def test_a_value_is_not_repeated_in_an_error() -> None:
    with pytest.raises(InvalidSettings) as caught:
        merge([one(Source.FLAG, "server", "http://bob:hunter2@host")])
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"fail_closed": Decision.ALLOW},
        {"score_ask": 8},
        {"noul_deny": 0.7},
        {"noul_allow": float("nan")},
        {"timeout": 0.0},
        {"server": "http://u@h"},
        {"port": True},
        {"audit": 1},
    ],
)
def test_settings_of_a_program_are_checked_too(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidSettings) as caught:
        check(evolve(Settings(), **wrong))
    assert next(iter(wrong)) in str(caught.value)


def test_thresholds_of_two_sources_must_agree() -> None:
    with pytest.raises(InvalidSettings, match="contradict") as caught:
        merge([one(Source.USER, "score_deny", 3)])
    assert "user file: score_deny" in str(caught.value)
    assert "score_ask (default)" in str(caught.value)
    both = merge([one(Source.USER, "score_deny", 3), one(Source.FLAG, "score_ask", "3")]).settings
    assert (both.score_ask, both.score_deny) == (3, 3)


FIELDS = st.sampled_from(sorted(LOOSER))


@given(
    st.lists(st.tuples(st.sampled_from([Source.MANAGED, Source.USER, Source.FLAG]), FIELDS, st.booleans())),
    st.lists(st.tuples(st.sampled_from([Source.PROJECT, Source.ENVIRONMENT]), FIELDS, st.booleans())),
)
def test_whatever_the_agent_adds_nothing_gets_looser(
    trusted: list[tuple[Source, str, bool]], hostile: list[tuple[Source, str, bool]]
) -> None:
    def values(rows: list[tuple[Source, str, bool]]) -> list[Given]:
        return [
            spelled(source, field, STRICTER.get(field, LOOSER[field]) if stricter else LOOSER[field])
            for source, field, stricter in rows
        ]

    before = merge(values(trusted), hook=True).settings
    after = merge(values(trusted) + values(hostile), hook=True).settings
    for key in KEYS:
        assert not key.loosens(getattr(before, key.field), getattr(after, key.field))


@pytest.mark.parametrize("source", [Source.MANAGED, Source.USER, Source.FLAG])
def test_a_hook_looks_for_no_guard_program(source: Source) -> None:
    with pytest.raises(InvalidSettings, match="a hook looks for no guard program; give its absolute path"):
        merge([one(source, "guard", "auto")], hook=True)
    assert merge([one(source, "guard", "/opt/guard.py")], hook=True).settings.guard == "/opt/guard.py"


@pytest.mark.parametrize("text", ["auto", "/opt/guard.py", ""])
@pytest.mark.parametrize("hook", [False, True])
def test_a_guard_program_is_nothing_that_a_project_or_the_environment_of_a_hook_may_name(text: str, hook: bool) -> None:
    named = one(Source.USER, "guard", "/srv/guard.py")
    for source in (Source.PROJECT, Source.ENVIRONMENT) if hook else (Source.PROJECT,):
        found = merge([named, one(source, "guard", text)], hook=hook)
        assert found.settings.guard == "/srv/guard.py"
        assert [ignored.source for ignored in found.ignored] == [source]


def test_where_the_token_lies_is_not_shown() -> None:
    assert "token" not in repr(Settings(token_file="/run/secrets/t"))


@pytest.mark.parametrize("field", ["l1_enabled", "server", "model", "backend", "token_file", "window", "guard"])
def test_a_project_and_the_environment_of_a_hook_choose_no_judge(field: str) -> None:
    given = [spelled(source, field, LOOSER[field]) for source in (Source.PROJECT, Source.ENVIRONMENT)]
    found = merge(given, hook=True)
    assert getattr(found.settings, field) == getattr(Settings(), field)
    assert len(found.ignored) == 2


ADDRESSES = {
    "http://127.0.0.1:8155": "default", "http://127.0.0.1:8155/base": "default", "https://127.0.0.1:8155": "https",
    "http://127.0.0.1:8156": "port", "http://localhost:8155": "host", "https://judge.example": "judge",
    "https://JUDGE.example:443/x": "judge", "http://judge.example:443": "plain judge",
}  # fmt: skip
"""Addresses, and a word for the origin of each."""

ANYWHERE = st.dictionaries(st.sampled_from([Source.MANAGED, Source.USER, Source.FLAG, Source.ENVIRONMENT]),
                           st.sampled_from(sorted(ADDRESSES)))  # fmt: skip


@given(ANYWHERE, st.sets(st.sampled_from([Source.MANAGED, Source.USER, Source.ENVIRONMENT])), st.booleans())
def test_the_token_of_a_settings_file_stays_with_the_origin_that_the_files_name(
    servers: dict[Source, str], tokens: set[Source], hook: bool
) -> None:
    given = [spelled(source, "server", url) for source, url in servers.items()]
    given += [spelled(source, "token_file", f"/{source.name}") for source in tokens]
    found = merge(given, hook=hook)
    of_files = servers.get(Source.USER) or servers.get(Source.MANAGED) or Settings().server
    asked = ADDRESSES[found.settings.server]
    if Source.ENVIRONMENT in tokens and not hook:
        assert found.settings.token_file == "/ENVIRONMENT"  # the same person has chosen the server, or left it as it is
        return
    from_file = "/USER" if Source.USER in tokens else "/MANAGED" if Source.MANAGED in tokens else ""
    if asked == ADDRESSES[of_files]:
        assert found.settings.token_file == from_file
        assert found.withheld == ()
    else:
        assert found.settings.token_file == ""
        assert found.source("token_file") is Source.DEFAULT
        assert [one.value for one in found.withheld] == [from_file] * bool(from_file)
    assert len(found.warnings()) == len(found.ignored) + len(found.withheld)


def test_a_token_that_is_held_back_is_told_with_both_places() -> None:
    given = [one(Source.USER, "token_file", "/run/token"), one(Source.ENVIRONMENT, "server", "http://127.0.0.1:9")]
    (warning,) = merge(given).warnings()
    assert warning.startswith(
        "user file: token_file: that token is not sent, because environment: server names another"
    )
    assert "PHOCINAE_TOKEN" in warning
    assert "/run/token" not in warning


AUTHORITIES = st.text("[]:.-_%,;=+ab1f08@\\", max_size=12) | st.builds(
    "".join,
    st.tuples(
        st.sampled_from(
            [
                "[::1]",
                "[::1",
                "::1]",
                "[fe80::1%25lo]",
                "[1::2::3]",
                "[::ffff:127.0.0.1]",
                "[]",
                "127.0.0.1",
                "h-1.x",
                "",
            ]
        ),
        st.sampled_from(["", ":", "x", "[", "]", "::", "@"]),
        st.sampled_from(["", "0", "1", "80", "65535", "65536", "+80", "8_0", "-1", "080", "8\u0660"]),
    ),
)


def is_ipv6(text: str) -> bool:
    try:
        socket.inet_pton(socket.AF_INET6, text.partition("%")[0])
    except (OSError, ValueError):
        return False
    return not text.endswith("%") and text.count("%") < 2


@given(st.sampled_from(["http", "https"]), AUTHORITIES, st.sampled_from(["", "/", "/base/"]))
@example("http", "[::1]80", "")
@example("http", "[::1]:80", "")
def test_an_address_has_a_host_and_perhaps_a_port_and_every_reader_finds_the_same(
    scheme: str, authority: str, path: str
) -> None:
    url = f"{scheme}://{authority}{path}"
    found = re.fullmatch(r"(?:\[([^][]+)\]|([A-Za-z0-9._-]*[A-Za-z0-9][A-Za-z0-9._-]*))(?::([0-9]{1,5}))?", authority)
    sound = (
        found is not None and (found[1] is None or is_ipv6(found[1])) and (not found[3] or 0 < int(found[3]) < 65536)
    )
    if found is None or not sound:
        with pytest.raises(InvalidSettings, match=r"server cannot be used"):
            merge([one(Source.FLAG, "server", url)])
        return
    assert merge([one(Source.FLAG, "server", url)]).settings.server == url
    endpoint = endpoint_of(url, "m")
    port = int(found[3]) if found[3] else {"http": 80, "https": 443}[scheme]
    assert (endpoint.host, endpoint.port, endpoint.authority) == (found[1] or found[2], port, authority)
    assert origin(url) == (scheme, endpoint.host.lower(), port)
