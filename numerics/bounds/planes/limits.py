r"""Limits of the margin of a constant-key head with any number of planes.

Margins are in logits for a total amplitude `A`, angles in radians per position. Claims
`planes.upper`, `planes.digits`, `planes.log`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from flint import arb, ctx
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.balls import BITS, rational
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import ball, read_integer
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "angles_drawn",
    "chord",
    "digit_angles",
    "digits_margin",
    "planes_enough",
    "planes_needed",
    "upper_margin",
    "whole_root",
]

_LAST_BITS = 1 << 13
_CHORD = Stated("planes.upper", "above.own", {"parts": "Q"})
_DIGITS = Stated(
    "planes.digits", "1.body.then.below", {"amplitude": "A", "planes": "m", "parts": "Q"}
)
_TWICE_LOG = Stated("planes.log", "below", {"length": "n"}, hypothesis="enough planes")
_PER_PLANE = Stated("planes.log", "above.own", {"loss": "varepsilon"}, hypothesis="enough planes")
_REACHED = Stated("planes.log-needed", "below", {"reach": "N"})
_EACH = Stated("planes.log-needed", "above.own", {"angle": "x"})


def upper_margin(*, planes: int, reach: int, amplitude: object = 1) -> Enclosure:
    """`A (1 - cos(2 pi/Q))`, `Q = floor(N^{1/m})`, an upper bound of the margin with `m` planes.

    For constant keys, any angles and phases, and a target with `N = reach` positions on each side.

    >>> f"{upper_margin(planes=2, reach=64).upper:.4f}"
    '0.2929'

    Claim `planes.upper`. Raises `InvalidArgument` unless `planes >= 1`, `amplitude >= 0` and
    `reach >= 2^planes`, below which the claim is silent.
    """
    count = read_integer("planes", planes, least=1)
    lags = read_integer("reach", reach, least=1)
    total = rational("amplitude", amplitude, least=0)
    parts = whole_root(lags, count)
    if parts < 2:
        raise InvalidArgument("reach", reach, f"an integer >= 2^{count}")
    return chord(parts, total)


def digit_angles(*, planes: int, parts: int) -> tuple[Any, ...]:
    """The angles `2 pi/Q^k`, `k = 1 .. m`, exact, largest first: the digits of a lag in base `Q`.

    >>> digit_angles(planes=2, parts=4)
    (pi/2, pi/8)

    Claim `planes.digits`. Raises `InvalidArgument` unless `planes >= 1` and `parts >= 2`.
    """
    count = read_integer("planes", planes, least=1)
    base = read_integer("parts", parts, least=2)
    return tuple(sympy.Rational(2, base**k) * sympy.pi for k in range(1, count + 1))


def digits_margin(*, planes: int, parts: int, amplitude: object = 1) -> Enclosure:
    """`A/m (1 - cos(2 pi/Q))`, the margin of `digit_angles` with equal amplitudes.

    A lower bound within every length `n <= Q^m`, and the exact margin for `n > Q^{m-1}`.

    >>> digits_margin(planes=2, parts=4)
    Enclosure(lower=0.5, upper=0.5)

    Claim `planes.digits`. Raises `InvalidArgument` as `digit_angles`, and unless `amplitude >= 0`.
    """
    count = read_integer("planes", planes, least=1)
    base = read_integer("parts", parts, least=2)
    total = rational("amplitude", amplitude, least=0)
    return _DIGITS.enclose(amplitude=total, planes=count, parts=base)


def planes_enough(length: int, *, loss: object) -> int:
    """The least integer `m > 2 ln n/eps^2`: some `m` random angles have the margin `(1 - eps) A`.

    `loss` is `eps`. Decided exactly.

    >>> planes_enough(1024, loss=0.5)
    56

    Claim `planes.log`. Raises `InvalidArgument` unless `length >= 2` and `0 < loss <= 1`.
    """
    n = read_integer("length", length, least=2)
    epsilon = rational("loss", loss, above=0)
    if epsilon > 1:
        raise InvalidArgument("loss", loss, "0 < number <= 1")
    # ln n is irrational for n >= 2, so the next integer is above in any case.
    return _decided(lambda: _TWICE_LOG.ball(length=n) / _PER_PLANE.ball(loss=epsilon)) + 1


def planes_needed(length: int, *, share: object) -> int:
    """The number of planes that a margin of `c A` needs at least, at a length `n`.

    The least `m` with `m >= ln((n - 1)/2)/ln(1 + 2 pi/arccos(1 - c))`; `share` is `c`. With fewer planes no
    constant-key head has that margin at this length.

    >>> planes_needed(1024, share=0.5)
    4

    Claim `planes.log-needed`, of a target with at least `(n - 1)/2` positions on each side. Raises
    `InvalidArgument` unless `length >= 2` and `0 < share < 2`.
    """
    n = read_integer("length", length, least=2)
    part = rational("share", share, above=0, below=2)
    if n <= 3:
        return 1

    def bound() -> Any:
        angle = ball(1 - part, bits=ctx.prec).acos()
        return _REACHED.ball(reach=arb(n - 1) / 2) / _EACH.ball(angle=angle)

    # A claim about "at least": rounding the bound down errs on the safe side.
    return _up(bound)


def angles_drawn(planes: int, *, seed: int) -> NDArray[np.float64]:
    """Angles drawn uniformly from `[0, 2 pi)`, `(planes,)` float64, as `planes.log` draws them.

    Raises `InvalidArgument` unless `planes >= 1` and `seed >= 0`.
    """
    count = read_integer("planes", planes, least=1)
    random = np.random.default_rng(read_integer("seed", seed, least=0))
    return random.uniform(0, 2 * np.pi, count)


def chord(parts: int, amplitude: Any = 1) -> Enclosure:
    """`A (1 - cos(2 pi/Q))` for `Q = parts >= 1`, enclosed; `amplitude` is an exact number.

    >>> chord(4)
    Enclosure(lower=1.0, upper=1.0)

    Claim `planes.upper`.
    """
    return sharp(lambda: ball(amplitude, bits=ctx.prec) * _CHORD.ball(parts=parts))


def whole_root(value: int, degree: int) -> int:
    """`floor(value^{1/degree})`, exactly. Raises `InvalidArgument` unless both are integers >= 1.

    >>> whole_root(63, 3), whole_root(64, 3)
    (3, 4)
    """
    value, degree = read_integer("value", value, least=1), read_integer("degree", degree, least=1)
    low, high = 1, 1 << (value.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if middle**degree <= value:
            low = middle
        else:
            high = middle
    return low


def _decided(value: Any) -> int:
    """The integer part of an irrational number, certified; `value` computes it as a ball."""
    for bits in (192, _LAST_BITS):
        with precision(bits):
            whole = value().floor().unique_fmpz()
        if whole is not None:
            return int(whole)
    raise Unsupported("a number of planes that is not decided")


def _up(value: Any) -> int:
    """The least positive integer that is at least a ball's lower end; `value` computes the ball."""
    with precision(BITS):
        return max(int(value().lower().ceil().unique_fmpz()), 1)
