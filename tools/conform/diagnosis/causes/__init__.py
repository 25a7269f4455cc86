"""The fault models, each as a change of a `Guess`."""

from __future__ import annotations

from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.conform.diagnosis.causes import (
    axes,
    frequencies,
    pairing,
    positions,
    reused_tables,
    scaling,
    strides,
    types,
)
from ropeproof.tools.conform.diagnosis.causes.way import Way

__all__ = ["Way", "ways"]

_WAYS: tuple[Way, ...] = (
    *pairing.WAYS,
    *positions.WAYS,
    *strides.WAYS,
    *frequencies.WAYS,
    *scaling.WAYS,
    *frequencies.FITTED,
    *types.WAYS,
    *reused_tables.WAYS,
)


def ways(spec: RopeSpec) -> tuple[Way, ...]:
    """The fault models for a spec, in the order of trial: the first that explains is named."""
    if not spec.rotary_dim:
        return axes.STILL
    return _WAYS if spec.axes is None else (*axes.WAYS, *_WAYS)
