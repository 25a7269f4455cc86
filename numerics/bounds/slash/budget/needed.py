r"""A certified lower bound of the amplitude that any head needs for a score, by convex duality.

Let `w` be any head of amplitude `A` whose mean score over the `n` rows of a window is at least
`kappa`; `L_j = ln Z_j`, `S_j = 1/(1 + e^{L_j})` (`ropeproof.numerics.bounds.slash.budget.rows`).

1. *Rows.* `Z_j` grows with `j`, so `S_j` falls. Hence the mean over the first `r` rows is at least
   `kappa`, and from `n kappa <= (j - 1) + (n - j + 1) S_j` follows
   `S_j >= m_j = (n kappa - j + 1)/(n - j + 1)`, that is `L_j <= M_j = ln((1 - m_j)/m_j)` if `m_j > 0`.
2. *Lines.* `h(L) = 1/(1 + e^L)` is concave for `L <= 0`, convex for `L >= 0`. So a line
   `c - s L` that is above `h` at all `L <= 0` and at `M_j` is above `h` at all `L <= M_j`. With lines
   for the first `r` rows: `kappa r <= sum_j S_j <= sum_j c_j - sum_j s_j L_j`.
3. *Gibbs* (claim `softmax.gibbs`). For every probability vector `y^j` on the competitors of row `j`,
   `L_j >= H(y^j) + sum_e y^j_e d_e`, and `d_e = -Re sum_l w_l (1 - e^{i theta_l e})`.
4. So with `V_l = sum_j s_j sum_e y^j_e (1 - e^{i theta_l e})`:

       A max_l |V_l| >= sum_j s_j H(y^j) + kappa r - sum_j c_j .

With `s` concentrated on the one row `r`, steps 1 and 3 alone give
`A max_l |V_l| >= H(y^r) - M_r`. Both are evaluated, for several `r`, with `y^j` the weights of a given
head and tangents to `h` at its `L_j` (further left where step 2 wants that). For an optimal head and
rows all used the bound is its amplitude: this is the dual of the problem.

Steps 1 to 4 are the claim `slash.amplitude-needed-mean`, which is proved. Step 2 is there the hypothesis that
the lines lie above the weights that the mean leaves a row; `_above` decides it. The claim's bound is computed
here in float64 with proved rounding, and a test compares it with the claim's own term: compiled, that term
costs an operation for each lag of each row, and its `y^j` a table of lags times rows. The claim
`slash.amplitude-needed-window` is the case of one row with `M` lags on each side of its target and the same
weights `y` on both: then `H(y^r) = ln 2 + H(y)`, the two sides make `V_l` real, `max_l |V_l| = U`, and
`needed_by_row`, steps 1 and 3 for that row alone, is `[ln(2 kappa/(1 - kappa)) + H(y)]/U`.

**Rounding.** `y^j_e = e^{b_e}/Z_j` exactly, `b_e` the doubles computed for the given head; then
`sum_j s_j H(y^j) = sum_j s_j ln Z_j - sum_e b_e Y_e`, `Y_e = e^{b_e} sum_{j sees e} s_j/Z_j`. A computed
`Z_j` or `Y_e` has a relative error of at most `epsilon = (lags + 2 rows + 16) u + 2^-48`
(`exponential`, then sums of positive terms). `ln Z_j` is bounded below by
`B + 1 - e^B/Z_j` for any double `B`. All further sums are charged `epsilon` times the sum of the
absolute values of their terms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.budget.rows import UNIT, RelativeLogits, exponential
from ropeproof.numerics.bounds.slash.budget.tables import PlanePoints
from ropeproof.numerics.core.lag_scan.head import Floats

__all__ = ["amplitude_needed", "needed_by_lines", "needed_by_row", "rows_used"]

_SHARES = (0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 1.0)
_TRIED = (0.8, 0.998)
_LEAST = 1e-4
"""Rows are used while a head of the wanted score must have at least this score there."""
_FURTHEST = 600.0
_SLACK = 2.0**-44
"""A bound of the relative rounding of a line's height and slope, a dozen operations each."""


@dataclass(frozen=True, eq=False)
class _Weights:
    """A given head's weights: `e^{b_e}` on both sides, the odds `Z_j`, and their relative error."""

    before: Floats
    after: Floats
    odds: Floats
    error: float


