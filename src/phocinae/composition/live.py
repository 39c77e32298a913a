"""The one place where everything that depends on the settings of a running server is put together."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve, field, frozen

from ..adapters.logs.late_audit import LateRecords
from ..service.gate import GateService, Warn, warn_on_stderr
from ..service.inference import InferenceService
from ..service.live import Live
from ..settings import Settings
from .backend import build_backend
from .gate import build_gate
from .inference import build_inference


def build_live(
    settings: Settings, *, warn: Warn = warn_on_stderr, late: LateRecords | None = None, own: Sequence[str] = ()
) -> Live:
    """Return a gate and an inference service that work as `settings` say, over one client of the decision service.

    `own` are files of this gate that no setting names; commands must not change them.
    With `late`, decisions are recorded when that writes, unless the settings want them to be recorded first.

    Raises:
        InvalidSettings: a setting cannot be used, or asks for a part that is not there.
    """
    backend = build_backend(settings)
    # a mock of the settings is left to the gate, which lets it allow nothing
    gate = build_gate(settings, backend=None if settings.backend == "mock" else backend, own=own)
    if late is not None and gate.audit is not None and not settings.audit_strict:
        gate = evolve(gate, audit=late.behind(gate.audit))
    return live_of(settings, evolve(gate, warn=warn), build_inference(settings, backend=backend), own)


def live_of(
    settings: Settings, gate: GateService, inference: InferenceService | None = None, own: Sequence[str] = ()
) -> Live:
    """Return what is in force with these parts; None builds the inference service of the settings, `own` as above."""
    return Live(
        settings=settings,
        gate=gate,
        inference=build_inference(settings) if inference is None else inference,
        elsewhere=_Elsewhere(settings, gate, own),
    )


@frozen
class _Elsewhere:
    """Builds what answers for an allowed service, once each; the token of the configured one stays with that."""

    settings: Settings
    gate: GateService
    own: Sequence[str]
    built: dict[str, Live] = field(factory=dict, init=False)

    def __call__(self, address: str) -> Live:
        # of two threads that come here at once, both get what the first of them has put there
        return self.built.get(address) or self.built.setdefault(address, self._build(address))

    def _build(self, address: str) -> Live:
        settings = evolve(self.settings, server=address, allowed_servers=())
        backend = build_backend(settings, token=False)
        gate = self.gate
        if settings.l1_enabled:
            asked = None if settings.backend == "mock" else backend
            other = build_gate(settings, backend=asked, audit=gate.audit, own=self.own)
            # a guard program need not run twice
            gate = evolve(other, tightening=gate.tightening, audit=gate.audit, warn=gate.warn)
        return live_of(settings, gate, build_inference(settings, backend=backend), self.own)
