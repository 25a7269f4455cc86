"""Evidence for the scores: the layer run again after every swap, and the range of a swap's scores."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head import (
    ContentTable,
    geometry_residual,
    imbalance_bound,
    swap_angles,
    swaps,
    vector_scores,
)
from ropeproof.numerics.strategies import floats
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.head.rows import DOMAIN, UnrotatedRow, rows
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Swapped:
    """A row, the size of the swapped blocks, and the temperature of the swaps' weights."""

    row: UnrotatedRow
    block: int
    tau: float


@st.composite
def _swapped(draw: st.DrawFn) -> Swapped:
    row = draw(rows())
    block = draw(st.integers(1, max(1, (row.length - 1) // 2)))
    return Swapped(row, block, draw(st.sampled_from((1.0, 0.1, 1e-2))))


def _attention(row: UnrotatedRow, order: NDArray[np.int64]) -> Floats:
    values = row.logits(order)
    sizes = np.exp(values - values.max())
    result: Floats = sizes / sizes.sum()
    return result


def _cosine(first: Floats, second: Floats) -> float:
    return float(first @ second / (np.linalg.norm(first) * np.linalg.norm(second)))


def _run_again(case: Swapped) -> tuple[Floats, Floats, Floats]:
    """The similarities and weights of every swap, from running the layer again for each."""
    row, size = case.row, case.block
    count = (row.length - 1) // size
    order = np.arange(row.length)
    blocks = order[: count * size].reshape(count, size)

    def averaged(contents: NDArray[np.int64]) -> Floats:
        found: Floats = _attention(row, contents)[blocks].mean(1)
        return found

    before = averaged(order)
    positional, symbolic, weights = np.ones((count, count)), np.ones((count, count)), {}
    for i, j in combinations(range(count), 2):
        contents = order.copy()
        contents[blocks[i]], contents[blocks[j]] = blocks[j], blocks[i]
        after = averaged(contents)[[i, j]]
        positional[i, j] = positional[j, i] = _cosine(after, before[[i, j]])
        symbolic[i, j] = symbolic[j, i] = _cosine(after, before[[j, i]])
        weights[i, j] = abs(before[i] - before[j]) / case.tau
    alpha = np.zeros((count, count))
    for pair, exponent in weights.items():
        alpha[pair] = alpha[pair[::-1]] = np.exp(exponent - max(weights.values()))
    return positional, symbolic, alpha / (alpha.sum() / 2)


@evidence("head.score-table", "property", "the layer run again after every swap of drawn rows")
def score_table(how: Profile) -> Finding:
    """Scores computed from a table of logits are those of running the layer again after each swap.

    So are the similarities and the weights of the swaps. Swaps of single tokens and of blocks are checked.
    """

    def check(case: Swapped) -> None:
        row = case.row
        positional, symbolic, weights = _run_again(case)
        found = swaps(row.table, block=case.block, tau=case.tau)
        shown = {"block": case.block, "tau": case.tau, **row.shown}
        # A small weight has the relative error of its logit; its cosine no more than twice that.
        budget = 8 * row.rounding + 64 * drawing.UNIT
        drawing.within(found.positional, positional, budget, "positional similarities", **shown)
        drawing.within(found.symbolic, symbolic, budget, "symbolic similarities", **shown)
        drawing.within(
            found.weights, weights, 4 * budget / case.tau, "the weights of swaps", **shown
        )
        scores = vector_scores(row.queries, row.keys, row.spec, block=case.block, tau=case.tau)
        pairs = np.triu_indices(len(weights), 1)
        budget = budget * (1 + 8 / case.tau)
        for name, values in (("positional", positional), ("symbolic", symbolic)):
            expected = float((weights * values)[pairs].sum())
            drawing.within(getattr(scores, name), expected, budget, f"the {name} score", **shown)

    return drawing.draw_cases(how, _swapped(), check, domain=f"{DOMAIN}, blocks, tau 0.01 to 1")


@st.composite
def _swaps(draw: st.DrawFn) -> Floats:
    """Drawn logits of two contents at two positions, `(2, 2)`."""
    entries = draw(st.lists(floats(bound=6.0), min_size=4, max_size=4))
    return np.array(entries).reshape(2, 2)


@evidence("head.score-geometry", "property", "drawn swaps, and those that change nothing")
def score_geometry(how: Profile) -> Finding:
    """The angles phi and psi of a swap give both of its scores, which bound the swap's imbalance.

    The imbalance is `|D_i - D_j| / (D_i + D_j)` of the two weights. A swap whose exchanged weights are equal
    attains the bound.
    """

    def check(values: Floats) -> None:
        tight = values.copy()
        # The exchanged contents have equal logits: psi = 0. A moderate phi keeps the level apart.
        tight[1, 0] = tight[0, 1]
        tight[0, 0] = tight[1, 1] + 0.25 + abs(values[0, 0]) / 6
        for table, attained in ((values, False), (tight, True)):
            content = ContentTable(table, np.array(0.0))
            phi, psi = (float(angles[0, 1]) for angles in swap_angles(content))
            d, changed = np.exp(table.diagonal()), np.exp([table[1, 0], table[0, 1]])
            # By two vectors of the plane and the diagonal.
            drawing.within(
                phi, np.pi / 4 - np.arctan2(d[1], d[0]), 16 * drawing.UNIT, "phi", table=table
            )
            direct = np.pi / 4 - np.arctan2(changed[1], changed[0])
            drawing.within(psi, direct, 16 * drawing.UNIT, "psi", table=table)
            positional, symbolic = _cosine(changed, d), _cosine(changed, d[::-1])
            drawing.within(
                positional, np.cos(psi - phi), 16 * drawing.UNIT, "positional", table=table
            )
            drawing.within(symbolic, np.cos(psi + phi), 16 * drawing.UNIT, "symbolic", table=table)
            found = swaps(content)
            drawing.within(
                found.positional[0, 1], positional, 16 * drawing.UNIT, "the swap", table=table
            )
            drawing.within(
                found.symbolic[0, 1], symbolic, 16 * drawing.UNIT, "the swap", table=table
            )
            residual = float(geometry_residual(positional, symbolic, phi))
            drawing.within(residual, 0.0, 64 * drawing.UNIT, "the residual", table=table)
            level = 1 - min(positional, symbolic)
            if level < 2.0**-20:
                continue
            imbalance = abs(d[0] - d[1]) / (d[0] + d[1])
            limit = imbalance_bound(level)
            budget = drawing.UNIT * 64 / level
            drawing.require(imbalance <= limit.upper * (1 + budget), "too unbalanced", table=table)
            if attained:
                close = imbalance >= limit.lower * (1 - budget)
                drawing.require(close, "the bound is not attained", table=table)

    domain = "two contents and two positions, logits up to 6, half of them tight"
    return drawing.draw_cases(how, _swaps(), check, domain=domain)
