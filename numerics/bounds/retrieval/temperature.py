r"""Inverse temperatures that retrieval needs, and lengths up to which a retrieval head decodes.

The head's output is the mean of the one-hot tokens under its weights, so it decodes iff the target token
has more weight than any other token. At worst the target occurs once, at a lag `a`, and all other
positions, the query's own included, hold one and the same other token, `z` letters away:

    sum over 0 <= b < n, b != a, of e^{beta (g_z(b) - g_0(a))} < 1 for all 1 <= a < n and all z.

Without rotation that is `beta > ln(n - 1)/min_z (g_0 - g_z)` (claim `retrieval.temperature`). The sum
is less than `n - 1` times `e^{-beta margin}`, so a margin is enough with `beta margin > ln(n - 1)`.
Rounding enters as in `ropeproof.numerics.bounds.index.decode`; where every letter's sum is below 1
the target has at least the weight `1/|ALPH|`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from flint import arb
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.planes.aligned import Angles
from ropeproof.numerics.bounds.planes.longest import longest
from ropeproof.numerics.bounds.planes.rounding import Arithmetic, read_arithmetic
from ropeproof.numerics.bounds.planes.sums import (
    Bounds,
    decays_of_rows,
    exponential_above,
    least_cold,
    least_temperature,
    logarithm_above,
    running,
)
from ropeproof.numerics.bounds.retrieval.symbols import (
    TOGETHER,
    Symbols,
    largest_exponent,
    read_symbols,
)
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision

__all__ = [
    "decode_length",
    "hard_margin",
    "retrieval_odds",
    "retrieval_temperature",
    "retrieval_temperature_in",
]

_MOST = 1 << 20
_LEAST = 2.0**-20


def retrieval_temperature(
    *,
    letters: int,
    length: int,
    angle: Angles = 0,
    amplitudes: ArrayLike | None = None,
    multipliers: Sequence[int] | None = None,
    centre: object = 0,
) -> Enclosure:
    """The inverse temperature from which on every functional input is decoded, enclosed.

    At lower ones some input is not. `angle` is one exact number in radians per position, one per plane, or a
    `RopeSpec`; `amplitudes` (logits), `multipliers` and `centre` as in
    `ropeproof.numerics.bounds.retrieval.symbols`. Both ends are infinite if no inverse temperature
    is certain to be enough.

    >>> found = retrieval_temperature(letters=8, length=17)
    >>> f"{found.lower:.6f} {found.upper:.6f}"
    '9.466210 9.466210'

    Claim `retrieval.temperature`. Cost: nothing without rotation; else some 60 sums over all letters
    and lags. Raises `InvalidArgument`; `Unsupported` above `2^27` letters times lags.
    """
    head = read_symbols(letters, angle, amplitudes, multipliers, centre)
    length = read_integer("length", length, least=2)
    if head.unrotated:
        with precision(BITS):
            margin = head.margin()
            if not margin > 0:
                return Enclosure(lower=math.inf, upper=math.inf)
            if length == 2:
                return Enclosure(lower=0.0, upper=0.0)
            return enclosed(arb(length - 1).log() / margin)
    below = hard_margin(head, length)
    if below <= 0:
        return Enclosure(lower=math.inf, upper=math.inf)
    return _least(_Table(head, length), below)


def retrieval_odds(
    inverse_temperature: object,
    *,
    letters: int,
    length: int,
    angle: Angles = 0,
    amplitudes: ArrayLike | None = None,
    multipliers: Sequence[int] | None = None,
    centre: object = 0,
) -> Enclosure:
    """The largest ratio of the other positions' weight to the target's, enclosed.

    The head decodes every functional input iff it is below 1. Arguments, cost and errors as
    `retrieval_temperature`; `inverse_temperature >= 0`.

    >>> odds = retrieval_odds(10, letters=8, length=17, angle=0.0027)
    >>> f"{odds.lower:.4f} {odds.upper:.4f}"
    '1.0062 1.0062'
    """
    head = read_symbols(letters, angle, amplitudes, multipliers, centre)
    beta = largest_exponent("inverse_temperature", inverse_temperature)
    low, high = _Table(head, read_integer("length", length, least=2)).odds(beta)
    return Enclosure(lower=low, upper=high)


def retrieval_temperature_in(
    arithmetic: object,
    *,
    letters: int,
    length: int,
    angle: Angles = 0,
    amplitudes: ArrayLike | None = None,
    multipliers: Sequence[int] | None = None,
    centre: object = 0,
    angles: object = "float64",
) -> float:
    """An inverse temperature at which a head decodes every functional input in a number type.

    Guaranteed, and about the least one that the bounds of `ropeproof.numerics.bounds.planes.rounding` allow;
    infinite if none is found. Arguments, cost and errors as `retrieval_temperature`; types as
    `ropeproof.numerics.bounds.index.decode_length`.

    >>> f"{retrieval_temperature_in('float32', letters=8, length=17):.3f}"
    '9.466'
    """
    head = read_symbols(letters, angle, amplitudes, multipliers, centre)
    kind = read_arithmetic(arithmetic, angles)
    length = read_integer("length", length, least=2)
    margin = hard_margin(head, length)
    if not margin > 2 * head.error(1.0, length, kind):
        return math.inf
    table = _Table(head, length)

    def excess(beta: float) -> float:
        off = head.error(beta, length, kind)
        allowed = head.allowed(beta, length, kind)
        if not allowed > 0 or not off < 300:
            return math.inf
        return table.odds(beta)[1] * exponential_above(2 * off) * (1 + 2.0**-50) - allowed

    exact = _least(table, margin)
    return least_cold(excess, max(exact.lower, _LEAST / margin))


def decode_length(
    *,
    letters: int,
    angle: Angles = 0,
    amplitudes: ArrayLike | None = None,
    multipliers: Sequence[int] | None = None,
    centre: object = 0,
    inverse_temperature: object | None = None,
    arithmetic: object = "exact",
    angles: object = "float64",
    most: int = _MOST,
) -> int | None:
    """The largest length up to which a retrieval head decodes every functional input, guaranteed.

    Arguments as `retrieval_temperature` and `ropeproof.numerics.bounds.index.decode_length`;
    `inverse_temperature` None is hard attention. In exact arithmetic the head fails on some input that is
    one position longer. None if every length is decoded: hard attention without rotation. 1 if
    not even two positions are certain. The search ends at `most`, except without rotation in
    exact arithmetic, where the answer is the closed form.

    >>> decode_length(letters=8), decode_length(letters=8, inverse_temperature=10)
    (None, 19)
    >>> decode_length(letters=8, angle=0.0027)
    146
    >>> decode_length(letters=8, inverse_temperature=10, arithmetic="float32")
    19

    Claims `retrieval.temperature`, `retrieval.margin`, `softmax.perturb`. Raises `InvalidArgument`;
    `Unsupported` where `2^27` letters times lags are passed.
    """
    head = read_symbols(letters, angle, amplitudes, multipliers, centre)
    kind = read_arithmetic(arithmetic, angles)
    most = read_integer("most", most, least=2)
    if inverse_temperature is None:
        return _hard_length(head, kind, most)
    beta = largest_exponent("inverse_temperature", inverse_temperature)
    if head.unrotated and kind.exact:
        return _closed_length(head, beta)
    table = _Table(head, 2)

    def certain(length: int) -> bool:
        nonlocal table
        off = head.error(beta, length, kind)
        allowed = head.allowed(beta, length, kind)
        if not allowed > 0 or not off < 300:
            return False
        if table.length < length and table.flat is None:
            table = _Table(head, length)
        return table.odds(beta, length)[1] * exponential_above(2 * off) * (1 + 2.0**-50) < allowed

    return longest(certain, least=2, most=most)


class _Table:
    """The logits of a head per letter up to a scanned length, and the odds at shorter lengths."""

    def __init__(self, head: Symbols, length: int) -> None:
        self.head, self.length = head, length
        self.flat: Bounds | None = None
        if head.unrotated:
            with precision(BITS):
                margin = enclosed(head.margin())
            self.flat = margin.lower, margin.upper
            return
        parts = list(head.tables(length))
        logits = parts[0][0] if len(parts) == 1 else np.concatenate([p for p, _ in parts])
        # Below the total amplitude; the difference is rounded once.
        self.gaps = head.total - logits
        self.radii = [r + 2.0**-52 * head.total for _, radii in parts for r in radii]

    def odds(self, beta: float, length: int | None = None) -> Bounds:
        """Bounds of the largest odds over target lags `a` and other letters `z`."""
        size = self.length if length is None else length
        if self.flat is not None:
            with precision(BITS):
                ends = [(arb(size - 1) * (-arb(beta) * arb(m)).exp()) for m in self.flat]
                return enclosed(ends[1]).lower, enclosed(ends[0]).upper
        own = np.empty(0)
        best_low, best_high = 0.0, 0.0
        step = max(TOGETHER // size, 1)
        for first in range(0, self.head.letters, step):
            letters = slice(first, first + step)
            terms = decays_of_rows(self.gaps[letters, :size], self.radii[letters], beta)
            if not first:
                own, terms = terms[::-1, :1, 1:], terms[:, 1:]
            if not terms.size:
                continue
            # All but one: what comes before and what comes after, so that nothing cancels.
            ahead, behind = running(terms), running(terms[..., ::-1])
            sums = ahead[..., 1:size] + behind[..., ::-1][..., 2 : size + 1]
            # A lower bound of one over an upper bound of the other, and the other way round.
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                under, over = sums / own
            over[:, own[1, 0] == 0] = math.inf
            # What is not known, infinity over infinity, counts as 0.
            best_low = max(best_low, float(np.where(under >= 0, under, 0.0).max()))
            best_high = max(best_high, float(over.max()))
        return best_low * (1 - 2.0**-50), best_high * (1 + 2.0**-50)


def _least(table: _Table, margin: float) -> Enclosure:
    """The inverse temperature at which the odds are 1, enclosed; at most about `ln n/margin`."""
    enough = logarithm_above(table.length) / margin * (1 + 2.0**-40)
    return least_temperature(table.odds, enough)


def hard_margin(head: Symbols, length: int) -> float:
    """A lower bound of the worst margin at a length, in logits."""
    if head.unrotated:
        with precision(BITS):
            return enclosed(head.margin()).lower
    asked, off = np.empty(0), 0.0
    rival = np.full(length, -np.inf)
    for logits, radii in head.tables(length):
        first = 0 if len(asked) else 1
        asked = asked if first == 0 else logits[0]
        np.maximum(rival, logits[first:].max(0, initial=-np.inf), out=rival)
        off = max(off, *radii)
    # The best rival at another lag than a.
    before = np.maximum.accumulate(rival)[:-1]
    after = np.append(np.maximum.accumulate(rival[::-1])[::-1][2:], -np.inf)
    worst = float((asked[1:] - np.maximum(before, after)).min())
    return worst - 2 * off * (1 + 2.0**-40) - 2.0**-50 * head.total


def _hard_length(head: Symbols, kind: Arithmetic, most: int) -> int | None:
    if head.unrotated and kind.exact:
        with precision(BITS):
            return None if head.margin() > 0 else 1

    def certain(length: int) -> bool:
        off = 2 * head.error(1.0, length, kind) * (1 + 2.0**-50)
        return off < math.inf and hard_margin(head, length) > off

    return longest(certain, least=2, most=most)


def _closed_length(head: Symbols, beta: float) -> int:
    """The largest `n` with `n - 1 < e^{beta margin}`, the decode length of an unrotated head."""
    size = int(2 * beta * head.total * 1.5) + BITS
    with precision(size):
        odds = (arb(beta) * head.margin()).exp()
        if odds.is_exact():
            return max(int(odds.ceil().unique_fmpz()), 1)
        return max(int(odds.lower().ceil().unique_fmpz()), 1)
