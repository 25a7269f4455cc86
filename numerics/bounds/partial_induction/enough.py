r"""How cold a softmax head must be to answer every input up to a length with the right value.

Claims `task.info-retrieval-head` and `task.partial-induction-head`: the logarithm of the number of
positions over the margin. Often less is enough, which `info_retrieval_head` and
`partial_induction_head` of `ropeproof.constructions` find by bisection.
"""

from __future__ import annotations

from flint import arb

from ropeproof.numerics.bounds.partial_induction.margins import info_retrieval_margin, sharp_recency
from ropeproof.numerics.bounds.slash.balls import BITS, enclosed
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.precision import precision

__all__ = ["info_retrieval_temperature_enough", "partial_induction_temperature_enough"]


def info_retrieval_temperature_enough(*, keys: int, items: int, angle: object = 0) -> Enclosure:
    """`ln(n_0 + 1)/Gamma`: above it every input of at most `n_0 = items` items is answered right.

    `Gamma = cos k - cos(omega - k)`, `k = (n_0 + 1) angle/2`, `omega = 2 pi/keys`; per logit.

    >>> f"{info_retrieval_temperature_enough(keys=8, items=16).upper:.4f}"
    '9.6732'

    Claim `task.info-retrieval-head`. Raises `InvalidArgument` unless `keys >= 2`, `items >= 1` and
    `0 <= (items + 1) angle < 2 pi/keys`.
    """
    count = read_integer("items", items, least=1)
    margin = info_retrieval_margin(keys=keys, length=count + 2, angle=angle)
    return _over(count, margin)


def partial_induction_temperature_enough(items: int) -> Enclosure:
    """`ln(n_0 + 1)/(sqrt(2) sin(pi/(4 (n_0 + 1))))`: the same for partial induction, per logit.

    >>> f"{partial_induction_temperature_enough(16).upper:.4f}"
    '43.3788'

    Claim `task.partial-induction-head`. Raises `InvalidArgument` unless `items >= 1`.
    """
    count = read_integer("items", items, least=1)
    return _over(count, sharp_recency(count + 1))


def _over(items: int, margin: Enclosure) -> Enclosure:
    with precision(BITS):
        return enclosed(arb(items + 1).log() / arb(margin.lower).union(arb(margin.upper)))
