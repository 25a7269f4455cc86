r"""The margin that `slash.band-dominance` guarantees, with the best band at every lag.

The claim holds for any set of slow planes, and the set may be another one at every lag: so each plane
gives the better of its two bounds, `A_l (1 - cos theta_l e) - 4 A_l |sin(theta_l e/2) sin(delta_l/2)|`
outside the band and `-A_l min(2, theta_l |e|)` inside, `e` the distance to the target.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropeproof.numerics.bounds.slash.learned.scaling_survival import read_planes
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["band_margin"]


def band_margin(
    amplitudes: ArrayLike, phases: ArrayLike, offset: int, spec: RopeSpec, *, length: int
) -> float:
    """A lower bound of the margin at `offset` over the other lags below `length`, in logits.

    The head's logit is `sum_l A_l cos(theta_l t + phi_l)`, `amplitudes` and `phases` `(planes,)`.

    >>> spec = RopeSpec(4, 10000)
    >>> found = band_margin([3.0, 1.0], [-1.0, 3.0], 1, spec, length=16)
    >>> round(found, 3)  # the slow plane points the other way, and costs little
    0.059

    Float64, off by about `2^-26 sum_l A_l`, because of cancellation in `1 - cos`. Cost: `length
    planes` cosines. Claim `slash.band-dominance`. Raises `InvalidArgument` unless amplitudes are not
    negative, `length >= 2` and `0 <= offset < length`.
    """
    sizes, turns = read_planes("amplitudes", amplitudes, spec), read_planes("phases", phases, spec)
    if sizes.ndim != 1 or sizes.shape != turns.shape:
        allowed = f"shape ({spec.planes},), as amplitudes"
        raise InvalidArgument("phases", f"shape {turns.shape}", allowed)
    if (sizes < 0).any():
        raise InvalidArgument("amplitudes", float(sizes.min()), "numbers >= 0")
    count = read_integer("length", length, least=2)
    lag = read_integer("offset", offset, least=0, most=count - 1)
    theta = frequencies_float64(spec)
    stray = np.abs(np.sin((theta * lag + turns) / 2))
    # What is bounded depends on the distance alone; both sides have the distances up to the nearer end.
    apart = np.arange(1, max(lag, count - 1 - lag) + 1)[:, np.newaxis] * theta
    halves = np.abs(np.sin(apart / 2))
    kept = 2 * halves * halves - 4 * halves * stray
    return float((np.maximum(kept, -np.minimum(2.0, apart)) @ sizes).min())
