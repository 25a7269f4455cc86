r"""The frequency condition of `slash.gd.*`: the best margin of a unit key for a fixed query.

`gamma_* = max_{|k| = 1} min_{t != Delta} <k, D_t>`, `D_t = psi(Delta) - psi(t)`, is the distance of
0 from the convex hull of the `D_t`. With `u >= 0` the least of `|sum u_t D_t|^2 + (1 - sum u_t)^2`
is at a multiple of the nearest point's weights, so that one non-negative least squares problem
finds it. Nothing of that solver is trusted: the key found bounds `gamma_*` from below, by the
certified lag scan, and its weights from above, in balls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.descent.objective import SlashObjective, planes_of, vector_of
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import minimum_gap
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import ball, read_rational
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["BestDirection", "best_direction"]

Floats = NDArray[np.float64]
_BITS = 192


@dataclass(frozen=True, eq=False)
class BestDirection:
    """The key direction of the largest margin, with certified bounds of that margin.

    - `gamma`: encloses `gamma_*`, in logits per unit of the key's length; certified. A lower
      bound that is not positive leaves the frequency condition open.
    - `key`: a unit vector, `(head_dim,)`, float64, whose margin is close to `gamma`.
    - `lags`, `weights`: the competitors that certify the upper bound, and probabilities on them.
    """

    gamma: Enclosure
    key: Floats
    lags: NDArray[np.int64]
    weights: Floats


def best_direction(
    spec: RopeSpec, query: Any, offset: int, length: int, *, scale: float | None = None
) -> BestDirection:
    """The key direction with the largest margin for one query, with certified bounds of `gamma_*`.

    `query` is `(head_dim,)`, exact doubles. For a query on one plane that turns by a radian per position the
    margin over both neighbours is `s (1 - cos 1)`:

    >>> spec = RopeSpec(2, 10000)
    >>> found = best_direction(spec, [1.0, 0.0], offset=1, length=3)
    >>> f"{found.gamma.lower * 2**0.5:.6f} {found.gamma.upper * 2**0.5:.6f}"
    '0.459698 0.459698'

    Cost: a least squares problem of `(2 planes + 1, length)` and a lag scan. Raises
    `InvalidArgument` on a bad argument, a query of 0 on all rotating planes among them.
    """
    from scipy.optimize import nnls

    objective = SlashObjective(spec, offset, length, scale=scale)
    q = planes_of("query", query, spec)
    if not q[objective.moving].any():
        raise InvalidArgument("query", "0", "a query that is not 0 on some rotating plane")
    # <k, D_t> = -Re sum_l conj(k_l) d_{t,l} q_l, with d the objective's differences.
    points = -(objective.differences * q)
    lags = np.delete(np.arange(objective.length), objective.offset)
    columns = np.concatenate((points.real, points.imag), axis=1)[lags]
    # The second term does not depend on the unit; with it at 1 both terms are of one size.
    columns /= np.linalg.norm(columns, axis=1).max()
    system = np.vstack((columns.T, np.ones(len(lags))))
    weights, _ = nnls(system, np.append(np.zeros(columns.shape[1]), 1.0), maxiter=100 * len(lags))
    if not weights.any():
        weights = np.ones(len(lags))
    weights /= weights.sum()
    nearest = weights @ points[lags]
    size = float(np.linalg.norm(nearest))
    key = nearest / size if size > 0 else q / np.linalg.norm(q)
    used = weights > 0
    gamma = _enclosed(objective, q, key, lags[used], weights[used], scale)
    return BestDirection(gamma, vector_of(key, spec), lags[used], weights[used])


def _enclosed(
    objective: SlashObjective, q: Any, key: Any, lags: Any, weights: Any, scale: float | None
) -> Enclosure:
    """Bounds of `gamma_*`: from below by the margin of one key, from above by one dual point."""
    spec = objective.spec
    amplitudes = objective.units * np.abs(q) * np.abs(key)
    turns = np.angle(q * np.conj(key))
    phases = np.where(amplitudes > 0, turns, 0.0)
    lower = arb(0)
    gap = minimum_gap(amplitudes, phases, spec, target=objective.offset, lags=objective.length)
    frequencies = frequencies_ball(spec, bits=_BITS)
    with precision(_BITS):
        units = _units(spec, scale)
        # The sizes |psi_l|, in balls: the key whose amplitudes are these very doubles is
        # A_l / |psi_l| long on plane l.
        sizes = [
            unit * (arb(x.real) * arb(x.real) + arb(x.imag) * arb(x.imag)).sqrt()
            for unit, x in zip(units, q.tolist(), strict=True)
        ]
        squares = arb(0)
        for amplitude, psi in zip(amplitudes.tolist(), sizes, strict=True):
            if amplitude > 0:
                squares += (arb(amplitude) / psi) * (arb(amplitude) / psi)
        lower = arb(gap.lower) / squares.sqrt()
        total = sum((arb(y) for y in weights.tolist()), arb(0))
        far = arb(0)
        for theta, psi in zip(frequencies, sizes, strict=True):
            sine, cosine = (theta * objective.offset).sin_cos()
            real, imaginary = cosine * total, sine * total
            for lag, y in zip(lags.tolist(), weights.tolist(), strict=True):
                sine, cosine = (theta * lag).sin_cos()
                real, imaginary = real - y * cosine, imaginary - y * sine
            far += psi * psi * (real * real + imaginary * imaginary)
        return Enclosure.of(lower, far.sqrt() / total)


def _units(spec: RopeSpec, scale: float | None) -> list[Any]:
    """`s a^2` of every plane in ball arithmetic, `a` the attention factor on rotated planes."""
    if scale is None:
        plain = 1 / arb(spec.head_dim).sqrt()
    else:
        plain = ball(read_rational("scale", scale), bits=_BITS)
    factor = ball(spec.attention_factor(), bits=_BITS)
    rotated = spec.rotary_planes
    return [plain * factor * factor] * rotated + [plain] * (spec.planes - rotated)
