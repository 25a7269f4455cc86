"""Evidence for the claims of the topic `softmax`: the numerical code on drawn rows of logits.

Bounds are compared as certified enclosures of both sides, without a rounding budget, wherever
both are in balls; a float64 result gets the budget that its docstring states.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.core import softmax
from ropeproof.numerics.strategies import floats, logit_rows
from ropeproof.proofs_check.evidence import Finding, evidence
from ropeproof.proofs_check.evidence import softmax_race as race
from ropeproof.proofs_check.evidence.drawing import UNIT, draw_cases, require, within
from ropeproof.proofs_check.semantics.profiles import Profile

__all__ = ["race"]

Floats = NDArray[np.float64]
_KEYS = 12


@dataclass(frozen=True)
class LogitRow:
    """A row of logits, a target, and the directions and size of a perturbation."""

    logits: Floats
    target: int
    tilt: Floats
    size: float


@lru_cache
def _tilts(keys: int) -> st.SearchStrategy[list[float]]:
    unit = st.sampled_from((1.0, -1.0, 0.0)) | st.floats(-1.0, 1.0)
    return st.lists(unit, min_size=keys, max_size=keys)


@st.composite
def _rows(draw: st.DrawFn, *, least: int = 2, bound: float = 20.0) -> LogitRow:
    keys = draw(st.integers(least, _KEYS))
    size = draw(floats(bound=2.0, positive=True))
    tilt = np.array(draw(_tilts(keys)))
    return LogitRow(
        draw(logit_rows(keys=keys, bound=bound)), draw(st.integers(0, keys - 1)), tilt, size
    )


def _gaps(row: LogitRow) -> list[Fraction]:
    """The exact gaps between the target's logit and all others."""
    exact = [Fraction(w) for w in row.logits.tolist()]
    return [exact[row.target] - w for j, w in enumerate(exact) if j != row.target]


def _rounding(logits: Floats) -> float:
    """The relative error that `ropeproof.numerics.core.softmax.weights` states."""
    return UNIT * float(len(logits) + np.ptp(logits) + 4)


@evidence("softmax.margin", "property", "weights against the bound")
def margin(how: Profile) -> Finding:
    """The target's weight is at least the bound from its margin, with equality for equal gaps."""

    def check(row: LogitRow) -> None:
        keys = len(row.logits)
        gap = min(_gaps(row))
        bound = softmax.weight_bound(gap, keys)
        enclosed = softmax.weights_enclosed(row.logits)
        target = row.target
        require(
            enclosed.upper[target] >= bound.lower,
            "the weight is below the bound of its margin",
            logits=row.logits,
            target=target,
        )
        within(softmax.margin(row.logits, target), float(gap), 0, "the margin", logits=row.logits)
        found = softmax.weights(row.logits)
        budget = _rounding(row.logits) * enclosed.upper + 1e-300
        within(found, enclosed.lower, budget, "float64 weights", logits=row.logits)
        level = np.zeros(keys)
        level[target] = row.size
        sharp = softmax.weights_enclosed(level)
        equal = softmax.weight_bound(row.size, keys)
        meets = sharp.lower[target] <= equal.upper and equal.lower <= sharp.upper[target]
        require(meets, "equal gaps do not attain the bound", margin=row.size, keys=keys)

    domain = f"rows of 2 to {_KEYS} logits in [-20, 20]"
    return draw_cases(how, _rows(), check, domain=domain)


