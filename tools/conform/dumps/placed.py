"""A name for the positions at which a callable turns its vectors, where no fault model explains it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ropeproof.tools.conform.diagnosis.guess import Observation, start
from ropeproof.tools.conform.dumps.fit import fitted
from ropeproof.tools.conform.dumps.patterns import named_positions
from ropeproof.tools.conform.record import Cause

__all__ = ["placed_cause"]

_CALLS = 12
_LEAST = 8
"""Fewest tokens of a call that a name is taken from."""
_UNSAID = ("positions", "shift-from", "row-shift", "token-order")
"""Names that say what is seen in one call, and not what an implementation does."""


def placed_cause(run: Sequence[Observation], *, context: int) -> Cause | None:
    """The cause if every wrong vector of failing calls is right at another position, and these have a name.

    The name is that of most calls of at least eight tokens; positions of one that is shorter are
    compared, but say little. None for specs with axes, and if a single vector is right at no position.
    """
    failing = [s for s in run if s.failed and not s.backwards]
    if not failing or failing[0].spec.axes is not None:
        return None
    step = max(1, len(failing) // _CALLS)
    named: list[tuple[str, str, str]] = []
    for seen in failing[::step]:
        slack = start(seen).tolerance_for(seen) if seen.slack is None else seen.slack
        with np.errstate(all="ignore"):
            off = ~(np.abs(start(seen).apply(seen.x) - seen.out) <= slack)
        wrong = np.asarray(off.any((1, 3)))
        fit = fitted(seen, wrong, context=context)
        if fit is None or not fit.known.all():
            return None
        due = np.broadcast_to(seen.places[:, 0], fit.places.shape).astype(np.int64)
        name = named_positions(due, fit.places, fit.known)
        if name is not None and due.shape[1] >= _LEAST:
            named.append((*name, seen.test))
    if len(named) < 2:  # one call may be like anything
        return None
    ((id, count),) = Counter(id for id, _, _ in named).most_common(1)
    if id in _UNSAID or 2 * count <= len(named):
        return None
    _, text, test = next(each for each in named if each[0] == id)
    return Cause(id=id, text=f"{text} ({test})", residual=0.0)
