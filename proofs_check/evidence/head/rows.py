"""Drawn inputs of the topic's evidence: queries and keys of a row, and tables of logits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.head import ContentTable, content_table
from ropeproof.numerics.bounds.rope.rope import largest_frequency
from ropeproof.numerics.core.spec import attention_factor_float64, frequencies_float64
from ropeproof.numerics.strategies import specs
from ropeproof.proofs_check.evidence.drawing import UNIT
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["DOMAIN", "Kind", "UnrotatedRow", "complex_planes", "rows"]

Floats = NDArray[np.float64]
Complex = NDArray[np.complex128]
Kind = Literal["any", "symbolic", "positional"]
_LONGEST = 12
DOMAIN = f"up to 4 planes, partial and scaled, rows of 3 to {_LONGEST} tokens"


def complex_planes(x: Floats, spec: RopeSpec) -> Complex:
    """Queries or keys `(..., head_dim)` as complex numbers per plane, with the attention factor."""
    real, imaginary = (list(side) for side in zip(*spec.plane_coordinates(), strict=True))
    factors = np.ones(spec.planes)
    factors[: spec.rotary_planes] = attention_factor_float64(spec)
    return np.asarray((x[..., real] + 1j * x[..., imaginary]) * factors)


@dataclass(frozen=True, eq=False)
class UnrotatedRow:
    """Unrotated queries and keys, `(length, head_dim)` each; only the last query is used.

    In the symbolic kind the keys vanish on the rotated planes. In the positional kind all keys before the
    query are equal.
    """

    spec: RopeSpec
    queries: Floats
    keys: Floats
    kind: Kind

    @property
    def length(self) -> int:
        """The number of tokens, the query's included."""
        return len(self.keys)

    @cached_property
    def table(self) -> ContentTable:
        """The table of logits that the code under test computes."""
        return content_table(self.queries, self.keys, self.spec)

    def logits(self, order: list[int] | NDArray[np.int64] | None = None) -> Floats:
        """The last row's logits by definition, with contents in the given order, or orders.

        The shape is that of `order`, `(..., length)`.
        """
        query, keys, turns = self._planes
        ordered = keys if order is None else keys[order]
        result: Floats = (query * ordered * turns).real.sum(-1) / math.sqrt(self.spec.head_dim)
        return result

    @cached_property
    def _planes(self) -> tuple[Complex, Complex, Complex]:
        """The last query, the conjugate keys, and each position's rotation by its lag, complex."""
        last, places = self.length - 1, np.arange(self.length)
        turns = np.exp(1j * np.outer(last - places, frequencies_float64(self.spec)))
        keys = complex_planes(self.keys, self.spec).conj()
        return complex_planes(self.queries[last], self.spec), keys, turns

    @cached_property
    def rounding(self) -> float:
        """The rounding budget of a logit of this row, in logits."""
        query = np.abs(complex_planes(self.queries[-1], self.spec))
        sizes = (query * np.abs(complex_planes(self.keys, self.spec))).sum(-1)
        size = float(sizes.max()) / math.sqrt(self.spec.head_dim)
        turns = 4 * self.length * largest_frequency(self.spec).upper
        return UNIT * size * (turns + 4 * self.spec.head_dim + 32)

    @property
    def shown(self) -> dict[str, Any]:
        """The values to report as the witness of a failed check."""
        return {"spec": self.spec, "query": self.queries[-1], "keys": self.keys}


@st.composite
def rows(draw: st.DrawFn, *, kind: Kind = "any", longest: int = _LONGEST) -> UnrotatedRow:
    """A drawn row of the given kind, with logits of a few units."""
    spec = draw(_specs_for(kind))
    length = draw(st.integers(3, longest))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    size = draw(st.sampled_from((0.5, 1.0, 2.0)))
    queries, keys = size * random.normal(size=(2, length, spec.head_dim))
    if kind == "symbolic":
        rotated = list(zip(*spec.plane_coordinates()[: spec.rotary_planes], strict=True))
        keys[:, [*rotated[0], *rotated[1]]] = 0
    if kind == "positional":
        keys[:-1] = keys[0]
    return UnrotatedRow(spec, queries, keys, kind)


# Strategies are built, and validated by Hypothesis, once.
@lru_cache
def _specs_for(kind: Kind) -> st.SearchStrategy[RopeSpec]:
    return specs(most_planes=4).filter(lambda s: kind != "symbolic" or _free(s))


def _free(spec: RopeSpec) -> bool:
    return spec.rotary_planes < spec.planes
