r"""Aligned heads: planes, amplitudes, and the gap of each lag to the target's logit.

With constant keys and the phases that serve the target best, the target's logit is
`E_t = sum_l A_l (1 - cos(theta_l t))` above that of the position `t` lags away on either side
(claims `slash.ceiling`, `index.margin`). The margin within reach `M` is `min E_t`, `1 <= t <= M`.

**One plane.** `1 - cos(theta t)` grows with the distance of `t theta/2 pi` to the nearest integer,
whose smallest value over `1 <= t <= M` is at the largest denominator of a convergent up to `M`
(`ropeproof.numerics.bounds.planes.returns`), so any reach is exact and cheap.

**Rational multiples of pi.** With `q` the common denominator of all `theta_l/2 pi`,
`E_{q-t} = E_t` and `E_q = 0`, so at most `q/2` lags need a scan.

Everything else is `ropeproof.numerics.core.lag_scan.margin`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import sympy
from flint import arb, fmpq
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.planes.returns import nearest_return
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.lag_scan.head import Floats, Frequencies, read_vector
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import ball, read_rational, sign
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Aligned", "Angles", "exact_angle", "read_aligned", "turns_of"]

Angles: TypeAlias = Any
"""A `RopeSpec`, or one exact number or a sequence of them, radians per position: int, float (its
binary value), Fraction, decimal string, or a SymPy number of rationals, powers, logarithms, pi."""

_BITS = 192


@dataclass(frozen=True, eq=False)
class Aligned:
    """An aligned head, reduced to the planes that rotate and have positive amplitude.

    - `amplitudes`: `(planes,)`, logits, exact doubles;
    - `frequencies`: `(planes,)`, exact SymPy numbers > 0, radians per position;
    - `turns`: `theta_l/2 pi` as fractions, or None unless all are rational;
    - `given`: frequencies (upper bounds in float64) and amplitudes of all planes, `(all planes,)`,
      for the bounds of rounding errors.
    """

    amplitudes: Floats
    frequencies: tuple[Any, ...]
    turns: tuple[Fraction, ...] | None
    given: tuple[Floats, Floats]

    @property
    def period(self) -> int | None:
        """The smallest `q >= 1` at which all planes return exactly, or None if there is none."""
        if self.turns is None:
            return None
        return math.lcm(*(turn.denominator for turn in self.turns))

    @property
    def never_returns(self) -> bool:
        """Whether `E_t > 0` is certain for all `t >= 1`, because some frequency is algebraic.

        Such a frequency is no rational multiple of `pi`, which is transcendental (claim `rope.nonresonant`).
        """
        return any(not theta.has(sympy.pi, sympy.log) for theta in self.frequencies)

    def balls(self, bits: int) -> tuple[Any, ...]:
        """The frequencies as balls of `bits` bits, `(planes,)`."""
        return tuple(ball(theta, bits=bits) for theta in self.frequencies)

    @property
    def scanned(self) -> Frequencies:
        """The frequencies as `ropeproof.numerics.core.lag_scan` reads them."""
        return self.balls

    def folded(self, reach: int) -> int:
        """How many lags decide the smallest gap up to `reach`, by the symmetry of a period."""
        period = self.period
        return reach if period is None else max(min(reach, period // 2), 1)

    def margin(self, reach: int) -> Enclosure:
        """`min E_t` over `1 <= t <= reach` in logits, certified; exactly 0 after a full period."""
        period = self.period
        if not len(self.amplitudes) or (period is not None and reach >= period):
            return Enclosure(lower=0.0, upper=0.0)
        if len(self.amplitudes) > 1:
            found = margin(self.amplitudes, self.scanned, reach=self.folded(reach))
            return Enclosure(lower=max(found.lower, 0.0), upper=found.upper)
        turn = None if self.turns is None else self.turns[0]
        lag = nearest_return(self.frequencies[0], turn, reach)
        return self.gap(lag)

    def gap(self, lag: int) -> Enclosure:
        """The gap `E_t` at one lag in logits, certified, as sharp as doubles allow."""
        bits = _BITS
        while True:
            with precision(bits + lag.bit_length()):
                value = self.gap_ball(lag, bits)
                if value.rel_accuracy_bits() >= 60 or value == 0 or bits > 1 << 13:
                    return Enclosure.of(value.max(arb(0)), value)
            bits *= 2

    def gap_ball(self, lag: int, bits: int) -> Any:
        """The gap `E_t` as a ball at the precision in force, from frequencies of `bits` bits."""
        total = arb(0)
        if self.turns is not None:
            for amplitude, turn in zip(self.amplitudes.tolist(), self.turns, strict=True):
                rest = (turn * lag) % 1
                sine = arb(fmpq(rest.numerator, rest.denominator)).sin_pi()
                total += 2 * arb(amplitude) * (sine * sine)
            return total
        thetas = self.balls(bits + lag.bit_length() + 16)
        for amplitude, theta in zip(self.amplitudes.tolist(), thetas, strict=True):
            sine = (theta * lag / 2).sin()
            total += 2 * arb(amplitude) * (sine * sine)
        return total


def read_aligned(frequencies: Angles, amplitudes: ArrayLike | None) -> Aligned:
    """The aligned head with these frequencies and amplitudes, checked. Raises `InvalidArgument`.

    `amplitudes` is None for 1 on a single plane; else numbers >= 0, one per plane, in logits.
    """
    if amplitudes is None and isinstance(frequencies, sympy.Expr):
        return _one_plane(frequencies)
    return _read_aligned(frequencies, amplitudes)


@lru_cache(maxsize=256)
def _one_plane(frequency: Any) -> Aligned:
    """The head of one plane with amplitude 1: the same is asked for many lengths and temperatures."""
    head = _read_aligned(frequency, None)
    for part in (head.amplitudes, *head.given):
        part.flags.writeable = False
    return head


def _read_aligned(frequencies: Angles, amplitudes: ArrayLike | None) -> Aligned:
    thetas = _read_frequencies(frequencies)
    if amplitudes is None and len(thetas) > 1:
        raise InvalidArgument("amplitudes", None, f"{len(thetas)} numbers >= 0, one per plane")
    values = np.ones(1) if amplitudes is None else amplitudes
    if isinstance(values, int | float) and not isinstance(values, bool):
        values = [values]
    sizes = read_vector("amplitudes", values)
    if sizes.shape != (len(thetas),):
        raise InvalidArgument("amplitudes", f"shape {sizes.shape}", f"shape ({len(thetas)},)")
    if (sizes < 0).any() or not sizes.any():
        raise InvalidArgument("amplitudes", sizes.tolist(), "numbers >= 0, one of them > 0")
    used = [plane for plane, theta in enumerate(thetas) if sizes[plane] > 0 and theta != 0]
    chosen = tuple(thetas[plane] for plane in used)
    turns = [turns_of(theta) for theta in chosen]
    exact = tuple(turn for turn in turns if turn is not None)
    given = np.array([_upper(theta) for theta in thetas]), sizes
    return Aligned(sizes[used], chosen, exact if len(exact) == len(turns) else None, given)


def exact_angle(name: str, value: object) -> Any:
    """An angle as an exact SymPy number. Raises `InvalidArgument`, `Unsupported`."""
    if isinstance(value, sympy.Expr) and not value.is_Rational:
        ball(value, bits=_BITS)  # refuses what is outside the language of exact numbers
        return value
    return read_rational(name, value)


def _upper(theta: Any) -> float:
    value = ball(theta, bits=_BITS)
    return Enclosure.of(value, value).upper


def turns_of(angle: Any) -> Fraction | None:
    """`angle/2 pi` as a fraction if it is recognised as rational, else None."""
    turns = angle / (2 * sympy.pi)
    if not turns.is_Rational:
        return None
    return Fraction(int(turns.p), int(turns.q))


def _read_frequencies(frequencies: Angles) -> tuple[Any, ...]:
    if isinstance(frequencies, RopeSpec):
        return frequencies.frequencies()
    listed = isinstance(frequencies, Sequence | np.ndarray) and not isinstance(frequencies, str)
    values = tuple(frequencies) if listed else (frequencies,)
    if not values:
        raise InvalidArgument("frequencies", frequencies, "a RopeSpec or one number per plane")
    exact = []
    for value in values:
        theta = exact_angle("frequencies", value)
        if sign(theta) < 0:
            raise InvalidArgument("frequencies", value, "numbers >= 0, in radians per position")
        exact.append(theta)
    return tuple(exact)
