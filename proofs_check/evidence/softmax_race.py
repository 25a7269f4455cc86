"""Evidence for the bounds of the expected attention weight of independent keys, called the race.

The expectation is not estimated: on the rows of a table every outcome is summed in balls. The numerical
code is checked on drawn rows as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
from flint import arb, fmpq
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.race import expected_needle_score, race_bounds
from ropeproof.numerics.strategies import floats
from ropeproof.proofs_check.evidence import Finding, drawing, evidence
from ropeproof.proofs_check.kernel.outcome import fails, holds, unknown
from ropeproof.proofs_check.semantics.profiles import Profile
from ropeproof.theory.rotary.precision import precision

__all__ = ["exact_weights"]

Floats = NDArray[np.float64]
_BITS = 200
_KEYS = (((0, 0), (1, 3)), ((0, 2), (1, 1)), ((-1, 3), (1, 3)))
"""Kinds of keys: the logits of a key's two values, and the ratio of their probabilities."""
_GRIDS = ((0, 1), (0, 1, 3), (0, Fraction(1, 4), 1, 2, 5))


def exact_weights(logits: Any, weights: Any) -> list[Any]:
    """The expected attention weight of each lag as a ball, summed over all outcomes.

    Numbers count as exact. The caller sets the working precision.
    """
    top = arb(max(float(w) for row in logits for w in row))
    rates = [[(arb(float(w)) - top).exp() for w in row] for row in logits]
    totals = [sum((arb(float(p)) for p in row), arb(0)) for row in weights]
    found = [arb(0) for _ in rates]
    for outcome in product(*(range(len(row)) for row in rates)):
        chance = arb(1)
        for row, total, value in zip(weights, totals, outcome, strict=True):
            chance *= arb(float(row[value])) / total
        drawn = [row[value] for row, value in zip(rates, outcome, strict=True)]
        whole = sum(drawn, arb(0))
        found = [f + chance * d / whole for f, d in zip(found, drawn, strict=True)]
    return found


def _sums(keys: Any, grid: Any) -> tuple[list[Any], Any]:
    """The lower bound `low_t` of each key in ball arithmetic, and the grid's points as balls."""

    def transform(key: Any, at: Any) -> Any:
        (first, second), (p, q) = key
        whole = p + q
        return (p * (-at * arb(first).exp()).exp() + q * (-at * arb(second).exp()).exp()) / whole

    points = [arb(fmpq(Fraction(g).numerator, Fraction(g).denominator)) for g in grid]
    low = []
    for t, key in enumerate(keys):
        total = arb(0)
        for left, right in pairwise(points):
            term = transform(key, left) - transform(key, right)
            for u, other in enumerate(keys):
                term *= transform(other, (left + right) / 2) if u != t else 1
            total += term
        low.append(total)
    return low, points


def _width(keys: Any, points: Any) -> Any:
    """The bound of claim `softmax.race-width` on the width, in balls."""
    bound = arb(0)
    for outcome in product(range(2), repeat=len(keys)):
        chance, total = arb(1), arb(0)
        for (values, parts), x in zip(keys, outcome, strict=True):
            chance *= arb(parts[x]) / (parts[0] + parts[1])
            total += arb(values[x]).exp()
        bound += chance * (-points[-1] * total).exp()
        for left, right in pairwise(points):
            half = (right - left) / 2 * total
            bound += chance * ((-left * total).exp() - (-right * total).exp()) * half * half / 6
    return bound


@evidence("softmax.race", "certified", "every row of three keys from a table, in balls")
def certified(_: Profile) -> Finding:
    """The race's bounds contain the exact expected weight of each key, on rows of 3 listed keys.

    The distance of the bounds is within the claim's; all in balls, on 3 grids.
    """
    domain = "rows of 3 keys, each one of 3 with two values, and 3 grids; all outcomes"
    count = 0
    with precision(_BITS):
        for keys in product(_KEYS, repeat=3):
            means = exact_weights([k[0] for k in keys], [k[1] for k in keys])
            for grid in _GRIDS:
                low, points = _sums(keys, grid)
                missing = 1 - sum(low, arb(0))
                for mean, least in zip(means, low, strict=True):
                    if not (least <= mean <= least + missing):
                        wrong = mean < least or mean > least + missing
                        text = f"keys {keys}, grid {grid}: {mean} not from {least}"
                        return Finding(fails(text) if wrong else unknown(text), domain)
                if not missing <= _width(keys, points):
                    return Finding(fails(f"keys {keys}, grid {grid}: wider than its bound"), domain)
                count += 1
    return Finding(holds(f"{count} rows and grids"), domain, count)


@dataclass(frozen=True)
class RaceKeys:
    """Logits `(lags, values)` and the probability weights of the values, in the same shape."""

    logits: Floats
    weights: Floats


