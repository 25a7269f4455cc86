"""How large a logit a query can guarantee to the first token at every position of a length."""

from __future__ import annotations

from dataclasses import dataclass

from ropeproof.numerics.bounds.head.sink import best_sink, sink_bounds, sink_horizon
from ropeproof.theory.errors import Unsupported
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.assess.quantities.types import read_length

__all__ = ["SinkKept", "sink_kept"]

_HALF = 0.5
_TOLERANCE = 1e-3
_ROUNDS = 8
"""So many linear programmes at most: what they have found by then is certified all the same."""


@dataclass(frozen=True)
class SinkKept:
    """The best guarantee per unit amplitude to the first token, at every other position of a length.

    - `least` and `most` enclose it, certified; `closed` says that they are the closed forms alone;
    - `kept`, `lost`: numbers of lags up to which half of the amplitude is guaranteed, and from which no
      query guarantees half (`sink_horizon`); `lost` is None where that is so at no length.
    """

    length: int
    least: float
    most: float
    kept: int
    lost: int | None
    closed: bool

    @property
    def verdict(self) -> bool | None:
        """Whether half of the amplitude is guaranteed; None where the bounds leave it open."""
        if self.least >= _HALF:
            return True
        return False if self.most < _HALF else None


def sink_kept(spec: RopeSpec, *, length: int) -> SinkKept:
    """What a query can guarantee to the first of `length` positions wherever it stands, certified.

    The query stands at the positions `1 .. length - 1`, those lags from the first. The closed forms come
    first; where they are further apart than a thousandth, a few linear programmes draw them together.
    Claims `head.sink-horizon`, `head.sink-uniform`. Raises `InvalidArgument`.

    >>> found = sink_kept(RopeSpec(128, 10000), length=65537)
    >>> found.verdict, found.most < 0.05
    (False, True)

    Cost: two balls a plane, and eight linear programmes and scans of the lags at most.
    """
    count = read_length(length) - 1
    closed = sink_bounds(spec, count)
    kept, lost = sink_horizon(spec, _HALF)
    least, most, alone = closed.lower, closed.upper, True
    if most - least > _TOLERANCE:
        try:
            best = best_sink(spec, count, tolerance=_TOLERANCE, rounds=_ROUNDS)
        except Unsupported:
            pass
        else:
            least, most = max(least, best.lower), min(most, best.upper)
            alone = False
    return SinkKept(count + 1, least, most, kept, lost, alone)
