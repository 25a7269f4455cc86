"""The slash score that queries and keys guarantee on every prompt, with rounding counted.

Input are the queries and keys of every token of a vocabulary; nothing is assumed of how they were
made. Claims `slash.sandwich` and `slash.emergence`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ropeproof.constructions.head import Certificate
from ropeproof.constructions.heads.slash.rounding import SLACK, Rounding, factors
from ropeproof.numerics.core.lag_scan import logits_and_gap
from ropeproof.numerics.core.softmax import weight_bound
from ropeproof.numerics.core.spec import amplitudes_and_phases
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary import exact
from ropeproof.theory.rotary.precision import precision
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "Projected",
    "SlashBound",
    "polar_error",
    "project",
    "rotated_norms",
    "rounding_of",
    "slash_bound",
]

Floats = NDArray[np.float64]
_BITS = 192


@dataclass(frozen=True, eq=False)
class Projected:
    """Queries or keys before rotation, of every token of a vocabulary, as float64 sees them.

    - `vectors`: `(tokens, head_dim)`;
    - `error`: no row is further from the exact product of weights and embeddings, after rotation;
    - `size`: the largest `|| |W||x| ||` of a token, after rotation, which rounding is relative to;
    - `width`: the number of terms of each sum.
    """

    vectors: Floats
    error: float
    size: float
    width: int


def project(x: Floats, weights: Floats, spec: RopeSpec, bias: Floats | None = None) -> Projected:
    """Queries or keys of embeddings `(tokens, width)` under weights `(head_dim, width)`.

    Cost: two products of these shapes in float64, whose rounding is in `error`.
    """
    vectors, sizes = x @ weights.T, np.abs(x) @ np.abs(weights).T
    if bias is not None:
        vectors, sizes = vectors + bias, sizes + np.abs(bias)
    width = weights.shape[1] + 1
    size = float(rotated_norms(sizes, spec).max()) * SLACK
    return Projected(vectors, (width + 4) * 2.0**-52 * size * SLACK, size, width)


@dataclass(frozen=True, kw_only=True)
class SlashBound:
    """The guarantee of a head on every prompt, and what it is made of; all in logits.

    - `margin`: the mean logit function's margin at the offset, at least (`Gamma`);
    - `leak`: what tokens move a logit by, at most (`eta`); `rounding`: what rounding does;
    - `competition`: `sum of e^{g(t) - g(offset)}` over the other lags, at most (`Z`);
    - `amplitude`: no exact logit is larger;
    - `weight_factor`: softmax's own rounding of a weight, as a factor, at least.
    """

    length: int
    margin: float
    leak: float
    rounding: float
    competition: float
    amplitude: float
    weight_factor: float

    @property
    def deviation(self) -> float:
        """The most that tokens and rounding move a logit by, `leak + rounding`, in logits."""
        return (self.leak + self.rounding) * SLACK

    @property
    def kept_margin(self) -> float:
        """A lower bound of the margin on every prompt after rounding, `margin - 2 deviation`."""
        return math.nextafter(self.margin - 2 * self.deviation * SLACK, -math.inf)

    @property
    def score(self) -> float:
        """A lower bound of the slash score by the margin alone (`slash.emergence`)."""
        if not math.isfinite(self.deviation):
            return 0.0
        gap = Fraction(self.margin) - 2 * Fraction(self.deviation)
        return self._rounded(weight_bound(gap, self.length).lower)

    @property
    def sandwich_score(self) -> float:
        """A lower bound of the slash score by all lags (`slash.sandwich`); never below `score`."""
        if self.deviation > 300:
            return 0.0
        rest = self.competition * math.exp(2 * self.deviation) * SLACK
        return max(self.score, self._rounded(1 / (1 + rest) / SLACK))

    def _rounded(self, weight: float) -> float:
        return max(0.0, weight * self.weight_factor / SLACK)

    def certificate(
        self, claim: str, arithmetic: str | None, *, runs: str = "module"
    ) -> Certificate:
        """The certificate by `slash.emergence` or `slash.sandwich`; `runs` as in `Certificate`.

        A score below that of uniform attention, `1/length`, is no guarantee and written as 0.
        """
        score = self.score if claim == "slash.emergence" else self.sandwich_score
        if score * self.length <= 1:
            quantities = {"length": self.length, "score": 0.0, "weight": 0.0}
        else:
            quantities = {
                "amplitude": self.amplitude,
                "deviation": self.deviation,
                "length": self.length,
                "margin": self.kept_margin,
                "score": score,
                "weight": score,
            }
        return Certificate(claim, quantities, "certified", arithmetic, runs)


def slash_bound(
    queries: Projected,
    keys: Projected,
    spec: RopeSpec,
    *,
    offset: int,
    length: int,
    rounding: Rounding | None,
    table: float = 0.0,
) -> SlashBound:
    """Bound the slash score at `offset` on every prompt of at most `length` of these tokens.

    `rounding` is that of the type the head is run in, None for exact arithmetic; `table` the
    error of its rotation tables per attention factor. The mean query and key are those of the
    vocabulary; by `slash.sandwich` any other choice would be as valid.

    Cost: a certified scan of `length` lags. Raises `InvalidArgument` on an offset or length out of
    range, or numbers that are not finite.
    """
    offset = exact.read_integer("offset", offset, least=0)
    length = exact.read_integer("length", length, least=max(2, offset + 1))
    for name, side in (("queries", queries), ("keys", keys)):
        if not np.isfinite(side.vectors).all():
            raise InvalidArgument(name, "a value that is not finite", "finite numbers")
    bar_q, bar_k = queries.vectors.mean(0), keys.vectors.mean(0)
    scale = 1 / math.sqrt(spec.head_dim) * SLACK
    amplitudes, phases = amplitudes_and_phases(bar_q, bar_k, spec)
    rounded = polar_error(bar_q, bar_k, amplitudes, phases, spec)
    margin, competition = _lead(amplitudes, phases, spec, offset, length, rounded)
    sides = [float(rotated_norms(bar, spec)) * SLACK for bar in (bar_q, bar_k)]
    moved = [
        (float(rotated_norms(side.vectors - bar, spec).max()) + side.error) * SLACK
        + 2.0**-50 * size
        for side, bar, size in ((queries, bar_q, sides[0]), (keys, bar_k, sides[1]))
    ]
    leak = scale * (moved[0] * sides[1] + sides[0] * moved[1] + moved[0] * moved[1]) * SLACK
    error, factor, largest = rounding_of(
        sides, moved, (queries, keys), spec, length, rounding, table
    )
    return SlashBound(
        length=length,
        margin=math.nextafter(margin - 2 * rounded * SLACK, -math.inf),
        leak=leak,
        rounding=error,
        competition=competition,
        amplitude=largest,
        weight_factor=factor,
    )


def rounding_of(
    sizes: Sequence[float],
    moved: Sequence[float],
    sides: Sequence[Projected],
    spec: RopeSpec,
    length: int,
    rounding: Rounding | None,
    table: float,
) -> tuple[float, float, float]:
    """Bounds of a logit's rounding error, a weight's rounding factor, and the largest exact logit.

    `sizes` bound the lengths of mean queries and keys after rotation, `moved` how far a query or key is
    from its mean, at most.
    """
    scale = 1 / math.sqrt(spec.head_dim) * SLACK
    longest = [(size + off) * SLACK for size, off in zip(sizes, moved, strict=True)]
    largest = scale * longest[0] * longest[1] * SLACK
    if rounding is None:
        return 0.0, 1.0, largest
    computed = [
        rounding.side(norm, side.size, width=side.width, table=table)
        for norm, side in zip(longest, sides, strict=True)
    ]
    product = rounding.product(*computed, head_dim=spec.head_dim)
    # The difference of two products loses a few units in the last place of the larger one.
    error = scale * (product - longest[0] * longest[1] + 2.0**-50 * product) * SLACK
    error = (error + rounding.input_error(largest + error)) * SLACK
    return error, rounding.weight_factor(length, 2 * (largest + error)), largest


def rotated_norms(vectors: Floats, spec: RopeSpec) -> Any:
    """Lengths of vectors `(..., head_dim)` after rotation, `(...)`.

    Rotated planes are multiplied by the attention factor.
    """
    return np.linalg.norm(vectors * _coordinate_factors(spec), axis=-1)


@lru_cache(maxsize=256)
def _coordinate_factors(spec: RopeSpec) -> Any:
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    weights = np.ones(spec.head_dim)
    weights[list(real)] = weights[list(imaginary)] = factors(spec)
    weights.flags.writeable = False
    return weights


def polar_error(q: Floats, k: Floats, amplitudes: Floats, phases: Floats, spec: RopeSpec) -> float:
    """How far rounding amplitudes and phases to doubles moves a logit of `q` and `k`, at most."""
    total = arb(0)
    with precision(_BITS):
        squared = exact.ball(spec.attention_factor(), bits=_BITS)
        squared = squared * squared
        scale = 1 / arb(spec.head_dim).sqrt()
        for plane, (x, y) in enumerate(spec.plane_coordinates()):
            size = scale * squared if plane < spec.rotary_planes else scale
            (a, b), (c, d) = ((arb(float(v[x])), arb(float(v[y]))) for v in (q, k))
            amplitude, phase = arb(float(amplitudes[plane])), arb(float(phases[plane]))
            real = size * (a * c + b * d) - amplitude * phase.cos()
            imaginary = size * (b * c - a * d) - amplitude * phase.sin()
            total += abs(real) + abs(imaginary)
    return float(total.upper()) * SLACK


def _lead(
    amplitudes: Floats, phases: Floats, spec: RopeSpec, offset: int, length: int, off: float
) -> tuple[float, float]:
    """The offset's lead over the other lags below `length`, at least, and what these add up to.

    That is the margin of the cosines, and `sum of e^{g(t) - g(offset)}` of logits that are within `off`
    of them, at most.
    """
    if not amplitudes.any():
        return 0.0, (length - 1) * math.exp(2 * off) * SLACK
    logits, gap = logits_and_gap(amplitudes, phases, spec, target=offset, lags=length)
    gaps = logits.mid - logits.mid[offset] + 2 * (logits.radius + off)
    values = np.exp(gaps[np.arange(length) != offset])
    # The difference of two doubles is off by half a unit of at most twice the amplitude.
    rounded = math.exp(2.0**-50 * (1 + float(amplitudes.sum())))
    return gap.lower, float(values.sum()) * rounded * SLACK
