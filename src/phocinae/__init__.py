"""A gate for the shell commands of coding agents: allow, ask or deny, with a reason.

    from phocinae import Decision, build_gate

    gate = build_gate()
    verdict = gate.decide("git status", cwd=".")
    verdict.decision is Decision.ALLOW, verdict.reason, verdict.hits

Nothing that is judged is ever run.  Names are loaded when they are first used, so that
`import phocinae` costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for true; typing itself would double the time of this import
if TYPE_CHECKING:
    from .adapters.backends.scripted import Delayed as Delayed
    from .adapters.backends.scripted import ScriptedBackend as ScriptedBackend
    from .catalog.content import Audio as Audio
    from .catalog.content import EmbeddedResource as EmbeddedResource
    from .catalog.content import Image as Image
    from .catalog.content import Message as Message
    from .catalog.content import ResourceContents as ResourceContents
    from .catalog.content import ResourceLink as ResourceLink
    from .catalog.content import Result as Result
    from .catalog.content import Text as Text
    from .catalog.context import CallContext as CallContext
    from .catalog.context import Client as Client
    from .catalog.context import FormAnswer as FormAnswer
    from .catalog.listeners import CallRecord as CallRecord
    from .catalog.listeners import Ended as Ended
    from .catalog.prompts import PromptArgument as PromptArgument
    from .catalog.resources import Freshness as Freshness
    from .catalog.tools import Annotations as Annotations
    from .catalog.tools import Failed as Failed
    from .catalog.tools import InputKind as InputKind
    from .catalog.tools import InputRequest as InputRequest
    from .catalog.tools import NeedsInput as NeedsInput
    from .catalog.tools import OnBadState as OnBadState
    from .catalog.tools import Rejected as Rejected
    from .composition.gate import build_gate as build_gate
    from .composition.http import build_asgi_app as build_asgi_app
    from .composition.inference import build_inference as build_inference
    from .composition.server import build_server as build_server
    from .composition.serving import serve_http as serve_http
    from .composition.serving import serve_stdio as serve_stdio
    from .domain.inference import Classification as Classification
    from .domain.inference import Routing as Routing
    from .domain.inference import Scoring as Scoring
    from .domain.questions import Answers as Answers
    from .domain.questions import Choice as Choice
    from .domain.questions import ChoiceAnswer as ChoiceAnswer
    from .domain.questions import Question as Question
    from .domain.questions import Score as Score
    from .domain.questions import ScoreAnswer as ScoreAnswer
    from .domain.questions import Usage as Usage
    from .domain.questions import YesNo as YesNo
    from .domain.questions import YesNoAnswer as YesNoAnswer
    from .domain.request import GateRequest as GateRequest
    from .domain.verdict import Decision as Decision
    from .domain.verdict import Hit as Hit
    from .domain.verdict import HumanAction as HumanAction
    from .domain.verdict import Layer as Layer
    from .domain.verdict import ReadingStatus as ReadingStatus
    from .domain.verdict import Undecided as Undecided
    from .domain.verdict import Verdict as Verdict
    from .domain.verdict import Weight as Weight
    from .domain.verdict import strictest as strictest
    from .errors import AuditFailed as AuditFailed
    from .errors import BackendError as BackendError
    from .errors import BadAnswer as BadAnswer
    from .errors import CallFailed as CallFailed
    from .errors import GuardFailed as GuardFailed
    from .errors import InvalidRegistration as InvalidRegistration
    from .errors import InvalidRequest as InvalidRequest
    from .errors import InvalidSettings as InvalidSettings
    from .errors import PhocinaeError as PhocinaeError
    from .errors import Refused as Refused
    from .errors import StateRejected as StateRejected
    from .errors import TimedOut as TimedOut
    from .errors import Unreachable as Unreachable
    from .mcp.conversation import Server as Server
    from .ports import AuditLog as AuditLog
    from .ports import Clock as Clock
    from .ports import DecisionBackend as DecisionBackend
    from .ports import Judge as Judge
    from .ports import ShellReader as ShellReader
    from .service.gate import GateService as GateService
    from .service.inference import InferenceService as InferenceService
    from .settings import VERSION as __version__
    from .settings import Settings as Settings

_HOMES = {
    "adapters.backends.scripted": ("Delayed", "ScriptedBackend"),
    "catalog.content": (
        "Audio", "EmbeddedResource", "Image", "Message", "ResourceContents", "ResourceLink", "Result", "Text",
    ),
    "catalog.context": ("CallContext", "Client", "FormAnswer"),
    "catalog.listeners": ("CallRecord", "Ended"),
    "catalog.prompts": ("PromptArgument",),
    "catalog.resources": ("Freshness",),
    "catalog.tools": ("Annotations", "Failed", "InputKind", "InputRequest", "NeedsInput", "OnBadState", "Rejected"),
    "composition.gate": ("build_gate",),
    "composition.http": ("build_asgi_app",),
    "composition.inference": ("build_inference",),
    "composition.server": ("build_server",),
    "composition.serving": ("serve_http", "serve_stdio"),
    "domain.inference": ("Classification", "Routing", "Scoring"),
    "domain.questions": (
        "Answers", "Choice", "ChoiceAnswer", "Question", "Score", "ScoreAnswer", "Usage", "YesNo", "YesNoAnswer",
    ),
    "domain.request": ("GateRequest",),
    "domain.verdict": (
        "Decision", "Hit", "HumanAction", "Layer", "ReadingStatus", "Undecided", "Verdict", "Weight", "strictest",
    ),
    "errors": (
        "AuditFailed", "BackendError", "BadAnswer", "CallFailed", "GuardFailed", "InvalidRegistration",
        "InvalidRequest", "InvalidSettings", "PhocinaeError", "Refused", "StateRejected", "TimedOut", "Unreachable",
    ),
    "mcp.conversation": ("Server",),
    "ports": ("AuditLog", "Clock", "DecisionBackend", "Judge", "ShellReader"),
    "service.gate": ("GateService",),
    "service.inference": ("InferenceService",),
    "settings": ("Settings",),
}  # fmt: skip
"""Which module each public name comes from."""

__all__ = ["__version__", *sorted(name for names in _HOMES.values() for name in names)]


def __getattr__(name: str) -> object:
    """Return the public name `name`, from its own module (PEP 562)."""
    from importlib import import_module

    if name == "__version__":
        return import_module(".settings", __name__).VERSION
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(import_module(f".{home}", __name__), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return list(__all__)
