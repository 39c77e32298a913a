from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from decision_service import DecisionStub, answering, json_reply

from phocinae.adapters import settings_sources
from phocinae.adapters.backends.http import HttpBackend
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.composition.backend import build_backend
from phocinae.domain.questions import Score
from phocinae.errors import InvalidSettings, Refused
from phocinae.settings import Given, Settings, Source, merge


def test_the_service_of_the_settings_is_asked_with_their_model_and_token(tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("s3cret\n")
    token.chmod(0o600)
    with DecisionStub(answering(score=9)) as stub:
        settings = Settings(server=stub.url, model="another", token_file=str(token))
        backend = build_backend(settings)
        assert isinstance(backend, HttpBackend)
        backend.answer((Score("risk"),), "text", 20.0)
        backend.close()
    (request,) = stub.received
    assert request.json["model"] == "another"
    assert request.headers["authorization"] == "Bearer s3cret"
    assert "s3cret" not in repr(backend) + repr(settings)


def test_without_a_token_none_is_sent() -> None:
    with DecisionStub(answering()) as stub:
        backend = build_backend(Settings(server=stub.url))
        backend.answer((Score("risk"),), "text", 20.0)
    assert "authorization" not in stub.received[0].headers


def test_a_token_that_cannot_be_used_is_found_before_anything_is_asked(tmp_path: Path) -> None:
    open_to_all = tmp_path / "token"
    open_to_all.write_text("s3cret")
    open_to_all.chmod(0o644)
    with pytest.raises(InvalidSettings, match="can be read by others") as caught:
        build_backend(Settings(token_file=str(open_to_all)))
    assert "s3cret" not in str(caught.value)
    assert isinstance(build_backend(Settings(token_file=str(open_to_all), backend="mock")), ScriptedBackend)


def test_a_mock_is_asked_where_the_settings_say_so() -> None:
    backend = build_backend(evolve(Settings(), backend="mock"))
    assert isinstance(backend, ScriptedBackend)
    assert backend.answer((Score("risk"),), "text", 1.0).model == "mock"


@pytest.mark.parametrize("by", ["option", "PHOCINAE_SERVER", "PHOCINAE_MCP_SERVER"])
@pytest.mark.parametrize("named", [True, False])
def test_a_server_of_options_or_the_environment_does_not_get_the_token_of_the_files(
    tmp_path: Path, by: str, named: bool
) -> None:
    token, config = tmp_path / "token", tmp_path / "config.toml"
    token.write_text("s3cret\n")
    token.chmod(0o600)
    with DecisionStub(answering()) as own, DecisionStub(lambda _request: json_reply(401, {})) as foreign:
        config.write_text(f'[l1]\ntoken_file = "{token}"\n' + f'server = "{own.url}"\n' * named)
        flags = [Given(Source.FLAG, "server", foreign.url, "option --server")] if by == "option" else []
        environment = {} if by == "option" else {by: foreign.url}
        effective = merge(
            settings_sources.gather(flags, config=str(config), environment=environment, managed="/none", folders=())
        )
        with pytest.raises(Refused, match="wants a token") as caught:
            build_backend(effective.settings).answer((Score("risk"),), "text", 20.0)
    assert [request.headers.get("authorization") for request in foreign.received] == [None]
    assert own.received == []
    assert "only where the settings files name that server" in str(caught.value)
    (warning,) = effective.warnings()
    assert "that token is not sent" in warning
    assert "s3cret" not in warning


def test_a_token_file_of_the_environment_is_for_the_server_in_force(tmp_path: Path) -> None:
    token, config = tmp_path / "token", tmp_path / "config.toml"
    token.write_text("s3cret\n")
    token.chmod(0o600)
    config.write_text('[l1]\ntoken_file = "/nowhere"\n')
    with DecisionStub(answering()) as stub:
        environment = {"PHOCINAE_SERVER": stub.url, "PHOCINAE_TOKEN_FILE": str(token)}
        effective = merge(
            settings_sources.gather(config=str(config), environment=environment, managed="/none", folders=())
        )
        build_backend(effective.settings).answer((Score("risk"),), "text", 20.0)
    assert [request.headers["authorization"] for request in stub.received] == ["Bearer s3cret"]
    assert effective.warnings() == []
