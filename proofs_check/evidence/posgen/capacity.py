"""Evidence for the bounded capacity of drawn features: how many lags they tell apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen import capacity_bound
from ropeproof.numerics.core.spec import frequencies_float64, logits
from ropeproof.numerics.strategies import generic, specs
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Features:
    """Equally likely pairs of queries and keys, a number of lags, and their required distance."""

    spec: RopeSpec
    queries: Floats
    keys: Floats
    gap: float
    lags: int


@st.composite
def _features(draw: st.DrawFn) -> Features:
    if draw(st.booleans()):
        # One plane and both quadratures: lags on a circle, as many as can be.
        size = draw(st.floats(0.5, 4.0))
        queries, keys = size * np.eye(2), np.array([[1.0, 0.0], [1.0, 0.0]])
        gap = draw(st.floats(0.02, 0.5)) * size * size
        return Features(RopeSpec(2, 10000), queries, keys, gap, 400)
    spec = draw(specs(most_planes=2))
    count = draw(st.integers(1, 3))
    vectors = [draw(generic(head_dim=spec.head_dim, tokens=count, bound=2.0)) for _ in range(2)]
    return Features(spec, vectors[0], vectors[1], draw(st.floats(0.05, 4.0)), 160)


@evidence("posgen.bounded-capacity", "property", "lags that drawn features tell apart")
def bounded_capacity(how: Profile) -> Finding:
    """However many lags there are, at most the bound's number of them are pairwise far apart."""

    def check(case: Features) -> None:
        spec, lags = case.spec, np.arange(case.lags)
        pairs, width = case.queries.shape
        at_lags = np.broadcast_to(case.queries[:, np.newaxis], (pairs, len(lags), width))
        features = logits(at_lags, case.keys[:, np.newaxis], lags, [0], spec)[..., 0].T
        # Along the fastest plane's circle, so that few lags are in the way of others.
        order = np.argsort(np.remainder(lags * frequencies_float64(spec)[0], 2 * np.pi))
        chosen: list[int] = []
        apart = np.ones(len(lags), dtype=bool)  # from all that are chosen
        for lag in order.tolist():
            if apart[lag]:
                chosen.append(lag)
                gaps = ((features - features[lag]) ** 2).mean(1)
                # Only what is apart beyond rounding counts.
                apart &= gaps >= case.gap * (1 + 2.0**-30)
        norms = [float(np.linalg.norm(x, axis=1).max()) for x in (case.queries, case.keys)]
        up = 1 + 8 * drawing.UNIT * spec.head_dim
        most = capacity_bound(spec, query_norm=norms[0] * up, key_norm=norms[1] * up, gap=case.gap)
        drawing.require(
            len(chosen) <= most,
            "more lags are apart",
            apart=len(chosen),
            bound=most,
            spec=spec,
            queries=case.queries,
            keys=case.keys,
            gap=case.gap,
        )

    domain = "up to 2 planes, up to 3 equally likely pairs, up to 400 lags"
    return drawing.draw_cases(how, _features(), check, domain=domain)
