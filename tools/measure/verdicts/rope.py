"""Verdicts of `rope.*`: how large a logit can be and how fast the mean head's logit can change."""

from __future__ import annotations

import numpy as np

from ropeproof.numerics.bounds.rope.rope import step_bound
from ropeproof.tools.measure.verdicts.record import Verdict, at_most, conclude, condition, taken
from ropeproof.tools.measure.verdicts.study import Study

__all__ = ["rope_verdicts"]


def rope_verdicts(study: Study) -> tuple[Verdict, ...]:
    """The verdicts of `rope.bounded` and `rope.lipschitz`."""
    return _bounded(study), _lipschitz(study)


def _bounded(study: Study) -> Verdict:
    """No causal logit, before the soft cap, is larger than `max |q| max |k|`.

    The observation, `measure.attention.largest`, is after the cap, which makes it no larger.
    """
    return conclude(
        "rope.bounded",
        study.prompt,
        "largest logit",
        [condition("the scale is not negative", study.vectors.scale, ">=", 0.0)],
        at_most(study.size, "logits", says=True),
        study.measure.attention.largest,
        rounding=study.logit_rounding,
    )


def _lipschitz(study: Study) -> Verdict:
    amplitudes = study.amplitudes
    bound = float(step_bound(amplitudes, study.head.frequencies))
    steps = np.abs(np.diff(study.mean_logits))
    return conclude(
        "rope.lipschitz",
        study.prompt,
        "largest step of the mean logit per position",
        [taken("amplitude of the means in logits", float(amplitudes.sum()))],
        at_most(bound, "logits", says=bound < 2 * float(amplitudes.sum()) or bound == 0),
        float(steps.max()),
        rounding=2 * study.logit_rounding,
    )
