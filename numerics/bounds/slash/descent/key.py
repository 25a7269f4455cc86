"""Gradient descent on the key of one head, from zero, with the proved bounds of its loss."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropeproof.numerics.bounds.slash.descent.bounds import floor_bound, rate_bound, sharp_rate_bound
from ropeproof.numerics.bounds.slash.descent.direction import best_direction
from ropeproof.numerics.bounds.slash.descent.objective import SlashObjective, planes_of, vector_of
from ropeproof.numerics.core.enclosure import Enclosure
from ropeproof.numerics.core.spec import frequencies_float64
from ropeproof.theory.errors import InvalidArgument
from ropeproof.theory.rotary.exact import read_integer
from ropeproof.theory.rotary.spec import RopeSpec

__all__ = ["Descent", "descend", "geometric_steps"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Descent:
    """A recorded run of gradient descent on the key, and its proved bounds.

    - `steps`: the recorded steps, `(records,)`; `losses`, `scores`: loss and slash score there.
    - `keys`: the key there, `(records, head_dim)`.
    - `beta`: smoothness, one over the step; `gamma`: certified bounds of `gamma_*`.

    The run itself is float64. The bounds are infinite (or 0 for a floor) where nothing is proved.
    """

    spec: RopeSpec
    query: Floats
    offset: int
    length: int
    steps: NDArray[np.int64]
    losses: Floats
    scores: Floats
    keys: Floats
    beta: float
    gamma: Enclosure
    slow_bounds: Floats
    """`|psi_l| theta_l (N - 1) / gamma`, `(planes,)`: no plane's share `|k_l|/|k|` exceeds it
    (claim `slash.gd.low-suppressed`)."""

    @property
    def rows(self) -> int:
        """The number of rows over which the loss is a mean, `N - Delta`."""
        return self.length - self.offset

    @property
    def plane_norms(self) -> Floats:
        """The size `|k_l|` of the key on each plane, `(records, planes)`."""
        real, imaginary = zip(*self.spec.plane_coordinates(), strict=True)
        result: Floats = np.hypot(self.keys[:, list(real)], self.keys[:, list(imaginary)])
        return result

    @property
    def norms(self) -> Floats:
        """The norm `|k|` of the key, `(records,)`."""
        result: Floats = np.linalg.norm(self.keys, axis=1)
        return result

    @property
    def shares(self) -> Floats:
        """Each plane's share `|k_l|/|k|` of the key, `(records, planes)`; 0 where the key is 0."""
        sizes, norms = self.plane_norms, self.norms[:, np.newaxis]
        return np.divide(sizes, norms, out=np.zeros_like(sizes), where=norms > 0)

    def rate_bound(self) -> Floats:
        """The proved upper bound of the loss, `(records,)`. Claim `slash.gd.rate`."""
        if not self.gamma.lower > 0:
            return np.full(len(self.steps), np.inf)
        return rate_bound(self.steps, length=self.length, beta=self.beta, gamma=self.gamma.lower)

    def sharp_rate_bound(self) -> Floats:
        """The sharper upper bound of the loss at each record, `(records,)`, infinite at first.

        It holds from the first record on whose loss is at most `1/rows`. Claim `slash.gd.rate-sharp`.
        """
        start = self._first(1 / self.rows)
        if start is None or not self.gamma.lower > 0:
            return np.full(len(self.steps), np.inf)
        return sharp_rate_bound(
            self.steps,
            start=int(self.steps[start]),
            loss=float(self.losses[start]),
            rows=self.rows,
            beta=self.beta,
            gamma=self.gamma.lower,
        )

    def floor(self) -> Floats:
        """The proved lower bound of the loss, `(records,)`. Claim `slash.gd.rate-floor`."""
        start = self._first(0.125)
        if start is None:
            return np.zeros(len(self.steps))
        first, level = int(self.steps[start]), float(self.losses[start])
        return floor_bound(self.steps, start=first, loss=level)

    def _first(self, level: float) -> int | None:
        below = np.flatnonzero(self.losses <= level)
        return int(below[0]) if len(below) and self.losses[below[0]] > 0 else None


def geometric_steps(steps: int, records: int = 200) -> list[int]:
    """The steps 0, `steps` and up to `records` steps between them, growing by a constant factor."""
    last, count = read_integer("steps", steps, least=1), read_integer("records", records, least=2)
    return sorted({0, *np.geomspace(1, last, count).round().astype(int).tolist(), last})


def descend(
    spec: RopeSpec,
    query: Any,
    offset: int,
    length: int,
    steps: int,
    record_at: Sequence[int] | None = None,
    *,
    progress: Callable[[int], None] | None = None,
) -> Descent:
    """Gradient descent on the key, from 0 with step `1/beta`, at a fixed query `(head_dim,)`.

    The reduced dynamics of theory `slash.gd.*`: the loss is that of copying the token `offset`
    back, on prompts of `length` distinct tokens, with scale `1/sqrt(head_dim)`. By
    `slash.gd.rank-one` the full model with its embeddings follows it exactly
    (`ropeproof.numerics.bounds.slash.descent.full`). `record_at` lists steps from 0 to `steps`, by default a
    geometric grid; `progress` is called with the number of each recorded step.

    Cost per step: two products with a `(length, 2 planes)` matrix. Raises `InvalidArgument`.
    """
    objective = SlashObjective(spec, offset, length)
    q = planes_of("query", query, spec)
    last = read_integer("steps", steps, least=1)
    wanted = _records(record_at, last)
    direction = best_direction(spec, query, objective.offset, objective.length)
    features = objective.units * np.abs(q)
    beta = float((features**2).sum())
    frequencies = frequencies_float64(spec)
    slow = np.full(spec.planes, np.inf)
    if direction.gamma.lower > 0:
        slow = features * frequencies * (objective.length - 1) / direction.gamma.lower
    key = np.zeros(spec.planes, dtype=np.complex128)
    losses, scores, keys = [], [], []
    for step in range(last + 1):
        found = objective.evaluate(q * key.conj())
        loss = math.exp(found.log_loss)
        if step in wanted:
            losses.append(loss)
            scores.append(found.score)
            keys.append(key)
            if progress is not None:
                progress(step)
            if len(losses) == len(wanted):
                break
        key = key - (loss / beta) * found.slope * q
    return Descent(
        spec=spec,
        query=vector_of(q, spec),
        offset=objective.offset,
        length=objective.length,
        steps=np.array(sorted(wanted), dtype=np.int64),
        losses=np.array(losses),
        scores=np.array(scores),
        keys=vector_of(np.array(keys), spec),
        beta=beta,
        gamma=direction.gamma,
        slow_bounds=slow,
    )


def _records(record_at: Sequence[int] | None, last: int) -> frozenset[int]:
    if record_at is None:
        return frozenset(geometric_steps(last))
    found = frozenset(read_integer("record_at", step, least=0) for step in record_at)
    if not found or max(found) > last:
        raise InvalidArgument("record_at", record_at, f"some steps from 0 to {last}")
    return found
