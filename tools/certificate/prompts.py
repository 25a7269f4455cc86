r"""Bounds of attention weights over every prompt that the vocabulary can write, for one query token.

The keys of a row of N are any tokens at lags 1 to N - 1; that of lag 0 is the query's own. With the least
and the largest logit of each lag over the whole vocabulary,

    e^{min_t}/(e^{min_t} + sum_{u != t} e^{max_u})  <=  S_t
                                                    <=  e^{max_t}/(e^{max_t} + sum_{u != t} e^{min_u}),

and both are attained: lags are chosen independently. Where a head tells tokens apart the two are far
apart, and say nothing. Errors as in `expected`: a computed logit within eps changes the odds by a factor
of at most `e^{2 eps}`; exponentials, sums of N terms and quotients by `(N + 40)u` more.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.certificate.expected import MOST, logit_error, turned
from ropeproof.tools.certificate.first_layer import UNIT, FirstLayer

__all__ = ["OverPrompts", "over_prompts"]

Floats = NDArray[np.float64]

_KEYS = 1024


class OverPrompts(NamedTuple):
    """The least and the largest weight of each lag over all prompts, `(heads, lags)` each."""

    lower: Floats
    upper: Floats


def over_prompts(layer: FirstLayer, token: int, *, lags: int) -> OverPrompts:
    """Bounds of every head's weights behind a query token, over all prompts of `lags` keys.

    Cost: the product of the vocabulary, the lags and the width of the heads, in multiplications.
    """
    if layer.window is not None and lags > layer.window:
        raise InvalidArgument("lags", lags, f"at most {layer.window}, the window of the layer")
    queries = layer.queries(np.array([token], dtype=np.int64))
    own = layer.keys(np.array([token], dtype=np.int64))
    turns, table_error = turned(layer, lags)
    back = queries.planes[:, 0, None, :] * turns
    flat = np.concatenate([back.real, back.imag], -1)
    least = np.full(flat.shape[:2], np.inf)
    largest = np.full(flat.shape[:2], -np.inf)
    error = logit_error(layer, queries, own, table_error)[:, 0]
    for start in range(0, layer.vocabulary, _KEYS):
        keys = layer.keys(np.arange(start, min(start + _KEYS, layer.vocabulary)))
        error = np.maximum(error, logit_error(layer, queries, keys, table_error)[:, 0])
        for head in range(layer.heads):
            planes = keys.planes[layer.key_head(head)]
            logits = flat[head] @ np.concatenate([planes.real, planes.imag], -1).T
            np.minimum(least[head], logits.min(1), out=least[head])
            np.maximum(largest[head], logits.max(1), out=largest[head])
    for head in range(layer.heads):
        mine = own.planes[layer.key_head(head), 0]
        least[head, 0] = largest[head, 0] = flat[head, 0] @ np.concatenate([mine.real, mine.imag])
    if not max(abs(least).max(), abs(largest).max()) <= MOST:
        raise InvalidArgument("model", f"logits up to {abs(largest).max():g}", f"at most {MOST:g}")
    low, high = np.exp(least), np.exp(largest)
    slip = 2 * error[:, None] * 1.01 + 2 * (lags + 40) * UNIT
    lower = low / (low + _others(high)) * (1 - slip)
    upper = np.minimum(high / (high + _others(low)) * (1 + slip), 1.0)
    return OverPrompts(np.maximum(lower, 0.0), upper)


def _others(rates: Floats) -> Floats:
    """At each lag the sum of all other lags' rates, formed without a subtraction."""
    before, after = np.zeros_like(rates), np.zeros_like(rates)
    before[:, 1:] = np.cumsum(rates[:, :-1], 1)
    after[:, :-1] = np.cumsum(rates[:, :0:-1], 1)[:, ::-1]
    result: Floats = before + after
    return result
