r"""How likely the label of a head changes on other prompts, from how its scores vary over the prompts.

Scores of a head over prompts are taken to be jointly normal. What `n` prompts leave unknown of their mean
and their spread is drawn along with the scores of `n` other prompts: a spread `s` by the distribution of
`s sqrt((n - 1) / chi^2)` with `n - 1` degrees of freedom, a mean from a normal distribution about the
measured one with that spread over `sqrt(n)` (the predictive distribution of Student). The rule of
`ropeproof.tools.measure.kinds.decide` labels each draw; the share of draws that it labels otherwise than the
head is labelled is how likely the label changes. The means of kinds are drawn together, as their scores vary
together over prompts. What other texts bring with them that these prompts do not have, it does not know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ropeproof.tools.measure.kinds.table import KINDS, LABELS, MIXED, NOT_DECIDED, KindOptions

__all__ = ["DRAWS", "change_rate", "labels_of"]

Floats = NDArray[np.float64]

DRAWS = 500
"""How many sets of other prompts are drawn; the standard error of a rate of 10 % is then 1.3 %."""


def labels_of(
    mean: Floats, spread: Floats, null: Floats, prompts: Sequence[int], options: KindOptions
) -> NDArray[np.int64]:
    """The labels that follow from scores, as numbers of `LABELS`, `(...)`.

    `mean`, `spread` and `null` are `(..., kinds)`, in the order of `KINDS`: means and standard deviations
    over prompts, and what they have to exceed. `prompts` is how many prompts each kind is scored on,
    `(kinds,)`. The rule is that of `ropeproof.tools.measure.kinds.decide`; it asks for two prompts or more.
    """
    from scipy.special import stdtrit

    thresholds = np.array([options.threshold(kind) for kind in KINDS])
    reach = np.array([stdtrit(n - 1, options.confidence) / math.sqrt(n) for n in prompts])
    low, high = mean - reach * spread, mean + reach * spread
    holds = (low >= thresholds) & (low > null)
    fails = ~holds & ((high < thresholds) | (high <= null))
    first = (~fails).argmax(-1)
    held = np.take_along_axis(holds, first[..., None], -1)[..., 0]
    label = np.where(held, first, LABELS.index(NOT_DECIDED))
    return np.where(fails.all(-1), LABELS.index(MIXED), label)


def change_rate(
    label: str,
    groups: Sequence[Floats],
    null: Floats,
    options: KindOptions,
    *,
    fixed: int | None = None,
) -> float:
    """How likely as many other prompts give a head another label than `label`, from 0 to 1.

    `groups` has the scores of kinds that are scored on the same prompts, `(prompts, kinds)` each, which
    together are the `KINDS` in order; `null`, `(kinds,)`, what they have to exceed. The group with the
    number `fixed` keeps its scores: what remains is how likely the other prompts change the label. Groups
    have two prompts or more. The draws are those of a fixed seed.
    """
    means, spreads, counts = [], [], []
    for number, scores in enumerate(groups):
        count, kinds = scores.shape
        mean, spread = scores.mean(0), scores.std(0, ddof=1)
        counts += [count] * kinds
        if number == fixed:
            means.append(np.broadcast_to(mean, (DRAWS, kinds)))
            spreads.append(np.broadcast_to(spread, (DRAWS, kinds)))
            continue
        noise, sizes, ratios = _noise(count)
        # A normal vector with the covariance of the scores over `count`, twice: of the mean, and of its draw.
        drawn = noise @ (scores - mean) * math.sqrt(2 / (count * (count - 1)))
        means.append(mean + drawn * sizes)
        spreads.append(spread * sizes * ratios)
    found = labels_of(np.concatenate(means, -1), np.concatenate(spreads, -1), null, counts, options)
    return float((found != LABELS.index(label)).mean())


@lru_cache(maxsize=8)
def _noise(count: int) -> tuple[Floats, Floats, Floats]:
    """What is drawn for `count` prompts, of a fixed seed and the same for all heads.

    Returns standard normal numbers, `(DRAWS, count)`; what the true spread is in units of the measured one,
    and the spread of other prompts in units of the true one, `(DRAWS, 1)` each.
    """
    draw = np.random.default_rng(0)
    free = count - 1
    true, other = (draw.chisquare(free, (DRAWS, 1)) / free for _ in range(2))
    return draw.standard_normal((DRAWS, count)), 1 / np.sqrt(true), np.sqrt(other)
