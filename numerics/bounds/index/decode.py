r"""The length up to which an index head decodes in a number type.

Exactly, an integer query is decoded iff the other positions' weight over the target's is below 1
(`ropeproof.numerics.bounds.index.temperature`). In a type each logit is off by at most `eta`, so that these
odds grow by at most `e^{2 eta}` (claim `softmax.perturb`), and the read-out needs them below a bound a little
under 1 (`ropeproof.numerics.bounds.planes.rounding`). Both get worse with the length, as the odds do, so the
answer is found by bisection.
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.index.temperature import (
    Gaps,
    PartialSums,
    index_temperature,
    integer_reach,
)
from ropeproof.numerics.bounds.planes.aligned import Aligned, Angles, read_aligned
from ropeproof.numerics.bounds.planes.longest import longest
from ropeproof.numerics.bounds.planes.rounding import Arithmetic, read_arithmetic
from ropeproof.numerics.bounds.planes.sums import exponential_above, least_cold
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer, read_rational

__all__ = ["decode_length", "index_temperature_in"]

_MOST = 1 << 20
_LEAST = 2.0**-20


def decode_length(
    frequencies: Angles,
    amplitudes: ArrayLike | None = None,
    *,
    inverse_temperature: object | None = None,
    integers: int | None = None,
    arithmetic: object = "exact",
    angles: object = "float64",
    most: int = _MOST,
) -> int | None:
    """The largest length up to which an index head decodes every integer query, guaranteed.

    Logits are `inverse_temperature` times those of the amplitudes; None is hard attention, the arg
    max of the logits. `frequencies`, `amplitudes` and `integers` as in `index_margin`. `arithmetic` is
    `"exact"`, `"float64"`, `"float32"`, `"float16"`, `"bfloat16"` or a torch type; `angles` the type in which
    rotation angles are formed, `"float64"` as this project's heads do, or `"float32"` as `transformers` does.
    In exact arithmetic the head fails on some input that is one position longer (except for what double
    precision leaves open, some parts in `10^12` of the odds); in another arithmetic it may. 1 if not even two
    positions are certain. None if hard attention in exact arithmetic decodes every length. The search ends
    at `most`.

    >>> import sympy
    >>> decode_length(2 * sympy.pi / 17), decode_length(1)
    (17, None)
    >>> decode_length(2 * sympy.pi / 17, inverse_temperature=12)
    17
    >>> decode_length(2 * sympy.pi / 17, inverse_temperature=12, arithmetic="bfloat16")
    1
    >>> decode_length(2 * sympy.pi / 5, inverse_temperature=2, arithmetic="bfloat16")
    5

    Claims `index.temperature`, `index.margin`, `softmax.perturb`. Cost: a scan of at most twice as
    many lags as the answer. Raises `InvalidArgument`; `Unsupported` if `most` is above `2^24`.
    """
    head = read_aligned(frequencies, amplitudes)
    kind = read_arithmetic(arithmetic, angles)
    most = read_integer("most", most, least=2)
    if integers is not None:
        integers = read_integer("integers", integers, least=1)
    if inverse_temperature is None:
        return _hard_length(head, integers, kind, most)
    beta = _temperature(inverse_temperature)
    spread = 2 * beta * float(head.given[1].sum())
    sums = Gaps.of(head, 1).sums(beta)

    def certain(length: int) -> bool:
        nonlocal sums
        if sums.bounds.shape[1] < length:
            sums = Gaps.of(head, length - 1).sums(beta)
        off = _error(head, beta, length, kind)
        return _decodes(sums, length, integers, off, kind.odds_allowed(length, spread + 2 * off))

    return longest(certain, least=2, most=most)


def index_temperature_in(
    arithmetic: object,
    frequencies: Angles,
    amplitudes: ArrayLike | None = None,
    *,
    length: int,
    integers: int | None = None,
    angles: object = "float64",
) -> float:
    """An inverse temperature at which an index head decodes every integer query in a number type.

    Guaranteed, and about the least one that the bounds of `ropeproof.numerics.bounds.planes.rounding`
    allow; infinite if none is found, since rounding grows with the logits as the margin does. Arguments as
    `index_temperature` and `decode_length`.

    >>> import sympy
    >>> f"{index_temperature_in('float32', 2 * sympy.pi / 17, length=17):.3f}"
    '11.759'
    >>> index_temperature_in('bfloat16', 2 * sympy.pi / 17, length=17)
    inf

    Raises as `index_temperature`.
    """
    head = read_aligned(frequencies, amplitudes)
    kind = read_arithmetic(arithmetic, angles)
    length = read_integer("length", length, least=2)
    if integers is not None:
        integers = read_integer("integers", integers, least=1)
    margin = head.margin(integer_reach(length, integers)).lower
    total = float(head.given[1].sum())
    if margin <= 2 * _error(head, 1.0, length, kind):
        return math.inf
    gaps = Gaps.of(head, length - 1)

    def excess(beta: float) -> float:
        """The odds less what the number type allows; negative where decoding is certain."""
        off = _error(head, beta, length, kind)
        allowed = kind.odds_allowed(length, 2 * beta * total + 2 * off)
        odds = gaps.sums(beta).odds(length, integers)[1]
        if allowed <= 0 or off > 300:
            return math.inf
        return odds * exponential_above(2 * off) * (1 + 2.0**-50) - allowed

    exact = index_temperature(frequencies, amplitudes, length=length, integers=integers)
    return least_cold(excess, max(exact.lower, _LEAST / margin))


def _hard_length(head: Aligned, integers: int | None, kind: Arithmetic, most: int) -> int | None:
    if kind.exact and head.never_returns:
        return None
    if not len(head.amplitudes):
        return 1

    def certain(length: int) -> bool:
        off = _error(head, 1.0, length, kind)
        reach = integer_reach(length, integers)
        return head.margin(reach).lower > 2 * off * (1 + 2.0**-50)

    return longest(certain, least=2, most=most)


def _decodes(
    sums: PartialSums, length: int, integers: int | None, off: float, allowed: float
) -> bool:
    if not off < 300 or not allowed > 0:
        return False
    return sums.odds(length, integers)[1] * exponential_above(2 * off) * (1 + 2.0**-50) < allowed


def _error(head: Aligned, beta: float, length: int, kind: Arithmetic) -> float:
    frequencies, amplitudes = head.given
    return kind.logit_error(
        frequencies, beta * amplitudes, length=length, head_dim=2 * len(amplitudes)
    )


def _temperature(value: object) -> float:
    beta = float(read_rational("inverse_temperature", value))
    if not 0 <= beta < 2.0**500:
        raise InvalidArgument("inverse_temperature", value, "a number >= 0 below 2^500, or None")
    return beta
