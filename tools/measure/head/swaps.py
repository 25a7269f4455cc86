r"""Logits of the last row's contents at every position, and all swaps of two contents, in one pass.

`a[k, p]` is the logit of content `k` at position `p` (`ropeproof.numerics.bounds.head.table`), for
the positions before the query. For a swap of `i, j` let `tau = tanh((a_ii - a_jj)/2) = (D_i -
D_j)/(D_i + D_j)` and `sigma = tanh((a_ji - a_ij)/2)`, the tangents of the angles of the two pairs
of weights with the diagonal before and after; then

    s_pos, s_sym = (1 +- tau sigma) r,    r = 1/sqrt((1 + tau^2)(1 + sigma^2)).

A swap of `i, j` is that of `j, i`: half of the table holds all swaps, as the entries `(i, j)` and
`(j, i)` are formed together. Two tables of half the size, a block of rows at a time. Contents stand
in the order of their own logits, the largest first: so `tau >= 0`, and a swap's weight
`e^((D_i - D_j - largest)/tau)` is a product of a number of `i` and one of `j`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.table import check_logits
from ropeproof.numerics.bounds.posgen.vectors import ComplexHead
from ropeproof.numerics.core.spare import give_back, take

if TYPE_CHECKING:
    import torch

__all__ = ["BLOCK", "SwapTable", "swap_table"]

Floats = NDArray[np.float64]
BLOCK = 128
"""Contents whose swaps are computed at once."""


@dataclass(frozen=True, kw_only=True)
class SwapTable:
    """Sums and extremes of the last row's logits by content and position, and of its swaps.

    - `positions`: the number of positions before the query; `variance`: that of the contents' logits
      at their own positions;
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
    head: ComplexHead,
    *,
    tau: float,
    soft_cap: float | None = None,
    block: int | None = None,
    device: str = "cpu",
    single: bool = False,
) -> SwapTable:
    """Compute the `SwapTable` of a head's last row, with at least two positions before the query.

    Float64 on `device`; with `single` what needs all pairs is in float32, but for the swaps' weights.
    `tau` is the temperature of the swaps' weights. Cost: `length^2 head_dim` multiplications, and
    for half of `length^2` pairs an exponential and a hyperbolic tangent; no array of `length^2`.
    Raises `InvalidArgument` if logits overflow.
    """
    import torch

    last, rows = len(head.keys) - 1, BLOCK if block is None else block
    keys = _real(head.keys[:last])
    # The query turned back to each position; entry (k, p) is a plain scalar product.
    places = _real(head.queries[-1] * head.all_turns()[last:0:-1])
    cap = _Cap(soft_cap)
    own = cap((keys * places).sum(1))
    itself = cap((_real(head.queries[-1:]) * _real(head.keys[-1:])).sum(1))
    own, order = own.sort(descending=True, stable=True)
    keys, places = keys[order].to(device), places[order].to(device)
    own = own.to(device)
    weights = torch.cat((own, itself.to(device))).softmax(0)[:-1]
    sizes = (own - own[0]).exp()
    squares = _squares(keys, places, own) if soft_cap is None else None
    imbalance, level = _heaviest(keys, places, own, cap)
    variance = float(own.var(correction=0))
    if single:
        keys, places, own, sizes = (x.float() for x in (keys, places, own, sizes))
    rise = ((weights - weights[0]) / tau).exp_().to(keys)
    fall = ((weights[-1] - weights) / tau).exp_().to(keys)
    found, vanishing = _Swaps(last, rise, fall), not float(sizes[-1]) > 0
    room = take(4 * min(rows, last) * last, keys)
    memory = room.view(4, -1)
    for start in range(0, last, rows):
        stop = min(last, start + rows)
        part, shape = slice(start, stop), (stop - start, last - start)
        at, back, before, other = memory[:, : shape[0] * shape[1]].view(4, *shape)
        cap(torch.mm(keys[part], places[start:].T, out=at))  # content i at position j
        cap(torch.mm(places[part], keys[start:].T, out=back))  # content j at position i
        found.extremes(start, stop, at, back)
        if soft_cap is not None:
            found.squares(start, stop, at, back, own)
        change = _half_tanh(back.sub_(at))
        if vanishing:
            _half_tanh(torch.sub(own[part, None], own[start:], out=before))
        else:
            torch.sub(sizes[part, None], sizes[start:], out=before)
            before /= torch.add(sizes[part, None], sizes[start:], out=at)
        found.swaps(start, stop, before, change, (at, other))
    give_back(room)
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
    """A function that applies the soft cap to logits in place, and does nothing without one."""

    def __init__(self, soft_cap: float | None) -> None:
        self.soft_cap = soft_cap

    def __call__(self, logits: torch.Tensor) -> torch.Tensor:
        if self.soft_cap is None:
            return logits
        return logits.div_(self.soft_cap).tanh_().mul_(self.soft_cap)


