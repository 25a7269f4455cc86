"""The input of a scan: a validated head, and its cosine sums in balls at any precision."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from flint import arb, fmpq
from numpy.typing import ArrayLike, NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "SEED_BITS",
    "Floats",
    "Frequencies",
    "ScannedPlanes",
    "Wave",
    "fraction",
    "read_block",
    "read_head",
    "read_integer",
    "read_vector",
]

Floats: TypeAlias = NDArray[np.float64]
Frequencies: TypeAlias = Any
"""A sequence of exact numbers or `arb` balls in radians per lag, one per plane; or a function
from a number of bits to such balls, so that ties can be settled at rising precision; or a
`RopeSpec`, which stands for `ropeproof.numerics.core.spec.frequencies_ball`."""

SEED_BITS = 128
_BITS_STEP = 32


class Wave(NamedTuple):
    """`sum_l weight_l cos(frequency_l t + shift_l)` in ball arithmetic, shape `(planes,)` each."""

    weights: tuple[Any, ...]
    shifts: tuple[Any, ...]
    frequencies: tuple[Any, ...]

    def at(self, lag: int) -> Any:
        """The value at one lag, a ball at the precision in force."""
        total = arb(0)
        for weight, shift, frequency in zip(*self, strict=True):
            total += weight * (frequency * lag + shift).cos()
        return total


@dataclass(frozen=True, eq=False)
class ScannedPlanes:
    """The planes with positive amplitude; `exact` holds their frequencies if all are rational."""

    amplitudes: Floats
    phases: Floats
    frequencies: Callable[[int], tuple[Any, ...]]
    exact: tuple[Fraction, ...] | None

    def working_bits(self, bits: int, lags: int) -> int:
        """The precision at which every angle is known to about `bits` bits after the point."""
        with precision(SEED_BITS):
            sizes = [float(abs(ball).upper()) for ball in self.frequencies(SEED_BITS)]
        # A power of two above every |theta_l| and every |phi_l|.
        exponent = max(math.frexp(size)[1] for size in (*sizes, *np.abs(self.phases).tolist()))
        least = bits + lags.bit_length() + max(exponent, 0) + 8
        return least + -least % _BITS_STEP  # one table for the heads of a spec

    def logits(self, bits: int) -> Wave:
        """The cosine sum of the logit function `g` itself; amplitudes and phases are exact."""
        with precision(bits):
            weights = tuple(arb(a) for a in self.amplitudes.tolist())
            shifts = tuple(arb(p) for p in self.phases.tolist())
        return Wave(weights, shifts, self.frequencies(bits))

    def steps(self, bits: int) -> Wave:
        """`g(t + 1) - g(t) = sum_l 2 A_l sin(theta_l/2) cos(theta_l (t + 1/2) + phi_l + pi/2)`."""
        wave = self.logits(bits)
        with precision(bits):
            halves = [frequency / 2 for frequency in wave.frequencies]
            weights = tuple(2 * a * h.sin() for a, h in zip(wave.weights, halves, strict=True))
            quarter = arb.pi() / 2
            shifts = tuple(p + h + quarter for p, h in zip(wave.shifts, halves, strict=True))
        return Wave(weights, shifts, wave.frequencies)

    @cached_property
    def _whole(self) -> list[tuple[int, int, int]]:
        """Amplitude, phase and frequency of each plane as integers, over one denominator for both angles."""
        assert self.exact is not None
        sizes = _over_common_denominator(map(Fraction, self.amplitudes.tolist()))
        phases = map(Fraction, self.phases.tolist())
        angles = _over_common_denominator((*phases, *self.exact))
        return list(zip(sizes, angles[: len(sizes)], angles[len(sizes) :], strict=True))

    def form(
        self, lag: int, terms: Sequence[tuple[int, int]], origin: int | None, *, even: bool
    ) -> tuple[tuple[int, int], ...]:
        """A canonical form of `sum sign g(lag + offset)`, less `g(origin)` if there is an origin.

        Equal forms of one head have exactly equal values, and the empty form is zero. A form lists angles
        `>= 0`, increasing, with the coefficients of their cosines, all rational and each in units of one over
        a denominator that the head's planes share. With `even` a form and its negative, which have the same
        absolute value, are the same.
        """
        places = [(lag + offset, sign) for offset, sign in terms]
        if origin is not None:
            places.append((origin, -1))
        sums: dict[int, int] = {}
        for amplitude, phase, frequency in self._whole:
            for place, sign in places:
                angle = abs(frequency * place + phase)
                sums[angle] = sums.get(angle, 0) + sign * amplitude
        items = sorted((angle, weight) for angle, weight in sums.items() if weight)
        flip = -1 if even and items and items[0][1] < 0 else 1
        return tuple((angle, flip * weight) for angle, weight in items)


def _over_common_denominator(values: Iterable[Fraction]) -> list[int]:
    """Rational numbers as numerators over their least common denominator."""
    values = list(values)
    common = math.lcm(*(value.denominator for value in values))
    return [value.numerator * (common // value.denominator) for value in values]


def read_head(amplitudes: ArrayLike, phases: ArrayLike, frequencies: Frequencies) -> ScannedPlanes:
    """The head of a scan, after checks of its amplitudes, phases and frequencies.

    Planes of amplitude zero are left out. Raises `InvalidArgument` on any fault of the three arguments.
    """
    sizes = read_vector("amplitudes", amplitudes)
    angles = read_vector("phases", phases)
    if (sizes < 0).any():
        raise InvalidArgument("amplitudes", float(sizes[sizes < 0][0]), "numbers >= 0")
    largest = float(sizes.max())
    if largest > 2.0**900 and sum(map(Fraction, sizes.tolist())) > 2**1000:
        raise InvalidArgument("amplitudes", "a sum above 2**1000", "a sum of at most 2**1000")
    if angles.shape != sizes.shape:
        raise InvalidArgument("phases", angles.shape, f"shape {sizes.shape}, as amplitudes")
    source = _source(frequencies)
    balls = source(SEED_BITS)
    if len(balls) != len(sizes):
        raise InvalidArgument("frequencies", f"{len(balls)} planes", f"{len(sizes)}, as amplitudes")
    for ball in balls:
        if not ball.is_finite():
            raise InvalidArgument("frequencies", ball, "finite numbers")
    # A plane of amplitude zero adds nothing but rounding; one plane stays for a non-empty sum.
    active = np.flatnonzero(sizes).tolist() or [0]
    exact = None
    if all(balls[plane].is_exact() for plane in active):
        exact = tuple(fraction(balls[plane]) for plane in active)

    def chosen(bits: int) -> tuple[Any, ...]:
        found = source(bits)
        return tuple(found[plane] for plane in active)

    return ScannedPlanes(sizes[active], angles[active], chosen, exact)


def read_vector(name: str, values: ArrayLike) -> Floats:
    """A copy in float64 of a non-empty vector of finite numbers, none of them rounded."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise InvalidArgument(name, values, "a one-dimensional array of real numbers") from None
    if array.ndim != 1 or array.size == 0:
        raise InvalidArgument(name, f"shape {array.shape}", "a non-empty one-dimensional array")
    if array.dtype.kind not in "fiu" or array.dtype.itemsize > 8:
        raise InvalidArgument(name, f"dtype {array.dtype}", "float64, or numbers exact in float64")
    if array.dtype.kind in "iu" and any(abs(int(v)) > 2**53 for v in array):
        raise InvalidArgument(name, "an integer above 2**53", "numbers exact in float64")
    result = array.astype(np.float64)
    if not np.isfinite(result).all():
        raise InvalidArgument(name, float(result[~np.isfinite(result)][0]), "finite numbers")
    return result


