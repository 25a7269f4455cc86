"""Bounds of the size of a logit and of its change per step of the position.

Values that a guarantee rests on are enclosures, computed in ball arithmetic from the exact frequencies;
amplitudes then count as the exact values of their doubles. Claims `rope.bounded`,
`rope.lipschitz`, `rope.band`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.arrays import finite_array
from ropeproof.numerics.core.compiled import Stated
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import (
    amplitudes_and_phases,
    frequencies_ball,
    frequencies_float64,
    read_spec,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "StepBounds",
    "amplitude",
    "band_constant",
    "cosine_logits",
    "largest_frequency",
    "norm_bound",
    "step_bound",
    "step_bounds",
    "steps",
]

_BITS = 192
_PLANES = {"amplitudes": "A", "frequencies": "theta", "planes": "m"}
_SINES = Stated("rope.lipschitz", "1.above", _PLANES)
_FREQUENCIES = Stated("rope.lipschitz", "2.above", _PLANES)
_BAND = Stated("rope.band", "3.above.own")


@dataclass(frozen=True, kw_only=True)
class StepBounds:
    """Bounds of `|w(t + 1) - w(t)|` over all lags, each enclosed, in logits, increasing.

    - `sines`: `2 sum_l A_l |sin(theta_l/2)|`, claim `rope.lipschitz`;
    - `frequencies`: `sum_l A_l theta_l`, the same claim;
    - `band`: `2 sin(theta/2) A` with `theta` the largest frequency, claim `rope.band`; None if
      that frequency exceeds pi, where the sine falls again.
    """

    sines: Enclosure
    frequencies: Enclosure
    band: Enclosure | None


def amplitude(
    q: NDArray[Any], k: NDArray[Any], spec: RopeSpec, *, scale: float | None = None
) -> NDArray[Any]:
    """`A = sum_l A_l` in logits, `(...)`, of `q` and `k` with shape `(..., head_dim)`.

    No logit of this pair exceeds it at any lag, claim `rope.bounded`. Scale, data types and errors
    as in `ropeproof.numerics.core.spec.amplitudes_and_phases`.
    """
    amplitudes, _ = amplitudes_and_phases(q, k, spec, scale=scale)
    result: NDArray[Any] = amplitudes.sum(-1)
    return result


def norm_bound(
    q: NDArray[Any], k: NDArray[Any], spec: RopeSpec, *, scale: float | None = None
) -> NDArray[Any]:
    """`s a^2 |q||k|`, `(...)`, an upper bound of the amplitude by Cauchy-Schwarz (`rope.bounded`).

    `a` is the attention factor, counted as 1 if it is smaller and some planes do not rotate.
    """
    factor = _unit_amplitude(spec, scale)
    result: NDArray[Any] = factor * np.linalg.norm(q, axis=-1) * np.linalg.norm(k, axis=-1)
    return result


@lru_cache(maxsize=256)
def _unit_amplitude(spec: RopeSpec, scale: float | None) -> float:
    """The largest amplitude of a plane on which query and key have length 1, in logits."""
    ones = _spread(np.ones(spec.planes), spec)
    unit, _ = amplitudes_and_phases(ones, ones, spec, scale=scale)
    return float(np.abs(unit).max())


def _spread(real: NDArray[np.float64], spec: RopeSpec) -> NDArray[np.float64]:
    """The vector of dimension `head_dim` with the given real parts on its planes."""
    result = np.zeros(spec.head_dim)
    result[[x for x, _ in spec.plane_coordinates()]] = real
    return result


def cosine_logits(
    amplitudes: ArrayLike, phases: ArrayLike, spec: RopeSpec, lags: ArrayLike
) -> NDArray[np.float64]:
    """`sum_l A_l cos(theta_l t + phi_l)` at the given lags, `(*lags,)`, in logits.

    `amplitudes` (logits) and `phases` (radians) have shape `(planes,)`. Float64: off by at most
    about `2^-52 sum_l A_l (theta_l |t| + |phi_l| + planes + 4)`; `ropeproof.numerics.core.lag_scan` has
    certified values. Claim `rope.fourier`. Raises `InvalidArgument` on wrong shapes or values.
    """
    sizes = _vector("amplitudes", amplitudes, spec)
    angles = _vector("phases", phases, spec)
    places = finite_array("lags", lags)
    turned = places[..., np.newaxis] * frequencies_float64(spec) + angles
    result: NDArray[np.float64] = np.cos(turned) @ sizes
    return result


def steps(
    amplitudes: ArrayLike, phases: ArrayLike, spec: RopeSpec, lags: ArrayLike
) -> NDArray[np.float64]:
    """`w(t + 1) - w(t)` at the given lags, `(*lags,)`, in logits, without cancellation.

    It is `-2 sum_l A_l sin(theta_l/2) sin(theta_l (t + 1/2) + phi_l)`. Arguments, accuracy
    and errors as in `cosine_logits`.
    """
    halves = frequencies_float64(spec) / 2
    sizes = 2 * np.sin(halves) * _vector("amplitudes", amplitudes, spec)
    angles = _vector("phases", phases, spec)
    places = finite_array("lags", lags)
    turned = (2 * places[..., np.newaxis] + 1) * halves + angles
    result: NDArray[np.float64] = -(np.sin(turned) @ sizes)
    return result


def step_bounds(amplitudes: ArrayLike, spec: RopeSpec) -> StepBounds:
    """Bounds of the change of a logit per unit step of the position, enclosed, in logits.

    `amplitudes` is `(planes,)`, in logits.

    >>> bounds = step_bounds([1.0, 0.0], RopeSpec(4, 10000))
    >>> 0.9588 < bounds.band.lower <= bounds.band.upper < 0.9589
    True

    Raises `InvalidArgument` unless the amplitudes are `planes` finite numbers `>= 0`.
    """
    sizes = _vector("amplitudes", amplitudes, spec)
    if (sizes < 0).any():
        raise InvalidArgument("amplitudes", float(sizes.min()), "numbers >= 0")
    frequencies = frequencies_ball(spec, bits=_BITS)
    with precision(_BITS):
        weights = [arb(a) for a in sizes.tolist()]
        head = {"amplitudes": weights, "frequencies": frequencies, "planes": spec.planes}
        sines, linear = _SINES.ball(**head), _FREQUENCIES.ball(**head)
        largest = _largest(frequencies)
        # The claim has standard frequencies, whose largest is 1.
        band = 2 * (largest / 2).sin() * sum(weights, arb(0))
        below = bool(largest <= arb.pi())
        return StepBounds(
            sines=Enclosure.of(sines, sines),
            frequencies=Enclosure.of(linear, linear),
            band=Enclosure.of(band, band) if below else None,
        )


def step_bound(amplitudes: NDArray[np.float64], frequencies: NDArray[np.float64]) -> Any:
    """`2 sum_l A_l |sin(theta_l/2)|`, float64 `(...)`, a bound of a logit's change per step.

    Both arguments `(..., planes)`, amplitudes in logits and not negative, frequencies in radians per
    position and not negative. Claim `rope.lipschitz`. Raises `InvalidArgument` on other numbers.
    """
    planes = np.shape(amplitudes)[-1]
    return _SINES.float64(amplitudes=amplitudes, frequencies=frequencies, planes=planes)


def band_constant() -> Enclosure:
    """`2 sin(1/2)`, the largest change per step and unit amplitude of a standard head.

    >>> f"{band_constant().upper:.4f}"
    '0.9589'

    Claim `rope.band`.
    """
    return _BAND.enclose()


def largest_frequency(spec: RopeSpec) -> Enclosure:
    """The largest `theta_l` in radians per position, enclosed.

    Exactly 1 without scaling. `Linear` divides it, `LongRope` may even raise it, and the others
    keep it unless plane 0 turns too slowly for them.
    """
    return _largest_frequency(read_spec(spec))


@lru_cache(maxsize=256)
def _largest_frequency(spec: RopeSpec) -> Enclosure:
    frequencies = frequencies_ball(spec, bits=_BITS)
    with precision(_BITS):
        value = _largest(frequencies)
        return Enclosure.of(value, value)


def _largest(frequencies: Iterable[Any]) -> Any:
    largest = arb(0)
    for theta in frequencies:
        largest = largest.max(theta)
    return largest


def _vector(name: str, values: ArrayLike, spec: RopeSpec) -> NDArray[np.float64]:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    array = finite_array(name, values)
    if array.shape != (spec.planes,):
        raise InvalidArgument(
            name, f"shape {array.shape}", f"shape ({spec.planes},), one per plane"
        )
    return array
