r"""A slash head's expected score on independent tokens, as an enclosure, beside the measured one.

Some rows keep their query and their own key; the key at every other lag is one of the prompt's by chance,
independently. The expected weight at the head's lag then lies between two numbers that follow from the
distributions of the row's logits alone (`softmax.race`): nothing is sampled, and the error is in the bounds.
The mean over the rows lies between the means. The measured score is that of the same rows, so that the
difference is what the order of the tokens adds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.posgen.vectors import read_head
from ropeproof.numerics.bounds.race import race_bounds
from ropeproof.tools.measure.head.vectors import HeadVectors

__all__ = ["WIDTH", "RaceMeasure", "race_measure"]

Floats = NDArray[np.float64]

WIDTH = 2e-3
"""The widest enclosure of the mean over rows."""

_CELLS = (64, 128, 256, 512, 1024)


@dataclass(frozen=True, eq=False, kw_only=True)
class RaceMeasure:
    """The enclosed expected score and the measured score at one lag of a slash head on one prompt.

    - `lag`; `rows`: the rows over which means are taken; `cells`: how fine the grid was;
    - `lower`, `upper`: enclosure of the expected score of these rows on independent tokens;
    - `measured`: the score of the same rows on the prompt;
    - `each`: lower bound, upper bound and measured weight of every row, `(rows, 3)`.
    """

    lag: int
    rows: tuple[int, ...]
    cells: int
    lower: float
    upper: float
    measured: float
    each: Floats

    @property
    def error(self) -> float:
        """Standard error over rows of what the order of the tokens adds; 0 for one row."""
        adds = self.each[:, 2] - self.each[:, :2].mean(1)
        return float(adds.std(ddof=1) / np.sqrt(len(adds))) if len(adds) > 1 else 0.0

    @property
    def added(self) -> tuple[float, float]:
        """Lower and upper bound of what the order of the tokens adds to the score."""
        return self.measured - self.upper, self.measured - self.lower

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping, without `cells` and `each`; `lag` is called `offset`."""
        return {
            "offset": self.lag,
            "rows": list(self.rows),
            "lower": self.lower,
            "upper": self.upper,
            "measured": self.measured,
            "added": list(self.added),
            "error": self.error,
        }


def race_measure(
    vectors: HeadVectors, lag: int, *, rows: int = 8, width: float = WIDTH
) -> RaceMeasure:
    """Enclose the expected score at a lag, over `rows` evenly spread rows of the prompt.

    The grid is refined until the mean enclosure is at most `width` wide, or has 1024 cells.

    Logits in float64, whose rounding is not in the enclosure: it is below 1e-9 for logits below 1e5.
    Cost: for each row the logits of every key at every lag, `row length head_dim` multiplications, and
    twice as many multiplications as `row length` times the cells. Raises `InvalidArgument` as
    `race_bounds`.
    """
    length = vectors.length
    kept = min(rows, length - lag)
    at = lag + ((np.arange(kept) + 0.5) * (length - lag) / kept).astype(np.int64)
    head = read_head(vectors.queries, vectors.keys, vectors.spec, vectors.scale)
    turns = head.all_turns()
    keys, queries = head.keys, head.queries
    tables = []
    for row in at.tolist():
        seen = min(row + 1, vectors.reach)
        # The query turned back by each lag; entry (t, k) is the logit of key k at lag t.
        back = queries[row] * turns[:seen]
        logits = back.real @ keys.real.T + back.imag @ keys.imag.T
        if vectors.soft_cap is not None:
            logits = np.tanh(logits / vectors.soft_cap) * vectors.soft_cap
        logits[0] = logits[0, row]  # the row's own key stays
        tables.append(logits)
    each = np.zeros((kept, 3))
    cells = _CELLS[0]
    for cells in _CELLS:
        for place, logits in enumerate(tables):
            if each[place, 1] - each[place, 0] <= width and cells > _CELLS[0]:
                continue
            bounds = race_bounds(logits, cells=cells)
            each[place, :2] = bounds.lower[lag], bounds.upper[lag]
        if (each[:, 1] - each[:, 0]).mean() <= width:
            break
    for place, (row, logits) in enumerate(zip(at.tolist(), tables, strict=True)):
        own = logits[np.arange(len(logits)), row - np.arange(len(logits))]
        weights = np.exp(own - own.max())
        each[place, 2] = weights[lag] / weights.sum()
    lower, upper, measured = each.mean(0).tolist()
    return RaceMeasure(
        lag=lag,
        rows=tuple(at.tolist()),
        cells=cells,
        lower=lower,
        upper=upper,
        measured=measured,
        each=each,
    )