class _Swaps:
    """Accumulates extremes, sums and scores of all swaps, one block of contents at a time.

    `by_content` and `by_place` hold the least and the largest logit of each content or place.
    """

    def __init__(self, count: int, rise: torch.Tensor, fall: torch.Tensor) -> None:
        import torch

        limits = torch.tensor([[math.inf], [-math.inf]]).to(rise)
        self.by_content, self.by_place = limits.repeat(1, count), limits.repeat(1, count)
        self.sums = torch.zeros(2, dtype=torch.float64)
        self.rise, self.fall = rise, fall
        # Each content meets those behind it.
        behind = fall.double().flip(0).cumsum(0).flip(0) - fall
        self.whole = float(rise.double() @ behind)
        self.plain = self.mixed = 0.0
        self.excess, self.disc = -math.inf, math.inf

    def extremes(self, start: int, stop: int, at: torch.Tensor, back: torch.Tensor) -> None:
        """Update the extremes by content and place from entries on both sides of the diagonal."""
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
        """Add the squared deviations of capped logits, by position and by content."""
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
        start: int,
        stop: int,
        tau: torch.Tensor,
        sigma: torch.Tensor,
        room: tuple[torch.Tensor, torch.Tensor],
    ) -> None:
        """Add the swaps of some contents with themselves and all later ones; overwrites tensors."""
        import torch

        sizes, other = room
        torch.mul(tau, tau, out=sizes).add_(1)
        roots = sizes.mul_(torch.mul(sigma, sigma, out=other).add_(1)).rsqrt_()
        product = torch.mul(tau, sigma, out=other).mul_(roots)  # tau sigma r
        # With kappa = (1 - |tau sigma|) r inside the root of 1 - kappa^2 is (|tau| + |sigma|) r
        # squared: what kappa |tau| exceeds it by is -(|tau sigma| |tau| + |sigma|) r.
        tau.abs_().mul_(product).abs_().addcmul_(sigma.abs_(), roots)
        self.excess = max(self.excess, -float(tau.min()))
        torch.mul(roots, roots, out=tau).addcmul_(product, product)
        self.disc = min(self.disc, 2 * float(tau.min()))
        rise, fall = self.rise[start:stop].double(), self.fall[start:]
        for values in (roots, product):
            values[:, : stop - start].triu_(1)
        self.plain += float(rise @ (roots @ fall).double())
        self.mixed += float(rise @ (product @ fall).double())

    def scores(self) -> tuple[float, float]:
        """The positional and the symbolic score of the row, each at most 1."""
        both = (self.plain + self.mixed) / self.whole, (self.plain - self.mixed) / self.whole
        return min(1.0, both[0]), min(1.0, both[1])


def _half_tanh(x: torch.Tensor) -> torch.Tensor:
    """Replace `x` by `tanh(x/2)`, off by a rounding of 1; several times faster than `tanh`."""
    return x.sigmoid_().mul_(2).sub_(1)


def _squares(keys: torch.Tensor, places: torch.Tensor, own: torch.Tensor) -> list[float]:
    """Sums of squared deviations over the table, by position and by content, from moments."""
    plain = float(((keys.T @ keys) * (places.T @ places)).sum())
    at_places, of_contents = places @ keys.sum(0), keys @ places.sum(0)
    alone = len(own) * float(own @ own)
    sides = (plain - 2 * float(own @ each) + alone for each in (at_places, of_contents))
    return [max(0.0, side) for side in sides]


def _heaviest(
    keys: torch.Tensor, places: torch.Tensor, own: torch.Tensor, cap: _Cap
) -> tuple[float, float]:
    """`|tau|` and the smaller score of the swap of the contents of largest and least own logit."""
    i, j = 0, len(own) - 1
    crossed = [float(cap((keys[k] * places[p]).sum()[None])) for k, p in ((j, i), (i, j))]
    tau = math.tanh(float(own[i] - own[j]) / 2)
    sigma = math.tanh((crossed[0] - crossed[1]) / 2)
    size = math.sqrt((1 + tau * tau) * (1 + sigma * sigma))
    return abs(tau), min(1.0, (1 - abs(tau * sigma)) / size)


def _real(x: NDArray[np.complex128]) -> torch.Tensor:
    import torch

    return torch.from_numpy(np.concatenate((x.real, x.imag), -1))
