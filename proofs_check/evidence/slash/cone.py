"""Evidence that a cone makes queries and keys nearly rank one, and for the output of a head."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.cone import cone_epsilon, rank_one_share, relative_radius
from ropeproof.numerics.bounds.slash.emergence import copy_error
from ropeproof.numerics.bounds.slash.learned.rank import rank_statistics
from ropeproof.numerics.core import softmax
from ropeproof.numerics.strategies import Cone, cone, floats, logit_rows
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.drawing import require
from ropeproof.proofs_check.semantics.profiles import Profile

__all__: list[str] = []

Floats = NDArray[np.float64]
_TOKENS = 8


@st.composite
def _cones(draw: st.DrawFn) -> Cone:
    head_dim, tokens = 2 * draw(st.integers(1, 4)), draw(st.integers(1, _TOKENS))
    largest = draw(st.sampled_from((0.2, 0.5, 1.0)))
    width = draw(st.integers(2, 10))
    return draw(cone(head_dim=head_dim, tokens=tokens, width=width, largest_epsilon=largest))


@st.composite
def _sharp_cones(draw: st.DrawFn) -> Cone:
    """Cones with `r_1 = 1 - epsilon^2` up to fourth order: tokens off the axis on either side."""
    share = draw(floats(bound=0.4, positive=True))
    direction, other = np.eye(2)
    deviations = np.array([share * other, -share * other])
    return Cone(
        embeddings=direction + deviations,
        matrix=np.eye(2),
        direction=direction,
        sizes=np.ones(2),
        deviations=deviations,
        aperture=share,
        spread=1.0,
        unevenness=0.0,
        mean=direction,
    )


@evidence("slash.cone", "property", "rank statistics and radii of drawn cones")
def in_cone(how: Profile) -> Finding:
    """Queries of tokens on a cone are nearly rank one: r_1 is at least 1 - epsilon^2.

    Here r_1 is the share of the largest squared singular value in the sum of all. The rank r_0.95 is 1 where
    that bound implies it. No query is further from the mean than epsilon_q times the mean's length.
    """

    def check(case: Cone) -> None:
        shown = {
            "embeddings": case.embeddings,
            "matrix": case.matrix,
            "direction": case.direction,
        }
        vectors = case.vectors
        # The aperture and the spread are measured to a few units of the sizes of their terms.
        lost = (
            drawing.UNIT * 64 * (case.matrix.size + len(vectors)) * (1 + np.abs(case.matrix).sum())
        )
        image = float(np.linalg.norm(case.matrix @ case.direction))
        rounding = lost * (1 + 1 / image) * (1 + case.aperture)
        epsilon = cone_epsilon(case.spread, case.aperture).upper
        if not epsilon < 1:
            return
        found = rank_statistics(vectors)
        require(
            found.r1 >= rank_one_share(epsilon).lower - 4 * rounding,
            "r_1 is below 1 - epsilon^2",
            r1=found.r1,
            epsilon=epsilon,
            **shown,
        )
        if epsilon * epsilon + 4 * rounding <= 0.05:
            require(found.r095 == 1, "r_0.95 is not 1", r095=found.r095, **shown)
        off = np.linalg.norm(vectors - case.mean, axis=1)
        size = float(np.linalg.norm(case.mean))
        limit = relative_radius(epsilon, case.unevenness).upper
        require((off <= (limit + 4 * rounding) * size).all(), "a query is too far off", **shown)

    domain = f"up to {_TOKENS} tokens, head dimensions 2 to 8, epsilon below 1, sizes within 1/2"
    return drawing.draw_cases(how, _cones() | _sharp_cones(), check, domain=domain)


@dataclass(frozen=True)
class Copying:
    """A row of logits, its target, values `(keys, 3)` and two layers that read the output."""

    logits: Floats
    target: int
    values: Floats
    first: Floats
    second: Floats


@st.composite
def _copying(draw: st.DrawFn) -> Copying:
    keys = draw(st.integers(1, 8))
    row = draw(logit_rows(keys=keys, bound=8.0))
    target = draw(st.integers(0, keys - 1))
    row[target] += draw(floats(bound=16.0, positive=True))
    seed = draw(st.integers(0, 2**32 - 1))
    random = np.random.default_rng(seed)
    values = random.normal(size=(keys, 3))
    if draw(st.booleans()):
        # All other values in one place: the bound is attained.
        values[np.arange(keys) != target] = random.normal(size=3)
    return Copying(row, target, values, random.normal(size=(4, 3)), random.normal(size=(2, 4)))


@evidence("slash.composition", "property", "outputs of drawn rows and networks")
def composition(how: Profile) -> Finding:
    """The output is the target's value up to epsilon times the diameter, if its weight is 1 - epsilon.

    A Lipschitz network behind it multiplies that error by at most its constant.
    """

    def check(case: Copying) -> None:
        weights = softmax.weights(case.logits)
        others = np.arange(len(weights)) != case.target
        miss = float(weights[others].sum())
        apart = case.values[:, np.newaxis] - case.values
        diameter = float(np.sqrt((apart**2).sum(-1)).max())
        out, copied = weights @ case.values, case.values[case.target]
        size = float(np.abs(case.values).sum())
        budget = drawing.UNIT * 32 * (len(weights) + float(np.ptp(case.logits))) * size
        shown = {"logits": case.logits, "target": case.target, "values": case.values}
        moved = float(np.linalg.norm(out - copied))
        require(moved <= copy_error(miss, diameter).upper + budget, "the output is off", **shown)
        if others.any() and (case.values[others] == case.values[others][0]).all():
            drawing.within(
                moved, copy_error(miss, diameter).upper, budget, "the bound's extreme", **shown
            )

        def network(x: Floats) -> Floats:
            result: Floats = case.second @ np.maximum(case.first @ x, 0.0)
            return result

        constant = float(np.linalg.norm(case.first, 2) * np.linalg.norm(case.second, 2))
        lost = float(np.linalg.norm(network(out) - network(copied)))
        limit = copy_error(miss, diameter, constant).upper + 32 * (1 + constant) * budget
        require(lost <= limit, "the network loses more", **shown)

    domain = "rows of 1 to 8 keys, values in three dimensions, one hidden layer with ReLU"
    return drawing.draw_cases(how, _copying(), check, domain=domain)
