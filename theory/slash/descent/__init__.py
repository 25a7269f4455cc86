"""Gradient descent makes a slash head (theory notes, section 3.4)."""

from __future__ import annotations

from ropeproof.theory import order
from ropeproof.theory.slash.descent import (
    comparator,
    convex,
    floor,
    flow,
    log_sum,
    low,
    rank,
    rate,
    same_loss,
    score,
    sharp,
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
    *sharp.CLAIMS,
    *tail.CLAIMS,
    *floor.CLAIMS,
    *low.CLAIMS,
    *flow.CLAIMS,
)
