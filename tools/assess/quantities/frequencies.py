"""Properties of frequencies at a length in any number type: near-returns, criterion, turns."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import sympy
from flint import arb

from ropeproof.numerics.bounds.planes.returns import denominators
from ropeproof.numerics.bounds.rope.base_criterion import first_negative_lag
from ropeproof.numerics.core.enclosure import Enclosure, Extremum
from ropeproof.numerics.core.lag_scan import margin
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational, sign
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import read_length

__all__ = ["Criterion", "Returns", "Turns", "criterion", "returns", "turns"]

_BITS = 192


@dataclass(frozen=True)
class Returns:
    """How near the rotation comes back to where it was, over the lags `1 .. length - 1`.

    - `step`: `sum_l (1 - cos theta_l)`, what a head with amplitude 1 on each rotated plane falls by one
      position off its target, in logits;
    - `least`: the smallest such fall, and its lag; a lag other than 1 is a ghost of the target;
    - `planes`: of each rotated plane the first lag that is nearer to a whole number of turns than
      lag 1 is, None if none is below the length.
    """

    length: int
    step: Enclosure
    least: Extremum
    planes: tuple[int | None, ...]

    @property
    def ghost(self) -> bool | None:
        """Whether a lag other than 1 comes nearer to lag 0 than lag 1 does; None if a tie is not decided."""
        if 1 not in self.least.ties and not self.least.omitted:
            return True
        return False if self.least.ties == (1,) and self.least.certified else None


def returns(spec: RopeSpec, *, length: int) -> Returns:
    """The near-returns of a spec within a length, certified.

    >>> found = returns(RopeSpec(128, 10000), length=4096)
    >>> found.ghost, found.least.lag, f"{found.least.lower:.3f}", found.planes[0]
    (False, 1, '1.906', 6)

    Claims `slash.uniform`, `index.staircase`. Cost: a lag scan. Raises `InvalidArgument`.
    """
    count = read_length(length)
    rotated = spec.rotary_planes
    ones = np.where(np.arange(spec.planes) < rotated, 1.0, 0.0)
    with precision(_BITS):
        fall = arb(0)
        for theta in frequencies_ball(spec, bits=_BITS)[:rotated]:
            fall += 1 - theta.cos()
        step = Enclosure.of(fall, fall)
    first: list[int | None] = []
    for theta in spec.frequencies()[:rotated]:
        lags = denominators(theta, None, count - 1) if theta != 0 else (1,)
        first.append(lags[1] if len(lags) > 1 else None)
    return Returns(count, step, margin(ones, spec, reach=count - 1), tuple(first))


@dataclass(frozen=True)
class Criterion:
    """The base criterion `sum_l cos(t theta_l) >= 0` for `0 <= t < length`.

    `first_negative` is the first lag below the length that breaks it, None if none does; `others` has
    the same for other bases, under the same scaling.
    """

    length: int
    base: float
    first_negative: int | None
    others: tuple[tuple[float, int | None], ...]

    @property
    def not_monotone(self) -> tuple[float, float] | None:
        """A tested base that meets the criterion and a larger one that fails it; None without one."""
        found = sorted([(self.base, self.first_negative), *self.others])
        for place, (small, lag) in enumerate(found):
            for large, other in found[place + 1 :]:
                if lag is None and other is not None:
                    return small, large
        return None


_TIMES = (Fraction(1, 4), Fraction(1, 2), Fraction(2), Fraction(4))


def criterion(spec: RopeSpec, *, length: int) -> Criterion:
    """The base criterion at a length, for the spec and at a quarter, half, twice, 4 times its base.

    >>> found = criterion(RopeSpec(128, 500_000), length=32768)
    >>> found.first_negative, found.others[2]
    (18438, (1000000.0, 27115))

    Claim `rope.base-criterion`. Cost: a lag scan per base. Raises `InvalidArgument`.
    """
    count = read_length(length)
    others = []
    for times in _TIMES:
        base = read_rational("base", spec.base * sympy.Rational(times.numerator, times.denominator))
        if base <= 1:
            continue
        found = first_negative_lag(spec.changed(base=base), below=count)
        others.append((float(base), found))
    first = first_negative_lag(spec, below=count)
    return Criterion(count, float(spec.base), first, tuple(others))


@dataclass(frozen=True)
class Turns:
    """How far planes turned in training, and how far they turn when the model is served.

    `seen` and `served`: turns of each rotated plane over `trained` and over `length` positions, `n theta/(2
    pi)` for `n` positions, enclosed. `partial`: planes that turned less than once in training.
    `new`: those of them that meet, at some position below `length`, the angle of position `trained` or a
    larger one. That is the first position that training did not have; an angle between those of the
    last trained position and of that one is within what was seen, so that frequencies
    divided by a factor serve that many times the trained positions. Both are decided exactly.
    """

    trained: int
    length: int
    seen: tuple[Enclosure, ...]
    served: tuple[Enclosure, ...]
    partial: tuple[int, ...]
    new: tuple[int, ...]


def turns(before: RopeSpec, after: RopeSpec, *, trained: int, length: int) -> Turns:
    """Turns over `trained` positions under the spec `before`, and over `length` under `after`.

    >>> found = turns(RopeSpec(128, 10000), RopeSpec(128, 10000), trained=4096, length=8192)
    >>> len(found.partial), len(found.new)
    (18, 18)
    >>> from ropeproof.theory.rotary.spec import Linear
    >>> slowed = RopeSpec(128, 10000, scaling=Linear(4))
    >>> turns(RopeSpec(128, 10000), slowed, trained=4096, length=16384).new
    ()

    Raises `InvalidArgument`, also unless both rotate the same planes.
    """
    count, seen_length = read_length(length), read_integer("trained", trained, least=2)
    if before.rotary_planes != after.rotary_planes:
        got = f"{after.rotary_planes} rotated planes"
        raise InvalidArgument("after", got, f"{before.rotary_planes}, as before")
    pairs = list(zip(before.frequencies(), after.frequencies(), strict=False))
    pairs = pairs[: before.rotary_planes]
    # Every position of training stands for the angles up to the next one's.
    partial = tuple(
        plane
        for plane, (old, _) in enumerate(pairs)
        if old != 0 and sign(2 * sympy.pi - old * seen_length) > 0
    )
    new = tuple(
        plane
        for plane in partial
        if not _less(pairs[plane][1] * (count - 1), pairs[plane][0] * seen_length)
    )
    sides = []
    for spec, span in ((before, seen_length), (after, count)):
        with precision(_BITS):
            whole = [
                theta * span / (2 * arb.pi())
                for theta in frequencies_ball(spec, bits=_BITS)[: spec.rotary_planes]
            ]
            sides.append(tuple(Enclosure.of(value, value) for value in whole))
    return Turns(seen_length, count, sides[0], sides[1], partial, new)


def _less(left: sympy.Expr, right: sympy.Expr) -> bool:
    ratio = left / right  # equal expressions cancel, where no ball decides
    return bool(ratio < 1) if ratio.is_Rational else sign(left - right) < 0
