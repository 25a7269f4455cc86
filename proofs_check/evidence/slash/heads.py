"""Drawn inputs of the topic's evidence: positional heads, and prompts near a head's mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import cosine_logits, largest_frequency
from ropeproof.numerics.core import softmax
from ropeproof.numerics.core.spec import frequencies_float64, logits, rotate
from ropeproof.numerics.strategies import amplitudes, floats, generic, phases, specs
from ropeproof.proofs_check.evidence.drawing import UNIT, DrawnCase
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = [
    "DOMAIN",
    "PROMPTS",
    "NearMeanPrompt",
    "Positional",
    "norm_keeping",
    "positional",
    "prompts",
]

Floats = NDArray[np.float64]
Towards = Literal["any", "against", "for"]
_FARTHEST = 160
_LONGEST = 20
DOMAIN = f"up to 6 planes, partial and scaled, amplitudes up to 8, rows up to {_FARTHEST}"
PROMPTS = f"up to 4 planes, prompts of up to {_LONGEST} tokens, radii up to 1/2"


@dataclass(frozen=True)
class Positional(DrawnCase):
    """A head `sum_l A_l cos(theta_l t + phi_l)` with a target in a row."""

    spec: RopeSpec
    amplitudes: Floats
    phases: Floats
    offset: int
    row: int

    @property
    def reach(self) -> int:
        """The number of lags in the row on both sides of the target."""
        return min(self.offset, self.row - 1 - self.offset)

    def weight(self, *, aligned: bool = False) -> tuple[float, float]:
        """The target's attention weight in float64, and its relative rounding budget."""
        lags = np.arange(self.row)
        turns = np.zeros_like(self.phases) if aligned else self.phases
        places = lags - self.offset if aligned else lags
        values = cosine_logits(self.amplitudes, turns, self.spec, places)
        found = float(softmax.weights(values)[self.offset])
        # What `cosine_logits` and `weights` state, the first twice: target and competitor.
        angle = self.row * largest_frequency(self.spec).upper + np.abs(turns).max()
        moved = UNIT * self.amplitudes.sum() * (angle + self.spec.planes + 4)
        return found, float(2 * moved + UNIT * (self.row + np.ptp(values) + 4))


