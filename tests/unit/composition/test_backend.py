from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve
from decision_service import DecisionStub, answering

from phocinae.adapters.backends.http import HttpBackend
from phocinae.adapters.backends.scripted import ScriptedBackend
from phocinae.composition.backend import build_backend
from phocinae.domain.questions import Score
from phocinae.errors import InvalidSettings
from phocinae.settings import Settings


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
