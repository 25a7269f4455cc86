"""The record of one additive fit: its correlation always with null, noise floor and bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ropeproof.numerics.bounds.posgen.vectors import ComplexHead

__all__ = ["KINDS", "AdditiveFit", "Domain", "Kind", "SecondMoments", "negligible", "record"]

Kind = Literal["reference", "optimal", "query-free", "three-axis"]
Domain = Literal["triangle", "grid"]
KINDS: tuple[Kind, ...] = ("reference", "optimal", "query-free", "three-axis")


@dataclass(frozen=True, kw_only=True)
class AdditiveFit:
    """How well a sum of functions of one variable each describes the logits of a head.

    - `kind`: `reference` (query-specific: mean key, and key deviation at one lag on slow planes,
      `posgen.two-axis`), `optimal` (query-specific, `f*` and `g*` of `posgen.anova`), `query-free`
      (least squares in lag and key), `three-axis` (least squares in query, key and lag,
      `posgen.three-axis`). For row-centred logits the last two are the same fit.
    - `domain`: `triangle`, the causal pairs; or `grid`, every query at every lag with every key.
    - `centred`: whether each query's mean is subtracted first, which does not change softmax.
    - `observations`: the number of logits that are fitted.
    - `variance` of the logits and `residual`, the root mean square of logits less fit, in logits;
      `bound` is at least `residual`, from the proved bounds, and `guaranteed` the correlation
      that it implies (`posgen.pearson`), 0 if none.
    - `largest_residual` and `largest_bound`: the largest residual of a single logit, and the largest bound
      of one; both None on the grid, the bound also for least squares, which has none.
    - `r_squared = 1 - residual^2/variance` (negative if the mean is better), and `correlation`;
      None where the logits, or the fit, have no variance.
    - `null_r_squared`, `null_correlation`: the values for random features of one size on each plane, on
      this domain, at this length, as a ratio of expectations (`posgen.null`).
    - `floor`: the expected R^2 of least squares over these axes on pure noise
      (`posgen.noise-floor`); 0 for query-specific fits on the triangle, whose terms come from the
      features, while their axes alone would fit everything.
    - `predicted`: the R^2 that `posgen.anova` gives the best query-specific fit on the grid, from
      this head's fluctuation energies; None if there is no variance.
    """

    kind: Kind
    domain: Domain
    centred: bool
    observations: int
    variance: float
    residual: float
    bound: float
    guaranteed: float
    largest_residual: float | None
    largest_bound: float | None
    r_squared: float | None
    correlation: float | None
    null_r_squared: float
    null_correlation: float
    floor: float
    predicted: float | None

    def __str__(self) -> str:
        """One line with the correlation, its null, noise floor, prediction and guarantee."""
        how = "row-centred" if self.centred else "pooled"
        found = "none" if self.correlation is None else f"{self.correlation:.3f}"
        predicted = "none" if self.predicted is None else f"{self.predicted:.3f}"
        return (
            f"{self.kind} on the {self.domain}, {how}: correlation {found} "
            f"(null {self.null_correlation:.3f}, noise floor R^2 {self.floor:.4f}, "
            f"predicted R^2 {predicted}, guaranteed {self.guaranteed:.3f})"
        )


@dataclass(frozen=True, kw_only=True)
class SecondMoments:
    """Mean squares per pair of logits, fit and residual, and the mean of logits times fit."""

    logits: float
    fit: float
    both: float
    residual: float


def negligible(head: ComplexHead, *, single: bool = False) -> float:
    """The variance up to which logits count as constant but for rounding: `(2^-36 A)^2`.

    With logits in float32, `single`, it is `(2^-18 A)^2`.

    `A` is the sum over planes of the root mean square query times that of the key.
    """
    sizes = [np.sqrt((np.abs(x) ** 2).mean(0)) for x in (head.queries, head.keys)]
    return (2.0 ** (-18 if single else -36) * float(sizes[0] @ sizes[1])) ** 2


def record(
    sums: SecondMoments,
    *,
    kind: Kind,
    domain: Domain,
    centred: bool,
    observations: int,
    null: tuple[float, float],
    floor: float,
    predicted: float | None,
    bound: float,
    least: float,
    largest: tuple[float | None, float | None] = (None, None),
) -> AdditiveFit:
    """The `AdditiveFit` of these second moments.

    `null` is R^2 and correlation of random features; variances up to `least` count as none.
    """
    spread = sums.logits > least
    fitted = spread and sums.fit > least
    correlation = sums.both / math.sqrt(sums.logits * sums.fit) if fitted else None
    guaranteed = math.sqrt(max(0.0, 1 - bound**2 / sums.fit)) if fitted else 0.0
    return AdditiveFit(
        kind=kind,
        domain=domain,
        centred=centred,
        observations=observations,
        variance=max(0.0, sums.logits),
        residual=math.sqrt(max(0.0, sums.residual)),
        bound=bound,
        guaranteed=guaranteed,
        largest_residual=largest[0],
        largest_bound=largest[1],
        r_squared=1 - sums.residual / sums.logits if spread else None,
        correlation=None if correlation is None else max(-1.0, min(1.0, correlation)),
        null_r_squared=null[0],
        null_correlation=null[1],
        floor=floor,
        predicted=predicted,
    )
