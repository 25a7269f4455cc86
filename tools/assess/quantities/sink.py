"""How large a logit a query can guarantee to the first token at every position of a length."""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.numerics.bounds.head.sink import best_sink, sink_bounds, sink_horizon
from ropeproof.numerics.bounds.head.sink_reach import sink_reach
from ropeproof.theory.errors import InvalidArgument, Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import read_length

__all__ = ["SinkKept", "sink_kept"]

_TOLERANCE = 1e-3
_ROUNDS = 8
"""So many linear programmes at most: what they have found by then is certified all the same."""
_WIDTH = 1e-2
_MOST_LAGS = 2**21
"""The longest window whose lags are all looked at to say how far the guarantee goes: a second a scan."""


@dataclass(frozen=True)
class SinkKept:
    """The best guarantee per unit amplitude to the first token, at every other position of a length.

    - `share`: the part of the amplitude that is asked for;
    - `least` and `most` enclose the best guarantee, certified; `closed` says that they are the closed forms
      alone;
    - `kept`, `lost`: numbers of lags up to which some query guarantees the share, and from which none does
      (`sink_reach`); `lost` is None where a plane stands still, as then one guarantees it at every length.
    """

    length: int
    share: float
    least: float
    most: float
    kept: int
    lost: int | None
    closed: bool

    @property
    def verdict(self) -> bool | None:
        """Whether the share of the amplitude is guaranteed; None where the bounds leave it open."""
        if self.least >= self.share:
            return True
        return False if self.most < self.share else None


def sink_kept(spec: RopeSpec, *, length: int, share: float = 0.5) -> SinkKept:
    """What a query can guarantee to the first of `length` positions wherever it stands, certified.

    The query stands at the positions `1 .. length - 1`, those lags from the first. The closed forms come
    first; where they are further apart than a thousandth, a few linear programmes draw them together, and
    others the two lengths between which the guarantee falls below the share, if no lag beyond two million has
    to be looked at. Claims `head.sink-horizon`, `head.sink-uniform`. Raises `InvalidArgument` unless `length`
    is one that `read_length` takes and `0 < share < 1`.

    >>> found = sink_kept(RopeSpec(128, 10000), length=65537)
    >>> found.verdict, found.most < 0.05
    (False, True)
    >>> sink_kept(RopeSpec(128, 10000), length=4096, share=0.9).verdict
    True

    Cost: two balls a plane, and some tens of linear programmes and scans of the lags at most.
    """
    count = read_length(length) - 1
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise InvalidArgument("share", share, "a number > 0 and < 1")
    closed = sink_bounds(spec, count)
    least, most, alone = closed.lower, closed.upper, True
    try:
        reach = sink_reach(spec, share, width=_WIDTH, most_lags=_MOST_LAGS)
        kept, lost = reach.kept, reach.lost
        if most - least > _TOLERANCE:
            best = best_sink(spec, count, tolerance=_TOLERANCE, rounds=_ROUNDS)
            least, most = max(least, best.lower), min(most, best.upper)
            alone = False
    except Unsupported:  # without SciPy: the closed forms need none
        kept, lost = sink_horizon(spec, share)
    return SinkKept(count + 1, float(share), least, most, kept, lost, alone)
