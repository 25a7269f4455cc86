r"""The cost of a target on consecutive lags: the amplitude that reaches it, certified.

By claim `rope.expressive` a head with `m` distinct frequencies in `(0, pi)` reaches every real
function `f` on any `2m` consecutive lags with exactly one choice of coefficients,

    f(t) = sum_l a_l cos(theta_l t) + c_l sin(theta_l t),     amplitude sum_l sqrt(a_l^2 + c_l^2).

A shift of the window rotates each `(a_l, c_l)` and leaves the amplitude alone, so all windows
cost the same; the window is centred at 0 here, where the system is best conditioned. The system
is solved in balls (Arb) at rising precision, until the values on the window are known to about
60 bits.

**The worst target.** With `X_l` and `Y_l` the rows of the inverse that give `a_l` and `c_l`, every
target with `|f| <= 1` costs at most `sum_l sqrt(|X_l|_1^2 + |Y_l|_1^2)`. A target found by climbing
(signs of the gradient, from the rows' own signs) bounds the maximum from below. At the
standard frequencies the two agree to seven digits or more; up to 12 lags all targets are tried.
Claim `rope.expressive-cost`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, arb_mat, fmpq
from numpy.typing import ArrayLike, NDArray

from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["ExpressiveCost", "Fit", "amplitude_needed", "expressive_cost", "fit", "fit_cyclic"]

_LAST_BITS = 1 << 14
_WANTED_BITS = 60
_ALL_TARGETS_UP_TO = 12


@dataclass(frozen=True, kw_only=True)
class ExpressiveCost(Enclosure):
    """The largest amplitude that any `+-1` target on `head_dim` consecutive lags needs, enclosed.

    `target`, `(head_dim,)` of `+-1`, needs at least `lower`; no target needs more than `upper`.
    `exhaustive`: all targets were tried, so `target` attains the maximum up to the enclosure.
    """

    target: tuple[int, ...]
    exhaustive: bool


@dataclass(frozen=True)
class Fit:
    """Coefficients of a fit `sum_l a_l cos(theta_l t) + c_l sin(theta_l t)`, `(planes,)` balls."""

    cosine: tuple[Any, ...]
    sine: tuple[Any, ...]
    frequencies: tuple[Any, ...]
    bits: int

    def __call__(self, lag: int) -> Enclosure:
        """The value at an integer lag, enclosed."""
        with precision(self.bits):
            total = arb(0)
            for a, c, theta in zip(self.cosine, self.sine, self.frequencies, strict=True):
                angle = theta * lag
                total += a * angle.cos() + c * angle.sin()
            return Enclosure.of(total, total)

    def amplitude(self) -> Enclosure:
        """The amplitude `sum_l sqrt(a_l^2 + c_l^2)` of the fit, enclosed."""
        with precision(self.bits):
            pairs = zip(self.cosine, self.sine, strict=True)
            total = _total(_norm(a, c) for a, c in pairs)
            return Enclosure.of(total, total)


def fit(spec: RopeSpec, values: ArrayLike, *, first: int = 0) -> Fit:
    """The coefficients of the head whose logits are `values` at the lags `first, first + 1, ...`.

    `values` has shape `(head_dim,)` and counts as the exact values of its doubles. The logits are
    without attention factor (it scales `a` and `c` alike). Claim `rope.expressive`.

    >>> line = fit(RopeSpec(4, 100), [0.0, 1.0, 2.0, 3.0])
    >>> 2.0 in line(2), 4.0 in line(4)
    (True, False)

    Raises `InvalidArgument` unless every plane rotates, the frequencies are distinct and in
    `(0, pi)`, and `values` are `head_dim` finite numbers; `Unsupported` past 16384 bits.
    Cost: a few solutions of a linear system of size `head_dim` in balls.
    """
    _read_spec(spec)
    numbers = _read_values(values, spec.head_dim)
    first = read_integer("first", first, least=-(2**62))
    wanted = 2.0**-_WANTED_BITS * (max(map(abs, numbers)) or 1.0)
    for bits in _precisions(spec):
        with precision(bits):
            frequencies = _frequencies(spec, bits)
            try:
                system = _system(frequencies, Fraction(0), spec.head_dim)
                solution = system.solve(arb_mat([[arb(v)] for v in numbers]))
            except ZeroDivisionError:
                continue
            found = [solution[row, 0] for row in range(spec.head_dim)]
            # Known to an absolute error, so that huge coefficients still give the values back.
            if not all(x.is_finite() and float(x.rad()) <= wanted for x in found):
                continue
            turned = [
                _turn(found[2 * plane], found[2 * plane + 1], theta * -first)
                for plane, theta in enumerate(frequencies)
            ]
            cosine, sine = zip(*turned, strict=True)
            return Fit(cosine, sine, frequencies, bits)
    raise Unsupported(f"{spec}: the system is not solved at {_LAST_BITS} bits")


def amplitude_needed(spec: RopeSpec, values: ArrayLike) -> Enclosure:
    """The amplitude that `values` on any `head_dim` consecutive lags need, enclosed, in logits.

    It is attained by the only coefficients that reach them. Arguments and errors as in `fit`.
    """
    return fit(spec, values).amplitude()


def expressive_cost(spec: RopeSpec, *, exhaustive: bool | None = None) -> ExpressiveCost:
    """The largest amplitude that any `+-1` target on `head_dim` consecutive lags needs, enclosed.

    `exhaustive` asks for all targets or refuses them; by default they are tried up to 12 lags.

    >>> f"{expressive_cost(RopeSpec(8, 10000)).lower:.4e}"
    '1.1907e+11'

    Raises `InvalidArgument` as `fit`, and if `exhaustive` is asked for more than 20 lags.
    Cost: one inverse in balls, then about `head_dim` products of it with a vector, or
    `2**(head_dim - 1)` if exhaustive. Claim `rope.expressive-cost`.
    """
    _read_spec(spec)
    lags = spec.head_dim
    if exhaustive not in (None, True, False) or (exhaustive and lags > 20):
        raise InvalidArgument("exhaustive", exhaustive, "None or False; True up to 20 lags")
    every = lags <= _ALL_TARGETS_UP_TO if exhaustive is None else bool(exhaustive)
    for bits in _precisions(spec):
        with precision(bits):
            try:
                centre = Fraction(lags - 1, 2)
                inverse = _system(_frequencies(spec, bits), -centre, lags).inv()
            except ZeroDivisionError:
                continue
            rows = [[inverse[row, column] for column in range(lags)] for row in range(lags)]
            largest = _total(_norm(_one_norm(x), _one_norm(y)) for x, y in _pairs(rows))
            if not largest.is_finite() or largest.rel_accuracy_bits() < _WANTED_BITS:
                continue
            if every:
                upper, target = _best_of_all(rows)
            else:
                upper, target = largest, _climb(rows)
            lower = _cost(rows, target)
            if not (lower.is_finite() and upper.is_finite()):
                continue
            return ExpressiveCost.of(lower, upper, target=target, exhaustive=every)
    raise Unsupported(f"{spec}: the system is not solved at {_LAST_BITS} bits")


def fit_cyclic(values: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Coefficients `a, c` of the harmonics `2 pi l/M`, `0 <= l <= M // 2`, that equal `values`.

    `values` has shape `(M,)`, one period; `a` and `c` have shape `(M // 2 + 1,)`, in the unit of
    `values`: `f(t) = sum_l a_l cos(2 pi l t/M) + c_l sin(2 pi l t/M)` up to rounding. The inverse
    DFT of claim `rope.expressive-cyclic`. Raises `InvalidArgument`.
    """
    array = np.array(_read_values(values, None))
    length = len(array)
    spectrum = np.fft.rfft(array) / length
    weights = np.full(len(spectrum), 2.0)
    weights[0] = 1.0
    if length % 2 == 0:
        weights[-1] = 1.0
    return weights * spectrum.real, -weights * spectrum.imag


