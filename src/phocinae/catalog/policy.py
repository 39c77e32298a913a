"""The approval policy as a page for people and models, written from the live settings."""

from __future__ import annotations

from ..domain.verdict import Decision
from ..service.live import Live, LiveSource
from ..settings import Settings
from .resources import PERSONAL, Resource

URI = "phocinae://policy/gate-approval"


def policy_resource(live: LiveSource) -> Resource:
    """Return the resource with the approval policy that is in force when it is read."""
    return Resource(
        uri=URI,
        name="gate-approval",
        title="Approval policy of the gate",
        description="Who decides about a command, in which order, and what to do with each answer.",
        mime_type="text/markdown",
        read=lambda: _page(live()),
        freshness=PERSONAL,
    )


def _page(live: Live) -> str:
    return policy_text(live.settings, live.gate.policy) if live.usable else _UNUSABLE


def policy_text(settings: Settings, policy: str) -> str:
    """Return the policy as Markdown; it names no path, no address and no secret."""
    title = "# Approval policy of the gate"
    source = f"Policy: `{policy or 'built-in'}`. Several findings become one answer by taking the strictest."
    parts = (title, *_standing_down(settings), source, _chain(settings), _ANSWERS, _PEOPLE, _LIMITS)
    return "\n\n".join(parts) + "\n"


def _standing_down(settings: Settings) -> tuple[str, ...]:
    """Return what must be known first: whether hooks block nothing."""
    return (_STANDING_DOWN[settings.hooks],) if settings.hooks in _STANDING_DOWN else ()


def _chain(settings: Settings) -> str:
    layers = [
        "L0, offline: allows what it knows to be harmless, denies what it knows to be harmful. What only a person may "
        "allow, such as reading secrets or running code that cannot be seen, stays at least ask, whatever follows."
    ]
    if settings.l1_enabled:
        layers.append(_service(settings))
    layers.append(f"Nobody decided: {settings.fail_closed.wire} (layer `fail_closed`).")
    if settings.guard:
        layers.append(
            "A guard program of the user's own, asked about whatever is not denied by then: it can make the answer "
            "stricter, and never milder. No usable answer of it is deny."
        )
    lines = [f"{number}. {layer}" for number, layer in enumerate(layers, 1)]
    strict = ["", "An allow that cannot be recorded is deny."] if settings.audit and settings.audit_strict else []
    return "\n".join(["## Who decides, in this order", "", *lines, "", _project_code(settings), *strict])


def _service(settings: Settings) -> str:
    who = "L1, a mock of a decision model," if settings.backend == "mock" else "L1, a decision model,"
    # the composition lets a mock of the settings allow nothing
    allows = settings.l1_ceiling is Decision.ALLOW and settings.backend != "mock"
    rest = "the rest is allow" if allows else "the rest is ask as well, because its allow does not count here"
    return (
        f"{who} for what is still undecided: a risk of {settings.score_deny} or more, or a probability of "
        f"{settings.noul_deny} or less that the command may run without a person, is deny; a risk of "
        f"{settings.score_ask} or more, or a probability below {settings.noul_allow}, is ask; {rest}. A missing or "
        "unusable answer is deny. A command that is too long for the model is ask."
    )


def _project_code(settings: Settings) -> str:
    return (
        "Commands that run the project's own code, such as its tests, are judged "
        f"{settings.project_code.wire}: the gate does not read that code."
    )


_UNUSABLE = """# Approval policy of the gate

The settings of the server cannot be used at the moment, so every command is denied until they are mended. The error
stands in each verdict, and in the log of whoever runs the server."""

_STANDING_DOWN = {
    "observe": "**The gate only observes.** Hooks record what they would have denied, and block nothing. "
    "The answers here are the true ones all the same, and a record of them carries `outcome`.",
    "off": "**The gate is off for hooks.** They judge nothing and block nothing. The answers here are "
    "the true ones all the same.",
}

_ANSWERS = """## What to do with an answer

- `allow`: the command may run as it was shown, in that very text.
- `ask`: show the command, whole and as it is, and the reason to a person. Run it only after they agreed to this very
  text. No answer, a timeout or a closed question is no agreement, and what they agreed to once holds once.
- `deny`: do not run it, in no other spelling either. Where a hit has a `remedy`, use that."""

_PEOPLE = """## Who asks the person

A client that declares elicitation with forms does not get `ask`: the server has it ask the person, and answers with
what came of it, layer `human_approval`. Only an accepted form that says `approve` makes it an allow; everything else is
deny, and `human_action` says which. A deny is never put to a person. Every other client gets `ask`, and has to put the
question itself."""

_LIMITS = """## What this does not do

Over MCP the gate advises. It sees only what it is shown; a hook in the agent, or a host that calls the gate
before each command, enforces."""
