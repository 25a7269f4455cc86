r"""Bounds of a slash head's expected score from the distributions of its logits, with a confidence.

Some rows of the prompt keep their query; every other position's key is drawn independently from the
prompt's keys. Of each row the whole distribution of the target's logit `X` is known, one value for
every key; of `ln Z` there is a sample. **Exact**, for these rows and whatever was drawn: `slash.law`,
`slash.quantiles`, `slash.moments` and `slash.emergence-typical` bound the mean of `sigma(X - ln Z)`
over all keys and draws. **Statistical**: that mean is within `radius` of the expected score, as it is
a mean over independent draws (`ropeproof.numerics.bounds.slash.learned.confidence`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.learned.confidence import sample_radius
from ropeproof.numerics.bounds.slash.learned.draws import Draws, independent_draws
from ropeproof.numerics.bounds.slash.learned.law import (
    law_bounds,
    moment_bounds,
    quantile_bounds,
    typical_bound,
)
from ropeproof.tools.measure.head.vectors import HeadVectors

__all__ = ["CONFIDENCE", "DRAWS", "ROWS", "LawMeasure", "law_measure"]

Floats = NDArray[np.float64]
CONFIDENCE = 0.99
DRAWS = 512
ROWS = 32


@dataclass(frozen=True, kw_only=True)
class LawMeasure:
    """Bounds of the expected score at one lag on independently drawn positions.

    - `lag`; `rows`: how many rows are averaged; `draws`: how often the other positions were drawn;
    - `score`: the mean over rows, keys and draws; `radius`: how far the expected score may be from
      it at `confidence`;
    - `law`: by `slash.law` at 64 quantiles of `X`; `quantiles`: by `slash.quantiles` from 15 numbers
      each; `moments`: by `slash.moments` from four; each a lower and an upper bound of `score`;
    - `typical`: the lower bound of `slash.emergence-typical`;
    - `noise`: the standard deviation of `X - ln Z` within a row, in logits, as a root mean square
      over rows.
    """

    lag: int
    rows: int
    draws: int
    confidence: float
    score: float
    radius: float
    law: tuple[float, float]
    quantiles: tuple[float, float]
    moments: tuple[float, float]
    typical: float
    noise: float

    def as_json(self) -> dict[str, Any]:
        """The fields as a mapping from name to value; `lag` is called `offset`."""
        return {
            "offset": self.lag,
            "rows": self.rows,
            "draws": self.draws,
            "confidence": self.confidence,
            "score": self.score,
            "radius": self.radius,
            "law": list(self.law),
            "quantiles": list(self.quantiles),
            "moments": list(self.moments),
            "typical": self.typical,
            "noise": self.noise,
        }


def law_measure(
    vectors: HeadVectors,
    lag: int,
    *,
    rows: int = ROWS,
    draws: int = DRAWS,
    confidence: float = CONFIDENCE,
    seed: int = 0,
) -> LawMeasure:
    """Bounds of the expected score at a lag from 1 on, over `rows` evenly spread rows that have it.

    Logits in float32, whose rounding is far below the radius. Cost: `draws` products of the rows with
    all keys, and `rows draws length` logistic functions. Raises `InvalidArgument` as
    `independent_draws`.
    """
    import torch

    length = vectors.length
    kept = min(rows, length - lag)
    at = lag + ((np.arange(kept) + 0.5) * (length - lag) / kept).astype(np.int64)
    pool = vectors.queries[at], vectors.keys, vectors.keys[at]
    query, key, own = (torch.from_numpy(x.astype(np.float32)).to(vectors.device) for x in pool)
    drawn = independent_draws(
        query,
        at,
        key,
        vectors.spec,
        lag,
        draws=draws,
        seed=seed,
        scale=vectors.scale,
        soft_cap=vectors.soft_cap,
        window=vectors.window,
        own=own,
    )
    target, rest = drawn.target, drawn.rest
    each = _weights_of_draws(drawn)
    spread = target.var(1), rest.var(1)
    whole = moment_bounds(target.mean(1), spread[0], rest.mean(1), spread[1])
    return LawMeasure(
        lag=lag,
        rows=kept,
        draws=draws,
        confidence=confidence,
        score=float(each.mean()),
        radius=sample_radius(each, confidence),
        law=_mean(law_bounds(target, rest)),
        quantiles=_mean(quantile_bounds(target, rest)),
        moments=_mean(whole),
        typical=float(typical_bound(target, rest).mean()),
        noise=float(np.sqrt((spread[0] + spread[1]).mean())),
    )


def _weights_of_draws(drawn: Draws) -> Floats:
    """The mean of `sigma(X - ln Z)` over rows and keys in each draw, `(draws,)`, from 0 to 1."""
    import torch

    target, rest = (torch.from_numpy(x.astype(np.float32)) for x in (drawn.target, drawn.rest))
    sums = torch.zeros(rest.shape[1], dtype=torch.float64)
    for row in range(len(target)):
        gaps = target[row, :, None] - rest[row]
        sums += gaps.sigmoid_().mean(0)
    result: Floats = (sums / len(target)).numpy().clip(0.0, 1.0)
    return result


def _mean(bounds: Any) -> tuple[float, float]:
    return float(bounds.lower.mean()), float(bounds.upper.mean())