def _read_spec(spec: object) -> None:
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    if spec.rotary_dim != spec.head_dim:
        got = f"rotary_dim {spec.rotary_dim} of {spec.head_dim}"
        raise InvalidArgument("spec", got, "a spec whose planes all rotate")
    balls = frequencies_ball(spec)
    with precision(256):
        ordered = [balls[plane] for plane in spec.frequency_order()]
        inside = all(theta > 0 and theta < arb.pi() for theta in ordered)
        if not inside or not all(a > b for a, b in itertools.pairwise(ordered)):
            allowed = "a spec with certainly distinct frequencies in (0, pi)"
            raise InvalidArgument("spec", spec, allowed)


def _read_values(values: ArrayLike, count: int | None) -> list[float]:
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidArgument("values", values, "an array of real numbers") from None
    shape = "(lags,), not empty" if count is None else f"({count},), one value per lag"
    if array.ndim != 1 or not array.size or (count is not None and len(array) != count):
        raise InvalidArgument("values", f"shape {array.shape}", f"shape {shape}")
    if array.dtype.kind not in "fiu" or not np.isfinite(array).all():
        raise InvalidArgument("values", values, "finite real numbers")
    return [float(v) for v in array]


def _precisions(spec: RopeSpec) -> Iterator[int]:
    bits = max(128, 16 * spec.head_dim)
    while bits <= _LAST_BITS:
        yield bits
        bits *= 2


