"""`posgen.transposition` on the last row: attention before and after keys are displaced.

Three displacements: the nearest keys one position further away, neighbours swapped along the whole
row, and the heaviest key alone one position further away.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen import transposition_bound
from ropeproof.numerics.bounds.posgen.triangle_sums import inner
from ropeproof.numerics.core import softmax
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Verdict,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["displaced"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
_NEAREST = 8


def displaced(study: Study) -> Iterator[Verdict]:
    """Yield the verdicts of `posgen.transposition` on three displacements of the last row's keys.

    The query's own position never moves.
    """
    last = study.last
    places = np.arange(last + 1)
    before = _weights(study, places)
    further = places.copy()
    further[max(0, last - _NEAREST) : last] -= 1
    swapped = places.copy()
    pairs = np.arange(last % 2, last, 2)
    swapped[pairs], swapped[pairs + 1] = pairs + 1, pairs
    heaviest = places.copy()
    heaviest[int(before[:last].argmax())] -= 1
    for about, after in (
        (f"the nearest {min(last, _NEAREST)} keys one position further", further),
        ("neighbouring keys swapped along the row", swapped),
        ("the heaviest key one position further", heaviest),
    ):
        if (after != places).any():  # two tokens have no neighbours before the query
            yield _verdict(study, about, before, places, after)


def _weights(study: Study, places: Integers) -> Floats:
    """The last row's attention with the keys at these positions, `(length,)`."""
    head = study.head
    lags = study.last - places
    turns = study.turns[lags] if int(lags.max()) <= study.last else head.turns(lags)
    return softmax.weights(study.capped(inner(head.queries[-1] * turns, head.keys)))


def _verdict(
    study: Study, about: str, before: Floats, places: Integers, after: Integers
) -> Verdict:
    moved = places != after
    far = int(np.abs(after - places).max())
    # From above, weights that vanish in float64 included, as the tilt may bring them back.
    mass = min(1.0, float(before[moved].sum()) * (1 + 2.0**-40) + len(before) * 2.0**-1000)
    # As `displacement_tilt`, of planes that have been read.
    turned = study.sizes[0][-1] * np.minimum(2.0, study.head.frequencies * far)
    tilt = float((study.sizes[1][moved] @ turned).max() * (1 + 2.0**-44))
    bound = transposition_bound(mass, tilt).upper
    return conclude(
        "posgen.transposition",
        study.prompt,
        f"total variation, {about}",
        [
            condition("the scale is not negative", study.vectors.scale, ">=", 0.0),
            taken("displacement in positions", far),
            taken("tilt of a logit", tilt),
            taken("attention on the displaced keys", mass),
        ],
        at_most(min(bound, 1.0), "total variation", says=bound < 1 - NOTHING),
        float(softmax.total_variation(before, _weights(study, after))),
        rounding=study.weight_rounding,
    )
