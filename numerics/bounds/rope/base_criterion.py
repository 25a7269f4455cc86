"""The base criterion: the first lag at which the sum of the planes' cosines is negative."""

from __future__ import annotations

import numpy as np
from flint import arb

from ropeproof.numerics.core.lag_scan import logit_blocks
from ropeproof.numerics.core.lag_scan.head import read_integer
from ropeproof.numerics.core.spec import frequencies_ball
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["first_negative_lag"]

_PRECISIONS = (256, 1024, 4096)
_MOST_LAGS = 2**40


def first_negative_lag(spec: RopeSpec, *, below: int = 2**20) -> int | None:
    """The first lag `0 <= t < below` with `sum_l cos(theta_l t) < 0`, None if there is none.

    The sum is over all planes of the spec; those that do not rotate count 1 each. It is the average
    preference of a query for a key equal to it over a random key, in units of its amplitude. The result is
    certain whatever the rounding: Arb decides lags whose sign float64 leaves open. Claim
    `rope.base-criterion`.

    >>> first_negative_lag(RopeSpec(128, 500_000))
    18438
    >>> first_negative_lag(RopeSpec(128, 29_000), below=4096) is None
    True

    Cost: that of `lag_scan.logit_blocks` up to the lag found, one matrix product for about a
    million lags at a time, whose memory does not grow with `below`. Raises `InvalidArgument` unless
    `1 <= below <= 2**40`, and `Unsupported` if a sum cannot be told from 0.
    """
    lags = read_integer("below", below, 1, _MOST_LAGS)
    ones = np.ones(spec.planes)
    for block in logit_blocks(ones, np.zeros_like(ones), spec, lags=lags):
        for place in np.flatnonzero(block.lower < 0):
            lag = block.first + int(place)
            if block.upper[place] < 0 or _negative(spec, lag):
                return lag
    return None


def _negative(spec: RopeSpec, lag: int) -> bool:
    """Whether the sum at a lag is negative, decided by Arb where float64 leaves it open."""
    for bits in _PRECISIONS:
        with precision(bits):
            total = arb(0)
            for frequency in frequencies_ball(spec, bits=bits):
                total += (frequency * lag).cos()
            if total < 0 or total >= 0:
                return bool(total < 0)
    raise Unsupported(f"the sum at lag {lag} cannot be told from 0 with {_PRECISIONS[-1]} bits")
