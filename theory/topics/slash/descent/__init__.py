"""Gradient descent makes a slash head (theory notes, section 3.4).

`slash.gd.NAME` is proved in NAME.py (`slash.gd.rate-sharp` in rate_sharp.py), a lemma beside the
claim that it serves. `notation` has what all share: the loss, its gradient, the training and the
hypotheses on it; `arguments` what several proofs say in the same words.
"""

from ropeproof.theory.library import order
from ropeproof.theory.topics.slash.descent import (
    features,
    flow,
    hoeffding,
    offset_signs,
    offset_step,
)
from ropeproof.theory.topics.slash.descent.heads import along, head, ood, rank_one
from ropeproof.theory.topics.slash.descent.loss import (
    convex,
    log_sum,
    missing_below,
    row_losses,
    row_slope,
    same_loss,
    score,
    slope_below,
    tail,
)
from ropeproof.theory.topics.slash.descent.rates import rate, rate_floor, rate_sharp
from ropeproof.theory.topics.slash.descent.slow_planes import (
    low_suppressed,
    plane_bound,
    wasted_distance,
    wasted_growth,
)
from ropeproof.theory.topics.slash.descent.steps import (
    comparator,
    gradient_ceiling,
    gradient_size,
    progress,
    recursion,
    slow_step,
    step,
    telescope,
)

CLAIMS = (
    *order.CLAIMS,
    *rank_one.CLAIMS,
    *ood.CLAIMS,
    *hoeffding.CLAIMS,
    *log_sum.CLAIMS,
    *features.CLAIMS,
    *convex.CLAIMS,
    *step.CLAIMS,
    *telescope.CLAIMS,
    *same_loss.CLAIMS,
    *comparator.CLAIMS,
    *score.CLAIMS,
    *rate.CLAIMS,
    *row_slope.CLAIMS,
    *slope_below.CLAIMS,
    *missing_below.CLAIMS,
    *gradient_size.CLAIMS,
    *recursion.CLAIMS,
    *row_losses.CLAIMS,
    *tail.CLAIMS,
    *progress.CLAIMS,
    *rate_sharp.CLAIMS,
    *head.CLAIMS,
    *gradient_ceiling.CLAIMS,
    *slow_step.CLAIMS,
    *rate_floor.CLAIMS,
    *along.CLAIMS,
    *plane_bound.CLAIMS,
    *low_suppressed.CLAIMS,
    *wasted_growth.CLAIMS,
    *wasted_distance.CLAIMS,
    *flow.CLAIMS,
    *offset_signs.CLAIMS,
    *offset_step.CLAIMS,
)