@st.composite
def _rows(draw: st.DrawFn) -> RaceKeys:
    lags, values = draw(st.integers(1, 4)), draw(st.integers(1, 3))
    size = draw(st.sampled_from((1.0, 8.0, 400.0, 10000.0)))
    logits = [[size * draw(floats(bound=1.0)) for _ in range(values)] for _ in range(lags)]
    if draw(st.booleans()):
        logits = [logits[0]] * lags
    some = st.sampled_from((0.0, 1e-12, 0.25, 1.0, 3.0))
    weights = [[draw(some) for _ in range(values)] for _ in range(lags)]
    for row in weights:
        row[0] = row[0] or 1.0
    return RaceKeys(np.array(logits), np.array(weights))


def _contains(case: RaceKeys, cells: int) -> None:
    lower, upper = race_bounds(case.logits, weights=case.weights, cells=cells)
    with precision(_BITS):
        for t, mean in enumerate(exact_weights(case.logits, case.weights)):
            inside = not (mean < arb(float(lower[t])) or mean > arb(float(upper[t])))
            drawing.require(
                inside,
                f"lag {t}: {mean} is not between {lower[t]} and {upper[t]}",
                logits=case.logits,
                weights=case.weights,
                cells=cells,
            )


@evidence("softmax.race", "property", "enclosures contain the exact expectation")
def race(how: Profile) -> Finding:
    """`race_bounds` contains the expected weight of every lag, at 1, 20 and 200 cells."""

    def check(case: RaceKeys) -> None:
        for cells in (1, 20, 200):
            _contains(case, cells)

    return drawing.draw_cases(
        how, _rows(), check, domain="up to 4 lags of up to 3 values, logits to 10000"
    )


@evidence("softmax.race-width", "property", "twice the cells, a quarter of the distance")
def width(how: Profile) -> Finding:
    """The width of the bounds falls with the square of the cells, for logits of at most 8."""

    def check(case: RaceKeys) -> None:
        logits = np.clip(case.logits, -4, 4)
        few, many = (
            float(np.ptp(np.array(race_bounds(logits, weights=case.weights, cells=c))[:, 0]))
            for c in (100, 800)
        )
        drawing.require(
            many <= max(few / 8, 3e-5), "more cells do not help", logits=logits, width=many
        )
        drawing.require(few <= 2e-3, "wider than a fine grid should be", logits=logits, width=few)

    return drawing.draw_cases(
        how, _rows(), check, domain="up to 4 lags of up to 3 values, logits to 4"
    )


@evidence("slash.race", "property", "rows of independent tokens, lag 0 the query's own")
def slash_race(how: Profile) -> Finding:
    """The mean over rows and query tokens lies between the means of the race's enclosures."""

    def check(case: RaceKeys) -> None:
        size = np.clip(case.logits, -20, 20)
        tokens = size.shape[1]
        law = case.weights[0] + 0.1
        law /= law.sum()
        logit = size[:, None, :] - size[:, ::-1, None]  # (lags, query tokens, key tokens)
        sides = np.zeros(2)
        mean = arb(0)
        with precision(_BITS):
            for query in range(tokens):
                row = logit[:, query].copy()
                row[0] = logit[0, query, query]
                weights = np.broadcast_to(law, row.shape)
                bounds = race_bounds(row, weights=law)
                sides += float(law[query]) * np.array([bounds.lower[-1], bounds.upper[-1]])
                mean += arb(float(law[query])) * exact_weights(row, weights)[-1]
            lower, upper = sides[0] - 1e-14, sides[1] + 1e-14
            inside = not (mean < arb(float(lower)) or mean > arb(float(upper)))
            drawing.require(inside, "the score is outside", logits=logit, law=law)

    return drawing.draw_cases(how, _rows(), check, domain="rows of up to 4 lags, up to 3 tokens")


@evidence("retrieval.race", "property", "a needle among up to three distractors")
def retrieval_race(how: Profile) -> Finding:
    """Each length's enclosure contains the exact expected needle score, and falls with length."""

    def check(case: RaceKeys) -> None:
        logits = np.clip(case.logits, -200, 200)
        own, rest = logits[0], logits[-1]
        mass, shares = case.weights[0], case.weights[-1]
        found = expected_needle_score(
            own, rest, [1, 2, 3, 4], needle_weights=mass, distractor_weights=shares
        )
        with precision(_BITS):
            for length in range(1, 5):
                mean = exact_weights(
                    [own] + [rest] * (length - 1), [mass] + [shares] * (length - 1)
                )[0]
                low, high = (float(side[length - 1]) for side in found)
                drawing.require(
                    not (mean < arb(low) or mean > arb(high)),
                    f"length {length}: {mean}",
                    low=low,
                    high=high,
                    needle=own,
                    distractors=rest,
                )
        drawing.require(
            (found.upper[1:] <= found.upper[:-1] + 5e-3).all(),
            "it rises with the length",
            upper=found.upper,
        )

    return drawing.draw_cases(
        how, _rows(), check, domain="up to 4 keys of up to 3 values, logits to 200"
    )