@evidence("softmax.margin-needed", "property", "weights on both sides of the needed margin")
def margin_needed(how: Profile) -> Finding:
    """Gaps of at least the needed margin give the weight; gaps that are all smaller do not."""

    def check(case: tuple[LogitRow, float]) -> None:
        row, weight = case
        keys = len(row.logits)
        needed = softmax.margin_needed(weight, keys)
        extra = np.abs(row.tilt)
        extra[row.target] = 0.0
        enough = np.full(keys, -np.nextafter(needed.upper, np.inf)) - extra
        enough[row.target] = 0.0
        require(
            softmax.weights_enclosed(enough).upper[row.target] >= weight,
            "the needed margin is not enough",
            weight=weight,
            keys=keys,
        )
        short = np.full(keys, -np.nextafter(needed.lower, -np.inf) + 2.0**-30) + extra
        short[row.target] = 0.0
        require(
            softmax.weights_enclosed(short).upper[row.target] < weight,
            "less than the needed margin is enough",
            weight=weight,
            keys=keys,
        )

    domain = f"weights in [0.01, 0.999], 2 to {_KEYS} keys"
    return draw_cases(how, st.tuples(_rows(), st.floats(0.01, 0.999)), check, domain=domain)


@evidence("softmax.perturb", "property", "odds of moved logits")
def perturb(how: Profile) -> Finding:
    """Changing logits by at most eta changes the log-odds of every weight by at most 2 eta."""

    def check(row: LogitRow) -> None:
        moved = row.logits + row.size * row.tilt
        shift = max(
            abs(Fraction(a) - Fraction(b))
            for a, b in zip(moved.tolist(), row.logits.tolist(), strict=True)
        )
        before, after = softmax.log_odds(row.logits), softmax.log_odds(moved)
        limit = float(np.log(softmax.odds_factor(shift).upper))
        size = float(np.abs(row.logits).max() + row.size)
        budget = 16 * UNIT * (len(moved) + size)
        within(after, before, limit + budget, "the odds", logits=row.logits, moved=moved)
        shares = softmax.weights(row.logits)
        odds = np.exp(np.minimum(before, 600.0))
        within(
            odds / (1 + odds),
            shares,
            (_rounding(row.logits) + 4 * budget) * shares + 1e-300,
            "log-odds and weights disagree",
            logits=row.logits,
        )

    domain = f"rows of 2 to {_KEYS} logits in [-20, 20], moved by at most 2"
    return draw_cases(how, _rows(), check, domain=domain)


@evidence("softmax.tv", "property", "total variation of tilted rows")
def distance(how: Profile) -> Finding:
    """Changing logits by at most eps changes the weights by at most tanh(eps/2) in total variation.

    Two keys attain the bound. If only some logits change, the weights change by at most those keys' mass
    times e^eps - 1.
    """

    def check(row: LogitRow) -> None:
        epsilon = row.size
        before = softmax.weights(row.logits)
        moved = row.logits + epsilon * row.tilt
        budget = 4 * (_rounding(row.logits) + 8 * UNIT * float(np.abs(moved).max() + 1))
        found = softmax.total_variation(before, softmax.weights(moved))
        limit = softmax.distance_bound(epsilon).upper
        require(found <= limit + budget, "more than tanh(eps/2)", logits=row.logits, moved=moved)
        tilted = np.abs(row.tilt) > 0
        mass = float(min(before[tilted].sum(), 1.0))
        partial = softmax.distance_bound_partial(mass, epsilon).upper
        require(found <= partial + budget, "more than its mass", logits=row.logits, moved=moved)
        worst = softmax.total_variation(
            softmax.weights([-epsilon, 0.0]), softmax.weights([0.0, -epsilon])
        )
        within(worst, limit, 16 * UNIT, "tanh(eps/2) is not attained", tilt=epsilon)

    domain = f"rows of 2 to {_KEYS} logits in [-20, 20], tilted by at most 2"
    return draw_cases(how, _rows(), check, domain=domain)


