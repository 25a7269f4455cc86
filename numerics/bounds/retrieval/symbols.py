r"""Heads that attend by letter: letters as angles on some planes, which rotate slowly.

Plane `l` holds letter `z` at the angle `k_l z omega`, `omega = 2 pi/L`, `L` the number of letters, with
an integer multiplier `k_l`, and turns by `theta_l` per position; the query is turned back by
`c theta_l`, `c` the centre. A token whose left letter is `z` steps from the target's has at lag `b`

    g_z(b) = sum_l A_l cos(k_l z omega + theta_l (b - c))

as its logit. One plane, multiplier 1 and centre 0 are the paper's construction.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import sympy
from flint import arb, fmpq
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.planes.aligned import Angles, read_aligned
from ropeproof.numerics.bounds.planes.rounding import Arithmetic
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan import logit_rows
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer, read_rational
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Symbols", "read_symbols", "symbol_margin", "symbol_spectrum"]

_MOST_TERMS = 1 << 27
TOGETHER = 1 << 20
"""How many logits are computed, or exponentiated, at a time."""


@dataclass(frozen=True, eq=False)
class Symbols:
    """A head that attends by letter, reduced to the planes with positive amplitude.

    `letters` is the number of letters; `frequencies` are exact, `amplitudes` logits, `multipliers` integers,
    `(planes,)` each; `centre` is a fraction of positions; `given` holds frequencies and amplitudes of all
    planes in float64.
    """

    letters: int
    frequencies: tuple[Any, ...]
    amplitudes: Floats
    multipliers: tuple[int, ...]
    centre: Fraction
    given: tuple[Floats, Floats]

    @property
    def unrotated(self) -> bool:
        """Whether no plane in use rotates, so that logits do not depend on positions."""
        return all(theta == 0 for theta in self.frequencies)

    @property
    def total(self) -> float:
        """The total amplitude of the head, in logits."""
        return float(self.given[1].sum())

    def margin(self) -> Any:
        """The margin without rotation, `min_z sum_l A_l (1 - cos(k_l z omega))`, as a ball.

        In logits, at the precision in force.
        """
        best = arb(2.0) * arb(self.total) + 1
        for z in range(1, self.letters // 2 + 1):
            value = arb(0)
            for amplitude, k in zip(self.amplitudes.tolist(), self.multipliers, strict=True):
                sine = arb(fmpq((k * z) % self.letters, self.letters)).sin_pi()
                value += 2 * arb(amplitude) * (sine * sine)
            best = best.min(value)
        return best

    def logits(self, steps: range, length: int) -> tuple[Floats, list[float]]:
        """The logits `g_z(b)` of the letters `z` in `steps` at lags `0 <= b < length`, and their radii.

        Each logit, of `(letters, length)`, is within its letter's radius, in logits.
        """
        bits = BITS + length.bit_length()
        phases = np.zeros((len(steps), len(self.multipliers)))
        with precision(bits):
            centre = arb(fmpq(self.centre.numerator, self.centre.denominator))
            circle = [arb(fmpq(2 * each, self.letters)) * arb.pi() for each in range(self.letters)]
            for plane, (k, theta) in enumerate(
                zip(self.multipliers, self.balls(bits), strict=True)
            ):
                back = theta * centre
                phases[:, plane] = [
                    float((circle[(k * step) % self.letters] - back).mid()) for step in steps
                ]
        found = logit_rows(self.amplitudes, phases, self.balls, lags=length)
        # A phase is off by half a unit in the last place, and so moves its plane.
        moved = 2.0**-52 * self.total * (1 + np.abs(phases).max(1))
        radii = found.radius * (1 + 2.0**-40) + moved * (1 + 2.0**-40)
        return found.mid, radii.tolist()

    def balls(self, bits: int) -> tuple[Any, ...]:
        """The frequencies of the planes in use as balls of `bits` bits."""
        return _balls(self.frequencies, bits)

    def tables(self, length: int) -> Iterator[tuple[Floats, list[float]]]:
        """The logits of the target letter at all lags, then those of every other letter, and their radii.

        They come for some letters at a time, `(letters, length)`. Raises `Unsupported` for more than `2^27`
        letters times lags.
        """
        if self.letters * length > _MOST_TERMS:
            raise Unsupported(f"sums over {self.letters} letters times {length} lags: at most 2^27")
        step = max(TOGETHER // length, 1)
        for first in range(0, self.letters, step):
            yield self.logits(range(first, min(first + step, self.letters)), length)

    def error(self, beta: float, length: int, kind: Arithmetic) -> float:
        """A bound of the rounding error of a logit in a number type, in logits."""
        frequencies, amplitudes = self.given
        return kind.logit_error(
            frequencies, beta * amplitudes, length=length, head_dim=2 * len(amplitudes)
        )

    def allowed(self, beta: float, length: int, kind: Arithmetic) -> float:
        """The largest odds of another token at which a computed read-out is certainly right."""
        spread = 2 * beta * self.total + 2 * self.error(beta, length, kind)
        return kind.odds_allowed(length, spread, weight=1 / self.letters)


@lru_cache(maxsize=256)
def _balls(frequencies: tuple[Any, ...], bits: int) -> tuple[Any, ...]:
    return tuple(ball(theta, bits=bits) for theta in frequencies)


def read_symbols(
    letters: int,
    angle: Angles,
    amplitudes: ArrayLike | None,
    multipliers: Sequence[int] | None,
    centre: object,
) -> Symbols:
    """The head with these letters, angles and amplitudes, checked. Raises `InvalidArgument`.

    `angle` is one exact number, one per plane, or a `RopeSpec`; `amplitudes` None for 1 on a single
    plane; `multipliers` None for 1 on every plane.
    """
    count = read_integer("letters", letters, least=2)
    head = read_aligned(angle, amplitudes)
    thetas = _all_frequencies(angle)
    sizes = head.given[1]
    factors = [1] * len(thetas) if multipliers is None else list(multipliers)
    if len(factors) != len(thetas):
        raise InvalidArgument("multipliers", f"{len(factors)} of them", f"{len(thetas)} integers")
    whole = [read_integer("multipliers", k, least=0) for k in factors]
    where = read_rational("centre", centre)
    used = [plane for plane in range(len(thetas)) if sizes[plane] > 0]
    return Symbols(
        count,
        tuple(thetas[plane] for plane in used),
        sizes[used],
        tuple(whole[plane] for plane in used),
        Fraction(int(where.p), int(where.q)),
        head.given,
    )


def _all_frequencies(angle: Angles) -> tuple[Any, ...]:
    if isinstance(angle, RopeSpec):
        return angle.frequencies()
    listed = isinstance(angle, Sequence | np.ndarray) and not isinstance(angle, str)
    values = tuple(angle) if listed else (angle,)
    return tuple(v if isinstance(v, sympy.Expr) else read_rational("angle", v) for v in values)


def symbol_spectrum(letters: int, *, planes: int | None = None) -> tuple[tuple[int, ...], Floats]:
    """Multipliers and amplitude shares, `(planes,)` each, that keep all letters far apart.

    With `floor(L/2)` planes, the default and the most that help, all other letters are equally far
    from each, at `L/(L - 1)` per unit amplitude, against `1 - cos(2 pi/L)` on one plane. With fewer
    planes the multipliers are chosen greedily, with equal shares.

    >>> multipliers, shares = symbol_spectrum(5)
    >>> multipliers, shares.tolist()
    ((1, 2), [0.5, 0.5])

    Raises `InvalidArgument` unless `letters >= 2` and `1 <= planes <= L/2`.
    """
    count = read_integer("letters", letters, least=2)
    half = count // 2
    wanted = half if planes is None else read_integer("planes", planes, least=1)
    if wanted > half:
        raise InvalidArgument("planes", planes, f"an integer from 1 to {half}")
    if wanted == half:
        shares = np.full(half, 2.0)
        if count % 2 == 0:
            shares[-1] = 1.0
        return tuple(range(1, half + 1)), shares / (count - 1)
    steps = np.arange(1, half + 1)
    gains = 1 - np.cos(2 * np.pi / count * np.outer(steps, steps))
    chosen, sums = [0], gains[0].copy()
    while len(chosen) < wanted:
        free = [k for k in range(half) if k not in chosen]
        # The nearest letters count most.
        worth = [-np.log(np.exp(-4 * (sums + gains[k])).sum()) for k in free]
        best = free[int(np.argmax(worth))]
        chosen.append(best)
        sums += gains[best]
    multipliers = tuple(sorted(int(steps[k]) for k in chosen))
    return multipliers, np.full(wanted, 1 / wanted)


def symbol_margin(
    *, letters: int, amplitudes: ArrayLike | None = None, multipliers: Sequence[int] | None = None
) -> Enclosure:
    """The margin of letters on unrotated planes, `min_z sum_l A_l (1 - cos(2 pi k_l z/L))`.

    In logits, certified, for every length. One plane without `amplitudes` and `multipliers`:
    `1 - cos(2 pi/L)`, claim `retrieval.margin`. Raises `InvalidArgument`.

    >>> multipliers, shares = symbol_spectrum(8)
    >>> found = symbol_margin(letters=8, amplitudes=shares, multipliers=multipliers)
    >>> f"{found.lower:.6f} {symbol_margin(letters=8).lower:.6f}"
    '1.142857 0.292893'
    """
    planes = 1 if multipliers is None else len(multipliers)
    head = read_symbols(letters, [0] * planes, amplitudes, multipliers, 0)
    with precision(BITS):
        return enclosed(head.margin())


def largest_exponent(name: str, value: object) -> float:
    """The checked inverse temperature as a float in `[0, 2^500)`. Raises `InvalidArgument`."""
    beta = float(read_rational(name, value))
    if not 0 <= beta < 2.0**500 or not math.isfinite(beta):
        raise InvalidArgument(name, value, "a number >= 0 below 2^500, or None")
    return beta
