r"""The score that a head has on independently drawn positions: its slash without the text.

Each position's token, its query and its key before the rotation, is drawn independently from those of
the prompt, with replacement; so at lag 0 a query sees its own token's key. What is left of a slash is
what positions and the distribution of single tokens make, and the score less that is what the text
adds (`slash.contextual`). For one query the target's logit `X` and `Z`, the sum over the other lags of
`e^logit`, are then independent (`slash.law`); both are kept for every row that is drawn.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ropeproof.numerics.bounds.slash.learned.draws import TurnedPlanes, capped
from ropeproof.numerics.bounds.slash.learned.rank import read_matrix
from ropeproof.numerics.core.powers import log_sums_
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["DRAWS", "ROWS", "IndependentScores", "LagSample", "independent_scores"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
DRAWS = 8
"""Prompts that are drawn."""
ROWS = 128
"""Rows of each that are looked at."""
PART = 32
"""Rows whose logits are formed together."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LagSample:
    """The rows of the drawn prompts that have one lag, `(samples,)` each.

    - `lag`: the lag; `draws`: which prompt, from 0; `rows`: the query's position;
    - `queries`: which of the prompt's queries stands there;
    - `target`: the logit `X` at the lag; `rest`: `ln Z` of the others, `-inf` where there are none.
    """

    lag: int
    draws: Integers
    rows: Integers
    queries: Integers
    target: Floats
    rest: Floats

    @property
    def weights(self) -> Floats:
        """The attention at the lag, `1/(1 + e^{ln Z - X})`."""
        result: Floats = expit(self.target - self.rest)
        return result

    @property
    def score(self) -> float | None:
        """The mean weight, None if no row has the lag."""
        return float(self.weights.mean()) if len(self.rows) else None

    @property
    def error(self) -> float | None:
        """The standard error of the score, the drawn prompts as the sample; None for one prompt."""
        weights = self.weights
        each = [float(weights[self.draws == draw].mean()) for draw in np.unique(self.draws)]
        if len(each) < 2:
            return None
        return float(np.std(each, ddof=1)) / math.sqrt(len(each))


@dataclass(frozen=True, eq=False, kw_only=True)
class IndependentScores:
    """What independently drawn positions show, one `LagSample` for each lag that was asked for."""

    draws: int
    lags: tuple[LagSample, ...]

    def at(self, lag: int) -> LagSample:
        """What was drawn at a lag. Raises `InvalidArgument` if it was not asked for."""
        for found in self.lags:
            if found.lag == lag:
                return found
        raise InvalidArgument("lag", lag, f"one of {[found.lag for found in self.lags]}")


def independent_scores(
    queries: Any,
    keys: Any,
    spec: RopeSpec,
    lags: Sequence[int],
    *,
    scale: float | None = None,
    soft_cap: float | None = None,
    window: int | None = None,
    draws: int = DRAWS,
    rows: int = ROWS,
    seed: int = 0,
    device: str = "cpu",
) -> IndependentScores:
    """Scores of a causal head on `draws` prompts of independent positions, each at `rows` rows.

    `queries` and `keys` are unrotated, `(length, head_dim)` each; the rows are spread evenly from a
    random first one, so that every row has the same probability; with a `window` a row sees so many
    positions. Logits in float32, whose rounding is far below the sampling, on `device`; `seed`
    fixes what is drawn.

    >>> same = np.ones((32, 8))
    >>> found = independent_scores(same, same, RopeSpec(8, 10000), (1,), draws=2, rows=32)
    >>> round(found.at(1).score, 3)
    0.134

    Cost: `draws rows length head_dim` multiplications. Raises `InvalidArgument` unless the lags are
    below the length and the numbers positive.
    """
    import torch

    q, k = read_matrix("queries", queries, spec), read_matrix("keys", keys, spec)
    length = len(q)
    if len(k) != length:
        raise InvalidArgument("keys", f"shape {k.shape}", f"{length} rows, as queries")
    wanted = [read_integer("lags", lag, least=0, most=length - 1) for lag in lags]
    count = read_integer("draws", draws, least=1)
    kept = min(length, read_integer("rows", rows, least=1))
    factor = spec.head_dim**-0.5 if scale is None else scale
    random = np.random.default_rng(seed)
    places = np.arange(length)
    query, key = (torch.from_numpy(x.astype(np.float32)).to(device) for x in (q * factor, k))
    planes = TurnedPlanes.of(query, key, spec, length)
    found: dict[int, list[tuple[Any, ...]]] = {lag: [] for lag in wanted}
    parts = [slice(first, first + PART) for first in range(0, kept, PART)]
    for draw in range(count):
        at = ((places[:kept] + random.random()) * (length / kept)).astype(np.int64)
        which = random.integers(length, size=length)
        whose = which[at]  # a token's query and key stand at one place
        stood = planes.keys_at(which)
        for part in parts:
            mine, last = at[part], int(at[part][-1]) + 1  # later keys are seen by none of them
            logits = capped(planes.queries_at(whose[part], mine) @ stood[:last].T, soft_cap)
            # Every key up to the first row's position is seen by all, but for a window.
            some = slice(int(mine[0]) + 1 if window is None else 0, last)
            behind = mine[:, np.newaxis] - places[some]
            hidden = behind < 0
            if window is not None:
                hidden |= behind >= window
            logits[:, some].masked_fill_(torch.from_numpy(hidden).to(device), -torch.inf)
            room = torch.empty_like(logits)
            for lag in wanted:
                seen = np.flatnonzero(mine >= lag)
                target = (torch.from_numpy(seen), torch.from_numpy(mine[seen] - lag))
                own = logits[target]
                others = room.copy_(logits)
                others[target] = -torch.inf
                numbers = own.cpu().numpy(), log_sums_(others).cpu().numpy()[seen]
                found[lag].append(
                    (np.full(len(seen), draw), mine[seen], whose[part][seen], *numbers)
                )
    return IndependentScores(
        draws=count,
        lags=tuple(
            LagSample(
                lag=lag,
                draws=np.concatenate([each[0] for each in every]),
                rows=np.concatenate([each[1] for each in every]),
                queries=np.concatenate([each[2] for each in every]),
                target=np.concatenate([each[3] for each in every]).astype(np.float64),
                rest=np.concatenate([each[4] for each in every]).astype(np.float64),
            )
            for lag, every in found.items()
        ),
    )
