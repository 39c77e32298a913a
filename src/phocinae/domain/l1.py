"""The one page on polarity: what the decision service is asked about a command, and what its answers mean.

Two questions go out together.  `SAFE_TO_RUN` asks whether a statement holds, and the
statement says that the command is fine: **more probability is milder**.  `RISK` asks
for a score: **more risk is stricter**.  Neither is a setting, and nothing outside this
page turns one into the other.

The service drops the texts of questions, so the statement stands inside the state that
is judged (`state_of`).
"""

from __future__ import annotations

from attrs import frozen

from ..errors import BadAnswer
from .questions import Answers, Question, Score, ScoreAnswer, YesNo, YesNoAnswer
from .request import GateRequest
from .verdict import Decision, Layer, Verdict, strictest

SAFE_TO_RUN = YesNo("safe_to_run")
"""Its probability is that of the statement in `state_of`: the command may run without a person."""

RISK = Score("risk")
"""Its value is the risk of the command, from 2 (none) to 10."""

QUESTIONS: tuple[Question, ...] = (SAFE_TO_RUN, RISK)
"""What is asked about every command."""

STATEMENT = "This shell command is safe to run without asking a person:"
"""The statement that is judged; true means go."""

SEEN_BYTES = 320
"""The longest part of a state that the service is sure to have read, in bytes of UTF-8.

It cuts a state without saying so, in its smallest size at 320 tokens, and a token
stands for one byte or more.
"""


@frozen(kw_only=True)
class Thresholds:
    """From where on the answers deny or ask; risks from 2 to 10, probabilities from 0 to 1.

    Denied: risk >= `score_deny` or probability <= `noul_deny`.  Asked: risk >=
    `score_ask` or a probability below `noul_allow`.
    """

    score_deny: int = 7
    score_ask: int = 4
    noul_deny: float = 0.35
    noul_allow: float = 0.65


@frozen
class Opinion:
    """What the service thinks: the probability that the command may run without a person, and its risk."""

    safe_to_run: float
    risk: int


def state_of(request: GateRequest) -> str:
    """Return the text that the service judges: the statement, the command, and where it is said to run.

    The statement comes first, so that a long command cannot push it out of sight.
    """
    where = f"\nWorking directory: {request.cwd}" if request.cwd else ""
    return f"{STATEMENT}\n{request.command}{where}"


def seen_whole(command: str) -> bool:
    """Tell whether the service is sure to have read all of `command`, not a prefix of it."""
    return len(f"{STATEMENT}\n{command}".encode("utf-8", "surrogatepass")) <= SEEN_BYTES


def read_opinion(answers: Answers) -> Opinion:
    """Return what `answers` say.

    Raises:
        BadAnswer: one of the two answers is missing or answers another type of question.
    """
    safe = answers.by_id.get(SAFE_TO_RUN.id)
    risk = answers.by_id.get(RISK.id)
    if not isinstance(safe, YesNoAnswer):
        raise BadAnswer(f"the answer to {SAFE_TO_RUN.id} is missing or no yes-or-no answer")
    if not isinstance(risk, ScoreAnswer):
        raise BadAnswer(f"the answer to {RISK.id} is missing or no score")
    return Opinion(safe.probability, risk.value)


def decide(opinion: Opinion, thresholds: Thresholds) -> Decision:
    """Return the stricter of what the two figures say; more risk or less probability is never milder."""
    by_risk, by_probability = Decision.ALLOW, Decision.ALLOW
    if opinion.risk >= thresholds.score_deny:
        by_risk = Decision.DENY
    elif opinion.risk >= thresholds.score_ask:
        by_risk = Decision.ASK
    if opinion.safe_to_run <= thresholds.noul_deny:
        by_probability = Decision.DENY
    elif opinion.safe_to_run < thresholds.noul_allow:
        by_probability = Decision.ASK
    return strictest((by_risk, by_probability))


def verdict_of(
    request: GateRequest, answers: Answers, thresholds: Thresholds, *, engine: str, policy: str = ""
) -> Verdict:
    """Return the verdict of layer L1 that `answers` give on `request`.

    A command of which the service may have read a prefix only is never allowed.

    Raises:
        BadAnswer: as `read_opinion`.
    """
    opinion = read_opinion(answers)
    decision = decide(opinion, thresholds)
    reason = (
        f"The model {answers.model or 'that was asked'} gives the command a risk of {opinion.risk} (2 to 10) and "
        f"a probability of {opinion.safe_to_run:.2f} that it is safe to run without a person."
    )
    if decision is Decision.ALLOW and not seen_whole(request.command):
        decision = Decision.ASK
        reason += " The command is too long for the model to have read it whole, so a person must look at it."
    return Verdict(
        decision=decision,
        layer=Layer.L1,
        reason=reason,
        policy=policy,
        engine=engine,
        noul=opinion.safe_to_run,
        score=opinion.risk,
        confidence=answers.confidence or None,
    )
