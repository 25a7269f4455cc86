"""All statistics of one head on one prompt."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds import posgen
from ropeproof.numerics.bounds.head import scores as head_scores
from ropeproof.numerics.bounds.head.rotation import Rotation
from ropeproof.numerics.bounds.posgen.window import plane_weights
from ropeproof.numerics.bounds.slash.learned import factor, rank
from ropeproof.numerics.bounds.slash.learned.independent import (
    IndependentScores,
    independent_scores,
)
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.tools.measure.head import survival
from ropeproof.tools.measure.head.attention import AttentionSums, attention_sums
from ropeproof.tools.measure.head.law import LawMeasure, law_measure
from ropeproof.tools.measure.head.swaps import SwapTable, swap_table
from ropeproof.tools.measure.head.vectors import HeadVectors
from ropeproof.tools.measure.options import MeasureOptions

__all__ = ["SHOWN_LAGS", "HeadMeasure", "measure_head", "null_scores"]

Floats = NDArray[np.float64]

SHOWN_LAGS = 256
"""How many lags a report lists; the largest score is looked for beyond them, too."""


@dataclass(frozen=True, eq=False, kw_only=True)
class HeadMeasure:
    """All statistics of one head on one prompt.

    - `attention`: slash scores of all lags, entropy, size of the logits;
    - `null`: what a head of the first layer without rotation scores at most on exchangeable tokens
      (`slash.null`), `(length,)`, at lag 0 not a number, outside a window 0;
    - `independent`: the scores of the lags `targets` on independently drawn positions;
    - `query_factor`, `key_factor`: the rank-one fits of queries and of keys, one scalar per token
      times one direction, and what these leave;
    - `law`: bounds of the expected score at the strongest lag, None unless it is a slash head;
    - `survivors`, `rounded`: the head of the rank-one factor under other scalings, and with bfloat16
      rotations, at the dominant lags from 1 on; survivors only if the options ask for them;
    - `query_rank`, `key_rank`: singular values before rotation; None if all vectors are 0;
    - `fit`: the mean query and the mean key, and the deviations from them; None if a mean is 0;
      `eta`: how far these deviations move a logit at most, in logits;
    - `amplitudes`, `phases`: of the mean query and the mean key, `(planes,)` each, logits and
      radians; `bands`: how the amplitudes divide among frequency bands, None if all are 0; `pattern`:
      the statistics of planes in `posgen.anova`;
    - `swaps`: the last row's contents at other positions; None for fewer than three tokens, and inside
      a window;
    - `positional`, `symbolic`, `purity`: of the last row; None for prompts too short for a swap;
    - `additive`: the additive fits on the triangle, then on the grid, of the logits before the soft
      cap; for a head with a window on its first tokens, as many as the window has
      (`HeadVectors.unwindowed`);
    - `window`: the sliding window of the head, in positions, or None.
    """

    options: MeasureOptions
    attention: AttentionSums
    null: Floats
    independent: IndependentScores
    query_factor: factor.RankOneFit
    key_factor: factor.RankOneFit
    law: LawMeasure | None
    survivors: tuple[survival.Survivor, ...]
    rounded: tuple[survival.Rounded, ...]
    query_rank: rank.RankStatistics | None
    key_rank: rank.RankStatistics | None
    fit: rank.MeanFit | None
    eta: float | None
    amplitudes: Floats
    phases: Floats
    bands: rank.BandShares | None
    frequencies: Floats
    pattern: posgen.PlanePattern
    swaps: SwapTable | None
    positional: float | None
    symbolic: float | None
    purity: str | None
    additive: tuple[posgen.AdditiveFit, ...]
    window: int | None = None

    @property
    def seen(self) -> int:
        """The number of lags, from 0 on, that at least half of the rows have.

        Beyond, a score is the mean of a few rows; only these lags are called dominant or largest.
        """
        return _seen(self.attention.scores)

    @property
    def largest(self) -> int:
        """The lag of the largest slash score among the lags from 1 on that half of the rows have."""
        return _largest(self.attention.scores)

    @property
    def dominant(self) -> tuple[int, ...]:
        """The lags with a score of at least the threshold, increasing, that half of the rows have."""
        return _dominant(self.attention.scores, self.options.threshold)

    @property
    def targets(self) -> tuple[int, ...]:
        """The lags at which theorems are applied, increasing; see `targets_of`."""
        return tuple(found.lag for found in self.independent.lags)

    def as_json(self) -> dict[str, Any]:
        """All statistics as numbers, strings, lists and mappings; None where there is no number."""
        planes = {
            "frequencies": self.frequencies,
            "amplitudes": self.amplitudes,
            "phases": self.phases,
            **{
                name: getattr(self.pattern, name)
                for name in (
                    "query_concentration",
                    "key_concentration",
                    "speed",
                    "energy",
                    "share",
                    "lag_mean",
                )
            },
        }
        scored = {
            "positional": self.positional,
            "symbolic": self.symbolic,
            "purity": self.purity,
            "block": self.options.block,
        }
        logits = {name: getattr(self.attention, name) for name in ("mean", "deviation", "largest")}
        return {
            "slash": {
                "scores": _rounded(self.attention.scores[:SHOWN_LAGS]),
                "null": _rounded(self.null[:SHOWN_LAGS]),
                "dominant": [self._lag(offset) for offset in self.dominant],
                "largest": self._lag(self.largest),
                "independent": [self._independent(offset) for offset in self.targets],
                "law": None if self.law is None else self.law.as_json(),
            },
            "extended": [found.as_json() for found in self.survivors],
            "bfloat16": [found.as_json() for found in self.rounded],
            "factor": {
                "queries": _factor(self.query_factor),
                "keys": _factor(self.key_factor),
                "levels": list(factor.LEVELS),
            },
            "rank": {
                "queries": _rank(self.query_rank, self.fit.epsilon_query if self.fit else None),
                "keys": _rank(self.key_rank, self.fit.epsilon_key if self.fit else None),
                "eta": self.eta,
            },
            "planes": {name: _rounded(values) for name, values in planes.items()},
            "bands": None if self.bands is None else asdict(self.bands),
            "scores": scored,
            "additive": [vars(fit).copy() for fit in self.additive],
            "logits": logits,
            "entropy": self.attention.entropy,
            "window": self.window,
        }

    def _lag(self, offset: int) -> dict[str, Any]:
        null = float(self.null[offset])
        return {
            "offset": offset,
            "score": float(self.attention.scores[offset]),
            "null": None if np.isnan(null) else null,
        }

    def _independent(self, offset: int) -> dict[str, Any]:
        """Score on independently drawn positions, its error, and what the token order adds."""
        drawn, score = self.independent.at(offset), float(self.attention.scores[offset])
        alone = drawn.score
        return {
            "offset": offset,
            "score": alone,
            "error": drawn.error,
            "contextual": None if alone is None else score - alone,
        }


def _seen(scores: Floats) -> int:
    return (len(scores) + 1) // 2 + 1


def _largest(scores: Floats) -> int:
    return int(scores[1 : _seen(scores)].argmax()) + 1


def _dominant(scores: Floats, threshold: float) -> tuple[int, ...]:
    return tuple(np.flatnonzero(scores[: _seen(scores)] >= threshold).tolist())


def targets_of(scores: Floats, threshold: float) -> tuple[int, ...]:
    """The three dominant lags of largest score, and the strongest lag from 1 on; increasing."""
    dominant = sorted(_dominant(scores, threshold), key=lambda lag: -scores[lag])[:3]
    return tuple(sorted({*dominant, _largest(scores)}))


def slash_lags(scores: Floats, null: Floats, threshold: float) -> tuple[int, ...]:
    """The lags of `targets_of` that make a slash head: from 1 on, dominant and above the null."""
    return tuple(
        lag
        for lag in targets_of(scores, threshold)
        if lag >= 1 and scores[lag] >= threshold and scores[lag] > null[lag]
    )


def measure_head(
    vectors: HeadVectors,
    options: MeasureOptions | None = None,
    *,
    attention: AttentionSums | None = None,
    additive: tuple[posgen.AdditiveFit, ...] | None = None,
    factors: tuple[factor.RankOneFit, factor.RankOneFit] | None = None,
    head: posgen.ComplexHead | None = None,
) -> HeadMeasure:
    """The statistics of one head on one prompt, float64.

    `attention`, `additive` and `factors` are what has been found already: `attention_sums`,
    `additive_fits` on the triangle, `rank_one` of queries and keys; `head` is `read_head` of the
    vectors. By default they are found here.

    Cost: some thirty passes over `length^2` numbers, in blocks of rows; the largest array is the
    table of the positional and symbolic scores, `(length, length)`, and some of its size.
    Raises `InvalidArgument` for a prompt of fewer than two tokens.
    """
    options = options or MeasureOptions()
    length = vectors.length
    if length < 2:
        raise InvalidArgument("tokens", f"{length} token", "at least 2 tokens")
    queries, keys, spec, scale = vectors.queries, vectors.keys, vectors.spec, vectors.scale
    whole = vectors.unwindowed
    try:
        fit: rank.MeanFit | None = rank.mean_fit(queries, keys)
    except InvalidArgument:  # a mean of 0
        fit = None
    means = (queries.mean(0), keys.mean(0))
    amplitudes, phases = amplitudes_and_phases(*means, spec, scale=scale)
    planes = head or posgen.read_head(queries, keys, spec, scale)
    table = None
    if length > 2 and vectors.window is None:
        table = swap_table(
            planes,
            tau=options.tau,
            soft_cap=vectors.soft_cap,
            device=vectors.device,
            single=vectors.single,
        )
    positional, symbolic = _scores(vectors, options, table)
    kind = (
        None if positional is None else str(head_scores.purity(positional, symbolic, options.gamma))
    )
    attention = attention or attention_sums(vectors)
    null = null_scores(length, vectors.window)
    factors = factors or (factor.rank_one(queries), factor.rank_one(keys))
    targets = targets_of(attention.scores, options.threshold)
    slashes = slash_lags(attention.scores, null, options.threshold)
    drawn = independent_scores(
        queries,
        keys,
        spec,
        targets,
        scale=scale,
        soft_cap=vectors.soft_cap,
        window=vectors.window,
        device=vectors.device,
    )
    if additive is None:
        sides = whole.queries, whole.keys, spec
        where: dict[str, Any] = {"device": vectors.device, "single": whole.single}
        additive = posgen.additive_fits(*sides, scale=scale, **where)
    best = max(slashes, key=lambda lag: float(attention.scores[lag]), default=None)
    extended: list[survival.Survivor] = []
    if options.extend is not None and vectors.window is None:  # a window has no lag more
        shape: dict[str, Any] = {"scale": scale, "length": length, "factor": options.extend}
        for lag in slashes:
            extended += survival.survivors(*factors, spec, lag, **shape)
    return HeadMeasure(
        options=options,
        attention=attention,
        null=null,
        independent=drawn,
        query_factor=factors[0],
        key_factor=factors[1],
        law=None if best is None else law_measure(vectors, best),
        survivors=tuple(extended),
        rounded=tuple(
            survival.rounded(*factors, spec, lag, scale=scale, length=length) for lag in slashes
        ),
        query_rank=rank.RankStatistics(factors[0].singular_values) if queries.any() else None,
        key_rank=rank.RankStatistics(factors[1].singular_values) if keys.any() else None,
        fit=fit,
        eta=None if fit is None else fit.eta(spec, scale=scale),
        amplitudes=amplitudes,
        phases=phases,
        bands=rank.band_shares(amplitudes, spec, vectors.reach) if amplitudes.any() else None,
        frequencies=frequencies_float64(spec),
        pattern=posgen.pattern_of(planes, vectors.reach),
        swaps=table,
        positional=positional,
        symbolic=symbolic,
        purity=kind,
        additive=(
            *additive,
            *posgen.grid_fits(
                planes
                if whole is vectors
                else posgen.read_head(whole.queries, whole.keys, spec, scale),
                length=whole.length,
                reference=(whole.length - 1) / 2,
                weights=plane_weights(spec),
            ),
        ),
        window=vectors.window,
    )


def null_scores(length: int, window: int | None = None) -> Floats:
    """The bound of `slash.null`, `null_bound(length, offset)`, at every lag, `(length,)`; NaN at 0.

    With a window of `w` positions a row has at most `w - 1` earlier keys to share its weight, and
    none at a lag of `w` or more, where the score is 0.

    A cumulative sum in float64, relative error below `2^-50 length`. Claim `slash.null`.
    """
    lags = np.arange(1, length)
    earlier = np.arange(length - 1, 0, -1.0)
    if window is not None:
        earlier = np.minimum(earlier, window - 1)
    steps = np.cumsum(1 / earlier)[::-1] / (length - lags)
    if window is not None:
        steps[lags >= window] = 0.0
    result: Floats = np.concatenate(([np.nan], steps))
    return result


def _scores(
    vectors: HeadVectors, options: MeasureOptions, table: SwapTable | None
) -> tuple[float | None, float | None]:
    import torch

    length = vectors.length
    if vectors.reach - 1 < 2 * options.block:
        return None, None
    if table is not None and options.block == 1:
        return table.scores
    found = head_scores.score_heads(
        torch.from_numpy(vectors.queries[-1:]),
        torch.from_numpy(vectors.keys),
        Rotation.of(vectors.spec, length, torch.device("cpu")),
        (),
        rows=head_scores.read_rows("last", length, options.block),
        block=options.block,
        tau=options.tau,
        scale=vectors.scale,
        soft_cap=vectors.soft_cap,
        window=vectors.window,
    )
    return float(found[0, 0]), float(found[1, 0])


def _rank(statistics: rank.RankStatistics | None, epsilon: float | None) -> dict[str, Any]:
    if statistics is None:
        return {"r1": None, "r095": None, "epsilon": epsilon}
    return {"r1": statistics.r1, "r095": statistics.r095, "epsilon": epsilon}


def _factor(found: factor.RankOneFit) -> dict[str, Any]:
    return {
        "outside": found.outside,
        "negative": found.negative,
        "mean_over_size": found.mean_over_size,
        "scalars": _rounded(found.quantiles()),
        "largest_rest": float(found.rests.max()),
        "direction": _rounded(found.direction),
    }


def _rounded(values: Floats) -> list[float | None]:
    """The values to seven digits, None for NaN, so that a report of a thousand heads is small."""
    return [None if math.isnan(x) else float(f"{x:.7g}") for x in values.tolist()]
