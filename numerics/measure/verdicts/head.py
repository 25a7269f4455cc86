r"""`head.*` on the last row: what its contents at other positions would score, streamed.

`a[k, p]` is the logit of content `k` at position `p` (`ropeproof.numerics.head.table`). For a swap of `i, j`
let `tau = tanh((a_ii - a_jj)/2)` and `sigma = tanh((a_ji - a_ij)/2)`, the tangents of the angles of
the two pairs of weights with the diagonal before and after; then

    s_pos, s_sym = (1 +- tau sigma)/sqrt((1 + tau^2)(1 + sigma^2)),     |tau| = |D_i - D_j|/(D_i + D_j).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.measure.verdicts.record import (
    Verdict,
    at_least,
    at_most,
    conclude,
    condition,
    taken,
)
from ropeproof.numerics.measure.verdicts.study import BLOCK, Study, real

__all__ = ["head_verdicts"]

Floats = NDArray[np.float64]
_COSINE = 2.0**-46
"""Of a cosine similarity computed in float64, and of a square root of what it leaves of 1."""
_ROOT = 2.0**-22


@dataclass
class _Table:
    """Sums and extremes over the table of the last row and over its swaps.

    - `imbalance`, `level`: `|tau|` and the smaller score of the swap of largest `|D_i - D_j|`;
    - `excess`: the largest of `kappa |tau| - sqrt(1 - kappa^2)` over swaps, at most 0;
    - `disc`: the smallest `s_pos^2 + s_sym^2`.
    """

    positions: int
    variance: float = 0.0
    positional: float = 0.0
    symbolic: float = 0.0
    by_content: float = 0.0
    by_position: float = 0.0
    imbalance: float = 0.0
    level: float = 1.0
    heaviest: float = -1.0
    excess: float = -math.inf
    disc: float = math.inf


def head_verdicts(study: Study) -> Iterator[Verdict]:
    """All verdicts of the topic; none of those on swaps for a prompt of fewer than three tokens."""
    yield from _scores(study)
    if study.last < 2:
        return
    table = _scan(study)
    yield _exclusion(study, table)
    yield from _swap(study, table)
    yield from _one_sided(study, table)


def _scan(study: Study) -> _Table:
    """One pass over the table, `BLOCK` contents at a time."""
    last = study.last
    keys = real(study.head.keys[:last])
    # The query turned back to each position; entry (k, p) is a plain scalar product.
    places = real(study.head.queries[-1] * study.turns[1 : last + 1][::-1])
    own = study.capped((keys * places).sum(1))
    sizes = np.exp(own - own.max())
    found = _Table(last, variance=float(own.var()))
    highest, lowest = np.full(last, -np.inf), np.full(last, np.inf)
    for start in range(0, last, BLOCK):
        stop = min(last, start + BLOCK)
        mine = own[start:stop, np.newaxis]
        at = study.capped(keys[start:stop] @ places.T)  # content i at position j
        # A swap of i and j is that of j and i: no column before the first row is needed.
        back = study.capped(places[start:stop] @ keys[start:].T)  # content j at position i
        found.positional += float(((at - own) ** 2).sum())
        found.symbolic += float(((at - mine) ** 2).sum())
        found.by_position = max(found.by_position, float(np.ptp(at, axis=1).max()))
        highest, lowest = np.maximum(highest, at.max(0)), np.minimum(lowest, at.min(0))
        tangents = np.tanh((mine - own[start:]) / 2), np.tanh((back - at[:, start:]) / 2)
        _swaps(found, sizes[start:], *tangents)
    found.by_content = float((highest - lowest).max())
    found.positional /= last * last
    found.symbolic /= last * last
    return found


def _swaps(found: _Table, sizes: Floats, tau: Floats, sigma: Floats) -> None:
    """Take in the swaps of the first of some positions with all of them; weights go as `sizes`."""
    inside = 1 / np.sqrt((1 + tau * tau) * (1 + sigma * sigma))
    product = tau * sigma
    scores = (1 + product) * inside, (1 - product) * inside
    found.disc = min(found.disc, float((scores[0] ** 2 + scores[1] ** 2).min()))
    level = np.minimum(1.0, np.minimum(*scores))
    excess = level * np.abs(tau) - np.sqrt(1 - level * level)
    found.excess = max(found.excess, float(excess.max()))
    gaps = np.abs(sizes[: len(tau), np.newaxis] - sizes)
    place = np.unravel_index(int(gaps.argmax()), gaps.shape)
    if gaps[place] > found.heaviest:
        found.heaviest = float(gaps[place])
        found.imbalance, found.level = float(abs(tau[place])), float(level[place])


def _scores(study: Study) -> Iterator[Verdict]:
    """`head.score-disc` for the measured scores, which average over swaps."""
    measure = study.measure
    if measure.positional is None or measure.symbolic is None:
        return
    yield conclude(
        "head.score-disc",
        study.prompt,
        "positional plus symbolic score",
        [],
        at_least(1.0, "score", says=True),
        measure.positional + measure.symbolic,
        rounding=_COSINE * study.length,
    )


def _exclusion(study: Study, table: _Table) -> Verdict:
    bound = table.positional + table.symbolic
    return conclude(
        "head.exclusion",
        study.prompt,
        "variance of the last row's logits before the query",
        [
            taken("mean square of positional deviations", table.positional),
            taken("mean square of symbolic deviations", table.symbolic),
        ],
        at_most(bound, "logits squared", says=bound < study.size**2),
        table.variance,
        rounding=8 * study.logit_rounding * (study.size + study.logit_rounding),
    )


def _swap(study: Study, table: _Table) -> Iterator[Verdict]:
    """`head.score-geometry` and `head.score-disc`, swap by swap."""
    level = table.level
    bound = math.sqrt(max(0.0, 1 - level * level)) / level if level > 0 else 1.0
    yield conclude(
        "head.score-geometry",
        study.prompt,
        "imbalance of the swap of the largest difference of weights",
        [condition("smaller of its two scores", level, ">=", 0.0)],
        at_most(min(bound, 1.0), "share of the two weights", says=bound < 1),
        table.imbalance,
        rounding=_ROOT,
        everywhere=table.excess <= _ROOT,
    )
    yield conclude(
        "head.score-disc",
        study.prompt,
        "sum of the squares of a swap's scores, the smallest",
        [],
        at_least(1.0, "score squared", says=True),
        table.disc,
        rounding=_COSINE,
    )


def _one_sided(study: Study, table: _Table) -> Iterator[Verdict]:
    """`head.constant-key-positional` and `head.nope-symbolic`, what misses carried by sizes.

    Two contents' logits at one position differ by at most `2 max_k sum |q_l||k_l - mean_l|`
    (`rope.bounded`); those of one content at two positions `t` apart by
    `sum |q_l||k_l| min{2, theta_l t}` (`posgen.plane`).
    """
    last, head = study.last, study.head
    query = np.abs(head.queries[-1])
    keys = head.keys[:last]
    most = 2 * float((np.abs(keys) @ query).max())
    apart = 2 * float((np.abs(keys - keys.mean(0)) @ query).max())
    reach = np.minimum(2.0, head.frequencies * (last - 1))
    turned = float((np.abs(keys) @ (query * reach)).max())
    for claim, what, name, bound, observed in (
        (
            "head.constant-key-positional",
            "two contents at one position",
            "twice the keys' distance to their mean, in logits, by rope.bounded",
            apart,
            table.by_content,
        ),
        (
            "head.nope-symbolic",
            "one content at two positions",
            "what positions turn, in logits, by posgen.plane",
            turned,
            table.by_position,
        ),
    ):
        yield conclude(
            claim,
            study.prompt,
            f"largest difference of logits of {what}",
            [taken(name, bound)],
            at_most(bound, "logits", says=bound < most or bound == 0),
            observed,
            rounding=4 * study.logit_rounding,
        )
