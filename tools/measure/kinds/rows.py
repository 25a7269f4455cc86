"""The scores of all heads of one layer on one prompt, from their attention rows.

The weights are formed for a few heads at a time and dropped: nothing of `length^2` numbers a head is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.bounds.head.scores import score_heads
from ropeproof.numerics.models.visit import LayerHeads

if TYPE_CHECKING:
    import torch

__all__ = ["first_token_weight", "lag_scores", "scored_rows", "swap_scores_of", "weights_at_lags"]

Floats = NDArray[np.float64]

_AT_ONCE = 1 << 23
"""Attention weights that are held at once."""


def attention_of(layer: LayerHeads) -> Iterator[tuple[slice, torch.Tensor]]:
    """Yield slices of a layer's heads and their weights, `(heads, length, length)`.

    In float32; of a float64 model in float64.
    """
    import torch

    queries, keys = layer.queries[0], layer.keys[0]
    heads, length, _ = queries.shape
    groups = heads // keys.shape[0]
    turned = (_turned(x.double(), layer.rotation) for x in (queries * layer.scale, keys))
    kind = torch.promote_types(queries.dtype, torch.float32)
    query, key = (x.to(kind) for x in turned)
    seen = torch.ones(length, length, dtype=torch.bool, device=query.device).tril_()
    if layer.window is not None:
        seen.triu_(1 - layer.window)
    hidden = ~seen
    step = max(1, _AT_ONCE // length**2)
    for start in range(0, heads, step):
        part = slice(start, min(heads, start + step))
        shared = [head // groups for head in range(part.start, part.stop)]
        logits = query[part] @ key[shared].transpose(-1, -2)
        if layer.soft_cap is not None:
            logits = (logits / layer.soft_cap).tanh_().mul_(layer.soft_cap)
        yield part, logits.masked_fill_(hidden, -torch.inf).softmax(-1)


def _turned(x: torch.Tensor, rotation: Rotation) -> torch.Tensor:
    """Rotated vectors `(heads, length, head_dim)`, real parts of all planes before imaginary ones."""
    import torch

    real, imaginary = x[..., list(rotation.real)], x[..., list(rotation.imaginary)]
    cosines, sines = rotation.cosines, rotation.sines
    both = real * cosines - imaginary * sines, real * sines + imaginary * cosines
    return torch.cat(both, -1)


def lag_scores(weights: torch.Tensor) -> torch.Tensor:
    """The slash score of every lag, `(heads, length)`: the mean weight over the rows that have it."""
    import torch

    heads, length, _ = weights.shape
    # Read with rows one number longer, a row with zeros in front has a lag in each column.
    buffer = weights.new_zeros(heads, length, 2 * length - 1)
    buffer[:, :, length - 1 :] = weights
    shape, steps = (heads, length, length), (length * (2 * length - 1), 2 * length, 1)
    sums = buffer.as_strided(shape, steps).sum(1).flip(-1)
    return sums / torch.arange(length, 0, -1, device=weights.device)


def scored_rows(length: int, window: int | None, count: int) -> list[int]:
    """Up to `count` rows, spread evenly over the second half of those that see all before them."""
    last = length if window is None else min(window, length)
    every = np.linspace(max(2, last // 2), last - 1, min(count, max(1, last // 2)))
    return sorted({int(row) for row in every.round() if 2 <= row < last})


def first_token_weight(weights: torch.Tensor, window: int | None) -> torch.Tensor:
    """The mean weight on the first token, in the second half of the rows that see it, `(heads,)`."""
    length = weights.shape[-1]
    last = length if window is None else min(window, length)
    return weights[:, last // 2 : last, 0].mean(-1)


def weights_at_lags(weights: torch.Tensor, period: int) -> torch.Tensor:
    """Mean weights at the lags `period - 1` and `period` in rows of the second half, `(heads, 2)`."""
    import torch

    rows = torch.arange(period, 2 * period, device=weights.device)
    return torch.stack([weights[:, rows, rows - lag].mean(-1) for lag in (period - 1, period)], -1)


def swap_scores_of(layer: LayerHeads, rows: list[int], tau: float) -> torch.Tensor:
    """Positional and symbolic scores of all heads of a layer in some rows, `(2, heads, rows)`.

    See `ropeproof.numerics.bounds.head.scores`. The rows see every earlier token, also of a layer
    with a window.
    """
    import torch

    queries, keys = layer.queries[0].double(), layer.keys[0].double()
    groups = len(queries) // len(keys)
    grouped = queries.reshape(len(keys), groups, *queries.shape[1:])
    found = [
        score_heads(
            grouped[..., [row], :],
            keys[:, None],
            layer.rotation,
            (len(keys), groups),
            rows=range(row, row + 1),
            block=1,
            tau=tau,
            scale=layer.scale,
            soft_cap=layer.soft_cap,
        )
        for row in rows
    ]
    return torch.cat(found, -1).flatten(1, 2)
