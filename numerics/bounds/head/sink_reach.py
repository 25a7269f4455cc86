"""Up to how many lags a query can guarantee one token a share of its amplitude, certified.

The best guarantee of `head.sink-horizon` falls with the number of lags, as a head's guarantee on a window
holds on every shorter one. So a number of lags with a head that guarantees the share, and a larger one with
weights that leave no head the share, enclose the answer. The closed forms of `sink_horizon` enclose it within
a factor of about 1.8; bisection with the linear programme of `best_sink` draws the two numbers together.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

from ropeproof.numerics.bounds.head.sink import best_sink, sink_horizon
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["SinkReach", "sink_reach"]

_MOST_SCANNED = 2**24
"""The longest window whose lags are all looked at; each of some ten scans then takes seconds."""
_ROUNDS = 24


@dataclass(frozen=True)
class SinkReach:
    """Numbers of lags between which the best guarantee falls below a share of the amplitude.

    At every number of lags up to `kept` some head guarantees the share of its amplitude, and from `lost`
    on none does, both certified; `lost` is None where a plane stands still, as then one guarantees all of its
    amplitude at any number of lags, and `kept` the largest number that was looked at.
    """

    share: float
    kept: int
    lost: int | None


def sink_reach(
    spec: RopeSpec, share: float = 0.5, *, width: float = 1e-3, most_lags: int = _MOST_SCANNED
) -> SinkReach:
    """Up to how many lags a query can guarantee one token a share of its amplitude, certified.

    The two numbers are at most a factor of `1 + width` apart, unless float64 or the longest window that is
    looked at, `most_lags`, leaves them further apart; they are certified in any case.

    >>> found = sink_reach(RopeSpec(128, 10000), width=0.01)
    >>> found.lost <= 1.01 * found.kept, sink_horizon(RopeSpec(128, 10000))
    (True, (18137, 32829))

    Claims `head.sink-horizon`, `head.sink-even-bound`. Cost: some ten calls of `best_sink`, each below a
    second for 65,536 lags. Raises `InvalidArgument` unless `0 < share < 1`, `width > 0` and `most_lags >= 1`;
    `Unsupported` without SciPy.
    """
    if isinstance(width, bool) or not isinstance(width, int | float) or not width > 0:
        raise InvalidArgument("width", width, "a number > 0")
    limit = read_integer("most_lags", most_lags, least=1)
    kept, lost = sink_horizon(spec, share)
    if lost is None:
        return SinkReach(float(share), kept, None)
    while lost - kept > 1 and lost > (1 + width) * kept:
        middle = min(max(isqrt(kept * lost), kept + 1), lost - 1)
        if middle > limit:
            break
        guaranteed = _guaranteed(spec, middle, share, 0.25 * width * share)
        if guaranteed is None:
            break
        kept, lost = (middle, lost) if guaranteed else (kept, middle)
    return SinkReach(float(share), kept, lost)


def _guaranteed(spec: RopeSpec, lags: int, share: float, tolerance: float) -> bool | None:
    """Whether some head guarantees the share at the lags `1 .. lags`; None if that is not decided."""
    for finer in (1, 64):  # the second search is for a share between the bounds of the first
        found = best_sink(spec, lags, tolerance=min(tolerance, 1e-2) / finer, rounds=_ROUNDS)
        if found.lower >= share:
            return True
        if found.upper < share:
            return False
    return None
