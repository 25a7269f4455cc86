"""What one pass over the attention rows of a head shows, without keeping them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.measure.vectors import HeadVectors
from ropeproof.numerics.slash.draws import TurnedPlanes

if TYPE_CHECKING:
    import torch

__all__ = ["AttentionSums", "attention_sums", "logit_blocks"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class AttentionSums:
    """One head's attention in numbers.

    - `scores`: the slash score of every lag (`slash.score`), `(length,)`, 0 outside a window;
    - `entropy`: the mean over rows of two positions or more of entropy over its maximum, the
      logarithm of how many keys the row sees, from 0 to 1; None for one token;
    - `mean`, `deviation`, `largest`: of the logits that are seen, the last by absolute value.
    """

    scores: Floats
    entropy: float | None
    mean: float
    deviation: float
    largest: float


def attention_sums(vectors: HeadVectors, *, block: int = 128) -> AttentionSums:
    """Slash scores, entropy and the size of logits, from one pass over blocks of rows.

    Soft cap and window included, sums over blocks in float64. Cost: `length^2 head_dim`
    multiplications and `length^2/2` exponentials, memory for some arrays of `block` rows of
    `length` numbers.
    """
    import torch

    length, reach = vectors.length, vectors.reach
    sums = torch.zeros(length, dtype=torch.float64, device=vectors.device)
    entropies, first, second, largest = 0.0, 0.0, 0.0, 0.0
    for start, logits in logit_blocks(vectors, block=block):
        rows, last = logits.shape
        hidden = _hidden(start, rows, last, reach, logits.device)
        inside = logits.masked_fill_(hidden, 0.0)
        flat = inside.flatten()
        first += float(flat.sum())
        second += float(flat.dot(flat))
        largest = max(largest, float(inside.max()), -float(inside.min()))
        weights = inside.masked_fill(hidden, -math.inf)
        tops = weights.amax(1, keepdim=True)
        weights.sub_(tops).exp_()
        totals = weights.sum(1)
        # H = ln Z + top - sum of weight times logit; masked entries have weight 0.
        average = inside.mul_(weights).sum(1) / totals
        entropy = totals.log() + tops[:, 0] - average
        lengths = torch.arange(start + 1.0, start + rows + 1, dtype=torch.float64).clamp_(max=reach)
        skip = 1 if start == 0 else 0
        entropies += float((entropy.cpu()[skip:] / lengths[skip:].log()).sum())
        weights /= totals[:, None]
        _add_lags(sums, weights)
    counts = torch.arange(length, 0, -1, dtype=torch.float64, device=sums.device)
    pairs = reach * (reach + 1) / 2 + (length - reach) * reach
    mean = first / pairs
    return AttentionSums(
        scores=(sums / counts).cpu().numpy(),
        entropy=min(1.0, max(0.0, entropies / (length - 1))) if length > 1 else None,
        mean=mean,
        deviation=math.sqrt(max(0.0, second / pairs - mean * mean)),
        largest=largest,
    )


def _hidden(start: int, rows: int, last: int, reach: int, device: torch.device) -> torch.Tensor:
    """Which keys the rows do not see, later ones and those before their window, `(rows, last)`."""
    import torch

    seen = torch.ones(rows, last, dtype=torch.bool, device=device)
    return seen.tril_(start).triu_(start - reach + 1).logical_not_()


def logit_blocks(vectors: HeadVectors, *, block: int = 128) -> Iterator[tuple[int, torch.Tensor]]:
    """The logits of `block` rows at a time: `start` and `(rows, start + rows)`, in float32 if
    passes over all pairs are (`HeadVectors.single`).

    Row `r` holds the logits of query `start + r`; those of keys that it does not see mean nothing.
    """
    import torch

    query, key = (torch.from_numpy(x).to(vectors.device) for x in (vectors.queries, vectors.keys))
    planes = TurnedPlanes.of(query * vectors.scale, key, vectors.spec, vectors.length)
    every = slice(None)
    queries, keys = planes.queries_at(every, every), planes.keys_at(every, every)
    if vectors.single:
        queries, keys = queries.float(), keys.float()
    for start in range(0, vectors.length, block):
        last = min(vectors.length, start + block)
        logits = queries[start:last] @ keys[:last].T
        if vectors.soft_cap is not None:
            logits = (logits / vectors.soft_cap).tanh_() * vectors.soft_cap
        yield start, logits


def _add_lags(sums: torch.Tensor, weights: torch.Tensor) -> None:
    """Adds a block of weights, `(rows, keys)`, to the sums of its lags."""
    rows, last = weights.shape
    # Read with rows one number longer, a buffer with rows - 1 zeros in front has a lag per column.
    buffer = weights.new_zeros(rows, rows - 1 + last)
    buffer[:, rows - 1 :] = weights
    slanted = buffer.as_strided((rows, last), (last + rows, 1))
    sums[:last] += slanted.sum(0).flip(0)
