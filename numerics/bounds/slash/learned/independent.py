r"""The slash score of a head on independently drawn positions, without the text's order.

Each position's token, with its query and its key before the rotation, is drawn independently from those
of the prompt, with replacement; so at lag 0 a query sees its own token's key. The slash that remains
comes from positions and the distribution of single tokens; the score on the prompt less this one is the
text's contribution (`slash.contextual`). For one query the target's logit `X` and `Z`, the sum over the
other lags of `e^logit`, are then independent (`slash.law`); both are kept for every drawn row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ropeproof.numerics.bounds.slash.learned.draws import TurnedPlanes, capped
from ropeproof.numerics.bounds.slash.learned.rank import read_matrix
from ropeproof.numerics.core.powers import log_sums_
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

if TYPE_CHECKING:
    import torch

__all__ = ["DRAWS", "ROWS", "IndependentScores", "LagSample", "independent_scores"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
DRAWS = 8
"""The default number of prompts that are drawn."""
ROWS = 128
"""The default number of rows of each drawn prompt that are scored."""
PART = 32
"""The number of rows of each prompt whose logits are computed together."""
MOST = 2**19
"""The number of logits in memory at once."""


@dataclass(frozen=True, eq=False, kw_only=True)
class LagSample:
    """The drawn rows at which one lag exists, `(samples,)` each.

    - `lag`: the lag; `draws`: the index of the prompt, from 0; `rows`: the query's position;
    - `queries`: the index of the query that was drawn for that position;
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
        """The attention weight at the lag in each row, `1/(1 + e^{ln Z - X})`, `(samples,)`."""
        result: Floats = expit(self.target - self.rest)
        return result

    @property
    def score(self) -> float | None:
        """The mean weight, None if no row has the lag."""
        return float(self.weights.mean()) if len(self.rows) else None

    @property
    def error(self) -> float | None:
        """The standard error of the score, with prompts as the sample; None for one prompt."""
        weights = self.weights
        each = [float(weights[self.draws == draw].mean()) for draw in np.unique(self.draws)]
        if len(each) < 2:
            return None
        return float(np.std(each, ddof=1)) / math.sqrt(len(each))


@dataclass(frozen=True, eq=False, kw_only=True)
class IndependentScores:
    """The samples of independently drawn positions, one `LagSample` for each requested lag."""

    draws: int
    lags: tuple[LagSample, ...]

    def at(self, lag: int) -> LagSample:
        """The sample at a lag. Raises `InvalidArgument` if that lag was not requested."""
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
    """Scores of a causal head on `draws` prompts of independent positions, at `rows` rows of each.

    `queries` and `keys` are unrotated, `(length, head_dim)` each; the rows are spread evenly from a
    random first one, so that every row has the same probability; with a `window` a row sees that many
    positions. Logits are float32, whose rounding is far below the sampling error, on `device`; `seed`
    seeds the draws.

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
    # A random first row and a content for every position, prompt by prompt.
    drawn = [(random.random(), random.integers(length, size=length)) for _ in range(count)]
    query, key = (torch.from_numpy(x.astype(np.float32)).to(device) for x in (q * factor, k))
    rows_of = _Rows(
        TurnedPlanes.of(query, key, spec, length),
        lags=wanted,
        kept=kept,
        soft_cap=soft_cap,
        window=window,
    )
    together = max(1, MOST // (PART * length))
    for first in range(0, count, together):
        rows_of.add(first, drawn[first : first + together])
    return IndependentScores(
        draws=count,
        lags=tuple(rows_of.sample(lag) for lag in wanted),
    )


class _Rows:
    """Collects the rows of drawn prompts, lag by lag."""

    def __init__(
        self,
        planes: TurnedPlanes,
        *,
        lags: Sequence[int],
        kept: int,
        soft_cap: float | None,
        window: int | None,
    ) -> None:
        self.planes, self.kept, self.soft_cap, self.window = planes, kept, soft_cap, window
        self.found: dict[int, list[tuple[Any, ...]]] = {lag: [] for lag in lags}

    def add(self, first: int, drawn: Sequence[tuple[float, Integers]]) -> None:
        """Add the prompts from index `first` on, each given by its first row and its contents."""
        planes, length = self.planes, len(self.planes.keys)
        which = np.stack([contents for _, contents in drawn])
        starts = np.array([[start] for start, _ in drawn])
        at = ((np.arange(self.kept) + starts) * (length / self.kept)).astype(np.int64)
        whose = np.take_along_axis(which, at, 1)  # a token's query and key stand at one place
        queries, keys = planes.queries_at(whose, at), planes.keys_at(which, np.arange(length))
        for begin in range(0, self.kept, PART):
            part = slice(begin, begin + PART)
            mine = at[:, part]
            last = int(mine.max()) + 1  # later keys are seen by none of them
            logits = capped(queries[:, part] @ keys[:, :last].transpose(1, 2), self.soft_cap)
            self._hide(logits, mine)
            self._lags(first, logits, mine, whose[:, part])

    def _hide(self, logits: torch.Tensor, mine: Integers) -> None:
        import torch

        # Every key up to the first row's position is seen by all, but for a window.
        some = slice(int(mine.min()) + 1 if self.window is None else 0, logits.shape[2])
        behind = mine[:, :, np.newaxis] - np.arange(some.start, some.stop)
        hidden = behind < 0
        if self.window is not None:
            hidden |= behind >= self.window
        where = torch.from_numpy(hidden).to(logits.device)
        logits[:, :, some].masked_fill_(where, -torch.inf)

    def _lags(self, first: int, logits: torch.Tensor, mine: Integers, whose: Integers) -> None:
        """Record target and competitors of the rows at each lag; the logits are overwritten."""
        import torch

        for number, lag in enumerate(self.found, 1):
            draws, rows = np.nonzero(mine >= lag)
            places = mine[draws, rows]
            target = tuple(torch.from_numpy(x) for x in (draws, rows, places - lag))
            own = logits[target].cpu().numpy()
            others = logits.clone() if number < len(self.found) else logits
            others[target] = -torch.inf
            rest = log_sums_(others.flatten(0, 1)).cpu().numpy().reshape(mine.shape)[draws, rows]
            self.found[lag].append((draws + first, places, whose[draws, rows], own, rest))

    def sample(self, lag: int) -> LagSample:
        """The collected sample of one lag, ordered by prompt."""
        draws, rows, queries, target, rest = map(np.concatenate, zip(*self.found[lag], strict=True))
        order = np.argsort(draws, kind="stable")
        return LagSample(
            lag=lag,
            draws=draws[order],
            rows=rows[order],
            queries=queries[order],
            target=target[order].astype(np.float64),
            rest=rest[order].astype(np.float64),
        )
