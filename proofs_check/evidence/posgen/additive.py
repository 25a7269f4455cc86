"""Evidence that a lag term plus a key term differs from the logit by no more than is proved."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen import (
    additive_fits,
    pearson_bound,
    three_axis_bound,
    three_axis_parts,
    two_axis_bound,
    two_axis_parts,
)
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.evidence.posgen import drawn
from ropeproof.proofs_check.evidence.posgen.drawn import Windowed
from ropeproof.proofs_check.kernel.outcome import fails
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.spec import RopeSpec

__all__: list[str] = []

Floats = NDArray[np.float64]


def _on_slow_planes(vectors: Floats, spec: RopeSpec, reach: float) -> Floats:
    """The vectors with 0 on the planes that turn by more than 1 radian over `reach` positions."""
    result = vectors.copy()
    fast = frequencies_float64(spec) * reach > 1
    for plane in np.flatnonzero(fast):
        result[..., list(spec.plane_coordinates()[plane])] = 0.0
    return result


@evidence("posgen.two-axis", "property", "what mean key and key deviation leave")
def two_axis(how: Profile) -> Finding:
    """A lag term plus a key term differs from the logit by at most the proved bound, in the window.

    That holds at every lag of the window, for any reference lag and any mean key. The streamed fit leaves no
    more on the triangle than it reports.
    """

    def check(case: Windowed) -> None:
        spec, length = case.spec, case.length
        options: dict[str, Any] = {
            "length": length,
            "reference": case.reference,
            "mean_key": case.mean_key,
        }
        found = two_axis_parts(case.queries, case.keys, spec, np.arange(length), **options)
        limits = two_axis_bound(case.queries, case.keys, spec, **options)
        values, mean = case.logits(case.queries, case.keys), case.mean_key[np.newaxis]
        f = case.logits(case.queries, mean)[:, :, 0]
        drawing.within(found.lag.T, f, case.rounding, "the term of the lag", **case.shown)
        reach = max(case.reference, length - 1 - case.reference)
        slow = _on_slow_planes(case.keys - mean, spec, reach)
        g = case.logits(case.queries, slow, case.reference)[0]
        drawing.within(found.key, g, case.rounding, "the term of the key", **case.shown)
        left = np.abs(values - f[:, :, np.newaxis] - g).max(0)
        drawing.require(
            (left <= limits + case.rounding).all(), "more is left", left=left, **case.shown
        )
        # The same as one prompt: as many queries as keys.
        count = min(len(case.queries), len(case.keys))
        if count < 2:
            return
        fits = additive_fits(case.queries[:count], case.keys[:count], spec, block=2)
        for fit in fits:
            rest, most = fit.largest_residual, fit.largest_bound
            drawing.require(
                fit.residual <= fit.bound + case.rounding, f"{fit.kind}: bound", **case.shown
            )
            if rest is not None and most is not None:
                drawing.require(rest <= most + case.rounding, f"{fit.kind}: largest", **case.shown)

    return drawing.draw_cases(
        how, drawn.windowed(), check, domain=f"{drawn.DOMAIN}, any reference in the window"
    )


@evidence("posgen.three-axis", "property", "what the means and slow deviations leave")
def three_axis(how: Profile) -> Finding:
    """A lag, a query and a key term differ from the logit by at most the proved bound, in the window."""

    def check(case: Windowed) -> None:
        spec, length = case.spec, case.length
        options: dict[str, Any] = {
            "length": length,
            "mean_query": case.mean_query,
            "mean_key": case.mean_key,
        }
        found = three_axis_parts(case.queries, case.keys, spec, np.arange(length), **options)
        limits = three_axis_bound(case.queries, case.keys, spec, **options)
        query, key = case.mean_query[np.newaxis], case.mean_key[np.newaxis]
        middle = (length - 1) / 2
        lag = case.logits(query, key)[:, 0, 0]
        moved = _on_slow_planes(case.queries - query, spec, middle)
        off = _on_slow_planes(case.keys - key, spec, middle)
        from_query = case.logits(moved, key, middle)[0, :, 0]
        from_key = case.logits(query, off, middle)[0, 0]
        budget = case.rounding
        drawing.within(found.lag, lag, budget, "the term of the lag", **case.shown)
        drawing.within(found.query, from_query, budget, "the term of the query", **case.shown)
        drawing.within(found.key, from_key, budget, "the term of the key", **case.shown)
        values = case.logits(case.queries, case.keys)
        fit = lag[:, np.newaxis, np.newaxis] + from_query[:, np.newaxis] + from_key
        left = np.abs(values - fit).max(0)
        drawing.require((left <= limits + budget).all(), "more is left", left=left, **case.shown)

    return drawing.draw_cases(how, drawn.windowed(), check, domain=f"{drawn.DOMAIN}, any means")


@evidence("posgen.pearson", "property", "correlations of drawn sums")
def pearson(how: Profile) -> Finding:
    """A drawn sum correlates with its part at least as strongly as the bound says.

    A remainder uncorrelated with the sum attains the bound.
    """

    def check(case: tuple[int, int, float]) -> None:
        seed, count, ratio = case
        random = np.random.default_rng(seed)
        first, second = (x - x.mean() for x in random.normal(size=(2, count)))
        first /= first.std()
        second -= (first @ second) / (first @ first) * first
        size = second.std()
        drawing.require(size > 0 or count < 3, "a drawn sample is degenerate", seed=seed)
        second = second / size if count > 2 else 0 * second
        for tilt in (*random.uniform(-1, 1, 4), -ratio):
            across = np.sqrt(1 - tilt * tilt)
            rest = ratio * (tilt * first + across * second)
            spread = float(rest.std())
            total = first + rest
            if not spread < 1 - 2.0**-20:
                continue
            found = float(np.mean(total * first) / total.std())
            bound = pearson_bound(spread)
            # The smallest standard deviation is that of the sum, at least 1 - ratio.
            budget = drawing.UNIT * 64 * count / (1 - spread) ** 2
            shown = {"seed": seed, "count": count, "ratio": ratio, "tilt": tilt}
            drawing.require(found >= bound.lower - budget, "a smaller correlation", **shown)
            if tilt == -ratio and count > 2:
                drawing.within(found, bound.lower, budget, "the bound is not attained", **shown)

    cases = st.tuples(
        st.integers(0, 2**32 - 1), st.integers(2, 40), st.floats(0.0, 0.95, allow_subnormal=False)
    )
    domain = "samples of 2 to 40, remainders up to 0.95 of the part; the ratio 0.283"
    printed = pearson_bound("0.283")
    if not 0.9585 < printed.lower <= printed.upper < 0.9595:
        return Finding(fails("not 0.959 at 0.283", {"enclosure": printed}), domain)
    return drawing.draw_cases(how, cases, check, domain=domain)
