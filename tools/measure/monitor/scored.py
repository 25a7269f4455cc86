"""The scores of some heads on one sequence of tokens, from queries and keys or from attention weights.

The scores are those by which `ropeproof.tools.measure.kinds` decides kinds, formed by the same code, and
the R² of additive fits that `measure` reports (`ropeproof.numerics.bounds.posgen`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.models.visit import LayerHeads
from ropeproof.theory.rotary.spec import RopeSpec
from ropeproof.tools.measure.kinds.rows import (
    PromptHeads,
    lag_scores,
    lag_scores_of_weights,
    scored_rows,
)
from ropeproof.tools.measure.kinds.swaps import swap_scores_of

if TYPE_CHECKING:
    import torch

__all__ = ["SequenceScores", "logits_fit", "scores_of_layer", "scores_of_patterns"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, kw_only=True)
class SequenceScores:
    """The scores of one head on one sequence.

    - `lags`: the slash score of every lag, `(tokens,)` float64 (`slash.score`);
    - `sink`: the mean weight on the first token, in the second half of the rows that see it;
    - `share`: the mean over those rows of the perplexity of their weights over the number of their keys;
    - `swaps`: positional and symbolic score in some rows, `(2, rows)` (`head.score-table`), or None;
    - `two_axes`, `three_axes`: R² of the best additive fits of the row-centred logits on the causal
      triangle, `f(query, lag) + g(query, key)` and `a(query) + b(lag) + c(key)`
      (`posgen.two-axis`, `posgen.three-axis`), and `nulls`: those of random features; each None
      where it was not measured or the logits have no variance.
    """

    lags: Floats
    sink: float
    share: float
    swaps: Floats | None = None
    two_axes: float | None = None
    three_axes: float | None = None
    nulls: tuple[float | None, float | None] = (None, None)


def scores_of_layer(
    layer: LayerHeads,
    spec: RopeSpec | None,
    *,
    rows: int,
    tau: float,
    additive: bool,
    rotated: bool = False,
) -> list[SequenceScores]:
    """The scores of each head of a layer on one sequence, in the order of its query heads.

    `layer` has one sequence, `(1, heads, length, head_dim)`, with as many key heads as query heads; `spec`
    is the rotation for the additive fits. With `rotated` the vectors are rotated already and
    `layer.rotation` changes nothing: then swaps and the fit with two axes, which need vectors before
    the rotation, are left out.
    """
    heads, length = PromptHeads.of(layer), layer.keys.shape[2]
    swapped: NDArray[np.float64] | None = None
    numbers = scored_rows(length, layer.window, rows)
    if numbers and not rotated:
        swapped = swap_scores_of(heads, numbers, tau).cpu().numpy()
    lags, sinks, shares = (each.cpu().numpy() for each in lag_scores(heads))
    return [
        SequenceScores(
            lags=lags[head],
            sink=float(sinks[head]),
            share=float(shares[head]),
            swaps=None if swapped is None else swapped[:, head],
            **(_fits(layer, head, spec, rotated) if additive else {}),
        )
        for head in heads.heads
    ]


def scores_of_patterns(weights: torch.Tensor, window: int | None) -> list[SequenceScores]:
    """The scores of heads on one sequence that their attention weights alone decide.

    `weights` is `(heads, length, length)`; swaps and additive fits are not among them.
    """
    heads, length = weights.shape[:2]
    found = lag_scores_of_weights([(0, weights)], heads=heads, length=length, window=window)
    lags, sinks, shares = (each.cpu().numpy() for each in found)
    return [
        SequenceScores(lags=lags[n], sink=float(sinks[n]), share=float(shares[n]))
        for n in range(heads)
    ]


def _fits(layer: LayerHeads, head: int, spec: RopeSpec | None, rotated: bool) -> dict[str, Any]:
    """R² of both additive fits and their nulls; inside a window on as many tokens as it has."""
    count = layer.keys.shape[2] if layer.window is None else layer.window
    if count < 2:
        return {}
    queries, keys = (
        vectors[0, head, :count].detach().double().cpu().numpy()
        for vectors in (layer.queries, layer.keys)
    )
    if rotated or spec is None:
        found, null = logits_fit(layer.scale * (queries @ keys.T))
        return {"three_axes": found, "nulls": (None, null)}
    each = {
        fit.kind: fit
        for fit in posgen.additive_fits(queries, keys, spec, scale=layer.scale)
        if fit.centred
    }
    two, three = each["optimal"], each["three-axis"]
    return {
        "two_axes": two.r_squared,
        "three_axes": three.r_squared,
        "nulls": (two.null_r_squared, three.null_r_squared),
    }


def logits_fit(logits: Floats) -> tuple[float | None, float]:
    """R² of the fit with three axes to row-centred causal logits `(length, length)`, and its null.

    None for the R² of logits that are constant in each row. The null is the expected R² of noise
    (`posgen.noise-floor`).
    """
    length = len(logits)
    causal = np.tri(length, dtype=bool)
    below = np.where(causal, logits, 0.0)
    means = below.sum(1) / np.arange(1.0, length + 1)
    centred = np.where(causal, below - means[:, np.newaxis], 0.0)
    total, size = float((centred**2).sum()), float((below**2).sum())
    null = float(posgen.noise_floor(length, axes=3, centred=True))
    if not total > 2.0**-72 * size:
        return None, null
    rest = below - posgen.fit_axes(below).matrix()
    return 1 - float((rest**2).sum()) / total, null
