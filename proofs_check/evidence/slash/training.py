"""An independent implementation of the task of `slash.gd.*`, to compare the numerical code with.

`psi(t) = d^{-1/2} R_t q`, so that a key `k` at lag `t` has the logit `<k, psi(t)>`. The rows
`i > offset` of a prompt are trained to attend to the token `offset` before them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from ropeproof.numerics.core.spec import rotate
from ropeproof.numerics.strategies import generic
from ropeproof.proofs_check.evidence.drawing import DrawnCase
from ropeproof.proofs_check.evidence.slash.heads import norm_keeping
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["DOMAIN", "Task", "tasks"]

Floats = NDArray[np.float64]
_LONGEST = 12
DOMAIN = f"up to 4 planes, prompts of 2 to {_LONGEST} tokens"


@dataclass(frozen=True)
class Task(DrawnCase):
    """A training task: a fixed query `(head_dim,)`, a length and an offset."""

    spec: RopeSpec
    query: Floats
    length: int
    offset: int

    @cached_property
    def directions(self) -> Floats:
        """The directions `psi(t)`, `(length, head_dim)`."""
        repeated = np.broadcast_to(self.query, (self.length, len(self.query)))
        turned: Floats = rotate(repeated, np.arange(self.length), self.spec)
        result: Floats = turned / np.sqrt(len(self.query))
        return result

    @property
    def smoothness(self) -> float:
        """The smoothness `beta = |q|^2/d` of the loss."""
        return float(self.query @ self.query) / len(self.query)

    def weights(self, key: Floats) -> Floats:
        """The attention by row and lag, `(..., length - offset, length)`, for the rows with a target.

        `key` is `(..., head_dim)`.
        """
        values = (key @ self.directions.T)[..., np.newaxis, :]
        rows = np.arange(self.offset, self.length)[:, np.newaxis]
        seen = np.where(np.arange(self.length) <= rows, values, -np.inf)
        sizes = np.exp(seen - seen.max(-1, keepdims=True))
        result: Floats = sizes / sizes.sum(-1, keepdims=True)
        return result

    def loss(self, key: Floats) -> float:
        """The mean cross-entropy loss of a key, in nats."""
        values = self.directions @ key
        totals = np.logaddexp.accumulate(values)[self.offset :]
        return float((totals - values[self.offset]).mean())

    def gradient(self, key: Floats) -> Floats:
        """The gradient of the loss in the key, `(head_dim,)`."""
        result: Floats = self.weights(key).mean(0) @ self.directions - self.directions[self.offset]
        return result

    def rounding(self, key: Floats) -> float:
        """The rounding budget of the loss, in nats."""
        size = np.sqrt(self.smoothness) * float(np.linalg.norm(key))
        return float(2.0**-52 * 32 * (self.length + len(self.query)) * (1 + size))


@st.composite
def tasks(draw: st.DrawFn, *, longest: int = _LONGEST) -> Task:
    """Drawn tasks whose query has a component in the fastest plane."""
    spec = draw(norm_keeping())
    query = draw(generic(head_dim=spec.head_dim, tokens=1, bound=4.0))[0]
    first = spec.plane_coordinates()[0][0]
    query[first] += 1.0 if query[first] >= 0 else -1.0
    length = draw(st.integers(2, longest))
    return Task(spec, query, length, draw(st.integers(0, length - 1)))
