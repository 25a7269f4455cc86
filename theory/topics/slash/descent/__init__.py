"""Gradient descent makes a slash head (theory notes, section 3.4).

`slash.gd.NAME` is proved in NAME.py (`slash.gd.rate-sharp` in rate_sharp.py), a lemma beside the
claim that it serves. `notation` has what all share: the loss, its gradient, the training and the
hypotheses on it; `arguments` what several proofs say in the same words.
"""

from ropeproof.theory.joined import joined

__getattr__ = joined(
    __name__,
    "ropeproof.theory.library.order",
    "rank_one",
    "ood",
    "hoeffding",
    "log_sum",
    "features",
    "convex",
    "step",
    "telescope",
    "same_loss",
    "comparator",
    "score",
    "rate",
    "row_slope",
    "slope_below",
    "missing_below",
    "gradient_size",
    "recursion",
    "row_losses",
    "tail",
    "progress",
    "rate_sharp",
    "head",
    "gradient_ceiling",
    "slow_step",
    "rate_floor",
    "along",
    "plane_bound",
    "low_suppressed",
    "wasted_growth",
    "wasted_distance",
    "flow",
)
