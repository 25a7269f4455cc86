r"""How likely the label of a head changes on other prompts, from how its scores vary over the prompts.

Scores of a head over prompts are taken to be jointly normal. What `n` prompts leave unknown of their mean
and their spread is drawn along with the scores of `n` other prompts: a spread `s` by the distribution of
`s sqrt((n - 1) / chi^2)` with `n - 1` degrees of freedom, a mean from a normal distribution about the
measured one with that spread over `sqrt(n)` (the predictive distribution of Student). The rule of
`ropeproof.tools.measure.kinds.decide` labels each draw; the share of draws that it labels otherwise than the
head is labelled is how likely the label changes. Scores of one prompt are drawn together, as they vary
together. Two seeds of the prompts differ in whatever else a text brings with it, which this does not know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

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
    draw = np.random.default_rng(0)
    means, spreads, counts = [], [], []
    for number, scores in enumerate(groups):
        count, kinds = scores.shape
        mean = scores.mean(0)
        counts += [count] * kinds
        noise = draw.standard_normal((DRAWS, count + 1, count))
        sizes = np.sqrt((count - 1) / draw.chisquare(count - 1, DRAWS))
        if number == fixed:
            means.append(np.broadcast_to(mean, (DRAWS, kinds)))
            spreads.append(np.broadcast_to(scores.std(0, ddof=1), (DRAWS, kinds)))
            continue
        # Normal vectors with the covariance of the scores, one for the mean and one for each prompt.
        drawn = noise @ (scores - mean) / math.sqrt(count - 1) * sizes[:, None, None]
        others = mean + drawn[:, :1] / math.sqrt(count) + drawn[:, 1:]
        means.append(others.mean(1))
        spreads.append(others.std(1, ddof=1))
    found = labels_of(np.concatenate(means, -1), np.concatenate(spreads, -1), null, counts, options)
    return float((found != LABELS.index(label)).mean())