def amplitude_needed(rows: RelativeLogits, tables: PlanePoints, score: float) -> float:
    """A certified lower bound of the amplitude of every head whose mean score is at least `score`.

    `rows` are the relative logits, in logits, of a nearly optimal head: the better that head, the
    sharper the bound. At least 0. Cost: for each number of rows tried, some passes over the lags.
    """
    if max(part.max(initial=0.0) for part in (rows.before, rows.after)) > _FURTHEST:
        return 0.0
    weights = _weights(rows)
    odds = weights.odds
    least = _least_scores(rows.count, score)
    usable = int(np.count_nonzero(least > _LEAST))
    if not usable:
        return 0.0
    most = _largest_logits(least[:usable])
    heights, slopes = _lines(odds[:usable], most)
    best = 0.0
    for count in sorted({max(1, round(share * usable)) for share in _SHARES}):
        best = max(best, _by_lines(rows, tables, weights, heights[:count], slopes[:count], score))
        best = max(best, _by_row(rows, tables, weights, most[:count]))
    return best


def needed_by_lines(
    rows: RelativeLogits, tables: PlanePoints, heights: Floats, slopes: Floats, score: float
) -> float:
    """A certified lower bound of the amplitude of every head whose mean score is at least `score`.

    `heights` and `slopes`, `(r,)`, `slopes >= 0`, are those of lines that the caller knows to lie above the
    weights that the mean leaves each of the first `r` rows: claim `slash.amplitude-needed-mean`, with the
    weights of a given head, whose relative logits in logits are `rows`. At least 0, and 0 where a
    relative logit exceeds 600. Cost: a pass over the lags.
    """
    if rows.largest > _FURTHEST:
        return 0.0
    return _by_lines(rows, tables, _weights(rows), heights, slopes, score)


def needed_by_row(rows: RelativeLogits, tables: PlanePoints, row: int, score: float) -> float:
    """A certified lower bound of the amplitude of every head whose weight in one row is at least `score`.

    The row, from 1, has the lags `-before .. row - 1` beside its target; its weights are those of the given
    head, whose relative logits in logits are `rows`. This is step 3 of the module with
    `L_row <= ln((1 - score)/score)`; for an aligned head and a row with as many lags on both sides it is the
    bound of `slash.amplitude-needed-window`, rounded down. At least 0. Cost: a pass over the lags.
    """
    if rows.largest > _FURTHEST:
        return 0.0
    most = _largest_logits(np.full(row, score))
    return _by_row(rows, tables, _weights(rows), most)


def _weights(rows: RelativeLogits) -> _Weights:
    before, after = _sizes(rows.before), _sizes(rows.after)
    odds = np.cumsum(np.concatenate(([before.sum()], after)))
    error = (len(before) + 3 * len(odds) + 16) * UNIT + 2.0**-48
    return _Weights(before, after, odds, 1.1 * error)


def _by_lines(
    rows: RelativeLogits,
    tables: PlanePoints,
    weights: _Weights,
    heights: Floats,
    slopes: Floats,
    score: float,
) -> float:
    """The bound from lines for the first rows, `(r,)`."""
    constants = np.concatenate(([score * len(slopes)], -heights))
    return _bound(rows, tables, weights, slopes, constants)


def _by_row(rows: RelativeLogits, tables: PlanePoints, weights: _Weights, most: Floats) -> float:
    """The bound from the last of the rows alone, whose largest `L_j` are `most`, `(rows,)`."""
    count = len(most)
    alone = np.zeros(count)
    alone[-1] = 1.0
    if not weights.odds[count - 1] > 0:
        return 0.0
    return _bound(rows, tables, weights, alone, -most[count - 1 : count])


def _sizes(logits: Floats) -> Floats:
    """The weights `e^b` of competitors, 0 where they are tiny, which only weakens the bound."""
    return np.where(logits < -_FURTHEST, 0.0, exponential(np.maximum(logits, -_FURTHEST)))


def rows_used(count: int, score: float) -> tuple[int, ...]:
    """The numbers `r` of first rows for which a head is optimised to sharpen the bound."""
    usable = int(np.count_nonzero(_least_scores(count, score) > _LEAST))
    if not usable:
        return ()
    return tuple(sorted({max(1, round(share * usable)) for share in _TRIED}))


