r"""The positional and symbolic score of a long row, from the few swaps that carry the weight.

The weight of swap `(i j)` is `e^{|D_i - D_j| / tau}` up to a factor, with the authors' `tau` of
`1e-4`: unless attention is nearly uniform, almost all of the weight is on swaps of a few large
entries with small ones. The largest gap is that of the largest and the smallest entry. Swaps whose
weight is below `e^-45 / length^2` of the largest one are left out: together they have less than
`e^-45 < 3e-20` of the weight, far less than the rounding of the sum. The remaining pairs join an
entry near the top to one near the bottom, so only that block of the table is needed.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.bounds.head.table import check_logits

if TYPE_CHECKING:
    import torch

__all__ = ["LONG", "long_row_scores"]

LONG = 256
"""The number of positions from which on `long_row_scores` replaces whole tables."""

_NEGLIGIBLE = 45.0
_ROWS = 1 << 18
"""The largest number of pairs that are computed at once."""


def long_row_scores(
    query: torch.Tensor,
    keys: torch.Tensor,
    rotation: Rotation,
    row: int,
    *,
    tau: float,
    scale: float,
    soft_cap: float | None,
) -> tuple[float, float]:
    """Positional and symbolic score of the query at `row` of one head, swapping single tokens.

    `query` is `(head_dim,)`, `keys` `(>= row + 1, head_dim)`, unrotated, float64. Equal to the
    scores of the whole table up to rounding. Cost: `a b head_dim` multiplications and some
    exponentials for each of `a b` pairs, `a` and `b` entries near the top and the bottom: from
    `length` pairs for one large entry to `length^2` for a row whose weights differ by less than
    some `tau`. No array of `length^2`. Claim `head.score-table`.
    """
    import torch

    contents = keys[: row + 1]
    turned = rotation.turned_back(query * scale, row)

    def capped(logits: torch.Tensor) -> torch.Tensor:
        check_logits(logits)
        if soft_cap is not None:
            logits = (logits / soft_cap).tanh() * soft_cap
        return logits

    diagonal = capped((contents * turned).sum(-1))
    weights = diagonal.softmax(-1)[:-1]
    diagonal = diagonal[:-1]
    low, high = float(weights.min()), float(weights.max())
    least = high - low - tau * (_NEGLIGIBLE + 2 * math.log(row))
    # Every pair that counts has its larger entry among the first, its smaller among the second.
    large = (weights >= low + least).nonzero()[:, 0]
    small = (weights <= high - least).nonzero()[:, 0]
    totals = torch.zeros(3, dtype=torch.float64)
    step = max(1, _ROWS // len(small))
    for start in range(0, len(large), step):
        part = large[start : start + step]
        one, other = weights[part][:, None], weights[small]
        gaps = one - other
        # Of two equal entries the first counts as the larger one; no swap of an entry with itself.
        counted = (gaps > 0) | ((gaps == 0) & (part[:, None] < small))
        weight = ((gaps - (high - low)) / tau).exp_().mul_(counted)
        before = 2 * (diagonal[part][:, None] - diagonal[small])
        # Contents of `part` at the places of `small`, and the other way round.
        away = capped(contents[part] @ turned[small].T)
        back = capped(contents[small] @ turned[part].T).T
        after = 2 * (back - away)
        x, mirrored_x = before.sigmoid().sqrt_(), (-before).sigmoid_().sqrt_()
        y, mirrored_y = after.sigmoid().sqrt_(), (-after).sigmoid_().sqrt_()
        totals[0] += weight.sum()
        totals[1] += (weight * (x * y + mirrored_x * mirrored_y)).sum()
        totals[2] += (weight * (x * mirrored_y + mirrored_x * y)).sum()
    positional, symbolic = (totals[1:] / totals[0]).clamp_(max=1).tolist()
    return positional, symbolic
