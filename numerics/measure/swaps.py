r"""The last row's contents at other positions, and all swaps of two of them, in one pass.

`a[k, p]` is the logit of content `k` at position `p` (`ropeproof.numerics.head.table`), for the positions
before the query. For a swap of `i, j` let `tau = tanh((a_ii - a_jj)/2) = (D_i - D_j)/(D_i + D_j)` and
`sigma = tanh((a_ji - a_ij)/2)`, the tangents of the angles of the two pairs of weights with the
diagonal before and after; then

    s_pos, s_sym = (1 +- tau sigma)/sqrt((1 + tau^2)(1 + sigma^2)),     |tau| = |D_i - D_j|/(D_i + D_j).

A swap of `i, j` is that of `j, i`: half of the table holds all swaps, as the entries `(i, j)` and
`(j, i)` are formed together. Two tables of half the size, a block of rows at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.head.table import check_logits
from ropeproof.numerics.posgen.vectors import Head

if TYPE_CHECKING:
    import torch

__all__ = ["BLOCK", "SwapTable", "swap_table"]

Floats = NDArray[np.float64]
BLOCK = 128
"""Contents looked at together."""


@dataclass(frozen=True, kw_only=True)
class SwapTable:
    """Sums and extremes over the table of the last row and over its swaps.

    - `positions`: how many there are before the query; `variance`: of their own logits;
    - `positional`, `symbolic`: mean squares of `a[k, p] - a[p, p]` and of `a[k, p] - a[k, k]`;
    - `by_content`, `by_position`: the largest difference of two contents' logits at one position,
      and of one content's at two positions;
    - `imbalance`, `level`: `|tau|` and the smaller score of the swap of largest `|D_i - D_j|`;
    - `excess`: the largest of `kappa |tau| - sqrt(1 - kappa^2)` over swaps, `kappa` the smaller score;
    - `disc`: the smallest `s_pos^2 + s_sym^2`;
    - `scores`: the positional and the symbolic score of the row (`head.score-table`).
    """

    positions: int
    variance: float
    positional: float
    symbolic: float
    by_content: float
    by_position: float
    imbalance: float
    level: float
    excess: float
    disc: float
    scores: tuple[float, float]


def swap_table(
    head: Head,
    *,
    tau: float,
    soft_cap: float | None = None,
    block: int | None = None,
    device: str = "cpu",
    single: bool = False,
) -> SwapTable:
    """The table of a head's last row, of at least two positions before the query.

    Float64 on `device`; with `single` what needs all pairs is in float32, but for the swaps' weights.
    `tau` is the temperature of the swaps' weights. Cost: `length^2 head_dim` multiplications, and
    for half of `length^2` pairs an exponential and a hyperbolic tangent; no array of `length^2`.
    Raises `InvalidArgument` if logits overflow.
    """
    import torch

    last, rows = len(head.keys) - 1, BLOCK if block is None else block
    keys = _real(head.keys[:last]).to(device)
    # The query turned back to each position; entry (k, p) is a plain scalar product.
    places = _real(head.queries[-1] * head.all_turns()[last:0:-1]).to(device)
    cap = _Cap(soft_cap)
    own = cap((keys * places).sum(1))
    itself = cap((_real(head.queries[-1:]) * _real(head.keys[-1:])).sum(1)).to(device)
    weights = torch.cat((own, itself)).softmax(0)[:-1]
    sizes = (own - own.max()).exp()
    squares = _squares(keys, places, own) if soft_cap is None else None
    pair = int(sizes.argmax()), int(sizes.argmin())
    imbalance, level = _heaviest(keys, places, own, pair, cap)
    variance = float(own.var(correction=0))
    if single:
        keys, places, own, sizes = (x.float() for x in (keys, places, own, sizes))
    found, vanishing = _Swaps(last, keys), not float(sizes.min()) > 0
    # The weight e^((|D_i - D_j| - largest)/tau) of a swap is the larger of two products.
    rise = ((weights - weights.max()) / tau).exp_().to(keys)
    fall = ((weights.min() - weights) / tau).exp_().to(keys)
    memory = torch.empty(5, min(rows, last) * last, dtype=keys.dtype, device=keys.device)
    for start in range(0, last, rows):
        stop = min(last, start + rows)
        part, shape = slice(start, stop), (stop - start, last - start)
        at, back, before, *rest = memory[:, : shape[0] * shape[1]].view(5, *shape)
        cap(torch.mm(keys[part], places[start:].T, out=at))  # content i at position j
        cap(torch.mm(places[part], keys[start:].T, out=back))  # content j at position i
        found.extremes(start, stop, at, back)
        if soft_cap is not None:
            found.squares(start, stop, at, back, own)
        change = back.sub_(at).div_(2).tanh_()
        if vanishing:
            torch.sub(own[part, None], own[start:], out=before).div_(2).tanh_()
        else:
            torch.sub(sizes[part, None], sizes[start:], out=before)
            before /= torch.add(sizes[part, None], sizes[start:], out=at)
        torch.mul(rise[part, None], fall[start:], out=rest[0])
        torch.mul(fall[part, None], rise[start:], out=rest[1])
        weight = torch.maximum(rest[0], rest[1], out=rest[0])
        found.swaps(before, change, weight, (at, rest[1]))
    check_logits(found.by_place)
    sums = found.sums.tolist() if squares is None else squares
    return SwapTable(
        positions=last,
        variance=variance,
        positional=sums[0] / last**2,
        symbolic=sums[1] / last**2,
        by_content=float((found.by_place[1] - found.by_place[0]).max()),
        by_position=float((found.by_content[1] - found.by_content[0]).max()),
        imbalance=imbalance,
        level=level,
        excess=found.excess,
        disc=found.disc,
        scores=found.scores(),
    )


class _Cap:
    """The soft cap, in place."""

    def __init__(self, soft_cap: float | None) -> None:
        self.soft_cap = soft_cap

    def __call__(self, logits: torch.Tensor) -> torch.Tensor:
        if self.soft_cap is None:
            return logits
        return logits.div_(self.soft_cap).tanh_().mul_(self.soft_cap)


class _Swaps:
    """What is gathered block by block; `by_content`, `by_place` are the least and the largest."""

    def __init__(self, count: int, like: torch.Tensor) -> None:
        import torch

        limits = torch.tensor([[math.inf], [-math.inf]]).to(like)
        self.by_content, self.by_place = limits.repeat(1, count), limits.repeat(1, count)
        self.sums = torch.zeros(2, dtype=torch.float64)
        self.totals = torch.zeros(3, dtype=torch.float64)
        self.excess, self.disc = -math.inf, math.inf

    def extremes(self, start: int, stop: int, at: torch.Tensor, back: torch.Tensor) -> None:
        """Of contents and of places, from the entries on both sides of the diagonal."""
        import torch

        rows, rest = slice(start, stop), slice(start, None)
        for sides, part, values, axis in (
            (self.by_content, rows, at, 1),
            (self.by_place, rest, at, 0),
            (self.by_place, rows, back, 1),
            (self.by_content, rest, back, 0),
        ):
            sides[0, part] = torch.minimum(sides[0, part], values.amin(axis))
            sides[1, part] = torch.maximum(sides[1, part], values.amax(axis))

    def squares(
        self, start: int, stop: int, at: torch.Tensor, back: torch.Tensor, own: torch.Tensor
    ) -> None:
        """The squares of deviations by position and by content, of capped logits."""
        mine, rows = own[start:stop, None], stop - start
        # The square on the diagonal is in both tables: it is taken from the first.
        for values, by_position, by_content in (
            (at, own[start:], mine),
            (back[:, rows:], mine, own[stop:]),
        ):
            self.sums[0] += float(((values - by_position) ** 2).sum())
            self.sums[1] += float(((values - by_content) ** 2).sum())

    def swaps(
        self,
        tau: torch.Tensor,
        sigma: torch.Tensor,
        weight: torch.Tensor,
        room: tuple[torch.Tensor, torch.Tensor],
    ) -> None:
        """Takes in the swaps of some contents with themselves and all later ones; changes all."""
        import torch

        inside, other = room
        product = torch.mul(tau, sigma, out=inside)
        weight[:, : len(tau)].triu_(1)
        whole = weight.sum()
        # (1 + tau^2)(1 + sigma^2) = (1 + tau^2 sigma^2) + (tau^2 + sigma^2)
        squares = torch.mul(product, product, out=other).add_(1)
        tau.abs_(), sigma.abs_()
        sizes = torch.addcmul(squares, tau, tau).addcmul_(sigma, sigma)
        self.disc = min(self.disc, float(squares.mul_(2).div_(sizes).min()))
        sizes.rsqrt_()
        weight *= sizes
        self.totals += torch.stack(
            (whole, weight.sum(), weight.flatten().dot(product.flatten()))
        ).cpu()
        # With kappa = (1 - |tau sigma|) inside the root of 1 - kappa^2 is (|tau| + |sigma|) inside.
        level = product.abs_().neg_().add_(1).mul_(tau)
        level.sub_(tau).sub_(sigma).mul_(sizes)
        self.excess = max(self.excess, float(level.max()))

    def scores(self) -> tuple[float, float]:
        """Positional and symbolic, at most 1."""
        whole, plain, mixed = self.totals.tolist()
        return min(1.0, (plain + mixed) / whole), min(1.0, (plain - mixed) / whole)


def _squares(keys: torch.Tensor, places: torch.Tensor, own: torch.Tensor) -> list[float]:
    """The sums of squares of deviations over the whole table, from second moments."""
    plain = float(((keys.T @ keys) * (places.T @ places)).sum())
    at_places, of_contents = places @ keys.sum(0), keys @ places.sum(0)
    alone = len(own) * float(own @ own)
    sides = (plain - 2 * float(own @ each) + alone for each in (at_places, of_contents))
    return [max(0.0, side) for side in sides]


def _heaviest(
    keys: torch.Tensor, places: torch.Tensor, own: torch.Tensor, pair: tuple[int, int], cap: _Cap
) -> tuple[float, float]:
    """`|tau|` and the smaller score of one swap."""
    i, j = pair
    crossed = [float(cap((keys[k] * places[p]).sum()[None])) for k, p in ((j, i), (i, j))]
    tau = math.tanh(float(own[i] - own[j]) / 2)
    sigma = math.tanh((crossed[0] - crossed[1]) / 2)
    size = math.sqrt((1 + tau * tau) * (1 + sigma * sigma))
    return abs(tau), min(1.0, (1 - abs(tau * sigma)) / size)


def _real(x: NDArray[np.complex128]) -> torch.Tensor:
    import torch

    return torch.from_numpy(np.concatenate((x.real, x.imag), -1))
