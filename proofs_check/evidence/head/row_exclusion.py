"""Evidence on whole rows: drawn tables, scored over all swaps, against the exclusion bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head import ContentTable, swap_scores
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_ROUNDING = 2.0**12 * UNIT
_SLACKS = 33


@dataclass(frozen=True, eq=False)
class Scored:
    """A table `(positions, positions)` of logits, the query's own logit, and the cut-off `tau`."""

    table: Floats
    own: float
    tau: float

    @property
    def row(self) -> Floats:
        """The attention weights of the positions before the query."""
        sizes = np.exp(np.append(self.table.diagonal(), self.own))
        result: Floats = (sizes / sizes.sum())[:-1]
        return result


@st.composite
def _scored(draw: st.DrawFn) -> Scored:
    """A drawn table near one without dependence on the content, on the position, or on both."""
    count = draw(st.integers(2, 9))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size, noise = (10.0 ** draw(st.integers(-3, 0)) for _ in range(2))
    table = noise * random.normal(size=(count, count))
    kind = draw(st.sampled_from(("positional", "symbolic", "neither")))
    if kind != "neither":
        values = size * random.normal(size=count)
        table = table + (values if kind == "positional" else values[:, np.newaxis])
    return Scored(table, draw(st.sampled_from((-3.0, 0.0, 3.0))), 10.0 ** -draw(st.integers(0, 5)))


def _diagonal(one: Floats | float, other: Floats | float) -> Floats:
    return np.asarray((one + other) / np.sqrt(2 * (np.square(one) + np.square(other))))


@evidence("head.row-exclusion", "property", "drawn tables scored over all swaps")
def row_exclusion(how: Profile) -> Finding:
    """The attention weights of a row differ by no more than its two scores allow.

    This is checked at slacks from 0 to the largest difference of the weights, and with the loss due to the
    cut-off `tau`. One swap of two positions to equal weights attains the bound.
    """

    def check(case: Scored) -> None:
        row, tau = case.row, case.tau
        found = swap_scores(ContentTable(case.table, np.array(case.own)), tau=tau)
        kappa = min(float(found.positional), float(found.symbolic))
        most, least, count = row.max(), row.min(), len(row) * (len(row) - 1) / 2
        shown = {"table": case.table, "own": case.own, "tau": tau, "kappa": kappa}
        slacks = np.linspace(0, most - least, _SLACKS)
        limit = _diagonal(most, least + slacks)
        allowed = limit + count * np.exp(-slacks / tau) * (1 - limit)
        # A weight's rounding counts as e/tau in the weights of swaps.
        budget = _ROUNDING * (1 + 1 / tau)
        require(kappa <= allowed.min() + budget, "above the bound at some slack", **shown)
        loss = tau / most * (1 + np.log(count * most / tau))
        level = kappa - loss - budget
        if tau <= most and level >= 0:
            uneven = level**2 * (most - least) ** 2
            require(uneven <= (1 - level**2) * (most + least) ** 2, "too uneven", **shown)
        pair = np.array([[case.table[0, 0], 0.0], [0.0, case.table[1, 1]]])
        swapped = swap_scores(ContentTable(pair, np.array(case.own)), tau=tau)
        weights = np.exp(pair.diagonal())
        for score in (swapped.positional, swapped.symbolic):
            within(float(score), _diagonal(*weights), _ROUNDING, "one swap", **shown)

    domain = "2 to 9 positions, cut-offs 1 to 1e-5, positional, symbolic and mixed tables"
    return draw_cases(how, _scored(), check, domain=domain)
