"""The scores of the heads of one layer on one prompt, from their attention rows.

The weights are formed for a block of rows at a time, of the keys that those rows can see, and dropped:
nothing of `length^2` numbers a head is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.models.visit import LayerHeads

if TYPE_CHECKING:
    import torch

__all__ = [
    "PromptHeads",
    "attention_of",
    "lag_scores",
    "lag_scores_of_weights",
    "scored_rows",
    "weights_at_lags",
]

Floats = NDArray[np.float64]

_BLOCK = 128
"""Rows whose weights are formed at once."""

_AT_ONCE = 1 << 22
"""Attention weights that are held at once."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PromptHeads:
    """Some heads of one layer on one prompt, grouped by the key head that they share.

    - `heads`: their numbers, `(key_heads, group)` flattened in that order;
    - `queries`: `(key_heads, group, length, head_dim)`; `keys`: `(key_heads, length, head_dim)`, unrotated;
    - `rotation`, `scale`, `soft_cap`, `window`: as in `ropeproof.numerics.models.visit.LayerHeads`.
    """

    heads: tuple[int, ...]
    queries: torch.Tensor
    keys: torch.Tensor
    rotation: Rotation
    scale: float
    soft_cap: float | None
    window: int | None

    @classmethod
    def of(
        cls, layer: LayerHeads, prompt: int = 0, only: Collection[int] | None = None
    ) -> PromptHeads:
        """The heads of a layer on the prompt with the given number in its batch.

        With `only`, the numbers of some heads, these alone and those that share a key head with one.
        """
        queries, keys = layer.queries[prompt], layer.keys[prompt]
        count, group = len(queries), len(queries) // len(keys)
        shared = range(len(keys)) if only is None else sorted({head // group for head in only})
        queries = queries.reshape(len(keys), group, *queries.shape[1:])
        if len(shared) < len(keys):
            queries, keys = queries[list(shared)], keys[list(shared)]
        return cls(
            heads=tuple(head for head in range(count) if head // group in shared),
            queries=queries,
            keys=keys,
            rotation=layer.rotation,
            scale=layer.scale,
            soft_cap=layer.soft_cap,
            window=layer.window,
        )

    @property
    def length(self) -> int:
        """The number of tokens of the prompt."""
        return int(self.keys.shape[1])


def attention_of(heads: PromptHeads, *, first: int = 0) -> Iterator[tuple[int, torch.Tensor]]:
    """Yield blocks of attention rows from row `first` on, as pairs of the first row and the weights.

    The weights are `(heads, rows, first row + rows)`, of the keys up to the last row of the block, in
    float32; of a float64 model in float64.
    """
    import torch

    kind = torch.promote_types(heads.queries.dtype, torch.float32)
    queries = _turned(heads.queries.to(kind) * heads.scale, heads.rotation)
    keys = _turned(heads.keys.to(kind), heads.rotation)
    shared, group, length, size = queries.shape
    rows = max(1, min(_BLOCK, _AT_ONCE // (shared * group * length)))
    for start in range(first, length, rows):
        end = min(length, start + rows)
        part = queries[:, :, start:end].reshape(shared, group * (end - start), size)
        logits = part @ keys[:, :end].transpose(-1, -2)
        logits = logits.view(shared * group, end - start, end)
        if heads.soft_cap is not None:
            logits = (logits / heads.soft_cap).tanh_().mul_(heads.soft_cap)
        if heads.window is None:
            later = torch.ones(end - start, end - start, dtype=torch.bool, device=logits.device)
            logits[..., start:].masked_fill_(later.triu_(1), -torch.inf)
        else:
            seen = torch.ones(end - start, end, dtype=torch.bool, device=logits.device)
            seen.tril_(start).triu_(start + 1 - heads.window)
            logits.masked_fill_(~seen, -torch.inf)
        yield start, logits.softmax(-1)


def _turned(x: torch.Tensor, rotation: Rotation) -> torch.Tensor:
    """Rotated vectors `(..., length, head_dim)`, real parts of all planes before imaginary ones."""
    import torch

    real, imaginary = parts_of(x, rotation)
    cosines, sines = rotation.cosines.to(x.dtype), rotation.sines.to(x.dtype)
    both = real * cosines - imaginary * sines, real * sines + imaginary * cosines
    return torch.cat(both, -1)


def parts_of(x: torch.Tensor, rotation: Rotation) -> tuple[torch.Tensor, torch.Tensor]:
    """The real and the imaginary parts of all planes of vectors, `(..., planes)` each."""
    found = []
    for places in (rotation.real, rotation.imaginary):
        step = places[1] - places[0] if len(places) > 1 else 1
        if step > 0 and places == tuple(range(places[0], places[-1] + 1, step)):
            found.append(x[..., places[0] : places[-1] + 1 : step])  # a view, not a copy
        else:
            found.append(x[..., list(places)])
    return found[0], found[1]


def lag_scores(heads: PromptHeads) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The slash score of every lag, the weight on the first token, and the share of keys attended to.

    The slash score of a lag, `(heads, length)`, is the mean weight over the rows that have it. The other two,
    `(heads,)`, are means over the second half of the rows that see the first token: its weight, and the
    perplexity `exp(-sum w ln w)` of the row's weights over its number of keys, 1 for equal weights, one
    over the number of keys for a row that looks at one of them. All in float64.
    """
    return lag_scores_of_weights(
        attention_of(heads), heads=len(heads.heads), length=heads.length, window=heads.window
    )


def lag_scores_of_weights(
    blocks: Iterable[tuple[int, torch.Tensor]], *, heads: int, length: int, window: int | None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What `lag_scores` gives, from blocks of attention rows as `attention_of` yields them."""
    import torch

    last = length if window is None else min(window, length)
    sums = on_first = share = torch.zeros(0)
    for start, weights in blocks:
        if not len(sums):
            sums = weights.new_zeros(heads, length, dtype=torch.float64)
            on_first, share = sums.new_zeros(heads), sums.new_zeros(heads)
        count, rows, end = weights.shape
        # Read with rows one number longer, a row with zeros in front has a lag in each column.
        buffer = weights.new_zeros(count, rows, rows - 1 + end)
        buffer[:, :, rows - 1 :] = weights
        steps = (rows * (rows - 1 + end), rows + end, 1)
        sums[:, :end] += buffer.as_strided((count, rows, end), steps).sum(1).flip(-1)
        part = weights[:, max(0, last // 2 - start) : max(0, last - start)]
        on_first += part[..., 0].sum(-1)
        entropies = torch.special.entr(part).sum(-1, dtype=torch.float64)
        keys = torch.arange(part.shape[1], device=part.device) + max(start, last // 2) + 1
        share += (entropies.exp() / keys).sum(-1)
    rows_of_lag = torch.arange(length, 0, -1, device=sums.device)
    return sums / rows_of_lag, on_first / (last - last // 2), share / (last - last // 2)


def weights_at_lags(heads: PromptHeads, period: int) -> torch.Tensor:
    """Mean weights at the lags `period - 1` and `period` in rows from `period` on, `(heads, 2)` float64."""
    import torch

    sums = heads.queries.new_zeros(len(heads.heads), 2, dtype=torch.float64)
    for start, weights in attention_of(heads, first=period):
        rows = torch.arange(weights.shape[1], device=weights.device)
        for place, lag in enumerate((period - 1, period)):
            sums[:, place] += weights[:, rows, rows + start - lag].sum(-1)
    return sums / (heads.length - period)


def scored_rows(length: int, window: int | None, count: int) -> list[int]:
    """Up to `count` rows, spread evenly over the second half of those that see all before them."""
    last = length if window is None else min(window, length)
    every = np.linspace(max(2, last // 2), last - 1, min(count, max(1, last // 2)))
    return sorted({int(row) for row in every.round() if 2 <= row < last})
