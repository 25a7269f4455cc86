r"""The retrieval head of least amplitude found on a spec's planes that decodes a length.

Letters stand on the unrotated planes where there are any, else on the slowest ones with the query
turned back by half the window, which halves the drift. Spreading them over more planes sets letters
further apart (`symbol_spectrum`) but needs faster planes, which drift more: the number of planes with
the largest certified margin per unit amplitude is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb

from ropeproof.numerics.bounds.retrieval.symbols import read_symbols, symbol_spectrum
from ropeproof.numerics.bounds.retrieval.temperature import (
    hard_margin,
    retrieval_odds,
    retrieval_temperature,
)
from ropeproof.numerics.bounds.slash.balls import BITS
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.lag_scan.head import Floats
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["RetrievalBudget", "retrieval_budget"]

MOST_LETTERS = 4096
_COST = "each letter's spectrum is computed on every plane"
MOST_MARGINS = 2**28
"""Letters times lags whose margins are computed for each number of planes: some minutes."""
_SPARE = 1 + 2.0**-30
"""Keeps the odds certain when they are summed over another number of lags."""
_LEAST = 2.0**-20
"""The amplitude used where any positive one is enough, as for two positions."""


@dataclass(frozen=True, eq=False)
class RetrievalBudget:
    """A retrieval head on a spec's planes that decodes every functional input of a length.

    - `amplitudes` (logits), `multipliers`, `(planes,)`, and `centre` as in
      `ropeproof.numerics.bounds.retrieval.symbols`; `amplitude` is their sum, rounded up;
    - `margin`: the worst margin per unit amplitude at this length, a certified lower bound;
    - `needed`: `ln(n - 1)/2`; every head that decodes has more, since two of its logits differ by at
      most twice its amplitude;
    - `odds`: the largest ratio of the other positions' weight to the target's, certified, below 1.
    """

    spec: RopeSpec
    length: int
    letters: int
    amplitudes: Floats
    multipliers: tuple[int, ...]
    centre: Fraction
    amplitude: float
    needed: float
    margin: float
    odds: Enclosure


def retrieval_budget(spec: RopeSpec, *, length: int, letters: int) -> RetrievalBudget:
    """The retrieval head of least amplitude found on the planes of a spec, certified to decode.

    >>> found = retrieval_budget(RopeSpec(128, 10000, rotary_dim=64), length=1024, letters=8)
    >>> f"{found.amplitude:.3f} {found.margin:.4f}", found.odds.upper < 1
    ('6.064 1.1429', True)

    Claim `retrieval.temperature`. Cost: a scan of all letters and lags per number of planes tried.
    Raises `InvalidArgument`; `Unsupported` if no planes turn slowly enough.
    """
    if not isinstance(spec, RopeSpec):
        raise InvalidArgument("spec", spec, "a RopeSpec")
    count = read_integer("letters", letters, least=2, most=MOST_LETTERS, cost=_COST)
    told = f"the margin of {count} letters is computed at each lag"
    n = read_integer("length", length, least=2, most=MOST_MARGINS // count, cost=told)
    order = spec.frequency_order()[::-1]
    still = [plane for plane in order if spec.frequencies()[plane] == 0]
    usable = still or list(order)
    centre = Fraction(0) if still else Fraction(n - 1, 2)
    best: tuple[float, Floats, tuple[int, ...]] = (0.0, np.zeros(0), ())
    for number in _numbers(min(count // 2, len(usable))):
        factors, shares = symbol_spectrum(count, planes=number)
        sizes, multipliers = np.zeros(spec.planes), [1] * spec.planes
        for plane, factor, share in zip(usable, factors, shares.tolist(), strict=False):
            sizes[plane], multipliers[plane] = share, factor
        margin = hard_margin(read_symbols(count, spec, sizes, multipliers, centre), n)
        if margin > best[0]:
            best = margin, sizes, tuple(multipliers)
    margin, direction, factors = best
    if margin <= 0:
        raise Unsupported(
            f"no planes of this spec turn slowly enough for {count} letters at {n} positions"
        )
    kept: dict[str, Any] = {
        "letters": count,
        "length": n,
        "angle": spec,
        "multipliers": factors,
        "centre": centre,
    }
    beta = retrieval_temperature(amplitudes=direction, **kept).upper
    sizes = direction * max(beta * _SPARE, _LEAST)
    while not (odds := retrieval_odds(1, amplitudes=sizes, **kept)).upper < 1:
        sizes = sizes * _SPARE
    sizes.flags.writeable = False
    with precision(2400):
        total = sum((arb(a) for a in sizes.tolist()), arb(0))
        amplitude = Enclosure.of(total, total).upper
    with precision(BITS):
        half = arb(n - 1).log() / 2
        needed = max(0.0, Enclosure.of(half, half).lower)
    return RetrievalBudget(
        spec=spec,
        length=n,
        letters=count,
        amplitudes=sizes,
        multipliers=factors,
        centre=centre,
        amplitude=amplitude,
        needed=needed,
        margin=margin / max(math.fsum(direction.tolist()), 1.0),
        odds=odds,
    )


def _numbers(most: int) -> tuple[int, ...]:
    """The numbers of planes to try: the powers of two below `most`, and `most`."""
    return tuple(sorted({min(2**k, most) for k in range(most.bit_length() + 1)}))