@st.composite
def positional(
    draw: st.DrawFn, *, bound: float = 8.0, slow: bool = False, farthest: int = _FARTHEST
) -> Positional:
    """A drawn head with any, aligned or nearly aligned phases; `slow` uses only slow planes."""
    spec = draw(specs(most_planes=6))
    sizes = draw(amplitudes(planes=spec.planes, bound=bound))
    offset = draw(st.integers(0, farthest // 2))
    row = draw(st.just(2 * offset + 1) | st.integers(offset + 1, farthest))
    turns = draw(phases(planes=spec.planes)) * draw(st.sampled_from((0.0, 2.0**-10, 1.0)))
    aligned = np.remainder(-frequencies_float64(spec) * offset, 2 * np.pi)
    if draw(st.booleans()):
        turns = turns + aligned
    if slow:
        kept = draw(st.integers(1, spec.planes))
        sizes = np.where(np.argsort(spec.frequency_order()) >= spec.planes - kept, sizes, 0.0)
    return Positional(spec, sizes, turns, offset, row)


def norm_keeping(most_planes: int = 4) -> st.SearchStrategy[RopeSpec]:
    """Specs whose rotation keeps norms: no scaling with an attention factor."""
    plain = specs(most_planes=most_planes, scaling=False)
    return plain | specs(most_planes=most_planes, scaling=("linear", "dynamic", "llama3"))


@dataclass(frozen=True)
class NearMeanPrompt:
    """Queries and keys of a prompt, `(length, head_dim)`, near a mean query and key."""

    spec: RopeSpec
    mean_query: Floats
    mean_key: Floats
    queries: Floats
    keys: Floats
    offset: int

    @property
    def length(self) -> int:
        """The number of tokens in the prompt."""
        return len(self.queries)

    @property
    def size(self) -> float:
        """The bound `s|q||k|` of the means, in logits."""
        product = np.linalg.norm(self.mean_query) * np.linalg.norm(self.mean_key)
        return float(product / np.sqrt(self.spec.head_dim) * (1 + 2 * self.spec.head_dim * UNIT))

    @property
    def radii(self) -> tuple[float, float]:
        """The largest relative deviations `epsilon_q`, `epsilon_k`, rounded up."""
        up = 1 + 4 * self.spec.head_dim * UNIT
        pairs = ((self.queries, self.mean_query), (self.keys, self.mean_key))
        found = [
            float(np.linalg.norm(vectors - mean, axis=1).max() / np.linalg.norm(mean) * up)
            for vectors, mean in pairs
        ]
        return found[0], found[1]

    @property
    def rounding(self) -> float:
        """The rounding budget of a logit, in logits."""
        longest = [np.linalg.norm(v, axis=1).max() for v in (self.queries, self.keys)]
        size = float(longest[0] * longest[1]) / np.sqrt(self.spec.head_dim)
        turns = 4 * self.length * largest_frequency(self.spec).upper
        return float(UNIT * size * (turns + 4 * self.spec.head_dim + 32))

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {
            "spec": self.spec,
            "queries": self.queries,
            "keys": self.keys,
            "offset": self.offset,
        }

    def logits(self) -> Floats:
        """The logits, `(length, length)`, `-inf` above the diagonal."""
        places = np.arange(self.length)
        found = logits(self.queries, self.keys, places, places, self.spec)
        return np.where(np.tri(self.length, dtype=bool), found, -np.inf)

    def mean_logits(self) -> Floats:
        """The mean logits `g(t)` at the lags below the length."""
        queries = np.broadcast_to(self.mean_query, (self.length, self.spec.head_dim))
        keys = self.mean_key[np.newaxis]
        found: Floats = logits(queries, keys, np.arange(self.length), [0], self.spec)[:, 0]
        return found

    def weight_rounding(self) -> Floats:
        """The relative rounding budget of the attention weights of each row, `(length,)`."""
        values = self.logits()
        low = np.where(np.isneginf(values), np.inf, values).min(1)
        spread = values.max(1) - low
        result: Floats = 2 * self.rounding + UNIT * (self.length + spread + 8)
        return result


def deviate(mean: Floats, radius: float, directions: Floats, shares: Floats) -> Floats:
    """`mean` moved by `share * radius * |mean|` in the given directions, one row each."""
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    units = directions / np.where(lengths > 0, lengths, 1.0)
    result: Floats = mean + radius * np.linalg.norm(mean) * shares[:, np.newaxis] * units
    return result


def around(
    seed: int,
    spec: RopeSpec,
    means: tuple[Floats, Floats],
    radii: tuple[float, float],
    *,
    offset: int,
    length: int,
    towards: Towards = "any",
) -> NearMeanPrompt:
    """A prompt whose queries and keys are within the radii of the means.

    `against` and `for` move every key of the last row as far as allowed against or for the target and
    leave the queries at the mean, which attains the bounds.
    """
    random = np.random.default_rng(seed)
    shape = (length, spec.head_dim)
    mean_query, mean_key = means
    if towards == "any":
        queries = deviate(mean_query, radii[0], random.normal(size=shape), random.random(length))
        keys = deviate(mean_key, radii[1], random.normal(size=shape), random.random(length))
    else:
        lags = np.arange(length)[::-1]
        seen = rotate(np.broadcast_to(mean_query, shape), lags, spec)
        sign = np.where(lags == offset, -1.0, 1.0) * (1 if towards == "against" else -1)
        queries = np.broadcast_to(mean_query, shape).copy()
        keys = deviate(mean_key, radii[1], seen, sign)
    return NearMeanPrompt(spec, mean_query, mean_key, queries, keys, offset)


@st.composite
def prompts(draw: st.DrawFn, *, count: int = 1, largest: float = 0.5) -> tuple[NearMeanPrompt, ...]:
    """Drawn prompts of one head, offset and length, with radii up to `largest`, some 0."""
    spec = draw(norm_keeping())
    means = draw(generic(head_dim=spec.head_dim, tokens=2, bound=2.0))
    for mean in means:
        if np.linalg.norm(mean) < 2.0**-6:
            mean[0] = 1.0
    radius = st.just(0.0) | floats(bound=largest, positive=True)
    radii = (draw(radius), draw(radius))
    length = draw(st.integers(1, _LONGEST))
    offset = draw(st.integers(0, length - 1))
    kinds: list[Towards] = ["any", "against", "for"]
    return tuple(
        around(
            draw(st.integers(0, 2**32 - 1)),
            spec,
            (means[0], means[1]),
            radii,
            offset=offset,
            length=length,
            towards=draw(st.sampled_from(kinds)),
        )
        for _ in range(count)
    )
