"""The gate as a use case: run the judges in order, fail closed, keep the record.

Nothing that a command text can do makes `decide` raise: the places that catch
everything are marked below, and what they catch becomes a denial.  That holds for
SystemExit as well, which must not end the program that asked; only an interruption
by a person is let through.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from attrs import evolve, frozen

from ..domain.approval import answered
from ..domain.request import COMMAND_LIMIT, CWD_LIMIT, Caller, GateRequest
from ..domain.verdict import Decision, HumanAction, Layer, Undecided, Verdict
from ..errors import AuditFailed, BackendError, GuardFailed
from ..ports import AuditLog, Clock, Judge

Warn = Callable[[str], None]

FileJudge = Callable[[tuple[str, ...], str | None], Verdict | None]
"""Judges the paths that a tool is about to write, from a working directory; None where there is nothing to say."""


def warn_on_stderr(message: str) -> None:
    """Write one line for the person who runs the program; a closed stderr loses it."""
    if sys.stderr is None:  # print would take standard output instead
        return
    try:
        print(f"phocinae: {message}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        return


@frozen(kw_only=True, eq=False, repr=False)
class GateService:
    """Decides on commands; build one with `phocinae.build_gate`.

    `offline` is the first judge and the only one that may answer without a later one;
    `later` are asked in order while the answer is undecided.  `fail_closed` (DENY or
    ASK) is the answer when nobody decided.  `tightening` are asked about whatever is
    not denied by then, and can only make it stricter.  `audit` is None to keep no
    record; `audit_strict` turns an allow that could not be recorded into a denial.  Verdicts of one
    that is `observing` are true ones, and say that they are not to hinder anything.
    """

    offline: Judge
    later: tuple[Judge, ...] = ()
    tightening: tuple[Judge, ...] = ()
    fail_closed: Decision = Decision.DENY
    audit: AuditLog | None = None
    audit_strict: bool = False
    observing: bool = False
    policy: str = ""
    clock: Clock
    warn: Warn = warn_on_stderr

    def decide(
        self, command: str, cwd: str | None = None, *, confirm: bool = False, caller: Caller | None = None
    ) -> Verdict:
        """Return the verdict on `command`; never raise for any command.

        `cwd` is where the caller says that the command will run.  `confirm` says that a
        person has already agreed: it lifts ask to allow, and nothing else.  `caller` is
        the agent's tool that is about to run it, for the record.
        """
        return self._finished(GateRequest(command, cwd, caller), self.judge_offline(command, cwd), _agreed(confirm))

    def decide_answered(self, command: str, cwd: str | None, action: HumanAction) -> Verdict:
        """Return the verdict on a command that a person was asked about, and did `action`; never raise.

        Everything is judged anew, because the question may be minutes old: the answer
        settles an ask that still stands, and lifts nothing else.
        """
        return self._finished(GateRequest(command, cwd), self.judge_offline(command, cwd), action)

    async def adecide(self, command: str, cwd: str | None = None, *, confirm: bool = False) -> Verdict:
        """Return what `decide` returns, without holding up the event loop.

        The offline layer answers inline, because it takes less time than a change of
        threads.  What may have to wait runs in a thread of its own: all other judges, and the
        record, whose file may be locked.  A call that is cancelled meanwhile is still recorded.
        """
        request, answer = GateRequest(command, cwd), self.judge_offline(command, cwd)
        if self.audit is None and not self._asks_more(answer):
            return self._finished(request, answer, _agreed(confirm))
        from .threads import NoThread, in_thread  # kept off the path of a gate that runs once per command

        try:
            return await in_thread(lambda: self._finished(request, answer, _agreed(confirm)))
        except NoThread:
            return self.give_up(command, cwd, "The system gives no more threads")

    def decide_now(self, command: str, cwd: str | None = None) -> Verdict | None:
        """Return what `decide` returns where nobody has to be waited for, else None with nothing recorded."""
        answer = self.judge_offline(command, cwd)
        if self._asks_more(answer):
            return None
        return self._finished(GateRequest(command, cwd), answer)

    def decide_files(self, cwd: str | None, caller: Caller, judge: FileJudge) -> Verdict | None:
        """Return and record what `judge` says of the files that `caller` is about to write; never raise.

        Where it has nothing to say there is None, and no record.
        """
        try:
            verdict = judge(caller.files, cwd)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a marked place: whatever happened, the answer is deny
            verdict = self._failed(error)
        return None if verdict is None else self._recorded(GateRequest("", cwd, caller), verdict)

    def give_up(self, command: str, cwd: str | None, why: str, *, caller: Caller | None = None) -> Verdict:
        """Return and record the denial of a command whose verdict the caller will not wait for."""
        denial = self._closed(f"{why}, so the answer is deny.", error=why)
        return self._recorded(GateRequest(command, cwd, caller), denial)

    def judge_offline(self, command: str, cwd: str | None = None) -> Verdict | Undecided:
        """Return what the offline layer alone says, unrecorded; never raise for any command."""
        request = GateRequest(command, cwd)
        try:
            return self._refused(request) or self.offline(request)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a marked place: whatever happened, the answer is deny
            return self._failed(error)

    def _finished(
        self, request: GateRequest, answer: Verdict | Undecided, action: HumanAction | None = None
    ) -> Verdict:
        """Return and record what becomes of the offline layer's `answer`, and of what a person did about it."""
        try:
            verdict = self._tightened(request, self._chain(request, answer))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a marked place: whatever happened, the answer is deny
            verdict = self._failed(error)
            if isinstance(answer, Verdict | Undecided):  # a judge of the user's own may return anything
                verdict = evolve(verdict, hits=answer.hits, reading=answer.reading)
        if action is not None:
            verdict = answered(verdict, action)
        return self._recorded(request, verdict)

    def _chain(self, request: GateRequest, answer: Verdict | Undecided) -> Verdict:
        for judge in self.later:
            if isinstance(answer, Verdict):
                return answer
            answer = _held(judge(request), answer)
        if isinstance(answer, Verdict):
            return answer
        return self._nobody_decided(answer)

    def _tightened(self, request: GateRequest, verdict: Verdict) -> Verdict:
        for judge in self.tightening:
            if verdict.decision is Decision.DENY:
                break
            verdict = _stricter(verdict, judge(request))
        return verdict

    def _asks_more(self, answer: Verdict | Undecided) -> bool:
        """Tell whether a judge other than the offline one has to be asked."""
        if isinstance(answer, Undecided):
            return bool(self.later) or (bool(self.tightening) and self.fail_closed is not Decision.DENY)
        return bool(self.tightening) and answer.decision is not Decision.DENY

    def _refused(self, request: GateRequest) -> Verdict | None:
        """Return a denial for what is not judged at all, or None."""
        command, cwd = request.command, request.cwd
        if not isinstance(command, str) or not (cwd is None or isinstance(cwd, str)):
            what = "working directory" if isinstance(command, str) else "command"
            return self._closed(f"The {what} must be a text (a string), so nothing is judged.", error="not a text")
        if not (command.isascii() or _is_utf8(command)):
            return self._closed("The command is not UTF-8 text, so it is not judged.", error="not UTF-8 text")
        if not command or command.isspace():
            return self._closed("The command is empty, so there is nothing to judge.", error="empty command")
        if len(command) > COMMAND_LIMIT:
            return self._closed(
                f"The command has {len(command)} characters; longer than {COMMAND_LIMIT} is not judged. "
                "Put the text into a file and run that.",
                error="command too long",
            )
        if cwd is not None and len(cwd) > CWD_LIMIT:
            return self._closed(f"The working directory is longer than {CWD_LIMIT} characters.", error="cwd too long")
        return None

    def _closed(self, reason: str, *, error: str, engine: str = "l0") -> Verdict:
        return Verdict(
            decision=Decision.DENY,
            layer=Layer.FAIL_CLOSED,
            reason=reason,
            ceiling=Decision.DENY,
            policy=self.policy,
            engine=engine,
            error=error,
        )

    def _failed(self, error: BaseException) -> Verdict:
        if isinstance(error, GuardFailed):
            reason = f"The guard program gave no usable answer: {error}. Mend it, or leave l1.guard (--guard) out."
            return self._closed(reason, error=f"guard program: {error}", engine=error.engine)
        if isinstance(error, BackendError):
            who = "The mock" if error.engine == "mock" else "The decision service"
            return self._closed(f"{who} gave no answer: {error}", error=str(error), engine=error.engine or "l0")
        name = type(error).__name__  # the text of an unforeseen error may hold what it was working on
        return self._closed(f"The gate failed while judging ({name}), so it denies.", error=f"internal error: {name}")

    def _nobody_decided(self, answer: Undecided) -> Verdict:
        hint = "" if self.fail_closed is Decision.ASK else " (--fail-closed ask would ask a person instead)"
        nobody = "No later layer decided" if self.later else "No later layer is switched on"
        return Verdict(
            decision=self.fail_closed,
            layer=Layer.FAIL_CLOSED,
            reason=f"{answer.reason} {nobody}, so the answer is {self.fail_closed.wire}{hint}.",
            hits=answer.hits,
            ceiling=answer.ceiling,
            reading=answer.reading,
            policy=answer.policy or self.policy,
        )

    def _recorded(self, request: GateRequest, verdict: Verdict) -> Verdict:
        if self.observing:
            verdict = evolve(verdict, observed=True)
        if self.audit is None:
            return verdict
        try:
            self.audit.record(self.clock(), request, verdict)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an audit log of the user's own may raise anything
            why = str(error) if isinstance(error, AuditFailed) else type(error).__name__
            self.warn(f"the decision could not be recorded: {why}")
            if self.audit_strict and verdict.decision is Decision.ALLOW:
                return self._closed(
                    "The decision could not be recorded, and audit.strict turns such an allow into deny.",
                    error="not recorded",
                )
            return evolve(verdict, error=verdict.error or "not recorded")
        return verdict


