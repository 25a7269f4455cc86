"""Drawn inputs of the topic's evidence: heads over a window, some of them extreme cases."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64, logits
from ropeproof.numerics.strategies import generic, specs
from ropeproof.proofs_check.evidence.drawing import UNIT, DrawnCase
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["DOMAIN", "Windowed", "circular_keys", "coordinates", "windowed"]

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]
_LONGEST = 24
DOMAIN = f"up to 4 planes, partial and scaled, up to 4 queries and keys, windows up to {_LONGEST}"


@dataclass(frozen=True)
class Windowed(DrawnCase):
    """Queries and keys, `(tokens, head_dim)`, the means they deviate from, and a window of lags."""

    spec: RopeSpec
    queries: Floats
    keys: Floats
    mean_query: Floats
    mean_key: Floats
    length: int
    reference: float

    @property
    def size(self) -> float:
        """A bound on every logit of these vectors, their means and their deviations, in logits."""
        sizes = [
            np.linalg.norm(x, axis=1).max() + 2 * np.linalg.norm(mean)
            for x, mean in ((self.queries, self.mean_query), (self.keys, self.mean_key))
        ]
        factor = max(1.0, attention_factor_float64(self.spec) ** 2)
        return float(factor * sizes[0] * sizes[1] / np.sqrt(self.spec.head_dim)) + 2.0**-30

    @property
    def rounding(self) -> float:
        """The rounding budget of a sum of a few logits at the lags of the window."""
        turns = (self.length + abs(self.reference)) * largest_frequency(self.spec).upper
        return float(UNIT * self.size * (8 * turns + 16 * self.spec.head_dim + 64))

    def logits(self, queries: Floats, keys: Floats, lags: Any = None) -> Floats:
        """The logits of all pairs at the given lags, by default the window's; `(lags, queries, keys)`."""
        chosen = np.arange(self.length) if lags is None else np.atleast_1d(lags)
        at_lags = np.broadcast_to(queries, (len(chosen), *queries.shape))
        found: Floats = logits(at_lags, keys, chosen[:, np.newaxis], [0], self.spec)
        return found


def coordinates(numbers: Complexes, spec: RopeSpec) -> Floats:
    """Complex numbers `(..., planes)` as vectors `(..., head_dim)` in the spec's layout."""
    result = np.zeros((*numbers.shape[:-1], spec.head_dim))
    real, imaginary = zip(*spec.plane_coordinates(), strict=True)
    result[..., list(real)], result[..., list(imaginary)] = numbers.real, numbers.imag
    return result


def _worst(draw: st.DrawFn, spec: RopeSpec, length: int) -> Windowed:
    """Vectors with the largest remainder at lag 0: fast planes in phase, slow ones a quarter off."""
    theta = frequencies_float64(spec)
    middle = (length - 1) / 2
    sizes = np.array(
        draw(st.lists(st.floats(0.25, 2.0), min_size=spec.planes, max_size=spec.planes))
    )
    slow = theta * middle <= 1
    turned = np.where(slow, -1j * np.exp(1j * theta * middle), 1.0)
    query = sizes.astype(np.complex128)
    share = draw(st.sampled_from((0.0, 0.5)))
    numbers = (query * (1 + share), query * turned, query, query * 0.5)
    found = [coordinates(x, spec) for x in numbers]
    return Windowed(
        spec,
        queries=found[0][np.newaxis],
        keys=found[3] + found[1][np.newaxis],
        mean_query=found[2],
        mean_key=found[3],
        length=length,
        reference=middle,
    )


@lru_cache
def _references(length: int) -> st.SearchStrategy[float]:
    return st.just((length - 1) / 2) | st.integers(0, length - 1).map(float)


@st.composite
def windowed(draw: st.DrawFn) -> Windowed:
    """A drawn head over a window, whose means are those of its tokens or arbitrary vectors."""
    spec = draw(specs(most_planes=4))
    length = draw(st.integers(1, _LONGEST))
    reference = draw(_references(length))
    if draw(st.booleans()):
        return _worst(draw, spec, length)
    counts = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    queries, keys = (draw(generic(head_dim=spec.head_dim, tokens=n, bound=4.0)) for n in counts)
    mean_query, mean_key = queries.mean(0), keys.mean(0)
    if draw(st.booleans()):
        mean_query, mean_key = draw(generic(head_dim=spec.head_dim, tokens=2, bound=4.0))
    return Windowed(spec, queries, keys, mean_query, mean_key, length, reference)


def circular_keys(sizes: Floats) -> Complexes:
    """Uncorrelated circular keys with mean 0: every combination of quarter turns of the planes.

    `sizes` is `(planes,)`; the result `(4**planes, planes)`, quarter turns exactly.
    """
    quarters = (1, 1j, -1, -1j)
    turns = np.array(list(itertools.product(quarters, repeat=len(sizes))), dtype=np.complex128)
    result: Complexes = turns * sizes
    return result
