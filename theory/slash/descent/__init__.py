"""Gradient descent makes a slash head (theory notes, section 3.4)."""

from __future__ import annotations

from ropeproof.theory import order
from ropeproof.theory.slash.descent import (
    along,
    comparator,
    convex,
    flow,
    gradient_ceiling,
    gradient_size,
    log_sum,
    low_suppressed,
    missing_below,
    plane_bound,
    progress,
    rank,
    rate,
    rate_floor,
    rate_sharp,
    recursion,
    row_losses,
    row_slope,
    same_loss,
    score,
    slope_below,
    slow_step,
    step,
    tail,
    telescope,
)

__all__ = ["CLAIMS"]

CLAIMS = (
    *order.CLAIMS,
    *rank.CLAIMS,
    *log_sum.CLAIMS,
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
    *gradient_ceiling.CLAIMS,
    *slow_step.CLAIMS,
    *rate_floor.CLAIMS,
    *along.CLAIMS,
    *plane_bound.CLAIMS,
    *low_suppressed.CLAIMS,
    *flow.CLAIMS,
)
