r"""Guarantees for a head on independently drawn positions, from its population alone.

**Exact.** For each drawn row, whose query and competitors are fixed by the draw, `slash.law`
bounds the expected weight from the distribution of the target's logit and from `ln Z`; in a row
whose target loses by `gamma` it is at most `1/(1 + e^gamma)` (`slash.signed`); angles in float32
move a logit by no more than `slash.precision` says, which widens both bounds. The margin of the
mean head under other frequencies is what `slash.band-dominance` leaves, plane by plane the better
of its two terms; with every plane outside the band it is that of `slash.scaling-survival`.

**Statistical.** The rows are a sample of all rows that can be drawn, each independent of the
others. Their mean is that of all rows up to the radius of Maurer and Pontil (2009, theorem 4, an
empirical Bernstein bound for numbers in [0, 1]), at the confidence that is stated.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.special import expit

from breaks.populations import Population, planes
from breaks.settings import Setting, turns
from ropeproof.numerics.bounds.slash.learned.confidence import distribution_radius
from ropeproof.numerics.bounds.slash.learned.law import law_bounds
from ropeproof.numerics.bounds.slash.learned.precision import angle_unit, table_move, table_unit
from ropeproof.numerics.core.spec import amplitudes_and_phases, frequencies_float64
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Guarantee", "drawn_score", "guarantee", "margins", "sample_radius"]

Floats = NDArray[np.float64]
TARGETS = 64
"""The number of values drawn of the target's logit in each row, a sample of its own."""
BLOCK = 1 << 21
"""The most numbers held at a time: those of one plane, for all lags of some rows."""


@dataclass(frozen=True, kw_only=True)
class Guarantee:
    """The guarantees for one head at one lag under one setting.

    - `lower`, `upper`: bounds of the slash score on positions drawn independently from the population;
    - `signed`: the upper bound of `slash.signed` alone; `behind`: the share of the rows in which
      another logit leads;
    - `estimate`: the mean weight over the drawn rows, no bound;
    - `margin`: the margin of the mean head over lags from 1 on, in logits, and `margin_guaranteed`, what
      the claim leaves of it.
    """

    lower: float
    upper: float
    signed: float
    behind: float
    estimate: float
    margin: float
    margin_guaranteed: float


def guarantee(
    population: Population,
    spec: RopeSpec,
    setting: Setting,
    lag: int,
    *,
    rows: int,
    confidence: float,
    comparisons: int,
    generator: np.random.Generator,
) -> Guarantee:
    """The guarantees at `lag`, from `rows` drawn rows.

    The confidence holds for `comparisons` such guarantees together. Cost: `rows length planes` complex
    multiplications.
    """
    target, rest, leads, slack = _drawn(population, spec, setting, lag, rows, generator)
    # Three statements on each head and setting: two bounds and the distribution of the leads.
    alpha = (1 - confidence) / (3 * comparisons)
    # Cells between neighbouring values, and an empty one above them.
    grid = np.sort(target, 1)
    grid = np.concatenate([grid, np.nextafter(grid[:, -1:], np.inf)], 1)
    low = law_bounds(target, (rest + 2 * slack)[:, None], thresholds=grid).lower
    high = law_bounds(target, (rest - 2 * slack)[:, None], thresholds=grid).upper
    leads = np.sort(leads - 2 * slack)[::-1]
    share = np.arange(1, rows + 1) / rows - distribution_radius(rows, 1 - alpha)
    signed = 1 - float(np.maximum(0.0, share * expit(leads)).max())
    upper = min(1.0, signed, float(high.mean()) + sample_radius(high, alpha))
    exact, left = margins(population, spec, lag, setting.length)
    return Guarantee(
        lower=max(0.0, float(low.mean()) - sample_radius(low, alpha)),
        upper=upper,
        signed=signed,
        behind=float((leads > 0).mean()),
        estimate=float(expit(target - rest[:, None]).mean()),
        margin=float(exact.min()),
        margin_guaranteed=float(left.min()),
    )


def drawn_score(
    population: Population, spec: RopeSpec, lag: int, length: int, rows: int, seed: int
) -> float:
    """The mean score at `lag` over `rows` rows of independently drawn positions; an estimate, no bound."""
    setting, generator = Setting("none", 1, length), np.random.default_rng(seed)
    target, rest, *_ = _drawn(population, spec, setting, lag, rows, generator)
    return float(expit(target - rest[:, None]).mean())


