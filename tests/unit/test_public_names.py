"""The names that users may rely on."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import phocinae

PUBLIC = {
    "Annotations": "catalog.tools",
    "Answers": "domain.questions",
    "Audio": "catalog.content",
    "AuditFailed": "errors",
    "AuditLog": "ports",
    "BackendError": "errors",
    "BadAnswer": "errors",
    "CallContext": "catalog.context",
    "CallFailed": "errors",
    "CallRecord": "catalog.listeners",
    "Choice": "domain.questions",
    "ChoiceAnswer": "domain.questions",
    "Classification": "domain.inference",
    "Client": "catalog.context",
    "Clock": "ports",
    "Decision": "domain.verdict",
    "DecisionBackend": "ports",
    "Delayed": "adapters.backends.scripted",
    "EmbeddedResource": "catalog.content",
    "Ended": "catalog.listeners",
    "Failed": "catalog.tools",
    "FormAnswer": "catalog.context",
    "Freshness": "catalog.resources",
    "GateRequest": "domain.request",
    "GateService": "service.gate",
    "GuardFailed": "errors",
    "Hit": "domain.verdict",
    "HumanAction": "domain.verdict",
    "Image": "catalog.content",
    "InferenceService": "service.inference",
    "InputKind": "catalog.tools",
    "InputRequest": "catalog.tools",
    "InvalidRegistration": "errors",
    "InvalidRequest": "errors",
    "InvalidSettings": "errors",
    "Judge": "ports",
    "Layer": "domain.verdict",
    "Message": "catalog.content",
    "NeedsInput": "catalog.tools",
    "OnBadState": "catalog.tools",
    "PhocinaeError": "errors",
    "PromptArgument": "catalog.prompts",
    "Question": "domain.questions",
    "ReadingStatus": "domain.verdict",
    "Refused": "errors",
    "Rejected": "catalog.tools",
    "ResourceContents": "catalog.content",
    "ResourceLink": "catalog.content",
    "Result": "catalog.content",
    "Routing": "domain.inference",
    "Score": "domain.questions",
    "ScoreAnswer": "domain.questions",
    "Scoring": "domain.inference",
    "ScriptedBackend": "adapters.backends.scripted",
    "Server": "mcp.conversation",
    "Settings": "settings",
    "ShellReader": "ports",
    "StateRejected": "errors",
    "Text": "catalog.content",
    "TimedOut": "errors",
    "Undecided": "domain.verdict",
    "Unreachable": "errors",
    "Usage": "domain.questions",
    "Verdict": "domain.verdict",
    "Weight": "domain.verdict",
    "YesNo": "domain.questions",
    "YesNoAnswer": "domain.questions",
    "build_asgi_app": "composition.http",
    "build_gate": "composition.gate",
    "build_inference": "composition.inference",
    "build_server": "composition.server",
    "serve_http": "composition.serving",
    "serve_stdio": "composition.serving",
    "strictest": "domain.verdict",
}


def test_the_names_are_these() -> None:
    assert sorted(phocinae.__all__) == sorted([*PUBLIC, "__version__"])
    assert dir(phocinae) == sorted(phocinae.__all__)


@pytest.mark.parametrize(("name", "home"), list(PUBLIC.items()))
def test_a_name_is_the_one_of_its_module(name: str, home: str) -> None:
    assert getattr(phocinae, name) is getattr(import_module(f"phocinae.{home}"), name)


def test_every_error_is_public() -> None:
    errors = import_module("phocinae.errors")
    named = {name for name, value in vars(errors).items() if isinstance(value, type)}
    assert named == {name for name, home in PUBLIC.items() if home == "errors"}


def test_the_version_is_that_of_the_distribution() -> None:
    assert phocinae.__version__ == version("phocinae")


def test_any_other_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'build_gates'"):
        getattr(phocinae, "build_gates")  # noqa: B009  # a type checker refuses the plain form


def test_all_names_can_be_imported_at_once(tmp_path: Path) -> None:
    check = "from phocinae import *; assert Decision.DENY; assert build_gate; assert __version__"
    subprocess.run([sys.executable, "-I", "-c", check], check=True, cwd=tmp_path, timeout=60)


def test_type_checkers_see_the_same_names() -> None:
    source = Path(phocinae.__file__ or "").read_text(encoding="utf-8")
    declared = {
        line.rsplit(" as ", 1)[1] for line in source.splitlines() if line.startswith("    from .") and " as " in line
    }
    assert declared == set(phocinae.__all__)


def test_the_package_says_that_it_is_typed() -> None:
    assert Path(phocinae.__file__ or "").with_name("py.typed").exists()
