"""The bounds of `ropeproof.numerics.bounds.planes.rounding` in ball arithmetic, without float64.

They certify results that float64 found with a slack for its own rounding. Amplitudes are exact
doubles, frequencies balls; a comparison that the balls leave open counts as not certain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from ropeproof.numerics.bounds.planes.rounding import Arithmetic
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.rotary.precision import precision

__all__ = ["BITS", "certain_in_type", "logit_error_ball", "odds_allowed_ball"]

BITS = 256


def logit_error_ball(
    kind: Arithmetic,
    frequencies: Sequence[Any],
    amplitudes: Sequence[Any],
    *,
    length: int,
    head_dim: int,
) -> Any:
    """The logit error `eta` of `Arithmetic.logit_error` as a ball; None if a product may overflow.

    `frequencies` and `amplitudes` are balls, one per plane; at the precision in force.
    """
    total, roots = arb(0), arb(0)
    for amplitude in amplitudes:
        total += amplitude
        roots += amplitude.sqrt()
    unit, sums, angle = arb(kind.unit), arb(kind.sums), arb(kind.angle)
    if not total * arb(head_dim).sqrt() <= arb(kind.largest) / 2:
        return None
    own = (1 + _gamma(head_dim, kind.sums)) * (1 + unit) ** 3
    lost = 40 * arb(kind.smallest) * (roots + head_dim)
    found = sums * total + lost
    for theta, amplitude in zip(frequencies, amplitudes, strict=True):
        turned, still = arb(0), bool(theta == 0)  # one that is not certain to be still turns
        if not still:
            tables = length * theta * ((1 + angle) ** 3 - 1) + 4 * angle + unit
            turned = arb(2).sqrt() * (_gamma(2, kind.unit) * (1 + 2 * tables) + tables)
        side = (1 + unit) ** 2 * (1 + turned)
        found += amplitude * (side * side * own - 1)
    return found


def odds_allowed_ball(kind: Arithmetic, length: int, spread: Any, *, weight: Fraction) -> Any:
    """`Arithmetic.odds_allowed` as a ball, `spread` a ball, at the precision in force."""
    softmax = arb(kind.sums) * (length + spread + 96)
    mixing = _gamma(length, kind.sums) + 4 * arb(kind.unit)
    rho = (softmax + mixing) * (1 + softmax + mixing)
    least = arb(fmpq(weight.numerator, weight.denominator))
    return 1 - (2 * rho + 2 * (length + 1) * arb(kind.smallest) / least)


def _gamma(terms: int, unit: float) -> Any:
    size = terms * arb(unit)
    return size / (1 - size) if size < 1 else arb(math.inf)


def certain_in_type(
    kind: Arithmetic,
    frequencies: Sequence[Any],
    amplitudes: Floats,
    *,
    length: int,
    odds: float,
    weight: Fraction,
) -> bool:
    """Whether a head's computed read-out is certainly right: `odds e^{2 eta} < odds_allowed`.

    `odds` is an upper bound of the ratio of the other positions' weight to the target's in exact
    arithmetic, at these amplitudes, `(planes,)` in logits; `weight` is a lower bound of the target's weight.
    False if the balls leave it open. Claims `index.temperature`, `retrieval.temperature`, `softmax.perturb`.
    """
    if not (math.isfinite(odds) and np.isfinite(amplitudes).all()):
        return False
    with precision(BITS):
        sizes = [arb(size) for size in amplitudes.tolist()]
        off = logit_error_ball(
            kind, frequencies, sizes, length=length, head_dim=2 * len(amplitudes)
        )
        if off is None or not off.is_finite():
            return False
        spread = 2 * sum(sizes, arb(0)) + 2 * off
        allowed = odds_allowed_ball(kind, length, spread, weight=weight)
        return bool(arb(odds) * (2 * off).exp() < allowed)