def _agreed(confirm: bool) -> HumanAction | None:
    return HumanAction.APPROVE if confirm else None


def _is_utf8(text: str) -> bool:
    """Tell whether `text` has a form in UTF-8; half surrogates, which stand for bytes that are no text, have none."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _held(answer: Verdict | Undecided, before: Undecided) -> Verdict | Undecided:
    """Hold a later answer under the ceiling that the layers before it have set."""
    ceiling = max(answer.ceiling, before.ceiling)
    held = evolve(answer, ceiling=ceiling, hits=before.hits + answer.hits, reading=before.reading)
    if isinstance(held, Undecided) or held.decision >= before.ceiling:
        return held
    reason = f"{before.reason} A person must look at it, whatever {held.layer.value} says."
    return evolve(held, decision=before.ceiling, reason=reason)


def _stricter(verdict: Verdict, other: Verdict | Undecided) -> Verdict:
    """Return `verdict`, or `other` where that is stricter; one that is undecided has no say."""
    if isinstance(other, Undecided):
        return verdict
    if other.decision <= verdict.decision:
        return evolve(verdict, hits=verdict.hits + other.hits)
    ceiling = max(other.ceiling, verdict.ceiling)
    return evolve(other, ceiling=ceiling, hits=other.hits + verdict.hits, reading=verdict.reading)