def _least_scores(count: int, score: float) -> Floats:
    """Lower bounds of the row scores `m_j` that the mean score forces, `(rows,)`."""
    earlier = np.arange(count, dtype=np.float64)
    # The second term covers the rounding of the first, and of `score`.
    result: Floats = (count * score - earlier) / (count - earlier)
    result -= count / (count - earlier) * 2.0**-50
    return result


def _largest_logits(least: Floats) -> Floats:
    """Upper bounds of `M_j`, checked with `exponential`, so that the logarithm may be off."""
    result: Floats = np.log((1 - least) / least) + 1e-9
    sound = exponential(result) * (1 - _SLACK) * least >= 1 - least
    return np.where(sound, result, np.inf)


def _lines(odds: Floats, most: Floats) -> tuple[Floats, Floats]:
    """Heights and slopes of lines above `1/(1 + e^L)` up to `M_j`, tangents where possible.

    A tangent at `x <= 0` is higher at `M_j` the further left `x` is, so the place is found by
    bisection. A row whose line fails the check gets the constant line 1.
    """
    with np.errstate(divide="ignore"):
        wanted = np.clip(np.log(odds), -_FURTHEST, 0.0)
    low, high = np.full(len(odds), -_FURTHEST), wanted.copy()
    ends = np.where(np.isfinite(most), np.minimum(most, _FURTHEST), _FURTHEST)
    floor = (1 / (1 + exponential(ends) * (1 - _SLACK))) * (1 + _SLACK) + 1e-13
    for _ in range(48):
        middle = np.where(low < high, (low + high) / 2, high)
        above = _above(_tangents(middle), ends, floor, most)
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    # The place wanted itself where it will do, since bisection only comes near it.
    place = np.where(_above(_tangents(wanted), ends, floor, most), wanted, low)
    heights, slopes = _tangents(place)
    usable = _above((heights, slopes), ends, floor, most) & (odds > 0)
    return np.where(usable, heights, 1.0), np.where(usable, slopes, 0.0)


def _above(
    lines: tuple[Floats, Floats], ends: Floats, floor: Floats, most: Floats
) -> NDArray[np.bool_]:
    """Whether each line lies above `1/(1 + e^L)` at `M_j`; for `M_j <= 0` tangents always do."""
    heights, slopes = lines
    return np.isfinite(most) & ((most <= 0) | (heights - slopes * ends >= floor))


def _tangents(places: Floats) -> tuple[Floats, Floats]:
    """Heights and slopes of lines above `1/(1 + e^L)` at all `L <= 0`: tangents at `places <= 0`.

    The slope is rounded up, which only raises the line at `L <= 0`; the height is that of the exact
    tangent, `S + s L`, rounded up.
    """
    sizes = exponential(places)
    scores = 1 / (1 + sizes)
    slopes = scores * (sizes * scores)
    heights = scores * (1 + _SLACK) + slopes * places * (1 - _SLACK)
    heights += 2.0**-48
    return heights, slopes * (1 + _SLACK)


def _bound(
    rows: RelativeLogits, tables: PlanePoints, weights: _Weights, slopes: Floats, constants: Floats
) -> float:
    """The lower bound `(sum_j s_j H(y^j) + sum of the constants) / max_l |V_l|`, rounded down.

    `slopes` is `(r,)` for the first `r` rows, 0 where `Z_j = 0`.
    """
    count, error = len(slopes), weights.error
    odds = np.where(slopes > 0, weights.odds[:count], 1.0)
    places = np.clip(np.log(odds), -_FURTHEST, _FURTHEST)
    ratios = exponential(places) / odds
    tails = np.cumsum((slopes / odds)[::-1])[::-1]
    before = weights.before * tails[0]
    after = weights.after[: count - 1] * tails[1:]
    terms = [
        slopes * places,
        slopes,
        -slopes * ratios,
        -rows.before * before,
        -rows.after[: count - 1] * after,
        constants,
    ]
    total = sum(float(term.sum()) for term in terms)
    total -= error * sum(float(np.abs(term).sum()) for term in terms)
    mass = float(before.sum() + after.sum())
    slope = mass - tables.moments(np.concatenate(([0.0], after)))
    if len(before):
        slope -= tables.moments(np.concatenate(([0.0], before))).conj()
    sizes = np.sqrt(slope.real * slope.real + slope.imag * slope.imag)
    size = float(sizes.max()) * (1 + _SLACK) + (4 * error + 4 * tables.error) * mass
    return max(0.0, total / size * (1 - _SLACK)) if size > 0 else 0.0
