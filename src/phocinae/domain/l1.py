"""The one page on polarity: what the decision service is asked about a command, and what its answers mean.

Two questions go out together.  `SAFE_TO_RUN` asks whether a statement holds, and the
statement says that the command is fine: **more probability is milder**.  `RISK` asks
for a score: **more risk is stricter**.  Neither is a setting, and nothing outside this
page turns one into the other.

The published service drops the texts of questions, so what is judged and what is rated
stand inside the state (`state_of`).  The texts are sent as well, made of the same words.
"""

from __future__ import annotations

import re

from attrs import evolve, frozen

from ..errors import BadAnswer
from .questions import Answers, Question, Score, ScoreAnswer, YesNo, YesNoAnswer, usable_confidence
from .request import GateRequest
from .shell import Dialect, Reading
from .signs import may_be_windows
from .state import commands_in, in_json, may_carry_comment, may_hold_windows_comment, without_comments
from .verdict import Decision, Layer, ReadingStatus, Verdict, strictest

CLAIM = "This shell command is safe to run without a person"
"""What is judged; true means go."""

RATED = "its risk, 10 is most dangerous"
"""What the score rates; more means stop."""

STATEMENT = f"{CLAIM} (score: {RATED}):"
"""The first line of a state: without it, a model that rates the claim would give much to what is safe."""

SAFE_TO_RUN = YesNo("safe_to_run", text=f"{CLAIM}.")
"""Its probability is that of the statement in `state_of`: the command may run without a person."""

RISK = Score("risk", text=f"Rate the shell command: {RATED}.")
"""Its value is the risk of the command, from 2 (none) to 10."""

QUESTIONS: tuple[Question, ...] = (SAFE_TO_RUN, RISK)
"""What is asked about every command."""

LONGEST_DIRECTORY = 200
"""The longest working directory that is shown, in characters."""

MOCK = "mock"
"""The engine of verdicts that rest on answers which no model gave."""

CEILING = "An allow of this layer counts as ask here."
"""Why an allow is held back where the settings say so."""

COMMENTS = "There is a comment in the command that could not be kept from the model, so an allow counts as ask."
"""Why an allow is held back where some shell may run a comment, or where one stands that is not known to the letter."""

_MODEL = re.compile(r"[A-Za-z0-9._:/-]{1,40}\Z")
"""The name of a model that is shown in a reason.

The service says it, and an agent reads the reason: what is longer or could be a sentence is left out.
"""

READ = {
    ReadingStatus.COMPLETE: "complete, all commands are listed",
    ReadingStatus.UNKNOWN: "in part, there may be commands that are not listed",
    ReadingStatus.REFUSED: "not at all, it is not known which commands run",
}
"""What the state says of how much the offline layer has understood."""


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
    """What the service thinks: the probability that the command may run without a person, and its risk.

    `stated` tells that it said yes or no, which counts as a probability of 1 or 0.
    """

    safe_to_run: float
    risk: int
    stated: bool = False


@frozen
class State:
    """The `text` that the service judges, and how many bytes of UTF-8 it takes up to the end of the command.

    `comments` says that it still holds comments of the command, which may do no more than
    talk to the model.
    """

    text: str
    needed: int
    comments: bool = False


def questions_for(thresholds: Thresholds) -> tuple[Question, ...]:
    """Return `QUESTIONS` as they are asked where `thresholds` decide.

    A service that says yes or no instead of a probability is to say yes from where on a
    command is allowed: its yes counts as 1, and must not stand for less than that.
    """
    return evolve(SAFE_TO_RUN, threshold=thresholds.noul_allow), RISK


def state_of(request: GateRequest, reading: Reading, *, dialect: Dialect | None = None) -> State:
    """Return what the service judges: the statement, the command, where it is said to run, and how L0 has read it.

    `dialect` is the language that the command is known to be in; None where nobody says.

    It always has five lines, of which the last four hold JSON or words of this page, so
    that no text can forge another one.  Statement and command come first, because the
    service may cut the end.  Comments are left out, unless some shell may run them.  A
    working directory that does not look like one is left out as well: nobody checks what
    a caller claims, and it would be a letter to the model.
    """
    command = request.command
    if dialect is Dialect.POSIX or (dialect is None and not may_be_windows(command)):
        command, gone = without_comments(command, reading)
        gone = gone and not may_carry_comment(command, reading)
    else:  # in cmd a # starts no comment, so that what follows may be run; and no reader tells where others stand
        gone = not may_hold_windows_comment(command)
    judged = f"{STATEMENT}\n{in_json(command)}"
    lines = (
        judged,
        f"Working directory: {in_json(_shown_directory(request.cwd))}",
        f"Read: {READ[reading.status]}",
        f"Commands: {commands_in(reading)}",
    )
    return State("\n".join(lines), len(judged.encode()), comments=not gone)


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
    return Opinion(safe.probability, risk.value, safe.stated)


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


def verdict_of(answers: Answers, thresholds: Thresholds, *, held: str = "", engine: str, policy: str = "") -> Verdict:
    """Return the verdict of layer L1 that `answers` give on a command.

    `held` is a sentence that says why an allow counts as ask; without one it counts.

    Raises:
        BadAnswer: as `read_opinion`.
    """
    opinion = read_opinion(answers)
    decision = decide(opinion, thresholds)
    reason = f"{_who(answers.model, engine)} gives the command a risk of {opinion.risk} (2 to 10) and {_said(opinion)}."
    if held and decision is Decision.ALLOW:
        decision = Decision.ASK
        reason += f" {held} A person must look at it."
    return Verdict(
        decision=decision,
        layer=Layer.L1,
        reason=reason,
        policy=policy,
        engine=engine,
        noul=opinion.safe_to_run,
        score=opinion.risk,
        confidence=usable_confidence(answers) or None,
    )


def unseen(state: State, window: int, *, policy: str = "") -> Verdict:
    """Return the verdict on a command that the model is not sure to read to its end: only a person may allow it."""
    return Verdict(
        decision=Decision.ASK,
        layer=Layer.L1,
        reason=f"Up to the end of the command the text for the model takes {state.needed} bytes, and the model is sure "
        f"to read {window} only. It was not asked, so a person must look at the command.",
        policy=policy,
    )


def _shown_directory(cwd: str | None) -> str | None:
    """Return `cwd` if it is a plain absolute path, of POSIX or with the letter of a drive; None for anything else."""
    if cwd is None or len(cwd) > LONGEST_DIRECTORY or not cwd.isprintable():  # of blanks, only U+0020 is printable
        return None
    drive, colon, rest = cwd[:1], cwd[1:2], cwd[2:]
    with_drive = drive.isascii() and drive.isalpha() and colon == ":" and rest.startswith(("\\", "/"))
    return cwd if with_drive or cwd.startswith("/") else None


def _said(opinion: Opinion) -> str:
    if opinion.stated:
        return f"says {'yes' if opinion.safe_to_run else 'no'}, without a probability, to running it without a person"
    return f"a probability of {opinion.safe_to_run:.2f} that it is safe to run without a person"


def _who(model: str, engine: str) -> str:
    if engine == MOCK:
        return "A mock, which judges nothing,"
    return f'The model "{model}"' if type(model) is str and _MODEL.match(model) else "The model that was asked"