def sample_radius(values: Floats, alpha: float) -> float:
    """The radius around the mean of independent values in [0, 1] that contains its expectation.

    On each side it fails with probability at most `alpha`; Maurer and Pontil (2009), theorem 4.
    """
    log, count = math.log(2 / alpha), len(values)
    return math.sqrt(2 * float(values.var(ddof=1)) * log / count) + 7 * log / (3 * (count - 1))


def margins(population: Population, spec: RopeSpec, lag: int, length: int) -> tuple[Floats, Floats]:
    """The mean head's margins `g(Delta) - g(t)` at other lags, and what `slash.band-dominance` leaves.

    Both `(lags,)`, in logits, from lag 1 on: at lag 0 stands the query's own key, and the mean logit
    there is no mean head's. Lag by lag, a plane counts as in the band where that gives more.
    """
    means = population.queries.mean(0), population.keys.mean(0)
    sizes, phases = amplitudes_and_phases(*means, spec, scale=population.scale)
    frequencies = frequencies_float64(spec)
    others = np.arange(1, length)
    apart = (others[others != lag] - lag)[:, None]
    turn, lead = apart * frequencies, frequencies * lag + phases
    exact = sizes * (np.cos(lead) - np.cos(turn + lead))
    misled = 4 * np.abs(np.sin(turn / 2) * np.sin(lead / 2))
    outside = sizes * (1 - np.cos(turn) - misled)
    inside = -sizes * np.minimum(2, np.abs(turn))
    return exact.sum(1), np.maximum(outside, inside).sum(1)


def _drawn(
    population: Population,
    spec: RopeSpec,
    setting: Setting,
    lag: int,
    rows: int,
    generator: np.random.Generator,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Draw rows; returns the target's logits, `ln Z`, the leads of other logits, and float32 errors.

    Shapes: `(rows, TARGETS)` values of the target's logit, then `(rows,)` each: `ln Z`, by how much
    another logit leads, and how far float32 angles and tables move a logit.
    A row's place is uniform over those that have the lag. Its query's own key stands at lag 0.
    """
    turn = turns(spec, setting).astype(np.complex64)
    queries = (planes(population.queries, spec) * population.scale).astype(np.complex64)
    keys = planes(population.keys, spec).astype(np.complex64)
    count, length = len(keys), setting.length
    longest = np.abs(planes(population.keys, spec)).max(0)
    step = max(1, BLOCK // length)
    parts: list[tuple[Any, ...]] = []
    for first in range(0, rows, step):
        at = generator.integers(lag, length, size=min(step, rows - first))
        drawn = generator.integers(count, size=(len(at), length))
        here = np.arange(len(at))
        query = queries[drawn[here, at]] * turn[at]
        logits = np.zeros((len(at), length), dtype=np.float32)
        for plane in range(spec.planes):
            key = keys[:, plane][drawn] * turn[:, plane]
            logits += query[:, plane, None].real * key.real + query[:, plane, None].imag * key.imag
        places = drawn[here, at][:, None]
        if lag > 0:
            places = generator.integers(count, size=(len(at), TARGETS))
        ahead = keys[places] * turn[at - lag][:, None]
        target = (query[:, None].conj() * ahead).real.sum(-1)
        seen = np.arange(length) <= at[:, None]
        seen[here, at - lag] = False
        others = np.where(seen, logits, -np.inf).astype(np.float64)
        rest = torch.from_numpy(others).logsumexp(1).numpy()
        lead = others.max(1) - logits[here, at - lag]
        sizes = np.abs(query) * longest * np.abs(turn).max(0)
        # Query and key stand at the row's place at most; in bfloat16 the rounding is in `turn`.
        unit = 0.0 if setting.rounded else angle_unit("float32")
        moved = np.minimum(2.0, unit * 2 * at[:, None] * frequencies_float64(spec))
        # Their cosines and sines are rounded once more.
        entries = table_move(sizes.sum(1), unit=table_unit("float32"))
        parts.append((target, rest, lead, (sizes * moved).sum(1) + entries))
    target, *others = (np.concatenate(part).astype(np.float64) for part in zip(*parts, strict=True))
    return target, others[0], others[1], others[2]
