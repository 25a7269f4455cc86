r"""Scores and margins of slash heads under scaled frequencies, with their weights unchanged.

A head is given by its amplitudes (logits) and phases (radians), so that its logit at lag `t` is
`sum_l A_l cos(theta_l t + phi_l)`; under other frequencies `theta'` the same weights have the logit
`sum_l A'_l cos(theta'_l t + phi_l)`. Claims `slash.scaling-survival`, `slash.band-dominance`.

Many heads at once: leading axes of the arguments broadcast. Certified numbers of one head come from
`survival_score`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.bounds.slash.balls import BITS
from ropeproof.numerics.core.arrays import finite_array
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import logit_enclosure
from ropeproof.numerics.core.lag_scan.head import read_vector
from ropeproof.numerics.core.spec import (
    attention_factor_float64,
    frequencies_ball,
    frequencies_float64,
)
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "Survival",
    "read_planes",
    "rescaled_amplitudes",
    "survival",
    "survival_margins",
    "survival_score",
]

Floats = NDArray[np.float64]
_GUARD = 64
"""Bits for the reduction of angles: positions below 2**62 turn through fewer than 2**64 radians."""


@dataclass(frozen=True, kw_only=True)
class Survival:
    """The scores and margins of heads under a spec, `(...)` each, in float64.

    - `score`: the mean over the rows `offset < i <= length` of the weight at the offset;
    - `last`: that weight in the last row, `i = length`;
    - `margin`: the logit at the offset less the largest at another lag below `length`, in logits;
    - `guaranteed`: the lower bound of that margin by `slash.scaling-survival`, in logits;
    - `peak`: the lag of the largest logit below `length`.
    """

    score: Any
    last: Any
    margin: Any
    guaranteed: Any
    peak: Any


def rescaled_amplitudes(amplitudes: ArrayLike, old: RopeSpec, new: RopeSpec) -> Floats:
    """The amplitudes `A'_l` of the same weights under another spec, `(..., planes)`, in logits.

    Scalings multiply cosine and sine of rotated planes by an attention factor `a`, so amplitudes by
    `(a'/a)^2`. Raises `InvalidArgument` unless both specs have the same planes and rotated planes.
    """
    sizes = read_planes("amplitudes", amplitudes, _same_planes(old, new))
    factor = (attention_factor_float64(new) / attention_factor_float64(old)) ** 2
    result: Floats = np.where(np.arange(new.planes) < new.rotary_planes, factor, 1.0) * sizes
    return result


def survival(
    amplitudes: ArrayLike, phases: ArrayLike, offsets: ArrayLike, spec: RopeSpec, *, length: int
) -> Survival:
    """Scores and margins of heads under the frequencies of `spec`, on prompts of `length` tokens.

    `amplitudes` (of these weights under `spec`, see `rescaled_amplitudes`) and `phases` have shape
    `(..., planes)`, `offsets` `(...)`. All keys of a row count as the head's own: the numbers are
    those of the mean head, whose logits `slash.sandwich` compares with a prompt's.

    >>> spec = RopeSpec(4, 10000)
    >>> survival([3.0, 1.0], [0.0, 0.0], 0, spec, length=64).margin > 0
    np.True_

    Float64: a logit is off by about `2^-52 sum_l A_l (theta_l t + |phi_l| + planes + 4)`. Cost: one
    `(heads, 2 planes)` by `(2 planes, length)` product and two exponentials per head and lag, memory
    for a few arrays `(heads, length)`. Raises `InvalidArgument` unless `0 <= offset < length`,
    `length >= 2`, and amplitudes are not negative.
    """
    sizes, turns, places = _heads(amplitudes, phases, offsets, spec, length)
    length = read_integer("length", length, least=2)
    lags = np.arange(length)
    angles = lags[:, np.newaxis] * frequencies_float64(spec)
    logits = (sizes * np.cos(turns)) @ np.cos(angles).T - (sizes * np.sin(turns)) @ np.sin(angles).T
    target = np.take_along_axis(logits, places[..., np.newaxis], -1)
    denominators = np.logaddexp.accumulate(logits, axis=-1)
    reaches = lags >= places[..., np.newaxis]
    weights = np.where(reaches, np.exp(np.where(reaches, target - denominators, 0.0)), 0.0)
    others = np.where(lags == places[..., np.newaxis], -np.inf, logits)
    return Survival(
        score=weights.sum(-1) / (length - places),
        last=weights[..., -1],
        margin=target[..., 0] - others.max(-1),
        guaranteed=survival_margins(sizes, turns, places, spec, length=length),
        peak=logits.argmax(-1),
    )


def survival_margins(
    amplitudes: ArrayLike, phases: ArrayLike, offsets: ArrayLike, spec: RopeSpec, *, length: int
) -> Any:
    """The guaranteed margin of heads under new frequencies, `(...)`, in logits.

    `min_e sum_l A_l (1 - cos theta'_l e) - 4 sum_l A_l |sin(delta_l/2)|`, where
    `delta_l = theta'_l Delta + phi_l` is the distance of plane `l` from aligned at the offset, under the
    new frequencies: `(theta'_l - theta_l) Delta` for a head that was aligned. `e` runs over the
    displacements `-Delta <= e < length - Delta`, `e != 0`. Claim `slash.scaling-survival`. Arguments,
    cost and errors as in `survival`.
    """
    sizes, turns, places = _heads(amplitudes, phases, offsets, spec, length)
    length = read_integer("length", length, least=2)
    frequencies = frequencies_float64(spec)
    apart = np.arange(length)
    falls = sizes @ (1 - np.cos(apart[:, np.newaxis] * frequencies)).T
    furthest = np.maximum(places, length - 1 - places)[..., np.newaxis]
    falls = np.where((apart >= 1) & (apart <= furthest), falls, np.inf)
    drift = frequencies * places[..., np.newaxis] + turns
    result: Any = falls.min(-1) - 4 * (sizes * np.abs(np.sin(drift / 2))).sum(-1)
    return result


def survival_score(
    amplitudes: ArrayLike, old: RopeSpec, new: RopeSpec, *, offset: int, row: int
) -> Enclosure:
    """The weight at the offset in one row of a head aligned for `old` and run with `new`, enclosed.

    Aligned means phases `-theta_l Delta`, exactly. `amplitudes` `(planes,)` count as the exact values of
    their doubles, under `new` (see `rescaled_amplitudes`).

    >>> spec = RopeSpec(4, 10000)
    >>> found = survival_score([2.0, 0.0], spec, spec, offset=1, row=3)
    >>> f"{found.lower:.6f}", found.width < 1e-12
    ('0.556322', True)

    Claim `slash.scaling-survival`. Cost: a lag scan and one exponential per lag. Raises `InvalidArgument`
    unless `0 <= offset < row`, and as `ropeproof.numerics.core.lag_scan.logit_enclosure`.
    """
    sizes = read_vector("amplitudes", amplitudes)
    _same_planes(old, new)
    row = read_integer("row", row, least=1)
    offset = read_integer("offset", offset, least=0)
    if offset >= row:
        raise InvalidArgument("offset", offset, f"an integer from 0 to row - 1, {row - 1}")
    phases = np.empty(old.planes)
    with precision(BITS + _GUARD):
        turn = 2 * arb.pi()
        strays = arb(0)
        for plane, theta in enumerate(frequencies_ball(old, bits=BITS + _GUARD)):
            exact = -theta * offset
            exact -= turn * int(float((exact / turn).mid()))
            phases[plane] = float(exact.mid())
            # A phase that is off by so much moves the plane's logit by no more.
            strays += arb(float(sizes[plane])) * abs(exact - arb(float(phases[plane])))
    logits = logit_enclosure(sizes, phases, frequencies_ball(new, bits=BITS), lags=row)
    with precision(BITS):
        off = 2 * (arb(logits.radius) + strays.upper())
        peak = arb(float(logits.mid[offset]))
        rest = arb(0)
        for lag, value in enumerate(logits.mid.tolist()):
            if lag != offset:
                rest += (arb(value) - peak).exp()
        return Enclosure.of(1 / (1 + rest * off.exp()), 1 / (1 + rest * (-off).exp()))


def _same_planes(old: RopeSpec, new: RopeSpec) -> RopeSpec:
    for name, spec in (("old", old), ("new", new)):
        if not isinstance(spec, RopeSpec):
            raise InvalidArgument(name, spec, "a RopeSpec")
    if (new.planes, new.rotary_planes) != (old.planes, old.rotary_planes):
        got = f"{new.rotary_planes} of {new.planes} planes rotated"
        raise InvalidArgument("new", got, f"{old.rotary_planes} of {old.planes}, as old")
    return new


def read_planes(name: str, values: ArrayLike, spec: RopeSpec) -> Floats:
    """An argument as finite float64 numbers `(..., planes)`. Raises `InvalidArgument`."""
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    array = finite_array(name, values)
    if array.ndim < 1 or array.shape[-1] != spec.planes:
        raise InvalidArgument(name, f"shape {array.shape}", f"shape (..., {spec.planes})")
    return array


def _heads(
    amplitudes: ArrayLike, phases: ArrayLike, offsets: ArrayLike, spec: RopeSpec, length: int
) -> tuple[Floats, Floats, NDArray[np.intp]]:
    sizes, turns = read_planes("amplitudes", amplitudes, spec), read_planes("phases", phases, spec)
    if (sizes < 0).any():
        raise InvalidArgument("amplitudes", float(sizes.min()), "numbers >= 0")
    places = np.asarray(offsets)
    if places.dtype.kind not in "iu":
        raise InvalidArgument("offsets", f"dtype {places.dtype}", "integers")
    if (places < 0).any() or (places >= length).any():
        raise InvalidArgument("offsets", offsets, f"integers from 0 to length - 1, {length - 1}")
    try:
        leading = np.broadcast_shapes(sizes.shape[:-1], turns.shape[:-1], places.shape)
    except ValueError:
        allowed = "leading axes that broadcast with those of amplitudes and offsets"
        raise InvalidArgument("phases", f"shape {turns.shape}", allowed) from None
    planes = (*leading, spec.planes)
    return (
        np.broadcast_to(sizes, planes),
        np.broadcast_to(turns, planes),
        np.broadcast_to(places, leading).astype(np.intp),
    )
