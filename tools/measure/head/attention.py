"""Slash scores, entropy and size of the logits of a head, from one pass over its attention rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.learned.draws import TurnedPlanes
from ropeproof.numerics.core.powers import powers_
from ropeproof.tools.measure.head.vectors import HeadVectors

if TYPE_CHECKING:
    import torch

__all__ = ["AttentionRows", "AttentionSums", "attention_sums", "logit_blocks"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class AttentionSums:
    """Slash scores, entropy and logit statistics of one head on one prompt.

    - `scores`: the slash score of every lag (`slash.score`), `(length,)`, 0 outside a window;
    - `entropy`: the mean, over rows with two keys or more, of the row's entropy divided by its
      maximum, the logarithm of the number of keys it sees; from 0 to 1, None for one token;
    - `mean`, `deviation`, `largest`: mean, standard deviation and largest absolute value of the
      logits of the keys that are seen.
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
    found = AttentionRows(vectors.length, vectors.reach, vectors.device)
    for start, logits in logit_blocks(vectors, block=block):
        rows, last = logits.shape
        hidden = _hidden(start, rows, last, vectors.reach, logits.device)
        inside = logits.masked_fill_(hidden, 0.0)
        powers = inside.masked_fill(hidden, -math.inf)
        tops = powers.amax(1)
        found.add(start, inside, powers_(powers.sub_(tops[:, None])), tops)
    return found.sums()


class AttentionRows:
    """Accumulates the sums behind `AttentionSums`, one block of rows at a time."""

    def __init__(self, length: int, reach: int, device: str) -> None:
        import torch

        self.length, self.reach = length, reach
        self._lags = torch.zeros(length, dtype=torch.float64, device=device)
        self._buffer: torch.Tensor | None = None
        self._entropies, self._first, self._second, self._largest = 0.0, 0.0, 0.0, 0.0

    def add(
        self,
        start: int,
        inside: torch.Tensor,
        powers: torch.Tensor,
        tops: torch.Tensor,
        totals: torch.Tensor | None = None,
    ) -> None:
        """Add the rows from `start` on to the sums. Changes `inside`.

        `inside`, `(rows, keys)`, has the logits and `powers` has `e^(logit - top)`, both with 0 at keys
        that are not seen. `tops`, `(rows,)`, are the largest logits, `totals` the sums of `powers` over
        each row if they are known.
        """
        import torch

        rows = len(inside)
        flat = inside.flatten()
        self._first += float(flat.sum())
        self._second += float(flat.dot(flat))
        least, largest = (float(end) for end in inside.aminmax())
        self._largest = max(self._largest, largest, -least)
        totals = powers.sum(1) if totals is None else totals
        # H = ln Z + top - sum of weight times logit; masked entries have weight 0.
        average = inside.mul_(powers).sum(1) / totals
        entropy = totals.log() + tops - average
        lengths = torch.arange(start + 1.0, start + rows + 1, dtype=torch.float64)
        lengths.clamp_(max=self.reach)
        skip = 1 if start == 0 else 0
        self._entropies += float((entropy.cpu()[skip:] / lengths[skip:].log()).sum())
        self._add_lags(powers, 1 / totals)

    def _add_lags(self, powers: torch.Tensor, inverses: torch.Tensor) -> None:
        """Add the weights, `powers` `(rows, keys)` times one factor per row, to the sums by lag."""
        rows, last = powers.shape
        # Read with rows one number longer, a buffer with rows - 1 zeros in front has a lag per column.
        if self._buffer is None or self._buffer.numel() < rows * (rows + last):
            self._buffer = powers.new_empty(rows * (rows + self.length))
        buffer = self._buffer[: rows * (rows - 1 + last)].view(rows, -1)
        buffer[:, : rows - 1] = 0.0
        buffer[:, rows - 1 :] = powers
        slanted = buffer.as_strided((rows, last), (last + rows, 1))
        self._lags[:last] += (inverses @ slanted).flip(0)

    def sums(self) -> AttentionSums:
        """The statistics of all rows that were added; call it after the last row."""
        import torch

        length, reach = self.length, self.reach
        counts = torch.arange(length, 0, -1, dtype=torch.float64, device=self._lags.device)
        pairs = reach * (reach + 1) / 2 + (length - reach) * reach
        mean = self._first / pairs
        entropy = min(1.0, max(0.0, self._entropies / (length - 1))) if length > 1 else None
        return AttentionSums(
            scores=(self._lags / counts).cpu().numpy(),
            entropy=entropy,
            mean=mean,
            deviation=math.sqrt(max(0.0, self._second / pairs - mean * mean)),
            largest=self._largest,
        )


def _hidden(start: int, rows: int, last: int, reach: int, device: torch.device) -> torch.Tensor:
    """Mask of the keys that rows do not see, later ones or before the window, `(rows, last)`."""
    import torch

    seen = torch.ones(rows, last, dtype=torch.bool, device=device)
    return seen.tril_(start).triu_(start - reach + 1).logical_not_()


def logit_blocks(vectors: HeadVectors, *, block: int = 128) -> Iterator[tuple[int, torch.Tensor]]:
    """Yield a head's logits after the soft cap, `block` rows at a time, as pairs `(start, logits)`.

    `logits` has shape `(rows, start + rows)`, in float32 if passes over all pairs are
    (`HeadVectors.single`). Row `r` holds the logits of query `start + r`; those of keys that it does
    not see mean nothing.
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
