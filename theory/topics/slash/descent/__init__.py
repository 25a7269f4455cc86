"""Gradient descent makes a slash head (theory notes, section 3.4).

`slash.gd.NAME` is proved in NAME.py (`slash.gd.rate-sharp` in rate_sharp.py), a lemma beside the
claim that it serves; `offset` and `causal` have the claims about training on induction, with one
weight a lag for all rows and with causal softmax rows. `notation` has what all share: the loss, its
gradient, the training and the hypotheses on it; `arguments` what several proofs say in the same words.
"""

from ropeproof.theory.lazy_topics import joined

__getattr__ = joined(
    __name__,
    "heads.rank_one",
    "heads.ood",
    "loss.log_sum",
    "features",
    "loss.convex",
    "steps.step",
    "steps.telescope",
    "loss.same_loss",
    "steps.comparator",
    "loss.score",
    "rates.rate",
    "loss.row_slope",
    "loss.slope_below",
    "loss.missing_below",
    "steps.gradient_size",
    "steps.recursion",
    "loss.row_losses",
    "loss.tail",
    "steps.progress",
    "rates.rate_sharp",
    "heads.head",
    "heads.head_cone",
    "steps.gradient_ceiling",
    "steps.slow_step",
    "rates.rate_floor",
    "heads.along",
    "slow_planes.plane_bound",
    "slow_planes.low_suppressed",
    "slow_planes.wasted_growth",
    "slow_planes.wasted_distance",
    "flow",
    "flow_limit",
    "offset",
    "causal",
)
