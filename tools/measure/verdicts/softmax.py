"""`softmax.*` for the last row: its largest weight from the gaps, its entropy from the range."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.core import softmax
from ropeproof.tools.measure.verdicts.record import (
    NOTHING,
    Verdict,
    at_least,
    at_most,
    conclude,
    taken,
)
from ropeproof.tools.measure.verdicts.study import Study, half_range, real

__all__ = ["softmax_verdicts"]


def softmax_verdicts(study: Study) -> tuple[Verdict, ...]:
    """The verdicts of `softmax.margin`, `softmax.margin-upper` and `softmax.entropy`.

    The hypotheses are facts of any row: margin, largest gap and range are measured.
    """
    head = study.head
    query = real(head.queries[-1] * study.turns[-1])
    row = study.capped(real(head.keys * study.turns) @ query)
    target = int(row.argmax())
    gaps = row[target] - np.delete(row, target)
    weight = float(softmax.weights(row)[target])
    margin, widest, bound = float(gaps.min()), float(gaps.max()), half_range(row)
    lower = softmax.weight_bound(margin, len(row)).lower
    upper = softmax.weight_bound(widest, len(row)).upper
    entropy, least = float(softmax.entropy(row)), softmax.entropy_bound(bound, len(row)).lower
    where = f"at lag {study.last - target}"
    return (
        conclude(
            "softmax.margin",
            study.prompt,
            f"largest weight of the last row, {where}, from below",
            [taken("margin in logits", margin)],
            at_least(lower, "weight", says=lower > 1 / len(row) + NOTHING),
            weight,
            rounding=study.weight_rounding,
        ),
        conclude(
            "softmax.margin-upper",
            study.prompt,
            f"largest weight of the last row, {where}, from above",
            [taken("largest gap in logits", widest)],
            at_most(upper, "weight", says=upper < 1 - NOTHING),
            weight,
            rounding=study.weight_rounding,
        ),
        conclude(
            "softmax.entropy",
            study.prompt,
            "entropy of the last row",
            [taken("half the range of the logits", bound)],
            at_least(least, "nats", says=least > 0),
            entropy,
            rounding=2.0**-50 * (len(row) + 4) * (1 + 2 * bound) + 4 * study.logit_rounding,
        ),
    )
