"""Drawn inputs of the topic's evidence: one query, one key and two positions under a spec."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.bounds.rope.rope import largest_frequency, norm_bound
from ropeproof.numerics.strategies import lags, queries_and_keys, specs
from ropeproof.proofs_check.evidence.drawing import UNIT, DrawnCase
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["DOMAIN", "QueryKeyPair", "drawn", "unscaled"]

Floats = NDArray[np.float64]
_FARTHEST = 2048
DOMAIN = f"up to 6 planes, both layouts, partial and scaled, positions up to {_FARTHEST}"


@dataclass(frozen=True)
class QueryKeyPair(DrawnCase):
    """A query and a key, `(head_dim,)`, at positions `i` and `j`."""

    spec: RopeSpec
    q: Floats
    k: Floats
    i: int
    j: int

    def budget(self, farthest: int | None = None) -> float:
        """The rounding budget of a logit, in logits: angles are off by `2^-52` of their size.

        It covers two rotations at positions up to `farthest`, a product per coordinate and their sum.
        """
        place = max(abs(self.i), abs(self.j), farthest or 0)
        turns = 4 * place * largest_frequency(self.spec).upper
        size = float(norm_bound(self.q, self.k, self.spec))
        return UNIT * size * (turns + 4 * self.spec.head_dim + 32)


@st.composite
def drawn(draw: st.DrawFn, source: st.SearchStrategy[RopeSpec] | None = None) -> QueryKeyPair:
    """A drawn pair under any spec or one of `source`: generic, rank-one or cone-shaped vectors."""
    spec = draw(specs(most_planes=6) if source is None else source)
    queries, keys = draw(queries_and_keys(head_dim=spec.head_dim, tokens=1))
    places = lags(most=_FARTHEST)
    return QueryKeyPair(spec, queries[0], keys[0], draw(places), draw(places))


def unscaled() -> st.SearchStrategy[RopeSpec]:
    """Specs whose rotation keeps norms: no scaling with an attention factor."""
    plain = specs(most_planes=6, scaling=False)
    return plain | specs(most_planes=6, scaling=("linear", "dynamic", "llama3"))
