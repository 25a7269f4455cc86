"""Verdicts of `head.*` on the last row: what its contents would score at other positions.

The table and its swaps are in `ropeproof.tools.measure.head.swaps`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.geometry import imbalance_bound
from ropeproof.tools.measure.head.swaps import SwapTable
from ropeproof.tools.measure.verdicts.record import (
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["head_verdicts"]

Floats = NDArray[np.float64]
_COSINE = 2.0**-46
"""Rounding of a cosine similarity in float64; `_ROOT` is that of the square root of 1 minus it."""
_ROOT = 2.0**-22


def _single(study: Study) -> float:
    """What float32 adds to the rounding of scores; 0 if swaps are computed in float64."""
    return 2.0**-18 if study.vectors.single else 0.0


def head_verdicts(study: Study) -> Iterator[Verdict]:
    """All verdicts of `head.*`; none of those on swaps for a prompt of fewer than three tokens."""
    yield from _scores(study)
    table = study.measure.swaps
    if table is None:
        return
    yield _exclusion(study, table)
    yield from _swap(study, table)
    yield from _one_sided(study, table)


def _scores(study: Study) -> Iterator[Verdict]:
    """Yield the verdict of `head.score-disc` on the measured scores, which are means over swaps."""
    measure = study.measure
    if measure.positional is None or measure.symbolic is None:
        return
    yield conclude(
        "head.score-disc",
        study.prompt,
        "positional plus symbolic score",
        [],
        at_least(1.0, "score", says=True),
        measure.positional + measure.symbolic,
        rounding=_COSINE * study.length + _single(study),
    )


def _exclusion(study: Study, table: SwapTable) -> Verdict:
    bound = table.positional + table.symbolic
    return conclude(
        "head.exclusion",
        study.prompt,
        "variance of the last row's logits before the query",
        [
            taken("mean square of positional deviations", table.positional),
            taken("mean square of symbolic deviations", table.symbolic),
        ],
        at_most(bound, "logits squared", says=bound < study.size**2),
        table.variance,
        rounding=8 * study.logit_rounding * (study.size + study.logit_rounding),
    )


def _swap(study: Study, table: SwapTable) -> Iterator[Verdict]:
    """Yield the verdicts of `head.score-geometry` and `head.score-disc` on single swaps."""
    level = table.level
    # Scores of 1/2 or less leave every imbalance.
    bound = imbalance_bound(1 - min(level, 1.0)).upper if level > 0.5 else 1.0
    yield conclude(
        "head.score-geometry",
        study.prompt,
        "imbalance of the swap of the largest difference of weights",
        [condition("smaller of its two scores", level, ">=", 0.0)],
        at_most(min(bound, 1.0), "share of the two weights", says=bound < 1),
        table.imbalance,
        rounding=_ROOT + _single(study),
        everywhere=table.excess <= _ROOT + _single(study),
    )
    yield conclude(
        "head.score-disc",
        study.prompt,
        "sum of the squares of a swap's scores, the smallest",
        [],
        at_least(1.0, "score squared", says=True),
        table.disc,
        rounding=_COSINE + _single(study),
    )


def _one_sided(study: Study, table: SwapTable) -> Iterator[Verdict]:
    """Yield the verdicts of `head.constant-key-positional` and `head.nope-symbolic`.

    A real head meets the claims' hypotheses only nearly; the bounds follow from how far it misses them.

    Two contents' logits at one position differ by at most `2 max_k sum |q_l||k_l - mean_l|`
    (`rope.bounded`); those of one content at two positions `t` apart by
    `sum |q_l||k_l| min{2, theta_l t}` (`posgen.plane`).
    """
    last, head = study.last, study.head
    query = np.abs(head.queries[-1])
    keys = head.keys[:last]
    most = 2 * float((np.abs(keys) @ query).max())
    apart = 2 * float((np.abs(keys - keys.mean(0)) @ query).max())
    reach = np.minimum(2.0, head.frequencies * (last - 1))
    turned = float((np.abs(keys) @ (query * reach)).max())
    for claim, what, name, bound, observed in (
        (
            "head.constant-key-positional",
            "two contents at one position",
            "twice the keys' distance to their mean, in logits, by rope.bounded",
            apart,
            table.by_content,
        ),
        (
            "head.nope-symbolic",
            "one content at two positions",
            "what positions turn, in logits, by posgen.plane",
            turned,
            table.by_position,
        ),
    ):
        yield conclude(
            claim,
            study.prompt,
            f"largest difference of logits of {what}",
            [taken(name, bound)],
            at_most(bound, "logits", says=bound < most or bound == 0),
            observed,
            rounding=4 * study.logit_rounding,
        )
