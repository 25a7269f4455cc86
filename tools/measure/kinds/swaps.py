r"""Positional and symbolic scores of all heads of a layer in a few rows, all of them at once.

They are those of `ropeproof.numerics.bounds.head.scores` (`head.score-table`). As in
`ropeproof.numerics.bounds.head.long_rows`, swaps whose weight is below `e^-45 / length^2` of the largest
one are left out; what remains joins an entry near the top of a row to one near the bottom. For each
entry near the top, of every head and row, the swaps with all other entries are computed together: two
matrix products give the logits of the exchanged contents, since

    q . R_p k = sum_l cos(theta_l p) Re(conj(k_l) q_l) + sin(theta_l p) Im(conj(k_l) q_l)

with `q` the rotated query and planes as complex numbers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ropeproof.numerics.bounds.head.table import check_logits
from ropeproof.tools.measure.kinds.rows import PromptHeads, parts_of

if TYPE_CHECKING:
    import torch

__all__ = ["swap_scores_of"]

_NEGLIGIBLE = 45.0
_PAIRS = 1 << 19
"""Swaps that are computed at once."""


def swap_scores_of(heads: PromptHeads, rows: list[int], tau: float) -> torch.Tensor:
    """Positional and symbolic scores of some heads of a layer in some rows, `(2, heads, rows)` float64.

    The rows see every earlier token, also of a layer with a window. Cost: for each head and row a matrix
    product of `length` vectors for each entry within some 60 `tau` of the largest one; those are few unless
    attention is nearly uniform. Raises `InvalidArgument` if logits overflow.
    """
    table = _Table.of(heads, rows)
    last = table.last.double()
    # The query's own logit takes its share of the row and is in no swap.
    low = table.weights.masked_fill(~table.before, math.inf).amin(-1)
    high = table.weights.masked_fill(~table.before, -math.inf).amax(-1)
    bound = high - low - tau * (_NEGLIGIBLE + 2 * last.log())
    tops = (table.before & (table.weights >= (low + bound)[:, None])).nonzero()
    totals = table.weights.new_zeros(3, len(last))
    step = max(1, _PAIRS // table.weights.shape[1])
    for start in range(0, len(tops), step):
        of, place = tops[start : start + step].T
        row = table.weights[of]
        gaps = row.gather(1, place[:, None]) - row
        # Of two equal entries the first counts as the larger one; no swap of an entry with itself.
        counted = table.before[of] & (row <= (high - bound)[of, None])
        counted &= (gaps > 0) | ((gaps == 0) & (place[:, None] < table.places))
        item, other = counted.nonzero().T
        weight = ((gaps[item, other] - (high - low)[of[item]]) / tau).exp_()
        logits, exchanged = table.diagonal[of], table.exchanged(of, place)
        x = 2 * (logits[item, place[item]] - logits[item, other])
        y = 2 * exchanged[item, other]
        u, mirrored_u = x.sigmoid().sqrt_(), (-x).sigmoid_().sqrt_()
        v, mirrored_v = y.sigmoid().sqrt_(), (-y).sigmoid_().sqrt_()
        at = of[item]
        totals[0].index_add_(0, at, weight)
        totals[1].index_add_(0, at, weight * (u * v + mirrored_u * mirrored_v))
        totals[2].index_add_(0, at, weight * (u * mirrored_v + mirrored_u * v))
    found = (totals[1:] / totals[0]).clamp_(max=1)
    return found.reshape(2, len(heads.heads), len(rows))


@dataclass(frozen=True, eq=False, kw_only=True)
class _Table:
    """Some rows of some heads, `(heads rows, ...)`, and what their logits are once contents are exchanged.

    - `last`: the position of each row's query; `places`: all positions; `before`: those before the query;
    - `diagonal`, `weights`: logits and attention weights of the rows, `(heads rows, length)`;
    - `query`: real and imaginary parts of the rotated queries, `(heads rows, planes)` each;
    - `keys`: those of the unrotated keys, `(key_heads, length, planes)` each; `many`: rows of a key head.
    """

    last: torch.Tensor
    places: torch.Tensor
    before: torch.Tensor
    diagonal: torch.Tensor
    weights: torch.Tensor
    query: tuple[torch.Tensor, torch.Tensor]
    keys: tuple[torch.Tensor, torch.Tensor]
    many: int
    cosines: torch.Tensor
    sines: torch.Tensor
    soft_cap: float | None

    @classmethod
    def of(cls, heads: PromptHeads, rows: list[int]) -> _Table:
        """The given rows of the heads, in float64."""
        import torch

        shared, group, _, _ = heads.queries.shape
        end, count = rows[-1] + 1, shared * group * len(rows)
        cosines, sines = heads.rotation.cosines[:end], heads.rotation.sines[:end]
        x, y = parts_of(heads.queries[:, :, rows].double() * heads.scale, heads.rotation)
        real, imaginary = x * cosines[rows] - y * sines[rows], x * sines[rows] + y * cosines[rows]
        keys = parts_of(heads.keys[:, :end].double(), heads.rotation)
        turned = (
            keys[0] * cosines - keys[1] * sines,
            keys[0] * sines + keys[1] * cosines,
        )
        both = torch.cat((real, imaginary), -1).flatten(1, 2)
        diagonal = both @ torch.cat(turned, -1).transpose(-1, -2)
        diagonal = _capped(diagonal.reshape(count, end), heads.soft_cap)
        last = torch.tensor(rows, device=diagonal.device).repeat(shared * group)
        places = torch.arange(end, device=diagonal.device)
        return cls(
            last=last,
            places=places,
            before=places < last[:, None],
            diagonal=diagonal,
            weights=diagonal.masked_fill(places > last[:, None], -math.inf).softmax(-1),
            query=(real.reshape(count, -1), imaginary.reshape(count, -1)),
            keys=keys,
            many=group * len(rows),
            cosines=cosines,
            sines=sines,
            soft_cap=heads.soft_cap,
        )

    def exchanged(self, of: torch.Tensor, place: torch.Tensor) -> torch.Tensor:
        """Logits of other contents at a place less those of its content elsewhere, `(items, length)`.

        An item is a row, by its number in `of`, and a position in `place`. Entry `p` is the logit of the
        content of position `p` put at the item's place, less that of the item's content put at `p`.
        """
        import torch

        owner = of // self.many
        real, imaginary = self.query[0][of], self.query[1][of]
        x, y = self.keys[0][owner, place], self.keys[1][owner, place]
        mixed = torch.cat((x * real + y * imaginary, x * imaginary - y * real), -1)
        away = _capped(mixed @ torch.cat((self.cosines, self.sines), -1).T, self.soft_cap)
        c, s = self.cosines[place], self.sines[place]
        turned_back = torch.cat((real * c + imaginary * s, imaginary * c - real * s), -1)
        straight, back = torch.cat(self.keys, -1), torch.empty_like(away)
        for number in torch.unique(owner).tolist():
            mine = owner == number
            back[mine] = turned_back[mine] @ straight[number].T
        return _capped(back, self.soft_cap) - away


def _capped(logits: torch.Tensor, soft_cap: float | None) -> torch.Tensor:
    check_logits(logits)
    return logits if soft_cap is None else soft_cap * (logits / soft_cap).tanh()