def read_integer(name: str, value: object, least: int, most: int) -> int:
    """The value as a Python int. Raises `InvalidArgument` unless `least <= value <= most`."""
    if isinstance(value, np.integer):
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidArgument(name, value, f"an integer from {least} to {most}")
    return value


def read_block(value: object) -> int:
    """The value as a Python int. Raises `InvalidArgument` unless a power of two up to `2**20`."""
    block = read_integer("block", value, 1, 2**20)
    if block & (block - 1):
        raise InvalidArgument("block", block, "a power of two")
    return block


def _source(frequencies: Frequencies) -> Callable[[int], tuple[Any, ...]]:
    """The frequencies as balls, as a function of the number of bits wanted."""
    if hasattr(frequencies, "head_dim"):
        by_bits = importlib.import_module("ropeproof.numerics.core.spec").frequencies_ball
        return lambda bits: tuple(by_bits(frequencies, bits=bits))
    listed = isinstance(frequencies, Sequence | np.ndarray)
    if callable(frequencies) or (listed and not isinstance(frequencies, str | bytes)):

        def rounded(bits: int) -> tuple[Any, ...]:
            with precision(bits):
                return tuple(map(_ball, frequencies(bits) if callable(frequencies) else values))

        values = () if callable(frequencies) else tuple(frequencies)
        return rounded
    raise InvalidArgument(
        "frequencies", frequencies, "a sequence of real numbers, a function of bits or a RopeSpec"
    )


def _ball(value: object) -> Any:
    if isinstance(value, arb):
        return value
    if isinstance(value, np.floating | np.integer) and value.dtype.itemsize <= 8:
        value = value.item()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return arb(value)
    if isinstance(value, Fraction):
        return arb(fmpq(value.numerator, value.denominator))
    raise InvalidArgument("frequencies", value, "arb, int, Fraction or float entries")


def fraction(ball: Any) -> Fraction:
    """The value of an exact ball as a `Fraction`."""
    mantissa, exponent = (int(part) for part in ball.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent
