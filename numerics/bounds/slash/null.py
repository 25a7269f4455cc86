"""The largest slash score without position: a NoPE head on exchangeable tokens (`slash.null`)."""

from __future__ import annotations

from flint import arb

from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision

__all__ = ["null_bound"]


def null_bound(length: int, offset: int) -> Enclosure:
    """`(H_{N-1} - H_{Delta-1})/(N - Delta)`, the largest score of a NoPE head of the first layer.

    On exchangeable tokens row `i` gives the target at most `1/(i - 1)` on average; the bound is the mean of
    these over the rows. A slash score above it, on random tokens, is due to positions. Enclosed.

    >>> f"{null_bound(3, 1).lower:.2f} {null_bound(1024, 1).lower:.4f}"
    '0.75 0.0073'

    Claim `slash.null`. Raises `InvalidArgument` unless `1 <= offset < length`.
    """
    offset = read_integer("offset", offset, least=1)
    length = read_integer("length", length, least=2)
    if offset >= length:
        raise InvalidArgument("offset", offset, f"an integer from 1 to length - 1, {length - 1}")
    with precision(BITS):
        # H_n = digamma(n + 1) + Euler's constant.
        difference = arb(length).digamma() - arb(offset).digamma()
        return enclosed(difference / (length - offset))