@evidence("softmax.entropy", "property", "entropy of bounded rows")
def entropy(how: Profile) -> Finding:
    """Logits in [-B, B] have a softmax entropy between ln n - 2B and ln n."""

    def check(row: LogitRow) -> None:
        keys, bound = len(row.logits), float(np.abs(row.logits).max())
        found = float(softmax.entropy(row.logits))
        budget = UNIT * (keys + 4) * (1 + 2 * bound)
        least = softmax.entropy_bound(bound, keys)
        require(found >= least.lower - budget, "below ln n - 2B", logits=row.logits)
        most = softmax.entropy_bound(0, keys)
        require(found <= most.upper + budget, "above ln n", logits=row.logits)
        shares = softmax.weights(row.logits)
        direct = -sum(p * np.log(p) for p in shares.tolist() if p > 0)
        within(found, direct, 64 * budget, "the definition", logits=row.logits)

    domain = f"rows of 1 to {_KEYS} logits in [-20, 20]"
    return draw_cases(how, _rows(least=1), check, domain=domain)


@dataclass(frozen=True)
class Decoding:
    """Scores with `ties` keys at the top, values, and the constants of a decoder."""

    scores: Floats
    ties: int
    margin: Fraction
    values: Floats
    gap: float
    lipschitz: float
    inverse_temperature: float


@st.composite
def _decodings(draw: st.DrawFn) -> Decoding:
    keys = draw(st.integers(2, _KEYS))
    ties = draw(st.integers(1, keys - 1))
    below = draw(st.lists(st.floats(2.0**-6, 4.0), min_size=keys - ties, max_size=keys - ties))
    top = draw(floats(bound=4.0))
    scores = top - np.array([0.0] * ties + below)
    values = np.array(draw(st.lists(st.tuples(floats(), floats()), min_size=keys, max_size=keys)))
    return Decoding(
        scores,
        ties,
        Fraction(top) - Fraction(float(scores[ties:].max())),
        values,
        draw(floats(bound=4.0, positive=True)),
        draw(floats(bound=4.0, positive=True)),
        draw(floats(bound=16.0, positive=True)),
    )


@evidence("softmax.hard-to-soft", "property", "soft attention at the needed temperature")
def hard_to_soft(how: Profile) -> Finding:
    """The top weights stay within their bounds as attention softens.

    At the needed inverse temperature the soft output is so close to the hard one that no decoder with the
    given gap distinguishes them.
    """

    def check(case: Decoding) -> None:
        keys, ties = len(case.scores), case.ties
        shown: dict[str, Any] = {"scores": case.scores, "beta": case.inverse_temperature}
        low, high = softmax.top_weight_bounds(
            case.inverse_temperature, case.margin, keys, ties=ties
        )
        scaled = case.inverse_temperature * (case.scores - case.scores[0])
        found = softmax.weights(scaled)[:ties]
        slack = _rounding(scaled) + UNIT * float(np.abs(scaled).max())
        require((found >= low.lower * (1 - slack)).all(), "a top weight is too small", **shown)
        require((found <= high.upper * (1 + slack)).all(), "a top weight is too large", **shown)
        differences = case.values[:, np.newaxis] - case.values
        diameter = float(np.hypot(differences[..., 0], differences[..., 1]).max())
        needed = softmax.inverse_temperature_needed(
            case.margin,
            keys,
            ties=ties,
            gap=case.gap,
            lipschitz=case.lipschitz,
            diameter=diameter,
        )
        sharp = needed.upper * (case.scores - case.scores[0])
        soft = softmax.weights(sharp) @ case.values
        hard = case.values[:ties].mean(0)
        moved = float(np.hypot(*(soft - hard)))
        size = float(np.abs(case.values).max())
        budget = (_rounding(sharp) + UNIT * (float(np.abs(sharp).max()) + keys)) * 8 * size
        require(
            moved * case.lipschitz <= case.gap / 2 + budget * case.lipschitz,
            "the decoder's scores move by more than half its gap",
            scores=case.scores,
            values=case.values,
            gap=case.gap,
            lipschitz=case.lipschitz,
        )

    domain = f"2 to {_KEYS} keys, margins in [1/64, 4], values in the plane"
    return draw_cases(how, _decodings(), check, domain=domain)