def _frequencies(spec: RopeSpec, bits: int) -> tuple[Any, ...]:
    return frequencies_ball(spec, bits=bits)


def _system(frequencies: Sequence[Any], start: Fraction, lags: int) -> Any:
    """The matrix with a row of cosines and sines, plane by plane, for each lag from `start`."""
    places = [arb(fmpq(start.numerator, start.denominator) + t) for t in range(lags)]
    return arb_mat(
        [[part for x in frequencies for part in ((x * t).cos(), (x * t).sin())] for t in places]
    )


def _turn(cosine: Any, sine: Any, angle: Any) -> tuple[Any, Any]:
    """The coefficients of `t -> f(t + lag)` from those of `f`, where `angle = theta lag`."""
    return (
        cosine * angle.cos() + sine * angle.sin(),
        sine * angle.cos() - cosine * angle.sin(),
    )


def _norm(x: Any, y: Any) -> Any:
    # The ball of a sum of squares that may be 0 reaches below 0, where sqrt would give nan.
    return (x * x + y * y).nonnegative_part().sqrt()


def _total(numbers: Iterator[Any]) -> Any:
    return sum(numbers, arb(0))


def _one_norm(row: Sequence[Any]) -> Any:
    return _total(abs(x) for x in row)


def _pairs(rows: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
    return zip(rows[::2], rows[1::2], strict=True)


def _dot(row: Sequence[Any], target: Sequence[int]) -> Any:
    return _total(x if sign > 0 else -x for x, sign in zip(row, target, strict=True))


def _cost(rows: Sequence[Sequence[Any]], target: Sequence[int]) -> Any:
    return _total(_norm(_dot(x, target), _dot(y, target)) for x, y in _pairs(rows))


def _best_of_all(rows: Sequence[Sequence[Any]]) -> tuple[Any, tuple[int, ...]]:
    """An upper bound of the cost over all targets, and a target that attains it, up to balls."""
    largest, best = arb(0), (1,) * len(rows)
    # A target and its negative cost the same.
    for rest in itertools.product((1, -1), repeat=len(rows) - 1):
        found = _cost(rows, (1, *rest))
        if found.mid() > largest.mid():
            best = (1, *rest)
        largest = largest.max(found)
    return largest, best


def _climb(rows: Sequence[Sequence[Any]]) -> tuple[int, ...]:
    """A target of large cost, found by following the signs of the gradient from each row's signs.

    The cost is convex in the target, so each step raises it or stops. No guarantee rests on it: the
    target found is certified afterwards.
    """
    best, largest = _signs(rows[0]), 0.0
    for row in rows:
        target = _signs(row)
        for _ in range(4 * len(rows)):
            values = [_dot(r, target).mid() for r in rows]
            sizes = [_norm(x, y).mid() for x, y in zip(values[::2], values[1::2], strict=True)]
            units = [v / s if s > 0 else arb(0) for v, s in zip(values, _twice(sizes), strict=True)]
            gradient = [
                _total(u * r[column] for u, r in zip(units, rows, strict=True))
                for column in range(len(rows))
            ]
            following = _signs(gradient)
            if following == target:
                break
            target = following
        size = float(_cost(rows, target).mid())
        if size > largest:
            best, largest = target, size
    return best


def _twice(numbers: Sequence[Any]) -> Iterator[Any]:
    return (x for number in numbers for x in (number, number))


def _signs(row: Sequence[Any]) -> tuple[int, ...]:
    """The signs of a row's midpoints, the first made positive."""
    signs = tuple(1 if x.mid() >= 0 else -1 for x in row)
    return signs if signs[0] > 0 else tuple(-s for s in signs)
