"""Bytes to messages and back: everything that is not exactly a message is refused, and every answer is strict JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phocinae.domain.strict_json import DEPTH_LIMIT
from phocinae.mcp.jsonrpc import (
    BATCH_LIMIT,
    FRAME_LIMIT,
    BadFrame,
    Batch,
    ErrorCode,
    Notification,
    Refusal,
    Reply,
    Request,
    Response,
    decode,
    encode,
    encode_batch,
)


def refused(frame: bytes) -> BadFrame:
    found = decode(frame)
    assert isinstance(found, BadFrame), found
    return found


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


IDS = ["7", "", "007", " 7 ", "1_0", "名-é", 0, -3, 10, 2**53 + 1, 1234567890123456789012345, 10**4299]


@pytest.mark.parametrize("ident", IDS)
def test_an_id_comes_back_with_its_type_and_value(ident: str | int) -> None:
    found = decode(json.dumps({"jsonrpc": "2.0", "id": ident, "method": "m"}).encode())
    assert found == Request(id=ident, method="m", params={})
    assert type(found.id) is type(ident)
    again = json.loads(encode(Reply(found.id, {})))
    assert again == {"jsonrpc": "2.0", "id": ident, "result": {}}
    assert type(again["id"]) is type(ident)


def test_a_request_keeps_its_parameters_and_ignores_unknown_members() -> None:
    found = decode(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[1,{"b":null}]},"extra":true}')
    assert found == Request(id=1, method="m", params={"a": [1, {"b": None}]})


def test_null_parameters_count_as_none() -> None:
    assert decode(b'{"jsonrpc":"2.0","id":1,"method":"m","params":null}') == Request(id=1, method="m", params={})


def test_a_message_without_an_id_is_a_notification_whatever_its_parameters() -> None:
    assert decode(b'{"jsonrpc":"2.0","method":"tools/call","params":{"a":1}}') == Notification("tools/call", {"a": 1})
    assert decode(b'{"jsonrpc":"2.0","method":"tools/call","params":[1]}') == Notification("tools/call", {})


@pytest.mark.parametrize("frame", [b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"id":"a","error":{"code":1}}'])
def test_a_response_is_told_apart(frame: bytes) -> None:
    assert isinstance(decode(frame), Response)


@pytest.mark.parametrize(
    "frame",
    [
        b"nonsense",
        b"{]",
        b'{"jsonrpc": "2.0", "id": 1, ',
        b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}',
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"m"}',
        '{"jsonrpc":"2.0","id":1,"method":"m"}'.encode("utf-16"),
        b'{"jsonrpc":"2.0","id":1,"method":"\xed\xa0\x80"}',  # a surrogate written as if UTF-8 could
        b'{"jsonrpc":"2.0","id":1,"method":"a\tb"}',
        b'{"jsonrpc":"2.0","id":1,"method":"m"} {}',
        b'{"jsonrpc":"2.0","id":NaN,"method":"m"}',
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":Infinity}}',
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"x":-Infinity}}',
        b'{"jsonrpc":"2.0","id":1e400,"method":"m"}',
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"m"}',
        nested(DEPTH_LIMIT + 1),
        nested(100_000),
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"jsonrpc":"2.0","id":77,"method":"m","params":{"x":' + nested(50_000) + b"}}",
        b"",
    ],
)
def test_what_is_no_json_is_a_parse_error_without_an_id(frame: bytes) -> None:
    found = refused(frame)
    assert (found.refusal.code, found.id) == (ErrorCode.PARSE_ERROR, None)
    assert "id" not in json.loads(encode(Reply(found.id, found.refusal)))


@pytest.mark.parametrize("frame", [b"[]", b"5", b'"x"', b"null", b"true", b"1.5", b"{}"])
def test_json_that_is_no_message_is_an_invalid_request(frame: bytes) -> None:
    assert refused(frame).refusal.code is ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize("ident", ["null", "true", "false", "1.0", "1e2", "[1]", '{"a":1}'])
def test_an_id_of_a_wrong_type_is_refused_and_not_repeated(ident: str) -> None:
    found = refused(f'{{"jsonrpc":"2.0","id":{ident},"method":"m"}}'.encode())
    assert (found.refusal.code, found.id) == (ErrorCode.INVALID_REQUEST, None)


@pytest.mark.parametrize(
    "members",
    ['"jsonrpc":"1.0","method":"m"', '"jsonrpc":2.0,"method":"m"', '"method":"m"', '"jsonrpc":"2.0"']
    + [f'"jsonrpc":"2.0","method":{method}' for method in ("5", "null", "[]")],
)
def test_a_broken_envelope_is_refused_under_the_id_that_could_be_read(members: str) -> None:
    found = refused(f'{{"id":"a",{members}}}'.encode())
    assert (found.refusal.code, found.id) == (ErrorCode.INVALID_REQUEST, "a")


@pytest.mark.parametrize("params", ["[1]", "[]", '"x"', "5", "false"])
def test_parameters_that_are_no_object_are_refused(params: str) -> None:
    found = refused(f'{{"jsonrpc":"2.0","id":3,"method":"m","params":{params}}}'.encode())
    assert (found.refusal.code, found.id) == (ErrorCode.INVALID_PARAMS, 3)


@pytest.mark.parametrize(
    ("frame", "ident"),
    [
        (b'{"jsonrpc":"2.0","id":9,"method":"a","method":"b"}', 9),
        (b'{"jsonrpc":"2.0","id":9,"method":"a","params":{"command":"ls","command":"rm"}}', 9),
        (b'{"jsonrpc":"2.0","id":9,"id":9,"method":"a"}', None),
        (b'{"jsonrpc":"2.0","id":{"a":1,"a":2},"method":"a"}', None),
        (b'{"jsonrpc":"2.0","id":9,"method":"a","params":{"a":1,"a":2}, and so on', None),
    ],
)
def test_a_key_that_stands_twice_is_refused_anywhere(frame: bytes, ident: int | None) -> None:
    found = refused(frame)
    assert (found.refusal.code, found.id) == (ErrorCode.INVALID_REQUEST, ident)


@pytest.mark.parametrize(
    ("frame", "ident"),
    [
        (rb'{"jsonrpc":"2.0","id":"\ud800","method":"m"}', None),
        (rb'{"jsonrpc":"2.0","id":8,"method":"m","params":{"command":"echo \uDCFF"}}', 8),
        (rb'{"jsonrpc":"2.0","id":8,"method":"m","params":{"\ud83d":1}}', 8),
    ],
)
def test_half_of_a_surrogate_pair_is_refused(frame: bytes, ident: int | None) -> None:
    found = refused(frame)
    assert (found.refusal.code, found.id) == (ErrorCode.INVALID_REQUEST, ident)


@pytest.mark.parametrize("value", ["9" * 5000, "1e400", "[" * 100 + "]" * 100], ids=["digits", "range", "depth"])
def test_what_is_past_a_limit_is_refused_under_its_id(value: str) -> None:
    found = refused(f'{{"jsonrpc":"2.0","id":77,"method":"m","params":{{"x":{value}}}}}'.encode())
    assert (found.refusal.code, found.id) == (ErrorCode.PARSE_ERROR, 77)


AMBIGUOUS = [rb'"x":"\ud800"', b'"x":1,"x":2', b'"x":1e400']


@pytest.mark.parametrize("member", AMBIGUOUS)
def test_a_notification_that_is_refused_is_still_not_answered(member: bytes) -> None:
    sent = b'{"jsonrpc":"2.0","method":"notifications/initialized","params":{' + member + b"}}"
    assert decode(sent) == Notification("", {})


@pytest.mark.parametrize("member", AMBIGUOUS)
def test_a_response_that_is_refused_is_still_not_answered(member: bytes) -> None:
    assert decode(b'{"jsonrpc":"2.0","id":1,"result":{' + member + b"}}") == Response(1, failed=True)


@pytest.mark.parametrize("member", AMBIGUOUS)
def test_a_batch_that_is_refused_is_refused_under_each_of_its_ids(member: bytes) -> None:
    found = decode(
        b'[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","method":"n"},7,'
        b'{"jsonrpc":"2.0","id":"b","method":"m","params":{' + member + b"}}]"
    )
    assert isinstance(found, Batch)
    assert found.messages[1] == Notification("", {})
    rest = [message for message in found.messages if isinstance(message, BadFrame)]
    assert [message.id for message in rest] == [1, None, "b"]
    one = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{' + member + b"}}"
    assert refused(b"[" + b",".join([one] * (BATCH_LIMIT + 1)) + b"]").id is None


def test_a_whole_surrogate_pair_and_a_backslash_in_front_of_u_are_texts_like_any_other() -> None:
    found = decode(rb'{"jsonrpc":"2.0","id":1,"method":"\ud83d\ude00","params":{"a":"\\ud800"}}')
    assert found == Request(id=1, method="😀", params={"a": r"\ud800"})


def test_a_batch_holds_its_messages_in_order() -> None:
    found = decode(b'[{"jsonrpc":"2.0","id":1,"method":"m"},{"jsonrpc":"2.0","method":"n"},7,[]]')
    assert isinstance(found, Batch)
    first, second, *bad = found.messages
    assert (first, second) == (Request(id=1, method="m", params={}), Notification("n", {}))
    assert [isinstance(message, BadFrame) for message in bad] == [True, True]


def test_a_batch_has_a_limit() -> None:
    one = b'{"jsonrpc":"2.0","id":1,"method":"m"}'
    assert isinstance(decode(b"[" + b",".join([one] * BATCH_LIMIT) + b"]"), Batch)
    assert refused(b"[" + b",".join([one] * (BATCH_LIMIT + 1)) + b"]").refusal.code is ErrorCode.INVALID_REQUEST


@given(st.integers(1, 2 * DEPTH_LIMIT), st.text('[]{}"\\ax', max_size=100), st.booleans())
def test_depth_is_counted_outside_of_texts_only(depth: int, text: str, sibling: bool) -> None:
    quoted = json.dumps(text)
    inner = f"[{quoted},[{quoted}]]" if sibling else f"[{quoted}]"
    levels = depth + (2 if sibling else 1)
    frame = (f"[{quoted}," * depth + inner + "]" * depth).encode()
    too_deep = refused(frame).refusal.code is ErrorCode.PARSE_ERROR if levels > DEPTH_LIMIT else False
    assert too_deep == (levels > DEPTH_LIMIT)
    if levels <= DEPTH_LIMIT:
        assert not (isinstance(found := decode(frame), BadFrame) and found.refusal.code is ErrorCode.PARSE_ERROR)


@pytest.mark.parametrize("end", [b"", b"\n", b"\\", b'"', b'"}'])
@pytest.mark.parametrize("unit", [rb"\"[", rb"\"", b"[", b'"[', rb"\\[", rb"\\\"[", b'",["', b"\\", b'"'])
def test_the_longest_hostile_frame_is_read_once(unit: bytes, end: bytes) -> None:
    frame = (b'{"a":"' + unit * (FRAME_LIMIT // len(unit)))[: FRAME_LIMIT - len(end)] + end
    assert isinstance(decode(frame), BadFrame)  # a quadratic pass would take hours


@given(st.text('[]{}"\\a', max_size=200))
def test_brackets_in_a_text_that_is_never_closed_are_no_depth(text: str) -> None:
    inside = json.dumps(text + "[" * (DEPTH_LIMIT + 1))[:-1]
    assert refused(inside.encode()).refusal.message == "Parse error: not JSON"


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_it_raise(frame: bytes) -> None:
    assert isinstance(decode(frame), BadFrame | Batch | Notification | Request | Response)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


def no_constant(name: str) -> None:
    raise AssertionError(name)


@given(st.dictionaries(st.text(max_size=5), JSON, max_size=4))
def test_every_answer_is_one_line_of_strict_utf8_json(result: dict[str, Any]) -> None:
    frame = encode(Reply(1, result))
    assert b"\n" not in frame
    answer = json.loads(frame.decode("utf-8"), parse_constant=no_constant)
    assert answer["id"] == 1
    assert ("result" in answer) != ("error" in answer)


@pytest.mark.parametrize("value", [float("nan"), float("-inf"), object(), {1, 2}, b"x"])
def test_a_result_that_is_no_json_becomes_an_internal_error(value: object) -> None:
    answer = json.loads(encode(Reply("a", {"value": value})))
    assert (answer["id"], answer["error"]["code"]) == ("a", ErrorCode.INTERNAL_ERROR)


def test_a_result_that_holds_itself_becomes_an_internal_error() -> None:
    loop: dict[str, Any] = {}
    loop["loop"] = loop
    assert json.loads(encode(Reply(1, loop)))["error"]["code"] == ErrorCode.INTERNAL_ERROR


def test_half_of_a_surrogate_pair_is_replaced_in_an_answer() -> None:
    assert json.loads(encode(Reply(1, {"text": "a\ud800b", "emoji": "😀"})))["result"] == {"text": "a?b", "emoji": "😀"}


def test_an_error_carries_code_message_and_data_and_no_result() -> None:
    refusal = Refusal(ErrorCode.INVALID_PARAMS, "no", {"uri": "x"})
    assert json.loads(encode(Reply(1, refusal))) == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32602, "message": "no", "data": {"uri": "x"}},
    }
    assert "data" not in json.loads(encode(Reply(1, Refusal(ErrorCode.INVALID_PARAMS, "no"))))["error"]


def test_a_batch_of_answers_is_one_array() -> None:
    answers = json.loads(encode_batch([Reply(1, {}), Reply(None, Refusal(ErrorCode.INVALID_REQUEST, "no"))]))
    assert [answer.get("id") for answer in answers] == [1, None]
