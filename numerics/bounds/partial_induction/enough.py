r"""Inverse temperatures that suffice for a softmax head to answer every input up to a length.

They are the logarithm of the number of positions over the margin (claims `task.info-retrieval-head` and
`task.partial-induction-head`). Often less is enough, which `info_retrieval_head` and
`partial_induction_head` of `ropeproof.constructions` find by bisection.
"""

from __future__ import annotations

from ropeproof.numerics.bounds.partial_induction.margins import read_lookup
from ropeproof.numerics.core.compiled import Stated, sharp
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.theory.rotary.exact import read_integer

__all__ = ["info_retrieval_temperature_enough", "partial_induction_temperature_enough"]

_WEIGHT = Stated("task.info-retrieval-head", "2.body.if.1.below", {"items": "n_0"})
_MARGIN = Stated(
    "task.info-retrieval-head", "1.above", {"items": "n_0", "keys": "Q", "angle": "theta"}
)
_LAST_WEIGHT = Stated("task.partial-induction-head", "2.body.if.2.below", {"items": "n_0"})
_LAST_MARGIN = Stated("task.partial-induction-head", "1.above", {"items": "n_0"})


def info_retrieval_temperature_enough(*, keys: int, items: int, angle: object = 0) -> Enclosure:
    """`ln(n_0 + 1)/Gamma`, an inverse temperature that suffices for information retrieval.

    Above it a head answers every input of at most `n_0 = items` items correctly.
    `Gamma = cos k - cos(omega - k)`, `k = (n_0 + 1) angle/2`, `omega = 2 pi/keys`; per logit.

    >>> f"{info_retrieval_temperature_enough(keys=8, items=16).upper:.4f}"
    '9.6732'

    Claim `task.info-retrieval-head`. Raises `InvalidArgument` unless `keys >= 2`, `items >= 1` and
    `0 <= (items + 1) angle < 2 pi/keys`.
    """
    count = read_integer("items", items, least=1)
    of_keys, theta = read_lookup(keys, count + 2, angle)
    return sharp(
        lambda: _WEIGHT.ball(items=count) / _MARGIN.ball(items=count, keys=of_keys, angle=theta)
    )


def partial_induction_temperature_enough(items: int) -> Enclosure:
    """`ln(n_0 + 1)/(sqrt(2) sin(pi/(4 (n_0 + 1))))`, which suffices for partial induction.

    An inverse temperature, per logit: above it a head answers every input of at most `n_0 = items` items
    correctly.

    >>> f"{partial_induction_temperature_enough(16).upper:.4f}"
    '43.3788'

    Claim `task.partial-induction-head`. Raises `InvalidArgument` unless `items >= 1`.
    """
    count = read_integer("items", items, least=1)
    return sharp(lambda: _LAST_WEIGHT.ball(items=count) / _LAST_MARGIN.ball(items=count))
